// The top of the page: scores and the match timer, or the name of a board's world.
import type { Scene } from "../net/protocol.ts";
import type { Alliance } from "../match/match_events.ts";
import type { MatchShow } from "../match/match_show.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
import { el, setClass, setText } from "../dom.ts";
import { t } from "../messages.ts";
import { clock } from "../text.ts";

const POP_MS = 900;
const LAST_S = 10;

export class Scoreboard implements Panel {
    readonly root = el("div", "panel scoreboard");
    private scene: Scene | null = null;
    private readonly scores = { blue: el("b", "", "0"), red: el("b", "", "0") };
    private readonly sides: Record<Alliance, HTMLElement>;
    private readonly timer = el("span", "timer", "–:––");
    private readonly phase = el("span", "phase", "");
    private readonly title = el("span", "title", "");

    constructor(
        private readonly store: Store,
        private readonly show: Pick<MatchShow, "phase">,
    ) {
        const side = (alliance: Alliance): HTMLElement => {
            const root = el(
                "span",
                `score ${alliance}`,
                el("small", "", t(`alliance.${alliance}`)),
                this.scores[alliance],
            );
            root.title = t(`score.${alliance}`);
            return root;
        };
        this.sides = { blue: side("blue"), red: side("red") };
        this.root.setAttribute("role", "group");
        this.root.setAttribute("aria-label", t("score.label"));
        this.timer.title = t("score.timer");
    }

    private setScene(scene: Scene): void {
        this.scene = scene;
        setText(this.title, scene.title);
        setClass(this.root, "board", scene.kind === "board");
        if (scene.kind === "board") {
            this.root.replaceChildren(this.title);
        } else {
            this.root.replaceChildren(
                this.sides.blue,
                el("div", "middle", this.timer, this.phase),
                this.sides.red,
            );
        }
    }

    /** A ball was scored: the side's number grows for a moment, and "+1" rises from it. */
    pop(alliance: Alliance): void {
        const plus = el("i", "plus", "+1");
        plus.setAttribute("aria-hidden", "true");
        const side = this.sides[alliance];
        side.classList.remove("pop");
        void side.offsetWidth; // or the animation would not begin anew
        side.classList.add("pop");
        side.append(plus);
        setTimeout(() => {
            plus.remove();
            side.classList.remove("pop");
        }, POP_MS);
    }

    update(): void {
        const { scene, shown } = this.store;
        if (scene !== null && scene !== this.scene) {
            this.setScene(scene);
        }
        const match = shown?.match ?? null;
        if (match === null) {
            return;
        }
        const phase = this.show.phase;
        setText(this.scores.blue, String(match.blue));
        setText(this.scores.red, String(match.red));
        setText(this.timer, clock(match.timer));
        setText(this.phase, t(`phase.${phase}`));
        setClass(this.root, "paused", phase === "paused");
        setClass(this.timer, "last", phase === "running" && match.timer <= LAST_S);
        setClass(this.timer, "over", phase === "over");
    }
}
