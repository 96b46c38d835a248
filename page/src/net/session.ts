// What the program says becomes what the store knows. Knows no browser: the link's parts and the time come from outside.
import type { Store } from "../store.ts";
import { Link, type LinkParts, type LinkState } from "./link.ts";
import type { Hello, Message, State } from "./protocol.ts";
import type { PageMessage } from "./wire.ts";

export interface SessionEvents {
    /** The connection is not there any more, or not yet. */
    lost(): void;
    /** The program said what there is: another scene, or the same one again; on a new connection or on the same. */
    met(is: { newScene: boolean; newConnection: boolean }): void;
    /** The program gave another token to come back with. */
    token(token: string): void;
    state(state: State, nowMs: number): void;
    players(): void;
    reset(player: number, name: string, nowMs: number): void;
    /** The answer to a ping. True: the ping was not the session's own. */
    pong(text: string): boolean;
    recording(message: Message & { type: "channels" | "plot" }): void;
    say(text: string): void;
    /** So long it took to take a message in. */
    worked(ms: number): void;
}

export class Session {
    readonly link: Link;
    private isNew = false;

    constructor(
        private readonly store: Store,
        private token: string,
        parts: LinkParts & { now(): number },
        private readonly events: SessionEvents,
    ) {
        this.link = new Link(token, parts, {
            state: (state) => this.linkChanged(state),
            message: (message) => {
                const began = parts.now();
                this.receive(message, began);
                events.worked(parts.now() - began);
            },
        });
    }

    send(text: PageMessage): void {
        this.link.send(text);
    }

    /** Another address was put into this tab. */
    useToken(token: string): void {
        this.token = token;
        this.link.useToken(token);
    }

    ping(nowMs: number): void {
        this.send(`ping ${nowMs.toFixed(1)}`);
    }

    private linkChanged(state: LinkState): void {
        this.store.link = state;
        this.isNew = state.kind === "live";
        if (!this.isNew) {
            this.store.seats.players = [];
            this.store.pingMs = null;
            this.events.lost();
        }
        this.store.changed();
    }

    private receive(message: Message, nowMs: number): void {
        const { store, events } = this;
        switch (message.type) {
            case "hello":
                this.meet(message, nowMs);
                break;
            case "seats":
                store.invitations = message.seats;
                store.changed();
                break;
            case "tunables":
                store.tuning = message.tuning;
                store.changed();
                break;
            case "reset":
                store.resets++;
                events.reset(message.player, message.name, nowMs);
                store.changed();
                break;
            case "state":
                store.silentMs = nowMs - store.liveMs;
                store.liveMs = nowMs;
                store.live = message.state;
                events.state(message.state, nowMs);
                break;
            case "players":
                store.seats.players = message.players;
                events.players();
                break;
            case "pong":
                if (!events.pong(message.text)) {
                    store.pingMs = nowMs - Number(message.text);
                }
                break;
            case "channels":
            case "plot":
                events.recording(message);
                break;
            case "sorry":
                events.say(message.text);
                break;
        }
    }

    private meet(hello: Hello, nowMs: number): void {
        const { store } = this;
        const newScene = JSON.stringify(hello.scene) !== JSON.stringify(store.scene);
        store.liveMs = nowMs;
        if (newScene) {
            store.scene = hello.scene;
            store.shown = store.live = null;
            store.seats.robots = hello.scene.robots;
            store.followed = Math.min(store.followed, Math.max(0, hello.scene.robots.length - 1));
        }
        store.seats.mayCommand = hello.mayCommand;
        store.seats.seat = hello.seat;
        store.watchers = hello.watchers;
        store.addresses = hello.addresses;
        if (hello.token !== "" && hello.token !== this.token) {
            this.token = hello.token;
            this.link.keepToken(hello.token);
            this.events.token(hello.token);
        }
        const newConnection = this.isNew;
        this.isNew = false;
        this.events.met({ newScene, newConnection });
        store.changed();
    }
}
