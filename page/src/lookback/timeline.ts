// A recording's time line: play, pause, step, pace, and marks of what happened, to jump to.
import { button, el, setLabel, setStyle, setText } from "../dom.ts";
import { t, type MessageKey } from "../messages.ts";
import type { Replay, ReplayEvent } from "../net/protocol.ts";
import type { Panel } from "../panels/panel.ts";
import type { Store } from "../store.ts";
import type { PageMessage } from "../net/wire.ts";

const PACES = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const STEP_S = 0.02;
// What the pointer has chosen stays until the server has had time to show it.
const HOLD_MS = 300;
// An event that is nearer than this is the present one: the next jump goes on from it.
const NEAR_S = 0.05;

const KINDS: Record<string, MessageKey> = {
    enable: "replay.enable",
    disable: "replay.disable",
    score_blue: "replay.scoreBlue",
    score_red: "replay.scoreRed",
    contact: "replay.contact",
    start: "replay.start",
    end: "replay.end",
    watchdog: "replay.watchdog",
};

function option(value: string, text: string): HTMLOptionElement {
    const made = el("option", "", text);
    made.value = value;
    return made;
}

function nameOf(kind: string): string {
    return t(KINDS[kind] ?? "replay.event");
}

const NO_REPLAY: Replay = { from: 0, to: 0, events: [], leftOut: 0, outliers: 0 };

export class Timeline implements Panel {
    readonly root = el("section", "panel timeline");
    private readonly play = button("go", "▶", t("replay.play"), () => this.toggle());
    private readonly slider = el("input", "moment");
    private readonly marks = el("div", "marks");
    private readonly clock = el("output", "clock");
    private readonly outliers = el("output", "outliers");
    private readonly pace = el("select", "pace");
    /** Which events are marked and jumped to: a kind, or all of them. */
    private readonly kind = el("select", "kind");
    private replay: Replay = NO_REPLAY;
    private robots: readonly string[] = [];
    private at = 0;
    private isPlaying = false;
    private heldMs = -Infinity;

    /** `extra`: more at its end. */
    constructor(
        private readonly store: Store,
        private readonly send: (text: PageMessage) => void,
        extra: HTMLElement,
    ) {
        this.slider.type = "range";
        this.slider.step = "any";
        setLabel(this.slider, t("replay.moment"));
        this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
        for (const value of PACES) {
            this.pace.append(option(String(value), `${value} ×`));
        }
        this.pace.value = "1";
        setLabel(this.pace, t("replay.pace"));
        this.pace.addEventListener("change", () =>
            this.setPace(this.isPlaying ? Number(this.pace.value) : 0),
        );
        setLabel(this.kind, t("replay.kind"));
        this.kind.addEventListener("change", () => this.showMarks());
        this.root.setAttribute("aria-label", t("replay.label"));
        this.root.append(
            button("", "|◀", t("replay.previous"), () => this.jump(-1)),
            button("", "−", t("replay.back"), () => this.step(-STEP_S)),
            this.play,
            button("", "+", t("replay.forward"), () => this.step(STEP_S)),
            button("", "▶|", t("replay.next"), () => this.jump(1)),
            this.kind,
            el("div", "rail", this.slider, this.marks),
            this.clock,
            this.outliers,
            this.pace,
            extra,
        );
    }

    update(): void {
        const replay = this.store.replay ?? NO_REPLAY;
        if (replay !== this.replay) {
            this.setReplay(replay);
        }
    }

