// What a student's robot says of itself, and what one can do to it: press its button, begin anew.
import type { RobotModel, RobotState, Scene } from "./protocol.ts";
import { button, el, setClass, setText } from "./dom.ts";
import { degrees, metres, signed } from "./text.ts";

export interface RobotPanelEvents {
    press(robot: number, down: boolean): void;
    reset(): void;
}

function line(label: string): { root: HTMLElement; value: HTMLElement; show(text: string | null): void } {
    const value = el("b");
    const root = el("div", "line", el("span", "", label), value);
    return {
        root,
        value,
        show(text) {
            setClass(root, "hidden", text === null);
            setText(value, text ?? "");
        },
    };
}

// More beside each other would run into the label.
const IN_A_ROW = 4;

function list(values: readonly number[], format: (value: number) => string): string | null {
    const rows = [];
    for (let i = 0; i < values.length; i += IN_A_ROW) {
        rows.push(values.slice(i, i + IN_A_ROW).map(format).join("  "));
    }
    return rows.length === 0 ? null : rows.join("\n");
}

function isPressKey(event: KeyboardEvent): boolean {
    return event.code === "Space" || event.code === "Enter";
}

export class RobotPanel {
    readonly root = el("section", "panel robot");
    private readonly name = el("h2");
    private readonly enabled = el("span", "badge");
    private readonly lines = {
        pose: line("Pose"), duty: line("Motors %"), encoders: line("Encoders"), range: line("Range"),
        reflectance: line("Line"), servos: line("Servos"), azimuths: line("Wheels"), battery: line("Battery"),
    };
    private readonly led = el("i", "led");
    private readonly ledLine = el("div", "line", el("span", "", "LED"), this.led);
    private readonly press = el("button", "user", "User button");
    private index = 0;
    private held = -1; // the robot whose button is pressed here

    constructor(private readonly events: RobotPanelEvents) {
        const head = el("div", "head", this.name, this.enabled);
        const reset = button("reset", "Reset", "The world begins anew (R)", () => this.events.reset());
        const { pose, duty, encoders, range, reflectance, servos, azimuths, battery } = this.lines;
        this.root.append(
            head, pose.root, duty.root, encoders.root, range.root, reflectance.root, servos.root, azimuths.root,
            battery.root, this.ledLine, el("div", "actions", this.press, reset),
        );
        this.press.type = "button";
        this.press.addEventListener("pointerdown", (event) => {
            this.press.setPointerCapture(event.pointerId);
            this.held = this.index;
            this.events.press(this.held, true);
        });
        for (const name of ["pointerup", "pointercancel", "lostpointercapture", "blur"] as const) {
            this.press.addEventListener(name, () => this.letGo());
        }
        this.press.addEventListener("keydown", (event) => this.keyDown(event));
        this.press.addEventListener("keyup", (event) => {
            if (isPressKey(event)) {
                this.letGo();
            }
        });
    }

    private keyDown(event: KeyboardEvent): void {
        if (isPressKey(event)) {
            event.preventDefault();
            if (!event.repeat && this.held < 0) {
                this.held = this.index;
                this.events.press(this.held, true);
            }
        }
    }

    /** Nothing stays held when the page loses the focus. */
    letGo(): void {
        if (this.held >= 0) {
            this.events.press(this.held, false);
            this.held = -1;
        }
    }

    setScene(scene: Scene, mayCommand: boolean): void {
        setClass(this.root, "hidden", scene.kind !== "board");
        setClass(this.root, "watching", !mayCommand);
    }

    update(index: number, model: RobotModel | undefined, state: RobotState | undefined): void {
        if (model === undefined || state === undefined) {
            return;
        }
        this.index = index;
        setText(this.name, model.name === "" ? model.kind.toUpperCase() : model.name);
        setClass(this.enabled, "hidden", state.enabled === undefined);
        setText(this.enabled, state.enabled === true ? "enabled" : "disabled");
        setClass(this.enabled, "on", state.enabled === true);
        const l = this.lines;
        l.pose.show(`${metres(state.at[0])}  ${metres(state.at[1])} m  ${degrees(state.at[2])}`);
        l.duty.show(list(state.duty, (v) => signed(v * 100, 0)));
        l.encoders.show(list(state.encoders, (v) => signed(v, 0)));
        l.range.show(this.rangeText(model, state));
        l.reflectance.show(list(state.reflectance, (v) => v.toFixed(2)));
        l.servos.show(list(state.servos, (v) => `${signed((v * 180) / Math.PI, 0)}°`));
        l.azimuths.show(list(state.azimuths, degrees));
        l.battery.show(state.battery === undefined ? null : `${state.battery.toFixed(2)} V`);
        this.showSwitches(state);
    }

    private rangeText(model: RobotModel, state: RobotState): string | null {
        if (state.range === undefined) {
            return null;
        }
        const far = model.rangeCone?.far ?? Infinity;
        return state.range >= far ? `none within ${far.toFixed(1)} m` : `${state.range.toFixed(3)} m`;
    }

    private showSwitches(state: RobotState): void {
        setClass(this.ledLine, "hidden", state.led === undefined);
        setClass(this.led, "on", state.led === true);
        setClass(this.press, "hidden", state.button === undefined);
        setClass(this.press, "down", state.button === true);
    }
}
