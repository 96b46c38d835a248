// Where things are shown. States come a few milliseconds apart and late by different amounts; drawn as they come, a steady robot
// would seem to stutter. So others are shown DELAY_S ago, between two states that both are known, and one's own robot, which
// should answer at once, is shown now, by going on as it moved. Knows no browser.

/** How far behind the simulation what others do is shown. */
export const DELAY_S = 0.028;

// Arrivals of so long a time tell how late a state comes at best.
const WINDOW_S = 2;

// The clock is never turned faster than by this share: speeds are shown to a hundredth.
const SLEW = 0.005;

// What is farther off than this is another clock: the simulator began anew.
const OTHER_CLOCK_S = 0.15;

// Nobody knows what a robot did after its last state; longer than this it is not guessed.
const GUESS_S = 0.045;

// Velocity is taken from states this far apart: two neighbours would show the steps of what they are rounded to.
const VELOCITY_S = 0.03;

// A wrong guess is taken back with this time constant.
const FORGET_S = 0.06;

const KEPT = 12;

/** The simulation's time at this moment, from the times that states carry and those at which they arrive. */
export class SimClock {
    private readonly heard: { ahead: number; atS: number }[] = [];
    private ahead: number | null = null;
    private readAtS = 0;

    /** A state of the time `t` arrived. */
    hear(t: number, nowS: number): void {
        const sample = { ahead: t - nowS, atS: nowS };
        if (this.ahead !== null && Math.abs(sample.ahead - this.ahead) > OTHER_CLOCK_S) {
            this.heard.length = 0;
            this.ahead = null;
        }
        // Of all arrivals the earliest are the truth: keep those that no later one was earlier than.
        while (this.heard.length > 0 && this.heard.at(-1)!.ahead <= sample.ahead) {
            this.heard.pop();
        }
        this.heard.push(sample);
        while (nowS - this.heard[0]!.atS > WINDOW_S) {
            this.heard.shift();
        }
        if (this.ahead === null) {
            this.ahead = sample.ahead;
            this.readAtS = nowS;
        }
    }

    /** Never goes back, and never by jumps but when the simulator began anew. */
    read(nowS: number): number {
        if (this.ahead === null) {
            return 0;
        }
        const most = SLEW * Math.max(0, nowS - this.readAtS);
        const error = this.heard[0]!.ahead - this.ahead;
        this.ahead += Math.max(-most, Math.min(most, error));
        this.readAtS = nowS;
        return nowS + this.ahead;
    }
}

export type Spot = readonly [x: number, y: number, turn: number];

interface Sample {
    t: number;
    spot: Spot;
}

/** Where one thing was, by time. The third number is a heading or a height. */
export class Track {
    private readonly samples: Sample[] = [];
    private error: [number, number, number] = [0, 0, 0];

    /** `jump`: what is farther than this from its last place was put there, not driven. */
    constructor(private readonly jump: number) {}

    push(t: number, spot: Spot): void {
        const last = this.samples.at(-1);
        if (last !== undefined && (t <= last.t || this.isJump(last.spot, spot))) {
            this.samples.length = 0;
            this.error = [0, 0, 0];
        }
        const guessed = this.samples.length > 0 ? this.ahead(t) : spot;
        this.samples.push({ t, spot });
        for (let i = 0; i < 3; i++) {
            this.error[i]! += guessed[i]! - spot[i]!;
        }
        if (this.samples.length > KEPT) {
            this.samples.shift();
        }
    }

    private isJump(a: Spot, b: Spot): boolean {
        return Math.hypot(b[0] - a[0], b[1] - a[1]) > this.jump || Math.abs(b[2] - a[2]) > 3;
    }

    get isEmpty(): boolean {
        return this.samples.length === 0;
    }

    /** At a time that lies between two states; before the first and behind the last the nearest one. */
    at(t: number): Spot {
        const { samples } = this;
        for (let i = samples.length - 1; i > 0; i--) {
            const from = samples[i - 1]!;
            if (t >= from.t) {
                const to = samples[i]!;
                const share = Math.min(1, (t - from.t) / (to.t - from.t));
                return [0, 1, 2].map(
                    (k) => from.spot[k]! + (to.spot[k]! - from.spot[k]!) * share,
                ) as unknown as Spot;
            }
        }
        return samples[0]!.spot;
    }

    /** At a time behind the last state: on with the velocity that it had. */
    private ahead(t: number): Spot {
        const last = this.samples.at(-1)!;
        const from =
            this.samples.findLast((sample) => last.t - sample.t >= VELOCITY_S) ?? this.samples[0]!;
        const span = last.t - from.t;
        const guess = Math.max(0, Math.min(t - last.t, GUESS_S));
        return [0, 1, 2].map(
            (k) =>
                last.spot[k]! + (span > 0 ? ((last.spot[k]! - from.spot[k]!) / span) * guess : 0),
        ) as unknown as Spot;
    }

    /** Now, by going on from the last state; what was guessed wrong before goes away in the course of `dt`s. */
    now(t: number, dt: number): Spot {
        const keep = Math.exp(-dt / FORGET_S);
        const spot = this.ahead(t);
        for (let i = 0; i < 3; i++) {
            this.error[i]! *= keep;
        }
        return [spot[0] + this.error[0], spot[1] + this.error[1], spot[2] + this.error[2]];
    }
}

/** All tracks of a scene on one clock. */
export class Motion {
    readonly clock = new SimClock();
    readonly robots: Track[];
    private pieces: Track[] = [];
    private nowT = 0;

    constructor(robotJumps: readonly number[]) {
        this.robots = robotJumps.map((jump) => new Track(jump));
    }

    hear(
        t: number,
        robots: readonly (readonly [number, number, number])[],
        pieces: readonly (readonly number[])[],
        nowS: number,
    ): void {
        this.clock.hear(t, nowS);
        robots.forEach((at, i) => this.robots[i]?.push(t, at));
        while (this.pieces.length < pieces.length) {
            this.pieces.push(new Track(PIECE_JUMP_M));
        }
        pieces.forEach(([x = 0, y = 0, z = 0], i) => this.pieces[i]!.push(t, [x, y, z]));
    }

    /** Call once a frame, before asking where things are. */
    read(nowS: number): void {
        this.nowT = this.clock.read(nowS);
    }

    /** null before the first state. */
    robot(index: number, isOwn: boolean, dt: number): Spot | null {
        const track = this.robots[index];
        if (track === undefined || track.isEmpty) {
            return null;
        }
        return isOwn ? track.now(this.nowT, dt) : track.at(this.nowT - DELAY_S);
    }

    piece(index: number): Spot {
        return this.pieces[index]!.at(this.nowT - DELAY_S);
    }

    /** A piece that a robot carries: it is where that robot is shown, so with one's own it is not behind. */
    pieceNow(index: number, dt: number): Spot {
        return this.pieces[index]!.now(this.nowT, dt);
    }
}

// A piece that is farther from where it was was put there, not rolled.
const PIECE_JUMP_M = 0.8;
