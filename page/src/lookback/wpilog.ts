// What the page has received as a log file (WPILOG 1.0), which `halyard replay` and AdvantageScope open.
// The format: https://github.com/wpilibsuite/allwpilib, datalog/doc/datalog.adoc.
import type { State } from "../net/protocol.ts";
import type { History } from "./history.ts";

const VERSION = 0x0100;
const POSE_SCHEMA = [
    ["Translation2d", "double x;double y"],
    ["Rotation2d", "double value"],
    ["Pose2d", "Translation2d translation;Rotation2d rotation"],
    ["Translation3d", "double x;double y;double z"],
] as const;

/** Bytes that grow. */
class Bytes {
    private array = new Uint8Array(1 << 20);
    private view = new DataView(this.array.buffer);
    length = 0;

    private room(size: number): number {
        const at = this.length;
        this.length += size;
        if (this.length > this.array.length) {
            const longer = new Uint8Array(2 * this.length);
            longer.set(this.array);
            this.array = longer;
            this.view = new DataView(longer.buffer);
        }
        return at;
    }

    u8(value: number): void {
        const at = this.room(1);
        this.view.setUint8(at, value);
    }

    u16(value: number): void {
        const at = this.room(2);
        this.view.setUint16(at, value, true);
    }

    u32(value: number): void {
        const at = this.room(4);
        this.view.setUint32(at, value, true);
    }

    u64(value: number): void {
        const at = this.room(8);
        this.view.setBigUint64(at, BigInt(value), true);
    }

    double(value: number): void {
        const at = this.room(8);
        this.view.setFloat64(at, value, true);
    }

    text(value: string): void {
        const bytes = new TextEncoder().encode(value);
        const at = this.room(bytes.length);
        this.array.set(bytes, at);
    }

    all(): Uint8Array<ArrayBuffer> {
        return this.array.slice(0, this.length);
    }
}

class Log {
    readonly bytes = new Bytes();
    private readonly entries = new Map<string, number>();

    constructor() {
        this.bytes.text("WPILOG");
        this.bytes.u16(VERSION);
        this.bytes.u32(0);
    }

    /** The head of a record with the longest fields: 4 bytes each for entry and size, 8 for the time. */
    private head(entry: number, size: number, us: number): void {
        this.bytes.u8(0x7f);
        this.bytes.u32(entry);
        this.bytes.u32(size);
        this.bytes.u64(us);
    }

    private entry(name: string, type: string, us: number): number {
        let entry = this.entries.get(name);
        if (entry === undefined) {
            entry = this.entries.size + 1;
            this.entries.set(name, entry);
            const encoder = new TextEncoder();
            const [nameSize, typeSize] = [encoder.encode(name).length, encoder.encode(type).length];
            this.head(0, 17 + nameSize + typeSize, us);
            this.bytes.u8(0); // start
            this.bytes.u32(entry);
            this.bytes.u32(nameSize);
            this.bytes.text(name);
            this.bytes.u32(typeSize);
            this.bytes.text(type);
            this.bytes.u32(0); // metadata
        }
        return entry;
    }

    doubles(name: string, type: string, values: readonly number[], us: number): void {
        this.head(this.entry(name, type, us), 8 * values.length, us);
        values.forEach((value) => this.bytes.double(value));
    }

    flag(name: string, value: boolean, us: number): void {
        this.head(this.entry(name, "boolean", us), 1, us);
        this.bytes.u8(value ? 1 : 0);
    }

    text(name: string, type: string, value: string, us: number): void {
        this.head(this.entry(name, type, us), new TextEncoder().encode(value).length, us);
        this.bytes.text(value);
    }

    integer(name: string, value: number, us: number): void {
        this.head(this.entry(name, "int64", us), 8, us);
        this.bytes.u64(value);
    }
}

function putRobot(
    log: Log,
    name: string,
    robot: State["robots"][number],
    corner: readonly [number, number],
    us: number,
): void {
    log.doubles(
        `${name}/Truth/Pose`,
        "struct:Pose2d",
        [robot.at[0] - corner[0], robot.at[1] - corner[1], robot.at[2]],
        us,
    );
    const lists = [
        ["Drive", robot.drive],
        ["Motors", robot.duty],
        ["Wheels", robot.encoders],
        ["Servos", robot.servos],
    ] as const;
    for (const [key, values] of lists) {
        if (values.length > 0) {
            log.doubles(`${name}/${key}`, "double[]", values, us);
        }
    }
    for (const [key, value] of Object.entries({ Range: robot.range, Battery: robot.battery })) {
        if (typeof value === "number") {
            log.doubles(`${name}/${key}`, "double", [value], us);
        }
    }
    for (const [key, value] of Object.entries({
        Enabled: robot.enabled,
        Touching: robot.touching,
    })) {
        if (value !== undefined) {
            log.flag(`${name}/${key}`, value, us);
        }
    }
}

/** All states of a history. `corner`: the origin of the file's poses, in the page's frame. */
export function writeLog(
    history: History,
    title: string,
    corner: readonly [number, number],
): Uint8Array<ArrayBuffer> {
    const log = new Log();
    const startS = history.start;
    log.text("/Metadata/Title", "string", title, 0);
    for (const [name, schema] of POSE_SCHEMA) {
        log.text(`NT:/.schema/struct:${name}`, "structschema", schema, 0);
    }
    let lastPlaces: number[] = [];
    for (const state of history.states()) {
        const us = Math.round((state.t - startS) * 1e6);
        state.robots.forEach((robot, i) => {
            putRobot(
                log,
                state.robots.length === 1 ? "NT:/Robot" : `NT:/Robot${i + 1}`,
                robot,
                corner,
                us,
            );
        });
        for (const [name, value] of Object.entries(state.values)) {
            log.doubles(`NT:/${name}`, "double", [value], us);
        }
        if (state.match !== null) {
            log.integer("NT:/Match/Blue", state.match.blue, us);
            log.integer("NT:/Match/Red", state.match.red, us);
            log.doubles("NT:/Match/Time", "double", [state.match.timer], us);
            log.flag("NT:/Match/Running", state.match.runs, us);
        }
        const places = state.pieces.flatMap(([x = 0, y = 0, z = 0]) => [
            x - corner[0],
            y - corner[1],
            z,
        ]);
        if (places.some((value, i) => value !== lastPlaces[i])) {
            lastPlaces = places;
            log.doubles("NT:/Field/Pieces", "struct:Translation3d[]", places, us);
        }
    }
    return log.bytes.all();
}
