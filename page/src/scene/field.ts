// What does not move: floor, mat, walls.
import {
    BufferGeometry,
    CircleGeometry,
    DoubleSide,
    EdgesGeometry,
    Group,
    LineBasicMaterial,
    LineSegments,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    PlaneGeometry,
    ShapeGeometry,
    SRGBColorSpace,
    TextureLoader,
    type Material,
    type Object3D,
} from "three";
import type { Point, Scene } from "../net/protocol.ts";
import { bar, boundsOf, merged, painted, prism, shapeOf, type Box } from "./geometry.ts";
import { Goals } from "./goals.ts";
import { METAL } from "./palette.ts";
import { carpet, glow, plainFloor } from "./paint.ts";

// Walls below this may be solid: nothing hides behind them.
const TALL = 0.3;

type Outline = Point[];

/** A surface that nothing may be seen through, whatever is behind it (fade.ts). */
function stays<T extends Material>(material: T): T {
    material.userData.stays = true;
    return material;
}

function edgesOf(points: Outline): [Point, Point][] {
    const count = points.length === 2 ? 1 : points.length;
    return Array.from({ length: count }, (_, i) => [points[i]!, points[(i + 1) % points.length]!]);
}

function covers(outline: Outline, floor: Box): boolean {
    const b = boundsOf(outline);
    return (b.x1 - b.x0) * (b.y1 - b.y0) > 0.5 * (floor.x1 - floor.x0) * (floor.y1 - floor.y0);
}

function near(a: Point, b: Point): boolean {
    return Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.02;
}

/** The outlines that are closed, and those that straight walls close by each beginning where the last one ended. */
function closedOutlines(walls: Scene["walls"]): Outline[] {
    const closed = walls.filter((w) => w.points.length > 2).map((w) => w.points);
    let chain: Outline = [];
    for (const [from, to] of walls.filter((w) => w.points.length === 2).map((w) => w.points)) {
        if (chain.length === 0 || !near(chain[chain.length - 1]!, from!)) {
            chain = [from!];
        }
        chain.push(to!);
        if (chain.length > 3 && near(chain[0]!, to!)) {
            closed.push(chain.slice(0, -1));
            chain = [];
        }
    }
    return closed;
}

/** A flat floor whose texture covers the rectangle. */
function floorShape(outline: Outline, [x0, y0, x1, y1]: Scene["floor"]): BufferGeometry {
    const geometry = new ShapeGeometry(shapeOf(outline));
    const position = geometry.getAttribute("position");
    const uv = geometry.getAttribute("uv");
    for (let i = 0; i < position.count; i++) {
        uv.setXY(i, (position.getX(i) - x0) / (x1 - x0), (position.getY(i) - y0) / (y1 - y0));
    }
    return geometry;
}

export class Field {
    readonly group = new Group();
    readonly goals: Goals;
    private readonly rails = new MeshStandardMaterial({ vertexColors: true, roughness: 0.4 });
    private readonly glass = new MeshStandardMaterial({
        vertexColors: true,
        transparent: true,
        opacity: 0.16,
        roughness: 0.1,
        side: DoubleSide,
        depthWrite: false,
        forceSinglePass: true, // or each frame would compile two variants anew
    });
    private readonly solid = new MeshStandardMaterial({ vertexColors: true, roughness: 0.6 });
    private readonly lines = new LineBasicMaterial({
        color: 0xbfd4f2,
        transparent: true,
        opacity: 0.5,
    });
    private readonly ground = new MeshBasicMaterial({
        map: glow(),
        color: 0x27405f,
        transparent: true,
        depthWrite: false,
    });
    private readonly size: number;
    private readonly shape = new Group(); // what a model takes the place of

    constructor(private readonly scene: Scene) {
        const [x0, y0, x1, y1] = scene.floor;
        this.size = Math.max(x1 - x0, y1 - y0);
        this.addGround();
        this.addFloor();
        this.addMat();
        this.addWalls();
        this.goals = new Goals(scene, this.glass);
        this.shape.add(this.goals.shape);
        this.group.add(this.shape, this.goals.group);
    }

    /** Draws the field as this model, whose origin is the floor's lower left corner, instead of its built-in shape; a mat stays. */
    dress(model: Object3D): void {
        this.shape.visible = false;
        this.group.add(model);
        model.position.set(this.scene.floor[0], this.scene.floor[1], 0);
    }

