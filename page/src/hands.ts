// Whatever a person's hands do, keyboard, gamepads, on-screen controller, becomes sticks of players. Nothing stays
// held when the page loses the focus, is hidden, or loses its connection.
import type { Driver } from "./driver.ts";
import { commandOf, isDriveKey, KeySticks, type Command } from "./keys.ts";
import { PadGate, PadSeats, padSticks } from "./pads.ts";
import { KeyRamp } from "./ramp.ts";
import { bit, drives, ZERO, type Sticks } from "./sticks.ts";
import { TouchPad } from "./touchpad.ts";

// A pulse that every core's loop sees.
const PULSE_MS = 150;

export interface HandsEvents {
    command(command: Command): void;
    /** Somebody wants to drive and drives nobody yet: whom? 0 if that cannot be. */
    freePlayer(): number;
    players(): number[];
    /** Whether this page could drive anyone, now or later. */
    canDrive(): boolean;
    /** Somebody wants to drive, and every player is taken. */
    noPlayer(): void;
    /** A key or the on-screen controller drives this player. */
    driving(player: number): void;
    changed(): void;
}

/** The browser's own: its shortcuts, a list that is open, a button that has the focus. */
function isTaken(event: KeyboardEvent): boolean {
    const tag = (event.target as HTMLElement | null)?.tagName;
    return tag === "SELECT" || event.ctrlKey || event.metaKey || event.altKey ||
        (tag === "BUTTON" && (event.code === "Space" || event.code === "Enter"));
}

export class Hands {
    /** The player that keyboard and on-screen controller drive; 0 for none. */
    active = 0;
    readonly touchpad: TouchPad;
    /** Share of the full stick that keys give. */
    sensitivity = 1;
    private readonly keys = new KeySticks();
    private readonly ramp = new KeyRamp();
    private isSlow = false;
    private readonly seats = new PadSeats();
    private readonly names = new Map<number, string>();
    private readonly gates = new Map<number, PadGate>();

    constructor(private readonly driver: Driver, private readonly events: HandsEvents) {
        this.touchpad = new TouchPad((sticks) => this.screen(sticks));
        window.addEventListener("keydown", (event) => this.keyDown(event));
        window.addEventListener("keyup", (event) => this.keyUp(event));
        window.addEventListener("blur", () => this.letGo());
        window.addEventListener("pagehide", () => this.letGo());
        document.addEventListener("visibilitychange", () => this.focusChanged());
        window.addEventListener("focus", () => this.focusChanged());
        window.addEventListener("gamepadconnected", (event) => this.padArrived(event.gamepad));
        window.addEventListener("gamepaddisconnected", (event) => this.padLeft(event.gamepad.index));
    }

    // ------------------------------------------------------------------ who is driven

    drive(player: number): void {
        this.active = player;
        this.driver.own(player);
        this.events.changed();
    }

    release(player: number): void {
        this.driver.release(player);
        if (this.active === player) {
            this.active = this.driver.owned()[0] ?? 0;
        }
        this.events.changed();
    }

    /** Drives somebody if anybody can be driven; false if not. */
    private ensurePlayer(): boolean {
        if (!this.driver.owns(this.active)) {
            const player = this.driver.owned()[0] ?? this.events.freePlayer();
            if (player <= 0) {
                this.events.noPlayer();
                return false;
            }
            this.drive(player);
        }
        this.events.driving(this.active);
        return true;
    }

    // ------------------------------------------------------------------ keyboard

    private keyDown(event: KeyboardEvent): void {
        this.isSlow = event.shiftKey;
        if (isTaken(event)) {
            return;
        }
        const command = commandOf(event.code, event.key, this.events.canDrive());
        if (command !== null) {
            event.preventDefault();
            if (!event.repeat) {
                this.events.command(command);
            }
        } else if (isDriveKey(event.code)) {
            event.preventDefault();
            if (this.keys.down(event.code) && this.ensurePlayer()) {
                this.keyboard(performance.now(), true);
            }
        }
    }

