// The balls: one draw call for all of them.
import {
    Color,
    InstancedMesh,
    Matrix4,
    MeshStandardMaterial,
    SphereGeometry,
    DynamicDrawUsage,
} from "three";
import type { Motion } from "./motion.ts";
import { PIECE } from "./palette.ts";

const ROOM = 64;

const IN_TUBE = 4;

export class Pieces {
    readonly mesh: InstancedMesh;
    private readonly local = new Matrix4();
    private readonly kinds = new Int8Array(ROOM).fill(-1);
    private readonly colors = PIECE.map((hex) => new Color(hex));

    constructor(private readonly radius: number) {
        const geometry = new SphereGeometry(radius, 20, 12);
        const material = new MeshStandardMaterial({ roughness: 0.55 });
        this.mesh = new InstancedMesh(geometry, material, ROOM);
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.setColorAt(0, this.colors[0]!);
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
        this.mesh.frustumCulled = false;
        this.mesh.count = 0;
    }

    /** `holder`: which robot carries a piece, or -1; the others in a tube are only driven over. `own` robots are shown as of now. */
    update(
        pieces: readonly number[][],
        motion: Motion,
        holder: (piece: number) => number,
        own: ReadonlySet<number>,
        dt: number,
    ): void {
        const count = Math.min(pieces.length, ROOM);
        for (let i = 0; i < count; i++) {
            const ingestion = pieces[i]![3] ?? 0;
            const robot = holder(i);
            const [x, y, z] = own.has(robot) ? motion.pieceNow(i, dt) : motion.piece(i);
            this.mesh.setMatrixAt(i, this.local.setPosition(x, y, Math.max(z, 0) + this.radius));
            this.tint(i, ingestion === IN_TUBE && robot < 0 ? 0 : ingestion);
        }
        this.mesh.count = count;
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    private tint(i: number, ingestion: number): void {
        if (this.kinds[i] !== ingestion) {
            this.kinds[i] = ingestion;
            this.mesh.setColorAt(i, this.colors[ingestion] ?? this.colors[0]!);
            this.mesh.instanceColor!.needsUpdate = true;
        }
    }
}
