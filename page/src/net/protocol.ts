// What the server says (docs/spec/page.md), checked once so that everything behind it may trust it.

import type * as wire from "./wire";

export type Point = [number, number];

export interface Part {
    role: string;
    low: number;
    high: number;
    points: Point[];
}

export interface Wheel {
    x: number;
    y: number;
    radius: number;
    width: number;
}

/** A sensor that no pin of the robot's board carries. */
export interface Sensor {
    name: string;
    type: string; // "imu", "reflectance", "range", "lidar"
    at: [number, number, number];
    halfAngle: number;
    far: number;
}

/** One robot's differences from its type: factors, a battery, sensors. Lists are left, right. */
export interface Traits {
    name: string;
    strength: number[];
    speed: number[];
    friction: number[];
    breakaway: number;
    wheelSize: number[];
    track: number;
    mass: number;
    volts: number; // V, ohm, Ah; 0: as the type has it
    ohm: number;
    capacity: number;
    white: number[];
    black: number[];
    gyroScale: number;
    gyroBias: number; // rad/s
    gyroWarmUp: number;
    echoes: number;
    spikes: number; // 1/s
    azimuthPlay: number; // rad
}

export interface RobotModel {
    kind: string; // a word for a robot without a name; what it looks like follows from what it has
    name: string;
    alliance: string;
    player: number;
    parts: Part[];
    wheels: Wheel[];
    rangeCone: { x: number; y: number; halfAngle: number; far: number } | null;
    reflectance: Point[];
    encoders: number;
    servos: number;
    sensors: Sensor[];
    /** What sets it apart from its type; null: its type has no such differences. */
    traits: Traits | null;
    /** Where a glTF model of it is; empty: it is drawn as we draw it. */
    gltf: string;
}

/** Something in a recording to jump to. */
export interface ReplayEvent {
    t: number;
    kind: string; // "enable", "disable", "start", "end", "score_blue", "score_red", "contact", "watchdog"
    robot: number; // from 1; 0: none
}

export interface Replay {
    /** Seconds. */
    from: number;
    to: number;
    events: ReplayEvent[];
    /** Further events for which there was no room. */
    leftOut: number;
    /** Values that are not shown, for their times are far from the others'. */
    outliers: number;
}

/** An earlier run that is shown beside the living one. */
export interface Phantom {
    name: string;
    /** The index of the robot that it looks like. */
    look: number;
    length: number;
    driven: number;
    laps: number[];
}

export interface Scene {
    kind: "match" | "board";
    title: string;
    floor: [number, number, number, number];
    floorShade: number;
    mat: { url: string; x: number; y: number; width: number; height: number } | null;
    /** As a robot's: of floor, walls and goals. */
    gltf: string;
    walls: { height: number; points: Point[] }[];
    goals: { alliance: string; points: Point[] }[];
    pieceRadius: number;
    /** How long a match lasts; null: the program does not say. */
    matchSeconds: number | null;
    /** What goes wrong on purpose; empty: nothing. */
    faults: string;
    /** null: it is no recording. */
    replay: Replay | null;
    phantoms: Phantom[];
    robots: RobotModel[];
}

export interface RobotState {
    at: [number, number, number];
    drive: number[];
    intake: number[];
    tube: number;
    lidar: number[];
    /** Of each lidar in the model's `sensors`. */
    scans: number[][];
    /** "NAME.QUANTITY" of the model's `sensors`. */
    readings: Record<string, number>;
    enabled?: boolean;
    /** A program commands it. */
    driven?: boolean;
    /** Somebody stopped it, and its program has not begun anew since then. */
    stopped?: boolean;
    duty: number[];
    encoders: number[];
    /** null: it has not measured; so in `reflectance`. */
    range?: number | null;
    reflectance: (number | null)[];
    servos: number[];
    azimuths: number[];
    led?: boolean;
    button?: boolean;
    touching: boolean;
    battery?: number;
    /** Its outputs are off until the battery has recovered. */
    brownout: boolean;
}

export interface MatchState {
    blue: number;
    red: number;
    runs: boolean;
    timer: number;
    collision: boolean;
}

/** What the sim says of itself. */
export interface SimStatus {
    speed: number;
    stepUs: number;
    refused: number;
}

