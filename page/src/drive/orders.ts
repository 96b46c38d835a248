// What people order robots to do beside driving them: stop, reset, press a button. Whatever cannot be done says why.
import type { MatchShow } from "../match/match_show.ts";
import type { Resets } from "../match/resets.ts";
import { t, type MessageKey } from "../messages.ts";
import type { PageMessage } from "../net/wire.ts";
import type { Store } from "../store.ts";
import type { Hands } from "./hands.ts";

// A reset while the clock runs is asked for again within this time.
const RESET_SURE_MS = 3000;

export interface OrderParts {
    hands: Pick<Hands, "drive" | "pulse" | "stop">;
    show: Pick<MatchShow, "phase" | "startPressed" | "whyDead">;
    resets: Resets;
    send(text: PageMessage): void;
    say(text: string): void;
    follow(robot: number): void;
    now(): number;
}

export class Orders {
    private resetAskedMs = -Infinity;
    private isStopAsked = false;

    constructor(
        private readonly store: Store,
        private readonly parts: OrderParts,
    ) {}

    // ------------------------------------------------------------------ stop

    /** Space stops, wherever the focus is, as long as a robot is enabled; else it presses what has the focus. */
    stopKey(isTaken: boolean, isRepeated: boolean): boolean {
        const { store } = this;
        if (store.scene === null || store.isRecording || (isTaken && !store.isEnabled())) {
            return false;
        }
        if (!isRepeated && store.isBoard) {
            this.stop();
        } else if (!isRepeated && store.seats.mayCommand) {
            this.parts.hands.stop();
            this.parts.say(t("stop.sticks"));
        }
        return true;
    }

    /** Sent in any case: what this page shows may be old. */
    stop(): void {
        this.parts.send("stop");
        if (!this.store.seats.mayCommand) {
            this.parts.say(t("stop.watcher"));
        } else if (this.store.isEnabled()) {
            this.isStopAsked = true;
        } else if (!this.store.isHeld()) {
            this.parts.say(t("stop.already"));
        }
    }

    /** The robot stands: said once, and not where a sentence says so for as long as it is held. */
    update(): void {
        if (this.isStopAsked && !this.store.isEnabled()) {
            this.isStopAsked = false;
            if (!this.store.isHeld()) {
                this.parts.say(t("stop.done"));
            }
        }
    }

    // ------------------------------------------------------------------ reset

    /** `isSure`: nobody needs to be asked. */
    reset(isSure = false): void {
        if (!this.store.seats.mayCommand) {
            this.parts.say(t("reset.watcher"));
        } else if (this.store.isBoard) {
            this.parts.send("reset");
        } else if (isSure || this.mayReset()) {
            this.resetMatch();
        }
    }

    /** The reset is a button of a controller: without a robot of one's own, the first free one's is pressed. */
    private resetMatch(): void {
        const { hands } = this.parts;
        if (!hands.pulse("guide")) {
            const player = this.store.seats.firstFree(this.store.followed);
            if (player > 0) {
                hands.drive(player);
                hands.pulse("guide");
            } else {
                this.parts.say(t("reset.driveFirst"));
            }
        }
    }

    /** While the clock runs a reset takes two presses. */
    private mayReset(): boolean {
        const now = this.parts.now();
        const isSure =
            this.parts.show.phase !== "running" || now - this.resetAskedMs < RESET_SURE_MS;
        this.resetAskedMs = isSure ? -Infinity : now;
        if (!isSure) {
            this.parts.say(t("reset.confirm"));
        }
        return isSure;
    }

    /** The program says that somebody reset it; player 0: a board's world. */
    resetHappened(player: number, name: string, nowMs: number): void {
        if (player > 0) {
            this.parts.resets.pressed(player, name, nowMs);
        } else {
            this.parts.say(t(this.store.isEnabled() ? "reset.drivesOn" : "reset.done"));
        }
    }

    // ------------------------------------------------------------------ buttons

    /** Start and Guide are the robot's program's, but for a start that is counted down and a reset that is asked for. */
    buttonPressed(button: "start" | "guide"): boolean {
        return button === "start"
            ? this.parts.show.startPressed(this.parts.now())
            : !this.mayReset();
    }

    /** A robot's own button. */
    press(robot: number, down: boolean): void {
        this.parts.send(`button ${robot + 1} ${down ? "down" : "up"}`);
    }

    /** The robot was moved while it calibrated its gyro. */
    push(robot: number): void {
        this.parts.send(`push ${robot + 1}`);
        this.parts.say(t(this.store.seats.mayCommand ? "robot.pushed" : "link.watching"));
    }

    // ------------------------------------------------------------------ driving

    /** Whoever drives a robot sees it, whomever the page followed before; and hears why it stands still. */
    driven(player: number): void {
        const { seats, followed } = this.store;
        const status = seats.players.find((one) => one.player === player);
        const why = this.parts.show.whyDead(player, status);
        if (why !== null) {
            this.parts.say(why);
        }
        const robot = seats.robotOf(player);
        if (robot >= 0 && robot !== followed) {
            this.parts.follow(robot);
        }
    }

    explainNoPlayer(): void {
        const { store } = this;
        if (store.scene !== null) {
            const isPast = store.isAgain || store.isRecording;
            this.parts.say(
                t(
                    isPast
                        ? "replay.nobodyDrives"
                        : store.seats.mayCommand
                          ? this.whoDrivesKey()
                          : "link.watching",
                ),
            );
        } // else nobody knows yet
    }

    /** A board's robot is driven by its program, in a terminal. */
    private whoDrivesKey(): MessageKey {
        const robot = this.store.live?.robots[this.store.followed];
        if (this.store.isMatch) {
            return "seat.allTaken";
        }
        if (robot?.driven !== true) {
            return "board.noProgram";
        }
        if (robot.enabled === true) {
            return "board.drives";
        }
        return robot.stopped === true ? "stop.held" : "board.enable";
    }
}
