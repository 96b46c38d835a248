// Where the sensors sit that a world file adds to a robot.
import type { RobotModel, Sensor } from "../net/protocol.ts";

/** Of a robot of the match: over its tube's upper end. */
export const LIDAR_HEIGHT_M = 0.3;

/** The lidars that are not the match's. */
export function lidarsOf(model: RobotModel): Sensor[] {
    return model.sensors.filter((sensor) => sensor.type === "lidar");
}

/** Where such a lidar sits: on top of the robot, with room for its wheels and cells. */
export function lidarHeight(model: RobotModel): number {
    return (
        Math.max(
            0.05,
            ...model.parts.map((part) => part.high),
            ...model.wheels.map((wheel) => 2 * wheel.radius),
        ) + 0.03
    );
}

/** A place on a robot that stands at `at`, in the world. */
export function placeOf(
    at: readonly [number, number, number],
    on: readonly [number, number, number],
): [number, number, number] {
    const [cos, sin] = [Math.cos(at[2]), Math.sin(at[2])];
    return [at[0] + on[0] * cos - on[1] * sin, at[1] + on[0] * sin + on[1] * cos, at[2] + on[2]];
}