    private mesh(
        geometry: BufferGeometry,
        material: Material,
        casts = false,
        group = this.shape,
    ): Mesh {
        const mesh = new Mesh(geometry, material);
        mesh.castShadow = casts;
        mesh.receiveShadow = true;
        mesh.matrixAutoUpdate = false;
        group.add(mesh);
        return mesh;
    }

    private addGround(): void {
        const [x0, y0, x1, y1] = this.scene.floor;
        const disc = new CircleGeometry(this.size * 1.5, 48).translate(
            (x0 + x1) / 2,
            (y0 + y1) / 2,
            -0.03 * this.size,
        );
        this.mesh(disc, this.ground, false, this.group).renderOrder = -2;
    }

    setTheme(theme: "dark" | "light"): void {
        this.ground.color.setHex(theme === "dark" ? 0x27405f : 0xffffff);
        this.lines.color.setHex(theme === "dark" ? 0xbfd4f2 : 0x5a6b80);
    }

    private addFloor(): void {
        const map = this.scene.kind === "match" ? carpet(this.scene) : plainFloor(this.scene);
        const outline = this.outline();
        this.mesh(
            floorShape(outline, this.scene.floor),
            stays(new MeshStandardMaterial({ map, roughness: 0.95 })),
        );
        const thick = 0.012 * this.size;
        const slab = prism(outline, -thick, -0.001 * this.size); // far enough below to be told apart from afar
        this.mesh(painted(slab, METAL.dark), stays(this.solid.clone()));
    }

    /** Where the floor ends: at the outermost wall, or at the rectangle that is named. */
    private outline(): Outline {
        const [x0, y0, x1, y1] = this.scene.floor;
        const wall = closedOutlines(this.scene.walls).find((outline) =>
            covers(outline, { x0, y0, x1, y1 }),
        );
        return (
            wall ?? [
                [x0, y0],
                [x1, y0],
                [x1, y1],
                [x0, y1],
            ]
        );
    }

    private addMat(): void {
        const mat = this.scene.mat;
        if (mat === null) {
            return;
        }
        const map = new TextureLoader().load(mat.url);
        map.colorSpace = SRGBColorSpace;
        map.anisotropy = 4;
        const plane = new PlaneGeometry(mat.width, mat.height).translate(
            mat.x + mat.width / 2,
            mat.y + mat.height / 2,
            0.0008,
        );
        this.mesh(
            plane,
            stays(new MeshStandardMaterial({ map, roughness: 0.8, transparent: true })),
            false,
            this.group,
        );
    }

    private addWalls(): void {
        const [x0, y0, x1, y1] = this.scene.floor;
        const rails: BufferGeometry[] = [];
        const panes: BufferGeometry[] = [];
        const solids: BufferGeometry[] = [];
        for (const { points, height } of this.scene.walls) {
            if (points.length === 2 || covers(points, { x0, y0, x1, y1 })) {
                this.addFence(points, height, rails, panes);
            } else {
                this.addBlock(points, height, panes, solids, rails);
            }
        }
        this.mesh(merged(rails), this.rails, true);
        this.mesh(merged(panes), this.glass).renderOrder = 2;
        this.mesh(merged(solids), this.solid, true);
    }

    /** A fence: a kick plate, a pane if it is tall, a rail on top. */
    private addFence(
        points: Outline,
        height: number,
        rails: BufferGeometry[],
        panes: BufferGeometry[],
    ): void {
        const thick = Math.min(0.05, 0.006 * this.size);
        const tall = height > TALL;
        for (const [from, to] of edgesOf(points)) {
            rails.push(painted(bar(from, to, thick, 0, tall ? 0.12 : height), METAL.light));
            if (tall) {
                panes.push(painted(bar(from, to, thick * 0.3, 0.12, height), 0x9cc4ff));
                rails.push(painted(bar(from, to, thick, height - 0.035, height), METAL.rail));
            }
        }
    }

    /** Something that stands on the floor: a column, a trench wall, an obstacle. */
    private addBlock(
        points: Outline,
        height: number,
        panes: BufferGeometry[],
        solids: BufferGeometry[],
        rails: BufferGeometry[],
    ): void {
        if (height <= TALL) {
            solids.push(painted(prism(points, 0, height, 0.02 * height), 0xd9822b));
            return;
        }
        solids.push(painted(prism(points, 0, 0.12), METAL.body));
        panes.push(painted(prism(points, 0.12, height), 0xd5e4ff));
        rails.push(painted(prism(points, height - 0.035, height + 0.001), METAL.rail));
        const edges = new LineSegments(new EdgesGeometry(prism(points, 0, height), 30), this.lines);
        this.shape.add(edges);
    }
}
