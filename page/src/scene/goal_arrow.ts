// Whoever carries a ball sees on the floor where its goal is. One draw call.
import { Mesh, MeshBasicMaterial, ShapeGeometry } from "three";
import { shapeOf } from "./geometry.ts";
import type { Pose } from "./pose.ts";

const AHEAD = 1.15; // robot sizes from its middle
const PULSE_HZ = 1.4;

export class GoalArrow {
    readonly mesh: Mesh<ShapeGeometry, MeshBasicMaterial>;
    private phase = 0;

    constructor(private readonly size: number) {
        const s = 0.3 * size;
        const chevron = shapeOf([
            [-s, -s],
            [0, -s],
            [s, 0],
            [0, s],
            [-s, s],
            [0, 0],
        ]);
        this.mesh = new Mesh(
            new ShapeGeometry(chevron),
            new MeshBasicMaterial({ transparent: true, depthWrite: false, toneMapped: false }),
        );
        this.mesh.renderOrder = 2;
        this.mesh.visible = false;
    }

    hide(): void {
        this.mesh.visible = false;
    }

    /** Beside a robot, towards a goal, in a colour. */
    show(
        pose: Pose,
        goal: { x: number; y: number },
        color: number,
        dt: number,
        isCalm: boolean,
    ): void {
        this.phase = (this.phase + dt * PULSE_HZ) % 1;
        const swing = isCalm ? 0 : Math.sin(2 * Math.PI * this.phase);
        const angle = Math.atan2(goal.y - pose.y, goal.x - pose.x);
        const away = this.size * (AHEAD + 0.1 * swing);
        this.mesh.position.set(
            pose.x + away * Math.cos(angle),
            pose.y + away * Math.sin(angle),
            0.02,
        );
        this.mesh.rotation.z = angle;
        this.mesh.material.color.setHex(color);
        this.mesh.material.opacity = 0.8 + 0.15 * swing;
        this.mesh.visible = true;
    }
}
