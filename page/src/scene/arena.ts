// The hall around a match's field: its floor and wall, the drivers' stations behind both ends, and stands with people along the sides. It has
// no part in the match, and is left out where pictures have to be cheap.
import {
    BackSide,
    CanvasTexture,
    Color,
    CylinderGeometry,
    Float32BufferAttribute,
    Group,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    PlaneGeometry,
    RepeatWrapping,
    SphereGeometry,
    SRGBColorSpace,
    type BufferGeometry,
} from "three";
import type { Scene } from "../net/protocol.ts";
import { box, cylinder, merged, painted } from "./geometry.ts";
import { allianceColor } from "./palette.ts";

const STAND_M = 3.2; // from the field to the first row
const ROWS = 5;
const ROW_DEEP_M = 0.75;
const ROW_HIGH_M = 0.38;
const SEAT_M = 0.58;
const TAKEN = 0.62; // of the seats

const STATION_M = 0.85; // from the field's end to the drivers' shelf

const CLOTHES = [
    0x4a5a72, 0x6b4450, 0x3f6d63, 0x7a6a48, 0x565d68, 0x354763, 0x84868c, 0x2f5fae, 0xa63a48,
] as const;
const SKIN = [0x8d6b52, 0xb08a6c, 0x6a4c39, 0xc9a389] as const;

// The hall's wall, in sizes of the field: how far away, how high. Its colours from the foot to the top, which is that of the picture's background.
const WALL_FAR = 2.2;
const WALL_HIGH = 0.9;
const WALL_COLORS = {
    dark: [0x2c3c54, 0x182231, 0x0f1520, 0x0b0f16],
    light: [0xffffff, 0xf2f6fa, 0xe7edf4, 0xdfe6ee],
} as const;
const WALL_SEGMENTS = 48;
const WALL_TINT = 0.035; // of an alliance's colour, behind its end

/** Numbers 0 .. 1 that look random and are the same in every picture. */
function numbers(seed: number): () => number {
    let state = seed;
    return () => {
        state = (state * 1664525 + 1013904223) % 4294967296;
        return state / 4294967296;
    };
}

/** The floor of the hall: slabs of 2 m. */
function slabs(): CanvasTexture {
    const element = document.createElement("canvas");
    element.width = element.height = 256;
    const c = element.getContext("2d")!;
    c.fillStyle = "#ffffff";
    c.fillRect(0, 0, 256, 256);
    c.strokeStyle = "#d2d6dc";
    c.lineWidth = 3;
    c.strokeRect(0, 0, 256, 256);
    const map = new CanvasTexture(element);
    map.colorSpace = SRGBColorSpace;
    map.wrapS = map.wrapT = RepeatWrapping;
    return map;
}

function person(x: number, y: number, z: number, random: () => number): BufferGeometry[] {
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    return [
        painted(cylinder(0.17, 0.52, "z", 6).translate(x, y, z + 0.26), pick(CLOTHES)),
        painted(new SphereGeometry(0.115, 6, 4).translate(x, y, z + 0.65), pick(SKIN)),
    ];
}

/** One side's stand: steps that rise outwards, and people on their seats. */
function stand(scene: Scene, side: number): BufferGeometry[] {
    const [x0, y0, x1, y1] = scene.floor;
    const random = numbers(side > 0 ? 7 : 11);
    const middle = (y0 + y1) / 2;
    const length = (y1 - y0) * 0.78;
    const parts: BufferGeometry[] = [];
    for (let row = 0; row < ROWS; row++) {
        const x = side > 0 ? x1 + STAND_M + row * ROW_DEEP_M : x0 - STAND_M - row * ROW_DEEP_M;
        const high = (row + 1) * ROW_HIGH_M;
        parts.push(
            painted(
                box(x, middle, high / 2, ROW_DEEP_M, length, high),
                row % 2 === 0 ? 0x27303d : 0x2c3645,
            ),
        );
        parts.push(
            painted(
                box(x - side * ROW_DEEP_M * 0.46, middle, high + 0.005, 0.05, length, 0.012),
                0x7f8ea3,
            ),
        );
        for (
            let y = middle - length / 2 + SEAT_M;
            y < middle + length / 2 - SEAT_M / 2;
            y += SEAT_M
        ) {
            const isStair = Math.abs(Math.abs(y - middle) - length / 4) < SEAT_M * 0.7;
            if (!isStair) {
                parts.push(
                    painted(
                        box(x + side * 0.12, y, high + 0.16, 0.4, SEAT_M * 0.78, 0.05),
                        0x3a4556,
                    ),
                );
                if (random() < TAKEN) {
                    parts.push(...person(x + side * 0.12, y, high + 0.18, random));
                }
            }
        }
    }
    return parts;
}

