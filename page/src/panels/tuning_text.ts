// Numbers of a robot program as texts, and within their limits. Knows no browser.
import type { Tunable } from "../net/protocol.ts";

/** At most six digits behind the point, as the program sends them. */
export function shownNumber(value: number): string {
    return String(Number(value.toFixed(6)));
}

export function limited(value: number, { low, high }: Pick<Tunable, "low" | "high">): number {
    return Math.min(Math.max(value, low ?? -Infinity), high ?? Infinity);
}

/** Of a slider: a power of ten times 1, 2 or 5, about the 200th part of its range; null: a number without two limits has no slider. */
export function stepOf({ low, high }: Pick<Tunable, "low" | "high">): number | null {
    if (low === null || high === null || high <= low) {
        return null;
    }
    const wanted = (high - low) / 200;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const times = [5, 2, 1].find((n) => n * power <= wanted * 1.0001) ?? 1;
    return Number((times * power).toPrecision(1));
}
