// Buttons for what the keys do, each with its name and its key; on a small screen behind one button.
import { el, setClass } from "./dom.ts";
import { icon, type Icon } from "./icons.ts";
import type { Command } from "./keys.ts";
import { t, type MessageKey } from "./messages.ts";

type Tool = [Command, Icon, MessageKey, string];

const VIEWS: readonly Tool[] = [
    ["home", "home", "tool.home", "Space"],
    ["top", "top", "tool.top", "1"],
    ["orbit", "orbit", "tool.orbit", "2"],
    ["chase", "chase", "tool.chase", "3"],
    ["first", "first", "tool.first", "4"],
    ["station", "station", "tool.station", "5"],
];

const TOOLS: readonly Tool[] = [
    ["lidar", "lidar", "tool.lidar", "L"],
    ["pad", "pad", "tool.pad", "O"],
    ["plots", "plots", "plots.tool", "P"],
    ["trail", "trail", "trail.tool", "I"],
    ["again", "again", "again.tool", "K"],
    ["map", "map", "tool.map", "J"],
    ["sound", "sound", "tool.sound", "M"],
    ["share", "share", "tool.share", "U"],
    ["stats", "stats", "tool.stats", "T"],
    ["fullscreen", "full", "tool.fullscreen", "F"],
    ["help", "help", "tool.help", "H"],
];

export class Toolbar {
    readonly root = el("nav", "toolbar");
    private readonly buttons = new Map<Command, HTMLButtonElement>();
    private readonly menu = el("button", "tool menu", icon("menu"));

    constructor(private readonly run: (command: Command) => void) {
        this.root.setAttribute("aria-label", t("tool.tools"));
        this.menu.type = "button";
        this.menu.setAttribute("aria-label", t("tool.tools"));
        this.menu.addEventListener("click", () => this.open(!this.root.classList.contains("open")));
        const panel = el("div", "panel tools-panel", this.group("views", "tool.views", VIEWS), this.group("tools", "tool.tools", TOOLS));
        this.root.append(this.menu, panel);
        this.open(false);
    }

    private open(on: boolean): void {
        setClass(this.root, "open", on);
        this.menu.setAttribute("aria-expanded", String(on));
    }

    private group(name: string, title: MessageKey, tools: readonly Tool[]): HTMLElement {
        const group = el("div", `group ${name}`, ...tools.map((tool) => this.button(tool)));
        group.setAttribute("role", "group");
        group.setAttribute("aria-label", t(title));
        return group;
    }

    private button([command, image, name, key]: Tool): HTMLButtonElement {
        const element = el("button", "tool", icon(image), el("span", "label", t(name), el("kbd", "", key)));
        element.type = "button";
        element.dataset.command = command;
        element.setAttribute("aria-label", t(name));
        element.setAttribute("aria-keyshortcuts", key);
        element.addEventListener("click", () => {
            this.open(false);
            this.run(command);
            element.blur();
        });
        this.buttons.set(command, element);
        return element;
    }

    mark(command: Command, on: boolean): void {
        const element = this.buttons.get(command);
        if (element !== undefined && element.getAttribute("aria-pressed") !== String(on)) {
            setClass(element, "on", on);
            element.setAttribute("aria-pressed", String(on));
        }
    }

    hide(command: Command, hidden: boolean): void {
        const element = this.buttons.get(command);
        if (element !== undefined) {
            setClass(element, "hidden", hidden);
        }
    }
}
