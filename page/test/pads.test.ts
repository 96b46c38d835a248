// Gamepads as browsers report them: what drives, and what never does.
import { strict as assert } from "node:assert";
import { test } from "node:test";
import { Pads, padSticks, type PluggedPad } from "../src/drive/pads.ts";
import { bit, FULL, ZERO } from "../src/drive/sticks.ts";
import { quoted } from "../src/text.ts";

const buttons = (count: number, values: Record<number, number> = {}): PluggedPad["buttons"] =>
    Array.from({ length: count }, (_, i) => ({
        pressed: (values[i] ?? 0) > 0.5,
        value: values[i] ?? 0,
    }));

const standard = (axes: number[], held = {}, more: Partial<PluggedPad> = {}): PluggedPad => ({
    index: 0,
    id: "Xbox 360 Controller (STANDARD GAMEPAD Vendor: 045e Product: 028e)",
    connected: true,
    mapping: "standard",
    axes,
    buttons: buttons(17, held),
    ...more,
});

// Left stick, left trigger, right stick, right trigger, cross; triggers rest at -1.
const XBOX_IN_FIREFOX = standard(
    [0, 0, -1, 0, 0, -1, 0, 0],
    {},
    { id: "045e-028e-Microsoft X-Box 360 pad", mapping: "", buttons: buttons(11) },
);
// x, y, twist, throttle (at its lower end), hat.
const FLIGHT_STICK = standard(
    [0.02, -0.01, 0, 1, 0, 0],
    {},
    { index: 2, id: "044f-b10a-Thrustmaster T.16000M", mapping: "", buttons: buttons(16) },
);

/** What each pad makes its player do, when `present` is looked at so many times. */
function driven(
    pads: Pads,
    present: (PluggedPad | null)[],
): { sticks: (typeof ZERO)[]; arrived: number[]; left: number[] } {
    const arrived: number[] = [];
    const left: number[] = [];
    pads.update(
        present,
        (pad) => left.push(pad),
        (pad) => arrived.push(pad),
    );
    return {
        sticks: present.flatMap((pad) => (pad?.connected === true ? [pads.sticks(pad)] : [])),
        arrived,
        left,
    };
}

test("a layout that is not the standard one drives nothing, at rest or moved", () => {
    for (const pad of [XBOX_IN_FIREFOX, FLIGHT_STICK]) {
        const pads = new Pads();
        for (const axes of [
            pad.axes,
            pad.axes.map(() => 0),
            pad.axes.map(() => 1),
            pad.axes.map(() => -1),
        ]) {
            assert.deepEqual(
                driven(pads, [{ ...pad, axes, buttons: buttons(16, { 0: 1, 9: 1 }) }]).sticks,
                [ZERO],
            );
        }
        assert.deepEqual(pads.list(), [{ pad: pad.index, name: pad.id, isStandard: false }]);
    }
});

test("of a standard pad an axis drives once it was at rest, each by itself, a button once it was released", () => {
    const pads = new Pads();
    const held = standard([0, -1, 0.8, 0.05], { 0: 1, 6: 0.5 });
    assert.deepEqual(driven(pads, [held]).sticks, [ZERO]);
    assert.deepEqual(driven(pads, [standard([0, -1, 0.05, 0], { 6: 0.5 })]).sticks, [ZERO]);
    assert.deepEqual(driven(pads, [held]).sticks, [
        { ...ZERO, rx: padSticks(held).rx, buttons: bit("a") },
    ]);
    assert.deepEqual(driven(pads, [standard([0, 0, 0, 0])]).sticks, [ZERO]);
    assert.deepEqual(driven(pads, [held]).sticks, [padSticks(held)]);
    pads.close();
    assert.deepEqual(driven(pads, [held]).sticks, [ZERO]);
});

test("a trigger that rests a little above zero is at rest, one in its middle is not", () => {
    const pads = new Pads();
    driven(pads, [standard([0, 0, 0, 0], { 6: 0.04, 7: 0.5 })]);
    assert.deepEqual(driven(pads, [standard([0, 0, 0, 0], { 6: 1, 7: 1 })]).sticks, [
        { ...ZERO, lt: FULL },
    ]);
});

test("a pad that comes again, or another one in its place, begins anew", () => {
    const pads = new Pads();
    const moved = standard([0, -1, 0, 0]);
    assert.deepEqual(driven(pads, [null, standard([0, 0, 0, 0])]).arrived, [0]);
    assert.equal(driven(pads, [null, moved]).sticks[0]!.ly, FULL);
    assert.deepEqual(driven(pads, [null, null]).left, [0]);
    assert.deepEqual(driven(pads, [moved]), { sticks: [ZERO], arrived: [0], left: [] });
    driven(pads, [standard([0, 0, 0, 0])]);
    assert.equal(driven(pads, [moved]).sticks[0]!.ly, FULL);
    assert.deepEqual(driven(pads, [{ ...moved, id: "another" }]), {
        sticks: [ZERO],
        arrived: [0],
        left: [0],
    });
    assert.deepEqual(driven(pads, [{ ...moved, id: "another", mapping: "" }]).left, [0]);
    assert.deepEqual(driven(pads, [{ ...moved, connected: false }]).left, [0]);
    assert.deepEqual(driven(pads, []), { sticks: [], arrived: [], left: [] });
});

test("several pads at several indexes: each has its own rest", () => {
    const pads = new Pads();
    const second = standard([0, 1, 0, 0], {}, { index: 3 });
    assert.deepEqual(
        driven(pads, [standard([0, 0, 0, 0]), null, FLIGHT_STICK, second]).arrived,
        [0, 2, 3],
    );
    const { sticks } = driven(pads, [standard([0, -1, 0, 0]), null, FLIGHT_STICK, second]);
    assert.deepEqual(sticks, [{ ...ZERO, ly: FULL }, ZERO, ZERO]);
    assert.deepEqual(driven(pads, [null, null, FLIGHT_STICK, second]).left, [0]);
});

test("too few axes or buttons, and values that are no numbers or out of range, stay within the wire's limits", () => {
    const odd: [PluggedPad, Partial<typeof ZERO>][] = [
        [standard([0, -1], {}, { buttons: [] }), { ly: FULL }],
        [standard([], {}, { buttons: buttons(3, { 0: 1 }) }), { buttons: bit("a") }],
        [standard([NaN, Infinity, -Infinity, 7], { 6: NaN, 7: 9 }), { ry: -FULL, rt: FULL }],
        [standard([-3, 0, 0, 0], { 6: -2 }), { lx: -FULL }],
    ];
    for (const [pad, wanted] of odd) {
        const pads = new Pads();
        driven(pads, [standard([0, 0, 0, 0], {}, { id: pad.id })]);
        assert.deepEqual(driven(pads, [pad]).sticks, [{ ...ZERO, ...wanted }]);
    }
});

test("a pad's name is foreign text: quoted, cut, without what is not seen", () => {
    assert.equal(
        quoted("045e-028e-Microsoft X-Box 360 pad"),
        "“045e-028e-Microsoft X-Box 360 pad”",
    );
    assert.equal(quoted("<b>A</b>” does drive\u202E\u0007\u200B."), '“<b>A</b>" does drive.”');
    assert.equal(quoted(`${"x".repeat(500)}`), `“${"x".repeat(48)}…”`);
    assert.equal(quoted("🎮".repeat(48)), `“${"🎮".repeat(48)}”`);
});
