// The states that the page has received, kept in the browser in little memory: to be plotted, watched again and saved.
import type { ReplayEvent, State } from "../net/protocol.ts";
import { blankState, columnsOf, shapeOf, type Column } from "./columns.ts";

/** Most memory for kept states; the oldest are forgotten. */
export const HISTORY_BYTES_MAX = 40e6;

// States are kept this far apart: as often as recordings have poses.
const STEP_S = 0.0195;
// A clock that goes back, or stands still for so long, is another run.
const GAP_S = 10;
const ROWS = 256; // of a chunk
const PIECE_SIZE = 5; // its number, x, y, z, ingestion
const EVENTS_MAX = 500;
// A robot that touches again within this time still touches.
const CONTACT_GAP_S = 0.5;

/** A list of numbers that grows. */
class Floats {
    array = new Float32Array(64);
    length = 0;

    push(value: number): void {
        if (this.length === this.array.length) {
            const longer = new Float32Array(2 * this.length);
            longer.set(this.array);
            this.array = longer;
        }
        this.array[this.length++] = value;
    }
}

/** Some hundred states of the same shape. Pieces are kept where they differ from the state before. */
class Chunk {
    readonly shape: string;
    readonly columns: Column[];
    readonly times = new Float64Array(ROWS);
    readonly values: Float32Array;
    private readonly blank: State;
    private readonly pieces = new Floats();
    private readonly pieceEnds = new Uint32Array(ROWS);
    private readonly last: Float64Array;
    private readonly pieceCount: number;
    count = 0;

    /** `number`: that of its first row among all rows. */
    constructor(
        first: State,
        readonly number: number,
    ) {
        this.shape = shapeOf(first);
        this.columns = columnsOf(first);
        this.values = new Float32Array(ROWS * this.columns.length);
        this.blank = blankState(first);
        this.pieceCount = first.pieces.length;
        this.last = new Float64Array(4 * this.pieceCount).fill(NaN);
    }

    fits(state: State): boolean {
        return (
            this.count < ROWS &&
            state.pieces.length === this.pieceCount &&
            shapeOf(state) === this.shape
        );
    }

    push(state: State): void {
        const row = this.count++;
        this.times[row] = state.t;
        this.columns.forEach((column, i) => {
            this.values[row * this.columns.length + i] = column.get(state);
        });
        state.pieces.forEach((piece, i) => {
            if (piece.some((value, k) => value !== this.last[4 * i + k])) {
                this.pieces.push(i);
                for (let k = 0; k < 4; k++) {
                    this.last[4 * i + k] = piece[k] ?? 0;
                    this.pieces.push(piece[k] ?? 0);
                }
            }
        });
        this.pieceEnds[row] = this.pieces.length;
    }

    /** The state of a row. */
    state(row: number): State {
        const state = blankState(this.blank);
        state.t = this.times[row]!;
        this.columns.forEach((column, i) =>
            column.set(state, this.values[row * this.columns.length + i]!),
        );
        const { array } = this.pieces;
        for (let i = 0; i < this.pieceEnds[row]!; i += PIECE_SIZE) {
            state.pieces[array[i]!] = [array[i + 1]!, array[i + 2]!, array[i + 3]!, array[i + 4]!];
        }
        return state;
    }

    /** Bytes of memory; the columns' functions are the same few for all rows. */
    get bytes(): number {
        return [this.times, this.values, this.last, this.pieces.array, this.pieceEnds].reduce(
            (sum, array) => sum + array.byteLength,
            0,
        );
    }
}

export class History {
    private chunks: Chunk[] = [];
    private last: State | null = null;
    private touchedS: number[] = [];
    /** What happened, in the order of time; `t` is the simulation's. */
    events: ReplayEvent[] = [];
    /** How many were forgotten though their states are kept. */
    leftOut = 0;
    /** The simulation's time of the first state of this run, which may be forgotten by now. */
    origin = 0;
    /** When the last match began to run; null: none has. */
    matchStart: number | null = null;

    constructor(private readonly bytesMax = HISTORY_BYTES_MAX) {}

    clear(): void {
        this.chunks = [];
        this.last = null;
        this.touchedS = [];
        this.events = [];
        this.leftOut = 0;
        this.matchStart = null;
    }

