// The on-screen controller: two sticks, triggers, buttons, for mouse and any number of fingers.
import { bit, equal, FULL, ZERO, type Button, type Sticks } from "./sticks.ts";
import { el, setClass, setStyle } from "../dom.ts";
import { t } from "../messages.ts";

// So near its middle a stick is at rest: a finger never lies still.
const DEAD = 0.08;

/** A drag from a stick's middle, y down as on the screen, to its axes. */
export function stickOf(dx: number, dy: number, radius: number): { x: number; y: number } {
    const length = Math.hypot(dx, dy) / radius;
    if (!Number.isFinite(length) || length <= DEAD) {
        return { x: 0, y: 0 };
    }
    const size = (Math.min(length, 1) - DEAD) / (1 - DEAD) / length / radius;
    return { x: Math.round(dx * size * FULL), y: Math.round(-dy * size * FULL) };
}

interface Held {
    release(): void;
}

export class TouchPad {
    readonly root = el("section", "touchpad hidden");
    private state = { ...ZERO };
    private isShown = false;
    private readonly held = new Set<Held>();

    constructor(private readonly changed: (sticks: Sticks) => void) {
        const shoulder = el(
            "div",
            "shoulder",
            this.key("leftBumper", "LB", ""),
            this.trigger("lt", "LT", t("touch.intake")),
            this.key("back", "Back", t("touch.hands")),
            this.key("guide", "Guide", t("touch.reset")),
            this.key("start", "Start", t("touch.timer")),
            this.trigger("rt", "RT", t("touch.tube")),
            this.key("rightBumper", "RB", ""),
        );
        const diamond = el(
            "div",
            "diamond",
            this.key("y", "Y", ""),
            this.key("x", "X", ""),
            this.key("b", "B", ""),
            this.key("a", "A", ""),
        );
        const cross = el(
            "div",
            "diamond cross",
            this.key("up", "▲", ""),
            this.key("left", "◀", ""),
            this.key("right", "▶", ""),
            this.key("down", "▼", ""),
        );
        this.root.append(
            shoulder,
            el("div", "deck", this.stick("l"), cross, diamond, this.stick("r")),
        );
        this.root.setAttribute("aria-label", t("touch.label"));
        this.root.addEventListener("contextmenu", (event) => event.preventDefault());
    }

    /** Hidden, nothing of it is held any more. */
    show(on: boolean): void {
        if (on !== this.isShown) {
            this.isShown = on;
            setClass(this.root, "hidden", !on);
            this.clear();
        }
    }

    /** Lets go of everything that fingers hold. */
    clear(): void {
        for (const held of this.held) {
            held.release();
        }
        this.held.clear();
    }

    private put(change: Partial<Sticks>): void {
        const next = { ...this.state, ...change };
        if (!equal(next, this.state)) {
            this.state = next;
            this.changed(next);
        }
    }

    /** Calls `move` while one pointer holds the element, `end` when it no longer does, however that comes. */
    private hold(element: HTMLElement, move: (event: PointerEvent) => void, end: () => void): void {
        let pointer: number | null = null;
        const held: Held = {
            release: () => {
                pointer = null;
                setClass(element, "held", false);
                end();
            },
        };
        element.addEventListener("pointerdown", (event) => {
            if (pointer !== null) {
                return;
            }
            event.preventDefault();
            pointer = event.pointerId;
            element.setPointerCapture(pointer);
            setClass(element, "held", true);
            this.held.add(held);
            move(event);
        });
        element.addEventListener("pointermove", (event) => {
            if (event.pointerId === pointer) {
                move(event);
            }
        });
        for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
            element.addEventListener(name, (event) => {
                if (event.pointerId === pointer) {
                    this.held.delete(held);
                    held.release();
                }
            });
        }
    }

    private key(name: Button, label: string, note: string): HTMLElement {
        const element = el("div", `key ${name}`, el("b", "", label), el("small", "", note));
        const mask = bit(name);
        this.hold(
            element,
            () => this.put({ buttons: this.state.buttons | mask }),
            () => this.put({ buttons: this.state.buttons & ~mask }),
        );
        return element;
    }

    private trigger(name: "lt" | "rt", label: string, note: string): HTMLElement {
        const element = el("div", `key trigger ${name}`, el("b", "", label), el("small", "", note));
        this.hold(
            element,
            () => this.put({ [name]: FULL }),
            () => this.put({ [name]: 0 }),
        );
        return element;
    }

    private stick(side: "l" | "r"): HTMLElement {
        const knob = el("i", "knob");
        const element = el("div", `stick ${side === "l" ? "left" : "right"}`, knob);
        const set = (x: number, y: number): void => {
            setStyle(knob, "left", `${(50 + (x / FULL) * 34).toFixed(1)}%`);
            setStyle(knob, "top", `${(50 - (y / FULL) * 34).toFixed(1)}%`);
            this.put(side === "l" ? { lx: x, ly: y } : { rx: x, ry: y });
        };
        this.hold(
            element,
            (event) => {
                const box = element.getBoundingClientRect();
                const { x, y } = stickOf(
                    event.clientX - box.left - box.width / 2,
                    event.clientY - box.top - box.height / 2,
                    box.width * 0.34,
                );
                set(x, y);
            },
            () => set(0, 0),
        );
        return element;
    }
}
