// Six ways to look: the whole field, from above, around a robot, from behind it, through its eyes, from its drivers' place.
import { PerspectiveCamera, Vector3 } from "three";
import type { Point } from "../net/protocol.ts";
import type { Pose } from "./pose.ts";

export type View = "home" | "top" | "orbit" | "chase" | "first" | "station";

/** Pixels at the edges that panels cover. */
export interface Insets {
    top: number;
    right: number;
    bottom: number;
    left: number;
}

interface Shot {
    eye: Vector3;
    target: Vector3;
    up: Vector3;
    fov: number;
}

const SWITCH_S = 0.7;

// The home view looks down between these angles, and fills this share of the free height if it can.
const FLATTEST = 0.86;
const STEEPEST = 1.3;
const FILLED = 0.74;

const UP = new Vector3(0, 0, 1);

// Robot sizes that the chase camera rises where a wall brings it to the robot.
const CLOSE_RISE = 1.2;

// Robot sizes a second, that the chase camera's angle widens with.
const FASTEST = 7;

export interface Obstacle {
    x0: number;
    y0: number;
    x1: number;
    y1: number;
    height: number;
}

export function obstaclesOf(
    walls: readonly { height: number; points: readonly Point[] }[],
): Obstacle[] {
    return walls.flatMap(({ height, points }) =>
        points.flatMap(([x0, y0], i) => {
            const [x1, y1] = points[(i + 1) % points.length]!;
            return points.length === 2 && i === 1 ? [] : [{ x0, y0, x1, y1, height }];
        }),
    );
}

// The eye stays this share of its way in front of what blocks it.
const CLEAR = 0.92;

interface Place {
    x: number;
    y: number;
    z: number;
}

/** The share of the way from `from` to `to` on which nothing is in between; 1: all of it. */
export function freeShare(obstacles: readonly Obstacle[], from: Place, to: Place): number {
    const dx = to.x - from.x;
    const dy = to.y - from.y;
    let free = 1;
    for (const { x0, y0, x1, y1, height } of obstacles) {
        const ex = x1 - x0;
        const ey = y1 - y0;
        const across = dx * ey - dy * ex;
        const share = ((x0 - from.x) * ey - (y0 - from.y) * ex) / across;
        const along = ((x0 - from.x) * dy - (y0 - from.y) * dx) / across;
        const isHit = share > 0 && share < 1 && along >= 0 && along <= 1;
        if (isHit && from.z + (to.z - from.z) * share < height) {
            free = Math.min(free, share * CLEAR);
        }
    }
    return free;
}

function shot(): Shot {
    return { eye: new Vector3(), target: new Vector3(), up: new Vector3(0, 0, 1), fov: 45 };
}

function clamp(value: number, low: number, high: number): number {
    return Math.max(low, Math.min(high, value));
}

export class Cameras {
    readonly camera = new PerspectiveCamera(45, 1, 0.01, 200);
    view: View = "home";
    private readonly current = shot();
    private readonly from = shot();
    private readonly wanted = shot();
    private switched = 1;
    private width = 1;
    private height = 1;
    private insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
    // What the hand has changed: turn and tilt (radians), distance factor, shift of the middle (metres).
    private yaw = 0;
    private pitch = 0;
    private zoom = 1;
    private readonly shift = new Vector3();
    private chaseHeading = 0;
    private chaseShare = 1; // of the wanted distance that nothing blocks
    private chaseSpeed = 0;
    private readonly chaseAt = new Vector3();
    private tilt = FLATTEST;
    private tiltFor = ""; // the canvas and panels that the tilt was found for

    private readonly obstacles: Obstacle[];

    /** `walls`: what the eye does not go through. */
    constructor(
        private readonly floor: [number, number, number, number],
        private robotSize: number,
        walls: readonly { height: number; points: readonly Point[] }[] = [],
    ) {
        this.obstacles = obstaclesOf(walls);
        const size = Math.max(floor[2] - floor[0], floor[3] - floor[1]);
        this.camera.far = size * 12;
    }

    resize(width: number, height: number, insets: Insets): void {
        this.width = width;
        this.height = height;
        this.insets = insets;
        this.camera.aspect = width / height;
        const dx = (insets.right - insets.left) / 2;
        const dy = (insets.bottom - insets.top) / 2;
        this.camera.setViewOffset(width, height, dx, dy, width, height);
    }

    show(view: View): void {
        this.view = view;
        this.yaw = this.pitch = 0;
        this.zoom = 1;
        this.shift.set(0, 0, 0);
        this.copyShot(this.from, this.current);
        this.switched = 0;
    }

