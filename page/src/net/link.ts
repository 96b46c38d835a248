// The WebSocket to the program: says the token, comes back by itself, tells in words how it goes.
import { decode, type Message } from "./protocol.ts";
import type { PageMessage } from "./wire.ts";

export type LinkState =
    | { kind: "connecting" }
    | { kind: "live" }
    | { kind: "lost"; retryMs: number }
    | { kind: "refused"; why: "token" | "seat"; retryMs: number };

/** What is used of a WebSocket; tests make their own. */
export interface SocketLike {
    send(text: PageMessage): void;
    close(): void;
    onopen: (() => void) | null;
    onmessage: ((event: { data: unknown }) => void) | null;
    onclose: ((event: { reason: string }) => void) | null;
}

export interface LinkParts {
    /** Another connection to the program; nothing of it is called before this has returned. */
    open(token: string): SocketLike;
    later(action: () => void, ms: number): number;
    cancel(timer: number): void;
}

export interface LinkEvents {
    state(state: LinkState): void;
    message(message: Message): void;
}

// How the sentences begin with which the server sends a page away (docs/spec/page.md).
const REFUSALS = [
    ["wrong token", "token"],
    ["another page has the seat", "seat"],
] as const;

const BACK_OFF_MS = [250, 500, 1000, 2000, 4000];

export function backOff(attempt: number): number {
    return BACK_OFF_MS[Math.min(attempt, BACK_OFF_MS.length - 1)]!;
}

const TOKEN_CHARACTERS = 32;

/** What is wrong with the part of an address after #, for those who copied too little of it or too much; null: it may be a token. */
export function tokenFault(token: string): {
    key: "link.noToken" | "link.partToken" | "link.longToken";
    count: number;
    all: number;
} | null {
    const count = [...token].length;
    const key =
        count === 0
            ? "link.noToken"
            : count < TOKEN_CHARACTERS
              ? "link.partToken"
              : "link.longToken";
    return count === TOKEN_CHARACTERS ? null : { key, count, all: TOKEN_CHARACTERS };
}

/** The page's, and the token's: who asks for that is not disconnected for newcomers without a token. */
export function subProtocols(token: string): string[] {
    return /^[0-9a-f]{32}$/.test(token) ? ["halyard-page", `token.${token}`] : ["halyard-page"];
}

export class Link {
    /** Frames that were no message of the protocol. */
    dropped = 0;
    messages = 0;
    connections = 0;
    bytes = 0;
    private socket: SocketLike | null = null;
    private isLive = false;
    private failures = 0;
    private timer = 0;

    constructor(
        private token: string,
        private readonly parts: LinkParts,
        private readonly events: LinkEvents,
    ) {}

    start(): void {
        this.parts.cancel(this.timer);
        this.events.state({ kind: "connecting" });
        const socket = this.parts.open(this.token);
        let wasOpen = false;
        this.socket = socket;
        socket.onopen = () => {
            wasOpen = true;
            socket.send(`token ${this.token}` satisfies PageMessage);
        };
        socket.onmessage = (event) => this.receive(socket, event.data);
        socket.onclose = ({ reason }) => this.closed(socket, wasOpen, reason);
    }

    /** Another token: that of the address that was pasted into this tab. */
    useToken(token: string): void {
        this.token = token;
        this.failures = 0;
        this.abandon();
        this.start();
    }

    /** The token to come back with, for a page that came with something that is good only once. */
    keepToken(token: string): void {
        this.token = token;
    }

    retryNow(): void {
        if (!this.isLive) {
            this.abandon();
            this.start();
        }
    }

    send(text: PageMessage): void {
        if (this.isLive) {
            this.socket?.send(text);
        }
    }

    private abandon(): void {
        const socket = this.socket;
        this.socket = null;
        this.isLive = false;
        socket?.close();
    }

    private receive(socket: SocketLike, data: unknown): void {
        if (socket !== this.socket) {
            return;
        }
        const message = typeof data === "string" ? decode(data) : null;
        if (message === null) {
            this.dropped++;
            return;
        }
        this.messages++;
        this.bytes += (data as string).length;
        if (message.type === "hello" && !this.isLive) {
            this.isLive = true;
            this.connections++;
            this.failures = 0;
            this.events.state({ kind: "live" });
        }
        this.events.message(message);
    }

    private closed(socket: SocketLike, wasOpen: boolean, reason: string): void {
        if (socket !== this.socket) {
            return;
        }
        // It may also have closed for want of a first message in time, or because the program ended: then the address is still right.
        const why =
            wasOpen && !this.isLive
                ? REFUSALS.find(([sentence]) => reason.startsWith(sentence))?.[1]
                : undefined;
        this.socket = null;
        this.isLive = false;
        const retryMs = backOff(this.failures++);
        this.events.state(
            why === undefined ? { kind: "lost", retryMs } : { kind: "refused", why, retryMs },
        );
        this.timer = this.parts.later(() => this.start(), retryMs);
    }
}
