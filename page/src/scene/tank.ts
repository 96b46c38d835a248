// A robot of the match: frame, bumpers, intakes, the tube up to its rear, and a bridge for the lidar.
import {
    CanvasTexture,
    Group,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    PlaneGeometry,
    type BufferGeometry,
} from "three";
import type { Point, RobotModel } from "../net/protocol.ts";
import { boundsOf, box, cylinder, merged, painted, prism, type Box } from "./geometry.ts";
import { allianceColor, INTAKE, METAL, RUBBER, TUBE } from "./palette.ts";
import { bumperNumber } from "./paint.ts";

// The slope of the tube's floor (docs/spec/icd.md: a piece in it rises 0.45 m over 0.51 m to the rear).
const SLOPE = 0.45 / 0.51;

function partsOf(model: RobotModel, role: string): RobotModel["parts"] {
    return model.parts.filter((part) => part.role === role);
}

function boxOf(model: RobotModel, ...roles: string[]): Box | null {
    const points = model.parts.filter((p) => roles.includes(p.role)).flatMap((p) => p.points);
    return points.length === 0 ? null : boundsOf(points);
}

/** The wheels stand free between the shell and the bumpers, so that one sees them turn. */
function frame(model: RobotModel): BufferGeometry[] {
    const color = allianceColor(model.alliance);
    const inner = Math.min(
        Infinity,
        ...model.wheels.map((w) => Math.abs(w.y) - w.width / 2 - 0.012),
    );
    const axle = Math.min(Infinity, ...model.wheels.map((w) => w.radius));
    const within = (points: Point[]): Point[] =>
        points.map(([x, y]) => [x, Math.max(-inner, Math.min(inner, y))]);
    const body = partsOf(model, "body");
    const base = body.map((p) =>
        painted(prism(p.points, p.low, Math.min(axle, p.high)), METAL.dark),
    );
    const shell = body.map((p) =>
        painted(prism(within(p.points), p.low, p.high, 0.012), METAL.body),
    );
    const lids = body.map((p) =>
        painted(prism(within(p.points), p.high - 0.004, p.high + 0.006, 0.002), METAL.light),
    );
    const bumpers = partsOf(model, "bumper").map((p) =>
        painted(prism(p.points, p.low, p.high, 0.025), color),
    );
    return [...base, ...shell, ...lids, ...bumpers];
}

/** Rollers where pieces are drawn in. */
function intakes(model: RobotModel): BufferGeometry[] {
    const parts: BufferGeometry[] = [];
    const center = boxOf(model, "intake_center");
    if (center !== null) {
        const width = center.y1 - center.y0;
        for (const [x, z] of [
            [center.x1 - 0.05, 0.22],
            [center.x1 - 0.2, 0.24],
        ] as const) {
            parts.push(painted(cylinder(0.026, width, "y", 16).translate(x, 0, z), INTAKE));
        }
        for (const y of [center.y0, center.y1]) {
            parts.push(
                painted(
                    box((center.x0 + center.x1) / 2, y, 0.24, center.x1 - center.x0, 0.014, 0.04),
                    METAL.light,
                ),
            );
        }
    }
    for (const role of ["intake_left", "intake_right"]) {
        const side = boxOf(model, role);
        if (side !== null) {
            const y = (side.y0 + side.y1) / 2;
            parts.push(
                painted(cylinder(0.032, 0.12, "z", 16).translate(side.x1 - 0.05, y, 0.17), INTAKE),
            );
            parts.push(
                painted(
                    box((side.x0 + side.x1) / 2, y, 0.245, side.x1 - side.x0, 0.03, 0.022),
                    METAL.light,
                ),
            );
        }
    }
    return parts;
}

