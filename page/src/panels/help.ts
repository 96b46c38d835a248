// What one can do on this page, by task and by device. A robot on the bench is driven by its program, so its help lists no
// driving.
import { button, el } from "../dom.ts";
import { t, type MessageKey } from "../messages.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";

interface Task {
    task: MessageKey;
    keys: string;
    pad: MessageKey | null;
    touch: MessageKey | null;
}

const DRIVING: readonly Task[] = [
    { task: "help.driveForward", keys: "W S", pad: "help.leftStick", touch: "help.leftStick" },
    { task: "help.turn", keys: "A D", pad: "help.bothSticks", touch: "help.rightStick" },
    { task: "help.stopSticks", keys: "Space", pad: null, touch: null },
    { task: "help.slow", keys: "Shift", pad: "help.stickLess", touch: "help.stickLess" },
    { task: "help.intake", keys: "Q", pad: "help.leftTrigger", touch: "help.keyLT" },
    { task: "help.score", keys: "E", pad: "help.rightTrigger", touch: "help.keyRT" },
    { task: "help.outtake", keys: "Z /", pad: "help.buttonA", touch: "help.buttonA" },
    { task: "help.startPause", keys: "Enter", pad: "help.buttonStart", touch: "help.keyStart" },
    { task: "help.resetMatch", keys: "R", pad: "help.buttonGuide", touch: "help.keyGuide" },
    { task: "help.hands", keys: "B", pad: "help.buttonBack", touch: "help.keyBack" },
    {
        task: "help.rightStickAlone",
        keys: "↑ ↓ ← →",
        pad: "help.rightStick",
        touch: "help.rightStick",
    },
    {
        task: "help.otherButtons",
        keys: "X C V [ ]",
        pad: "help.buttonsBXY",
        touch: "help.buttonsBXY",
    },
];

const LOOKING: readonly [string, MessageKey][] = [
    ["1", "help.top"],
    ["2", "help.orbit"],
    ["3", "help.chase"],
    ["4", "help.first"],
    ["5", "help.station"],
    ["6", "help.home"],
    ["N", "help.follow"],
    ["L", "tool.lidar"],
    ["F", "tool.fullscreen"],
    ["T", "help.stats"],
    ["O", "help.pad"],
    ["P", "plots.tool"],
    ["I", "trail.tool"],
    ["K", "again.tool"],
    ["M", "help.mute"],
    ["J", "help.map"],
    ["U", "help.share"],
    ["H ?", "help.help"],
];

const TIME_LINE: readonly [string, MessageKey][] = [
    ["Enter Space", "help.play"],
    ["← →", "help.step"],
    ["Shift ← →", "help.event"],
];

const ONLY_IN_A_MATCH = new Set(["L", "O", "N", "5", "K"]);

const NOT_OF_A_RECORDING = new Set(["O", "K", "U"]);

function keysOf(text: string): HTMLElement {
    return el("span", "keys", ...text.split(" ").map((key) => el("kbd", "", key)));
}

function heading(...texts: string[]): HTMLElement {
    return el(
        "thead",
        "",
        el(
            "tr",
            "",
            ...texts.map((text) => {
                const cell = el("th", "", text);
                cell.scope = "col";
                return cell;
            }),
        ),
    );
}

function drivingTable(): HTMLElement {
    const rows = DRIVING.map(({ task, keys, pad, touch }) => {
        const name = el("th", "", t(task));
        name.scope = "row";
        return el(
            "tr",
            "",
            name,
            el("td", "", keysOf(keys)),
            el("td", "", pad === null ? "" : t(pad)),
            el("td", "", touch === null ? "" : t(touch)),
        );
    });
    return el(
        "table",
        "tasks",
        heading(t("help.task"), t("help.keys"), t("help.gamepad"), t("help.touch")),
        el("tbody", "", ...rows),
    );
}

function lookingTable(rows: readonly (readonly [string, MessageKey])[]): HTMLElement {
    const list = el("dl", "looking");
    for (const [keys, meaning] of rows) {
        list.append(el("dt", "", keysOf(keys)), el("dd", "", t(meaning)));
    }
    return list;
}

export class Help implements Panel {
    readonly root = el("dialog", "help");
    private readonly sheet = el("div", "sheet");
    private readonly extra: HTMLElement[];
    private shape = "";

    /** `extra`: what is shown below the tables, the page's settings. */
    constructor(
        private readonly store: Store,
        ...extra: HTMLElement[]
    ) {
        this.extra = extra;
        this.root.setAttribute("aria-labelledby", "help-title");
        this.root.append(this.sheet);
        this.root.addEventListener("click", (event) => {
            if (event.target === this.root) {
                this.root.close();
            }
        });
        this.update();
    }

    /** What this page is about: a match, a board or a recording, and whether it can drive anyone. */
    update(): void {
        const { isRecording, isBoard, seats } = this.store;
        const kind = isRecording ? "replay" : isBoard ? "board" : "match";
        const canDrive = seats.canDrive();
        const shape = `${kind} ${canDrive}`;
        if (shape === this.shape) {
            return;
        }
        this.shape = shape;
        const title = el("h2", "", t("help.title"));
        title.id = "help-title";
        const parts: HTMLElement[] = [
            title,
            button("close", "×", t("help.close"), () => this.root.close()),
        ];
        if (kind === "match" && canDrive) {
            parts.push(
                el("h3", "", t("help.driving")),
                drivingTable(),
                el("p", "", t("help.seats")),
                el("p", "", t("help.letGo")),
            );
        } else if (kind === "replay") {
            parts.push(
                el("p", "", t("replay.nobodyDrives")),
                el("h3", "", t("replay.label")),
                lookingTable(TIME_LINE),
            );
        } else if (kind === "board") {
            parts.push(el("p", "", t("help.board")));
        } else {
            parts.push(el("p", "", t("help.watching")));
        }
        const looking = LOOKING.filter(
            ([keys]) => kind !== "board" || !ONLY_IN_A_MATCH.has(keys),
        ).filter(([keys]) => kind !== "replay" || !NOT_OF_A_RECORDING.has(keys));
        const reset: [string, MessageKey][] =
            kind === "board"
                ? [
                      ["Space", "stop.title"],
                      ["R", "robot.resetTitle"],
                  ]
                : [];
        parts.push(
            el("h3", "", t("help.looking")),
            lookingTable([...looking, ...reset]),
            el("p", "", t("help.drag")),
        );
        this.sheet.replaceChildren(...parts, ...this.extra);
    }

    toggle(on = !this.root.open): void {
        if (on && !this.root.open) {
            this.root.showModal();
        } else if (!on) {
            this.root.close();
        }
    }
}
