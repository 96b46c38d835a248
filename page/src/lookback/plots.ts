// The panel with plots: channels over time, several on an axis. Loaded when somebody opens it.
import uPlot from "uplot";
import { button, el, setClass, setLabel, setText } from "../dom.ts";
import { t } from "../messages.ts";
import { csvOf, download, type PlotSource } from "./plot_source.ts";

const LIVE_S = 60;
const SHORTEST_S = 0.1;
const ZOOM = 2;
const SERIES_MAX = 8;
const HEIGHT_PX = 190;
// A pointer that moved less than this between down and up has clicked.
const CLICK_PX = 4;
// Told apart on dark and on light, also without red and green.
const COLORS = {
    dark: ["#ffb454", "#6aa5ff", "#3ddc84", "#ff7a88", "#c792ea", "#5ad1e6", "#f2e058", "#c9d2df"],
    light: ["#8a4b00", "#0b57d0", "#0a7a3e", "#b3142e", "#6b2fa0", "#006b80", "#6b5b00", "#39424e"],
};

type Axis = "left" | "right";

interface Shown {
    name: string;
    axis: Axis;
    chip: HTMLElement;
    value: HTMLElement;
}

export interface PlotEvents {
    /** The cursor of something that can be sought was put there. */
    seek(t: number): void;
    say(text: string): void;
    closed(): void;
}

function figure(value: number | null | undefined): string {
    return value === null || value === undefined || Number.isNaN(value)
        ? "–"
        : String(Number(value.toPrecision(5)));
}

/** The last value up to an index: channels of a recording have times of their own. */
function newest(values: ArrayLike<number | null | undefined>, index: number): number | null {
    for (let i = Math.min(index, values.length - 1); i >= 0; i--) {
        const value = values[i];
        if (value !== null && value !== undefined && !Number.isNaN(value)) {
            return value;
        }
    }
    return null;
}

export class Plots {
    readonly root = el("section", "panel plots");
    private readonly channel = el("input", "channel");
    private readonly list = el("datalist");
    private readonly axis = el("select", "axis");
    private readonly chips = el("ul", "chips");
    private readonly chart = el("div", "chart");
    private readonly empty = el("p", "empty");
    private readonly hold = button("hold", "❚❚", t("plots.hold"), () => this.toggleHold());
    private plot: uPlot | null = null;
    private shown: Shown[] = [];
    private source: PlotSource;
    private isLive = true;
    /** What is shown; null: the last 60 s live, else everything. */
    private window: [number, number] | null = null;
    private at: number | null = null;
    private listed = 0;
    private downX = 0;

    constructor(
        source: PlotSource,
        private readonly events: PlotEvents,
    ) {
        this.source = source;
        this.root.setAttribute("aria-label", t("plots.label"));
        this.list.id = "plot-channels";
        this.channel.setAttribute("list", this.list.id);
        this.channel.placeholder = t("plots.channel");
        this.channel.setAttribute("aria-label", t("plots.channel"));
        this.channel.addEventListener("change", () => this.addChosen());
        this.axis.append(
            new Option(t("plots.left"), "left"),
            new Option(t("plots.right"), "right"),
        );
        this.axis.setAttribute("aria-label", t("plots.axis"));
        this.chart.tabIndex = 0;
        this.chart.setAttribute("role", "slider");
        this.chart.setAttribute("aria-label", t("plots.cursor"));
        this.chart.addEventListener("keydown", (event) => this.keyDown(event));
        this.root.addEventListener("keydown", (event) => event.stopPropagation()); // or they would drive a robot
        this.root.append(
            el(
                "div",
                "bar-of-plots",
                this.channel,
                this.list,
                this.axis,
                button("add", t("plots.add"), t("plots.add"), () => this.addChosen()),
                this.hold,
                button("", "+", t("plots.in"), () => this.zoom(1 / ZOOM)),
                button("", "−", t("plots.out"), () => this.zoom(ZOOM)),
                button("", "↔", t("plots.all"), () => this.showAll()),
                button("csv", "CSV", t("plots.csv"), () => this.save()),
                button("", "×", t("plots.close"), () => this.events.closed()),
            ),
            this.chips,
            this.chart,
            this.empty,
        );
        new ResizeObserver(() => this.resize()).observe(this.chart);
        this.setSource(source, true);
    }

    /** Other values: `isLive` says whether they go on. Channels that are plotted stay if there are such. */
    setSource(source: PlotSource, isLive: boolean): void {
        this.source = source;
        this.isLive = isLive;
        this.window = null;
        this.at = null;
        this.listed = 0;
        setClass(this.hold, "hidden", !isLive);
        setText(this.empty, t(isLive ? "plots.empty" : "plots.emptyReplay"));
        this.update();
    }

