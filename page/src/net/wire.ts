// The types of what server and page say, as it is on the wire (docs/spec/page.md).
// Made from src/scene/page_fields.h and src/view/page_messages.h by tests/unit/test_page_words.sh --write: do not edit.

export interface Hello {
    type: string;
    version: number;
    may_command: boolean;
    seat: number;
    watchers: boolean;
    addresses?: string;
    token?: string;
    scene: Scene;
}

export interface Scene {
    kind: string;
    title: string;
    floor: number[]; // m
    floor_shade: number; // 0 .. 1
    mat: Mat | null;
    gltf?: string;
    walls: Wall[];
    goals: Goal[];
    piece_radius: number; // m
    faults?: string;
    match_seconds?: number; // s
    replay?: Replay;
    phantoms?: Phantom[];
    robots: Robot[];
}

export interface Mat {
    url: string;
    x: number; // m
    y: number; // m
    width: number; // m
    height: number; // m
}

export interface Wall {
    height: number; // m
    points: number[]; // m
}

export interface Goal {
    alliance: string;
    points: number[]; // m
}

export interface Replay {
    from: number; // s
    to: number; // s
    events: ReplayEvent[];
    left_out: number;
    outliers: number;
}

export interface ReplayEvent {
    t: number; // s
    kind: string;
    robot: number;
}

export interface Phantom {
    name: string;
    look: number;
    length: number; // s
    driven: number; // m
    laps: number[]; // s
}

export interface Robot {
    kind: string;
    name: string;
    alliance: string | null;
    player: number;
    parts: Part[];
    wheels: Wheel[];
    range_cone: number[] | null; // m, m, rad, m
    reflectance: number[][]; // m
    encoders: number;
    servos: number;
    sensors?: Sensor[];
    traits?: Traits;
    gltf?: string;
}

export interface Traits {
    name: string;
    strength: number[]; // x
    speed: number[]; // x
    friction: number[]; // x
    breakaway: number; // x
    wheel_size: number[]; // x
    track: number; // x
    mass: number; // x
    volts: number; // V
    ohm: number; // ohm
    capacity: number; // Ah
    white: number[]; // 0 .. 1
    black: number[]; // 0 .. 1
    gyro_scale: number; // x
    gyro_bias: number; // rad/s
    gyro_warm_up: number; // rad/s
    echoes: number; // x
    spikes: number; // 1/s
    azimuth_play: number; // rad
}

export interface Part {
    role: string;
    low: number; // m
    high: number; // m
    points: number[]; // m
}

export interface Wheel {
    x: number; // m
    y: number; // m
    radius: number; // m
    width: number; // m
}

export interface Sensor {
    name: string;
    type: string;
    at: number[]; // m, m, rad
    half_angle: number; // rad
    far: number; // m
}

export interface State {
    type: string;
    t: number; // s
    simulated?: number; // s
    match?: MatchState;
    sim?: SimState;
    replay?: ReplayState;
    phantoms?: PhantomState[];
    run?: Run;
    robots: RobotState[];
    pieces: number[][]; // m
    values?: Record<string, number>;
}

export interface MatchState {
    blue: number;
    red: number;
    runs: boolean;
    timer: number; // s
    collision: boolean;
}

export interface SimState {
    speed: number;
    step_us: number; // us
    refused: number;
}

export interface ReplayState {
    at: number; // s
    pace: number;
}

export interface PhantomState {
    at: number[]; // m, m, rad
    gap?: number; // s
    gap_m?: number; // m
    splits: number;
    split_gap?: number; // s
}

export interface Run {
    t: number; // s
    laps: number[]; // s
}

export interface RobotState {
    at: number[]; // m, m, rad
    drive?: number[]; // rad/s
    intake?: number[]; // rad/s
    tube?: number; // rad/s
    lidar?: number[]; // rad, m
    scans?: number[][]; // rad, m
    readings?: Record<string, number>; // SI
    enabled?: boolean;
    driven?: boolean;
    stopped?: boolean;
    duty?: number[]; // -1 .. 1
    encoders?: number[]; // counts
    range?: number | null; // m
    reflectance?: (number | null)[]; // 0 .. 1
    servos?: number[]; // rad
    azimuths?: number[]; // rad
    led?: boolean;
    button?: boolean;
    touching?: boolean;
    battery?: number; // V
    brownout?: boolean;
}

export interface Players {
    type: string;
    players: Player[];
}

export interface Player {
    player: number;
    owner: string;
    name?: string;
    core: boolean | null;
    sim: boolean;
    rate_hz: number | null; // Hz
    age_ms: number | null; // ms
    loss: number | null; // 0 .. 1
    latency_ms: number | null; // ms
    heard: boolean | null;
    core_rate_hz: number | null; // Hz
    core_age_ms: number | null; // ms
    core_latency_ms: number | null; // ms
}

export interface Channels {
    type: string;
    names: string[];
}

export interface Plot {
    type: string;
    from: number; // s
    to: number; // s
    series: Series[];
}

export interface Series {
    channel: number;
    samples: number[]; // s, any, ...
}

export interface Seats {
    type: string;
    seats: Seat[];
}

export interface Seat {
    player: number;
    token: string;
    used: boolean;
}

export interface Tunables {
    type: string;
    numbers: Tunable[];
    choosers: Chooser[];
}

export interface Tunable {
    name: string;
    value: number; // any
    low?: number; // any
    high?: number; // any
}

export interface Chooser {
    name: string;
    options: string[];
    chosen: number;
}

export interface Reset {
    type: string;
    player: number;
    name?: string;
}

export interface Word {
    type: string;
    text: string;
}

/** What a page sends: one text a message. */
export type PageMessage =
    | `token ${string}`
    | `own ${number}`
    | `release ${number}`
    | `sticks ${number} ${string}`
    | `button ${number} down`
    | `button ${number} up`
    | `reset`
    | `stop`
    | `push ${number}`
    | `name ${string}`
    | `invite ${number}`
    | `revoke ${number}`
    | `tune ${number} ${number}`
    | `tune ${number}`
    | `choose ${number} ${number}`
    | `choose ${number}`
    | `replay seek ${number}`
    | `replay pace ${number}`
    | `replay plot ${number} ${number} ${string}`
    | `ping ${string}`;
