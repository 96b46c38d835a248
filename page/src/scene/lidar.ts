// Lidar echoes as points that fade: a ring of them, of which only the new ones travel to the card.
import {
    AdditiveBlending,
    BufferAttribute,
    BufferGeometry,
    DynamicDrawUsage,
    NormalBlending,
    Points,
    ShaderMaterial,
} from "three";

// What six lidars at 8000 rays a second measure while a point fades.
const ROOM = 17408;
const FADE_S = 0.35;

const VERTEX = `
attribute float birth;
uniform float now;
uniform float size;
varying float life;
void main() {
    life = 1.0 - (now - birth) / ${FADE_S.toFixed(2)};
    vec4 eye = modelViewMatrix * vec4(position, 1.0);
    gl_Position = life > 0.0 ? projectionMatrix * eye : vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = clamp(size / -eye.z, 2.0, 14.0) * (0.6 + 0.4 * life);
}`;

const FRAGMENT = `
varying float life;
uniform float strength;
void main() {
    float r = length(gl_PointCoord - 0.5) * 2.0;
    float a = strength * life * life * smoothstep(1.0, 0.2, r);
    gl_FragColor = vec4(mix(vec3(1.0, 0.25, 0.1), vec3(1.0, 0.75, 0.3), life) * a, a);
}`;

export class Lidar {
    readonly points: Points;
    private readonly positions = new BufferAttribute(new Float32Array(ROOM * 3), 3).setUsage(
        DynamicDrawUsage,
    );
    private readonly births = new BufferAttribute(new Float32Array(ROOM).fill(-1e9), 1).setUsage(
        DynamicDrawUsage,
    );
    private readonly material: ShaderMaterial;
    private next = 0;
    private used = 0;

    /** On a light floor points that add to its light would not be seen. */
    constructor(onLight: boolean) {
        const geometry = new BufferGeometry();
        geometry.setDrawRange(0, 0);
        geometry.setAttribute("position", this.positions);
        geometry.setAttribute("birth", this.births);
        this.material = new ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms: {
                now: { value: 0 },
                size: { value: 60 },
                strength: { value: onLight ? 0.95 : 0.55 },
            },
            transparent: true,
            depthWrite: false,
            blending: onLight ? NormalBlending : AdditiveBlending,
            premultipliedAlpha: onLight,
        });
        this.points = new Points(geometry, this.material);
        this.points.frustumCulled = false;
        this.points.renderOrder = 4;
    }

    /** Pairs of azimuth and range, seen from a place at x, y with that heading, at a height. */
    add(
        pairs: readonly number[],
        [x, y, heading]: readonly [number, number, number],
        height: number,
        now: number,
    ): void {
        const from = this.next;
        let added = 0;
        for (let i = 0; i + 1 < pairs.length && added < ROOM; i += 2) {
            const range = pairs[i + 1]!;
            if (range > 0) {
                const angle = heading + pairs[i]!;
                this.put(x + range * Math.cos(angle), y + range * Math.sin(angle), height, now);
                added++;
            }
        }
        this.used = Math.max(this.used, Math.min(ROOM, from + added));
        this.points.geometry.setDrawRange(0, this.used);
        this.upload(from, added);
    }

    private put(x: number, y: number, z: number, now: number): void {
        const i = this.next;
        const p = this.positions.array;
        p[3 * i] = x;
        p[3 * i + 1] = y;
        p[3 * i + 2] = z;
        this.births.array[i] = now;
        this.next = (i + 1) % ROOM;
    }

    private upload(from: number, count: number): void {
        if (count === 0) {
            return;
        }
        const first = Math.min(count, ROOM - from);
        for (const attribute of [this.positions, this.births]) {
            attribute.addUpdateRange(from * attribute.itemSize, first * attribute.itemSize);
            if (first < count) {
                attribute.addUpdateRange(0, (count - first) * attribute.itemSize);
            }
            attribute.needsUpdate = true;
        }
    }

    /** How many points there are, those that have faded included. */
    count(): number {
        return this.used;
    }

    update(now: number, heightPx: number): void {
        this.material.uniforms.now!.value = now;
        this.material.uniforms.size!.value = heightPx * 0.05;
    }
}
