// What a match sounds like. Everything is synthesised, so that there are no files, and nothing sounds before somebody pressed a
// key: browsers want that, and so do classrooms.

const MASTER = 0.5;

// Of the reference robot's fastest wheel, rad/s.
const FULL_RAD_S = 87.3;

export type Effect = "tick" | "start" | "over" | "ten" | "score" | "aboard" | "impact";

interface Tone {
    type: OscillatorType;
    from: number;
    to: number;
    at: number;
    seconds: number;
    gain: number;
}

const tone = (
    type: OscillatorType,
    from: number,
    to: number,
    at: number,
    seconds: number,
    gain: number,
): Tone => ({ type, from, to, at, seconds, gain });

/** Tones of each effect: shape, pitch at both ends in Hz, when, how long, how loud. */
export const EFFECTS: Record<Exclude<Effect, "impact">, readonly Tone[]> = {
    tick: [tone("sine", 660, 660, 0, 0.14, 0.35)],
    start: [
        tone("sawtooth", 233, 233, 0, 0.7, 0.22),
        tone("sawtooth", 349, 349, 0, 0.7, 0.18),
        tone("square", 466, 466, 0.02, 0.65, 0.08),
    ],
    over: [
        tone("sawtooth", 175, 172, 0, 1.5, 0.26),
        tone("sawtooth", 220, 216, 0, 1.5, 0.2),
        tone("square", 110, 108, 0, 1.5, 0.1),
    ],
    ten: [tone("triangle", 880, 880, 0, 0.12, 0.3), tone("triangle", 880, 880, 0.2, 0.12, 0.3)],
    score: [
        tone("triangle", 523, 523, 0, 0.12, 0.3),
        tone("triangle", 659, 659, 0.1, 0.12, 0.3),
        tone("triangle", 784, 784, 0.2, 0.3, 0.32),
    ],
    aboard: [tone("sine", 300, 620, 0, 0.16, 0.3)],
};

/** What the motors of a robot sound like: pitch in Hz and loudness 0 .. 1 for wheel speeds in rad/s. */
export function motorSound(wheels: readonly number[]): { pitch: number; gain: number } {
    const fastest = Math.max(0, ...wheels.map(Math.abs)) / FULL_RAD_S;
    const share = Math.min(1, fastest);
    return { pitch: 60 + 240 * share, gain: share < 0.01 ? 0 : 0.03 + 0.09 * share };
}

interface Hum {
    oscillator: OscillatorNode;
    gain: GainNode;
}

export class Sound {
    private context: AudioContext | null = null;
    private master: GainNode | null = null;
    private motors: Hum | null = null;
    private intake: Hum | null = null;
    private noise: AudioBuffer | null = null;
    /** What was played, for tests. */
    readonly played: Effect[] = [];

    /** Browsers allow sound once somebody has pressed something. */
    constructor(private isMuted: boolean) {
        for (const name of ["keydown", "pointerdown"] as const) {
            window.addEventListener(name, () => this.wake());
        }
    }

    /** A key, a finger or a mouse button was pressed: from now on there may be sound. */
    private wake(): void {
        if (this.context === null && typeof AudioContext !== "undefined") {
            this.context = new AudioContext();
            this.master = this.context.createGain();
            this.master.connect(this.context.destination);
            this.motors = this.hum("sawtooth", 900);
            this.intake = this.hum("triangle", 1400);
            this.setMuted(this.isMuted);
        }
        if (this.context?.state === "suspended") {
            void this.context.resume();
        }
    }

    setMuted(muted: boolean): void {
        this.isMuted = muted;
        if (this.context !== null) {
            this.master!.gain.setTargetAtTime(muted ? 0 : MASTER, this.context.currentTime, 0.02);
        }
    }

    private hum(type: OscillatorType, cutoff: number): Hum {
        const context = this.context!;
        const oscillator = context.createOscillator();
        const filter = context.createBiquadFilter();
        const gain = context.createGain();
        oscillator.type = type;
        filter.type = "lowpass";
        filter.frequency.value = cutoff;
        gain.gain.value = 0;
        oscillator.connect(filter).connect(gain).connect(this.master!);
        oscillator.start();
        return { oscillator, gain };
    }

    /** The robot that is driven: its wheels and its intakes, rad/s; empty lists are silence. */
    hear(wheels: readonly number[], intake: readonly number[]): void {
        if (this.context === null || this.isMuted) {
            return;
        }
        const now = this.context.currentTime;
        const { pitch, gain } = motorSound(wheels);
        this.motors!.oscillator.frequency.setTargetAtTime(pitch, now, 0.05);
        this.motors!.gain.gain.setTargetAtTime(gain, now, 0.05);
        const pull = Math.min(1, Math.max(0, ...intake.map(Math.abs)) / 2.6);
        this.intake!.oscillator.frequency.setTargetAtTime(160 + 60 * pull, now, 0.05);
        this.intake!.gain.gain.setTargetAtTime(pull < 0.05 ? 0 : 0.05, now, 0.05);
    }

    /** `strength`: 0 .. 1, of an impact. */
    play(effect: Effect, strength = 1): void {
        if (this.context === null || this.isMuted) {
            return;
        }
        this.played.push(effect);
        if (effect === "impact") {
            this.thud(strength);
        } else {
            EFFECTS[effect].forEach((part) => this.sing(part));
        }
    }

    private sing({ type, from, to, at, seconds, gain }: Tone): void {
        const context = this.context!;
        const start = context.currentTime + at;
        const oscillator = context.createOscillator();
        const envelope = context.createGain();
        oscillator.type = type;
        oscillator.frequency.setValueAtTime(from, start);
        oscillator.frequency.linearRampToValueAtTime(to, start + seconds);
        envelope.gain.setValueAtTime(0, start);
        envelope.gain.linearRampToValueAtTime(gain, start + 0.012);
        envelope.gain.setValueAtTime(gain, start + seconds * 0.7);
        envelope.gain.linearRampToValueAtTime(0, start + seconds);
        oscillator.connect(envelope).connect(this.master!);
        oscillator.start(start);
        oscillator.stop(start + seconds + 0.02);
    }

    /** A short low noise. */
    private thud(strength: number): void {
        const context = this.context!;
        this.noise ??= this.makeNoise();
        const source = context.createBufferSource();
        const filter = context.createBiquadFilter();
        const gain = context.createGain();
        source.buffer = this.noise;
        filter.type = "lowpass";
        filter.frequency.value = 260 + 500 * strength;
        gain.gain.value = 0.2 + 0.6 * strength;
        source.connect(filter).connect(gain).connect(this.master!);
        source.start();
    }

    private makeNoise(): AudioBuffer {
        const context = this.context!;
        const count = Math.round(context.sampleRate * 0.18);
        const buffer = context.createBuffer(1, count, context.sampleRate);
        const samples = buffer.getChannelData(0);
        for (let i = 0; i < count; i++) {
            samples[i] = (Math.random() * 2 - 1) * (1 - i / count) ** 3;
        }
        return buffer;
    }
}
