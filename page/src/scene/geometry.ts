// Shapes out of outlines, painted per vertex and merged, so that a robot is one draw call.
import {
    BoxGeometry,
    BufferAttribute,
    BufferGeometry,
    Color,
    CylinderGeometry,
    ExtrudeGeometry,
    Matrix4,
    Shape,
    Vector2,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";
import type { Point } from "../net/protocol.ts";

export interface Box {
    x0: number;
    y0: number;
    x1: number;
    y1: number;
}

export function boundsOf(points: readonly Point[]): Box {
    const bounds = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
    for (const [x, y] of points) {
        bounds.x0 = Math.min(bounds.x0, x);
        bounds.y0 = Math.min(bounds.y0, y);
        bounds.x1 = Math.max(bounds.x1, x);
        bounds.y1 = Math.max(bounds.y1, y);
    }
    return bounds;
}

function area(points: readonly Point[]): number {
    let sum = 0;
    points.forEach(([x, y], i) => {
        const [nx, ny] = points[(i + 1) % points.length]!;
        sum += x * ny - nx * y;
    });
    return sum / 2;
}

export function shapeOf(points: readonly Point[]): Shape {
    const outline = area(points) < 0 ? points.toReversed() : points;
    return new Shape(outline.map(([x, y]) => new Vector2(x, y)));
}

/** A prism over an outline; its rims are rounded by `round`, inside the outline. */
export function prism(
    points: readonly Point[],
    low: number,
    high: number,
    round = 0,
): BufferGeometry {
    const bevel = Math.min(round, (high - low) / 2.1);
    const geometry = new ExtrudeGeometry(shapeOf(points), {
        depth: Math.max(high - low - 2 * bevel, 1e-4),
        bevelEnabled: bevel > 0,
        bevelSize: bevel,
        bevelThickness: bevel,
        bevelOffset: -bevel,
        bevelSegments: 2,
        curveSegments: 1,
    });
    return geometry.translate(0, 0, low + bevel);
}

/** An upright or lying box by its middle and size. */
export function box(
    x: number,
    y: number,
    z: number,
    sx: number,
    sy: number,
    sz: number,
): BufferGeometry {
    return new BoxGeometry(sx, sy, sz).translate(x, y, z);
}

export type Axis = "x" | "y" | "z";

export function cylinder(
    radius: number,
    length: number,
    axis: Axis,
    segments = 24,
): BufferGeometry {
    const geometry = new CylinderGeometry(radius, radius, length, segments);
    if (axis === "x") geometry.rotateZ(Math.PI / 2);
    if (axis === "z") geometry.rotateX(Math.PI / 2);
    return geometry;
}

/** A box from one point to another on the floor, `thick` wide. */
export function bar(
    from: Point,
    to: Point,
    thick: number,
    low: number,
    high: number,
): BufferGeometry {
    const dx = to[0] - from[0];
    const dy = to[1] - from[1];
    const geometry = new BoxGeometry(Math.hypot(dx, dy) + thick, thick, high - low);
    geometry.applyMatrix4(new Matrix4().makeRotationZ(Math.atan2(dy, dx)));
    return geometry.translate((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (low + high) / 2);
}

/** The same shape in one colour, ready to be merged with others. */
export function painted(source: BufferGeometry, color: string | number): BufferGeometry {
    const geometry = source.index === null ? source : source.toNonIndexed();
    for (const name of Object.keys(geometry.attributes)) {
        if (name !== "position" && name !== "normal") {
            geometry.deleteAttribute(name);
        }
    }
    const { r, g, b } = new Color(color);
    const count = geometry.getAttribute("position").count;
    const colors = new Float32Array(count * 3);
    for (let i = 0; i < count; i++) {
        colors.set([r, g, b], i * 3);
    }
    geometry.setAttribute("color", new BufferAttribute(colors, 3));
    return geometry;
}

/** One geometry of many painted ones; they are spent. */
export function merged(parts: BufferGeometry[]): BufferGeometry {
    if (parts.length === 0) {
        return new BufferGeometry();
    }
    const result = mergeGeometries(parts);
    parts.forEach((part) => part.dispose());
    return result;
}

/** An arrow along +x on the plane z = 0, of length 1. */
export function arrow(): BufferGeometry {
    const outline: Point[] = [
        [0, -0.09],
        [0.6, -0.09],
        [0.6, -0.24],
        [1, 0],
        [0.6, 0.24],
        [0.6, 0.09],
        [0, 0.09],
    ];
    return prism(outline, 0, 0.05);
}
