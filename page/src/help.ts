// The keys, on the page itself.
import { button, el, setClass } from "./dom.ts";

const DRIVE: [string, string][] = [
    ["W S", "left stick up, down: drive"],
    ["A D", "both sticks aside: steer"],
    ["Arrows", "right stick"],
    ["Q", "left trigger: intakes"],
    ["E", "right trigger: tube"],
    ["Z or /", "A: outtake"],
    ["X ' · C . · V ;", "B · X · Y"],
    ["[ ]", "left and right bumper"],
    ["Enter", "Start: the timer"],
    ["G", "Guide: reset the match"],
    ["B", "Back: one hand or two"],
    ["Num 8 4 2 6", "d-pad"],
];

const LOOK: [string, string][] = [
    ["1", "from above"],
    ["2", "around your robot"],
    ["3", "behind your robot"],
    ["4", "through its eyes"],
    ["Space", "home: the whole field"],
    ["N", "follow the next robot"],
    ["Drag, wheel", "turn, come nearer (right button: shift)"],
    ["L", "lidar on, off"],
    ["R", "reset: the match, or a board's world"],
    ["F", "full screen"],
    ["T", "statistics; S too while you only watch"],
    ["O", "on-screen controller"],
    ["H or ?", "this help"],
];

function table(title: string, rows: [string, string][]): HTMLElement {
    const list = el("dl");
    for (const [keys, meaning] of rows) {
        const term = el("dt");
        keys.split(" ").forEach((key) => term.append(/^(or|·|,)$/.test(key) ? el("i", "", key) : el("kbd", "", key)));
        list.append(term, el("dd", "", meaning));
    }
    return el("div", "keys", el("h3", "", title), list);
}

export class Help {
    readonly root = el("section", "help hidden");

    constructor() {
        const close = button("close", "×", "Close", () => this.toggle(false));
        const driving = table("Drive", DRIVE);
        this.root.append(
            el("div", "panel sheet",
                el("h2", "", "Keys"), close,
                el("div", "columns", driving, table("Look", LOOK)),
                el("p", "", "Gamepads: press a button on one, then choose its player in the list. Touch: the controller appears by itself. Whenever you look elsewhere, all sticks go to zero.")),
        );
        this.root.setAttribute("role", "dialog");
        this.root.setAttribute("aria-label", "Help");
        this.root.addEventListener("click", (event) => {
            if (event.target === this.root) {
                this.toggle(false);
            }
        });
    }

    toggle(on = this.root.classList.contains("hidden")): void {
        setClass(this.root, "hidden", !on);
    }
}
