// What a student's robot shows of itself: range cone, what the line sensors see, LED, button, servos.
import {
    AdditiveBlending,
    BufferAttribute,
    BufferGeometry,
    CircleGeometry,
    Color,
    DoubleSide,
    Group,
    Mesh,
    MeshBasicMaterial,
    MeshStandardMaterial,
    RingGeometry,
    SphereGeometry,
    Sprite,
    SpriteMaterial,
    type Object3D,
} from "three";
import type { RobotModel, RobotState } from "../net/protocol.ts";
import { box, cylinder, merged, painted } from "./geometry.ts";
import { glow } from "./paint.ts";
import { lidarHeight, lidarsOf } from "./sensors.ts";
import type { Places } from "./xrp.ts";

/** A sector of radius 1 around +x whose colour fades from its tip to its rim. */
function sector(halfAngle: number): BufferGeometry {
    const steps = 24;
    const positions: number[] = [];
    const colors: number[] = [];
    for (let i = 0; i < steps; i++) {
        const a = -halfAngle + (2 * halfAngle * i) / steps;
        const b = -halfAngle + (2 * halfAngle * (i + 1)) / steps;
        positions.push(0, 0, 0, Math.cos(a), Math.sin(a), 0, Math.cos(b), Math.sin(b), 0);
        colors.push(0.15, 0.15, 0.15, 1, 1, 1, 1, 1, 1);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 3));
    return geometry;
}

class Cone {
    readonly group = new Group();
    private readonly fan: Mesh<BufferGeometry, MeshBasicMaterial>;

    constructor(private readonly cone: NonNullable<RobotModel["rangeCone"]>) {
        const color = 0x19b8e8;
        this.fan = new Mesh(
            sector(cone.halfAngle),
            new MeshBasicMaterial({
                color,
                vertexColors: true,
                transparent: true,
                opacity: 0.42,
                depthWrite: false,
                side: DoubleSide,
                forceSinglePass: true,
                toneMapped: false,
            }),
        );
        const rim = new RingGeometry(0.985, 1, 32, 1, -cone.halfAngle, 2 * cone.halfAngle);
        const line = new Mesh(
            rim,
            new MeshBasicMaterial({ color, toneMapped: false, side: DoubleSide }),
        );
        this.fan.add(line);
        this.group.position.set(cone.x, cone.y, 0.012);
        this.fan.renderOrder = 2;
        this.group.add(this.fan);
    }

    update(range: number | null | undefined): void {
        const measured =
            range === undefined || range === null ? 0 : Math.min(Math.max(range, 0), this.cone.far);
        this.group.visible = measured > 0;
        this.fan.scale.set(measured, measured, 1);
        // Nothing within reach is no echo: the fan pales.
        this.fan.material.opacity = measured >= this.cone.far ? 0.14 : 0.42;
    }
}

class Dots {
    readonly group = new Group();
    private readonly materials: MeshBasicMaterial[];

    constructor(places: readonly [number, number][], size: number) {
        const disc = new CircleGeometry(0.05 * size, 20);
        const ring = new RingGeometry(0.05 * size, 0.068 * size, 24);
        const rim = new MeshBasicMaterial({ color: 0x19b8e8, toneMapped: false });
        this.materials = places.map(([x, y]) => {
            const material = new MeshBasicMaterial({ color: 0xffffff, toneMapped: false });
            const dot = new Mesh(disc, material);
            dot.position.set(x, y, 0.0022);
            dot.add(new Mesh(ring, rim));
            this.group.add(dot);
            return material;
        });
    }

    /** 0 is white, 1 is black, as the sensors say it. */
    update(readings: readonly (number | null)[]): void {
        this.materials.forEach((material, i) => {
            const light = 1 - Math.max(0, Math.min(1, readings[i] ?? 0));
            material.color.setRGB(light, light, light);
        });
    }
}

class Led {
    readonly group = new Group();
    private readonly material = new MeshStandardMaterial({ color: 0x6b7480, roughness: 0.3 });
    private readonly shine: Sprite;

    constructor(at: [number, number, number], size: number) {
        const lamp = new Mesh(new SphereGeometry(0.022 * size, 12, 8), this.material);
        this.shine = new Sprite(
            new SpriteMaterial({
                map: glow(),
                color: 0x35ff6a,
                blending: AdditiveBlending,
                depthWrite: false,
                toneMapped: false,
            }),
        );
        this.shine.scale.setScalar(0.3 * size);
        this.group.add(lamp, this.shine);
        this.group.position.set(...at);
    }

    update(on: boolean): void {
        this.shine.visible = on;
        this.material.emissive.copy(on ? LIT : DARK);
        this.material.color.copy(on ? LIT : UNLIT);
    }
}

const LIT = new Color(0x2bff63);
const DARK = new Color(0);
const UNLIT = new Color(0x6b7480);

class UserButton {
    readonly group = new Group();
    private readonly cap: Mesh;
    private readonly depth: number;

    constructor(at: [number, number, number], size: number) {
        this.depth = 0.02 * size;
        const rim = new Mesh(
            painted(box(0, 0, 0, 0.11 * size, 0.11 * size, 0.02 * size), 0x1d2228),
            new MeshStandardMaterial({ vertexColors: true }),
        );
        this.cap = new Mesh(
            painted(cylinder(0.04 * size, 0.05 * size, "z", 20), 0xffb454),
            new MeshStandardMaterial({ vertexColors: true, roughness: 0.4 }),
        );
        this.group.add(rim, this.cap);
        this.group.position.set(...at);
    }

