// The wheels of all robots: one draw call. They roll as driven, or as the floor passes under them.
import {
    DynamicDrawUsage,
    InstancedMesh,
    Matrix4,
    MeshStandardMaterial,
    Vector3,
    type BufferGeometry,
} from "three";
import type { RobotModel, RobotState, Wheel } from "../net/protocol.ts";
import { box, cylinder, merged, painted } from "./geometry.ts";
import { RUBBER } from "./palette.ts";
import type { Pose } from "./pose.ts";

const SCALE = new Vector3();

interface Rolling {
    robot: number;
    index: number;
    wheel: Wheel;
    angle: number;
}

/** Radius 1 and width 1, axle along y: tyre, rim, and spokes that show it turn. */
function wheelGeometry(): BufferGeometry {
    const parts = [
        painted(cylinder(1, 1, "y", 28), RUBBER),
        painted(cylinder(0.66, 1.04, "y", 20), 0x9aa4b2),
    ];
    for (let i = 0; i < 3; i++) {
        parts.push(painted(box(0, 0, 0, 1.24, 1.12, 0.17).rotateY((i * Math.PI) / 3), 0xe8edf4));
    }
    for (let i = 0; i < 14; i++) {
        parts.push(
            painted(box(0.985, 0, 0, 0.06, 0.98, 0.12).rotateY((i * Math.PI) / 7), 0x2c3036),
        );
    }
    return merged(parts);
}

export class Wheels {
    readonly mesh: InstancedMesh;
    private readonly wheels: Rolling[] = [];
    private readonly hidden = new Set<number>();
    private readonly local = new Matrix4();
    private readonly spin = new Matrix4();

    constructor(robots: readonly RobotModel[]) {
        robots.forEach((model, robot) => {
            model.wheels.forEach((wheel, index) =>
                this.wheels.push({ robot, index, wheel, angle: index }),
            );
        });
        const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.75 });
        this.mesh = new InstancedMesh(wheelGeometry(), material, Math.max(this.wheels.length, 1));
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.count = this.wheels.length;
        this.mesh.castShadow = true;
        this.mesh.frustumCulled = false;
    }

    /** The robot's wheels are part of its model. */
    hide(robot: number): void {
        this.hidden.add(robot);
    }

    /** Metres that the wheel's tread has passed in this frame. */
    private rolled(w: Rolling, state: RobotState, pose: Pose, azimuth: number, dt: number): number {
        if (state.drive.length >= 2) {
            return (w.wheel.y > 0 ? state.drive[0]! : state.drive[1]!) * w.wheel.radius * dt;
        }
        const forward = pose.forward - pose.turned * w.wheel.y;
        const left = pose.left + pose.turned * w.wheel.x;
        return forward * Math.cos(azimuth) + left * Math.sin(azimuth);
    }

    update(states: readonly RobotState[], poses: readonly Pose[], dt: number): void {
        this.wheels.forEach((w, i) => {
            const state = states[w.robot];
            const pose = poses[w.robot]!;
            const { x, y, radius, width } = w.wheel;
            const azimuth = state?.azimuths[w.index] ?? 0;
            if (state !== undefined) {
                w.angle += this.rolled(w, state, pose, azimuth, dt) / radius;
            }
            this.local.makeRotationZ(azimuth).setPosition(x, y, radius);
            this.spin.makeRotationY(w.angle);
            this.local
                .multiply(this.spin)
                .scale(
                    this.hidden.has(w.robot)
                        ? SCALE.setScalar(0)
                        : SCALE.set(radius, width, radius),
                );
            this.mesh.setMatrixAt(i, this.local.premultiply(pose.matrix));
        });
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}
