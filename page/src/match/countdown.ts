// Three, two, one: between a press of Start and the match.
const STEP_MS = 1000;
const FROM = 3;

export class Countdown {
    private beganMs: number | null = null;
    private last = 0;

    get isRunning(): boolean {
        return this.beganMs !== null;
    }

    begin(nowMs: number): void {
        this.beganMs = nowMs;
        this.last = FROM + 1;
    }

    cancel(): void {
        this.beganMs = null;
    }

    /** A number when it is new, "go" once at the end; else null. Call often. */
    step(nowMs: number): number | "go" | null {
        if (this.beganMs === null) {
            return null;
        }
        const left = FROM - Math.floor((nowMs - this.beganMs) / STEP_MS);
        if (left <= 0) {
            this.beganMs = null;
            return "go";
        }
        if (left === this.last) {
            return null;
        }
        this.last = left;
        return left;
    }
}
