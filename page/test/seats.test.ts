import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlayerStatus, RobotModel } from "../src/net/protocol.ts";
import { Seats } from "../src/drive/seats.ts";

function seatsOf(
    players: number[],
    owners: PlayerStatus["owner"][] = [],
): { seats: Seats; past: { is: boolean } } {
    const past = { is: false };
    const seats = new Seats(() => past.is);
    seats.mayCommand = true;
    seats.robots = players.map((player) => ({ player })) as RobotModel[];
    seats.players = owners.map((owner, index) => ({
        player: players[index],
        owner,
    })) as PlayerStatus[];
    return { seats, past };
}

test("a page may drive what has a player, or its own seat only", () => {
    const { seats } = seatsOf([1, 0, 3]);
    assert.deepEqual(seats.drivable(), [1, 3]);
    seats.seat = 3;
    assert.deepEqual(seats.drivable(), [3]);
    assert.ok(seats.canDrive());
    seats.seat = 2;
    assert.ok(!seats.canDrive());
});

test("whoever only watches drives nothing, and nobody drives in the past", () => {
    const { seats, past } = seatsOf([1]);
    past.is = true;
    assert.ok(!seats.canDrive());
    assert.deepEqual(seats.free(), []);
    past.is = false;
    seats.mayCommand = false;
    assert.ok(!seats.canDrive());
    assert.equal(seats.firstFree(0), 0);
});

test("a bot leaves its robot to a page, another page does not", () => {
    const { seats } = seatsOf([1, 2, 3], ["other", "bot", "you"]);
    assert.deepEqual(seats.free(), [2, 3]);
    assert.equal(seats.firstFree(0), 2);
    assert.equal(seats.firstFree(2), 3);
    assert.equal(seats.robotOf(3), 2);
    assert.equal(seats.robotOf(4), -1);
});
