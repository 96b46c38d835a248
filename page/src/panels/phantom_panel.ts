// The race against earlier runs: the gap to each of them, lap times, and the record board of this world.
import { el, setClass, setText } from "../dom.ts";
import { t } from "../messages.ts";
import { best, clock, gap, ranking } from "./phantom_text.ts";
import type { Phantom, PhantomState } from "../net/protocol.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
import { phantomColor } from "../scene/palette.ts";

function shown(value: number | null | undefined): string {
    return typeof value === "number" ? gap(value) : "–";
}

interface Row {
    index: number;
    root: HTMLElement;
    gap: HTMLElement;
    metres: HTMLElement;
    split: HTMLElement;
}

export class PhantomPanel implements Panel {
    readonly root = el("section", "panel phantoms hidden");
    private readonly run = el("p", "run");
    private readonly laps = el("p", "laps");
    private readonly body = el("tbody");
    private rows: Row[] = [];
    private phantoms: readonly Phantom[] = [];

    constructor(private readonly store: Store) {
        const heads = [
            "phantom.name",
            "phantom.lap",
            "phantom.gap",
            "phantom.metres",
            "phantom.split",
        ] as const;
        const head = el(
            "tr",
            "",
            ...heads.map((key) => {
                const cell = el("th", "", t(key));
                cell.scope = "col";
                return cell;
            }),
        );
        this.root.setAttribute("aria-label", t("phantom.label"));
        this.root.append(
            el("h2", "", t("phantom.label")),
            el("table", "", el("thead", "", head), this.body),
            this.run,
            this.laps,
        );
    }

    private setPhantoms(phantoms: readonly Phantom[]): void {
        this.phantoms = phantoms;
        setClass(this.root, "hidden", phantoms.length === 0);
        this.rows = ranking(phantoms).map((index) => this.row(index));
        this.body.replaceChildren(...this.rows.map((row) => row.root));
    }

    private row(index: number): Row {
        const phantom = this.phantoms[index]!;
        const mark = el("i", "mark");
        mark.style.setProperty(
            "background",
            `#${phantomColor(index).toString(16).padStart(6, "0")}`,
        );
        const name = el("th", "", mark, phantom.name);
        name.scope = "row";
        name.title = t("phantom.facts", {
            seconds: clock(phantom.length),
            metres: phantom.driven.toFixed(1),
            laps: phantom.laps.length,
        });
        const lap = best(phantom.laps);
        const cells = { gap: el("td", "gap"), metres: el("td"), split: el("td") };
        return {
            index,
            ...cells,
            root: el(
                "tr",
                "",
                name,
                el("td", "", lap === null ? "–" : clock(lap)),
                cells.gap,
                cells.metres,
                cells.split,
            ),
        };
    }

    update(): void {
        const { scene, shown: state } = this.store;
        if (scene !== null && scene.phantoms !== this.phantoms) {
            this.setPhantoms(scene.phantoms);
        }
        if (this.phantoms.length === 0 || state === null) {
            return;
        }
        this.rows.forEach((row) => this.showRow(row, state.phantoms[row.index]));
        const run = state.run;
        setText(
            this.run,
            run === null ? t("phantom.waiting") : t("phantom.run", { time: clock(run.t) }),
        );
        const own = best(run?.laps ?? []);
        setClass(this.laps, "hidden", own === null);
        if (run !== null && own !== null) {
            const last = run.laps.at(-1)!;
            setText(
                this.laps,
                t("phantom.laps", { count: run.laps.length, last: clock(last), best: clock(own) }),
            );
            setClass(
                this.laps,
                "record",
                this.phantoms.every((phantom) => own < (best(phantom.laps) ?? Infinity)),
            );
        }
    }

    private showRow(row: Row, state: PhantomState | undefined): void {
        const seconds = state?.gap ?? null;
        setText(row.gap, shown(seconds));
        setText(row.metres, shown(state?.gapM));
        setText(row.split, shown(state?.splitGap));
        setClass(row.gap, "ahead", seconds !== null && seconds < 0);
        setClass(row.gap, "behind", seconds !== null && seconds > 0);
    }
}
