// The corner of one's own robot: pose, wheel speeds, and how long a stick takes to show.
import type { RobotModel, RobotState } from "../net/protocol.ts";
import { el, setClass, setStyle, setText } from "../dom.ts";
import { t } from "../messages.ts";
import { degrees, metres, milliseconds, signed } from "../text.ts";

// A full bar: the reference robot's fastest wheel, rad/s.
const FULL_RAD_S = 87.3;

function bar(): { root: HTMLElement; set(share: number, text: string): void } {
    const fill = el("i");
    const value = el("b");
    const root = el("div", "bar", el("span", "track", fill), value);
    return {
        root,
        set(share, text) {
            const s = Math.max(-1, Math.min(1, share));
            setStyle(fill, "transform", `scaleX(${s.toFixed(3)})`);
            setText(value, text);
        },
    };
}

export class Gauges {
    readonly root = el("section", "panel gauges");
    private readonly name = el("h2");
    private readonly pose = el("p", "pose");
    private readonly left = bar();
    private readonly right = bar();
    private readonly wheels = el("div", "wheels");
    private readonly aboard = el("p", "aboard hidden");
    private readonly latency = el("p", "latency-line");

    constructor() {
        this.wheels.append(
            el("span", "", "L"),
            this.left.root,
            el("span", "", "R"),
            this.right.root,
        );
        this.root.append(this.name, this.pose, this.aboard, this.wheels, this.latency);
        this.wheels.title = t("gauge.wheels");
        this.latency.title = t("gauge.latencyTitle");
    }

    update(
        model: RobotModel | undefined,
        state: RobotState | undefined,
        stickMs: number | null,
        drives: boolean,
        aboard: number,
    ): void {
        setClass(this.root, "hidden", model === undefined || state === undefined);
        if (model === undefined || state === undefined) {
            return;
        }
        const [x, y, heading] = state.at;
        setText(
            this.name,
            model.player > 0
                ? t("gauge.player", { player: model.player, name: model.name })
                : model.name,
        );
        setText(this.pose, `x ${metres(x)} m   y ${metres(y)} m   ${degrees(heading)}`);
        setClass(this.aboard, "hidden", aboard === 0);
        setText(this.aboard, t("gauge.aboard", { count: aboard }));
        setClass(this.wheels, "hidden", state.drive.length < 2);
        const [l = 0, r = 0] = state.drive;
        this.left.set(l / FULL_RAD_S, signed(l, 1));
        this.right.set(r / FULL_RAD_S, signed(r, 1));
        setClass(this.latency, "hidden", !drives);
        setText(
            this.latency,
            t("gauge.latency", { time: stickMs === null ? "–" : milliseconds(stickMs) }),
        );
    }
}
