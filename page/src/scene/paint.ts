// Textures that are drawn with a 2D canvas: the carpet, name tags, numbers on bumpers, soft glows.
import { CanvasTexture, SRGBColorSpace } from "three";
import type { Scene } from "../net/protocol.ts";

type Canvas2D = CanvasRenderingContext2D;

const FONT = '"Inter", "Segoe UI", system-ui, "Helvetica Neue", Arial, sans-serif';

function canvas(width: number, height: number): Canvas2D {
    const element = document.createElement("canvas");
    element.width = width;
    element.height = height;
    return element.getContext("2d")!;
}

// Textures that lie flat before the eye are read this often for a pixel.
let anisotropy = 1;

export function setAnisotropy(samples: number): void {
    anisotropy = samples;
}

function texture(context: Canvas2D): CanvasTexture {
    const result = new CanvasTexture(context.canvas);
    result.colorSpace = SRGBColorSpace;
    result.anisotropy = anisotropy;
    return result;
}

function grid(
    c: Canvas2D,
    scene: Scene,
    scale: number,
    step: number,
    style: string,
    width: number,
): void {
    const [x0, y0, x1, y1] = scene.floor;
    c.strokeStyle = style;
    c.lineWidth = width;
    c.beginPath();
    for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) {
        c.moveTo((x - x0) * scale, 0);
        c.lineTo((x - x0) * scale, c.canvas.height);
    }
    for (let y = Math.ceil(y0 / step) * step; y <= y1; y += step) {
        c.moveTo(0, (y1 - y) * scale);
        c.lineTo(c.canvas.width, (y1 - y) * scale);
    }
    c.stroke();
}

function allianceEnd(c: Canvas2D, top: boolean, color: string): void {
    const { width, height } = c.canvas;
    const end = c.createLinearGradient(0, top ? 0 : height, 0, top ? height * 0.32 : height * 0.68);
    end.addColorStop(0, color);
    end.addColorStop(1, "rgba(0,0,0,0)");
    c.fillStyle = end;
    c.fillRect(0, 0, width, height);
}

function goalZones(c: Canvas2D, scene: Scene, scale: number): void {
    const [x0, , , y1] = scene.floor;
    for (const goal of scene.goals) {
        const x = goal.points.reduce((sum, p) => sum + p[0], 0) / goal.points.length;
        const inner = goal.points.reduce(
            (best, p) => (Math.abs(p[1]) < Math.abs(best) ? p[1] : best),
            Infinity,
        );
        const color = goal.alliance.toLowerCase() === "blue" ? "79,147,255" : "255,84,102";
        c.lineWidth = 0.05 * scale;
        for (const [radius, alpha] of [
            [1.2, 0.75],
            [2.4, 0.3],
        ] as const) {
            c.strokeStyle = `rgba(${color},${alpha})`;
            c.beginPath();
            c.arc((x - x0) * scale, (y1 - inner) * scale, radius * scale, 0, 2 * Math.PI);
            c.stroke();
        }
    }
}

function middle(c: Canvas2D, scale: number): void {
    const { width, height } = c.canvas;
    c.strokeStyle = "rgba(225,234,246,0.55)";
    c.lineWidth = 0.05 * scale;
    c.beginPath();
    c.moveTo(0, height / 2);
    c.lineTo(width, height / 2);
    c.moveTo(width / 2 + 0.9 * scale, height / 2);
    c.arc(width / 2, height / 2, 0.9 * scale, 0, 2 * Math.PI);
    c.stroke();
}

/** A match's carpet: metre grid, the alliances' ends, the goals' zones. */
export function carpet(scene: Scene): CanvasTexture {
    const [x0, y0, x1, y1] = scene.floor;
    const scale = 2048 / Math.max(x1 - x0, y1 - y0);
    const c = canvas(Math.round((x1 - x0) * scale), Math.round((y1 - y0) * scale));
    c.fillStyle = "#3a434f";
    c.fillRect(0, 0, c.canvas.width, c.canvas.height);
    const redOnTop = scene.goals.some(
        (g) => g.alliance.toLowerCase() === "red" && g.points[0]![1] > 0,
    );
    allianceEnd(c, true, redOnTop ? "rgba(225,40,66,0.42)" : "rgba(32,104,240,0.42)");
    allianceEnd(c, false, redOnTop ? "rgba(32,104,240,0.42)" : "rgba(225,40,66,0.42)");
    grid(c, scene, scale, 1, "rgba(220,232,250,0.10)", 2);
    goalZones(c, scene, scale);
    middle(c, scale);
    return texture(c);
}