/** Two rails and cross bars that climb to the rear. */
function tube(model: RobotModel): BufferGeometry[] {
    const region = boxOf(model, "tube");
    if (region === null) {
        return [];
    }
    const length = (region.x1 - region.x0) * Math.hypot(1, SLOPE);
    const x = (region.x0 + region.x1) / 2;
    const z = ((region.x1 - region.x0) / 2) * SLOPE;
    const tilt = Math.atan(SLOPE);
    const parts: BufferGeometry[] = [];
    for (const y of [region.y0 + 0.02, region.y1 - 0.02]) {
        for (const lift of [0.02, 0.2]) {
            parts.push(
                painted(
                    box(0, 0, 0, length, 0.022, 0.022)
                        .rotateY(tilt)
                        .translate(x, y, z + lift),
                    TUBE,
                ),
            );
        }
    }
    for (const share of [-0.5, 0.5]) {
        const along = share * (region.x1 - region.x0);
        parts.push(
            painted(
                box(
                    x + along,
                    0,
                    z + 0.2 - along * SLOPE,
                    0.022,
                    region.y1 - region.y0 - 0.04,
                    0.022,
                ),
                TUBE,
            ),
        );
    }
    parts.push(
        painted(
            box(0, 0, 0, length, region.y1 - region.y0 - 0.05, 0.008)
                .rotateY(tilt)
                .translate(x, 0, z),
            0x1d3d2c,
        ),
    );
    return parts;
}

/** The lidar stands over the robot's origin, clear of the pieces under it. */
function bridge(body: Box, high: number): BufferGeometry[] {
    const y = Math.min(-body.y0, body.y1) * 0.58;
    const top = 0.66;
    return [
        painted(box(0, y, (high + top) / 2, 0.03, 0.03, top - high), METAL.light),
        painted(box(0, -y, (high + top) / 2, 0.03, 0.03, top - high), METAL.light),
        painted(box(0, 0, top, 0.05, 2 * y + 0.03, 0.025), METAL.light),
        painted(cylinder(0.055, 0.06, "z").translate(0, 0, top + 0.04), RUBBER),
        painted(cylinder(0.057, 0.012, "z").translate(0, 0, top + 0.045), INTAKE),
        painted(cylinder(0.05, 0.02, "z").translate(0, 0, top + 0.08), METAL.dark),
    ];
}

/** Numbers on both sides and behind. */
function numbers(bumper: Box, map: CanvasTexture, low: number, high: number): Mesh {
    const height = (high - low) * 0.82;
    const z = (low + high) / 2;
    const quad = (): PlaneGeometry => new PlaneGeometry(height * 4, height);
    const upright = (): BufferGeometry => quad().rotateX(Math.PI / 2); // faces -y
    const x = (bumper.x0 + bumper.x1) / 2;
    const off = 0.003;
    const geometry = merged([
        upright().translate(x, bumper.y0 - off, z),
        upright()
            .rotateZ(Math.PI)
            .translate(x, bumper.y1 + off, z),
    ]);
    return new Mesh(geometry, new MeshBasicMaterial({ map, transparent: true, toneMapped: false }));
}

/** Everything of a robot that moves with it as one. Draw calls: 3. */
export function tankBody(model: RobotModel): Group {
    const group = new Group();
    const outline = boxOf(model, "body", "bumper") ?? { x0: -0.4, y0: -0.35, x1: 0.4, y1: 0.35 };
    const high = Math.max(0.1, ...partsOf(model, "body").map((p) => p.high));
    const floorPlate = painted(
        box(
            (outline.x0 + outline.x1) / 2,
            0,
            0.045,
            (outline.x1 - outline.x0) * 0.55,
            (outline.y1 - outline.y0) * 0.75,
            0.02,
        ),
        METAL.dark,
    );
    const solid = new Mesh(
        merged([
            floorPlate,
            ...frame(model),
            ...intakes(model),
            ...tube(model),
            ...bridge(outline, high),
        ]),
        new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 }),
    );
    solid.castShadow = true;
    solid.receiveShadow = true;
    group.add(solid);

    const bumpers = partsOf(model, "bumper");
    if (bumpers.length > 0 && model.name !== "") {
        const low = Math.min(...bumpers.map((p) => p.low));
        const top = Math.max(...bumpers.map((p) => p.high));
        group.add(numbers(boxOf(model, "bumper")!, bumperNumber(model.name), low, top));
    }
    const regions = ["intake_center", "intake_left", "intake_right"].flatMap((role) =>
        partsOf(model, role),
    );
    if (regions.length > 0) {
        const marks = regions.map((p) => painted(prism(p.points, 0.004, 0.006), INTAKE));
        group.add(
            new Mesh(
                merged(marks),
                new MeshBasicMaterial({
                    color: INTAKE,
                    transparent: true,
                    opacity: 0.3,
                    depthWrite: false,
                }),
            ),
        );
    }
    return group;
}
