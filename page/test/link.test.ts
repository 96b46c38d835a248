import { strict as assert } from "node:assert";
import { test } from "node:test";
import { backOff, Link, type LinkState, type SocketLike, subProtocols } from "../src/net/link.ts";
import { sentenceOf } from "../src/panels/notices.ts";

const HELLO = '{"type":"hello","scene":{"floor":[0,0,1,1]}}';

class FakeSocket implements SocketLike {
    sent: string[] = [];
    onopen: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    onclose: ((event: { reason: string }) => void) | null = null;
    send(text: string): void {
        this.sent.push(text);
    }
    close(): void {}
    answer(text: unknown): void {
        this.onmessage?.({ data: text });
    }
}

function bench(): {
    link: Link;
    sockets: FakeSocket[];
    states: LinkState[];
    waits: number[];
    later(): void;
} {
    const sockets: FakeSocket[] = [];
    const states: LinkState[] = [];
    const waits: number[] = [];
    let pending = (): void => {};
    const link = new Link(
        "abc",
        {
            open: () => {
                sockets.push(new FakeSocket());
                return sockets.at(-1)!;
            },
            later: (action, ms) => {
                waits.push(ms);
                pending = action;
                return 1;
            },
            cancel: () => {},
        },
        { state: (state) => states.push(state), message: () => {} },
    );
    link.start();
    return { link, sockets, states, waits, later: () => pending() };
}

test("the token is the first word, and nothing else goes out before the hello", () => {
    const { link, sockets, states } = bench();
    link.send("own 1");
    sockets[0]!.onopen?.();
    link.send("own 1");
    assert.deepEqual(sockets[0]!.sent, ["token abc"]);
    sockets[0]!.answer(HELLO);
    link.send("own 1");
    assert.deepEqual(sockets[0]!.sent, ["token abc", "own 1"]);
    assert.equal(states.at(-1)?.kind, "live");
});

test("it comes back by itself, waiting longer each time, and starts over after a success", () => {
    const { sockets, waits, states, later } = bench();
    for (let i = 0; i < 7; i++) {
        sockets.at(-1)!.onclose?.({ reason: "" });
        assert.equal(states.at(-1)?.kind, "lost");
        later();
    }
    assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 4000, 4000]);
    assert.equal(backOff(0), 250);
    sockets.at(-1)!.onopen?.();
    sockets.at(-1)!.answer(HELLO);
    sockets.at(-1)!.onclose?.({ reason: "" });
    assert.equal(waits.at(-1), 250);
});

test("sent away before the hello: what is wrong with the address is said", () => {
    for (const [reason, why] of [
        ["wrong token: open the whole address", "token"],
        ["another page has the seat of player 2", "seat"],
    ] as const) {
        const { sockets, states } = bench();
        sockets[0]!.onopen?.();
        sockets[0]!.onclose?.({ reason });
        assert.deepEqual(states.at(-1), { kind: "refused", why, retryMs: 250 });
    }
});

test("closed before the hello for another reason, as on a machine that stood still: the connection is lost, and the address right", () => {
    for (const reason of ["", "no first message"]) {
        const { sockets, states } = bench();
        sockets[0]!.onopen?.();
        sockets[0]!.onclose?.({ reason });
        assert.equal(states.at(-1)?.kind, "lost");
    }
});

test("a new token opens a new socket, and the old one is not heard any more", () => {
    const { link, sockets, states } = bench();
    sockets[0]!.onopen?.();
    sockets[0]!.answer(HELLO);
    link.useToken("def");
    sockets[1]!.onopen?.();
    assert.deepEqual(sockets[1]!.sent, ["token def"]);
    const count = states.length;
    sockets[0]!.onclose?.({ reason: "" });
    sockets[0]!.answer(HELLO);
    assert.equal(states.length, count);
});

test("the token is a sub-protocol, unless it is no token", () => {
    const token = "0123456789abcdef0123456789abcdef";
    assert.deepEqual(subProtocols(token), ["halyard-page", `token.${token}`]);
    for (const other of ["", "def", `${token}0`, token.toUpperCase(), `${token.slice(1)} `]) {
        assert.deepEqual(subProtocols(other), ["halyard-page"]);
    }
});

test("rubbish is counted", () => {
    const { link, sockets } = bench();
    sockets[0]!.onopen?.();
    sockets[0]!.answer("{");
    sockets[0]!.answer(new ArrayBuffer(3));
    sockets[0]!.answer(HELLO);
    assert.deepEqual([link.dropped, link.messages], [2, 1]);
});

test("an address whose token was not copied, or not all of it, is told apart from one that is old", () => {
    const refused = { kind: "refused", why: "token", retryMs: 250 } as const;
    assert.match(sentenceOf(refused, ""), /after # is missing/);
    assert.match(sentenceOf(refused, "0123456789abcdef"), /incomplete: it has 16 of 32 characters/);
    assert.match(
        sentenceOf(refused, `${"0".repeat(32)}.`),
        /too long: it has 33 characters instead of 32/,
    );
    assert.match(sentenceOf(refused, "0".repeat(32)), /not valid \(any more\)/);
    assert.match(sentenceOf({ ...refused, why: "seat" }, ""), /Another page drives/);
});
