// A swerve robot: two plates, electronics between them, and a turning module over each wheel.
import {
    DynamicDrawUsage,
    Group,
    InstancedMesh,
    Matrix4,
    Mesh,
    MeshStandardMaterial,
    type BufferGeometry,
} from "three";
import type { Point, RobotModel } from "../net/protocol.ts";
import { boundsOf, box, cylinder, merged, painted, prism } from "./geometry.ts";
import { METAL, RUBBER } from "./palette.ts";
import type { Places } from "./xrp.ts";

/** The outline with its corners cut off, where the modules stand. */
function chamfered(outline: Point[], cut: number): Point[] {
    return outline.flatMap(([x, y], i) => {
        const ends = [
            outline[(i + outline.length - 1) % outline.length]!,
            outline[(i + 1) % outline.length]!,
        ];
        return ends.map(([ex, ey]): Point => {
            const share = Math.min(0.45, cut / Math.hypot(ex - x, ey - y));
            return [x + (ex - x) * share, y + (ey - y) * share];
        });
    });
}

function plates(outline: Point[], size: number, deck: number): BufferGeometry[] {
    const b = boundsOf(outline);
    const w = b.x1 - b.x0;
    const h = b.y1 - b.y0;
    const rim = 0.04 * size;
    const parts = [
        painted(
            prism(chamfered(outline, 0.24 * size), deck, deck + 0.03 * size, 0.008 * size),
            METAL.body,
        ),
        painted(
            box(
                (b.x0 + b.x1) / 2,
                (b.y0 + b.y1) / 2,
                deck + 0.05 * size,
                0.34 * w,
                0.3 * h,
                0.05 * size,
            ),
            0x20262d,
        ),
        painted(
            box(
                (b.x0 + b.x1) / 2,
                (b.y0 + b.y1) / 2,
                deck + 0.078 * size,
                0.2 * w,
                0.09 * h,
                0.012 * size,
            ),
            0x1f8f5f,
        ),
        painted(
            box(
                b.x0 + 0.2 * w,
                (b.y0 + b.y1) / 2,
                deck + 0.06 * size,
                0.14 * w,
                0.34 * h,
                0.07 * size,
            ),
            RUBBER,
        ),
        // The front is where the bright bar is.
        painted(
            box(
                b.x1 - rim,
                (b.y0 + b.y1) / 2,
                deck + 0.045 * size,
                rim * 0.7,
                0.4 * h,
                0.03 * size,
            ),
            0xffb454,
        ),
    ];
    return parts;
}

/** Fork and motor over a wheel, pointing along +x. Radius 1. */
function moduleGeometry(): BufferGeometry {
    return merged([
        painted(cylinder(1.05, 0.16, "z", 28).translate(0, 0, 1.28), METAL.light),
        painted(box(0, 0.62, 0.62, 0.7, 0.14, 1.3), METAL.rail),
        painted(box(0, -0.62, 0.62, 0.7, 0.14, 1.3), METAL.rail),
        painted(cylinder(0.42, 1.0, "z", 20).translate(0, 0, 1.85), METAL.dark),
        painted(box(0.55, 0, 2.42, 0.9, 0.2, 0.12), 0xffb454), // where it drives to
    ]);
}

/** The turning modules of one robot: one draw call. */
export class Modules {
    readonly mesh: InstancedMesh;
    private readonly local = new Matrix4();

    constructor(private readonly model: RobotModel) {
        const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.45 });
        this.mesh = new InstancedMesh(moduleGeometry(), material, Math.max(model.wheels.length, 1));
        this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        this.mesh.castShadow = true;
        this.mesh.frustumCulled = false;
        this.update([]);
    }

    update(azimuths: readonly number[]): void {
        this.model.wheels.forEach((wheel, i) => {
            this.local.makeRotationZ(azimuths[i] ?? 0);
            this.local.elements.forEach(
                (value, k) => (this.local.elements[k] = value * (k < 12 ? wheel.radius : 1)),
            );
            this.local.setPosition(wheel.x, wheel.y, wheel.radius);
            this.mesh.setMatrixAt(i, this.local);
        });
        this.mesh.instanceMatrix.needsUpdate = true;
    }
}

export function swerveBody(model: RobotModel): { group: Group; places: Places } {
    const outline = model.parts.find((p) => p.role === "body")?.points ?? [];
    const b = boundsOf(outline);
    const size = Math.max(b.x1 - b.x0, b.y1 - b.y0);
    const radius = model.wheels[0]?.radius ?? 0.03;
    const deck = radius * 2.15;
    const mesh = new Mesh(
        merged(plates(outline, size, deck)),
        new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 }),
    );
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    const group = new Group();
    group.add(mesh);
    const z = deck + 0.085 * size;
    return {
        group,
        places: {
            led: [0.12 * size, 0.1 * size, z],
            button: [0.12 * size, -0.1 * size, z],
            servos: Array.from({ length: model.servos }, (_, i) => [
                -0.02 * size,
                (i - (model.servos - 1) / 2) * 0.1 * size,
                z,
            ]),
            size,
        },
    };
}