/** A board's floor in its own shade, with a grid that gives it scale: ten centimetres, or a metre. */
export function plainFloor(scene: Scene): CanvasTexture {
    const [x0, y0, x1, y1] = scene.floor;
    const size = Math.max(x1 - x0, y1 - y0);
    const scale = 1536 / size;
    const c = canvas(Math.round((x1 - x0) * scale), Math.round((y1 - y0) * scale));
    const light = Math.round(214 * (1 - scene.floorShade) + 18);
    c.fillStyle = `rgb(${light},${light},${Math.min(255, light + 4)})`;
    c.fillRect(0, 0, c.canvas.width, c.canvas.height);
    const line = scene.floorShade > 0.6 ? "255,255,255" : "20,30,50";
    grid(c, scene, scale, size < 8 ? 0.1 : 1, `rgba(${line},0.09)`, 2);
    if (size < 8) {
        grid(c, scene, scale, 1, `rgba(${line},0.20)`, 3);
    }
    return texture(c);
}

/** A pill with a player's number, in a disc or, if `square`, in a square, and name. Returns its width over its height too. */
export function nameTag(
    number: string,
    name: string,
    color: string,
    square: boolean,
): { map: CanvasTexture; aspect: number } {
    const height = 72;
    const c = canvas(8, 8);
    c.font = `600 38px ${FONT}`;
    const nameWidth = c.measureText(name).width;
    const numberWidth = number === "" ? 0 : 56;
    const width = Math.ceil(nameWidth + numberWidth + 44);
    c.canvas.width = width;
    c.canvas.height = height;
    c.beginPath();
    c.roundRect(2, 2, width - 4, height - 4, 34);
    c.fillStyle = "rgba(12,16,23,0.82)";
    c.fill();
    c.lineWidth = 3;
    c.strokeStyle = color;
    c.stroke();
    c.textBaseline = "middle";
    c.font = `600 38px ${FONT}`;
    if (number !== "") {
        c.fillStyle = color;
        c.beginPath();
        if (square) {
            c.roundRect(14, height / 2 - 22, 44, 44, 6);
        } else {
            c.arc(36, height / 2, 24, 0, 2 * Math.PI);
        }
        c.fill();
        c.fillStyle = "#fff";
        c.textAlign = "center";
        c.fillText(number, 36, height / 2 + 2);
    }
    c.textAlign = "left";
    c.fillStyle = "#f2f6fc";
    c.fillText(name, numberWidth + 20, height / 2 + 2);
    return { map: texture(c), aspect: width / height };
}

/** A word in a colour with a dark rim, twice as wide as high. */
export function label(text: string, color: string): CanvasTexture {
    const c = canvas(256, 128);
    c.font = `800 100px ${FONT}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.lineJoin = "round";
    c.lineWidth = 14;
    c.strokeStyle = "rgba(8,11,17,0.85)";
    c.strokeText(text, 128, 68);
    c.fillStyle = color;
    c.fillText(text, 128, 68);
    return texture(c);
}

/** White digits for a bumper. */
export function bumperNumber(name: string): CanvasTexture {
    const c = canvas(256, 64);
    c.font = `800 58px ${FONT}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillStyle = "#fff";
    c.fillText(name.slice(0, 6), 128, 35, 250);
    return texture(c);
}

/** White in the middle, nothing at the rim. */
export function glow(): CanvasTexture {
    const c = canvas(128, 128);
    const g = c.createRadialGradient(64, 64, 8, 64, 64, 64);
    g.addColorStop(0, "rgba(255,255,255,0.9)");
    g.addColorStop(0.45, "rgba(255,255,255,0.35)");
    g.addColorStop(1, "rgba(255,255,255,0)");
    c.fillStyle = g;
    c.fillRect(0, 0, 128, 128);
    return texture(c);
}
