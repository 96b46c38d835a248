// A player's controller: what every source (keys, pads, screen) makes and what travels to the server.

/** Full deflection of an axis and of a trigger, as on the wire. */
export const FULL = 512;

export const BUTTONS = [
    "up",
    "down",
    "left",
    "right",
    "leftBumper",
    "rightBumper",
    "a",
    "b",
    "x",
    "y",
    "back",
    "start",
    "guide",
] as const;
export type Button = (typeof BUTTONS)[number];

/** Axes -512..512, x to the right, y up; triggers 0..512; `buttons` is a set of bits, see bit(). */
export interface Sticks {
    readonly lx: number;
    readonly ly: number;
    readonly rx: number;
    readonly ry: number;
    readonly lt: number;
    readonly rt: number;
    readonly buttons: number;
}

export const ZERO: Sticks = { lx: 0, ly: 0, rx: 0, ry: 0, lt: 0, rt: 0, buttons: 0 };

export function bit(button: Button): number {
    return 1 << BUTTONS.indexOf(button);
}

export function equal(a: Sticks, b: Sticks): boolean {
    return (
        a.lx === b.lx &&
        a.ly === b.ly &&
        a.rx === b.rx &&
        a.ry === b.ry &&
        a.lt === b.lt &&
        a.rt === b.rt &&
        a.buttons === b.buttons
    );
}

function axis(value: number): number {
    return Math.round(Math.max(-FULL, Math.min(FULL, value)));
}

/** Several sources that drive one player: axes add up, the farther trigger and every button count. */
export function combine(sources: Iterable<Sticks>): Sticks {
    let { lx, ly, rx, ry, lt, rt, buttons } = ZERO;
    for (const s of sources) {
        lx += s.lx;
        ly += s.ly;
        rx += s.rx;
        ry += s.ry;
        lt = Math.max(lt, s.lt);
        rt = Math.max(rt, s.rt);
        buttons |= s.buttons;
    }
    return { lx: axis(lx), ly: axis(ly), rx: axis(rx), ry: axis(ry), lt, rt, buttons };
}

/** Whether the robot is told to drive. */
export function drives(s: Sticks): boolean {
    return s.lx !== 0 || s.ly !== 0 || s.rx !== 0 || s.ry !== 0;
}

/** The JSON of joystick -> core (docs/spec/icd.md). */
export function encode(s: Sticks): string {
    const on = (button: Button): number => ((s.buttons & bit(button)) !== 0 ? 1 : 0);
    return JSON.stringify({
        leftJoystick: [s.lx, s.ly],
        rightJoystick: [s.rx, s.ry],
        dpad: [on("up"), on("down"), on("left"), on("right")],
        leftTrigger: s.lt,
        rightTrigger: s.rt,
        leftBumper: on("leftBumper"),
        rightBumper: on("rightBumper"),
        a: on("a"),
        b: on("b"),
        x: on("x"),
        y: on("y"),
        back: on("back"),
        start: on("start"),
        guide: on("guide"),
    });
}
