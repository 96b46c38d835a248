// What happened in a match between one state and the next: starts, pauses, scores, who scored, what a robot carries. Knows no
// browser.
import type { MatchState, Scene, State } from "../net/protocol.ts";
import { looksOf } from "../scene/looks.ts";

export type Phase = "ready" | "running" | "paused" | "over";
export type Alliance = "blue" | "red";

export type MatchEvent =
    | { kind: "start" | "pause" | "resume" | "ten" | "over" | "reset" }
    /** `player`: who brought the ball, 0 if that was not seen. */
    | { kind: "score"; alliance: Alliance; player: number }
    | { kind: "aboard"; robot: number };

// Where a piece is (docs/spec/icd.md, ingestionState).
const IN_TUBE = 4;
const IN_GOAL: Record<number, Alliance> = { 5: "blue", 6: "red" };

// A ball that a robot only drives over is in its tube for less than this.
const HELD_S = 0.25;

// A ball that left a tube this long ago flies no more.
const FLIGHT_S = 3;

const LAST_S = 10;

/** `fullS`: how long a match lasts. */
export function phaseOf(match: MatchState, fullS: number): Phase {
    if (match.timer <= 0) {
        return "over";
    }
    if (match.runs) {
        return "running";
    }
    return match.timer < fullS - 1e-3 ? "paused" : "ready";
}

interface Carried {
    robot: number;
    sinceS: number;
    untilS: number;
    isAnnounced: boolean;
    hasLeft: boolean;
}

export class MatchWatcher {
    /** Balls by player, as far as this page saw them. */
    readonly balls = new Map<number, number>();
    phase: Phase = "ready";
    private fullS = 0;
    private before: State | null = null;
    private carried = new Map<number, Carried>();

    private readonly isOfMatch: boolean[];

    constructor(private readonly scene: Scene) {
        this.isOfMatch = scene.robots.map((robot) => looksOf(robot) === "match");
    }

    /** The length of a match: what the program says, or the longest time left that was seen. */
    private learnLength(match: MatchState): void {
        this.fullS = this.scene.matchSeconds ?? Math.max(this.fullS, match.timer);
    }

    see(state: State): MatchEvent[] {
        const match = state.match;
        if (match === null) {
            return [];
        }
        const events: MatchEvent[] = [];
        this.learnLength(match);
        const was = this.phase;
        this.phase = phaseOf(match, this.fullS);
        const before = this.before;
        this.before = state;
        if (before === null || before.match === null) {
            this.follow(state, events);
            return events;
        }
        this.follow(state, events);
        if (this.isReset(was, before.match, match)) {
            this.balls.clear();
            this.carried.clear();
            events.push({ kind: "reset" });
        }
        this.seeClock(was, before.match, match, events);
        this.seeScores(before, state, events);
        return events;
    }

    private isReset(was: Phase, before: MatchState, now: MatchState): boolean {
        const isFresh = this.phase === "ready" && now.blue === 0 && now.red === 0;
        return isFresh && (was !== "ready" || before.blue > 0 || before.red > 0);
    }

    private seeClock(was: Phase, before: MatchState, now: MatchState, events: MatchEvent[]): void {
        if (this.phase === "running" && was !== "running") {
            events.push({ kind: was === "paused" ? "resume" : "start" });
        } else if (this.phase === "paused" && was === "running") {
            events.push({ kind: "pause" });
        } else if (this.phase === "over" && was !== "over") {
            events.push({ kind: "over" });
        }
        if (this.phase === "running" && before.timer > LAST_S && now.timer <= LAST_S) {
            events.push({ kind: "ten" });
        }
    }

    // ------------------------------------------------------------------ balls

    private nearest(state: State, x: number, y: number): number {
        let best = -1;
        let shortest = Infinity;
        state.robots.forEach((robot, index) => {
            const distance = Math.hypot(robot.at[0] - x, robot.at[1] - y);
            if (distance < shortest && this.isOfMatch[index] === true) {
                best = index;
                shortest = distance;
            }
        });
        return best;
    }

    private follow(state: State, events: MatchEvent[]): void {
        state.pieces.forEach(([x = 0, y = 0, , ingestion = 0], piece) => {
            let carried = this.carried.get(piece);
            if (ingestion !== IN_TUBE) {
                if (carried !== undefined) {
                    carried.hasLeft = true;
                }
                return;
            }
            const robot = this.nearest(state, x, y);
            if (
                carried === undefined ||
                carried.hasLeft ||
                carried.robot !== robot ||
                state.t < carried.untilS
            ) {
                carried = {
                    robot,
                    sinceS: state.t,
                    untilS: state.t,
                    isAnnounced: false,
                    hasLeft: false,
                };
                this.carried.set(piece, carried);
            }
            carried.untilS = state.t;
            if (!carried.isAnnounced && state.t - carried.sinceS >= HELD_S) {
                carried.isAnnounced = true;
                events.push({ kind: "aboard", robot });
            }
        });
    }

    /** The robot that carries a piece: it has been in its tube for a while, and is. -1: none. */
    holder(piece: number): number {
        const carried = this.carried.get(piece);
        const isThere = this.before?.pieces[piece]?.[3] === IN_TUBE;
        return isThere && carried?.isAnnounced === true ? carried.robot : -1;
    }

    /** How many balls a robot carries. */
    aboard(robot: number): number {
        let count = 0;
        for (const piece of this.carried.keys()) {
            count += this.holder(piece) === robot ? 1 : 0;
        }
        return count;
    }

    private seeScores(before: State, state: State, events: MatchEvent[]): void {
        const left: Record<Alliance, number> = {
            blue: Math.max(0, state.match!.blue - before.match!.blue),
            red: Math.max(0, state.match!.red - before.match!.red),
        };
        state.pieces.forEach((piece, index) => {
            const alliance = IN_GOAL[piece[3] ?? 0];
            const wasThere = IN_GOAL[before.pieces[index]?.[3] ?? 0] === alliance;
            if (alliance === undefined || wasThere || left[alliance] === 0) {
                return;
            }
            left[alliance]--;
            const carried = this.carried.get(index);
            const isRecent = carried !== undefined && state.t - carried.untilS < FLIGHT_S;
            const player = isRecent ? (this.scene.robots[carried.robot]?.player ?? 0) : 0;
            this.count(player, alliance, events);
        });
        for (const alliance of ["blue", "red"] as const) {
            for (let i = 0; i < left[alliance]; i++) {
                this.count(0, alliance, events);
            }
        }
    }

    private count(player: number, alliance: Alliance, events: MatchEvent[]): void {
        if (player > 0) {
            this.balls.set(player, (this.balls.get(player) ?? 0) + 1);
        }
        events.push({ kind: "score", alliance, player });
    }
}
