// What a student's robot says of itself, and what one can do to it: press its button, begin anew.
import type { RobotModel, RobotState, Scene, Traits } from "../net/protocol.ts";
import { button, el, setClass, setText } from "../dom.ts";
import { t } from "../messages.ts";
import { degrees, metres, signed } from "../text.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
import { traitRows } from "./traits_text.ts";

export interface RobotPanelEvents {
    press(robot: number, down: boolean): void;
    reset(): void;
    stop(): void;
    push(robot: number): void;
}

function line(label: string): {
    root: HTMLElement;
    value: HTMLElement;
    show(text: string | null): void;
} {
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

// So many characters fit beside the label, and so many values are read at a glance.
const LINE_CHARACTERS = 19;
const IN_A_ROW = 4;

const NOT_MEASURED = "–";

function inRows(texts: readonly string[], count: number): string[] {
    const inARow = Math.ceil(texts.length / count);
    return Array.from({ length: Math.ceil(texts.length / inARow) }, (_, row) =>
        texts.slice(row * inARow, (row + 1) * inARow).join("  "),
    );
}

/** Values in as few rows as fit beside the label, each with as many of them as the others. */
export function list(
    values: readonly (number | null)[],
    format: (value: number) => string,
): string | null {
    const texts = values.map((value) => (value === null ? NOT_MEASURED : format(value)));
    let count = Math.ceil(texts.length / IN_A_ROW);
    while (
        count < texts.length &&
        inRows(texts, count).some((row) => row.length > LINE_CHARACTERS)
    ) {
        count++;
    }
    return texts.length === 0 ? null : inRows(texts, count).join("\n");
}

function isPressKey(event: KeyboardEvent): boolean {
    return event.code === "Space" || event.code === "Enter";
}

/** Names of readings, "NAME.QUANTITY", by sensor, in their order. */
export function groupReadings(names: readonly string[]): [string, string[]][] {
    const groups = new Map<string, string[]>();
    for (const full of names) {
        const dot = full.indexOf(".");
        const name = full.slice(0, dot);
        groups.set(name, [...(groups.get(name) ?? []), full.slice(dot + 1)]);
    }
    return [...groups];
}

export class RobotPanel implements Panel {
    /** Hidden until a robot's first state: only then it is known which rows there are. */
    readonly root = el("div", "panel robot hidden");
    private readonly name = el("h2");
    private readonly enabled = el("span", "badge");
    private readonly lines = {
        pose: line(t("robot.pose")),
        duty: line(t("robot.motors")),
        encoders: line(t("robot.encoders")),
        range: line(t("robot.range")),
        reflectance: line(t("robot.line")),
        servos: line(t("robot.servos")),
        azimuths: line(t("robot.wheels")),
        battery: line(t("robot.battery")),
    };
    /** Above the panel, in a match too: what goes wrong on purpose. */
    readonly faults = el("p", "faults hidden");
    private readonly further = el("div", "further");
    private sensors: { name: string; quantities: string[]; line: ReturnType<typeof line> }[] = [];
    private readonly led = el("i", "led");
    private readonly ledText = el("span");
    private readonly ledLine = el(
        "div",
        "line",
        el("span", "", t("robot.led")),
        el("span", "led-state", this.led, this.ledText),
    );
    private readonly traits = el("details", "traits hidden");
    private readonly traitsTitle = el("summary");
    private readonly traitsBody = el("div");
    private shownTraits: Traits | null = null;
    private readonly press = el("button", "user", t("robot.user"));
    private readonly push: HTMLElement;
    private scene: Scene | null = null;
    private held = -1; // the robot whose button is pressed here

    constructor(
        private readonly store: Store,
        private readonly events: RobotPanelEvents,
    ) {
        const head = el("div", "head", this.name, this.enabled);
        const stop = button("stop", t("stop.label"), t("stop.title"), () => this.events.stop());
        const reset = button("reset", t("robot.reset"), t("robot.resetTitle"), () =>
            this.events.reset(),
        );
        this.push = button("push", t("robot.push"), t("robot.pushTitle"), () =>
            this.events.push(this.store.followed),
        );
        const { pose, duty, encoders, range, reflectance, servos, azimuths, battery } = this.lines;
        this.root.append(
            head,
            pose.root,
            duty.root,
            encoders.root,
            range.root,
            reflectance.root,
            servos.root,
            azimuths.root,
            this.further,
            battery.root,
            this.ledLine,
            this.traits,
            el("div", "actions", stop, this.press, this.push, reset),
        );
        this.traits.append(this.traitsTitle, this.traitsBody);
        this.press.type = "button";
        this.press.addEventListener("pointerdown", (event) => {
            this.press.setPointerCapture(event.pointerId);
            this.held = this.store.followed;
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
                this.held = this.store.followed;
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

    private setScene(scene: Scene): void {
        this.scene = scene;
        setClass(this.root, "hidden", true);
        setClass(this.faults, "hidden", scene.faults === "");
        setText(this.faults, t("robot.faults", { spec: scene.faults }));
    }

    update(): void {
        const { scene, shown, followed, isBoard } = this.store;
        if (scene !== null && scene !== this.scene) {
            this.setScene(scene);
        }
        const model = scene?.robots[followed];
        const state = shown?.robots[followed];
        if (isBoard && model !== undefined && state !== undefined) {
            this.show(model, state);
        }
    }

    private show(model: RobotModel, state: RobotState): void {
        setClass(this.root, "hidden", false);
        setText(this.name, model.name === "" ? model.kind.toUpperCase() : model.name);
        setClass(this.enabled, "hidden", state.enabled === undefined);
        setText(this.enabled, t(state.enabled === true ? "word.enabled" : "word.disabled"));
        setClass(this.enabled, "on", state.enabled === true);
        const l = this.lines;
        l.pose.show(`${metres(state.at[0])}  ${metres(state.at[1])} m  ${degrees(state.at[2])}`);
        l.duty.show(list(state.duty, (v) => signed(v * 100, 0)));
        l.encoders.show(list(state.encoders, (v) => signed(v, 0)));
        l.range.show(this.rangeText(model, state));
        l.reflectance.show(list(state.reflectance, (v) => v.toFixed(2)));
        l.servos.show(list(state.servos, (v) => `${(90 + (v * 180) / Math.PI).toFixed(0)}°`));
        l.azimuths.show(list(state.azimuths, degrees));
        l.battery.show(state.battery === undefined ? null : `${state.battery.toFixed(2)} V`);
        this.showFurther(state.readings);
        this.showSwitches(state);
        this.showTraits(model.traits);
    }

    /** The robot's own sheet: how it differs from others of its type. */
    private showTraits(traits: Traits | null): void {
        if (traits === this.shownTraits) {
            return;
        }
        this.shownTraits = traits;
        setClass(this.traits, "hidden", traits === null);
        if (traits !== null) {
            setText(this.traitsTitle, t("traits.title", { name: traits.name }));
            const rows = traitRows(traits).map(([label, text]) => {
                const row = line(t(label));
                row.show(text);
                return row.root;
            });
            this.traitsBody.replaceChildren(
                el("p", "", t(rows.length === 0 ? "traits.ideal" : "traits.about")),
                ...rows,
            );
        }
    }

    /** A line a sensor, with all that it reads: what that is, its tooltip says. */
    private showFurther(readings: Readonly<Record<string, number>>): void {
        const names = Object.keys(readings);
        if (
            names.join() !==
            this.sensors
                .flatMap(({ name, quantities }) => quantities.map((q) => `${name}.${q}`))
                .join()
        ) {
            this.sensors = groupReadings(names).map(([name, quantities]) => ({
                name,
                quantities,
                line: line(name),
            }));
            this.further.replaceChildren(...this.sensors.map(({ line: { root } }) => root));
            this.sensors.forEach(({ name, quantities, line: { root } }) => {
                root.title = quantities.map((quantity) => `${name}.${quantity}`).join(", ");
            });
        }
        for (const { name, quantities, line: shown } of this.sensors) {
            const digits = quantities[0] === "range_m" ? 3 : 2;
            const unit = quantities[0] === "range_m" ? " m" : "";
            shown.show(
                list(
                    quantities.map((quantity) => readings[`${name}.${quantity}`] ?? 0),
                    (v) => `${v.toFixed(digits)}${unit}`,
                ),
            );
        }
    }

    private rangeText(model: RobotModel, state: RobotState): string | null {
        if (state.range === undefined) {
            return null;
        }
        if (state.range === null) {
            return NOT_MEASURED;
        }
        const far = model.rangeCone?.far ?? Infinity;
        return state.range >= far
            ? t("robot.rangeNone", { far: far.toFixed(1) })
            : `${state.range.toFixed(3)} m`;
    }

    private showSwitches(state: RobotState): void {
        setClass(this.ledLine, "hidden", state.led === undefined);
        setClass(this.led, "on", state.led === true);
        setText(this.ledText, t(state.led === true ? "robot.on" : "robot.off"));
        setClass(this.press, "hidden", state.button === undefined);
        setClass(this.press, "down", state.button === true);
        setClass(this.push, "hidden", state.button === undefined);
    }
}
