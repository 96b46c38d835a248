// Times and gaps of the race against earlier runs, as texts, and the order of the record board.
import type { Phantom } from "../net/protocol.ts";

/** "1:02.34", "8.41" */
export function clock(seconds: number): string {
    const hundredths = Math.round(seconds * 100);
    const minutes = Math.floor(hundredths / 6000);
    const rest = ((hundredths % 6000) / 100).toFixed(2);
    return minutes > 0 ? `${minutes}:${rest.padStart(5, "0")}` : rest;
}

/** "+0.31", "−1.20" */
export function gap(value: number): string {
    const text = Math.abs(value).toFixed(2);
    return Number(text) === 0 ? `±${text}` : value > 0 ? `+${text}` : `−${text}`;
}

export function best(laps: readonly number[]): number | null {
    return laps.length > 0 ? Math.min(...laps) : null;
}

/** The indices of runs, the fastest lap first; runs without one last, in their order. */
export function ranking(phantoms: readonly Phantom[]): number[] {
    const key = (index: number): number => best(phantoms[index]!.laps) ?? Infinity;
    return phantoms
        .map((_, index) => index)
        .toSorted((a, b) => (key(a) === key(b) ? a - b : key(a) - key(b)));
}
