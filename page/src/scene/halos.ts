// The light under each robot: its alliance's colour, red while it touches something. One draw call.
import {
    AdditiveBlending,
    Color,
    DynamicDrawUsage,
    InstancedMesh,
    Matrix4,
    MeshBasicMaterial,
    NormalBlending,
    PlaneGeometry,
} from "three";
import type { RobotModel, RobotState } from "../net/protocol.ts";
import { boundsOf } from "./geometry.ts";
import { looksOf } from "./looks.ts";
import { allianceColor, COLLISION } from "./palette.ts";
import { glow } from "./paint.ts";
import type { Pose } from "./pose.ts";

export class Halos {
    readonly mesh: InstancedMesh;
    private readonly calm: Color[];
    private readonly alarm = new Color(COLLISION).multiplyScalar(1.6);
    private readonly shown: number[];
    private readonly color = new Color();
    private readonly local = new Matrix4();
    private readonly offsets: number[];
    private readonly material: MeshBasicMaterial;
    // On a board's light floor nothing can be added to: there the light covers, and only while robots touch.
    private readonly isFaint: boolean;

    constructor(robots: readonly RobotModel[]) {
        const outlines = robots.map((m) => boundsOf(m.parts.flatMap((p) => p.points)));
        const size = Math.max(
            0.1,
            ...outlines.map((b) =>
                Number.isFinite(b.x1) ? Math.hypot(b.x1 - b.x0, b.y1 - b.y0) : 0,
            ),
        );
        this.offsets = outlines.map((b) => (Number.isFinite(b.x1) ? (b.x0 + b.x1) / 2 : 0));
        this.shown = robots.map(() => 0);
        this.isFaint = robots.every((m) => looksOf(m) !== "match");
        // Without an alliance there is no light until it touches something: beside tanks, black adds none.
        const none = new Color(this.isFaint ? COLLISION : 0);
        this.calm = robots.map((m) =>
            looksOf(m) === "match"
                ? new Color(allianceColor(m.alliance)).multiplyScalar(0.55)
                : none,
        );
        this.material = new MeshBasicMaterial({
            map: glow(),
            transparent: true,
            depthWrite: false,
            toneMapped: false,
        });
        this.material.blending = this.isFaint ? NormalBlending : AdditiveBlending;
        this.mesh = new InstancedMesh(
            new PlaneGeometry(size * 1.5, size * 1.5),
            this.material,
            Math.max(robots.length, 1),
        );
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        robots.forEach((_, i) => this.mesh.setColorAt(i, this.calm[i]!));
        this.mesh.count = robots.length;
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 1;
    }

    update(states: readonly RobotState[], poses: readonly Pose[], dt: number): void {
        poses.forEach((pose, i) => {
            const touching = states[i]?.touching === true ? 1 : 0;
            this.shown[i]! +=
                (touching - this.shown[i]!) * (1 - Math.exp(-dt * (touching ? 30 : 6)));
            this.local.makeTranslation(this.offsets[i]!, 0, 0.003).premultiply(pose.matrix);
            this.mesh.setMatrixAt(i, this.local);
            this.mesh.setColorAt(
                i,
                this.color.copy(this.calm[i]!).lerp(this.alarm, this.shown[i]!),
            );
        });
        if (this.isFaint) {
            this.material.opacity = 0.8 * Math.max(0, ...this.shown);
            this.mesh.visible = this.material.opacity > 0.01;
        }
        this.mesh.instanceMatrix.needsUpdate = true;
        if (this.mesh.instanceColor !== null) {
            this.mesh.instanceColor.needsUpdate = true;
        }
    }
}
