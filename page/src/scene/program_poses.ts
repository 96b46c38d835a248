// Poses that a robot program publishes, such as the setpoint of a trajectory beside the robot's true place: an outline on the floor with
// its name, and its way where the trail is shown.
import {
    BufferGeometry,
    DoubleSide,
    Float32BufferAttribute,
    Group,
    Mesh,
    MeshBasicMaterial,
    Sprite,
    SpriteMaterial,
    type PerspectiveCamera,
} from "three";
import type { Scene, State } from "../net/protocol.ts";
import { boundsOf } from "./geometry.ts";
import type { Spot } from "./motion.ts";
import { nameTag } from "./paint.ts";
import { phantomColor } from "./palette.ts";
import { sizeOf } from "./robots.ts";
import { Trail } from "./trail.ts";

const POSES_MAX = 4;
const HEIGHT_M = 0.006;
const BORDER_SIZES = 0.07;
const TAG_PX = 20;

export interface NamedPose {
    name: string;
    at: Spot;
}

/** The poses NAME/x, NAME/y, NAME/heading among the values of a state, which are in the frame of the first robot's start; here in the scene's. */
export function programPoses({ values, robots }: State): NamedPose[] {
    const read = (name: string): Spot | null => {
        const spot = ["x", "y", "heading"].map((member) => values[`${name}/${member}`]);
        return spot.every((value) => value !== undefined)
            ? (spot as [number, number, number])
            : null;
    };
    const truth = read("truth");
    const robot = robots[0]?.at;
    if (truth === null || robot === undefined) {
        return [];
    }
    const turn = robot[2] - truth[2];
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const names = Object.keys(values)
        .filter((key) => key.endsWith("/heading"))
        .map((key) => key.slice(0, -"/heading".length));
    return names
        .filter((name) => name !== "truth")
        .flatMap((name) => {
            const spot = read(name);
            if (spot === null) {
                return [];
            }
            const [dx, dy] = [spot[0] - truth[0], spot[1] - truth[1]];
            return [
                {
                    name,
                    at: [
                        robot[0] + cos * dx - sin * dy,
                        robot[1] + sin * dx + cos * dy,
                        turn + spot[2],
                    ] satisfies Spot,
                },
            ];
        })
        .slice(0, POSES_MAX);
}

/** The border of a box from x0, y0 to x1, y1 and, as a triangle, which side is the front. */
function outline(x0: number, y0: number, x1: number, y1: number, border: number): BufferGeometry {
    const corners = [
        [x0, y0],
        [x1, y0],
        [x1, y1],
        [x0, y1],
    ] as const;
    const inner = [
        [x0 + border, y0 + border],
        [x1 - border, y0 + border],
        [x1 - border, y1 - border],
        [x0 + border, y1 - border],
    ] as const;
    const middle = (y0 + y1) / 2;
    const nose = [
        [x1, middle - 2 * border],
        [x1 + 3 * border, middle],
        [x1, middle + 2 * border],
    ] as const;
    const geometry = new BufferGeometry();
    geometry.setAttribute(
        "position",
        new Float32BufferAttribute(
            [...corners, ...inner, ...nose].flatMap(([x, y]) => [x, y, HEIGHT_M]),
            3,
        ),
    );
    geometry.setIndex([
        ...[0, 1, 2, 3].flatMap((i) => [
            i,
            (i + 1) % 4,
            4 + i,
            (i + 1) % 4,
            4 + ((i + 1) % 4),
            4 + i,
        ]),
        8,
        9,
        10,
    ]);
    return geometry;
}

class Shown {
    readonly group = new Group();
    readonly trail: Trail;
    private readonly mark: Mesh;
    private readonly tag: Sprite;
    private readonly aspect: number;

    constructor(
        name: string,
        private readonly index: number,
        model: Scene["robots"][number],
    ) {
        const color = phantomColor(index);
        const box = boundsOf(model.parts.flatMap((part) => part.points));
        this.trail = new Trail(color);
        this.mark = new Mesh(
            outline(box.x0, box.y0, box.x1, box.y1, BORDER_SIZES * sizeOf(model)),
            new MeshBasicMaterial({
                color,
                transparent: true,
                opacity: 0.9,
                depthWrite: false,
                side: DoubleSide,
                toneMapped: false,
            }),
        );
        this.mark.renderOrder = 3;
        const { map, aspect } = nameTag(
            "",
            name.slice(name.lastIndexOf("/") + 1),
            `#${color.toString(16).padStart(6, "0")}`,
            false,
        );
        this.aspect = aspect;
        this.tag = new Sprite(
            new SpriteMaterial({
                map,
                sizeAttenuation: false,
                depthTest: false,
                depthWrite: false,
                toneMapped: false,
                fog: false,
            }),
        );
        this.tag.renderOrder = 9;
        this.group.add(this.mark, this.tag, this.trail.mesh);
    }

    place([x, y, heading]: Spot, camera: PerspectiveCamera, canvasHeight: number): void {
        const scale = (2 * Math.tan((camera.fov * Math.PI) / 360) * TAG_PX) / canvasHeight;
        this.mark.position.set(x, y, 0);
        this.mark.rotation.z = heading;
        this.tag.position.set(x, y, HEIGHT_M);
        this.tag.scale.set(scale * this.aspect, scale, 1);
        this.tag.center.set(0.5, 2 + 1.2 * this.index); // below the place, and never one over the other
    }
}

export class ProgramPoses {
    readonly group = new Group();
    private readonly shown = new Map<string, Shown>();
    private isTrailShown = false;

    constructor(private readonly scene: Scene) {}

    update(state: State | null, camera: PerspectiveCamera, canvasHeight: number): void {
        const model = this.scene.robots[0];
        const poses = state === null || model === undefined ? [] : programPoses(state);
        this.shown.forEach(({ group }) => {
            group.visible = false;
        });
        for (const { name, at } of poses) {
            let one = this.shown.get(name);
            if (one === undefined) {
                one = new Shown(name, this.shown.size, model!);
                one.trail.mesh.visible = this.isTrailShown;
                this.shown.set(name, one);
                this.group.add(one.group);
            }
            one.group.visible = true;
            one.place(at, camera, canvasHeight);
        }
    }

    /** Takes a state's poses into their trails; `t` is of the simulation or of the recording. */
    addToTrails(state: State, t: number): void {
        const model = this.scene.robots[0];
        for (const { name, at } of this.isTrailShown && model !== undefined
            ? programPoses(state)
            : []) {
            this.shown.get(name)?.trail.update(0, at, t, sizeOf(model!));
        }
    }

    showTrails(on: boolean): void {
        this.isTrailShown = on;
        this.shown.forEach(({ trail }) => {
            trail.mesh.visible = on;
        });
        this.clearTrails();
    }

    clearTrails(): void {
        this.shown.forEach(({ trail }) => trail.clear());
    }

    /** For tests: the names of those in the picture. */
    names(): string[] {
        return [...this.shown].filter(([, { group }]) => group.visible).map(([name]) => name);
    }
}
