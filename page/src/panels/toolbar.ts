// Buttons for what the keys do, each with its name and its key. Those that are used least are in a menu that "More" opens; on a
// small screen all are behind one button.
import { el, setClass } from "../dom.ts";
import { lidarsOf } from "../scene/sensors.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
import { icon, type Icon } from "./icons.ts";
import type { Command } from "../drive/keys.ts";
import { t, type MessageKey } from "../messages.ts";

type Tool = [Command, Icon, MessageKey, string];

const VIEWS: readonly Tool[] = [
    ["top", "top", "tool.top", "1"],
    ["orbit", "orbit", "tool.orbit", "2"],
    ["chase", "chase", "tool.chase", "3"],
    ["first", "first", "tool.first", "4"],
    ["station", "station", "tool.station", "5"],
    ["home", "home", "tool.home", "6"],
];

const VIEW_NAMES = VIEWS.map(([name]) => name);

/** Commands that show and hide something. */
const SHOWN = ["lidar", "trail", "map", "pad", "plots", "stats"] as const;

const TOOLS: readonly Tool[] = [
    ["sound", "sound", "tool.sound", "M"],
    ["share", "share", "tool.share", "U"],
    ["help", "help", "tool.help", "H"],
];

const MENU: readonly [MessageKey, readonly Tool[]][] = [
    [
        "tool.show",
        [
            ["map", "map", "tool.map", "J"],
            ["lidar", "lidar", "tool.lidar", "L"],
            ["trail", "trail", "trail.tool", "I"],
        ],
    ],
    [
        "tool.lookBack",
        [
            ["plots", "plots", "plots.tool", "P"],
            ["again", "again", "again.tool", "K"],
            ["stats", "stats", "tool.stats", "T"],
        ],
    ],
    [
        "tool.screen",
        [
            ["pad", "pad", "tool.pad", "O"],
            ["fullscreen", "full", "tool.fullscreen", "F"],
        ],
    ],
];

/** A button that shows and hides an element; Esc, the loss of the focus and a press elsewhere hide it. */
class Disclosure {
    readonly button: HTMLButtonElement;
    private isShown = false;

    constructor(
        private readonly root: HTMLElement,
        private readonly name: string,
        target: HTMLElement,
        ...content: Node[]
    ) {
        this.button = el("button", `tool ${name}`, ...content);
        this.button.type = "button";
        target.id = `toolbar-${name}`;
        this.button.setAttribute("aria-controls", target.id);
        this.button.addEventListener("click", () => this.show(!this.isShown));
        root.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && this.isShown) {
                event.stopPropagation();
                this.show(false);
                this.button.focus();
            }
        });
        root.addEventListener(
            "focusout",
            ({ relatedTarget }) => relatedTarget instanceof Node && this.hideUnless(relatedTarget),
        );
        window.addEventListener(
            "pointerdown",
            ({ target: pressed }) => this.hideUnless(pressed as Node),
            true,
        );
        this.show(false);
    }

    private hideUnless(place: Node): void {
        if (!this.root.contains(place)) {
            this.show(false);
        }
    }

    show(on: boolean): void {
        this.isShown = on;
        setClass(this.root, `${this.name}-open`, on);
        this.button.setAttribute("aria-expanded", String(on));
    }
}

export class Toolbar implements Panel {
    readonly root = el("nav", "toolbar");
    private readonly buttons = new Map<Command, HTMLButtonElement>();
    private readonly all: Disclosure;
    private readonly more: Disclosure;

    constructor(
        private readonly store: Store,
        private readonly run: (command: Command) => void,
    ) {
        this.root.setAttribute("aria-label", t("tool.tools"));
        const menu = el(
            "div",
            "panel more-panel",
            ...MENU.map(([title, tools]) => this.section(title, tools)),
        );
        this.more = new Disclosure(
            this.root,
            "more",
            menu,
            icon("more"),
            el("span", "label", t("tool.more")),
        );
        this.more.button.setAttribute("aria-label", t("tool.more"));
        const tools = this.group("panel group tools", "tool.tools", TOOLS);
        tools.append(this.more.button);
        const panel = el(
            "div",
            "tools-panel",
            this.group("panel group views", "tool.views", VIEWS),
            tools,
            menu,
        );
        this.all = new Disclosure(this.root, "menu", panel, icon("menu"));
        this.all.button.setAttribute("aria-label", t("tool.tools"));
        this.root.append(this.all.button, panel);
    }

    private group(className: string, title: MessageKey, tools: readonly Tool[]): HTMLElement {
        const group = el("div", className, ...tools.map((tool) => this.button(tool)));
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", t(title));
        return group;
    }

    private section(title: MessageKey, tools: readonly Tool[]): HTMLElement {
        const group = this.group("section", title, tools);
        group.prepend(el("p", "title", t(title)));
        return group;
    }

    private button([command, image, name, key]: Tool): HTMLButtonElement {
        const shownKey = el("kbd"); // written by the style sheet: the button's name is its word alone
        shownKey.dataset.key = key;
        const element = el("button", "tool", icon(image), el("span", "label", t(name), shownKey));
        element.type = "button";
        element.dataset.command = command;
        element.setAttribute("aria-label", t(name));
        element.setAttribute("aria-keyshortcuts", key);
        element.addEventListener("click", () => {
            this.all.show(false);
            this.more.show(false);
            this.run(command);
            element.blur();
        });
        this.buttons.set(command, element);
        return element;
    }

    update(): void {
        const { scene, shows, view, settings, isBoard, isRecording } = this.store;
        for (const name of VIEW_NAMES) {
            this.mark(name, view === name);
        }
        this.mark("sound", !settings.muted);
        this.mark("again", this.store.isAgain);
        for (const name of SHOWN) {
            this.mark(name, shows[name]);
        }
        const hasLidar = scene?.robots.some((robot) => lidarsOf(robot).length > 0) === true;
        this.hide("again", isRecording);
        this.hide("share", isRecording);
        this.hide("pad", !this.store.seats.canDrive());
        this.hide("lidar", isBoard && !hasLidar);
        this.hide("station", isBoard);
        this.hide("map", isBoard);
    }

    private mark(command: Command, on: boolean): void {
        const element = this.buttons.get(command);
        if (element !== undefined && element.getAttribute("aria-pressed") !== String(on)) {
            setClass(element, "on", on);
            element.setAttribute("aria-pressed", String(on));
        }
    }

    /** A section of the menu without a tool is hidden, too. */
    private hide(command: Command, hidden: boolean): void {
        const element = this.buttons.get(command);
        if (element !== undefined) {
            setClass(element, "hidden", hidden);
            const section = element.closest(".section");
            if (section !== null) {
                setClass(section, "hidden", section.querySelector(".tool:not(.hidden)") === null);
            }
        }
    }
}