/** Behind one end: a wall in the alliance's colour, a shelf with three screens. `end` is -1 or 1. */
function station(scene: Scene, end: number): BufferGeometry[] {
    const [x0, y0, x1, y1] = scene.floor;
    const goal = scene.goals.find(
        ({ points }) =>
            Math.sign(points.reduce((sum, p) => sum + p[1], 0) / points.length - (y0 + y1) / 2) ===
            end,
    );
    const color = colorOfEnd(scene, end);
    const y = (end > 0 ? y1 : y0) + end * STATION_M;
    const middle = (x0 + x1) / 2;
    const near = goal?.points.map((p) => p[0]) ?? [];
    const dark = new Color(color).multiplyScalar(0.45).getHex();
    const parts: BufferGeometry[] = [];
    for (const place of [-1, 0, 1]) {
        const x = middle + place * (x1 - x0) * 0.26;
        const isBehindGoal =
            near.length > 0 && x + 0.75 > Math.min(...near) && x - 0.75 < Math.max(...near);
        const back = isBehindGoal ? end * 0.75 : 0;
        parts.push(painted(box(x, y + back, 0.42, 1.5, 0.05, 0.84), dark));
        parts.push(painted(box(x, y + back, 0.85, 1.5, 0.09, 0.03), color));
        parts.push(painted(box(x, y + back + end * 0.25, 0.8, 1.4, 0.5, 0.035), 0x3b4554));
        parts.push(painted(box(x, y + back + end * 0.2, 0.95, 0.36, 0.02, 0.24), 0x10151c));
        parts.push(
            ...person(x - 0.32, y + back + end * 0.85, 0.5, numbers(17 + place)),
            ...person(x + 0.32, y + back + end * 0.85, 0.5, numbers(29 + place)),
        );
    }
    return parts;
}

/** The colour of the alliance whose goal is at this end, -1 or 1. */
function colorOfEnd(scene: Scene, end: number): number {
    const middle = (scene.floor[1] + scene.floor[3]) / 2;
    const goal = scene.goals.find(
        ({ points }) =>
            Math.sign(points.reduce((sum, p) => sum + p[1], 0) / points.length - middle) === end,
    );
    return allianceColor(goal?.alliance ?? "");
}

/** Colours of the wall's corners: lighter at its foot, and there in each alliance's colour behind its end. */
export function wallColors(
    scene: Scene,
    positions: ArrayLike<number>,
    theme: "dark" | "light",
): number[] {
    const [x0, y0, x1, y1] = scene.floor;
    const size = Math.max(x1 - x0, y1 - y0);
    const rows = WALL_COLORS[theme].map((color) => new Color(color));
    const colors: number[] = [];
    for (let i = 0; i < positions.length; i += 3) {
        const along = (positions[i + 1]! - (y0 + y1) / 2) / (size * WALL_FAR); // -1 .. 1 from one end to the other
        const share = Math.min(1, Math.max(0, positions[i + 2]! / (size * WALL_HIGH)));
        const tint = WALL_TINT * (1 - share) * Math.max(0, 2 * Math.abs(along) - 1);
        const color = rows[Math.round(share * (rows.length - 1))]!.clone().lerp(
            new Color(colorOfEnd(scene, Math.sign(along))),
            tint,
        );
        colors.push(color.r, color.g, color.b);
    }
    return colors;
}

export class Arena {
    readonly group = new Group();
    private readonly wall: BufferGeometry;
    private readonly floor: MeshStandardMaterial;
    private readonly ends = new MeshStandardMaterial({ vertexColors: true, roughness: 0.7 });

    constructor(private readonly scene: Scene) {
        const [x0, y0, x1, y1] = scene.floor;
        const size = Math.max(x1 - x0, y1 - y0);
        const map = slabs();
        map.repeat.set((size * 5) / 2, (size * 5) / 2);
        this.floor = new MeshStandardMaterial({ map, roughness: 0.9 });
        this.floor.userData.stays = true;
        const plane = new Mesh(
            new PlaneGeometry(size * 5, size * 5).translate(
                (x0 + x1) / 2,
                (y0 + y1) / 2,
                -0.015 * size,
            ),
            this.floor,
        );
        plane.receiveShadow = true;
        const around = new Mesh(
            merged([
                ...stand(scene, 1),
                ...stand(scene, -1),
                ...station(scene, 1),
                ...station(scene, -1),
            ]),
            this.ends,
        );
        around.receiveShadow = true;
        const high = size * WALL_HIGH,
            far = size * WALL_FAR;
        this.wall = new CylinderGeometry(
            far,
            far,
            high,
            WALL_SEGMENTS,
            WALL_COLORS.dark.length - 1,
            true,
        )
            .rotateX(Math.PI / 2)
            .translate((x0 + x1) / 2, (y0 + y1) / 2, high / 2);
        const wall = new Mesh(
            this.wall,
            new MeshBasicMaterial({
                vertexColors: true,
                side: BackSide,
                fog: false,
                depthWrite: false,
            }),
        );
        wall.renderOrder = -3; // behind everything
        for (const mesh of [wall, plane, around]) {
            mesh.matrixAutoUpdate = false;
            this.group.add(mesh);
        }
    }

    setTheme(theme: "dark" | "light"): void {
        this.wall.setAttribute(
            "color",
            new Float32BufferAttribute(
                wallColors(this.scene, this.wall.getAttribute("position").array, theme),
                3,
            ),
        );
        this.floor.color.setHex(theme === "dark" ? 0x1d242e : 0xd6dce4);
    }
}