    update(pressed: boolean): void {
        this.cap.position.z = pressed ? 0 : this.depth;
    }
}

class Servos {
    readonly group = new Group();
    private readonly arms: Object3D[];

    constructor(places: readonly [number, number, number][], size: number) {
        const body = painted(
            box(0, 0, -0.05 * size, 0.23 * size, 0.12 * size, 0.2 * size),
            0x1b4fb8,
        );
        const arm = merged([
            painted(
                box(0.1 * size, 0, 0.075 * size, 0.26 * size, 0.045 * size, 0.02 * size),
                0xf5f7fa,
            ),
            painted(
                cylinder(0.04 * size, 0.05 * size, "z", 16).translate(0, 0, 0.065 * size),
                0xf5f7fa,
            ),
        ]);
        const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.5 });
        this.arms = places.map(([x, y, z]) => {
            const servo = new Mesh(body, material);
            servo.castShadow = true;
            servo.position.set(x, y, z);
            const turning = new Mesh(arm, material);
            turning.castShadow = true;
            servo.add(turning);
            this.group.add(servo);
            return turning;
        });
    }

    /** An arm in its middle points sideways, away from the robot's board. */
    update(angles: readonly number[]): void {
        this.arms.forEach((arm, i) => {
            const outward = arm.parent!.position.y >= 0 ? Math.PI / 2 : -Math.PI / 2;
            arm.rotation.z = outward + (angles[i] ?? 0);
        });
    }
}

/** The sensors that are not wired: spots on the floor, cones, and a turning lidar. */
class Further {
    readonly group = new Group();
    private readonly spots: Dots;
    private readonly spotNames: string[];
    private readonly cones: { name: string; cone: Cone }[];

    constructor(model: RobotModel, size: number) {
        const spots = model.sensors.filter((sensor) => sensor.type === "reflectance");
        this.spots = new Dots(
            spots.map(({ at }) => [at[0], at[1]]),
            size,
        );
        this.spotNames = spots.map((sensor) => sensor.name);
        this.cones = model.sensors
            .filter((sensor) => sensor.type === "range")
            .map(({ name, at, halfAngle, far }) => {
                const cone = new Cone({ x: at[0], y: at[1], halfAngle, far });
                cone.group.rotation.z = at[2];
                return { name, cone };
            });
        this.group.add(this.spots.group, ...this.cones.map(({ cone }) => cone.group));
        for (const { at } of lidarsOf(model)) {
            const height = lidarHeight(model);
            const body = merged([
                painted(
                    cylinder(0.16 * size, 0.1 * size, "z", 32).translate(
                        at[0],
                        at[1],
                        height - 0.08 * size,
                    ),
                    0x1d2228,
                ),
                painted(
                    cylinder(0.14 * size, 0.1 * size, "z", 32).translate(at[0], at[1], height),
                    0x3a424c,
                ),
                painted(
                    box(
                        at[0] + 0.13 * size * Math.cos(at[2]),
                        at[1] + 0.13 * size * Math.sin(at[2]),
                        height,
                        0.05 * size,
                        0.05 * size,
                        0.05 * size,
                    ),
                    0xff7a1f,
                ),
            ]);
            const mesh = new Mesh(
                body,
                new MeshStandardMaterial({ vertexColors: true, roughness: 0.4 }),
            );
            mesh.castShadow = true;
            this.group.add(mesh);
        }
    }

    update(readings: Readonly<Record<string, number>>): void {
        this.spots.update(this.spotNames.map((name) => readings[`${name}.reflectance`] ?? 0));
        this.cones.forEach(({ name, cone }) => cone.update(readings[`${name}.range_m`]));
    }
}

export class Extras {
    readonly group = new Group();
    private readonly cone: Cone | null;
    private readonly dots: Dots;
    private readonly further: Further;
    private readonly led: Led;
    private readonly button: UserButton;
    private readonly servos: Servos;

    constructor(
        model: RobotModel,
        readonly places: Places,
    ) {
        const scale = Math.min(places.size, 0.3);
        this.cone = model.rangeCone === null ? null : new Cone(model.rangeCone);
        this.dots = new Dots(model.reflectance, scale);
        this.further = new Further(model, scale);
        this.led = new Led(places.led, scale);
        this.button = new UserButton(places.button, scale);
        this.servos = new Servos(places.servos, scale);
        if (this.cone !== null) {
            this.group.add(this.cone.group);
        }
        this.group.add(
            this.dots.group,
            this.further.group,
            this.led.group,
            this.button.group,
            this.servos.group,
        );
    }

    /** Takes away what hangs on our own shape; what sensors see stays. */
    keepSensors(): void {
        this.group.remove(this.led.group, this.button.group, this.servos.group);
    }

    update(state: RobotState): void {
        this.cone?.update(state.range);
        this.dots.update(state.reflectance);
        this.further.update(state.readings);
        this.led.group.visible = state.led !== undefined;
        this.led.update(state.led === true);
        this.button.group.visible = state.button !== undefined;
        this.button.update(state.button === true);
        this.servos.update(state.servos);
    }
}
