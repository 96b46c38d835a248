// Whatever a person's hands do, keyboard, gamepads, on-screen controller, becomes sticks of players. Nothing stays
// held when the page loses the focus, is hidden, or loses its connection.
import type { Driver } from "./driver.ts";
import { commandOf, isDriveKey, KeySticks, type Command } from "./keys.ts";
import { Pads, PadSeats } from "./pads.ts";
import { KeyRamp } from "./ramp.ts";
import { bit, drives, ZERO, type Button, type Sticks } from "./sticks.ts";
import type { Store } from "../store.ts";
import { TouchPad } from "./touchpad.ts";

// A pulse that every core's loop sees.
const PULSE_MS = 150;

// When a page is shown again, the first values of a gamepad may still be those from before.
const STALE_PADS_MS = 100;

export interface HandsEvents {
    command(command: Command): void;
    /** Space was pressed outside of a field of text; `isTaken`: what has the focus would take it. True: it stopped something. */
    stopKey(isTaken: boolean, isRepeated: boolean): boolean;
    /** A key was pressed that is not the browser's own. True: it was the time line's. */
    lookBackKey(event: KeyboardEvent): boolean;
    /** Somebody wants to drive, and every player is taken. */
    noPlayer(): void;
    /** One of these was pressed; true if the page deals with it, so that the robot's program must not see it. */
    pressed(button: "start" | "guide"): boolean;
    /** A key or the on-screen controller drives this player. */
    driving(player: number): void;
}

function isText({ target }: Event): boolean {
    return (
        target instanceof HTMLInputElement && (target.type === "text" || target.type === "search")
    );
}

/**
 * The browser's own: its shortcuts, a field of text, a list that is open, a button, a number box or a slider that has the focus. A button that was closed
 * with its dialog keeps the focus until the next frame, but takes no keys any more.
 */
function isTaken(event: KeyboardEvent): boolean {
    const target = event.target as HTMLElement | null;
    const tag = target?.tagName;
    const type = tag === "INPUT" ? (target as HTMLInputElement).type : "";
    return (
        isText(event) ||
        type === "number" ||
        (type === "range" && event.code.startsWith("Arrow")) ||
        tag === "SELECT" ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (tag === "BUTTON" &&
            (event.code === "Space" || event.code === "Enter") &&
            target!.checkVisibility())
    );
}

export class Hands {
    readonly touchpad: TouchPad;
    private readonly keys = new KeySticks();
    private readonly ramp = new KeyRamp();
    private isSlow = false;
    // Presses of Start and Guide by source, while they last: whether the page took them.
    private readonly presses = new Map<string, boolean>();
    private readonly padSeats = new PadSeats();
    private readonly pads = new Pads();
    // None is looked for before the browser reports the first.
    private hasPads = false;
    private padsFromMs = 0;

    constructor(
        private readonly store: Store,
        private readonly driver: Driver,
        private readonly events: HandsEvents,
    ) {
        this.touchpad = new TouchPad((sticks) => this.screen(sticks));
        window.addEventListener("keydown", (event) => this.stopKeyDown(event), true); // before what has the focus
        window.addEventListener("keydown", (event) => this.keyDown(event));
        window.addEventListener("keyup", (event) => this.keyUp(event));
        window.addEventListener("blur", () => this.letGo());
        window.addEventListener("pagehide", () => this.letGo());
        document.addEventListener("visibilitychange", () => this.focusChanged());
        window.addEventListener("focus", () => this.focusChanged());
        window.addEventListener("gamepadconnected", () => {
            this.hasPads = true;
        });
    }

    // ------------------------------------------------------------------ who is driven

    drive(player: number): void {
        this.store.active = player;
        this.driver.own(player);
        this.changed();
    }

    release(player: number): void {
        this.driver.release(player);
        if (this.store.active === player) {
            this.store.active = this.driver.owned()[0] ?? 0;
        }
        this.changed();
    }

    /** Drives somebody if anybody can be driven; false if not. */
    private ensurePlayer(): boolean {
        if (!this.driver.owns(this.store.active)) {
            const player =
                this.driver.owned()[0] ?? this.store.seats.firstFree(this.store.followed);
            if (player <= 0) {
                this.events.noPlayer();
                return false;
            }
            this.drive(player);
        }
        this.events.driving(this.store.active);
        return true;
    }

    // ------------------------------------------------------------------ keyboard

    private stopKeyDown(event: KeyboardEvent): void {
        const isStop =
            event.code === "Space" &&
            !event.ctrlKey &&
            !event.metaKey &&
            !event.altKey &&
            !isText(event);
        if (
            isStop &&
            this.events.stopKey(
                isTaken(event) || document.querySelector("dialog[open]") !== null,
                event.repeat,
            )
        ) {
            event.preventDefault();
            event.stopImmediatePropagation();
            (document.activeElement as HTMLElement | null)?.blur(); // or the key's release would press the button that has the focus
        }
    }

