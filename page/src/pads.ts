// Gamepads as the browser shows them (the "standard" layout of the Gamepad API).
import { bit, FULL, type Button, type Sticks } from "./sticks.ts";

/** What is read of a Gamepad; tests make their own. */
export interface PadLike {
    readonly axes: readonly number[];
    readonly buttons: readonly { readonly pressed: boolean; readonly value: number }[];
}

// A stick at rest is rarely at zero.
const DEAD = 0.1;

const PAD_BUTTONS: (Button | null)[] = [
    "a", "b", "x", "y", "leftBumper", "rightBumper", null, null, "back", "start", null, null,
    "up", "down", "left", "right", "guide",
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
    const button = pad.buttons[index];
    return button === undefined ? 0 : Math.round(Math.max(button.value, button.pressed ? 0.01 : 0) * FULL);
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
 * Keeps back what a gamepad already held when the page lost the focus or its connection: each axis until it was at rest once,
 * each button until it was released.
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
