// Where plots get their values from: the page's own memory of what it received, or a recording at the server.
import type { History } from "./history.ts";

export interface Series {
    /** Seconds, of all channels. */
    times: number[];
    /** Of each channel one value for each time; NaN: none. */
    values: number[][];
}

export interface PlotSource {
    /** Channels that can be plotted. */
    names(): readonly string[];
    /** The first and the last time that there is. */
    span(): readonly [number, number];
    /** Values of these channels; of a server those that have come, which may be none yet. */
    read(names: readonly string[], from: number, to: number): Series;
    /** Of these, every value that there is between two times. */
    readAll(names: readonly string[], from: number, to: number): Series;
}

const POINTS = 1500; // of a plot

/** What the page has received; times are since the first state. */
export class HistorySource implements PlotSource {
    constructor(private readonly history: History) {}

    names(): readonly string[] {
        return this.history.names();
    }

    span(): readonly [number, number] {
        const { start, end, origin } = this.history;
        return [start - origin, end - origin];
    }

    read(names: readonly string[], from: number, to: number, most = POINTS): Series {
        const { origin } = this.history;
        const { times, values } = this.history.series(names, from + origin, to + origin, most);
        return { times: times.map((t) => t - origin), values };
    }

    readAll(names: readonly string[], from: number, to: number): Series {
        return this.read(names, from, to, Infinity);
    }
}

function quoted(text: string): string {
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line for each time: seconds, then the channels' values; empty where there is none. */
export function csvOf(names: readonly string[], series: Series): string {
    const lines = series.times.map((t, i) => [
        t.toFixed(6), ...series.values.map((values) => (Number.isNaN(values[i]!) ? "" : String(values[i]))),
    ].join());
    return [["Timestamp", ...names.map(quoted)].join(), ...lines, ""].join("\n");
}

/** Offers a file that the page made as a download. */
export function download(name: string, type: string, content: BlobPart): void {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
