// Who of this page drives whom, and when sticks travel: at once when they change, and again before
// the server takes silence for letting go. Knows no browser and no clock of its own.
import { combine, encode, equal, ZERO, type Sticks } from "./sticks.ts";
import type { PlayerStatus } from "../net/protocol.ts";
import type { PageMessage } from "../net/wire.ts";

/** The server counts 150 ms of silence as hands off; docs/spec/page.md asks for 50. */
export const REPEAT_MS = 40;

// After this long the server has let go of everything.
const SILENCE_MS = 150;

// A press of a button lasts at least so long: a shorter one would fall between two steps of the robot's program or the simulator.
export const LEAST_PRESS_MS = 60;

// A status may have been on its way when the server heard whom we want: one that denies us does not count.
const DENIALS = 2;

interface Seat {
    /** The server has read that we want this player. */
    isHeard: boolean;
    denials: number;
    sent: Sticks;
    sentAt: number;
    /** Buttons that were held while this page stood still. Sent again they would be pressed a second time. */
    spent: number;
    /** Buttons that were pressed less than LEAST_PRESS_MS ago, and when the last of them was. */
    risen: number;
    roseAt: number;
}

export interface DriverEvents {
    send(text: PageMessage): void;
    /** Sticks went out for a player; `before` are those that went before. */
    sent?(player: number, sticks: Sticks, before: Sticks, now: number): void;
    changed?(): void;
}

export class Driver {
    private readonly seats = new Map<number, Seat>();
    private readonly sources = new Map<string, { player: number; sticks: Sticks }>();
    private quiet = false;

    constructor(private readonly events: DriverEvents) {}

    owned(): number[] {
        return [...this.seats.keys()];
    }

    owns(player: number): boolean {
        return this.seats.has(player);
    }

    own(player: number): void {
        if (player <= 0 || this.seats.has(player)) {
            return;
        }
        this.ask(player);
        this.events.changed?.();
    }

    /** The answer to the ping tells that what was said before it has been read. */
    private ask(player: number): void {
        this.seats.set(player, {
            isHeard: false,
            denials: 0,
            sent: ZERO,
            sentAt: -Infinity,
            spent: 0,
            risen: 0,
            roseAt: -Infinity,
        });
        this.events.send(`own ${player}`);
        this.events.send(`ping own ${player}`);
    }

    /** True if the answer was to a ping of ours. */
    pong(text: string): boolean {
        const player = /^own (\d+)$/.exec(text)?.[1];
        const seat = player === undefined ? undefined : this.seats.get(Number(player));
        if (seat !== undefined) {
            seat.isHeard = true;
        }
        return player !== undefined;
    }

    release(player: number): void {
        if (this.seats.delete(player)) {
            this.events.send(`release ${player}`);
            this.events.changed?.();
        }
    }

    /** What one source (the keyboard, a pad, the screen) wants; player 0 for nobody. */
    set(source: string, player: number, sticks: Sticks, now: number): void {
        const before = this.sources.get(source);
        if (before !== undefined && before.player === player && equal(before.sticks, sticks)) {
            return;
        }
        this.sources.set(source, { player, sticks });
        this.tick(now);
    }

    drop(source: string, now: number): void {
        if (this.sources.delete(source)) {
            this.tick(now);
        }
    }

    /** Zero for everybody, until a source says otherwise. */
    letGo(now: number): void {
        this.sources.clear();
        this.tick(now);
    }

    /** While hushed (nobody looks at the page) all sticks are zero, whatever the sources say. */
    hush(quiet: boolean, now: number): void {
        this.quiet = quiet;
        if (quiet) {
            this.sources.clear();
        }
        this.tick(now);
    }

    get isHushed(): boolean {
        return this.quiet;
    }

    private wanted(player: number, seat: Seat, now: number): Sticks {
        if (this.quiet) {
            return ZERO;
        }
        const sticks = combine(
            [...this.sources.values()].filter((s) => s.player === player).map((s) => s.sticks),
        );
        if (now - seat.sentAt > SILENCE_MS) {
            seat.spent |= seat.sent.buttons;
        }
        seat.spent &= sticks.buttons;
        return { ...sticks, buttons: this.stretched(seat, sticks.buttons & ~seat.spent, now) };
    }

    private stretched(seat: Seat, buttons: number, now: number): number {
        const isRecent = now - seat.roseAt < LEAST_PRESS_MS;
        const rising = buttons & ~seat.sent.buttons;
        seat.risen = rising | (isRecent ? seat.risen : 0);
        if (rising !== 0) {
            seat.roseAt = now;
        }
        return buttons | seat.risen;
    }

    /** Call often: sends what has changed or is due again. */
    tick(now: number): void {
        for (const [player, seat] of this.seats) {
            const sticks = this.wanted(player, seat, now);
            if (equal(sticks, seat.sent) && now - seat.sentAt < REPEAT_MS) {
                continue;
            }
            const before = seat.sent;
            seat.sent = sticks;
            seat.sentAt = now;
            this.events.send(`sticks ${player} ${encode(sticks)}`);
            this.events.sent?.(player, sticks, before, now);
        }
    }

    /** The connection is new: the server knows nothing of what we own. */
    connected(): void {
        for (const player of this.owned()) {
            this.ask(player);
        }
    }

    /** This page may not drive any more: its seat was revoked, or its token is no longer the right one. */
    giveUp(): void {
        this.seats.clear();
        this.sources.clear();
        this.events.changed?.();
    }

    /** The connection is gone, and with it whatever was held. */
    disconnected(): void {
        this.sources.clear();
        for (const seat of this.seats.values()) {
            seat.sent = ZERO;
        }
    }

    /** The server's word on who drives: what it does not grant is given up. */
    learn(players: readonly PlayerStatus[]): void {
        for (const [player, seat] of this.seats) {
            const isOurs = players.find((p) => p.player === player)?.owner === "you";
            seat.denials = isOurs || !seat.isHeard ? 0 : seat.denials + 1;
            if (seat.denials >= DENIALS) {
                this.seats.delete(player);
                this.events.changed?.();
            }
        }
    }
}
