// A blow shows where it was: sparks and a short glow on the floor. Two draw calls while there are any.
import {
    AdditiveBlending,
    BufferAttribute,
    BufferGeometry,
    Color,
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    MeshBasicMaterial,
    PlaneGeometry,
    Points,
    PointsMaterial,
    Vector3,
} from "three";
import { glow } from "./paint.ts";

const ROOM = 96;
const EACH = 12;
const LIFE_S = 0.45;
const GLOWS = 8;
const GLOW_S = 0.35;
const GRAVITY_M_S2 = 9.8;
const HOT = new Color(0xffe2a8);

export class Sparks {
    readonly group = new Group();
    private readonly positions = new BufferAttribute(new Float32Array(ROOM * 3), 3).setUsage(
        DynamicDrawUsage,
    );
    private readonly colors = new BufferAttribute(new Float32Array(ROOM * 3), 3).setUsage(
        DynamicDrawUsage,
    );
    private readonly velocity = new Float32Array(ROOM * 3);
    private readonly life = new Float32Array(ROOM);
    private readonly points: Points;
    private readonly glows: InstancedMesh;
    private readonly glowLife = new Float32Array(GLOWS);
    private readonly glowAt: Vector3[] = Array.from({ length: GLOWS }, () => new Vector3());
    private next = 0;
    private nextGlow = 0;
    private seed = 1;

    constructor(private readonly size: number) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", this.positions);
        geometry.setAttribute("color", this.colors);
        this.points = new Points(
            geometry,
            new PointsMaterial({
                size: 0.06 * size,
                vertexColors: true,
                transparent: true,
                depthWrite: false,
                blending: AdditiveBlending,
                toneMapped: false,
            }),
        );
        this.glows = new InstancedMesh(
            new PlaneGeometry(1, 1),
            new MeshBasicMaterial({
                map: glow(),
                transparent: true,
                depthWrite: false,
                blending: AdditiveBlending,
                toneMapped: false,
            }),
            GLOWS,
        );
        this.glows.instanceMatrix.setUsage(DynamicDrawUsage);
        this.glows.setColorAt(0, HOT);
        this.points.frustumCulled = this.glows.frustumCulled = false;
        this.points.renderOrder = this.glows.renderOrder = 5;
        this.points.visible = this.glows.visible = false;
        this.group.add(this.glows, this.points);
    }

    /** Cheap and the same in every run: pictures of the page can be compared. */
    private random(): number {
        this.seed = (this.seed * 1103515245 + 12345) % 2147483648;
        return this.seed / 2147483648;
    }

    /** `strength`: 0 .. 1. */
    add(x: number, y: number, strength: number): void {
        const count = Math.ceil(EACH * (0.4 + 0.6 * strength));
        for (let k = 0; k < count; k++) {
            const i = this.next;
            this.next = (this.next + 1) % ROOM;
            const angle = this.random() * 2 * Math.PI;
            const out = (0.6 + 1.8 * this.random()) * (0.5 + strength) * this.size;
            this.positions.setXYZ(i, x, y, 0.14 * this.size);
            this.velocity.set(
                [Math.cos(angle) * out, Math.sin(angle) * out, (1 + 2 * this.random()) * this.size],
                3 * i,
            );
            this.life[i] = LIFE_S * (0.6 + 0.4 * this.random());
        }
        this.glowAt[this.nextGlow]!.set(x, y, (0.5 + strength) * this.size);
        this.glowLife[this.nextGlow] = GLOW_S;
        this.nextGlow = (this.nextGlow + 1) % GLOWS;
    }

    update(dt: number): void {
        this.points.visible = this.updatePoints(dt);
        this.glows.visible = this.updateGlows(dt);
    }

    private updatePoints(dt: number): boolean {
        let any = false;
        for (let i = 0; i < ROOM; i++) {
            const left = (this.life[i] = Math.max(0, this.life[i]! - dt));
            const v = this.velocity;
            if (left > 0) {
                any = true;
                v[3 * i + 2]! -= GRAVITY_M_S2 * this.size * dt;
                const z = this.positions.getZ(i) + v[3 * i + 2]! * dt;
                this.positions.setXYZ(
                    i,
                    this.positions.getX(i) + v[3 * i]! * dt,
                    this.positions.getY(i) + v[3 * i + 1]! * dt,
                    Math.max(0.01, z),
                );
            }
            const share = left / LIFE_S;
            this.colors.setXYZ(i, share, share * 0.75, share * share * 0.5);
        }
        this.positions.needsUpdate = this.colors.needsUpdate = true;
        return any;
    }

    private updateGlows(dt: number): boolean {
        const matrix = new Matrix4();
        const color = new Color();
        let any = false;
        for (let i = 0; i < GLOWS; i++) {
            const left = (this.glowLife[i] = Math.max(0, this.glowLife[i]! - dt));
            const { x, y, z } = this.glowAt[i]!;
            any ||= left > 0;
            matrix.makeScale(z, z, 1).setPosition(x, y, 0.02 * this.size);
            this.glows.setMatrixAt(i, matrix);
            this.glows.setColorAt(i, color.copy(HOT).multiplyScalar((0.7 * left) / GLOW_S));
        }
        this.glows.instanceMatrix.needsUpdate = true;
        this.glows.instanceColor!.needsUpdate = true;
        return any;
    }
}
