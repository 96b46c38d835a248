// The page's settings, below the help.
import { el } from "../dom.ts";
import { t, type MessageKey } from "../messages.ts";
import { LANGUAGES, type Settings } from "../settings.ts";
import type { Store } from "../store.ts";

const LANGUAGE_NAMES = { en: "English", es: "Español" } as const;

function choice<T extends string>(
    label: string,
    values: readonly (readonly [T, string])[],
    now: T,
    chosen: (value: T) => void,
): HTMLElement {
    const select = el("select");
    select.append(
        ...values.map(([value, text]) => new Option(text, value, value === now, value === now)),
    );
    select.addEventListener("change", () => chosen(select.value as T));
    return el("label", "", label, select);
}

export function settingsPanel(store: Store): HTMLElement {
    const { settings } = store;
    const changed = (change: Partial<Settings>): void => store.choose(change);
    const themes = (["auto", "dark", "light"] as const).map(
        (theme) => [theme, t(`settings.${theme}` satisfies MessageKey)] as const,
    );
    const range = el("input");
    range.type = "range";
    range.min = "0.3";
    range.max = "1";
    range.step = "0.05";
    range.value = String(settings.sensitivity);
    range.addEventListener("input", () => changed({ sensitivity: Number(range.value) }));
    return el(
        "div",
        "settings-part",
        el("h3", "", t("settings.title")),
        el(
            "div",
            "settings",
            choice(
                t("settings.language"),
                LANGUAGES.map((code) => [code, LANGUAGE_NAMES[code]] as const),
                settings.language,
                (language) => changed({ language }),
            ),
            choice(t("settings.theme"), themes, settings.theme, (theme) => changed({ theme })),
            choice(
                t("settings.sound"),
                [
                    ["on", t("robot.on")],
                    ["off", t("robot.off")],
                ] as const,
                settings.muted ? "off" : "on",
                (sound) => changed({ muted: sound === "off" }),
            ),
            el("label", "", t("settings.sensitivity"), range),
        ),
    );
}
