// A match as a person sees it: what to press, the count-down, scores, the end. Turns what happened (match_events.ts) into
// words, pictures and sounds.
import { Call, ResultCard, winner, type Prompt } from "./call.ts";
import { Countdown } from "./countdown.ts";
import { ImpactFinder, type Impact } from "./impacts.ts";
import { MatchWatcher, type Alliance, type MatchEvent, type Phase } from "./match_events.ts";
import { t } from "../messages.ts";
import type { Device, Store } from "../store.ts";
import type { MatchState, PlayerStatus, Scene, State } from "../net/protocol.ts";

// A blow that changes a robot's speed by this much is as strong as they are shown.
const STRONGEST_M_S = 5;

/** What a match makes the rest of the page do. */
export interface ShowEvents {
    /** Presses Start on the controller of whoever is driven. */
    pressStart(): void;
    reset(): void;
    watchAgain(): void;
    announce(text: string): void;
    event(event: MatchEvent): void;
    impact(impact: Impact, strength: number): void;
    count(step: number | "go"): void;
}

// A player who has scored once knows how.
const LESSONS = 1;

export class MatchShow {
    readonly call = new Call();
    readonly result: ResultCard;
    private watcher: MatchWatcher | null = null;
    private impacts: ImpactFinder | null = null;
    private readonly countdown = new Countdown();
    private scene: Scene | null = null;
    private match: MatchState | null = null;
    private isSilent = false;

    constructor(
        private readonly store: Store,
        private readonly events: ShowEvents,
    ) {
        this.result = new ResultCard(
            () => this.events.reset(),
            () => this.events.watchAgain(),
        );
    }

    setScene(scene: Scene): void {
        this.scene = scene;
        this.match = null;
        this.watcher = scene.kind === "match" ? new MatchWatcher(scene) : null;
        this.impacts = scene.kind === "match" ? new ImpactFinder(scene) : null;
        this.countdown.cancel();
        this.call.clear();
        this.result.hide();
    }

    get phase(): Phase | "countdown" {
        return this.countdown.isRunning ? "countdown" : (this.watcher?.phase ?? "ready");
    }

    holder(piece: number): number {
        return this.watcher?.holder(piece) ?? -1;
    }

    aboard(robot: number): number {
        return this.watcher?.aboard(robot) ?? 0;
    }

    // ------------------------------------------------------------------ what happens

    see(state: State): void {
        this.match = state.match;
        this.watcher?.see(state).forEach((event) => this.take(event));
        this.impacts?.see(state).forEach((impact) => {
            this.events.impact(impact, Math.min(1, impact.speed / STRONGEST_M_S));
        });
    }

    private take(event: MatchEvent): void {
        this.events.event(event);
        if (event.kind === "score") {
            this.announceScore(event.alliance, event.player);
            return;
        }
        if (event.kind === "aboard") {
            return;
        }
        this.countdown.cancel();
        this.announceClock(event.kind);
        if (event.kind === "over") {
            this.showResult();
        } else if (event.kind !== "ten") {
            this.result.hide();
        }
        if (event.kind === "start") {
            this.call.flash(t("call.go"));
        }
    }

    private announceScore(alliance: Alliance, player: number): void {
        const values = {
            alliance: t(`alliance.${alliance}`),
            player,
            blue: this.match?.blue ?? 0,
            red: this.match?.red ?? 0,
        };
        this.events.announce(t(player > 0 ? "say.scoreBy" : "say.score", values));
    }

    private announceClock(kind: "start" | "pause" | "resume" | "ten" | "over" | "reset"): void {
        const { blue, red } = this.match ?? { blue: 0, red: 0 };
        const sentences = {
            start: t("say.start"),
            pause: t("say.paused"),
            resume: t("say.resumed"),
            ten: t("say.ten"),
            reset: t("say.reset"),
            over: t("say.over", { blue, red, winner: winner(blue, red) }),
        };
        this.events.announce(sentences[kind]);
    }