export interface PhantomState {
    at: [number, number, number];
    /** How far the first robot is behind it, in seconds and metres; null: it takes another way. */
    gap: number | null;
    gapM: number | null;
    /** Quarters of a lap that the first robot has passed, and its gap at the last of them. */
    splits: number;
    splitGap: number | null;
}

export interface State {
    t: number;
    /** Steps times their length; null: the program does not simulate. */
    simulated: number | null;
    match: MatchState | null;
    /** null: it does not tell. */
    sim: SimStatus | null;
    /** The moment of a recording that is shown, and how fast it goes on; null: it is no recording. */
    replay: { at: number; pace: number } | null;
    phantoms: PhantomState[];
    /** The first robot's race against phantoms; null: it has not started. */
    run: { t: number; laps: number[] } | null;
    robots: RobotState[];
    pieces: number[][];
    /** What a robot program publishes, by its name. */
    values: Record<string, number>;
}

export interface PlayerStatus {
    player: number;
    /** "bot": nobody drives it from a page, so a bot does. */
    owner: "you" | "other" | "nobody" | "bot";
    /** What the person who drives it is called; "": nobody said. */
    name: string;
    core: boolean | null;
    sim: boolean | null;
    rateHz: number | null;
    ageMs: number | null;
    loss: number | null;
    latencyMs: number | null;
    /** Whether the sim hears this player's core, and how; null: it does not tell. */
    heard: boolean | null;
    coreRateHz: number | null;
    coreAgeMs: number | null;
    coreLatencyMs: number | null;
}

/** Values of a channel of a recording. */
export interface PlotSeries {
    channel: number;
    /** Pairs of time and value. */
    samples: number[];
}

/** A token that lets a page drive one player. */
export interface Seat {
    player: number;
    token: string;
    used: boolean;
}

/** A number of the robot program that may be changed; a limit of null is none. */
export interface Tunable {
    name: string;
    value: number;
    low: number | null;
    high: number | null;
}

/** A choice that the robot program offers; `chosen` is an index of `options`. */
export interface Chooser {
    name: string;
    options: string[];
    chosen: number;
}

export interface Tuning {
    numbers: Tunable[];
    choosers: Chooser[];
}

/** What the program says to a page that it lets in. */
export interface Hello {
    type: "hello";
    version: number;
    mayCommand: boolean;
    /** The only player that this page may drive; 0: any. */
    seat: number;
    /** Pages without a token may watch. */
    watchers: boolean;
    /** Where other devices reach it: "host:port host:port"; "" unless this page has the whole token. */
    addresses: string;
    /** The whole token, for a page that has it; else "". */
    token: string;
    scene: Scene;
}

export type Message =
    | Hello
    | { type: "seats"; seats: Seat[] }
    | { type: "tunables"; tuning: Tuning }
    | { type: "reset"; player: number; name: string }
    | { type: "channels"; names: string[] }
    | { type: "plot"; from: number; to: number; series: PlotSeries[] }
    | { type: "state"; state: State }
    | { type: "players"; players: PlayerStatus[] }
    | { type: "pong"; text: string }
    | { type: "sorry"; text: string };

type Json = Record<string, unknown>;

/** What ought to be a V and may be anything: the functions below look before they use it. */
type Claim<V> = V | null | undefined;

/** What ought to be an object of wire.ts. */
type Unchecked<T> = { [Name in keyof T]?: Claim<T[Name]> };

