// Numbers as people read them.
import { t } from "./messages.ts";

/** m:ss of what is left; 0:00 only when nothing is. */
export function clock(seconds: number): string {
    const left = Math.max(0, Math.ceil(seconds - 1e-6));
    return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
}

export function milliseconds(value: number | null): string {
    return value === null
        ? t("word.unknown")
        : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

/** A heading within 0..360 degrees. */
export function degrees(radians: number): string {
    const turn = ((((radians * 180) / Math.PI) % 360) + 360) % 360;
    return `${Math.round(turn) % 360}°`;
}

export function metres(value: number): string {
    return `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}

export function signed(value: number, digits: number): string {
    return `${value < -0.5 * 10 ** -digits ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
}

// Control characters, marks of direction, what is not seen. The program refuses them in names (src/view/person.c).
const UNSEEN =
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{FFF0}-\u{FFFF}]/gu;

/** A text that somebody else wrote, without what would not be seen or would turn its neighbours round; at most so many characters. */
export function visible(text: string, most: number): string {
    return [...text.replace(UNSEEN, "").trim()].slice(0, most).join("");
}

/** A letter, a digit, a sign: what shows by itself. The last ones are signs without ink. */
const SHOWN =
    /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{M}\p{C}\u2800\u{13441}\u{13442}\u{1D159}]/u;

export function shows(text: string): boolean {
    return SHOWN.test(text);
}

const QUOTED_CHARACTERS = 48;

/** Such a text in quotation marks, none of which it has itself. */
export function quoted(text: string): string {
    const seen = visible(text, QUOTED_CHARACTERS + 1).replace(/[“”]/g, '"');
    return `“${[...seen].length > QUOTED_CHARACTERS ? `${[...seen].slice(0, QUOTED_CHARACTERS).join("")}…` : seen}”`;
}