    /** Ends the way from one view to the next. */
    arrive(): void {
        this.switched = 1;
    }

    private copyShot(to: Shot, from: Shot): void {
        to.eye.copy(from.eye);
        to.target.copy(from.target);
        to.up.copy(from.up);
        to.fov = from.fov;
    }

    // ------------------------------------------------------------------ the hand

    /** A drag over so many pixels; `pans` moves the middle instead of turning. */
    drag(dx: number, dy: number, pans: boolean): void {
        const turn = 4 / Math.min(this.width, this.height);
        if (pans || this.view === "top") {
            this.pan(dx, dy);
        } else {
            this.yaw -= dx * turn;
            this.pitch = clamp(this.pitch + dy * turn, -1.2, 1.2);
        }
    }

    private pan(dx: number, dy: number): void {
        if (this.view === "first" || this.view === "chase" || this.view === "station") {
            return;
        }
        const distance = this.current.eye.distanceTo(this.current.target);
        const scale = (2 * distance * Math.tan((this.current.fov * Math.PI) / 360)) / this.height;
        const ahead = this.current.target.clone().sub(this.current.eye).setZ(0);
        if (ahead.lengthSq() < 1e-6) {
            ahead.copy(this.current.up);
        }
        ahead.setZ(0).normalize();
        const right = new Vector3(ahead.y, -ahead.x, 0);
        this.shift.addScaledVector(right, -dx * scale).addScaledVector(ahead, dy * scale);
        const reach = Math.max(this.floor[2] - this.floor[0], this.floor[3] - this.floor[1]) / 2;
        this.shift.clampLength(0, reach);
    }

    /** Above 1 goes nearer. */
    scale(factor: number): void {
        this.zoom = clamp(this.zoom / factor, 0.12, 2.5);
    }

    // ------------------------------------------------------------------ the views

    /** Shares of the canvas, across and upright, that no panel covers. */
    private free(): { across: number; upright: number } {
        const { top, right, bottom, left } = this.insets;
        return {
            across: Math.max(0.25, (this.width - left - right) / this.width),
            upright: Math.max(0.25, (this.height - top - bottom) / this.height),
        };
    }

    private isWide(): boolean {
        const { across, upright } = this.free();
        return this.width * across > this.height * upright;
    }

    /** Seen from the field's long side where the canvas is wide, from its end where it is tall. */
    private homeAzimuth(): number {
        const [x0, y0, x1, y1] = this.floor;
        return y1 - y0 > x1 - x0 === this.isWide() ? Math.PI : -Math.PI / 2;
    }

    /** How far away `across` x `upright` metres fill what is free of the canvas. */
    private fit(across: number, upright: number, fov: number): number {
        const free = this.free();
        const tan = Math.tan((fov * Math.PI) / 360);
        const aspect = this.width / this.height;
        return Math.max(
            upright / (2 * tan * free.upright),
            across / (2 * tan * aspect * free.across),
        );
    }

    private extent(): { across: number; deep: number } {
        const [x0, y0, x1, y1] = this.floor;
        const byLongSide = this.homeAzimuth() === Math.PI;
        return byLongSide ? { across: y1 - y0, deep: x1 - x0 } : { across: x1 - x0, deep: y1 - y0 };
    }

    private middle(out: Vector3): Vector3 {
        const [x0, y0, x1, y1] = this.floor;
        return out.set((x0 + x1) / 2, (y0 + y1) / 2, 0).add(this.shift);
    }

    private around(target: Vector3, azimuth: number, elevation: number, distance: number): void {
        const tilt = clamp(elevation, 0.06, 1.5);
        this.wanted.target.copy(target);
        this.wanted.eye.set(
            target.x + distance * Math.cos(tilt) * Math.cos(azimuth),
            target.y + distance * Math.cos(tilt) * Math.sin(azimuth),
            target.z + distance * Math.sin(tilt),
        );
        this.wanted.up.set(0, 0, 1);
    }

    private home(): void {
        this.wanted.fov = 34;
        const azimuth = this.homeAzimuth() + this.yaw;
        const tilt = clamp(this.homeTilt() + this.pitch, 0.06, 1.5);
        const middle = this.middle(new Vector3());
        const { distance, nearer } = this.fitFloor(azimuth, tilt, 34);
        middle.x += nearer * Math.cos(azimuth);
        middle.y += nearer * Math.sin(azimuth);
        this.around(middle, azimuth, tilt, distance * this.zoom);
    }

