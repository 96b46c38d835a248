// The field from above in a corner, while the camera is near a robot: walls, goals, balls, robots.
import { el, setClass } from "../dom.ts";
import { t } from "../messages.ts";
import type { Point, RobotState, Scene, State } from "../net/protocol.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";

const LONG_PX = 168;
const EDGE_PX = 5;
const COLORS = { blue: "#6aa5ff", red: "#ff7a88", none: "#a9b5c7", ball: "#ffd21f" } as const;

/** Field to picture: metres to pixels, turned by half if `isTurned`, so that one's own end is below. */
export class MapFrame {
    readonly width: number;
    readonly height: number;
    readonly scale: number;

    constructor(
        private readonly floor: Scene["floor"],
        private readonly isTurned: boolean,
    ) {
        const [x0, y0, x1, y1] = floor;
        this.scale = (LONG_PX - 2 * EDGE_PX) / Math.max(x1 - x0, y1 - y0);
        this.width = (x1 - x0) * this.scale + 2 * EDGE_PX;
        this.height = (y1 - y0) * this.scale + 2 * EDGE_PX;
    }

    place(x: number, y: number): Point {
        const [x0, y0, x1, y1] = this.floor;
        const right = this.isTurned ? x1 - x : x - x0;
        const up = this.isTurned ? y1 - y : y - y0;
        return [EDGE_PX + right * this.scale, this.height - EDGE_PX - up * this.scale];
    }

    /** A heading as an angle of the picture, clockwise from the right. */
    angle(heading: number): number {
        return -heading + (this.isTurned ? Math.PI : 0);
    }
}

export class Minimap implements Panel {
    readonly root = el("figure", "panel minimap hidden");
    private readonly canvas = el("canvas");

    constructor(private readonly store: Store) {
        this.canvas.setAttribute("role", "img");
        this.canvas.setAttribute("aria-label", t("map.label"));
        this.root.append(this.canvas);
    }

    /** Not where the camera shows the whole field by itself. */
    update(): void {
        const { scene, shown: state, view, shows } = this.store;
        const isNear = view !== null && view !== "home" && view !== "top";
        const isShown = shows.map && isNear && scene?.kind === "match" && state !== null;
        setClass(this.root, "hidden", !isShown);
        if (!isShown) {
            return;
        }
        const context = this.canvas.getContext("2d");
        if (context !== null) {
            this.draw(context, scene, state);
        }
    }

    /** Whether the goal of the followed robot's alliance lies at the upper end of the field. */
    private isTurned(scene: Scene, followed: number): boolean {
        const alliance = scene.robots[followed]?.alliance.toLowerCase() ?? "";
        const goal = scene.goals.find((one) => one.alliance.toLowerCase() === alliance);
        return goal !== undefined && goal.points[0]![1] > (scene.floor[1] + scene.floor[3]) / 2;
    }

    private draw(c: CanvasRenderingContext2D, scene: Scene, state: State): void {
        const frame = new MapFrame(scene.floor, this.isTurned(scene, this.store.followed));
        const dense = Math.min(2, window.devicePixelRatio);
        const [width, height] = [Math.round(frame.width * dense), Math.round(frame.height * dense)];
        if (this.canvas.width !== width || this.canvas.height !== height) {
            this.canvas.width = width;
            this.canvas.height = height;
            this.canvas.style.width = `${frame.width}px`;
            this.canvas.style.height = `${frame.height}px`;
        }
        c.setTransform(dense, 0, 0, dense, 0, 0);
        c.clearRect(0, 0, frame.width, frame.height);
        c.lineWidth = 1.5;
        c.strokeStyle = COLORS.none;
        scene.walls.forEach((wall) => this.outline(c, frame, wall.points, wall.points.length > 2));
        for (const { alliance, points } of scene.goals) {
            c.strokeStyle = c.fillStyle =
                alliance.toLowerCase() === "blue" ? COLORS.blue : COLORS.red;
            this.outline(c, frame, points, true);
            c.globalAlpha = 0.35;
            c.fill();
            c.globalAlpha = 1;
        }
        c.fillStyle = COLORS.ball;
        for (const [x = 0, y = 0] of state.pieces) {
            c.beginPath();
            c.arc(...frame.place(x, y), 1.8, 0, 2 * Math.PI);
            c.fill();
        }
        state.robots.forEach((robot, index) =>
            this.robot(c, frame, robot, scene.robots[index]?.alliance.toLowerCase() ?? "", index),
        );
    }

    private outline(
        c: CanvasRenderingContext2D,
        frame: MapFrame,
        points: readonly Point[],
        isClosed: boolean,
    ): void {
        c.beginPath();
        points.forEach(([x, y], index) =>
            index === 0 ? c.moveTo(...frame.place(x, y)) : c.lineTo(...frame.place(x, y)),
        );
        if (isClosed) {
            c.closePath();
        }
        c.stroke();
    }

    /** Blue's robots are discs and red's squares, as their numbers are. */
    private robot(
        c: CanvasRenderingContext2D,
        frame: MapFrame,
        robot: RobotState,
        alliance: string,
        index: number,
    ): void {
        const [x, y] = frame.place(robot.at[0], robot.at[1]);
        const isFollowed = index === this.store.followed;
        const size = isFollowed ? 6 : 4.5;
        c.save();
        c.translate(x, y);
        c.rotate(frame.angle(robot.at[2]));
        c.fillStyle =
            alliance === "blue" ? COLORS.blue : alliance === "red" ? COLORS.red : COLORS.none;
        c.strokeStyle =
            isFollowed || this.store.ownRobots().includes(index) ? "#ffffff" : "#10151d";
        c.lineWidth = isFollowed ? 2 : 1;
        c.beginPath();
        if (alliance === "blue") {
            c.arc(0, 0, size, 0, 2 * Math.PI);
        } else {
            c.rect(-size * 0.9, -size * 0.9, 1.8 * size, 1.8 * size);
        }
        c.fill();
        c.stroke();
        c.beginPath();
        c.moveTo(0, 0);
        c.lineTo(size + 4, 0);
        c.stroke();
        c.restore();
    }
}
