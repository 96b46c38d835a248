// The models of worlds/xrp-town.yaml: an example of what a world's file may name.
import {
    ConeGeometry,
    CylinderGeometry,
    Group,
    IcosahedronGeometry,
    Mesh,
    MeshStandardMaterial,
    Shape,
    ShapeGeometry,
    type BufferGeometry,
} from "three";
import type { Point, Scene } from "../../src/net/protocol.ts";
import { bar, boundsOf, box, cylinder, merged, painted, prism } from "../../src/scene/geometry.ts";

const GRASS = 0x6f9a4f;
const STREET = 0x4b5057;
const KERB = 0xb9bcc0;
const LINE = 0xf2f0e6;
const WALLS = [0xe9dcc3, 0xd98f6a, 0xb9cbd6, 0xe6c65c, 0xcfd8c4];
const ROOFS = [0x9c4a3a, 0x5d6470, 0x7c4b34, 0x4a5a6b, 0x8d3f3a];
const GLASS = 0x2c4258;
const DOOR = 0x6a4a33;
const TRUNK = 0x6b4d33;
const LEAVES = [0x3f7a41, 0x4d8a45, 0x35683c];

function one(parts: BufferGeometry[]): Group {
    return new Group().add(
        new Mesh(merged(parts), new MeshStandardMaterial({ vertexColors: true })),
    );
}

function flat(
    x0: number,
    y0: number,
    x1: number,
    y1: number,
    z: number,
    color: number,
): BufferGeometry {
    const shape = new Shape().moveTo(x0, y0).lineTo(x1, y0).lineTo(x1, y1).lineTo(x0, y1);
    return painted(new ShapeGeometry(shape).translate(0, 0, z), color);
}

/** A box's middle, its longer side's direction, and its sides. */
function sidesOf(points: readonly Point[]): {
    x: number;
    y: number;
    angle: number;
    length: number;
    width: number;
} {
    const [a, b, c, d] = points as [Point, Point, Point, Point];
    const first = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const second = Math.hypot(c[0] - b[0], c[1] - b[1]);
    const [from, to] = first >= second ? [a, b] : [b, c];
    return {
        x: (a[0] + b[0] + c[0] + d[0]) / 4,
        y: (a[1] + b[1] + c[1] + d[1]) / 4,
        angle: Math.atan2(to[1] - from[1], to[0] - from[0]),
        length: Math.max(first, second),
        width: Math.min(first, second),
    };
}

function house(points: readonly Point[], height: number, index: number): BufferGeometry[] {
    const { x, y, angle, length, width } = sidesOf(points);
    const eaves = height * 0.62;
    const gable = new Shape()
        .moveTo(-width / 2 - 0.02, 0)
        .lineTo(width / 2 + 0.02, 0)
        .lineTo(0, height - eaves);
    const roof = prism(
        gable
            .getPoints()
            .slice(0, 3)
            .map((p): Point => [p.x, p.y]),
        0,
        length + 0.04,
    );
    roof.rotateX(Math.PI / 2)
        .rotateZ(Math.PI / 2)
        .translate(-length / 2 - 0.02, 0, eaves);
    const parts = [
        painted(box(0, 0, eaves / 2, length, width, eaves), WALLS[index % WALLS.length]!),
        painted(roof, ROOFS[index % ROOFS.length]!),
        painted(box(0, 0, 0.006, length + 0.03, width + 0.03, 0.012), KERB),
        painted(
            box(length * 0.28, width * 0.2, height * 0.86, 0.05, 0.05, height * 0.3),
            ROOFS[(index + 2) % ROOFS.length]!,
        ),
    ];
    const storeys = eaves > 0.18 ? [0.32, 0.74] : [0.5];
    for (const side of [-1, 1]) {
        const wall = (side * width) / 2;
        for (const share of storeys) {
            for (const along of [-0.34, 0, 0.34]) {
                const isDoor = along === 0 && share === storeys[0] && side === -1;
                const size = isDoor ? [0.055, eaves * share * 1.25] : [0.06, 0.055];
                const z = isDoor ? size[1]! / 2 : eaves * share;
                parts.push(
                    painted(
                        box(along * length, wall, z, size[0]! + 0.012, 0.006, size[1]! + 0.012),
                        LINE,
                    ),
                );
                parts.push(
                    painted(
                        box(along * length, wall, z, size[0]!, 0.009, size[1]!),
                        isDoor ? DOOR : GLASS,
                    ),
                );
            }
        }
    }
    return parts.map((part) => part.rotateZ(angle).translate(x, y, 0));
}