    private setReplay(replay: Replay): void {
        this.replay = replay;
        this.robots = this.store.seats.robots.map((robot) => robot.name);
        this.slider.min = String(this.replay.from);
        this.slider.max = String(this.replay.to);
        const { events, leftOut } = this.replay;
        const kinds = Object.keys(KINDS).filter((kind) =>
            events.some((event) => event.kind === kind),
        );
        this.kind.replaceChildren(
            option(
                "",
                t(leftOut > 0 ? "replay.someEvents" : "replay.allEvents", {
                    count: events.length,
                    all: events.length + leftOut,
                }),
            ),
            ...kinds.map((kind) => {
                const count = events.filter((event) => event.kind === kind).length;
                return option(
                    kind,
                    t(leftOut > 0 ? "replay.someOfKind" : "replay.allOfKind", {
                        kind: nameOf(kind),
                        count,
                    }),
                );
            }),
        );
        const count = this.replay.outliers;
        setText(this.outliers, count > 0 ? t("replay.outliers", { count }) : "");
        this.outliers.title = count > 0 ? t("replay.outliersHelp") : "";
        this.showMarks();
    }

    /** The events of the chosen kind, in the order of time. */
    private get chosen(): ReplayEvent[] {
        const kind = this.kind.value;
        return this.replay.events.filter((event) => kind === "" || event.kind === kind);
    }

    private showMarks(): void {
        this.marks.replaceChildren(...this.chosen.map((event) => this.mark(event)));
    }

    /** The server shows this moment. */
    show(at: number, pace: number, nowMs: number): void {
        this.isPlaying = pace > 0;
        setText(this.play, this.isPlaying ? "❚❚" : "▶");
        setLabel(this.play, t(this.isPlaying ? "replay.pause" : "replay.play"));
        if (this.isPlaying && this.pace.value !== String(pace) && PACES.includes(pace)) {
            this.pace.value = String(pace);
        }
        if (nowMs - this.heldMs > HOLD_MS) {
            this.at = at;
            this.slider.value = String(at);
        }
        setText(this.clock, `${this.at.toFixed(2)} / ${this.replay.to.toFixed(2)} s`);
    }

    private describe({ t: at, kind, robot }: ReplayEvent): string {
        const name = this.robots.length > 1 ? (this.robots[robot - 1] ?? "") : "";
        return `${at.toFixed(2)} s: ${nameOf(kind)}${name === "" ? "" : ` (${name})`}`;
    }

    private mark(event: ReplayEvent): HTMLElement {
        const { from, to } = this.replay;
        const mark = el("i", `mark ${event.kind}`);
        setStyle(
            mark,
            "inset-inline-start",
            `${((100 * (event.t - from)) / Math.max(to - from, 1e-3)).toFixed(3)}%`,
        );
        mark.title = this.describe(event);
        mark.addEventListener("click", () => this.seek(event.t));
        return mark;
    }

    private seek(to: number): void {
        this.at = Math.min(Math.max(this.replay.from, to), this.replay.to);
        this.heldMs = performance.now();
        this.slider.value = String(this.at);
        this.send(`replay seek ${Math.round(this.at * 1000)}`);
    }

    private setPace(pace: number): void {
        this.send(`replay pace ${Math.round(pace * 1000)}`);
    }

    private toggle(): void {
        this.setPace(this.isPlaying ? 0 : Number(this.pace.value));
    }

    private step(by: number): void {
        this.setPace(0);
        this.seek(this.at + by);
    }

    /** Enter or Space plays and pauses, an arrow goes one step, with Shift to an event. True: it was one of these. */
    key({ code, shiftKey, repeat }: KeyboardEvent): boolean {
        const direction = code === "ArrowLeft" ? -1 : code === "ArrowRight" ? 1 : 0;
        if (
            this.store.replay === null ||
            (direction === 0 && code !== "Enter" && code !== "Space")
        ) {
            return false;
        }
        if (direction !== 0 && shiftKey) {
            this.jump(direction);
        } else if (direction !== 0) {
            this.step(direction * STEP_S);
        } else if (!repeat) {
            this.toggle();
        }
        return true;
    }

    private jump(direction: 1 | -1): void {
        const times = this.chosen.map((event) => event.t);
        const next =
            direction > 0
                ? times.find((time) => time > this.at + NEAR_S)
                : times.findLast((time) => time < this.at - NEAR_S);
        this.seek(next ?? (direction > 0 ? this.replay.to : this.replay.from));
    }
}
