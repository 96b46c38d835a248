// Gamepads as the browser shows them. Only those whose `mapping` is "standard" drive: of any other the browser does not say which axes are
// sticks, and a trigger that rests at -1 or a flight stick's throttle would be taken for one.
import { bit, FULL, ZERO, type Button, type Sticks } from "./sticks.ts";

/** What is read of a Gamepad; tests make their own. */
export interface PadLike {
    readonly axes: readonly number[];
    readonly buttons: readonly { readonly pressed: boolean; readonly value: number }[];
}

/** A Gamepad with what tells it from others. */
export interface PluggedPad extends PadLike {
    readonly index: number;
    readonly id: string;
    readonly connected: boolean;
    readonly mapping: string;
}

// A stick or a trigger at rest is rarely at zero.
const DEAD = 0.1;

const PAD_BUTTONS: (Button | null)[] = [
    "a",
    "b",
    "x",
    "y",
    "leftBumper",
    "rightBumper",
    null,
    null,
    "back",
    "start",
    null,
    null,
    "up",
    "down",
    "left",
    "right",
    "guide",
];

/** From -1..1 with a dead middle to -512..512 without a jump at its rim. */
export function axisOf(value: number | undefined): number {
    if (value === undefined || !Number.isFinite(value)) {
        return 0;
    }
    const size = Math.min(Math.abs(value), 1);
    return size <= DEAD ? 0 : Math.sign(value) * Math.round(((size - DEAD) / (1 - DEAD)) * FULL);
}

function triggerOf(pad: PadLike, index: number): number {
    const value = Math.min(pad.buttons[index]?.value ?? 0, 1);
    return value > DEAD ? Math.round(value * FULL) : pad.buttons[index]?.pressed === true ? 1 : 0;
}

/** The browser's y axes point down, ours up. */
export function padSticks(pad: PadLike): Sticks {
    let buttons = 0;
    PAD_BUTTONS.forEach((name, index) => {
        if (name !== null && pad.buttons[index]?.pressed === true) {
            buttons |= bit(name);
        }
    });
    return {
        lx: axisOf(pad.axes[0]),
        ly: axisOf(-(pad.axes[1] ?? 0)),
        rx: axisOf(pad.axes[2]),
        ry: axisOf(-(pad.axes[3] ?? 0)),
        lt: triggerOf(pad, 6),
        rt: triggerOf(pad, 7),
        buttons,
    };
}

const AXES = ["lx", "ly", "rx", "ry", "lt", "rt"] as const;

/**
 * Keeps back what a gamepad already held when it appeared, or when the page lost the focus or its connection: each axis until it was at
 * rest once, each button until it was released. So an axis that rests off zero never drives.
 */
export class PadGate {
    private axes = new Set<(typeof AXES)[number]>();
    private buttons = 0;

    /** From now on nothing passes that is not pressed anew. */
    close(): void {
        this.axes = new Set(AXES);
        this.buttons = ~0;
    }

    pass(sticks: Sticks): Sticks {
        if (this.axes.size === 0 && this.buttons === 0) {
            return sticks;
        }
        const passed = { ...sticks };
        for (const axis of this.axes) {
            if (sticks[axis] === 0) {
                this.axes.delete(axis);
            }
            passed[axis] = 0;
        }
        this.buttons &= sticks.buttons;
        return { ...passed, buttons: sticks.buttons & ~this.buttons };
    }
}

/** The gamepads that are plugged in, as often as they are looked at. Events alone would miss one that vanishes or is exchanged. */
export class Pads {
    private readonly known = new Map<number, { id: string; mapping: string; gate: PadGate }>();

    /** Takes in what navigator.getGamepads() returns; calls `left` and `arrived` for pads that have gone or come since the last time. */
    update(
        present: readonly (PluggedPad | null)[],
        left: (pad: number) => void,
        arrived: (pad: number) => void,
    ): void {
        const there = present.filter((pad): pad is PluggedPad => pad?.connected === true);
        for (const [index, { id, mapping }] of this.known) {
            if (
                !there.some(
                    (pad) => pad.index === index && pad.id === id && pad.mapping === mapping,
                )
            ) {
                this.known.delete(index);
                left(index);
            }
        }
        for (const { index, id, mapping } of there) {
            if (!this.known.has(index)) {
                const gate = new PadGate();
                gate.close();
                this.known.set(index, { id, mapping, gate });
                arrived(index);
            }
        }
    }

    list(): { pad: number; name: string; isStandard: boolean }[] {
        return [...this.known].map(([pad, { id, mapping }]) => ({
            pad,
            name: id,
            isStandard: mapping === "standard",
        }));
    }

    isStandard(pad: number): boolean {
        return this.known.get(pad)?.mapping === "standard";
    }

    /** What a pad makes its player do: nothing unless its layout is the standard one. */
    sticks(pad: PluggedPad): Sticks {
        return this.isStandard(pad.index)
            ? this.known.get(pad.index)!.gate.pass(padSticks(pad))
            : ZERO;
    }

    /** What is held now counts only once it is pressed anew. */
    close(): void {
        this.known.forEach(({ gate }) => gate.close());
    }
}

/** Which pad drives which player: the first free one when it appears, until somebody says otherwise. */
export class PadSeats {
    private readonly seats = new Map<number, number>();

    player(pad: number): number {
        return this.seats.get(pad) ?? 0;
    }

    seat(pad: number, player: number): void {
        this.seats.set(pad, player);
    }

    /** Takes the first of `players` that no other pad has; 0 if there is none. */
    arrive(pad: number, players: readonly number[]): number {
        const taken = new Set(this.seats.values());
        const player = players.find((candidate) => !taken.has(candidate)) ?? 0;
        this.seats.set(pad, player);
        return player;
    }

    leave(pad: number): void {
        this.seats.delete(pad);
    }

    pads(): number[] {
        return [...this.seats.keys()];
    }
}
