// The keyboard as a controller, and the keys that command the page. Keys are named by their place
// (KeyboardEvent.code), so that WASD lies under the left hand on every layout.
import { bit, FULL, ZERO, type Button, type Sticks } from "./sticks.ts";

export type Command =
    | "top"
    | "orbit"
    | "chase"
    | "first"
    | "station"
    | "home"
    | "sound"
    | "lidar"
    | "reset"
    | "fullscreen"
    | "stats"
    | "help"
    | "pad"
    | "follow"
    | "plots"
    | "trail"
    | "again"
    | "share"
    | "map";

const COMMANDS: Record<string, Command> = {
    Digit1: "top",
    Digit2: "orbit",
    Digit3: "chase",
    Digit4: "first",
    Digit5: "station",
    Digit6: "home",
    KeyL: "lidar",
    KeyR: "reset",
    KeyF: "fullscreen",
    KeyT: "stats",
    KeyH: "help",
    KeyO: "pad",
    KeyN: "follow",
    KeyM: "sound",
    KeyP: "plots",
    KeyI: "trail",
    KeyK: "again",
    KeyU: "share",
    KeyJ: "map",
};

const BUTTON_KEYS: Record<string, Button> = {
    Slash: "a",
    KeyZ: "a",
    Quote: "b",
    KeyX: "b",
    Period: "x",
    KeyC: "x",
    Semicolon: "y",
    KeyV: "y",
    BracketLeft: "leftBumper",
    BracketRight: "rightBumper",
    Numpad8: "up",
    Numpad2: "down",
    Numpad4: "left",
    Numpad6: "right",
    Enter: "start",
    KeyG: "guide",
    KeyB: "back",
};

const AXIS_KEYS = new Set([
    "KeyW",
    "KeyA",
    "KeyS",
    "KeyD",
    "ArrowUp",
    "ArrowLeft",
    "ArrowDown",
    "ArrowRight",
    "KeyQ",
    "KeyE",
]);

/** S shows the statistics, as in other viewers, but only on a page that cannot drive anyone: elsewhere it is the stick's "back". */
export function commandOf(code: string, key: string, canDrive: boolean): Command | null {
    if (key === "?") {
        return "help";
    }
    if (code === "KeyS" && !canDrive) {
        return "stats";
    }
    return COMMANDS[code] ?? null;
}

export function isDriveKey(code: string): boolean {
    return AXIS_KEYS.has(code) || code in BUTTON_KEYS;
}

/** The keys that are down, and the sticks that they make. */
export class KeySticks {
    // In the order in which they went down: of two opposite keys the later one counts.
    private readonly pressed: string[] = [];

    /** True if this changed anything; the operating system's repeats do not. */
    down(code: string): boolean {
        if (!isDriveKey(code) || this.pressed.includes(code)) {
            return false;
        }
        this.pressed.push(code);
        return true;
    }

    up(code: string): boolean {
        const index = this.pressed.indexOf(code);
        if (index >= 0) {
            this.pressed.splice(index, 1);
        }
        return index >= 0;
    }

    clear(): void {
        this.pressed.length = 0;
    }

    private axis(minus: string, plus: string): number {
        return Math.sign(this.pressed.indexOf(plus) - this.pressed.indexOf(minus)) * FULL;
    }

    private trigger(code: string): number {
        return this.pressed.includes(code) ? FULL : 0;
    }

    /** A and D push both sticks aside, so that they steer in two-handed and in one-handed drive. */
    sticks(): Sticks {
        const aside = this.axis("KeyA", "KeyD");
        const arrows = this.axis("ArrowLeft", "ArrowRight");
        let buttons = 0;
        for (const code of this.pressed) {
            const button = BUTTON_KEYS[code];
            buttons |= button === undefined ? 0 : bit(button);
        }
        return {
            ...ZERO,
            lx: aside,
            ly: this.axis("KeyS", "KeyW"),
            rx: arrows !== 0 ? arrows : aside,
            ry: this.axis("ArrowDown", "ArrowUp"),
            lt: this.trigger("KeyQ"),
            rt: this.trigger("KeyE"),
            buttons,
        };
    }
}