    /**
     * How steeply the whole field is looked at: as flat as it can be while it still fills most of the free height. Where its
     * length is what limits it, looking down on it more steeply makes it larger.
     */
    private homeTilt(): number {
        if (
            this.floor.join() + this.width + this.height + JSON.stringify(this.insets) ===
            this.tiltFor
        ) {
            return this.tilt;
        }
        this.tiltFor = this.floor.join() + this.width + this.height + JSON.stringify(this.insets);
        this.tilt = FLATTEST;
        while (this.tilt < STEEPEST && this.filled(this.tilt) < FILLED) {
            this.tilt += 0.04;
        }
        return this.tilt;
    }

    /** The share of the free height that the floor fills in the home view at this tilt. */
    private filled(tilt: number): number {
        const { distance, nearer } = this.fitFloor(this.homeAzimuth(), tilt, 34);
        const { top, bottom } = this.spanOf(this.homeAzimuth(), tilt, distance, nearer);
        return (top - bottom) / 2 / (Math.tan((34 * Math.PI) / 360) * this.free().upright);
    }

    /** Upper and lower end of the floor and what stands on it, as tangents of the angle to the middle of the picture. */
    private spanOf(
        azimuth: number,
        tilt: number,
        distance: number,
        nearer: number,
    ): { top: number; bottom: number; across: number } {
        const [x0, y0, x1, y1] = this.floor;
        const cos = Math.cos(azimuth);
        const sin = Math.sin(azimuth);
        let top = -Infinity;
        let bottom = Infinity;
        let widest = 0;
        for (let corner = 0; corner < 8; corner++) {
            const px = ((corner & 1) === 0 ? x0 - x1 : x1 - x0) / 2;
            const py = ((corner & 2) === 0 ? y0 - y1 : y1 - y0) / 2;
            const pz = (corner & 4) === 0 ? 0 : this.robotSize * 0.7;
            const out = px * cos + py * sin - nearer; // along the floor, towards the eye
            const across = -px * sin + py * cos;
            const depth = Math.max(1e-3, distance - out * Math.cos(tilt) - pz * Math.sin(tilt));
            const up = (pz * Math.cos(tilt) - out * Math.sin(tilt)) / depth;
            top = Math.max(top, up);
            bottom = Math.min(bottom, up);
            widest = Math.max(widest, Math.abs(across) / depth);
        }
        return { top, bottom, across: widest };
    }

    /**
     * How far away the whole floor, with what stands on it, fills what is free of the canvas, and how far the
     * middle of the picture then lies towards the eye: near edges look longer than far ones.
     */
    private fitFloor(
        azimuth: number,
        tilt: number,
        fov: number,
    ): { distance: number; nearer: number } {
        const [x0, y0, x1, y1] = this.floor;
        const tan = Math.tan((fov * Math.PI) / 360);
        const free = this.free();
        const reachX = tan * (this.width / this.height) * free.across * 0.97;
        const reachY = tan * free.upright * 0.95;
        let distance = 3 * Math.hypot(x1 - x0, y1 - y0);
        let nearer = 0;
        for (let round = 0; round < 8; round++) {
            const { top, bottom, across } = this.spanOf(azimuth, tilt, distance, nearer);
            const grow = Math.max(across / reachX, (top - bottom) / 2 / reachY);
            nearer -= (((top + bottom) / 2) * distance) / Math.max(Math.sin(tilt), 0.3);
            distance *= grow;
        }
        return { distance, nearer };
    }

    private top(): void {
        const { across, deep } = this.extent();
        const azimuth = this.homeAzimuth();
        this.wanted.fov = 24;
        this.middle(this.wanted.target);
        const distance = this.fit(across * 1.03, deep * 1.03, 24) * this.zoom;
        this.wanted.eye.copy(this.wanted.target).setZ(distance);
        this.wanted.up.set(-Math.cos(azimuth), -Math.sin(azimuth), 0);
    }

    private orbit(pose: Pose): void {
        this.wanted.fov = 40;
        const target = new Vector3(pose.x, pose.y, this.robotSize * 0.3).add(this.shift);
        this.around(
            target,
            this.homeAzimuth() + 0.5 + this.yaw,
            0.62 + this.pitch,
            this.robotSize * 6.5 * this.zoom,
        );
    }

