// From a stick that leaves zero to the first state that shows another drive speed of that robot.
import { drives, type Sticks } from "./sticks.ts";

const GIVE_UP_MS = 1000;
const KEPT = 15;

export function median(values: readonly number[]): number | null {
    if (values.length === 0) {
        return null;
    }
    const sorted = values.toSorted((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export class LatencyMeter {
    private readonly waiting = new Map<number, { since: number; speeds: readonly number[] }>();
    private readonly samples: number[] = [];
    private readonly speeds = new Map<number, readonly number[]>();

    sent(player: number, sticks: Sticks, before: Sticks, now: number): void {
        if (!drives(sticks)) {
            this.waiting.delete(player); // let go before anything was seen
        } else if (!drives(before)) {
            this.waiting.set(player, { since: now, speeds: this.speeds.get(player) ?? [] });
        }
    }

    /** The commanded drive speeds of a player's robot, as a state just brought them. */
    seen(player: number, speeds: readonly number[], now: number): void {
        this.speeds.set(player, speeds);
        const wait = this.waiting.get(player);
        if (wait === undefined) {
            return;
        }
        const moved = speeds.some((speed, i) => speed !== (wait.speeds[i] ?? 0));
        if (moved) {
            this.samples.push(now - wait.since);
            if (this.samples.length > KEPT) {
                this.samples.shift();
            }
        }
        if (moved || now - wait.since > GIVE_UP_MS) {
            this.waiting.delete(player);
        }
    }

    forget(): void {
        this.waiting.clear();
        this.speeds.clear();
    }

    medianMs(): number | null {
        return median(this.samples);
    }

    count(): number {
        return this.samples.length;
    }
}