    private keyUp(event: KeyboardEvent): void {
        this.isSlow = event.shiftKey;
        if (this.keys.up(event.code)) {
            this.keyboard(performance.now(), true);
        }
    }

    private keyboard(now: number, isNews: boolean): void {
        const options = { sensitivity: this.sensitivity, slow: this.isSlow };
        const sticks = this.ramp.step(this.keys.sticks(), options, now, isNews);
        if (sticks !== null && this.active > 0) {
            this.driver.set("keys", this.active, sticks, now);
        }
    }

    private screen(sticks: Sticks): void {
        const touched = drives(sticks) || sticks.buttons !== 0 || sticks.lt !== 0 || sticks.rt !== 0;
        if (!touched || this.ensurePlayer()) {
            this.driver.set("screen", this.active, sticks, performance.now());
        }
    }

    /** Presses the reset button of the player that is driven; false if none is. */
    pulseReset(): boolean {
        if (!this.driver.owns(this.active)) {
            return false;
        }
        this.driver.set("reset", this.active, { ...ZERO, buttons: bit("guide") }, performance.now());
        setTimeout(() => this.driver.drop("reset", performance.now()), PULSE_MS);
        return true;
    }

    // ------------------------------------------------------------------ gamepads

    private padArrived(pad: Gamepad): void {
        this.names.set(pad.index, pad.id);
        this.findSeat(pad.index);
    }

    /** Pads that were there before there was anybody to drive. */
    seatWaiting(): void {
        this.seats.pads().filter((pad) => this.seats.player(pad) === 0).forEach((pad) => this.findSeat(pad));
    }

    private findSeat(pad: number): void {
        const player = this.seats.arrive(pad, [...this.driver.owned(), ...this.events.players()]);
        if (player > 0) {
            this.driver.own(player);
            this.active = this.active === 0 ? player : this.active;
        }
        this.events.changed();
    }

    private gateOf(pad: number): PadGate {
        const gate = this.gates.get(pad) ?? new PadGate();
        this.gates.set(pad, gate);
        return gate;
    }

    private padLeft(index: number): void {
        this.seats.leave(index);
        this.gates.delete(index);
        this.driver.drop(`pad ${index}`, performance.now());
        this.events.changed();
    }

    seatPad(pad: number, player: number): void {
        this.seats.seat(pad, player);
        if (player > 0) {
            this.driver.own(player);
        }
        this.events.changed();
    }

    padSeats(): { pad: number; player: number; name: string }[] {
        return this.seats.pads().map((pad) => ({ pad, player: this.seats.player(pad), name: this.names.get(pad) ?? "" }));
    }

    private pollPads(now: number): void {
        if (this.seats.pads().length === 0) {
            return;
        }
        for (const pad of navigator.getGamepads()) {
            if (pad !== null && pad.connected) {
                const sticks = this.gateOf(pad.index).pass(padSticks(pad));
                this.driver.set(`pad ${pad.index}`, this.seats.player(pad.index), sticks, now);
            }
        }
    }

    // ------------------------------------------------------------------ letting go

    letGo(): void {
        this.releaseControls();
        this.driver.hush(true, performance.now());
    }

    /** Keys, on-screen controller and gamepads count only once they are pressed anew. */
    releaseControls(): void {
        this.keys.clear();
        this.ramp.clear();
        this.isSlow = false;
        this.touchpad.clear();
        this.seats.pads().forEach((pad) => this.gateOf(pad).close());
    }

    private focusChanged(): void {
        if (document.visibilityState === "visible" && document.hasFocus()) {
            this.driver.hush(false, performance.now());
        } else {
            this.letGo();
        }
    }

    /** Call every few milliseconds. */
    tick(now: number): void {
        this.keyboard(now, false);
        this.pollPads(now);
        this.driver.tick(now);
    }
}
