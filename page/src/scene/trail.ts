// Where the followed robot has driven in the last seconds, coloured by its speed, or anything else in one colour: a ribbon on the floor.
import {
    BufferAttribute,
    BufferGeometry,
    Color,
    DoubleSide,
    DynamicDrawUsage,
    Mesh,
    MeshBasicMaterial,
} from "three";
import type { Spot } from "./motion.ts";

const TRAIL_S = 10;
const ROOM = 512; // points
const HEIGHT_M = 0.004;
const NEAR_SIZES = 0.08; // points are this share of the robot's size apart
const WIDTH_SIZES = 0.09;
const PLAIN_WIDTH_SIZES = 0.03; // so that the robot's own can be seen below it
// No robot drives so far in a second: it was put there, and did not leave a trail.
const JUMP_SIZES_S = 40;
// States are at least so far apart, whatever their clock says.
const LEAST_S = 1 / 60;
const SLOWEST_M_S = 0.05;
const SLOW = new Color(0x2f6bff);
const FAST = new Color(0xff3b30);
const MIDDLE = new Color(0xffd21f);

interface Point {
    x: number;
    y: number;
    t: number;
    speed: number;
}

/** From blue at rest over yellow to red at the highest speed. */
export function speedColor(share: number, out = new Color()): Color {
    const s = Math.min(1, Math.max(0, share));
    return s < 0.5 ? out.copy(SLOW).lerp(MIDDLE, 2 * s) : out.copy(MIDDLE).lerp(FAST, 2 * s - 1);
}

export class Trail {
    readonly mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
    private readonly points: Point[] = [];
    private readonly positions = new BufferAttribute(new Float32Array(ROOM * 6), 3).setUsage(
        DynamicDrawUsage,
    );
    private readonly colors = new BufferAttribute(new Float32Array(ROOM * 6), 3).setUsage(
        DynamicDrawUsage,
    );
    private readonly color = new Color();
    private robot = -1;
    private seen: Spot = [0, 0, 0];
    private seenT = 0;
    /** The highest speed that was seen, m/s: it has the last colour. */
    private fastest = SLOWEST_M_S;

    /** `plain`: the colour of all of it, in place of that of the speed. */
    constructor(private readonly plain: number | null = null) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", this.positions);
        geometry.setAttribute("color", this.colors);
        geometry.setIndex(
            Array.from({ length: ROOM - 1 }, (_, i) => [
                2 * i,
                2 * i + 1,
                2 * i + 2,
                2 * i + 1,
                2 * i + 3,
                2 * i + 2,
            ]).flat(),
        );
        geometry.setDrawRange(0, 0);
        const material = new MeshBasicMaterial({
            vertexColors: true,
            transparent: true,
            opacity: 0.8,
            depthWrite: false,
            side: DoubleSide,
            toneMapped: false,
        });
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = 2;
        this.mesh.visible = false;
    }

    clear(): void {
        this.points.length = 0;
        this.fastest = SLOWEST_M_S;
    }

    /** Whether this is another robot, the same at another moment, or put elsewhere. */
    private isAnother(robot: number, spot: Spot, t: number, size: number): boolean {
        const [x, y] = this.seen;
        const driven = Math.hypot(spot[0] - x, spot[1] - y);
        return (
            robot !== this.robot ||
            t < this.seenT ||
            t > this.seenT + TRAIL_S ||
            driven > JUMP_SIZES_S * size * Math.max(t - this.seenT, LEAST_S)
        );
    }

    /** The robot `robot` is shown at `spot` at the time `t`, of the simulation or of the recording. */
    update(robot: number, spot: Spot, t: number, size: number): void {
        if (this.isAnother(robot, spot, t, size)) {
            this.clear();
            this.robot = robot;
        }
        this.seen = spot;
        this.seenT = t;
        const before = this.points.at(-1);
        const distance =
            before === undefined ? Infinity : Math.hypot(spot[0] - before.x, spot[1] - before.y);
        if (distance >= NEAR_SIZES * size) {
            const speed = before === undefined || t <= before.t ? 0 : distance / (t - before.t);
            // Not that of one step alone: it may have been put there.
            this.fastest = Math.max(this.fastest, Math.min(speed, before?.speed ?? 0));
            this.points.push({ x: spot[0], y: spot[1], t, speed });
        }
        while (
            this.points.length > 0 &&
            (t - this.points[0]!.t > TRAIL_S || this.points.length > ROOM)
        ) {
            this.points.shift();
        }
        this.draw(0.5 * (this.plain === null ? WIDTH_SIZES : PLAIN_WIDTH_SIZES) * size);
    }

    private draw(half: number): void {
        const { points } = this;
        points.forEach((point, i) => {
            const from = points[Math.max(0, i - 1)]!;
            const to = points[Math.min(points.length - 1, i + 1)]!;
            const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
            const nx = (-(to.y - from.y) / length) * half;
            const ny = ((to.x - from.x) / length) * half;
            this.positions.setXYZ(2 * i, point.x + nx, point.y + ny, HEIGHT_M);
            this.positions.setXYZ(2 * i + 1, point.x - nx, point.y - ny, HEIGHT_M);
            if (this.plain === null) {
                speedColor(point.speed / this.fastest, this.color);
            } else {
                this.color.setHex(this.plain);
            }
            this.colors.setXYZ(2 * i, this.color.r, this.color.g, this.color.b);
            this.colors.setXYZ(2 * i + 1, this.color.r, this.color.g, this.color.b);
        });
        this.mesh.geometry.setDrawRange(0, Math.max(0, 6 * (points.length - 1)));
        this.positions.needsUpdate = true;
        this.colors.needsUpdate = true;
    }

    /** The newest speed as a share of the highest. */
    get share(): number {
        return (this.points.at(-1)?.speed ?? 0) / this.fastest;
    }

    get length(): number {
        return this.points.length;
    }
}
