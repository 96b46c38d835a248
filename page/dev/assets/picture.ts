// A field seen from above, as a PNG: its floor, a grid, goals and walls.
import { zlibSync } from "three/addons/libs/fflate.module.js"; // the same bytes whatever Node runs this
import type { Point, Scene } from "../../src/net/protocol.ts";
import { allianceColor } from "../../src/scene/palette.ts";

export type Rgb = [number, number, number];

/** A picture of the floor: 0 is black. */
export interface Gray {
    width: number;
    height: number;
    pixels: Uint8Array;
}

function rgb(hex: number): Rgb {
    return [(hex >> 16) & 255, (hex >> 8) & 255, hex & 255];
}

/** The colour of the floor where no mat is. */
export function floorColor(scene: Scene): Rgb {
    const light = Math.round(214 * (1 - scene.floorShade) + 18);
    return scene.kind === "match" ? [0x3a, 0x43, 0x4f] : [light, light, Math.min(255, light + 4)];
}

class Canvas {
    readonly pixels: Uint8Array;
    constructor(
        readonly width: number,
        readonly height: number,
    ) {
        this.pixels = new Uint8Array(width * height * 3);
    }

    mix(x: number, y: number, color: Rgb, share: number): void {
        const at = (y * this.width + x) * 3;
        for (let k = 0; k < 3; k++) {
            this.pixels[at + k] = Math.round(
                this.pixels[at + k]! * (1 - share) + color[k]! * share,
            );
        }
    }

    /** Pixels whose middle is inside. */
    polygon(points: Point[], color: Rgb, share: number): void {
        const ys = points.map((p) => p[1]);
        for (
            let y = Math.max(0, Math.floor(Math.min(...ys)));
            y < Math.min(this.height, Math.ceil(Math.max(...ys)));
            y++
        ) {
            const crossings: number[] = [];
            points.forEach(([ax, ay], i) => {
                const [bx, by] = points[(i + 1) % points.length]!;
                const middle = y + 0.5;
                if (ay > middle !== by > middle) {
                    crossings.push(ax + ((middle - ay) / (by - ay)) * (bx - ax));
                }
            });
            crossings.sort((a, b) => a - b);
            for (let i = 0; i + 1 < crossings.length; i += 2) {
                for (
                    let x = Math.max(0, Math.ceil(crossings[i]! - 0.5));
                    x < Math.min(this.width, crossings[i + 1]! - 0.5);
                    x++
                ) {
                    this.mix(x, y, color, share);
                }
            }
        }
    }

    line([ax, ay]: Point, [bx, by]: Point, wide: number, color: Rgb, share: number): void {
        const length = Math.hypot(bx - ax, by - ay) || 1;
        const dx = ((bx - ax) / length) * (wide / 2);
        const dy = ((by - ay) / length) * (wide / 2);
        this.polygon(
            [
                [ax - dx - dy, ay - dy + dx],
                [bx + dx - dy, by + dy + dx],
                [bx + dx + dy, by + dy - dx],
                [ax - dx + dy, ay - dy - dx],
            ],
            color,
            share,
        );
    }
}

function isEdge(points: Point[], [x0, y0, x1, y1]: Scene["floor"]): boolean {
    const xs = points.map((p) => p[0]);
    const ys = points.map((p) => p[1]);
    return (
        (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys)) >
        0.5 * (x1 - x0) * (y1 - y0)
    );
}

/** The field as it lies: x to the right, y up. */
export function draw(
    scene: Scene,
    floor: Gray,
): { width: number; height: number; pixels: Uint8Array } {
    const [x0, y0, x1, y1] = scene.floor;
    const scale = floor.width / (x1 - x0);
    const canvas = new Canvas(floor.width, floor.height);
    const at = ([x, y]: Point): Point => [(x - x0) * scale, (y1 - y) * scale];
    const bare = floorColor(scene);
    for (let y = 0; y < floor.height; y++) {
        for (let x = 0; x < floor.width; x++) {
            const light = floor.pixels[y * floor.width + x]!;
            canvas.mix(x, y, scene.mat === null ? bare : [light, light, light], 1);
        }
    }
    const step = x1 - x0 < 8 ? 0.1 : 1;
    for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) {
        canvas.line(at([x, y0]), at([x, y1]), 1, [90, 110, 140], 0.15);
    }
    for (let y = Math.ceil(y0 / step) * step; y <= y1; y += step) {
        canvas.line(at([x0, y]), at([x1, y]), 1, [90, 110, 140], 0.15);
    }
    for (const goal of scene.goals) {
        canvas.polygon(goal.points.map(at), rgb(allianceColor(goal.alliance)), 0.7);
    }
    const thick = Math.max(3, 0.006 * Math.max(floor.width, floor.height));
    for (const { points } of scene.walls) {
        if (points.length > 2 && !isEdge(points, scene.floor)) {
            canvas.polygon(points.map(at), [0xd9, 0x82, 0x2b], 1);
        } else {
            points.forEach((from, i) => {
                if (points.length > 2 || i === 0) {
                    canvas.line(
                        at(from),
                        at(points[(i + 1) % points.length]!),
                        thick,
                        [0xa3, 0xae, 0xbd],
                        1,
                    );
                }
            });
        }
    }
    return canvas;
}

/** Half a turn: AdvantageScope's pictures have red on the left. */
export function halfTurn(picture: { width: number; height: number; pixels: Uint8Array }): void {
    const { pixels } = picture;
    const last = pixels.length / 3 - 1;
    for (let i = 0; i < (last + 1) / 2; i++) {
        const other = last - i;
        for (let k = 0; k < 3; k++) {
            [pixels[3 * i + k], pixels[3 * other + k]] = [
                pixels[3 * other + k]!,
                pixels[3 * i + k]!,
            ];
        }
    }
}

// --------------------------------------------------------------------------- PNG

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) {
        c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    }
    return c;
});

function chunk(type: string, data: Uint8Array): Uint8Array {
    const out = new Uint8Array(12 + data.length);
    const view = new DataView(out.buffer);
    view.setUint32(0, data.length);
    out.set(new TextEncoder().encode(type), 4);
    out.set(data, 8);
    let crc = 0xffffffff;
    for (let i = 4; i < 8 + data.length; i++) {
        crc = CRC[(crc ^ out[i]!) & 255]! ^ (crc >>> 8);
    }
    view.setUint32(8 + data.length, ~crc >>> 0);
    return out;
}

export function png(
    width: number,
    height: number,
    pixels: Uint8Array,
    channels: 1 | 3,
): Uint8Array {
    const head = new Uint8Array(13);
    new DataView(head.buffer).setUint32(0, width);
    new DataView(head.buffer).setUint32(4, height);
    head.set([8, channels === 1 ? 0 : 2], 8);
    const rows = new Uint8Array(height * (1 + width * channels));
    for (let y = 0; y < height; y++) {
        rows.set(
            pixels.subarray(y * width * channels, (y + 1) * width * channels),
            y * (1 + width * channels) + 1,
        );
    }
    const parts = [
        Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
        chunk("IHDR", head),
        chunk("IDAT", zlibSync(rows, { level: 9 })),
        chunk("IEND", new Uint8Array(0)),
    ];
    return Uint8Array.from(parts.flatMap((part) => Array.from(part)));
}
