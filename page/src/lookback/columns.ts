// The numbers of a state as columns: what can be plotted, kept and saved of what the page receives. Lidar points are left out.
import type { RobotState, State } from "../net/protocol.ts";

export interface Column {
    name: string;
    /** NaN: the state does not have it. */
    get(state: State): number;
    /** Puts a value into a state of blankState(). */
    set(state: State, value: number): void;
}

type NumberList = "at" | "drive" | "intake" | "duty" | "encoders" | "servos" | "azimuths";
type Flag = "enabled" | "led" | "button" | "touching" | "brownout";
type RobotColumn = [
    name: string,
    get: (robot: RobotState) => number,
    set: (robot: RobotState, value: number) => void,
];

const PLACE = ["x", "y", "heading"];
const LISTS: readonly (readonly [NumberList, string])[] = [
    ["drive", "drive"],
    ["intake", "intake"],
    ["duty", "duty"],
    ["encoders", "encoders"],
    ["servos", "servos"],
    ["azimuths", "azimuths"],
];
const FLAGS: readonly Flag[] = ["enabled", "led", "button", "touching", "brownout"];

function listColumns(list: NumberList, name: string, count: number): RobotColumn[] {
    return Array.from({ length: count }, (_, i) => [
        list === "at" ? PLACE[i]! : `${name}/${i}`,
        (robot) => robot[list][i] ?? NaN,
        (robot, value) => {
            robot[list][i] = value;
        },
    ]);
}

function robotColumns(robot: RobotState): RobotColumn[] {
    const columns = listColumns("at", "at", 3);
    for (const [list, name] of LISTS) {
        columns.push(...listColumns(list, name, robot[list].length));
    }
    if (robot.drive.length > 0) {
        columns.push([
            "tube",
            (r) => r.tube,
            (r, value) => {
                r.tube = value;
            },
        ]);
    }
    if (robot.range !== undefined) {
        columns.push([
            "range",
            (r) => r.range ?? NaN,
            (r, value) => {
                r.range = Number.isNaN(value) ? null : value;
            },
        ]);
    }
    robot.reflectance.forEach((_, i) =>
        columns.push([
            `reflectance/${i}`,
            (r) => r.reflectance[i] ?? NaN,
            (r, value) => {
                r.reflectance[i] = Number.isNaN(value) ? null : value;
            },
        ]),
    );
    if (robot.battery !== undefined) {
        columns.push([
            "battery",
            (r) => r.battery ?? NaN,
            (r, value) => {
                r.battery = value;
            },
        ]);
    }
    for (const flag of FLAGS.filter((name) => robot[name] !== undefined)) {
        columns.push([
            flag,
            (r) => Number(r[flag] ?? NaN),
            (r, value) => {
                r[flag] = value > 0;
            },
        ]);
    }
    for (const key of Object.keys(robot.readings)) {
        columns.push([
            key,
            (r) => r.readings[key] ?? NaN,
            (r, value) => {
                r.readings[key] = value;
            },
        ]);
    }
    return columns;
}

function matchColumns(): Column[] {
    const of = (name: "blue" | "red" | "timer"): Column => ({
        name: `match/${name}`,
        get: (state) => state.match?.[name] ?? NaN,
        set: (state, value) => {
            state.match![name] = value;
        },
    });
    return [
        of("blue"),
        of("red"),
        of("timer"),
        {
            name: "match/runs",
            get: (state) => Number(state.match?.runs ?? NaN),
            set: (state, value) => {
                state.match!.runs = value > 0;
            },
        },
    ];
}

/** The columns of such a state. Names: robot1/x, robot1/encoders/0, match/blue, and what a program calls its own. */
export function columnsOf(state: State): Column[] {
    const columns = state.match === null ? [] : matchColumns();
    state.robots.forEach((robot, index) => {
        for (const [name, get, set] of robotColumns(robot)) {
            columns.push({
                name: `robot${index + 1}/${name}`,
                get: (from) => (from.robots[index] === undefined ? NaN : get(from.robots[index])),
                set: (to, value) => set(to.robots[index]!, value),
            });
        }
    });
    for (const name of Object.keys(state.values)) {
        columns.push({
            name,
            get: (from) => from.values[name] ?? NaN,
            set: (to, value) => {
                to.values[name] = value;
            },
        });
    }
    return columns;
}

/** What two states have in common that have the same columns. */
export function shapeOf(state: State): string {
    const robots = state.robots.map((robot) =>
        [
            ...LISTS.map(([list]) => robot[list].length),
            robot.reflectance.length,
            robot.range === undefined,
            robot.battery === undefined,
            FLAGS.map((flag) => (robot[flag] === undefined ? 0 : 1)).join(""),
            Object.keys(robot.readings),
        ].join(),
    );
    return `${state.match === null} ${robots.join(" ")} ${Object.keys(state.values).join()}`;
}

function blankRobot(): RobotState {
    return {
        at: [0, 0, 0],
        drive: [],
        intake: [],
        tube: 0,
        lidar: [],
        scans: [],
        readings: {},
        duty: [],
        encoders: [],
        reflectance: [],
        servos: [],
        azimuths: [],
        touching: false,
        brownout: false,
    };
}

/** A state with the same match and as many robots, without values. */
export function blankState(like: State): State {
    return {
        t: 0,
        simulated: null,
        sim: null,
        replay: null,
        phantoms: [],
        run: null,
        pieces: [],
        values: {},
        match:
            like.match === null
                ? null
                : { blue: 0, red: 0, runs: false, timer: 0, collision: false },
        robots: like.robots.map(blankRobot),
    };
}
