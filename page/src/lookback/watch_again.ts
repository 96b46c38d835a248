// Shows what the page has received once more: the same time line as that of a recording, fed from the browser's own memory.
import type { Replay, State } from "../net/protocol.ts";
import type { History } from "./history.ts";

/** Knows no browser and no clock: `step` is told the time. */
export class WatchAgain {
    isOn = false;
    private at = 0;
    private pace = 0;
    private steppedMs = 0;
    /** The simulation's time at the time line's begin. */
    startT = 0;
    private length = 0;

    constructor(
        private readonly history: History,
        private readonly show: (state: State) => void,
    ) {}

    /** Begins at the start of the last match, else of what is kept. Returns what the time line shows. */
    open(nowMs: number): Replay {
        this.isOn = true;
        this.startT = this.history.start;
        this.length = Math.max(0, this.history.end - this.startT);
        this.at = Math.max(0, (this.history.matchStart ?? this.startT) - this.startT);
        this.pace = 1;
        this.steppedMs = nowMs;
        return {
            from: 0,
            to: this.length,
            events: this.history.events
                .map((event) => ({ ...event, t: event.t - this.startT }))
                .filter(({ t }) => t >= 0 && t <= this.length),
            leftOut: this.history.leftOut,
            outliers: 0,
        };
    }

    close(): void {
        this.isOn = false;
    }

    /** What the time line asks for, as it asks a server (docs/spec/page.md). */
    obey(text: string, nowMs: number): void {
        const [, verb, value] = text.split(" ");
        if (verb === "seek") {
            this.at = Math.min(Number(value) / 1000, this.length);
        } else if (verb === "pace") {
            this.pace = Number(value) / 1000;
            this.at = this.pace > 0 && this.at >= this.length ? 0 : this.at;
        }
        this.step(nowMs);
    }

    /** Call often while it is on. */
    step(nowMs: number): void {
        this.at += (this.pace * (nowMs - this.steppedMs)) / 1000;
        this.steppedMs = nowMs;
        if (this.at >= this.length) {
            this.at = this.length;
            this.pace = 0;
        }
        const state = this.history.at(this.startT + this.at);
        if (state !== null) {
            this.show({ ...state, t: nowMs / 1000, replay: { at: this.at, pace: this.pace } });
        }
    }

    /** The simulation's time that is shown. */
    get shownT(): number {
        return this.startT + this.at;
    }
}
