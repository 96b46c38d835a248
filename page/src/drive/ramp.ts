// What makes a robot drivable on keys: a key is on or off, so the stick that it stands for moves over a fifth of a second,
// gently at first. Shift limits it. The simulator and gamepads are not changed.
import { equal, FULL, type Sticks } from "./sticks.ts";

// From rest to full deflection, and back: letting go stops sooner than pressing starts.
const RISE_MS = 220;
const FALL_MS = 90;

// A press shows at once: the stick jumps to this share of its way.
const FIRST = 0.25;

// Sticks change at most this often, so that a ramp is not a flood of messages.
const STEP_MS = 16;

const SLOW = 0.4;

// Turning at full speed is too fast to aim.
const TURN = 0.75;

const AXES = ["lx", "ly", "rx", "ry"] as const;

export interface RampOptions {
    /** Share of the full stick, 0.3 .. 1. */
    sensitivity: number;
    slow: boolean;
}

/** Share of the deflection for a share of the way: gentle near the middle, full at the end. */
export function curve(way: number): number {
    return Math.sign(way) * (0.4 * Math.abs(way) + 0.6 * way * way);
}

/** Where a share of the way is after `ms`, on its way to -1, 0 or 1. */
export function approach(way: number, goal: number, ms: number): number {
    if (way * goal < 0) {
        way = 0; // the other direction begins at rest
    }
    if (goal === 0) {
        return Math.sign(way) * Math.max(0, Math.abs(way) - ms / FALL_MS);
    }
    return Math.sign(goal) * Math.min(1, Math.max(FIRST, Math.abs(way) + ms / RISE_MS));
}

export class KeyRamp {
    private readonly way = { lx: 0, ly: 0, rx: 0, ry: 0 };
    private steppedMs: number | null = null;
    private shown: Sticks | null = null;

    /** The sticks for the keys that are down now; null while nothing has changed that is worth a message. */
    step(keys: Sticks, options: RampOptions, nowMs: number, isNews: boolean): Sticks | null {
        const elapsed = Math.min(nowMs - (this.steppedMs ?? nowMs), 100);
        if (!isNews && this.steppedMs !== null && elapsed < STEP_MS) {
            return null;
        }
        this.steppedMs = nowMs;
        const limit = Math.min(Math.max(options.sensitivity, 0.3), 1) * (options.slow ? SLOW : 1);
        const sticks = { ...keys };
        for (const axis of AXES) {
            this.way[axis] = approach(this.way[axis], Math.sign(keys[axis]), elapsed);
            const most = axis === "lx" || axis === "rx" ? TURN : 1;
            sticks[axis] = Math.round(curve(this.way[axis]) * limit * most * FULL);
        }
        const isSame = this.shown !== null && equal(sticks, this.shown);
        this.shown = sticks;
        return isSame && !isNews ? null : sticks;
    }

    /** All keys were let go of at once: the window lost the focus. */
    clear(): void {
        AXES.forEach((axis) => (this.way[axis] = 0));
        this.shown = null;
    }
}
