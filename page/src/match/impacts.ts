// Where robots hit something: their speed changes faster than wheels can change it, and a wall or another robot is there.
import type { Point, RobotModel, RobotState, Scene, State } from "../net/protocol.ts";

export interface Impact {
    robot: number;
    x: number;
    y: number;
    /** Change of speed, m/s. */
    speed: number;
}

// The reference robot's wheels change its speed by less in this time: 10 m/s2 is all the grip there is.
const LEAST_M_S = 0.9;
const SPAN_S = 0.06;

// Farther from its outline nothing was hit.
const REACH_M = 0.08;

// One blow is one impact, however long it shakes.
const QUIET_S = 0.3;

interface Track {
    t: number;
    x: number;
    y: number;
}

type Segment = [number, number, number, number];

function toField([x, y, heading]: RobotState["at"], [px, py]: Point): Point {
    const cos = Math.cos(heading);
    const sin = Math.sin(heading);
    return [x + px * cos - py * sin, y + px * sin + py * cos];
}

/** The point of a segment that is nearest to another point, and how far away that is. */
function nearestOn([x0, y0, x1, y1]: Segment, [px, py]: Point): { at: Point; distance: number } {
    const dx = x1 - x0;
    const dy = y1 - y0;
    const length2 = dx * dx + dy * dy;
    const share =
        length2 === 0 ? 0 : Math.max(0, Math.min(1, ((px - x0) * dx + (py - y0) * dy) / length2));
    const at: Point = [x0 + share * dx, y0 + share * dy];
    return { at, distance: Math.hypot(at[0] - px, at[1] - py) };
}

function edges(points: readonly Point[]): Segment[] {
    const count = points.length === 2 ? 1 : points.length;
    return Array.from({ length: count }, (_, i): Segment => {
        const [x0, y0] = points[i]!;
        const [x1, y1] = points[(i + 1) % points.length]!;
        return [x0, y0, x1, y1];
    });
}

/** What a robot collides with: its body and bumpers. */
function hull(model: RobotModel): Point[][] {
    return model.parts
        .filter((part) => part.role === "body" || part.role === "bumper")
        .map((part) => part.points);
}

export class ImpactFinder {
    private readonly walls: Segment[];
    private readonly hulls: Point[][][];
    private readonly tracks: Track[][];
    private readonly quietUntil: number[];

    constructor(scene: Scene) {
        this.walls = scene.walls.flatMap((wall) => edges(wall.points));
        this.hulls = scene.robots.map(hull);
        this.tracks = scene.robots.map(() => []);
        this.quietUntil = scene.robots.map(() => -Infinity);
    }

    see(state: State): Impact[] {
        const impacts: Impact[] = [];
        state.robots.forEach((robot, index) => {
            const speed = this.jump(index, robot, state.t);
            if (speed < LEAST_M_S || state.t < this.quietUntil[index]!) {
                return;
            }
            const at = this.contact(index, state.robots);
            if (at !== null) {
                this.quietUntil[index] = state.t + QUIET_S;
                impacts.push({ robot: index, x: at[0], y: at[1], speed });
            }
        });
        return impacts;
    }

    /** By how much a robot's velocity changed within the last SPAN_S. */
    private jump(index: number, robot: RobotState, t: number): number {
        const track = this.tracks[index] ?? [];
        const last = track.at(-1);
        if (
            last !== undefined &&
            (t <= last.t || Math.hypot(robot.at[0] - last.x, robot.at[1] - last.y) > 1)
        ) {
            track.length = 0; // the simulator began anew, or the robot was put somewhere else
        }
        track.push({ t, x: robot.at[0], y: robot.at[1] });
        while (track.length > 3 && t - track[1]!.t >= SPAN_S) {
            track.shift();
        }
        if (track.length < 4) {
            return 0;
        }
        const velocity = (a: Track, b: Track): Point => [
            (b.x - a.x) / (b.t - a.t),
            (b.y - a.y) / (b.t - a.t),
        ];
        const first = velocity(track[0]!, track[1]!);
        const now = velocity(track.at(-2)!, track.at(-1)!);
        return Math.hypot(now[0] - first[0], now[1] - first[1]);
    }

    /** Where the robot's outline is nearest to something that it can hit; null if nothing is near. */
    private contact(index: number, robots: readonly RobotState[]): Point | null {
        const own = this.outline(index, robots);
        const others = robots.flatMap((_, other) =>
            other === index ? [] : this.outline(other, robots),
        );
        const obstacles = [...this.walls, ...others.flatMap(edges)];
        let best: Point | null = null;
        let shortest = REACH_M;
        const offer = (segment: Segment, point: Point): void => {
            const { at, distance } = nearestOn(segment, point);
            if (distance < shortest) {
                shortest = distance;
                best = at;
            }
        };
        const ownEdges = own.flatMap(edges);
        for (const obstacle of obstacles) {
            own.flat().forEach((corner) => offer(obstacle, corner));
            ownEdges.forEach((edge) => offer(edge, [obstacle[0], obstacle[1]]));
        }
        return best;
    }

    private outline(index: number, robots: readonly RobotState[]): Point[][] {
        const at = robots[index]!.at;
        return (this.hulls[index] ?? []).map((points) => points.map((point) => toField(at, point)));
    }
}
