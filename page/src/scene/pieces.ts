// The balls: one draw call for all of them.
import { Color, InstancedMesh, Matrix4, MeshStandardMaterial, SphereGeometry, DynamicDrawUsage } from "three";
import { PIECE } from "./palette.ts";

const ROOM = 64;

const IN_TUBE = 4;

// A piece that is farther from where it was shown was put there, not rolled.
const JUMP_M = 0.8;

export class Pieces {
    readonly mesh: InstancedMesh;
    private readonly shown = new Float32Array(ROOM * 3);
    private readonly kinds = new Int8Array(ROOM).fill(-1);
    private readonly colors = PIECE.map((hex) => new Color(hex));
    private count = 0;

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

    /** `held`: which of them a robot carries; the others in a tube are only driven over. */
    update(pieces: readonly number[][], ease: number, held: (piece: number) => boolean): void {
        const matrix = new Matrix4();
        const count = Math.min(pieces.length, ROOM);
        for (let i = 0; i < count; i++) {
            const [x = 0, y = 0, z = 0, ingestion = 0] = pieces[i]!;
            this.move(i, x, y, Math.max(z, 0) + this.radius, i >= this.count ? 1 : ease);
            matrix.setPosition(this.shown[3 * i]!, this.shown[3 * i + 1]!, this.shown[3 * i + 2]!);
            this.mesh.setMatrixAt(i, matrix);
            this.tint(i, ingestion === IN_TUBE && !held(i) ? 0 : ingestion);
        }
        this.count = count;
        this.mesh.count = count;
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    private move(i: number, x: number, y: number, z: number, ease: number): void {
        const s = this.shown;
        const far = Math.hypot(x - s[3 * i]!, y - s[3 * i + 1]!) > JUMP_M;
        const k = far ? 1 : ease;
        s[3 * i]! += (x - s[3 * i]!) * k;
        s[3 * i + 1]! += (y - s[3 * i + 1]!) * k;
        s[3 * i + 2]! += (z - s[3 * i + 2]!) * k;
    }

    private tint(i: number, ingestion: number): void {
        if (this.kinds[i] !== ingestion) {
            this.kinds[i] = ingestion;
            this.mesh.setColorAt(i, this.colors[ingestion] ?? this.colors[0]!);
            this.mesh.instanceColor!.needsUpdate = true;
        }
    }
}
