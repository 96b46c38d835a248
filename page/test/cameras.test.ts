import { strict as assert } from "node:assert";
import { test } from "node:test";
import { Cameras, freeShare, obstaclesOf } from "../src/scene/cameras.ts";
import { Pose } from "../src/scene/pose.ts";
import type { Point } from "../src/net/protocol.ts";

const COLUMN: Point[] = [
    [-0.5, 3],
    [0.5, 3],
    [0.5, 4],
    [-0.5, 4],
];
const FENCE: Point[] = [
    [-4, -8],
    [4, -8],
    [4, 8],
    [-4, 8],
];
const WALLS = [
    { height: 0.6, points: FENCE },
    { height: 2, points: COLUMN },
];
const at = (x: number, y: number, z: number): { x: number; y: number; z: number } => ({ x, y, z });

test("the eye stops in front of what is higher than the line of sight, and only there", () => {
    const obstacles = obstaclesOf(WALLS);
    assert.equal(freeShare(obstacles, at(0, 0, 0.3), at(0, 2.9, 1.5)), 1);
    const share = freeShare(obstacles, at(0, 0, 0.3), at(0, 6, 1.5));
    assert.ok(share > 0.4 && share < 0.5, String(share));
    assert.equal(freeShare(obstacles, at(0, 0, 0.3), at(0, 6, 12)), 1, "over the column");
    assert.equal(freeShare(obstacles, at(0, -7, 0.3), at(0, -10, 2)), 1, "over the fence");
    assert.ok(freeShare(obstacles, at(0, -7, 0.1), at(0, -10, 0.4)) < 0.34, "through the fence");
    assert.equal(
        obstaclesOf([
            {
                height: 1,
                points: [
                    [0, 0],
                    [1, 0],
                ],
            },
        ]).length,
        1,
        "two points are one wall",
    );
});

function chasing(size: number, y = 5.2): { cameras: Cameras; pose: Pose } {
    const cameras = new Cameras([-4, -8, 4, 8], 0.9, WALLS);
    cameras.resize(1280, 720, { top: 0, right: 0, bottom: 0, left: 0 });
    cameras.show("chase");
    const pose = new Pose();
    pose.place([0, y, Math.PI / 2], 1); // at 5.2 the column is right behind it
    for (let i = 0; i < 120; i++) {
        cameras.update(pose, 1 / 60, size);
    }
    return { cameras, pose };
}

test("the chase camera never stands behind or inside a column", () => {
    const { cameras, pose } = chasing(0.9);
    const { x, y } = cameras.camera.position;
    assert.ok(y > 4 && y < pose.y, `the eye is at ${x.toFixed(2)} ${y.toFixed(2)}`);
});

test("the chase camera stays outside a column that the robot touches with its back, or with its front", () => {
    const back = chasing(0.9, 4.46);
    const { y } = back.cameras.camera.position;
    assert.ok(y > 4 && y < back.pose.y, `the eye is at ${y.toFixed(2)}`);
    const front = chasing(0.9, 2.5).cameras.camera.position; // what it looks at lies in the column
    assert.ok(front.y < 2.5 - 2 * 0.9, `the eye is at ${front.y.toFixed(2)}`);
});

test("the chase camera is as far away as the robot that it follows is large", () => {
    const away = (size: number): number => {
        const cameras = new Cameras([-4, -8, 4, 8], 0.9);
        cameras.resize(1280, 720, { top: 0, right: 0, bottom: 0, left: 0 });
        cameras.show("chase");
        const pose = new Pose();
        pose.place([0, 0, 0], 1);
        for (let i = 0; i < 120; i++) {
            cameras.update(pose, 1 / 60, size);
        }
        return Math.hypot(cameras.camera.position.x, cameras.camera.position.y);
    };
    assert.ok(away(0.2) < 1 && away(0.9) > 2.5, `${away(0.2)} ${away(0.9)}`);
});

test("the drivers stand behind their end, whichever it is", () => {
    const cameras = new Cameras([-4, -8, 4, 8], 0.9);
    cameras.resize(1280, 720, { top: 0, right: 0, bottom: 0, left: 0 });
    for (const side of [-1, 1]) {
        cameras.show("station");
        for (let i = 0; i < 120; i++) {
            cameras.update(undefined, 1 / 60, 0.9, side);
        }
        const { y, z } = cameras.camera.position;
        assert.ok(side * y > 8 && z > 1.5 && z < 3, `${side}: ${y} ${z}`);
    }
});
