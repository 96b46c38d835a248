// A student's robot: printed frame, board, cells, rangefinder, line sensors, caster.
import { Group, Mesh, MeshStandardMaterial, SphereGeometry, type BufferGeometry } from "three";
import type { RobotModel } from "../net/protocol.ts";
import { boundsOf, box, cylinder, merged, painted, prism } from "./geometry.ts";
import { METAL, RUBBER } from "./palette.ts";

const FRAME = 0x1fa39a;
const BOARD = 0xc21f30;
const SENSOR = 0x1463c9;

/** Places on the robot that other things hang on, in its own axes. */
export interface Places {
    led: [number, number, number];
    button: [number, number, number];
    servos: [number, number, number][];
    /** A length that everything scales with. */
    size: number;
}

interface Size {
    front: number;
    rear: number;
    half: number;
    deck: number;
}

function sizeOf(model: RobotModel): Size {
    const b = boundsOf(model.parts.flatMap((p) => p.points));
    const wheel = model.wheels[0];
    const inner = wheel === undefined ? b.y1 * 0.7 : Math.abs(wheel.y) - wheel.width / 2 - 0.004;
    return { front: b.x1, rear: b.x0, half: inner, deck: (wheel?.radius ?? 0.03) * 1.25 };
}

function chassis(s: Size): BufferGeometry[] {
    const nose = s.half * 0.55;
    const outline: [number, number][] = [
        [s.rear, -s.half],
        [s.front * 0.55, -s.half],
        [s.front * 0.97, -nose],
        [s.front * 0.97, nose],
        [s.front * 0.55, s.half],
        [s.rear, s.half],
    ];
    const motor = (y: number): BufferGeometry =>
        painted(box(-0.012, y, s.deck * 0.72, 0.06, 0.02, 0.021), 0xf2c230);
    return [
        painted(prism(outline, s.deck, s.deck + 0.005, 0.0015), FRAME),
        painted(box(s.rear + 0.004, 0, s.deck * 0.75, 0.006, s.half * 1.8, s.deck * 0.5), FRAME),
        motor(s.half - 0.014),
        motor(0.014 - s.half),
        painted(
            cylinder(0.005, 2 * s.half + 0.012, "y", 12).translate(0, 0, s.deck * 0.8),
            METAL.light,
        ),
    ];
}

/** Four cells in their holder, at the rear. */
function cells(s: Size): BufferGeometry[] {
    const x = s.rear + 0.034;
    const z = s.deck + 0.005;
    const parts = [painted(box(x, 0, z + 0.004, 0.058, 0.066, 0.008), RUBBER)];
    for (let i = 0; i < 4; i++) {
        const y = (i - 1.5) * 0.0155;
        parts.push(
            painted(cylinder(0.007, 0.038, "x", 16).translate(x - 0.006, y, z + 0.013), METAL.dark),
        );
        parts.push(
            painted(cylinder(0.0071, 0.012, "x", 16).translate(x + 0.018, y, z + 0.013), 0xc98b3a),
        );
    }
    return parts;
}

function board(s: Size): BufferGeometry[] {
    const z = s.deck + 0.011;
    return [
        painted(box(0.028, 0, z, 0.056, Math.min(0.08, s.half * 1.7), 0.0016), BOARD),
        painted(box(0.02, 0.01, z + 0.002, 0.012, 0.012, 0.002), RUBBER),
        painted(box(0.04, -0.012, z + 0.003, 0.018, 0.014, 0.004), 0xb9c2cc),
        painted(box(0.006, 0.03, z + 0.004, 0.016, 0.01, 0.008), METAL.light),
        painted(box(0.006, -0.03, z + 0.004, 0.016, 0.01, 0.008), METAL.light),
        painted(box(0.028, 0, z - 0.004, 0.04, 0.006, 0.006), METAL.dark),
    ];
}

function rangefinder(x: number, y: number, deck: number): BufferGeometry[] {
    const z = deck + 0.014;
    const parts = [painted(box(x - 0.008, y, z, 0.0016, 0.046, 0.021), SENSOR)];
    for (const side of [-0.013, 0.013]) {
        parts.push(
            painted(cylinder(0.0082, 0.013, "x", 24).translate(x - 0.001, y + side, z), 0xc9d1da),
        );
        parts.push(
            painted(cylinder(0.0065, 0.0136, "x", 24).translate(x - 0.0005, y + side, z), RUBBER),
        );
    }
    return parts;
}

function underside(model: RobotModel, s: Size): BufferGeometry[] {
    const caster = new SphereGeometry(0.007, 16, 12).translate(s.front * 0.66, 0, 0.007);
    const parts = [
        painted(caster, 0xdfe5ec),
        painted(
            cylinder(0.009, s.deck - 0.008, "z", 16).translate(
                s.front * 0.66,
                0,
                (s.deck + 0.008) / 2,
            ),
            FRAME,
        ),
    ];
    if (model.reflectance.length > 0) {
        const x = model.reflectance[0]![0];
        parts.push(painted(box(x, 0, 0.008, 0.01, 0.04, 0.0016), BOARD));
        parts.push(painted(box(x, 0, (s.deck + 0.008) / 2, 0.004, 0.012, s.deck - 0.008), FRAME));
        for (const [rx, ry] of model.reflectance) {
            parts.push(painted(box(rx, ry, 0.006, 0.005, 0.005, 0.003), RUBBER));
        }
    }
    return parts;
}

export function xrpBody(model: RobotModel): { group: Group; places: Places } {
    const s = sizeOf(model);
    const cone = model.rangeCone;
    const mesh = new Mesh(
        merged([
            ...chassis(s),
            ...cells(s),
            ...board(s),
            ...underside(model, s),
            ...(cone === null ? [] : rangefinder(cone.x, cone.y, s.deck)),
        ]),
        new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 }),
    );
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    const group = new Group();
    group.add(mesh);
    const z = s.deck + 0.013;
    const row = (i: number): [number, number, number] => [
        -0.004 - 0.026 * (i >> 1),
        (i % 2 === 0 ? 1 : -1) * (s.half - 0.008),
        s.deck + 0.016,
    ];
    return {
        group,
        places: {
            led: [0.05, 0.026, z + 0.002],
            button: [0.05, -0.028, z + 0.002],
            servos: Array.from({ length: model.servos }, (_, i) => row(i)),
            size: 0.1,
        },
    };
}