function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function number(value: Claim<number>, otherwise: number): number {
    return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

function text(value: Claim<string>, otherwise = ""): string {
    return typeof value === "string" ? value : otherwise;
}

function list<T>(value: Claim<T[]>): Claim<T>[] {
    return Array.isArray(value) ? value : [];
}

function objects<T>(value: Claim<T[]>): Unchecked<T>[] {
    return list(value).filter(isObject) as Unchecked<T>[];
}

/** The array itself if it holds nothing but numbers: lidar arrays are long, so nothing is copied. */
function numbers(value: Claim<number[]>): number[] {
    return Array.isArray(value) && value.every((item) => typeof item === "number") ? value : [];
}

function orNull<T>(value: Claim<T>, type: "number" | "boolean"): T | null {
    return typeof value === type ? (value as T) : null;
}

function points(value: Claim<number[]>): Point[] {
    const flat = numbers(value);
    const result: Point[] = [];
    for (let i = 0; i + 1 < flat.length; i += 2) {
        result.push([flat[i]!, flat[i + 1]!]);
    }
    return result;
}

function decodePart(part: Unchecked<wire.Part>): Part {
    return {
        role: text(part.role, "body"),
        low: number(part.low, 0),
        high: number(part.high, 0.1),
        points: points(part.points),
    };
}

function decodeWheel(wheel: Unchecked<wire.Wheel>): Wheel {
    return {
        x: number(wheel.x, 0),
        y: number(wheel.y, 0),
        radius: Math.max(number(wheel.radius, 0.05), 1e-3),
        width: Math.max(number(wheel.width, 0.02), 1e-3),
    };
}

function decodeCone(value: Claim<number[]>): RobotModel["rangeCone"] {
    const cone = numbers(value);
    return cone.length < 4
        ? null
        : { x: cone[0]!, y: cone[1]!, halfAngle: cone[2]!, far: cone[3]! };
}

function place(value: Claim<number[]>): [number, number, number] {
    const at = numbers(value);
    return [number(at[0], 0), number(at[1], 0), number(at[2], 0)];
}

function decodeSensor(sensor: Unchecked<wire.Sensor>): Sensor {
    return {
        name: text(sensor.name),
        type: text(sensor.type),
        at: place(sensor.at),
        halfAngle: number(sensor.half_angle, 0),
        far: number(sensor.far, 0),
    };
}

/** Only what the server itself names and serves. */
function modelAddress(value: Claim<string>): string {
    const address = text(value);
    return /^\/[a-z0-9-]+\.glb$/.test(address) ? address : "";
}

function pairOf(value: Claim<number[]>, otherwise: number): number[] {
    const both = numbers(value);
    return [number(both[0], otherwise), number(both[1], otherwise)];
}

function decodeTraits(traits: Unchecked<wire.Traits>): Traits {
    return {
        name: text(traits.name),
        strength: pairOf(traits.strength, 1),
        speed: pairOf(traits.speed, 1),
        friction: pairOf(traits.friction, 1),
        breakaway: number(traits.breakaway, 0),
        wheelSize: pairOf(traits.wheel_size, 1),
        track: number(traits.track, 1),
        mass: number(traits.mass, 1),
        volts: number(traits.volts, 0),
        ohm: number(traits.ohm, 0),
        capacity: number(traits.capacity, 0),
        white: pairOf(traits.white, 0),
        black: pairOf(traits.black, 1),
        gyroScale: number(traits.gyro_scale, 1),
        gyroBias: number(traits.gyro_bias, 0),
        gyroWarmUp: number(traits.gyro_warm_up, 0),
        echoes: number(traits.echoes, 0),
        spikes: number(traits.spikes, 0),
        azimuthPlay: number(traits.azimuth_play, 0),
    };
}

function decodeRobotModel(robot: Unchecked<wire.Robot>): RobotModel {
    return {
        kind: text(robot.kind),
        name: text(robot.name),
        alliance: text(robot.alliance),
        player: number(robot.player, 0),
        parts: objects(robot.parts)
            .map(decodePart)
            .filter((part) => part.points.length >= 3),
        wheels: objects(robot.wheels).map(decodeWheel),
        rangeCone: decodeCone(robot.range_cone),
        reflectance: list(robot.reflectance).flatMap(points),
        encoders: number(robot.encoders, 0),
        servos: number(robot.servos, 0),
        sensors: objects(robot.sensors).map(decodeSensor),
        traits: isObject(robot.traits)
            ? decodeTraits(robot.traits as Unchecked<wire.Traits>)
            : null,
        gltf: modelAddress(robot.gltf),
    };
}

function decodeMat(value: Claim<Unchecked<wire.Mat>>): Scene["mat"] {
    if (!isObject(value)) {
        return null;
    }
    return {
        url: text(value.url, "/mat.png"),
        x: number(value.x, 0),
        y: number(value.y, 0),
        width: number(value.width, 1),
        height: number(value.height, 1),
    };
}

function decodeReplay(value: Claim<Unchecked<wire.Replay>>): Replay | null {
    if (!isObject(value)) {
        return null;
    }
    const events = objects(value.events).map((event) => ({
        t: number(event.t, 0),
        kind: text(event.kind),
        robot: number(event.robot, 0),
    }));
    const from = number(value.from, 0);
    return {
        from,
        to: Math.max(from, number(value.to, 0)),
        events,
        leftOut: Math.max(0, number(value.left_out, 0)),
        outliers: Math.max(0, number(value.outliers, 0)),
    };
}

function decodePhantom(phantom: Unchecked<wire.Phantom>): Phantom {
    return {
        name: text(phantom.name),
        look: Math.max(0, number(phantom.look, 1) - 1),
        length: number(phantom.length, 0),
        driven: number(phantom.driven, 0),
        laps: numbers(phantom.laps),
    };
}

function decodeScene(value: Claim<Unchecked<wire.Scene>>): Scene | null {
    if (!isObject(value)) {
        return null;
    }
    const floor = numbers(value.floor);
    if (floor.length !== 4) {
        return null;
    }
    return {
        kind: value.kind === "board" ? "board" : "match",
        title: text(value.title),
        floor: floor as [number, number, number, number],
        floorShade: number(value.floor_shade, 0),
        mat: decodeMat(value.mat),
        gltf: modelAddress(value.gltf),
        walls: objects(value.walls)
            .map((wall) => ({ height: number(wall.height, 0.1), points: points(wall.points) }))
            .filter((wall) => wall.points.length >= 2),
        goals: objects(value.goals)
            .map((goal) => ({ alliance: text(goal.alliance), points: points(goal.points) }))
            .filter((goal) => goal.points.length >= 3),
        pieceRadius: number(value.piece_radius, 0.0889),
        faults: text(value.faults),
        replay: decodeReplay(value.replay),
        phantoms: objects(value.phantoms).map(decodePhantom),
        matchSeconds: orNull<number>(value.match_seconds, "number"),
        robots: objects(value.robots).map(decodeRobotModel),
    };
}

function decodeReadings(value: Claim<Record<string, number>>): Record<string, number> {
    const entries = isObject(value) ? Object.entries(value) : [];
    return Object.fromEntries(
        entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"),
    );
}

function decodeRobotState(robot: Unchecked<wire.RobotState>): RobotState {
    const result: RobotState = {
        at: place(robot.at),
        drive: numbers(robot.drive),
        intake: numbers(robot.intake),
        tube: number(robot.tube, 0),
        lidar: numbers(robot.lidar),
        scans: list(robot.scans).map(numbers),
        readings: decodeReadings(robot.readings),
        duty: numbers(robot.duty),
        encoders: numbers(robot.encoders),
        reflectance: list(robot.reflectance).map((value) => orNull<number>(value, "number")),
        servos: numbers(robot.servos),
        azimuths: numbers(robot.azimuths),
        touching: robot.touching === true,
        brownout: robot.brownout === true,
    };
    if (typeof robot.enabled === "boolean") result.enabled = robot.enabled;
    if (robot.driven === true) result.driven = true;
    if (robot.stopped === true) result.stopped = true;
    if (typeof robot.range === "number" || robot.range === null) result.range = robot.range;
    if (typeof robot.led === "boolean") result.led = robot.led;
    if (typeof robot.button === "boolean") result.button = robot.button;
    if (typeof robot.battery === "number") result.battery = robot.battery;
    return result;
}

function decodeMatch(value: Claim<Unchecked<wire.MatchState>>): MatchState | null {
    if (!isObject(value)) {
        return null;
    }
    return {
        blue: number(value.blue, 0),
        red: number(value.red, 0),
        runs: value.runs === true,
        timer: number(value.timer, 0),
        collision: value.collision === true,
    };
}

function decodeSim(value: Claim<Unchecked<wire.SimState>>): SimStatus | null {
    if (!isObject(value)) {
        return null;
    }
    return {
        speed: number(value.speed, 0),
        stepUs: number(value.step_us, 0),
        refused: number(value.refused, 0),
    };
}

function decodePhantomState(phantom: Unchecked<wire.PhantomState>): PhantomState {
    return {
        at: place(phantom.at),
        gap: orNull<number>(phantom.gap, "number"),
        gapM: orNull<number>(phantom.gap_m, "number"),
        splits: number(phantom.splits, 0),
        splitGap: orNull<number>(phantom.split_gap, "number"),
    };
}

function decodeState(message: Unchecked<wire.State>): State {
    return {
        t: number(message.t, 0),
        simulated: orNull<number>(message.simulated, "number"),
        match: decodeMatch(message.match),
        sim: decodeSim(message.sim),
        replay: isObject(message.replay)
            ? { at: number(message.replay.at, 0), pace: number(message.replay.pace, 0) }
            : null,
        phantoms: objects(message.phantoms).map(decodePhantomState),
        run: isObject(message.run)
            ? { t: number(message.run.t, 0), laps: numbers(message.run.laps) }
            : null,
        robots: objects(message.robots).map(decodeRobotState),
        pieces: list(message.pieces)
            .map(numbers)
            .filter((piece) => piece.length >= 3),
        values: decodeReadings(message.values),
    };
}

function decodePlayer(player: Unchecked<wire.Player>): PlayerStatus {
    const owner = text(player.owner);
    return {
        player: number(player.player, 0),
        owner: owner === "you" || owner === "other" || owner === "bot" ? owner : "nobody",
        name: text(player.name),
        core: orNull<boolean>(player.core, "boolean"),
        sim: orNull<boolean>(player.sim, "boolean"),
        rateHz: orNull<number>(player.rate_hz, "number"),
        ageMs: orNull<number>(player.age_ms, "number"),
        loss: orNull<number>(player.loss, "number"),
        latencyMs: orNull<number>(player.latency_ms, "number"),
        heard: orNull<boolean>(player.heard, "boolean"),
        coreRateHz: orNull<number>(player.core_rate_hz, "number"),
        coreAgeMs: orNull<number>(player.core_age_ms, "number"),
        coreLatencyMs: orNull<number>(player.core_latency_ms, "number"),
    };
}

function decodeSeat(seat: Unchecked<wire.Seat>): Seat {
    return { player: number(seat.player, 0), token: text(seat.token), used: seat.used === true };
}

function decodeTunable(tunable: Unchecked<wire.Tunable>): Tunable {
    return {
        name: text(tunable.name),
        value: number(tunable.value, 0),
        low: orNull<number>(tunable.low, "number"),
        high: orNull<number>(tunable.high, "number"),
    };
}

function decodeChooser(chooser: Unchecked<wire.Chooser>): Chooser {
    return {
        name: text(chooser.name),
        options: list(chooser.options).map((option) => text(option)),
        chosen: number(chooser.chosen, 0),
    };
}

function decodeTuning(message: Unchecked<wire.Tunables>): Message {
    return {
        type: "tunables",
        tuning: {
            numbers: objects(message.numbers).map(decodeTunable),
            choosers: objects(message.choosers).map(decodeChooser),
        },
    };
}

function decodeHello(message: Unchecked<wire.Hello>): Message | null {
    const scene = decodeScene(message.scene);
    if (scene === null) {
        return null;
    }
    return {
        type: "hello",
        version: number(message.version, 0),
        mayCommand: message.may_command === true,
        seat: number(message.seat, 0),
        watchers: message.watchers === true,
        addresses: text(message.addresses),
        token: text(message.token),
        scene,
    };
}

function decodePlot(message: Unchecked<wire.Plot>): Message {
    return {
        type: "plot",
        from: number(message.from, 0),
        to: number(message.to, 0),
        series: objects(message.series).map((one: Unchecked<wire.Series>) => ({
            channel: number(one.channel, -1),
            samples: numbers(one.samples),
        })),
    };
}

/** One frame of text; null for what is not a message of this protocol. */
export function decode(frame: string): Message | null {
    let message: unknown;
    try {
        message = JSON.parse(frame);
    } catch {
        return null;
    }
    if (!isObject(message)) {
        return null;
    }
    switch (message.type) {
        case "hello":
            return decodeHello(message as Unchecked<wire.Hello>);
        case "state":
            return { type: "state", state: decodeState(message as Unchecked<wire.State>) };
        case "players":
            return {
                type: "players",
                players: objects((message as Unchecked<wire.Players>).players).map(decodePlayer),
            };
        case "channels":
            return {
                type: "channels",
                names: list((message as Unchecked<wire.Channels>).names).map((name) => text(name)),
            };
        case "plot":
            return decodePlot(message as Unchecked<wire.Plot>);
        case "seats":
            return {
                type: "seats",
                seats: objects((message as Unchecked<wire.Seats>).seats).map(decodeSeat),
            };
        case "tunables":
            return decodeTuning(message as Unchecked<wire.Tunables>);
        case "reset": {
            const reset = message as Unchecked<wire.Reset>;
            return { type: "reset", player: number(reset.player, 0), name: text(reset.name) };
        }
        case "pong":
        case "sorry":
            return { type: message.type, text: text((message as Unchecked<wire.Word>).text) };
        default:
            return null;
    }
}
