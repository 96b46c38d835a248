// How the page itself does: frames, script time, draw calls, messages.
import { el, setClass, setText } from "../dom.ts";
import { median } from "../drive/latency.ts";
import type { Store } from "../store.ts";
import { t } from "../messages.ts";
import { milliseconds } from "../text.ts";
import type { Panel } from "./panel.ts";

const WINDOW = 120;

export interface Counters {
    calls: number;
    triangles: number;
    scale: number;
    messages: number;
    bytes: number;
    dropped: number;
}

const PAGE = [
    "stats.frames",
    "stats.script",
    "stats.calls",
    "stats.triangles",
    "stats.pixels",
    "stats.stick",
    "stats.messages",
    "stats.data",
    "stats.ping",
    "stats.dropped",
] as const;
const SIM = ["stats.speed", "stats.step", "stats.refused"] as const;

/**
 * What the page's script costs: the median of the frames' own, and what messages and timers took in a 60th of a
 * second. Counted apart, because a slow card draws seldom while messages go on coming.
 */
export class FrameMeter {
    /** Frames since the start. */
    count = 0;
    private readonly own: number[] = [];
    private readonly times: number[] = [];
    private readonly others: number[] = [];
    private between = 0;

    work(ms: number): void {
        this.between += ms;
    }

    frame(startMs: number, endMs: number): void {
        this.count++;
        this.own.push(endMs - startMs);
        this.times.push(startMs);
        this.others.push(this.between);
        this.between = 0;
        if (this.own.length > WINDOW) {
            this.own.shift();
            this.times.shift();
            this.others.shift();
        }
    }

    private spanMs(): number {
        return this.times.length < 2 ? 0 : this.times[this.times.length - 1]! - this.times[0]!;
    }

    frameMs(): number {
        return median(this.own) ?? 0;
    }

    /** Of messages and timers, in a 60th of a second. */
    messageMs(): number {
        const span = this.spanMs();
        const work = this.others.slice(1).reduce((sum, ms) => sum + ms, 0);
        return span <= 0 ? 0 : (work / span) * (1000 / 60);
    }

    scriptMs(): number {
        return this.frameMs() + this.messageMs();
    }

    fps(): number {
        const span = this.spanMs();
        return span <= 0 ? 0 : ((this.times.length - 1) * 1000) / span;
    }
}

export class Stats implements Panel {
    readonly root = el("section", "panel stats hidden");
    private readonly values = new Map<string, HTMLElement>();
    private before = { messages: 0, bytes: 0, at: 0 };

    /** `counters`: as they are now. */
    constructor(
        private readonly store: Store,
        private readonly meter: FrameMeter,
        private readonly counters: () => Counters,
    ) {
        for (const name of [...PAGE, ...SIM]) {
            const value = el("b");
            this.values.set(name, value);
            this.root.append(el("div", "line", el("span", "", t(name)), value));
        }
    }

    /** A board has no sim. */
    update(): void {
        setClass(this.root, "hidden", !this.store.shows.stats);
        SIM.forEach((name) =>
            setClass(this.values.get(name)!.parentElement!, "hidden", this.store.isBoard),
        );
    }

    private show(name: string, text: string): void {
        setText(this.values.get(name)!, text);
    }

    /** Call about once a second; cheap while hidden. */
    count(nowMs: number): void {
        const c = this.counters();
        const seconds = Math.max((nowMs - this.before.at) / 1000, 1e-3);
        const rate = (c.messages - this.before.messages) / seconds;
        const kilobytes = (c.bytes - this.before.bytes) / 1000 / seconds;
        this.before = { messages: c.messages, bytes: c.bytes, at: nowMs };
        if (!this.store.shows.stats) {
            return;
        }
        const { pingMs, stickMs } = this.store;
        const sim = this.store.shown?.sim ?? null;
        this.show("stats.frames", `${this.meter.fps().toFixed(0)} /s`);
        this.show("stats.script", t("stats.perFrame", { ms: this.meter.scriptMs().toFixed(2) }));
        this.show("stats.calls", String(c.calls));
        this.show("stats.triangles", c.triangles.toLocaleString("en"));
        this.show("stats.pixels", `× ${c.scale.toFixed(2)}`);
        this.show("stats.stick", milliseconds(stickMs));
        this.show("stats.messages", `${rate.toFixed(0)} /s`);
        this.show("stats.data", `${kilobytes.toFixed(0)} kB/s`);
        this.show("stats.ping", milliseconds(pingMs));
        this.show("stats.dropped", String(c.dropped));
        this.show("stats.speed", sim === null ? t("word.unknown") : `× ${sim.speed.toFixed(2)}`);
        this.show("stats.step", sim === null ? t("word.unknown") : `${sim.stepUs.toFixed(0)} µs`);
        this.show("stats.refused", sim === null ? t("word.unknown") : String(sim.refused));
    }
}
