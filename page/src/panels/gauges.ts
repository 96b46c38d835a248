// The corner of one's own robot: pose, wheel speeds, and how long a stick takes to show.
import type { MatchShow } from "../match/match_show.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
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

export class Gauges implements Panel {
    readonly root = el("section", "panel gauges");
    private readonly name = el("h2");
    private readonly pose = el("p", "pose");
    private readonly left = bar();
    private readonly right = bar();
    private readonly wheels = el("div", "wheels");
    private readonly aboard = el("p", "aboard hidden");
    private readonly latency = el("p", "latency-line");

    constructor(
        private readonly store: Store,
        private readonly show: Pick<MatchShow, "aboard">,
    ) {
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

    update(): void {
        const { store } = this;
        const model = store.scene?.robots[store.followed];
        const state = store.shown?.robots[store.followed];
        const isShown = store.isMatch && model !== undefined && state !== undefined;
        setClass(this.root, "hidden", !isShown);
        if (!isShown) {
            return;
        }
        const aboard = this.show.aboard(store.followed);
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
        setClass(this.latency, "hidden", store.owned.length === 0);
        setText(
            this.latency,
            t("gauge.latency", {
                time: store.stickMs === null ? "–" : milliseconds(store.stickMs),
            }),
        );
    }
}
