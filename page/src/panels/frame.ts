// The page around the picture: the style sheet learns what is shown and how far panels reach, and says where the picture is free of
// them.
import { el, setClass, setStyle } from "../dom.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";

/** What is free of panels: the distance from each edge of the page, in pixels. */
export interface Insets {
    top: number;
    right: number;
    bottom: number;
    left: number;
}

/** What the style sheet distinguishes: classes of the body. */
export function classesOf(store: Store): Record<string, boolean> {
    return {
        empty: store.scene === null,
        offline: !store.isLive,
        match: store.isMatch,
        board: store.isBoard,
        watching: store.scene !== null && !store.seats.mayCommand,
        replay: store.replay !== null,
        again: store.isAgain,
        plotting: store.shows.plots,
        pad: store.shows.pad && !store.isAgain,
        blind: store.isBlind,
    };
}

/** Panels whose size depends on what is in them. The first ones hang from above, the others stand on the page's bottom. */
export interface Measured {
    top: HTMLElement;
    race: HTMLElement;
    timeline: HTMLElement;
    plots: HTMLElement;
    pad: HTMLElement;
    side: HTMLElement;
}

const HANGING = new Set(["top", "race"]);

export class Frame implements Panel {
    private readonly free = el("div", "free");
    private before = "";

    /** `moved`: the free part is another one. */
    constructor(
        private readonly store: Store,
        private readonly ui: HTMLElement,
        private readonly panels: Measured,
        private readonly moved: (insets: Insets) => void,
    ) {
        ui.append(this.free);
        const sizes = new ResizeObserver(() => this.place());
        [ui, this.free, ...Object.values(panels)].forEach((element) => sizes.observe(element));
    }

    update(): void {
        const { scene } = this.store;
        const classes = classesOf(this.store);
        const title = scene === null ? "Halyard" : `${scene.title} · Halyard`;
        if (document.title !== title) {
            document.title = title;
        }
        const text = JSON.stringify(classes);
        if (text !== this.before) {
            this.before = text;
            for (const [name, on] of Object.entries(classes)) {
                setClass(document.body, name, on);
            }
            this.place();
        }
    }

    /** Measures the panels, those first on which others stand. */
    place(): void {
        const { clientWidth: width, clientHeight: height } = this.ui;
        for (const [name, panel] of Object.entries(this.panels)) {
            const far = HANGING.has(name)
                ? panel.offsetTop + panel.offsetHeight
                : height - panel.offsetTop;
            setStyle(this.ui, `--${name}`, `${panel.offsetHeight > 0 ? far : 0}px`);
        }
        const { top, right, bottom, left } = this.free.getBoundingClientRect();
        this.moved({ top, right: width - right, bottom: height - bottom, left });
    }
}
