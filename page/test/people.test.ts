import { strict as assert } from "node:assert";
import { test } from "node:test";
import { MapFrame } from "../src/panels/minimap.ts";
import { decode } from "../src/net/protocol.ts";
import { Resets } from "../src/match/resets.ts";
import {
    cleanName,
    isLoopback,
    linkTo,
    listenOption,
    reachableHosts,
} from "../src/panels/share_links.ts";

const at = (host: string): { host: string; hostname: string; protocol: string } => ({
    host,
    hostname: host.replace(/:\d+$/, ""),
    protocol: "http:",
});

test("what is shown to others: the address that they reach, and no token but that of a seat", () => {
    assert.deepEqual(
        [
            "localhost",
            "127.0.0.1",
            "127.9.9.9",
            "[::1]",
            "a.localhost",
            "192.168.1.7",
            "halyard.local",
        ].map(isLoopback),
        [true, true, true, true, true, false, false],
    );
    assert.deepEqual(reachableHosts(at("127.0.0.1:5800"), ""), []);
    assert.deepEqual(reachableHosts(at("127.0.0.1:5800"), "10.0.0.2:5800 10.1.0.2:5800"), [
        "10.0.0.2:5800",
        "10.1.0.2:5800",
    ]);
    assert.deepEqual(reachableHosts(at("10.0.0.2:5800"), ""), ["10.0.0.2:5800"]);
    assert.equal(linkTo(at("x"), "10.0.0.2:5800", ""), "http://10.0.0.2:5800/");
    assert.equal(linkTo(at("x"), "10.0.0.2:5800", "abc"), "http://10.0.0.2:5800/#abc");
    assert.equal(listenOption(at("127.0.0.1:5901")), "--listen 0.0.0.0:5901");
    assert.equal(listenOption(at("localhost")), "--listen 0.0.0.0:5800");
    assert.equal(listenOption(at("127.0.0.1:5901"), true), "--view=0.0.0.0:5901");
});

test("a name is 20 characters that can be seen", () => {
    assert.equal(cleanName("  Ana  "), "Ana");
    assert.equal(
        cleanName("a\u202Eb\u2066c\u200Fd\u0007e\nf\u200Bg\uFEFFh\u{E0041}i"),
        "abcdefghi",
    );
    assert.equal(cleanName("<b>x</b>"), "<b>x</b>");
    assert.equal([...cleanName("🤖".repeat(30))].length, 20);
    assert.equal(cleanName("x".repeat(4096)).length, 20);
    for (const nothing of [
        "   ",
        "\u180B",
        "\u034F",
        "\u3164\u3164",
        "\u2800",
        "\uFFA0",
        "\u0301",
        "\u00A0\u3000",
        "\uE000",
        "\u{13441}",
    ]) {
        assert.equal(
            cleanName(nothing),
            "",
            [...nothing].map((one) => one.codePointAt(0)!.toString(16)).join(),
        );
    }
    for (const name of ["é", "e\u0301", "日", "ع", ".", "7", "\u2801", "🤖"]) {
        assert.equal(cleanName(name), name);
    }
});

test("who reset the match is said, and a simulator that was started again", () => {
    const resets = new Resets();
    const match = { blue: 3, red: 1, runs: true, timer: 53.2, collision: false };
    assert.equal(resets.sentence(10, match, [], 0), "The match was reset.");
    resets.pressed(6, "", 1000);
    assert.equal(resets.sentence(10, match, [1], 1100), "Player 6 reset the match.");
    assert.equal(
        resets.sentence(10, match, [1], 1200),
        "The match was reset.",
        "one press, one reset",
    );
    resets.pressed(6, "Ana", 2000);
    assert.equal(resets.sentence(10, match, [1], 2100), "Player 6 (Ana) reset the match.");
    resets.pressed(1, "", 3000);
    assert.equal(resets.sentence(10, match, [1], 3100), null, "one knows what one did");
    assert.equal(
        resets.sentence(1500, match, [1], 9000),
        "The simulator was restarted at 3:1, 0:54 left.",
    );
});

test("what the program says of seats, rights and bots is read; what it leaves out is closed", () => {
    const hello = decode('{"type":"hello","scene":{"floor":[0,0,1,1]}}');
    assert.ok(hello?.type === "hello");
    assert.deepEqual(
        [hello.mayCommand, hello.seat, hello.watchers, hello.addresses, hello.token],
        [false, 0, false, "", ""],
    );
    const players = decode(
        '{"type":"players","players":[{"player":2,"owner":"bot"},{"player":3,"owner":"other","name":"Ana"},{"player":4,"owner":7,"name":8}]}',
    );
    assert.ok(players?.type === "players");
    assert.deepEqual(
        players.players.map(({ owner, name }) => [owner, name]),
        [
            ["bot", ""],
            ["other", "Ana"],
            ["nobody", ""],
        ],
    );
    assert.deepEqual(decode('{"type":"seats","seats":[{"player":2,"token":"ab","used":true},7]}'), {
        type: "seats",
        seats: [{ player: 2, token: "ab", used: true }],
    });
    assert.deepEqual(
        decode(
            '{"type":"tunables","numbers":[{"name":"kP","value":0.5,"low":0},7],"choosers":[{"name":"Auto","options":["a",3],"chosen":1}]}',
        ),
        {
            type: "tunables",
            tuning: {
                numbers: [{ name: "kP", value: 0.5, low: 0, high: null }],
                choosers: [{ name: "Auto", options: ["a", ""], chosen: 1 }],
            },
        },
    );
    assert.deepEqual(decode('{"type":"tunables"}'), {
        type: "tunables",
        tuning: { numbers: [], choosers: [] },
    });
    assert.deepEqual(decode('{"type":"reset","player":6}'), { type: "reset", player: 6, name: "" });
});

test("the map: one's own end is below, headings turn with it", () => {
    const floor: [number, number, number, number] = [-4, -8, 4, 8];
    const plain = new MapFrame(floor, false);
    const turned = new MapFrame(floor, true);
    assert.ok(plain.height > plain.width);
    const [, low] = plain.place(0, -8);
    const [, high] = plain.place(0, 8);
    assert.ok(low > high, "y is up");
    assert.deepEqual(turned.place(-4, -8), plain.place(4, 8));
    assert.equal(plain.angle(Math.PI / 2), -Math.PI / 2);
    assert.ok(Math.abs(turned.angle(Math.PI / 2) - Math.PI / 2) < 1e-12);
});
