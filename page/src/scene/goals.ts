// The goals: a bin behind clear walls, which flashes in its colour when a ball comes in, and a "+1" that rises from it.
import {
    Color,
    Group,
    Mesh,
    MeshStandardMaterial,
    Sprite,
    SpriteMaterial,
    Vector3,
    type BufferGeometry,
} from "three";
import type { Point, Scene } from "../net/protocol.ts";
import { bar, merged, painted, prism } from "./geometry.ts";
import { allianceColor, METAL } from "./palette.ts";
import { label } from "./paint.ts";

// How high a goal's floor lies in the match (docs/spec/icd.md: a piece in a goal has its middle at 0.4689).
const FLOOR_M = 0.38;

const FLASH_S = 0.9;
const RISE_S = 1.3;
const RISE_M = 1.4;

interface Goal {
    alliance: string;
    middle: Vector3;
    rails: MeshStandardMaterial;
    panes: MeshStandardMaterial;
    plus: Sprite;
    flash: number;
    rise: number;
}

function edgesOf(points: readonly Point[]): [Point, Point][] {
    return points.map((point, i) => [point, points[(i + 1) % points.length]!]);
}

function railsOf(points: readonly Point[], top: number, color: number): BufferGeometry[] {
    const rails: BufferGeometry[] = [];
    for (const [from, to] of edgesOf(points)) {
        rails.push(painted(bar(from, to, 0.05, FLOOR_M - 0.03, FLOOR_M + 0.02), color));
        rails.push(painted(bar(from, to, 0.05, top - 0.06, top), color));
    }
    for (const point of points) {
        rails.push(painted(bar(point, point, 0.05, 0, top), color));
    }
    return rails;
}

export class Goals {
    readonly group = new Group();
    /** The bins, which a model of the field takes the place of. */
    readonly shape = new Group();
    private readonly goals: Goal[];

    constructor(scene: Scene, glass: MeshStandardMaterial) {
        const top = Math.max(
            FLOOR_M + 0.55,
            ...scene.walls.map((w) => w.height).filter((height) => height < 1.2),
        );
        this.goals = scene.goals.map(({ alliance, points }) =>
            this.build(alliance, points, top, glass),
        );
    }

    private build(
        alliance: string,
        points: Point[],
        top: number,
        glass: MeshStandardMaterial,
    ): Goal {
        const color = allianceColor(alliance);
        const rails = new MeshStandardMaterial({
            vertexColors: true,
            roughness: 0.4,
            emissive: color,
            emissiveIntensity: 0.08,
        });
        const panes = glass.clone();
        panes.opacity = 0.24;
        panes.emissive = new Color(color);
        panes.emissiveIntensity = 0;
        const solid = new Mesh(
            merged([
                painted(prism(points, 0.002, FLOOR_M, 0.01), METAL.dark),
                ...railsOf(points, top, color),
            ]),
            rails,
        );
        solid.castShadow = solid.receiveShadow = true;
        const walls = new Mesh(painted(prism(points, FLOOR_M, top), color), panes);
        walls.renderOrder = 3;
        const map = label("+1", `#${color.toString(16).padStart(6, "0")}`);
        const plus = new Sprite(
            new SpriteMaterial({
                map,
                depthTest: false,
                depthWrite: false,
                toneMapped: false,
                fog: false,
                transparent: true,
            }),
        );
        plus.renderOrder = 11;
        plus.visible = false;
        this.shape.add(solid, walls);
        this.group.add(plus);
        const middle = new Vector3();
        points.forEach(([x, y]) =>
            middle.add(new Vector3(x / points.length, y / points.length, 0)),
        );
        return {
            alliance: alliance.toLowerCase(),
            middle: middle.setZ(top),
            rails,
            panes,
            plus,
            flash: 0,
            rise: RISE_S,
        };
    }

    /** A ball came into the goal of this alliance. */
    score(alliance: string): void {
        for (const goal of this.goals) {
            if (goal.alliance === alliance) {
                goal.flash = 1;
                goal.rise = 0;
            }
        }
    }

    /** The middle of an alliance's goal; null if it has none. */
    middle(alliance: string): Vector3 | null {
        return this.goals.find((goal) => goal.alliance === alliance.toLowerCase())?.middle ?? null;
    }

    /** `still`: whoever asked for less motion sees the "+1" stand. */
    update(dt: number, still: boolean): void {
        for (const goal of this.goals) {
            goal.flash = Math.max(0, goal.flash - dt / FLASH_S);
            goal.rise = Math.min(RISE_S, goal.rise + dt);
            const shine = goal.flash * goal.flash;
            goal.rails.emissiveIntensity = 0.08 + 1.6 * shine;
            goal.panes.emissiveIntensity = 1.2 * shine;
            goal.panes.opacity = 0.24 + 0.5 * shine;
            const share = goal.rise / RISE_S;
            goal.plus.visible = share < 1;
            goal.plus.material.opacity = Math.min(1, 3 * (1 - share));
            goal.plus.position
                .copy(goal.middle)
                .setZ(goal.middle.z + 0.3 + (still ? 0.5 : share) * RISE_M);
            goal.plus.scale.set(1.5, 0.75, 1);
        }
    }
}
