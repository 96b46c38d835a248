// What the page knows, in one place: what the program said, who drives, what is shown, what people chose. The connection,
// hands and commands write it; panels and the picture read it. Knows no browser.
import { Seats } from "./drive/seats.ts";
import type { LinkState } from "./net/link.ts";
import type { MatchState, Replay, Scene, Seat, State, Tuning } from "./net/protocol.ts";
import type { View } from "./scene/cameras.ts";
import type { Settings } from "./settings.ts";

export type Device = "keys" | "touch" | "pad";

/** A gamepad, the player that it drives (0: none), and whether the browser knows its layout. */
export interface PadSeat {
    pad: number;
    player: number;
    name: string;
    isStandard: boolean;
}

// A simulator that sent nothing for so long does not answer.
const SILENT_MS = 1500;

export class Store {
    // ------------------------------------------------------------------ what the program says

    link: LinkState = { kind: "connecting" };
    scene: Scene | null = null;
    /** The newest state, also while the past is shown. */
    live: State | null = null;
    /** When the newest state came, and how long nothing had come before it. */
    liveMs = 0;
    silentMs = 0;
    pingMs: number | null = null;
    /** Pages without a token may watch; where other devices reach the program. */
    watchers = false;
    addresses = "";
    /** Seats that were given away. */
    invitations: readonly Seat[] = [];
    tuning: Tuning | null = null;
    /** How often the program said that the world or the match was reset. */
    resets = 0;

    // ------------------------------------------------------------------ who drives

    readonly seats = new Seats(() => this.isAgain);
    /** Players that this page drives. */
    owned: readonly number[] = [];
    /** The player that keyboard and on-screen controller drive; 0 for none. */
    active = 0;
    /** What was used last. */
    device: Device = "keys";
    pads: readonly PadSeat[] = [];
    /** From a stick to the state that shows it, median. */
    stickMs: number | null = null;

    // ------------------------------------------------------------------ what is shown

    /** The newest state, or one of the past. */
    shown: State | null = null;
    /** The match in the state that was shown before. */
    matchBefore: MatchState | null = null;
    /** What the time line is about; null: there is none. */
    replay: Replay | null = null;
    /** The past is shown, from the page's own memory. */
    isAgain = false;
    /** The robot that gauges and cameras are about, from 0. */
    followed = 0;
    /** null: there is no picture. */
    view: View | null = null;
    readonly shows = {
        lidar: true,
        trail: false,
        map: true,
        pad: false,
        plots: false,
        stats: false,
    };
    /** There will be no picture. */
    isBlind = false;
    /** When the graphics card was lost; null: it is there. */
    pictureLostMs: number | null = null;

    private readonly listeners: (() => void)[] = [];

    /** `chosen` is called with each change of the settings, after it. */
    constructor(
        readonly settings: Settings,
        private readonly chosen: (change: Partial<Settings>) => void = () => {},
    ) {}

    choose(change: Partial<Settings>): void {
        Object.assign(this.settings, change);
        this.chosen(change);
        this.changed();
    }

    /** `listener` is called by changed(), in the order of the subscriptions. */
    subscribe(listener: () => void): void {
        this.listeners.push(listener);
    }

    /** What was written is to be seen at once, and not only with the next turn of the panels. */
    changed(): void {
        this.listeners.forEach((listener) => listener());
    }

    // ------------------------------------------------------------------ what follows from it

    get isLive(): boolean {
        return this.link.kind === "live";
    }

    get isMatch(): boolean {
        return this.scene?.kind === "match";
    }

    get isBoard(): boolean {
        return this.scene?.kind === "board";
    }

    /** A recording that the program shows: nobody drives in it. */
    get isRecording(): boolean {
        return (this.scene?.replay ?? null) !== null;
    }

    /** Whether this page has the whole token, and not only a seat or nothing. */
    get hasWholeToken(): boolean {
        return this.seats.mayCommand && this.seats.seat === 0;
    }

    isSilent(nowMs: number): boolean {
        return this.isMatch && nowMs - this.liveMs > SILENT_MS;
    }

    /** A board's robot is enabled now, whatever is shown. */
    isEnabled(): boolean {
        return this.isBoard && this.live?.robots.some((robot) => robot.enabled === true) === true;
    }

    /** Somebody stopped a robot on a page, and its program has not begun anew. */
    isHeld(): boolean {
        return this.isBoard && this.live?.robots.some((robot) => robot.stopped === true) === true;
    }

    drives(player: number): boolean {
        return this.owned.includes(player);
    }

    /** The robot that this page drives with its keys, from 0; -1: none. */
    activeRobot(): number {
        return this.drives(this.active) ? this.seats.robotOf(this.active) : -1;
    }

    /** Robots that this page drives, from 0. */
    ownRobots(): number[] {
        return this.seats.robots.flatMap(({ player }, index) =>
            this.drives(player) ? [index] : [],
        );
    }
}
