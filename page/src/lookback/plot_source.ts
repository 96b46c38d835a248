// Where plots get their values from: the page's own memory of what it received, or a recording at the server.
import type { PlotSeries } from "../net/protocol.ts";
import type { History } from "./history.ts";
import type { PageMessage } from "../net/wire.ts";

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

/** Values of a recording at the server, which is asked for those that are plotted. */
export class RecordingSource implements PlotSource {
    private channels: string[] = [];
    private series: PlotSeries[] = [];
    private asked = "";

    constructor(
        private readonly shown: { from: number; to: number },
        private readonly send: (text: PageMessage) => void,
    ) {}

    setChannels(names: string[]): void {
        this.channels = names;
    }

    setPlot(series: PlotSeries[]): void {
        this.series = series;
    }

    names(): readonly string[] {
        return this.channels;
    }

    span(): readonly [number, number] {
        return [this.shown.from, this.shown.to];
    }

    /** What has come; what has not is asked for, once. */
    read(names: readonly string[], from: number, to: number): Series {
        const channels = names.map((name) => this.channels.indexOf(name));
        const wanted =
            `replay plot ${Math.floor(from * 1000)} ${Math.ceil(to * 1000)} ${channels.join(" ")}` satisfies PageMessage;
        if (wanted !== this.asked && names.length > 0 && !channels.includes(-1)) {
            this.asked = wanted;
            this.send(wanted);
        }
        return joined(
            channels.map(
                (channel) => this.series.find((one) => one.channel === channel)?.samples ?? [],
            ),
        );
    }

    readAll(names: readonly string[], from: number, to: number): Series {
        return this.read(names, from, to);
    }
}

/** Lists of pairs of time and value on one list of times. */
export function joined(lists: readonly (readonly number[])[]): Series {
    const times = [
        ...new Set(lists.flatMap((list) => list.filter((_, i) => i % 2 === 0))),
    ].toSorted((a, b) => a - b);
    const places = new Map(times.map((time, i) => [time, i]));
    const values = lists.map((list) => {
        const row: number[] = Array.from({ length: times.length }, () => NaN);
        for (let i = 0; i + 1 < list.length; i += 2) {
            row[places.get(list[i]!)!] = list[i + 1]!;
        }
        return row;
    });
    return { times, values };
}

function quoted(text: string): string {
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line for each time: seconds, then the channels' values; empty where there is none. */
export function csvOf(names: readonly string[], series: Series): string {
    const lines = series.times.map((t, i) =>
        [
            t.toFixed(6),
            ...series.values.map((values) => (Number.isNaN(values[i]!) ? "" : String(values[i]))),
        ].join(),
    );
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
