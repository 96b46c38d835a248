// What looks back: the page's memory of the states that it received, plots of them, and showing them once more.
import { button, el, setClass } from "../dom.ts";
import { t } from "../messages.ts";
import type { Message, Replay, Scene, State } from "../net/protocol.ts";
import { History } from "./history.ts";
import { download, HistorySource, RecordingSource, type PlotSource } from "./plot_source.ts";
import type { Plots } from "./plots.ts";
import { Timeline } from "./timeline.ts";
import { WatchAgain } from "./watch_again.ts";
import { writeLog } from "./wpilog.ts";
import type { Store } from "../store.ts";
import type { PageMessage } from "../net/wire.ts";

const STEP_MS = 20;
const PLOT_MS = 100;
// What was sought stays until the server has had time to show it.
const HOLD_MS = 300;

export interface LookBackEvents {
    /** Shows a kept state, as if it had come from the server. */
    show(state: State): void;
    /** The past is shown from now on. */
    began(): void;
    /** A command to a recording that the program shows. */
    send(text: PageMessage): void;
    say(text: string): void;
}

export class LookBack {
    readonly history = new History();
    /** The plots' place on the page; they come into it when they are opened first. */
    readonly root = el("div", "plots-place hidden");
    /** Beside the time line, while the past is shown. */
    readonly actions = el(
        "div",
        "again-actions",
        button("save", t("again.save"), t("again.saveTitle"), () => this.save()),
        button("back", t("again.back"), t("again.back"), () => this.close()),
    );
    readonly timeline: Timeline;
    private readonly again = new WatchAgain(this.history, (state) => this.events.show(state));
    private plots: Plots | null = null;
    private isLoading = false;
    private recording: RecordingSource | null = null;
    private recordingAt: number | null = null;
    private soughtMs = -Infinity;

    constructor(
        private readonly store: Store,
        private readonly events: LookBackEvents,
    ) {
        this.timeline = new Timeline(store, (text) => this.ask(text), this.actions);
        window.setInterval(() => {
            if (this.again.isOn) {
                this.again.step(performance.now());
            }
        }, STEP_MS);
        window.setInterval(() => this.updatePlots(), PLOT_MS);
    }

    /** Another scene: what was kept belonged to the one before. */
    setScene(scene: Scene): void {
        this.recording =
            scene.replay === null
                ? null
                : new RecordingSource(scene.replay, (text) => this.ask(text));
        this.close();
        this.history.clear();
        this.usePlotSource();
    }

    /** A state came from the server. True: the past is shown, this is only kept. */
    take(state: State): boolean {
        if (state.replay === null) {
            // A simulator that began anew meanwhile takes nothing away from what is watched.
            if (!this.again.isOn || state.t > this.history.end) {
                this.history.push(state);
            }
        } else if (performance.now() - this.soughtMs > HOLD_MS) {
            this.recordingAt = state.replay.at;
        }
        return this.again.isOn;
    }

    /** What the time line and plots ask for: of what is watched again, or of the recording that the program shows. */
    private ask(text: PageMessage): void {
        if (this.again.isOn) {
            this.again.obey(text, performance.now());
        } else {
            this.events.send(text);
        }
    }

    // ------------------------------------------------------------------ watch again

    toggle(): void {
        if (this.again.isOn) {
            this.close();
        } else if (this.history.isEmpty) {
            this.events.say(t("again.nothing"));
        } else {
            this.events.began();
            this.watch(this.again.open(performance.now()));
        }
    }

    /** The present is shown again. */
    close(): void {
        if (this.again.isOn) {
            this.again.close();
            this.watch(null);
        }
    }

    /** The time line is about this from now on; null: the present is shown again. */
    private watch(replay: Replay | null): void {
        this.store.replay = replay;
        this.store.isAgain = replay !== null;
        this.store.changed();
        this.usePlotSource();
    }

    private save(): void {
        const floor = this.store.scene?.floor ?? [0, 0, 0, 0];
        const name = (this.store.scene?.title ?? "").replaceAll(/[^\w-]+/g, "-") || "halyard";
        download(
            `${name}.wpilog`,
            "application/octet-stream",
            writeLog(this.history, this.store.scene?.title ?? "", [floor[0], floor[1]]),
        );
    }

    // ------------------------------------------------------------------ plots

    async togglePlots(): Promise<void> {
        this.showPlots(!this.store.shows.plots);
        if (this.store.shows.plots && this.plots === null && !this.isLoading) {
            this.isLoading = true;
            await this.loadPlots();
            this.isLoading = false;
        }
        this.usePlotSource();
    }

    private showPlots(on: boolean): void {
        this.store.shows.plots = on;
        setClass(this.root, "hidden", !on);
        this.store.changed();
    }

    private async loadPlots(): Promise<void> {
        try {
            const { Plots } = await import("./plots.ts");
            this.plots = new Plots(this.source(), {
                seek: (time) => this.seek(time),
                say: (text) => this.events.say(text),
                closed: () => void this.togglePlots(),
            });
            this.root.replaceChildren(this.plots.root);
        } catch {
            this.showPlots(false);
            this.events.say(t("plots.failed"));
        }
    }

    private source(): PlotSource {
        return this.recording ?? new HistorySource(this.history);
    }

    private usePlotSource(): void {
        this.plots?.setSource(this.source(), this.recording === null && !this.again.isOn);
        this.updatePlots();
    }

    /** Values of a recording have come, or the present has gone on. */
    updatePlots(): void {
        if (this.store.shows.plots && this.plots !== null) {
            this.plots.setMoment(
                this.recording !== null
                    ? this.recordingAt
                    : this.again.isOn
                      ? this.again.shownT - this.history.origin
                      : null,
            );
            if (this.recording === null && !this.again.isOn) {
                this.plots.update();
            }
        }
    }

    /** What a recording has to be plotted, and values of it. */
    receive(message: Message & { type: "channels" | "plot" }): void {
        if (message.type === "channels") {
            this.recording?.setChannels(message.names);
        } else {
            this.recording?.setPlot(message.series);
        }
        this.plots?.update();
    }

    private seek(time: number): void {
        // The next key goes on from here, not from states that were under way.
        this.recordingAt = time;
        this.soughtMs = performance.now();
        const start = this.recording !== null ? 0 : this.again.startT - this.history.origin;
        this.ask(`replay seek ${Math.round(Math.max(0, time - start) * 1000)}`);
        this.updatePlots();
    }

    setTheme(): void {
        this.plots?.setTheme();
    }

    /** For tests. */
    numbers(): Record<string, unknown> {
        return {
            kept: this.history.count,
            keptBytes: this.history.bytes,
            watching: this.again.isOn,
            plots: this.store.shows.plots ? (this.plots?.numbers() ?? null) : null,
        };
    }
}
