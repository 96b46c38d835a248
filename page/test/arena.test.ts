import { strict as assert } from "node:assert";
import { test } from "node:test";
import { wallColors } from "../src/scene/arena.ts";
import type { Scene } from "../src/net/protocol.ts";

const scene = {
    floor: [-4, -8, 4, 8],
    goals: [
        {
            alliance: "Blue",
            points: [
                [1, -9],
                [2, -9],
            ],
        },
        {
            alliance: "Red",
            points: [
                [-1, 9],
                [-2, 9],
            ],
        },
    ],
} as unknown as Scene;

test("the hall's wall: its top is the picture's background, its foot lighter, and each end has its alliance's colour", () => {
    const far = 16 * 2.2,
        high = 16 * 0.9;
    const [blueFoot, redFoot, sideFoot, top] = [
        [0, -far, 0],
        [0, far, 0],
        [far, 0, 0],
        [0, far, high],
    ].map((place) => wallColors(scene, place, "dark"));
    const sum = (color: number[] | undefined): number => color!.reduce((a, b) => a + b, 0);
    assert.ok(sum(top) < sum(sideFoot) / 3);
    assert.ok(blueFoot![2]! > redFoot![2]! && redFoot![0]! > blueFoot![0]!);
    const isGrey = sideFoot!.every((value) => Math.abs(value - sideFoot![1]!) < 0.1);
    assert.ok(isGrey, `between the ends neither: ${sideFoot!.join()}`);
});