    private keyDown(event: KeyboardEvent): void {
        this.isSlow = event.shiftKey;
        if (isTaken(event)) {
            return;
        }
        if (this.events.lookBackKey(event)) {
            event.preventDefault();
            return;
        }
        const command = commandOf(event.code, event.key, this.store.seats.canDrive());
        if (command !== null) {
            event.preventDefault();
            if (!event.repeat) {
                this.events.command(command);
            }
        } else if (isDriveKey(event.code)) {
            event.preventDefault();
            this.store.device = "keys";
            if (!event.repeat && this.keys.down(event.code) && this.ensurePlayer()) {
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
        const options = { sensitivity: this.store.settings.sensitivity, slow: this.isSlow };
        const sticks = this.ramp.step(this.keys.sticks(), options, now, isNews);
        if (sticks !== null && this.store.active > 0) {
            this.driver.set("keys", this.store.active, this.filter("keys", sticks), now);
        }
    }

    private screen(sticks: Sticks): void {
        const touched =
            drives(sticks) || sticks.buttons !== 0 || sticks.lt !== 0 || sticks.rt !== 0;
        if (!touched || this.ensurePlayer()) {
            this.store.device = "touch";
            this.driver.set(
                "screen",
                this.store.active,
                this.filter("screen", sticks),
                performance.now(),
            );
        }
    }

    /** Presses a button of the player that is driven, for a moment; false if none is. */
    pulse(button: Button): boolean {
        if (!this.driver.owns(this.store.active)) {
            return false;
        }
        const source = `pulse ${button}`;
        this.driver.set(
            source,
            this.store.active,
            { ...ZERO, buttons: bit(button) },
            performance.now(),
        );
        setTimeout(() => this.driver.drop(source, performance.now()), PULSE_MS);
        return true;
    }

    /** Takes out of a source's buttons those whose press the page dealt with, for as long as the press lasts. */
    private filter(source: string, sticks: Sticks): Sticks {
        let buttons = sticks.buttons;
        for (const button of ["start", "guide"] as const) {
            const press = `${source} ${button}`;
            if ((sticks.buttons & bit(button)) === 0) {
                this.presses.delete(press);
                continue;
            }
            const isTakenByPage = this.presses.get(press) ?? this.events.pressed(button);
            this.presses.set(press, isTakenByPage);
            buttons &= isTakenByPage ? ~bit(button) : ~0;
        }
        return buttons === sticks.buttons ? sticks : { ...sticks, buttons };
    }

    // ------------------------------------------------------------------ gamepads

    private padArrived(pad: number): void {
        if (this.pads.isStandard(pad)) {
            this.findSeat(pad);
            if (this.padSeats.player(pad) === 0) {
                this.events.noPlayer();
            }
        }
        this.changed();
    }

    /** Pads that were there before there was anybody to drive. */
    seatWaiting(): void {
        this.padSeats
            .pads()
            .filter((pad) => this.padSeats.player(pad) === 0)
            .forEach((pad) => this.findSeat(pad));
    }

    private findSeat(pad: number): void {
        const player = this.padSeats.arrive(pad, [
            ...this.driver.owned(),
            ...this.store.seats.free(),
        ]);
        if (player > 0) {
            this.driver.own(player);
            this.store.active = this.store.active === 0 ? player : this.store.active;
        }
        this.changed();
    }

    private padLeft(index: number): void {
        this.padSeats.leave(index);
        this.driver.drop(`pad ${index}`, performance.now());
        this.changed();
    }

    seatPad(pad: number, player: number): void {
        this.padSeats.seat(pad, player);
        if (player > 0) {
            this.driver.own(player);
        }
        this.changed();
    }

    private changed(): void {
        this.store.pads = this.pads
            .list()
            .map((one) => ({ ...one, player: this.padSeats.player(one.pad) }));
        this.store.changed();
    }

    private pollPads(now: number): void {
        if (!this.hasPads || this.driver.isHushed || now < this.padsFromMs) {
            return;
        }
        const present = [...navigator.getGamepads()];
        this.pads.update(
            present,
            (pad) => this.padLeft(pad),
            (pad) => this.padArrived(pad),
        );
        for (const pad of present) {
            const player = pad === null ? 0 : this.padSeats.player(pad.index);
            if (pad !== null && pad.connected) {
                const passed = player > 0 ? this.pads.sticks(pad) : ZERO;
                const sticks = this.filter(`pad ${pad.index}`, passed);
                if (drives(passed) || passed.buttons !== 0) {
                    this.store.device = "pad";
                }
                this.driver.set(`pad ${pad.index}`, player, sticks, now);
            }
        }
    }

    /** Shakes the gamepads that drive this player, or all with 0; strength 0 .. 1. Browsers without rumble do nothing. */
    rumble(player: number, strength: number, ms: number): void {
        for (const pad of this.padSeats.pads().length === 0 ? [] : navigator.getGamepads()) {
            if (pad !== null && (player === 0 || this.padSeats.player(pad.index) === player)) {
                const effect = { duration: ms, strongMagnitude: strength, weakMagnitude: strength };
                void pad.vibrationActuator?.playEffect("dual-rumble", effect).catch(() => {});
            }
        }
    }

    // ------------------------------------------------------------------ letting go

    /** Everything is let go of, and counts only once it is pressed anew. */
    stop(): void {
        this.releaseControls();
        this.driver.letGo(performance.now());
    }

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
        this.pads.close();
    }

    private focusChanged(): void {
        if (document.visibilityState === "visible" && document.hasFocus()) {
            this.padsFromMs = performance.now() + STALE_PADS_MS;
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
