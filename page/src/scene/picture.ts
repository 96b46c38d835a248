// The 3D picture: it is loaded apart from the page, leaves the browser time where the processor draws, and may be lost with the graphics card.
import { setClass } from "../dom.ts";
import type { MessageKey } from "../messages.ts";
import type { Stage } from "./stage.ts";
import type { FrameMeter } from "../panels/stats.ts";

// A graphics card that was lost is back after a second or two, if it comes back.
const CARD_BACK_MS = 8000;
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
    loaded(stage: Stage): void;
    /** This browser has no WebGL. */
    refused(): void;
    /** The graphics card was lost, or is back. */
    changed(): void;
}

export class Picture {
    /** Null before it is loaded, and where there will be none. */
    stage: Stage | null = null;
    private lostMs: number | null = null;
    private readonly leastFrameMs: number;

    /** `options`: what the page's address says, "quality=best|low|none" and "frames=N" a second. */
    constructor(
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
            setClass(document.body, "blind", true);
        } else {
            void this.load();
        }
    }

    /** What keeps it from being seen, in one sentence. */
    statusKey(now: number): MessageKey | null {
        return this.lostMs === null
            ? null
            : now - this.lostMs > CARD_BACK_MS
              ? "picture.lostLong"
              : "picture.lost";
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
            setClass(document.body, "blind", true);
            this.owner.refused();
            return;
        }
        this.stage.isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.stage.apartS = this.leastFrameMs / 1000;
        this.stage.onPicture = (isThere) => {
            this.lostMs = isThere ? null : performance.now();
            this.owner.changed();
        };
        this.owner.loaded(this.stage);
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
