// The first minute: four pictures of what a match is about, shown once.
import { button, el } from "../dom.ts";
import { t, type MessageKey } from "../messages.ts";
import type { Store } from "../store.ts";

// Keys that read the card or press its button.
const OF_THE_CARD = new Set(["Tab", "Enter", "Space", "Escape", "ShiftLeft", "ShiftRight"]);

const SVG = "http://www.w3.org/2000/svg";

// Pictures on a 120 x 80 grid, seen from above: [tag, attributes as one string of name=value].
type Shape = readonly [
    tag: "path" | "rect" | "circle",
    attributes: Readonly<Record<string, string | number>>,
    className: string,
];

const ROBOT = (x: number, y: number, turn: number): Shape[] => [
    [
        "rect",
        {
            x: x - 16,
            y: y - 12,
            width: 32,
            height: 24,
            rx: 4,
            transform: `rotate(${turn} ${x} ${y})`,
        },
        "own",
    ],
    [
        "path",
        { d: `M${x + 16} ${y - 7}h7M${x + 16} ${y + 7}h7`, transform: `rotate(${turn} ${x} ${y})` },
        "arm",
    ],
];

// What to do by keys, and by fingers.
const PICTURES: readonly [MessageKey, MessageKey, readonly Shape[]][] = [
    [
        "welcome.drive",
        "welcome.driveTouch",
        [...ROBOT(42, 44, -20), ["path", { d: "M68 34q18-8 36-6m-8-6 8 6-7 7" }, "way"]],
    ],
    [
        "welcome.take",
        "welcome.takeTouch",
        [
            ...ROBOT(40, 44, 0),
            ["circle", { cx: 76, cy: 44, r: 7 }, "ball"],
            ["path", { d: "M108 44H88m6-5-6 5 6 5" }, "way"],
        ],
    ],
    [
        "welcome.back",
        "welcome.backTouch",
        [
            ...ROBOT(70, 44, 0),
            ["rect", { x: 4, y: 24, width: 20, height: 40, rx: 3 }, "goal"],
            ["path", { d: "M50 20H30m6-5-6 5 6 5" }, "way"],
        ],
    ],
    [
        "welcome.score",
        "welcome.scoreTouch",
        [
            ...ROBOT(58, 44, 0),
            ["rect", { x: 4, y: 24, width: 24, height: 40, rx: 3 }, "goal"],
            ["circle", { cx: 18, cy: 38, r: 7 }, "ball"],
            ["path", { d: "M42 26q-10-14-20-4m0-7v7h7" }, "way"],
        ],
    ],
];

function draw(shapes: readonly Shape[]): SVGSVGElement {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 120 80");
    svg.setAttribute("aria-hidden", "true");
    for (const [tag, attributes, className] of shapes) {
        const shape = document.createElementNS(SVG, tag);
        shape.setAttribute("class", className);
        Object.entries(attributes).forEach(([name, value]) =>
            shape.setAttribute(name, String(value)),
        );
        svg.append(shape);
    }
    return svg;
}

export class Welcome {
    readonly root = el("dialog", "card");

    constructor(private readonly store: Store) {
        this.root.setAttribute("aria-labelledby", "welcome-title");
        this.root.addEventListener("close", () => store.choose({ welcomed: true }));
        window.addEventListener("keydown", (event) => this.leave(event), true);
        this.root.addEventListener("click", (event) => {
            if (event.target === this.root) {
                this.root.close();
            }
        });
    }

    /** The first time somebody can drive, four pictures say what to do. */
    openOnce(): void {
        const { settings, isMatch, seats, scene, followed } = this.store;
        if (!settings.welcomed && isMatch && seats.canDrive()) {
            const player = seats.firstFree(followed);
            const alliance = scene?.robots.find((robot) => robot.player === player)?.alliance;
            this.open(alliance ?? "", matchMedia("(pointer: coarse)").matches);
        }
    }

    /** Whoever starts to drive has seen enough. */
    private leave({ code }: KeyboardEvent): void {
        if (this.root.open && !OF_THE_CARD.has(code)) {
            this.root.close();
        }
    }

    /** For blue or red, by keys or by fingers. */
    private open(alliance: string, isTouch: boolean): void {
        const title = el("h2", "", t("welcome.title"));
        title.id = "welcome-title";
        const steps = PICTURES.map(([key, byTouch, shapes]) =>
            el("li", "", draw(shapes), el("span", "", t(isTouch ? byTouch : key))),
        );
        const start = button("again", t("welcome.go"), t("welcome.go"), () => this.root.close());
        this.root.replaceChildren(
            el(
                "div",
                "sheet",
                title,
                el("ol", "steps", ...steps),
                el("p", "", t("welcome.more")),
                el("div", "actions", start),
            ),
        );
        this.root.dataset.alliance = alliance.toLowerCase();
        if (!this.root.open) {
            this.root.showModal();
        }
    }
}