    private showResult(): void {
        const balls = this.watcher?.balls ?? new Map<number, number>();
        const robots = this.scene?.robots ?? [];
        const rows = [...balls]
            .toSorted((a, b) => b[1] - a[1])
            .map(([player, count]) => {
                const robot = robots.find((model) => model.player === player);
                return {
                    player,
                    name: robot?.name ?? "",
                    alliance: (robot?.alliance.toLowerCase() ?? "") as Alliance | "",
                    balls: count,
                };
            });
        this.result.show({
            blue: this.match?.blue ?? 0,
            red: this.match?.red ?? 0,
            rows,
            canReset: this.store.seats.canDrive(),
        });
    }

    // ------------------------------------------------------------------ what people do

    /** Start was pressed. True if the page takes care of it: before a match it counts down, or stops counting. */
    startPressed(nowMs: number): boolean {
        const phase = this.phase;
        if (phase === "countdown") {
            this.countdown.cancel();
            this.call.clear();
            return true;
        }
        if (phase === "ready" && this.match !== null) {
            this.countdown.begin(nowMs);
            return true;
        }
        if (phase === "over") {
            this.events.reset();
            return true;
        }
        return false;
    }

    /** Why sticks do nothing now, in a sentence; null if they should. */
    whyDead(player: number, status: PlayerStatus | undefined): string | null {
        if (this.isSilent) {
            return t("why.silent");
        }
        if (this.phase === "over") {
            return t("why.over");
        }
        if (status?.core === false || status?.heard === false) {
            return t("why.core", { player });
        }
        return null;
    }

    // ------------------------------------------------------------------ time

    /** Call often. */
    tick(nowMs: number): void {
        const step = this.countdown.step(nowMs);
        if (step === null) {
            return;
        }
        this.events.count(step);
        if (step === "go") {
            this.events.pressStart();
        } else {
            this.call.flash(String(step));
            this.events.announce(String(step));
        }
    }

    /** What to press next, by what was used last. */
    update(nowMs: number): void {
        const { shows, device } = this.store;
        this.isSilent = this.store.isSilent(nowMs);
        const isTouch = shows.pad && device === "keys" && matchMedia("(pointer: coarse)").matches;
        this.call.show(this.prompt(isTouch ? "touch" : device));
    }

    /** Whoever carries a ball and has never scored is told what to do with it. */
    private lesson(device: Device): Prompt | null {
        const robot = this.store.activeRobot();
        const player = this.store.active;
        const isNew =
            robot >= 0 &&
            this.aboard(robot) > 0 &&
            (this.watcher?.balls.get(player) ?? 0) < LESSONS;
        return isNew
            ? { title: "", note: t("call.aboard", { key: device === "keys" ? "E" : "RT" }) }
            : null;
    }

    private prompt(device: Device): Prompt | null {
        const canDrive = this.store.seats.canDrive();
        const drives = this.store.owned.length > 0;
        if (this.match === null || this.isSilent) {
            return null;
        }
        const key = device === "pad" ? "Start" : "Enter";
        const press = (
            keys: "call.start" | "call.resume",
            touch: "call.startTouch" | "call.resumeTouch",
        ): string => (device === "touch" ? t(touch) : t(keys, { key }));
        switch (this.phase) {
            case "ready":
                if (!canDrive) {
                    return { title: t("call.startWatch"), note: "" };
                }
                return drives
                    ? { title: press("call.start", "call.startTouch"), note: "" }
                    : {
                          title:
                              device === "touch"
                                  ? t("call.driveTouch")
                                  : t("call.drive", { key: "W" }),
                          note: press("call.start", "call.startTouch"),
                      };
            case "countdown":
                return {
                    title: "",
                    note: t("call.cancel", { key: device === "touch" ? "Start" : key }),
                };
            case "paused":
                return {
                    title: t("call.paused"),
                    note: canDrive ? press("call.resume", "call.resumeTouch") : "",
                };
            case "running":
                return this.lesson(device);
            case "over":
                return null;
        }
    }
}
