// The 3D picture: it is loaded apart from the page, leaves the browser time where the processor draws, and may be lost with the graphics card.
import type { Stage } from "./stage.ts";
import { t } from "../messages.ts";
import type { Panel } from "../panels/panel.ts";
import type { Store } from "../store.ts";
import type { FrameMeter } from "../panels/stats.ts";

// What the picture may keep the browser from everything else; how much longer than what is over it then pauses, and at
// most.
const DRAWING_MS = 25;
const PAUSE_FACTOR = 2;
const LONGEST_PAUSE_MS = 500;
const MOST_FRAMES = 240;

/** Runs an action as soon as the browser is done with the frame that is being made. */
function afterDrawing(action: () => void): void {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
        port1.close();
        action();
    };
    port2.postMessage(null);
}

export interface PictureOwner {
    /** The stage is there, and has shown nothing yet. */
    loaded(): void;
    say(text: string): void;
    /** The robot that carries a piece, and how many a robot has; -1 and 0: none. */
    holder(piece: number): number;
    aboard(robot: number): number;
}

export class Picture implements Panel {
    /** Null before it is loaded, and where there will be none. */
    stage: Stage | null = null;
    private readonly leastFrameMs: number;
    private resets = 0;

    /** `options`: what the page's address says, "quality=best|low|none" and "frames=N" a second. */
    constructor(
        private readonly store: Store,
        private readonly canvas: HTMLCanvasElement,
        private readonly options: URLSearchParams,
        private readonly meter: FrameMeter,
        private readonly owner: PictureOwner,
    ) {
        this.leastFrameMs =
            1000 / (Number(options.get("frames")) || MOST_FRAMES) - 1000 / MOST_FRAMES;
    }

    start(): void {
        if (this.options.get("quality") === "none") {
            this.store.isBlind = true;
            this.store.changed();
        } else {
            void this.load();
        }
    }

    /** What the store says of it. */
    update(): void {
        const { stage, store } = this;
        if (stage === null) {
            return;
        }
        const active = store.activeRobot();
        store.view = stage.view;
        stage.followed = store.followed;
        stage.own = new Set(store.ownRobots());
        stage.loaded = this.owner.aboard(active) > 0 ? active : -1;
        stage.showLidar(store.shows.lidar);
        stage.showTrail(store.shows.trail);
        if (store.resets !== this.resets) {
            this.resets = store.resets;
            stage.clearTrails();
        }
    }

    /** For pictures of the page: one with all care, which stays until `on` is false. */
    setStill(on: boolean, isBest: boolean): Promise<void> {
        this.stage?.setStill(on, isBest);
        return new Promise((resolve) => requestAnimationFrame(() => afterDrawing(resolve)));
    }

    private async load(): Promise<void> {
        const { Stage } = await import("./stage.ts");
        try {
            const care = this.options.get("quality");
            this.stage = new Stage(this.canvas, care === "best" || care === "low" ? care : "adapt");
        } catch {
            this.store.isBlind = true;
            this.store.changed();
            this.owner.say(t("picture.noWebgl")); // this browser has none
            return;
        }
        this.stage.isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.stage.apartS = this.leastFrameMs / 1000;
        this.stage.onPicture = (isThere) => {
            this.store.pictureLostMs = isThere ? null : performance.now();
            this.store.changed();
        };
        this.stage.holder = (piece) => this.owner.holder(piece);
        this.stage.onModelRefused = (why, address) =>
            this.owner.say(t(`model.${why}`, { name: address.slice(1) }));
        if (this.store.scene !== null) {
            this.stage.setScene(this.store.scene);
        }
        this.update();
        this.owner.loaded();
        requestAnimationFrame((now) => this.frame(now));
    }

    private frame(now: number): void {
        const began = performance.now();
        this.stage!.frame(now);
        const ended = performance.now();
        this.meter.frame(began, ended);
        // Where the processor draws, the browser waits for the picture before anything else may run. Sticks and
        // states come first: such a picture is followed by a pause.
        afterDrawing(() => {
            const drawnMs = performance.now() - ended;
            const restMs = Math.min(PAUSE_FACTOR * (drawnMs - DRAWING_MS), LONGEST_PAUSE_MS);
            const pauseMs = Math.max(restMs, began + this.leastFrameMs - performance.now());
            const next = (): number => requestAnimationFrame((time) => this.frame(time));
            if (pauseMs > 0) {
                window.setTimeout(next, pauseMs);
            } else {
                next();
            }
        });
    }
}
