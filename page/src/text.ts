// Numbers as people read them.
import { t } from "./messages.ts";

/** m:ss of what is left; 0:00 only when nothing is. */
export function clock(seconds: number): string {
    const left = Math.max(0, Math.ceil(seconds - 1e-6));
    return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

export function milliseconds(value: number | null): string {
    return value === null ? t("word.unknown") : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** A heading within 0..360 degrees. */
export function degrees(radians: number): string {
    const turn = (((radians * 180) / Math.PI) % 360 + 360) % 360;
    return `${Math.round(turn) % 360}°`;
}

export function metres(value: number): string {
    return `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}

export function signed(value: number, digits: number): string {
    return `${value < -0.5 * 10 ** -digits ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
}
