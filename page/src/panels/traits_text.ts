// What sets a robot apart from its type, in lines that people read. Knows no browser.
import { type MessageKey, t } from "../messages.ts";
import type { Traits } from "../net/protocol.ts";

/** "+2.8 %" of a factor; "±0.0 %" of one that changes nothing. */
export function percent(factor: number): string {
    const tenths = Math.round((factor - 1) * 1000);
    return `${tenths === 0 ? "±" : tenths > 0 ? "+" : "−"}${(Math.abs(tenths) / 10).toFixed(1)} %`;
}

function degreesPerSecond(value: number): string {
    return `${((value * 180) / Math.PI).toFixed(3).replace("-", "−")} °/s`;
}

function battery({ volts, ohm, capacity }: Traits): string {
    const parts: [number, string][] = [
        [volts, `${volts.toFixed(2)} V`],
        [ohm, `${ohm.toFixed(2)} Ω`],
        [capacity, `${capacity.toFixed(1)} Ah`],
    ];
    return parts
        .filter(([value]) => value > 0)
        .map(([, shown]) => shown)
        .join("  ");
}

/** Label and text of each difference, left before right; none for an ideal robot. */
export function traitRows(traits: Traits): [MessageKey, string][] {
    const pair = (values: number[], ideal: number, show: (value: number) => string): string =>
        values.some((value) => value !== ideal) ? values.map(show).join("  ") : "";
    const one = (value: number, ideal: number, show: (value: number) => string): string =>
        value === ideal ? "" : show(value);
    const share = (value: number): string => value.toFixed(2);
    const rows: [MessageKey, string][] = [
        ["traits.speed", pair(traits.speed, 1, percent)],
        ["traits.strength", pair(traits.strength, 1, percent)],
        ["traits.friction", pair(traits.friction, 1, percent)],
        ["traits.breakaway", one(traits.breakaway, 0, (value) => percent(1 + value))],
        ["traits.wheels", pair(traits.wheelSize, 1, percent)],
        ["traits.track", one(traits.track, 1, percent)],
        ["traits.mass", one(traits.mass, 1, percent)],
        ["traits.battery", battery(traits)],
        ["traits.white", pair(traits.white, 0, share)],
        ["traits.black", pair(traits.black, 1, share)],
        ["traits.gyro", one(traits.gyroScale, 1, percent)],
        ["traits.drift", one(traits.gyroBias, 0, degreesPerSecond)],
        ["traits.warmUp", one(traits.gyroWarmUp, 0, degreesPerSecond)],
        ["traits.echoes", traits.echoes > 0 ? t("traits.someEchoes") : ""],
        [
            "traits.spikes",
            one(traits.spikes, 0, (value) =>
                t("traits.everySeconds", { seconds: (1 / value).toFixed(0) }),
            ),
        ],
        [
            "traits.azimuthPlay",
            one(traits.azimuthPlay, 0, (value) => `${((value * 180) / Math.PI).toFixed(1)}°`),
        ],
    ];
    return rows.filter(([, shown]) => shown !== "");
}
