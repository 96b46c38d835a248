// What the page calls out over the picture: what to press next, three-two-one, and the result.
import { button, el, setClass, setText } from "../dom.ts";
import { t } from "../messages.ts";
import type { Alliance } from "./match_events.ts";

const DIGIT_MS = 900;

export interface Prompt {
    /** Large. */
    title: string;
    /** Below it; {key} of the title's sentence is already in it. */
    note: string;
}

export class Call {
    readonly root = el("section", "call");
    private readonly prompt = el("p", "prompt hidden");
    private readonly title = el("b");
    private readonly note = el("span");
    private readonly digit = el("p", "digit hidden");
    private timer = 0;

    constructor() {
        this.prompt.append(this.title, this.note);
        this.root.append(this.digit, this.prompt);
        this.digit.setAttribute("aria-hidden", "true"); // the live region says it
    }

    show(prompt: Prompt | null): void {
        setClass(this.prompt, "hidden", prompt === null);
        setText(this.title, prompt?.title ?? "");
        setText(this.note, prompt?.note ?? "");
    }

    /** A number, or a word, for a moment in the middle of the picture. */
    flash(text: string): void {
        clearTimeout(this.timer);
        setText(this.digit, text);
        this.digit.classList.remove("hidden", "in");
        void this.digit.offsetWidth; // or the animation would not begin anew
        this.digit.classList.add("in");
        this.timer = window.setTimeout(() => this.clear(), DIGIT_MS);
    }

    clear(): void {
        clearTimeout(this.timer);
        setClass(this.digit, "hidden", true);
    }
}

export interface Result {
    blue: number;
    red: number;
    /** Player, name, alliance, balls; most first. */
    rows: { player: number; name: string; alliance: Alliance | ""; balls: number }[];
    canReset: boolean;
}

export function winner(blue: number, red: number): string {
    return t(blue > red ? "result.blue" : red > blue ? "result.red" : "result.tie");
}

/** The end of a match: who won, who brought how many balls, and what to do next. */
export class ResultCard {
    readonly root = el("section", "panel result hidden");

    /** `again` resets the match, `watch` shows it once more. */
    constructor(
        private readonly again: () => void,
        private readonly watch: () => void,
    ) {
        this.root.setAttribute("aria-label", t("result.title"));
    }

    hide(): void {
        setClass(this.root, "hidden", true);
    }

    show(result: Result): void {
        const { blue, red } = result;
        const score = (side: Alliance, value: number): HTMLElement =>
            el(
                "span",
                `score ${side}`,
                el("small", "", t(`alliance.${side}`)),
                el("b", "", String(value)),
            );
        const seen = result.rows.reduce((sum, row) => sum + row.balls, 0);
        const list = el(
            "ul",
            "balls",
            ...result.rows
                .filter((row) => row.balls > 0)
                .map((row) =>
                    el(
                        "li",
                        row.alliance,
                        el("b", "", String(row.player)),
                        el("span", "", row.name),
                        el("span", "count", String(row.balls)),
                    ),
                ),
        );
        if (blue + red > seen) {
            list.append(
                el(
                    "li",
                    "",
                    el("b"),
                    el("span", "", t("result.unseen")),
                    el("span", "count", String(blue + red - seen)),
                ),
            );
        }
        const actions = el(
            "div",
            "actions",
            button("watch", t("again.tool"), t("again.tool"), this.watch),
            button("close-card", t("result.close"), t("result.close"), () => this.hide()),
        );
        if (result.canReset) {
            actions.prepend(
                button(
                    "again",
                    t("result.again"),
                    t("result.againTitle", { key: "R" }),
                    this.again,
                ),
            );
        }
        this.root.replaceChildren(
            el("h2", blue > red ? "blue" : red > blue ? "red" : "", winner(blue, red)),
            el("p", "final", score("blue", blue), score("red", red)),
            el("h3", "", t("result.balls")),
            blue + red === 0 ? el("p", "none", t("result.none")) : list,
            actions,
        );
        setClass(this.root, "hidden", false);
    }
}
