// Earlier runs beside the living one: the bodies of the robots that they look like, translucent, each in a colour of its own.
import { Color, Group, Mesh, MeshLambertMaterial, type Object3D } from "three";
import type { PhantomState, Scene } from "../net/protocol.ts";
import { phantomColor } from "./palette.ts";
import { Pose } from "./pose.ts";
import { build, JUMP_SIZES, sizeOf } from "./robots.ts";

const OPACITY = 0.4;
// Pictures are drawn more often than states come: a phantom goes this share of the way in so many seconds.
const EASE_S = 0.04;

/** Replaces the materials of a robot by one that lets the floor through. */
function fade(root: Object3D, color: number): void {
    const material = new MeshLambertMaterial({
        color: new Color(color),
        transparent: true,
        opacity: OPACITY,
    });
    root.traverse((object) => {
        if (object instanceof Mesh) {
            for (const old of [object.material].flat()) {
                old.dispose();
            }
            object.material = material;
            object.castShadow = object.receiveShadow = false;
            object.renderOrder = 5;
        }
    });
}

export class Phantoms {
    readonly group = new Group();
    private readonly shown: { group: Group; pose: Pose; size: number }[];

    constructor(scene: Scene) {
        this.shown = scene.phantoms.flatMap((phantom, index) => {
            const model = scene.robots[phantom.look] ?? scene.robots[0];
            if (model === undefined) {
                return [];
            }
            const { group, extras } = build(model);
            extras?.group.removeFromParent(); // what sensors see was not recorded
            fade(group, phantomColor(index));
            group.matrixAutoUpdate = false;
            group.visible = false;
            this.group.add(group);
            return [{ group, pose: new Pose(), size: sizeOf(model) }];
        });
    }

    update(states: readonly PhantomState[], dt: number): void {
        this.shown.forEach(({ group, pose, size }, index) => {
            const state = states[index];
            group.visible = state !== undefined;
            if (state === undefined) {
                return;
            }
            const [x, y, heading] = state.at;
            const isFar = Math.hypot(x - pose.x, y - pose.y) > size * JUMP_SIZES;
            const share = isFar ? 1 : 1 - Math.exp(-dt / EASE_S);
            const turn = Math.atan2(
                Math.sin(heading - pose.heading),
                Math.cos(heading - pose.heading),
            );
            pose.place(
                [
                    pose.x + share * (x - pose.x),
                    pose.y + share * (y - pose.y),
                    pose.heading + share * turn,
                ],
                size,
            );
            group.matrix.copy(pose.matrix);
            group.matrixWorldNeedsUpdate = true;
        });
    }

    /** How many are in the picture. */
    count(): number {
        return this.shown.filter(({ group }) => group.visible).length;
    }
}
