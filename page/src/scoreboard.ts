// The top of the page: scores and the match timer, or the name of a board's world.
import type { MatchState, Scene } from "./protocol.ts";
import { el, setClass, setText } from "./dom.ts";
import { clock, clockMood } from "./text.ts";

export class Scoreboard {
    readonly root = el("header", "scoreboard");
    private readonly blue = el("span", "score blue", "0");
    private readonly red = el("span", "score red", "0");
    private readonly timer = el("span", "timer", "–:––");
    private readonly phase = el("span", "phase", "");
    private readonly title = el("span", "title", "");

    constructor() {
        this.blue.title = "Blue's score";
        this.red.title = "Red's score";
        this.timer.setAttribute("role", "timer");
    }

    setScene(scene: Scene): void {
        setText(this.title, scene.title);
        setClass(this.root, "board", scene.kind === "board");
        if (scene.kind === "board") {
            this.root.replaceChildren(this.title);
        } else {
            this.root.replaceChildren(this.blue, el("div", "middle", this.timer, this.phase), this.red);
        }
    }

    update(match: MatchState | null): void {
        if (match === null) {
            return;
        }
        const mood = clockMood(match.timer, match.runs);
        setText(this.blue, String(match.blue));
        setText(this.red, String(match.red));
        setText(this.timer, clock(match.timer));
        setText(this.phase, mood === "over" ? "finished" : match.runs ? "running" : "ready");
        setClass(this.timer, "last", mood === "last");
        setClass(this.timer, "over", mood === "over");
    }
}