    /** Keeps a state. States that come closer together than recordings have them are left out. */
    push(state: State): void {
        const { last } = this;
        if (last !== null && (state.t < last.t || state.t > last.t + GAP_S)) {
            this.clear();
        } else if (last !== null && state.t < last.t + STEP_S) {
            return;
        }
        if (this.last === null) {
            this.origin = state.t;
        } else {
            this.findEvents(this.last, state);
        }
        this.last = state;
        let chunk = this.chunks.at(-1);
        if (chunk === undefined || !chunk.fits(state)) {
            chunk = new Chunk(state, chunk === undefined ? 0 : chunk.number + chunk.count);
            this.chunks.push(chunk);
            this.forget();
        }
        chunk.push(state);
    }

    private forget(): void {
        while (this.chunks.length > 1 && this.bytes > this.bytesMax) {
            this.chunks.shift();
        }
        this.events = this.events.filter((event) => event.t >= this.start);
        while (this.events.length > EVENTS_MAX) {
            this.forgetEvent();
        }
    }

    /** The oldest contact, of which there are the most; without any the oldest event. */
    private forgetEvent(): void {
        const contact = this.events.findIndex(({ kind }) => kind === "contact");
        this.events.splice(Math.max(0, contact), 1);
        this.leftOut++;
    }

    private findEvents(before: State, now: State): void {
        const add = (kind: string, robot: number): void => {
            this.events.push({ t: now.t, kind, robot });
        };
        if (before.match !== null && now.match !== null) {
            if (now.match.runs !== before.match.runs) {
                add(now.match.runs ? "start" : "end", 0);
                this.matchStart = now.match.runs ? now.t : this.matchStart;
            }
            for (const alliance of ["blue", "red"] as const) {
                if (now.match[alliance] > before.match[alliance]) {
                    add(`score_${alliance}`, 0);
                }
            }
        }
        now.robots.forEach((robot, i) => {
            const was = before.robots[i];
            if (
                was !== undefined &&
                robot.enabled !== undefined &&
                was.enabled !== undefined &&
                robot.enabled !== was.enabled
            ) {
                add(robot.enabled ? "enable" : "disable", i + 1);
            }
            if (robot.touching) {
                if (now.t - (this.touchedS[i] ?? -Infinity) > CONTACT_GAP_S) {
                    add("contact", i + 1);
                }
                this.touchedS[i] = now.t;
            }
        });
    }

    get isEmpty(): boolean {
        return this.chunks.length === 0;
    }

    /** The simulation's time of the first state that is kept. */
    get start(): number {
        return this.chunks[0]?.times[0] ?? 0;
    }

    get end(): number {
        return this.last?.t ?? 0;
    }

    get bytes(): number {
        return this.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
    }

    get count(): number {
        return this.chunks.reduce((sum, chunk) => sum + chunk.count, 0);
    }

    /** Names of all columns that were seen. */
    names(): string[] {
        const shapes = new Map(this.chunks.map((chunk) => [chunk.shape, chunk]));
        return [
            ...new Set(
                [...shapes.values()].flatMap((chunk) => chunk.columns.map((column) => column.name)),
            ),
        ];
    }

    /** The newest state that is not later than `t`; before the first one, that. null: there is none. */
    at(t: number): State | null {
        const chunk = this.chunks.findLast((one) => one.times[0]! <= t) ?? this.chunks[0];
        if (chunk === undefined) {
            return null;
        }
        let row = chunk.count - 1;
        while (row > 0 && chunk.times[row]! > t) {
            row--;
        }
        return chunk.state(row);
    }

    /** The values of some columns from one time to another, at most about `most` of each: every second, third ... if there are more. */
    series(
        names: readonly string[],
        from: number,
        to: number,
        most = Infinity,
    ): { times: number[]; values: number[][] } {
        const chunks = this.chunks.filter(
            (chunk) => chunk.times[chunk.count - 1]! >= from && chunk.times[0]! <= to,
        );
        const all = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
        const every = Math.max(1, Math.ceil(all / most));
        const times: number[] = [];
        const values = names.map((): number[] => []);
        for (const chunk of chunks) {
            const indices = names.map((name) =>
                chunk.columns.findIndex((column) => column.name === name),
            );
            for (let row = 0; row < chunk.count; row++) {
                const t = chunk.times[row]!;
                // The same rows are chosen again when others have come, so that a plot does not flicker.
                if (t < from || t > to || (chunk.number + row) % every !== 0) {
                    continue;
                }
                times.push(t);
                indices.forEach((index, k) =>
                    values[k]!.push(
                        index < 0 ? NaN : chunk.values[row * chunk.columns.length + index]!,
                    ),
                );
            }
        }
        return { times, values };
    }

    /** All states, one after the other. */
    *states(): Generator<State> {
        for (const chunk of this.chunks) {
            for (let row = 0; row < chunk.count; row++) {
                yield chunk.state(row);
            }
        }
    }
}