    /** Plots a channel; false if there is none of that name. */
    add(name: string, axis: Axis): boolean {
        if (!this.source.names().includes(name)) {
            this.events.say(t("plots.unknown", { name }));
            return false;
        }
        if (this.shown.length === SERIES_MAX) {
            this.events.say(t("plots.full", { count: SERIES_MAX }));
            return false;
        }
        this.shown = this.shown.filter((one) => one.name !== name || this.drop(one));
        const value = el("b");
        const chip = el(
            "li",
            axis,
            el("i", "swatch"),
            el("span", "", name),
            value,
            button("remove", "×", t("plots.remove", { name }), () => this.remove(name)),
        );
        this.shown.push({ name, axis, chip, value });
        this.chips.append(chip);
        this.rebuild();
        return true;
    }

    /** Call when there are other values, at most ten times a second. */
    update(): void {
        this.listNames();
        const [from, to] = this.range();
        const data = this.source.read(
            this.shown.map((one) => one.name),
            from,
            to,
        );
        if (this.plot !== null) {
            this.plot.setData(
                [
                    data.times,
                    ...data.values.map((row) =>
                        row.map((value) => (Number.isNaN(value) ? null : value)),
                    ),
                ],
                false,
            );
            this.plot.setScale("x", { min: from, max: to });
        }
        this.describe();
    }

    /** Where the picture is: in something that can be sought. */
    setMoment(at: number | null): void {
        if (at !== this.at) {
            this.at = at;
            this.plot?.redraw(false);
            this.describe();
        }
    }

    /** After the theme was changed. */
    setTheme(): void {
        this.rebuild();
    }

    // ------------------------------------------------------------------ what is shown

    private range(): [number, number] {
        const [start, end] = this.source.span();
        return (
            this.window ??
            (this.isLive
                ? [Math.max(start, end - LIVE_S), Math.max(end, start + SHORTEST_S)]
                : [start, Math.max(end, start + SHORTEST_S)])
        );
    }

    private listNames(): void {
        const names = this.source.names();
        if (names.length !== this.listed) {
            this.listed = names.length;
            this.list.replaceChildren(...names.map((name) => new Option(name, name)));
        }
    }

    private addChosen(): void {
        const name = this.channel.value.trim();
        if (name !== "" && this.add(name, this.axis.value as Axis)) {
            this.channel.value = "";
        }
    }

    private drop(one: Shown): false {
        one.chip.remove();
        return false;
    }

    private remove(name: string): void {
        this.shown = this.shown.filter((one) => one.name !== name || this.drop(one));
        this.rebuild();
    }

    private save(): void {
        const [from, to] = this.range();
        const names = this.shown.map((one) => one.name);
        download("halyard.csv", "text/csv", csvOf(names, this.source.readAll(names, from, to)));
    }

    // ------------------------------------------------------------------ time

    private toggleHold(): void {
        this.window = this.window === null ? this.range() : null;
        this.showHold();
        this.update();
    }

    private showHold(): void {
        setText(this.hold, this.window === null ? "❚❚" : "▶");
        setLabel(this.hold, t(this.window === null ? "plots.hold" : "plots.follow"));
    }

    private showAll(): void {
        this.setWindow(null);
    }

    private setWindow(range: [number, number] | null): void {
        this.window = range;
        this.showHold();
        this.update();
    }

    private zoom(factor: number): void {
        const [from, to] = this.range();
        const middle = this.cursorTime() ?? (from + to) / 2;
        const width = Math.max(SHORTEST_S, (to - from) * factor);
        const [start, end] = this.source.span();
        if (width >= end - start) {
            this.setWindow(null);
        } else {
            const first = Math.min(
                Math.max(start, middle - (width * (middle - from)) / (to - from)),
                end - width,
            );
            this.setWindow([first, first + width]);
        }
    }

    private cursorTime(): number | null {
        const left = this.plot?.cursor.left ?? -1;
        const [from, to] = this.range();
        if (left >= 0 && this.isLive) {
            return this.plot!.posToVal(left, "x");
        }
        return this.at !== null && this.at >= from && this.at <= to ? this.at : null;
    }

    private keyDown(event: KeyboardEvent): void {
        const [from, to] = this.range();
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (step !== 0) {
            this.putCursor((this.cursorTime() ?? (from + to) / 2) + (step * (to - from)) / 100);
            event.preventDefault();
        } else if (event.key === "+" || event.key === "-") {
            this.zoom(event.key === "+" ? 1 / ZOOM : ZOOM);
        } else if (event.key === "0") {
            this.showAll();
        }
    }

    /** In what can be sought the picture follows the cursor. */
    private putCursor(time: number): void {
        const [start, end] = this.source.span();
        const to = Math.min(Math.max(time, start), end);
        if (!this.isLive) {
            this.events.seek(to);
        } else if (this.plot !== null) {
            this.plot.setCursor({ left: this.plot.valToPos(to, "x"), top: 10 });
        }
    }

