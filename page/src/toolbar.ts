// Buttons for what the keys do, for those who have none.
import { el, setClass } from "./dom.ts";
import { icon, type Icon } from "./icons.ts";
import type { Command } from "./keys.ts";

const VIEWS: [Command, Icon, string][] = [
    ["home", "home", "Whole field (Space)"],
    ["top", "top", "From above (1)"],
    ["orbit", "orbit", "Around the robot (2)"],
    ["chase", "chase", "Behind the robot (3)"],
    ["first", "first", "Through its eyes (4)"],
];

const TOOLS: [Command, Icon, string][] = [
    ["lidar", "lidar", "Lidar (L)"],
    ["pad", "pad", "On-screen controller (O)"],
    ["stats", "stats", "Statistics (T)"],
    ["fullscreen", "full", "Full screen (F)"],
    ["help", "help", "Help (H)"],
];

export class Toolbar {
    readonly root = el("nav", "toolbar");
    private readonly buttons = new Map<Command, HTMLButtonElement>();

    constructor(run: (command: Command) => void) {
        for (const group of [VIEWS, TOOLS]) {
            const box = el("div", "panel group");
            for (const [command, name, title] of group) {
                const element = el("button", "tool", icon(name));
                element.type = "button";
                element.title = title;
                element.dataset.command = command;
                element.setAttribute("aria-label", title);
                element.addEventListener("click", () => {
                    run(command);
                    element.blur();
                });
                this.buttons.set(command, element);
                box.append(element);
            }
            this.root.append(box);
        }
    }

    mark(command: Command, on: boolean): void {
        const element = this.buttons.get(command);
        if (element !== undefined) {
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
