// What a person has chosen for this browser: kept where the browser allows it, forgotten where not.
import type { Language } from "./messages.ts";
import { cleanName } from "./panels/share_links.ts";

export interface Settings {
    language: Language;
    theme: "auto" | "dark" | "light";
    muted: boolean;
    /** Share of the full stick that keys give. */
    sensitivity: number;
    /** The first-run card was seen. */
    welcomed: boolean;
    /** What others call the person at this page; "": no name. */
    name: string;
}

export const LANGUAGES: readonly Language[] = ["en", "es"];
const THEMES = ["auto", "dark", "light"] as const;
const KEY = "halyard";

/** The first of a person's languages that the page speaks. */
export function languageOf(wanted: readonly string[]): Language {
    for (const tag of wanted) {
        const found = LANGUAGES.find((language) => tag.toLowerCase().split("-")[0] === language);
        if (found !== undefined) {
            return found;
        }
    }
    return "en";
}

/** Settings out of what was kept, whatever that is. */
export function parseSettings(text: string | null, languages: readonly string[]): Settings {
    let kept: Partial<Record<keyof Settings, unknown>> = {};
    try {
        const value: unknown = JSON.parse(text ?? "{}");
        kept = typeof value === "object" && value !== null ? value : {};
    } catch {
        // not ours
    }
    const sensitivity =
        typeof kept.sensitivity === "number" && Number.isFinite(kept.sensitivity)
            ? kept.sensitivity
            : 1;
    return {
        language: LANGUAGES.find((language) => language === kept.language) ?? languageOf(languages),
        theme: THEMES.find((theme) => theme === kept.theme) ?? "auto",
        muted: kept.muted === true,
        sensitivity: Math.min(1, Math.max(0.3, sensitivity)),
        welcomed: kept.welcomed === true,
        name: typeof kept.name === "string" ? cleanName(kept.name) : "",
    };
}

export function loadSettings(): Settings {
    try {
        return parseSettings(localStorage.getItem(KEY), navigator.languages);
    } catch {
        return parseSettings(null, navigator.languages);
    }
}

export function saveSettings(settings: Settings): void {
    try {
        localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
        // a private window, or no room: this time only
    }
}
