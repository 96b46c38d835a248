// Arrows over intakes and tubes: where their motors pull, as long as they are fast. One draw call.
import { Color, DynamicDrawUsage, InstancedMesh, Matrix4, MeshBasicMaterial, Vector3 } from "three";
import type { RobotModel, RobotState } from "../net/protocol.ts";
import { arrow, boundsOf } from "./geometry.ts";
import { INTAKE, TUBE } from "./palette.ts";
import type { Pose } from "./pose.ts";

// The fastest that these motors turn, rad/s (25 RPM).
const FULL_RAD_S = 2.618;
const SCALE = new Vector3();

interface Arrow {
    robot: number;
    speed: (state: RobotState) => number;
    x: number;
    y: number;
    z: number;
    direction: number;
    length: number;
    shown: number;
}

/** Role of the part, direction in which a positive speed pulls, which speed. */
const KINDS: [string, number, (state: RobotState) => number, number][] = [
    ["intake_center", Math.PI, (s) => s.intake[0] ?? 0, INTAKE],
    ["intake_left", -Math.PI / 2, (s) => s.intake[1] ?? 0, INTAKE],
    ["intake_right", Math.PI / 2, (s) => s.intake[2] ?? 0, INTAKE],
    ["tube", Math.PI, (s) => s.tube, TUBE],
];

export class Arrows {
    readonly mesh: InstancedMesh;
    private readonly arrows: Arrow[] = [];
    private readonly local = new Matrix4();

    constructor(robots: readonly RobotModel[]) {
        const colors: Color[] = [];
        robots.forEach((model, robot) => {
            for (const [role, direction, speed, color] of KINDS) {
                const part = model.parts.find((p) => p.role === role);
                if (part !== undefined) {
                    const b = boundsOf(part.points);
                    const x = (b.x0 + b.x1) / 2;
                    const y = (b.y0 + b.y1) / 2;
                    const length = role === "tube" ? 0.75 : 0.46;
                    const z = role === "tube" ? 0.72 : 0.3;
                    this.arrows.push({ robot, speed, x, y, z, direction, length, shown: 0 });
                    colors.push(new Color(color));
                }
            }
        });
        const material = new MeshBasicMaterial({ toneMapped: false });
        this.mesh = new InstancedMesh(arrow(), material, Math.max(this.arrows.length, 1));
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        colors.forEach((color, i) => this.mesh.setColorAt(i, color));
        this.mesh.frustumCulled = false;
    }

    update(states: readonly RobotState[], poses: readonly Pose[], ease: number): void {
        let count = 0;
        this.arrows.forEach((a, i) => {
            const state = states[a.robot];
            const wanted = state === undefined ? 0 : a.speed(state) / FULL_RAD_S;
            a.shown += (Math.max(-1.5, Math.min(1.5, wanted)) - a.shown) * ease;
            const size = Math.abs(a.shown) < 0.02 ? 0 : a.shown;
            const length = Math.abs(size) * a.length;
            const wide = size === 0 ? 0 : 0.45;
            this.local.makeRotationZ(size < 0 ? a.direction + Math.PI : a.direction);
            const cos = Math.cos(a.direction) * Math.sign(size);
            const sin = Math.sin(a.direction) * Math.sign(size);
            this.local.setPosition(a.x - (cos * length) / 2, a.y - (sin * length) / 2, a.z);
            this.local.scale(SCALE.set(length, wide, wide === 0 ? 0 : 0.4));
            this.mesh.setMatrixAt(i, this.local.premultiply(poses[a.robot]!.matrix));
            count += size === 0 ? 0 : 1;
        });
        this.mesh.count = this.arrows.length;
        this.mesh.visible = count > 0;
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}