    // ------------------------------------------------------------------ the picture

    private rebuild(): void {
        this.plot?.destroy();
        this.plot = null;
        setClass(this.empty, "hidden", this.shown.length > 0);
        setClass(this.chart, "hidden", this.shown.length === 0);
        if (this.shown.length > 0) {
            this.plot = new uPlot(
                this.options(),
                [[], ...this.shown.map(() => [])] as uPlot.AlignedData,
                this.chart,
            );
            this.watchPointer(this.plot.over);
        }
        this.update();
    }

    private options(): uPlot.Options {
        const style = getComputedStyle(document.documentElement);
        const colors =
            COLORS[document.documentElement.dataset.theme === "light" ? "light" : "dark"];
        const common = {
            stroke: style.getPropertyValue("--dim"),
            grid: { stroke: style.getPropertyValue("--faint"), width: 1 },
            ticks: { show: false },
            font: "12px system-ui",
            size: 56,
        };
        this.shown.forEach((one, i) => one.chip.style.setProperty("--line", colors[i]!));
        return {
            width: Math.max(100, this.chart.clientWidth),
            height: HEIGHT_PX,
            legend: { show: false },
            cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
            scales: { x: { time: false } },
            axes: [
                {
                    ...common,
                    size: 28,
                    values: (_, splits) => splits.map((value) => `${figure(value)} s`),
                },
                { ...common, scale: "left", values: (_, splits) => splits.map(figure) },
                {
                    ...common,
                    scale: "right",
                    side: 1,
                    grid: { show: false },
                    values: (_, splits) => splits.map(figure),
                },
            ],
            series: [
                {},
                ...this.shown.map((one, i) => ({
                    label: one.name,
                    scale: one.axis,
                    stroke: colors[i]!,
                    width: 1.5,
                    spanGaps: true,
                    points: { show: false },
                    ...(one.axis === "right" ? { dash: [6, 3] } : {}), // told apart without colours, too
                })),
            ],
            hooks: {
                draw: [(plot) => this.drawMoment(plot)],
                setSelect: [(plot) => this.zoomTo(plot)],
                setCursor: [() => this.describe()],
            },
        };
    }

    private zoomTo(plot: uPlot): void {
        const { left, width } = plot.select;
        if (width >= CLICK_PX) {
            this.setWindow([plot.posToVal(left, "x"), plot.posToVal(left + width, "x")]);
            plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }
    }

    private watchPointer(over: HTMLElement): void {
        over.addEventListener("pointerdown", (event) => {
            this.downX = event.clientX;
        });
        over.addEventListener("click", (event) => {
            if (
                Math.abs(event.clientX - this.downX) < CLICK_PX &&
                !this.isLive &&
                this.plot !== null
            ) {
                this.putCursor(this.plot.posToVal(event.offsetX, "x"));
            }
        });
    }

    /** A line where the picture is. */
    private drawMoment(plot: uPlot): void {
        if (this.at === null) {
            return;
        }
        const x = Math.round(plot.valToPos(this.at, "x", true));
        const { left, top, width, height } = plot.bbox;
        if (x >= left && x <= left + width) {
            plot.ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(
                "--ink",
            );
            plot.ctx.fillRect(x, top, 2, height);
        }
    }

    /** The values at the cursor, else at the moment that is shown, else the newest. */
    private describe(): void {
        const { plot } = this;
        const times = plot?.data[0] ?? [];
        let index = plot?.cursor.idx ?? null;
        if (index === null || index === undefined) {
            const { at } = this;
            index =
                at === null
                    ? times.length - 1
                    : Math.max(
                          0,
                          times.findLastIndex((time) => time <= at),
                      );
        }
        this.shown.forEach((one, i) =>
            setText(one.value, figure(newest(plot?.data[i + 1] ?? [], index))),
        );
        const [start, end] = this.source.span();
        const time = this.at ?? times[index] ?? end;
        this.chart.setAttribute("aria-valuemin", start.toFixed(2));
        this.chart.setAttribute("aria-valuemax", end.toFixed(2));
        this.chart.setAttribute("aria-valuenow", time.toFixed(2));
        this.chart.setAttribute(
            "aria-valuetext",
            `${time.toFixed(2)} s; ${this.shown.map((one) => `${one.name} ${one.value.textContent}`).join("; ")}`,
        );
    }

    private resize(): void {
        this.plot?.setSize({ width: Math.max(100, this.chart.clientWidth), height: HEIGHT_PX });
    }

    /** For tests: what is plotted, and from when to when. */
    numbers(): {
        names: string[];
        points: number;
        from: number;
        to: number;
        values: (string | null)[];
    } {
        const [from, to] = this.range();
        return {
            names: this.shown.map((one) => one.name),
            points: this.plot?.data[0].length ?? 0,
            from,
            to,
            values: this.shown.map((one) => one.value.textContent),
        };
    }
}