function tree(points: readonly Point[], height: number, index: number): BufferGeometry[] {
    const b = boundsOf(points as Point[]);
    const x = (b.x0 + b.x1) / 2;
    const y = (b.y0 + b.y1) / 2;
    const radius = (b.x1 - b.x0) / 2;
    const trunk = new CylinderGeometry(radius * 0.7, radius, height * 0.45, 12)
        .rotateX(Math.PI / 2)
        .translate(x, y, height * 0.225);
    const crown = (size: number, z: number, color: number): BufferGeometry =>
        painted(new IcosahedronGeometry(height * size, 1).translate(x, y, z), color);
    const leaf = LEAVES[index % LEAVES.length]!;
    const pine = [0.5, 0.72, 0.92].map((z, i) =>
        painted(
            new ConeGeometry(height * (0.3 - 0.07 * i), height * 0.34, 12)
                .rotateX(Math.PI / 2)
                .translate(x, y, height * z),
            leaf,
        ),
    );
    return [
        painted(trunk, TRUNK),
        ...(index % 2 === 0
            ? [
                  crown(0.27, height * 0.62, leaf),
                  crown(0.19, height * 0.86, LEAVES[(index + 1) % 3]!),
              ]
            : pine),
    ];
}

function streets([, , width, height]: Scene["floor"]): BufferGeometry[] {
    const [y0, y1] = [height / 2 - 0.17, height / 2 + 0.17];
    const [x0, x1] = [width * 0.5, width * 0.5 + 0.0];
    const across = 2.02;
    const parts = [
        flat(0, 0, width, height, -0.002, GRASS),
        flat(0, y0 - 0.05, width, y1 + 0.05, -0.0012, KERB),
        flat(across - 0.2, y1, across + 0.2, height, -0.0012, KERB),
        flat(0, y0, width, y1, -0.0006, STREET),
        flat(across - 0.15, y1 - 0.001, across + 0.15, height, -0.0006, STREET),
    ];
    for (let x = 0.06; x < width; x += 0.2) {
        parts.push(flat(x, (y0 + y1) / 2 - 0.006, x + 0.1, (y0 + y1) / 2 + 0.006, 0, LINE));
    }
    for (let i = 0; i < 7; i++) {
        // a crossing
        parts.push(
            flat(x0 - 0.1, y0 + 0.02 + i * 0.046, x1 + 0.06, y0 + 0.042 + i * 0.046, 0.0004, LINE),
        );
    }
    return parts;
}

/** glTF's origin is the floor's lower left corner, as a field's must be. */
export function town(scene: Scene): Group {
    const parts = streets(scene.floor);
    const solids = scene.walls.filter(({ points }) => points.length > 2);
    solids.forEach(({ points, height }, i) =>
        parts.push(...(points.length === 4 ? house(points, height, i) : tree(points, height, i))),
    );
    for (const {
        points: [from, to],
        height,
    } of scene.walls.filter(({ points }) => points.length === 2)) {
        parts.push(painted(bar(from!, to!, 0.02, 0, height), 0x8a6f4d)); // a fence around the town
    }
    return one(parts);
}

/** An XRP's size, its origin between the wheels that are driven, x ahead. */
export function van(): Group {
    const [body, trim, tyre, rim] = [0xf4f1e8, 0xd8452e, 0x22262b, 0xc3c9d0];
    const side: Point[] = [
        [-0.078, 0.022],
        [0.1, 0.022],
        [0.103, 0.052],
        [0.082, 0.06],
        [0.06, 0.096],
        [-0.07, 0.096],
        [-0.078, 0.086],
    ];
    const hull = prism(side, -0.068, 0.068, 0.004).rotateX(Math.PI / 2);
    const stripe = prism(
        [
            [-0.079, 0.05],
            [0.1025, 0.05],
            [0.1035, 0.056],
            [-0.079, 0.056],
        ],
        -0.0688,
        0.0688,
    ).rotateX(Math.PI / 2);
    const windscreen: Point[] = [
        [0.0835, 0.0615],
        [0.0625, 0.0935],
        [0.055, 0.0935],
        [0.055, 0.0615],
    ];
    const parts = [
        painted(hull, body),
        painted(stripe, trim),
        painted(prism(windscreen, -0.06, 0.06).rotateX(Math.PI / 2), GLASS),
        painted(
            prism(
                [
                    [0.03, 0.064],
                    [0.052, 0.064],
                    [0.052, 0.09],
                    [0.03, 0.09],
                ],
                -0.0692,
                0.0692,
            ).rotateX(Math.PI / 2),
            GLASS,
        ),
        painted(box(0.1, 0, 0.03, 0.01, 0.13, 0.012), METAL_GREY),
        painted(box(-0.079, 0, 0.03, 0.006, 0.13, 0.012), METAL_GREY),
        painted(box(-0.005, 0, 0.101, 0.09, 0.1, 0.004), trim),
    ];
    for (const y of [-0.05, 0.05]) {
        parts.push(painted(cylinder(0.008, 0.006, "x", 20).translate(0.101, y, 0.042), 0xfff3c4));
        parts.push(painted(box(-0.0785, y, 0.06, 0.004, 0.014, 0.02), 0xc4332b));
    }
    for (const x of [0.068, -0.042]) {
        for (const y of [-0.064, 0.064]) {
            parts.push(painted(cylinder(0.024, 0.018, "y", 28).translate(x, y, 0.024), tyre));
            parts.push(painted(cylinder(0.013, 0.0195, "y", 20).translate(x, y, 0.024), rim));
        }
    }
    return one(parts);
}

const METAL_GREY = 0x6b7480;
