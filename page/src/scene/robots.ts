// All robots of the scene: bodies, wheels, arrows, lights, tags, and where each is shown.
import { Group, Vector3, type Object3D, type PerspectiveCamera } from "three";
import type { RobotModel, RobotState, Scene } from "../net/protocol.ts";
import { Arrows } from "./arrows.ts";
import { Extras } from "./extras.ts";
import { boundsOf } from "./geometry.ts";
import { Halos } from "./halos.ts";
import { looksOf } from "./looks.ts";
import type { Motion } from "./motion.ts";
import { Pose } from "./pose.ts";
import { Modules, swerveBody } from "./swerve.ts";
import { Tags, type TagLook } from "./tags.ts";
import { tankBody } from "./tank.ts";
import { Wheels } from "./wheels.ts";
import { xrpBody } from "./xrp.ts";

interface Shown {
    group: Group;
    /** What a model takes the place of. */
    shape: Object3D;
    extras: Extras | null;
    modules: Modules | null;
}

export function build(model: RobotModel): Shown {
    const looks = looksOf(model);
    if (looks === "match") {
        const shape = tankBody(model);
        return { group: new Group().add(shape), shape, extras: null, modules: null };
    }
    const { group: shape, places } = looks === "modules" ? swerveBody(model) : xrpBody(model);
    const extras = new Extras(model, places);
    const modules = looks === "modules" ? new Modules(model) : null;
    if (modules !== null) {
        shape.add(modules.mesh);
    }
    return { group: new Group().add(shape, extras.group), shape, extras, modules };
}

/** The longer side of a robot. */
export function sizeOf(model: RobotModel): number {
    const b = boundsOf(model.parts.flatMap((p) => p.points));
    return Number.isFinite(b.x1) ? Math.max(b.x1 - b.x0, b.y1 - b.y0) : 0.2;
}

// Farther than so many times its size from one state to the next a robot was put there, not driven.
export const JUMP_SIZES = 1.2;

export class Robots {
    readonly group = new Group();
    readonly poses: Pose[];
    readonly sizes: number[];
    private readonly shown: Shown[];
    private readonly wheels: Wheels;
    private readonly arrows: Arrows;
    private readonly halos: Halos;
    private readonly tags: Tags;

    constructor(scene: Scene) {
        const models = scene.robots;
        this.group.visible = false; // until update() has a state: before the first one nobody knows where they are
        this.poses = models.map(() => new Pose());
        this.sizes = models.map(sizeOf);
        this.shown = models.map(build);
        this.wheels = new Wheels(models);
        this.arrows = new Arrows(models);
        this.halos = new Halos(models);
        this.tags = new Tags(
            models,
            scene.kind === "match" ? 0.95 : Math.max(0.08, ...this.sizes.map((s) => s * 0.6)),
        );
        this.group.add(this.wheels.mesh, this.arrows.mesh, this.halos.mesh);
        if (scene.kind === "match" || models.length > 1) {
            this.group.add(...this.tags.sprites);
        }
        for (const { group } of this.shown) {
            group.matrixAutoUpdate = false;
            this.group.add(group);
        }
    }

    /** `own`: the robots that this page drives. */
    update(
        states: readonly RobotState[],
        motion: Motion,
        own: ReadonlySet<number>,
        dt: number,
    ): void {
        this.group.visible = states.length > 0;
        this.poses.forEach((pose, i) => {
            const state = states[i];
            const spot = motion.robot(i, own.has(i), dt);
            if (spot !== null) {
                pose.place(spot, this.sizes[i]! * JUMP_SIZES);
            }
            const { group, extras, modules } = this.shown[i]!;
            group.visible = state !== undefined;
            group.matrix.copy(pose.matrix);
            group.matrixWorldNeedsUpdate = true;
            if (state !== undefined) {
                extras?.update(state);
                modules?.update(state.azimuths);
            }
        });
        this.wheels.update(states, this.poses, dt);
        this.arrows.update(states, this.poses, 1 - Math.exp(-dt / 0.06));
        this.halos.update(states, this.poses, dt);
    }

    updateTags(camera: PerspectiveCamera, look: TagLook): void {
        this.tags.update(this.poses, camera, look);
    }

    tagBoxes(): ReturnType<Tags["boxes"]> {
        return this.tags.boxes();
    }

    /** Draws a robot as this model instead of its built-in shape; what its sensors see stays. */
    dress(index: number, model: Object3D): void {
        const { group, shape, extras } = this.shown[index]!;
        shape.visible = false;
        extras?.keepSensors();
        this.wheels.hide(index);
        group.add(model);
    }

    /** Where a robot's user button is in the world; null if it shows none. */
    buttonPlace(index: number, out: Vector3): Vector3 | null {
        const robot = this.shown[index];
        const places = robot?.extras?.places;
        return places === undefined || !robot!.shape.visible
            ? null
            : out.set(...places.button).applyMatrix4(this.poses[index]!.matrix);
    }
}