    private chase(pose: Pose, dt: number): void {
        const turn = pose.heading - this.chaseHeading;
        this.chaseHeading += Math.abs(turn) > 3 ? turn : turn * (1 - Math.exp(-dt * 7));
        const before = this.chaseAt.clone();
        this.chaseAt.set(pose.x, pose.y, 0);
        const speed =
            dt > 0 ? Math.min(before.distanceTo(this.chaseAt) / dt / this.robotSize, FASTEST) : 0;
        this.chaseSpeed += (speed - this.chaseSpeed) * (1 - Math.exp(-dt * 2.5));
        this.wanted.fov = 52 + this.chaseSpeed; // speed is felt
        const ahead = this.robotSize * 0.7;
        const target = new Vector3(
            pose.x + ahead * Math.cos(this.chaseHeading),
            pose.y + ahead * Math.sin(this.chaseHeading),
            this.robotSize * 0.4,
        );
        const azimuth = this.chaseHeading + Math.PI + this.yaw;
        const distance = this.robotSize * 4 * this.zoom;
        this.around(target, azimuth, 0.42 + this.pitch, distance);
        // At once in front of what is in the way, back again gently.
        const eye = this.wanted.eye;
        const free = freeShare(
            this.obstacles,
            { x: pose.x, y: pose.y, z: this.robotSize * 0.4 },
            eye,
        );
        this.chaseShare = Math.min(
            free,
            this.chaseShare + (1 - this.chaseShare) * (1 - Math.exp(-dt * 2)),
        );
        // Nearer to the robot, never beyond what is in the way, and higher, so that the robot does not fill the picture.
        eye.x = pose.x + this.chaseShare * (eye.x - pose.x);
        eye.y = pose.y + this.chaseShare * (eye.y - pose.y);
        eye.z += (1 - this.chaseShare) * this.robotSize * CLOSE_RISE;
    }

    /** Where the drivers of a robot stand: behind their end of the field, at the height of their eyes. */
    private station(side: number): void {
        const [x0, y0, x1, y1] = this.floor;
        const isLong = y1 - y0 >= x1 - x0;
        const middle = new Vector3((x0 + x1) / 2, (y0 + y1) / 2, 0);
        const half = (isLong ? y1 - y0 : x1 - x0) / 2;
        const outside = half + this.robotSize * 2.2 * this.zoom;
        this.wanted.eye.set(
            middle.x + (isLong ? 0 : side * outside),
            middle.y + (isLong ? side * outside : 0),
            this.robotSize * 2.6,
        );
        this.wanted.target.set(
            middle.x + (isLong ? 0 : side * half * 0.32),
            middle.y + (isLong ? side * half * 0.32 : 0),
            0,
        );
        const turn = this.wanted.target.clone().sub(this.wanted.eye).applyAxisAngle(UP, this.yaw);
        this.wanted.target
            .copy(this.wanted.eye)
            .add(turn)
            .setZ(this.pitch * -half);
        this.wanted.up.set(0, 0, 1);
        this.wanted.fov = 52;
    }

    private first(pose: Pose): void {
        const heading = pose.heading + this.yaw;
        const s = this.robotSize;
        this.wanted.fov = 68;
        this.wanted.eye.set(
            pose.x + 0.12 * s * Math.cos(pose.heading),
            pose.y + 0.12 * s * Math.sin(pose.heading),
            0.85 * s,
        );
        const down = -0.24 - this.pitch;
        this.wanted.target
            .copy(this.wanted.eye)
            .add(
                new Vector3(
                    Math.cos(heading) * Math.cos(down),
                    Math.sin(heading) * Math.cos(down),
                    Math.sin(down),
                ),
            );
        this.wanted.up.set(0, 0, 1);
    }

    /** `pose` of the robot that is followed, if there is one, its size, and at which end its drivers stand (-1, 1). */
    update(pose: Pose | undefined, dt: number, size = this.robotSize, side = -1): void {
        if (size !== this.robotSize) {
            this.robotSize = size;
            this.show(this.view); // an XRP beside tanks is a tenth of their size
        }
        if (this.view === "station") this.station(side);
        else if (pose === undefined || this.view === "home") this.home();
        else if (this.view === "top") this.top();
        else if (this.view === "orbit") this.orbit(pose);
        else if (this.view === "chase") this.chase(pose, dt);
        else this.first(pose);
        this.switched = Math.min(1, this.switched + dt / SWITCH_S);
        this.blend(this.switched * this.switched * (3 - 2 * this.switched));
    }

    private blend(k: number): void {
        const { current, from, wanted, camera } = this;
        current.eye.lerpVectors(from.eye, wanted.eye, k);
        current.target.lerpVectors(from.target, wanted.target, k);
        current.up.lerpVectors(from.up, wanted.up, k).normalize();
        current.fov = from.fov + (wanted.fov - from.fov) * k;
        camera.fov = current.fov;
        // The farther away the nearest thing is, the finer depth is told apart.
        camera.near = Math.max(this.robotSize * 0.04, (current.eye.z - this.robotSize) * 0.25);
        camera.position.copy(current.eye);
        camera.up.copy(current.up);
        camera.lookAt(current.target);
        camera.updateProjectionMatrix();
    }
}
