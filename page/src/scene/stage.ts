// The 3D picture: renderer, lights, and everything that is drawn. Loaded when the page has shown its panels.
import {
    Color,
    DirectionalLight,
    Fog,
    Group,
    HemisphereLight,
    Mesh,
    NeutralToneMapping,
    PCFShadowMap,
    PMREMGenerator,
    Scene as World,
    SRGBColorSpace,
    Vector3,
    WebGLRenderer,
    type Material,
    type Object3D,
} from "three";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";
import type { Point, RobotState, Scene, State } from "../net/protocol.ts";
import { Arena } from "./arena.ts";
import { Cameras, type Insets, type View } from "./cameras.ts";
import { Fade } from "./fade.ts";
import { Field } from "./field.ts";
import { GoalArrow } from "./goal_arrow.ts";
import { Lidar } from "./lidar.ts";
import { Motion } from "./motion.ts";
import { setAnisotropy } from "./paint.ts";
import type { ModelTrouble } from "./gltf.ts";
import type { Occlusion } from "./occlusion.ts";
import { Phantoms } from "./phantoms.ts";
import { Pieces } from "./pieces.ts";
import { ProgramPoses } from "./program_poses.ts";
import { CHEAPEST, isSoftware, QUALITY, Surfaces } from "./quality.ts";
import { JUMP_SIZES, Robots } from "./robots.ts";
import { LIDAR_HEIGHT_M, lidarHeight, lidarsOf, placeOf } from "./sensors.ts";
import { allianceColor } from "./palette.ts";
import { Sparks } from "./sparks.ts";
import { Trail } from "./trail.ts";

const BACKGROUND = { dark: 0x0b0f16, light: 0xdfe6ee } as const;

// A picture that takes longer than this, again and again, is drawn with less care. Browsers that save power draw 30
// pictures a second whatever they cost.
const SLOW_FRAME_S = 0.04;
const PATIENCE_S = 1.5;

// One picture that takes longer than this, however long, is not yet a slow machine; two are, and it gets the plainest
// picture at once.
const HICCUP_S = 0.8;
const CRAWL_S = 0.3;

// The first pictures after a change wait for the card to learn them: they tell nothing of the later ones.
const UNTOLD_FRAMES = 3;

function dispose(root: Object3D): void {
    root.traverse((object) => {
        const mesh = object as Partial<Mesh>;
        mesh.geometry?.dispose();
        const materials = mesh.material === undefined ? [] : [mesh.material].flat();
        for (const material of materials as (Material & { map?: { dispose(): void } | null })[]) {
            material.map?.dispose();
            material.dispose();
        }
    });
}

// Around a robot that is followed, shadows reach this many of its sizes.
const SHADOW_SIZES = 14;

export type Care = "adapt" | "best" | "low";

export interface ScreenBox {
    left: number;
    top: number;
    right: number;
    bottom: number;
}

export interface RenderStats {
    calls: number;
    triangles: number;
    scale: number;
    robotsShown: boolean;
    phantomsShown: number;
    isOccluded: boolean;
    models: number;
}

/** One scene's contents; a new hello makes a new one. */
class Contents {
    readonly group = new Group();
    readonly field: Field;
    readonly robots: Robots;
    readonly phantoms: Phantoms;
    readonly programPoses: ProgramPoses;
    readonly pieces: Pieces | null;
    readonly lidar: Lidar;
    readonly sparks: Sparks;
    readonly trail = new Trail();
    readonly arrow: GoalArrow;
    readonly cameras: Cameras;
    readonly motion: Motion;
    readonly surfaces: Surfaces;
    readonly fade = new Fade();
    private readonly arena: Arena | null;
    private readonly sun = new DirectionalLight(0xfff2e0, 3.0);
    private isGone = false;
    /** How many models of the world's file are in the picture. */
    models = 0;

    constructor(
        readonly scene: Scene,
        level: number,
    ) {
        this.field = new Field(scene);
        this.robots = new Robots(scene);
        this.phantoms = new Phantoms(scene);
        this.programPoses = new ProgramPoses(scene);
        this.lidar = new Lidar(scene.kind === "board" && scene.floorShade < 0.5);
        this.pieces = scene.kind === "match" ? new Pieces(scene.pieceRadius) : null;
        this.motion = new Motion(this.robots.sizes.map((size) => size * JUMP_SIZES));
        this.cameras = new Cameras(
            scene.floor,
            Math.max(0.08, this.robots.sizes[0] ?? 1),
            scene.walls,
        );
        this.arrow = new GoalArrow(Math.max(0.2, this.robots.sizes[0] ?? 1));
        this.sparks = new Sparks(scene.kind === "match" ? 1 : 0.2);
        this.group.add(
            this.field.group,
            this.robots.group,
            this.phantoms.group,
            this.programPoses.group,
            this.lidar.points,
            this.sparks.group,
            this.trail.mesh,
            this.arrow.mesh,
        );
        if (this.pieces !== null) {
            this.group.add(this.pieces.mesh);
        }
        this.arena = scene.kind === "match" ? new Arena(scene) : null;
        if (this.arena !== null) {
            this.group.add(this.arena.group);
        }
        this.group.add(...this.lights(scene));
        this.surfaces = new Surfaces(this.group);
        this.surfaces.materials().forEach((material) => this.fade.add(material));
        this.setLevel(level);
    }

    /** Loads the models that the world's file names; where one cannot be drawn, our own shape stays. */
    async loadModels(refuse: (why: ModelTrouble, address: string) => void): Promise<void> {
        const [x0, y0, x1, y1] = this.scene.floor;
        const wanted = [
            {
                address: this.scene.gltf,
                size: Math.max(x1 - x0, y1 - y0),
                dress: (model: Group) => this.field.dress(model),
            },
            ...this.scene.robots.map(({ gltf }, i) => ({
                address: gltf,
                size: this.robots.sizes[i]!,
                dress: (model: Group) => this.robots.dress(i, model),
            })),
        ].filter(({ address }) => address !== "");
        if (wanted.length === 0) {
            return;
        }
        const { loadModel, ModelError } = await import("./gltf.ts");
        await Promise.all(
            wanted.map(async ({ address, size, dress }) => {
                try {
                    const model = await loadModel(address, size);
                    if (this.isGone) {
                        dispose(model);
                        return;
                    }
                    dress(model);
                    this.surfaces.add(model).forEach((material) => this.fade.add(material));
                    this.models++;
                } catch (error) {
                    refuse(error instanceof ModelError ? error.why : "damaged", address);
                }
            }),
        );
    }

    /** What the lidars of a robot saw since the last state. */
    addScans(index: number, state: RobotState, now: number): void {
        const model = this.scene.robots[index];
        if (state.lidar.length > 0) {
            this.lidar.add(state.lidar, state.at, LIDAR_HEIGHT_M, now);
        }
        if (model !== undefined && state.scans.length > 0) {
            lidarsOf(model).forEach((sensor, i) => {
                this.lidar.add(
                    state.scans[i] ?? [],
                    placeOf(state.at, sensor.at),
                    lidarHeight(model),
                    now,
                );
            });
        }
    }

    setLevel(level: number): void {
        this.sun.castShadow = QUALITY[level]!.shadows;
        this.surfaces.setPlain(QUALITY[level]!.plain);
        if (this.arena !== null) {
            this.arena.group.visible = !QUALITY[level]!.plain;
        }
    }

    setTheme(theme: "dark" | "light"): void {
        this.field.setTheme(theme);
        this.arena?.setTheme(theme);
    }

    dispose(): void {
        this.isGone = true;
        dispose(this.group);
        this.surfaces.materials().forEach((material) => material.dispose());
    }

    private aimSun(x: number, y: number, size: number): void {
        this.sun.position.set(x - size * 0.35, y - size * 0.22, size);
        this.sun.target.position.set(x, y, 0);
        const half = size * 0.56;
        Object.assign(this.sun.shadow.camera, {
            left: -half,
            right: half,
            top: half,
            bottom: -half,
            near: size * 0.3,
            far: size * 1.8,
        });
        this.sun.shadow.normalBias = size * 0.0012;
        this.sun.shadow.camera.updateProjectionMatrix();
    }

    /** Shadows are drawn where somebody looks: around the robot that is followed, or, with null, over the whole field. */
    fitShadows(pose: { x: number; y: number } | null, robotSize: number): void {
        const [x0, y0, x1, y1] = this.scene.floor;
        const whole = Math.max(x1 - x0, y1 - y0);
        const near = Math.min(whole, robotSize * SHADOW_SIZES);
        if (pose === null || near >= whole) {
            this.aimSun((x0 + x1) / 2, (y0 + y1) / 2, whole);
        } else {
            // In steps: shadows that move by parts of their pixels would crawl.
            const step = near / 64;
            this.aimSun(Math.round(pose.x / step) * step, Math.round(pose.y / step) * step, near);
        }
    }

    private lights(scene: Scene): Object3D[] {
        const [x0, y0, x1, y1] = scene.floor;
        const size = Math.max(x1 - x0, y1 - y0);
        const sun = this.sun;
        this.aimSun((x0 + x1) / 2, (y0 + y1) / 2, size);
        sun.shadow.mapSize.set(2048, 2048);
        sun.shadow.radius = 4;
        const fill = new DirectionalLight(0x9cc2ff, 0.7);
        fill.position.set(size * 0.5, size * 0.4, size * 0.5);
        return [new HemisphereLight(0xdce9ff, 0x4a5362, 1.9), sun, sun.target, fill];
    }
}

function areaOf(points: readonly Point[]): number {
    const xs = points.map(([x]) => x),
        ys = points.map(([, y]) => y);
    return (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys));
}

/** What lies within the walls: the widest wall that goes round; the floor's corners where none takes half of it. */
function outlineOf(scene: Scene): readonly Point[] {
    const [left, bottom, right, top] = scene.floor;
    const corners: Point[] = [
        [left, bottom],
        [right, bottom],
        [right, top],
        [left, top],
    ];
    const widest =
        scene.walls.map((wall) => wall.points).toSorted((a, b) => areaOf(b) - areaOf(a))[0] ??
        corners;
    return areaOf(widest) >= areaOf(corners) / 2 ? widest : corners;
}

export class Stage {
    private readonly renderer: WebGLRenderer;
    private readonly world = new World();
    private contents: Contents | null = null;
    private state: State | null = null;
    private insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
    private lastFrame = 0;
    private slow = 0;
    private untold = 0; // pictures that do not count yet
    private level = 0;
    private usual = 0;
    private isLidarShown = true;
    private isTrailShown = false;
    private readonly hasHall: boolean;
    private isStill = false;
    private theme: "dark" | "light" = "dark";
    private occlusion: Occlusion | null = null; // comes when the best level of quality first needs it
    private isOcclusionAsked = false;
    private isSettling = false; // nothing is on its way any more in the picture that is drawn
    followed = 0;
    /** Pictures are wanted this far apart. */
    apartS = 0;

    /** The robot that carries a piece, or -1. */
    holder: (piece: number) => number = () => -1;
    /** The robot of one's own that carries a ball, or -1: it is shown the way to its goal. */
    loaded = -1;
    /** Robots that this page drives: they are shown as of now, others a moment ago. */
    own: ReadonlySet<number> = new Set();
    /** Whoever looks asked for less motion. */
    isCalm = false;

    /** Called when the browser takes the graphics card away, and when it gives it back. */
    onPicture: (isThere: boolean) => void = () => {};

    /** Called when a model that the world's file names cannot be drawn. */
    onModelRefused: (why: ModelTrouble, address: string) => void = () => {};

    /** "best": however long it takes. "low": the cheapest. Else as good as this machine can quickly enough. */
    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly care: Care,
    ) {
        const plain = care === "low" || (care === "adapt" && isSoftware());
        this.renderer = new WebGLRenderer({
            canvas,
            antialias: !plain,
            powerPreference: "high-performance",
        });
        this.hasHall = !plain;
        this.usual = plain ? CHEAPEST : 0;
        this.level = this.usual;
        setAnisotropy(plain ? 1 : Math.min(8, this.renderer.capabilities.getMaxAnisotropy()));
        this.renderer.info.autoReset = false; // a picture may be drawn in several passes
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.toneMappingExposure = 1;
        this.renderer.outputColorSpace = SRGBColorSpace;
        this.lightHall();
        this.world.background = new Color(BACKGROUND.dark);
        canvas.addEventListener("webglcontextlost", () => this.onPicture(false));
        canvas.addEventListener("webglcontextrestored", () => {
            this.untold = UNTOLD_FRAMES;
            this.world.environment = null; // it was in the card's memory only
            this.lightHall();
            this.onPicture(true);
        });
        new ResizeObserver(() => this.resize()).observe(canvas);
    }

    setScene(scene: Scene): void {
        if (this.contents !== null) {
            this.world.remove(this.contents.group);
            this.contents.dispose();
        }
        const view = this.contents?.cameras.view ?? "home";
        this.contents = new Contents(scene, this.level);
        this.state = null;
        this.untold = UNTOLD_FRAMES;
        this.followed = Math.min(this.followed, Math.max(0, scene.robots.length - 1));
        this.world.add(this.contents.group);
        const size = Math.max(scene.floor[2] - scene.floor[0], scene.floor[3] - scene.floor[1]);
        this.world.fog = new Fog(BACKGROUND[this.theme], size * 3, size * 9);
        this.contents.lidar.points.visible = this.isLidarShown;
        this.contents.trail.mesh.visible = this.isTrailShown;
        this.contents.programPoses.showTrails(this.isTrailShown);
        this.contents.setTheme(this.theme);
        this.resize();
        void this.loadOcclusion();
        void this.contents
            .loadModels((why, address) => this.onModelRefused(why, address))
            .then(() => {
                this.untold = UNTOLD_FRAMES;
            });
        this.contents.cameras.show(view);
        this.contents.cameras.update(undefined, 10);
    }

    /** The newest state; its lidar points are all drawn, however many states come between two frames. */
    apply(state: State, nowMs: number): void {
        this.state = state;
        const contents = this.contents;
        if (contents === null) {
            return;
        }
        contents.motion.hear(
            state.t,
            state.robots.map((robot) => robot.at),
            state.pieces,
            nowMs / 1000,
        );
        state.robots.forEach((robot, i) => contents.addScans(i, robot, nowMs / 1000));
        contents.programPoses.addToTrails(state, state.replay?.at ?? state.t);
        const followed = state.robots[this.followed];
        if (followed !== undefined && this.isTrailShown) {
            contents.trail.update(
                this.followed,
                followed.at,
                state.replay?.at ?? state.t,
                Math.max(0.08, contents.robots.sizes[this.followed] ?? 1),
            );
        }
    }

    setInsets(insets: Insets): void {
        this.insets = insets;
        this.resize();
    }

    private resize(): void {
        const width = Math.max(1, this.canvas.clientWidth);
        const height = Math.max(1, this.canvas.clientHeight);
        this.renderer.setPixelRatio(
            Math.min(window.devicePixelRatio, 2) * QUALITY[this.level]!.pixels,
        );
        this.renderer.setSize(width, height, false);
        this.occlusion?.setSize(width, height, this.renderer.getPixelRatio());
        this.contents?.cameras.resize(width, height, this.insets);
    }

    /** Ambient occlusion costs a processor seconds, and every page 10 kB of script: it is loaded where a card draws, or the best is asked for. */
    private async loadOcclusion(): Promise<void> {
        if (
            this.hasHall &&
            !this.isOcclusionAsked &&
            QUALITY[this.level]!.occlusion &&
            this.contents !== null
        ) {
            this.isOcclusionAsked = true;
            const module = await import("./occlusion.ts");
            this.occlusion = new module.Occlusion(
                this.renderer,
                this.world,
                this.contents.cameras.camera,
            );
            this.untold = UNTOLD_FRAMES;
            this.resize();
        }
    }

    /** Draws, unless a still picture is shown. */
    frame(nowMs: number): void {
        if (!this.isStill) {
            this.draw(nowMs);
        }
    }

    private draw(nowMs: number): void {
        const elapsed = (nowMs - this.lastFrame) / 1000;
        const dt = Math.min(Math.max(elapsed, 0.001), 0.1);
        this.lastFrame = nowMs;
        const contents = this.contents;
        if (contents === null) {
            return;
        }
        this.adapt(Math.min(elapsed, HICCUP_S));
        const states = this.state?.robots ?? [];
        contents.motion.read(nowMs / 1000);
        contents.robots.update(states, contents.motion, this.own, dt);
        contents.phantoms.update(this.state?.phantoms ?? [], dt);
        contents.pieces?.update(
            this.state?.pieces ?? [],
            contents.motion,
            this.holder,
            this.own,
            dt,
        );
        contents.field.goals.update(dt, this.isCalm);
        contents.sparks.update(dt);
        this.showWay(contents, dt);
        contents.lidar.update(nowMs / 1000, this.canvas.height);
        const pose =
            states[this.followed] === undefined ? undefined : contents.robots.poses[this.followed];
        const size = Math.max(0.08, contents.robots.sizes[this.followed] ?? 1);
        contents.cameras.update(pose, Math.min(elapsed, 0.5), size, this.sideOf(contents));
        contents.fitShadows(
            contents.cameras.view === "home" ||
                contents.cameras.view === "top" ||
                pose === undefined
                ? null
                : pose,
            size,
        );
        const hidden = contents.cameras.view === "first" ? this.followed : -1;
        const canvas = { width: this.canvas.clientWidth, height: this.canvas.clientHeight };
        contents.programPoses.update(this.state, contents.cameras.camera, canvas.height);
        contents.robots.updateTags(contents.cameras.camera, {
            size: canvas,
            hidden,
            ease: this.isSettling ? 1 : 1 - Math.exp(-dt / 0.08),
        });
        contents.fade.update(contents.cameras.camera, contents.cameras.view, pose, size);
        contents.surfaces.update();
        this.renderer.info.reset();
        if (this.occlusion !== null && QUALITY[this.level]!.occlusion) {
            this.occlusion.render(contents.cameras.camera, size);
        } else {
            this.renderer.render(this.world, contents.cameras.camera);
        }
    }

    /** An arrow from the robot that carries a ball to its goal. */
    private showWay(contents: Contents, dt: number): void {
        const alliance = contents.scene.robots[this.loaded]?.alliance ?? "";
        const goal = contents.field.goals.middle(alliance);
        const pose = contents.robots.poses[this.loaded];
        if (goal === null || pose === undefined) {
            contents.arrow.hide();
        } else {
            contents.arrow.show(pose, goal, allianceColor(alliance), dt, this.isCalm);
        }
    }

    /** At which end of the field the drivers of the followed robot stand: at that of their goal. */
    private sideOf(contents: Contents): number {
        const [, y0, , y1] = contents.scene.floor;
        const goal = contents.field.goals.middle(
            contents.scene.robots[this.followed]?.alliance ?? "",
        );
        return goal !== null && goal.y > (y0 + y1) / 2 ? 1 : -1;
    }

    /** The colours behind the field. */
    setTheme(theme: "dark" | "light"): void {
        const color = BACKGROUND[theme];
        this.theme = theme;
        (this.world.background as Color).setHex(color);
        this.world.fog?.color.setHex(color);
        this.contents?.setTheme(theme);
    }

    /** For pictures of the page: one picture, with all care if `isBest`, the camera where it is going, that stays until `on` is false. */
    setStill(on: boolean, isBest: boolean): void {
        this.setLevel(on && isBest ? 0 : this.usual);
        if (on) {
            this.contents?.cameras.arrive();
            this.isSettling = true;
            this.draw(performance.now());
            this.isSettling = false;
        }
        this.isStill = on;
    }

    /** The light of a hall, which glossy surfaces mirror. A processor needs seconds to make it, so only a card does. */
    private lightHall(): void {
        if (this.hasHall && !QUALITY[this.level]!.plain && this.world.environment === null) {
            const generator = new PMREMGenerator(this.renderer);
            const room = new RoomEnvironment();
            room.rotation.x = Math.PI / 2; // up is z here
            this.world.environment = generator.fromScene(room, 0.04).texture;
            this.world.environmentIntensity = 0.35;
            generator.dispose();
        }
    }

    private setLevel(level: number): void {
        this.level = level;
        this.lightHall();
        this.untold = UNTOLD_FRAMES;
        this.contents?.setLevel(level);
        this.resize();
    }

    /** A slow machine gets a plainer picture rather than fewer of them. */
    private adapt(elapsed: number): void {
        if (this.untold > 0) {
            this.untold--;
            return;
        }
        this.slow =
            elapsed > SLOW_FRAME_S + this.apartS
                ? this.slow + elapsed
                : Math.max(0, this.slow - 2 * elapsed);
        if (this.slow > PATIENCE_S && this.level < CHEAPEST && this.care === "adapt") {
            this.slow = 0;
            this.usual = elapsed > CRAWL_S + this.apartS ? CHEAPEST : this.level + 1;
            this.setLevel(this.usual);
        }
    }

    // ------------------------------------------------------------------ what people do with it

    get view(): View {
        return this.contents?.cameras.view ?? "home";
    }

    show(view: View): void {
        this.contents?.cameras.show(view);
    }

    drag(dx: number, dy: number, pans: boolean): void {
        this.contents?.cameras.drag(dx, dy, pans);
    }

    zoom(factor: number): void {
        this.contents?.cameras.scale(factor);
    }

    /** A ball came into an alliance's goal. */
    score(alliance: string): void {
        this.contents?.field.goals.score(alliance);
    }

    /** Something was hit there; strength 0 .. 1. */
    impact(x: number, y: number, strength: number): void {
        if (!this.isCalm) {
            this.contents?.sparks.add(x, y, strength);
        }
    }

    lidarPoints(): number {
        return this.contents?.lidar.count() ?? 0;
    }

    showLidar(on: boolean): void {
        this.isLidarShown = on;
        if (this.contents !== null) {
            this.contents.lidar.points.visible = on;
        }
    }

    /** The way of the followed robot, coloured by its speed; one that was hidden begins anew. */
    showTrail(on: boolean): void {
        if (on !== this.isTrailShown) {
            this.isTrailShown = on;
            if (this.contents !== null) {
                this.contents.trail.mesh.visible = on;
                this.contents.trail.clear();
                this.contents.programPoses.showTrails(on);
            }
        }
    }

    /** The robots were put back: where they were before is another run's. */
    clearTrails(): void {
        this.contents?.trail.clear();
        this.contents?.programPoses.clearTrails();
    }

    /** For tests: how long the trail is, and how fast the robot was at its end, as a share of the highest speed. */
    trailShare(): number {
        return this.contents?.trail.share ?? 0;
    }

    trailPoints(): number {
        return this.contents?.trail.length ?? 0;
    }

    /** Names of the poses of a robot program that are in the picture. */
    programPoses(): string[] {
        return this.contents?.programPoses.names() ?? [];
    }

    /** Where a robot's user button is on the canvas; null if it has none, or it is behind the eye. */
    buttonPlace(robot: number): { x: number; y: number } | null {
        const contents = this.contents;
        const place = contents?.robots.buttonPlace(robot, new Vector3()) ?? null;
        if (
            contents === null ||
            place === null ||
            this.state?.robots[robot]?.button === undefined
        ) {
            return null;
        }
        place.project(contents.cameras.camera);
        const x = ((place.x + 1) / 2) * this.canvas.clientWidth;
        const y = ((1 - place.y) / 2) * this.canvas.clientHeight;
        return place.z < 1 ? { x, y } : null;
    }

    /** The robot (from 0) whose user button lies under a point of the canvas, or -1. */
    buttonAt(x: number, y: number, reachPx: number): number {
        const robots = this.contents?.robots.poses ?? [];
        return robots.findIndex((_, robot) => {
            const place = this.buttonPlace(robot);
            return place !== null && Math.hypot(place.x - x, place.y - y) <= reachPx;
        });
    }

    /** For tests: where floor, goals and tags are on the screen, and what is free of panels. */
    layout(): { floor: ScreenBox; goals: ScreenBox[]; tags: ScreenBox[]; free: ScreenBox } | null {
        const contents = this.contents;
        if (contents === null) {
            return null;
        }
        const { goals } = contents.scene;
        const { top, right, bottom, left } = this.insets;
        return {
            floor: this.boxOf(outlineOf(contents.scene), 0),
            goals: goals.map((goal) => this.boxOf(goal.points, 0.4)),
            tags: contents.robots.tagBoxes(),
            free: {
                left,
                top,
                right: this.canvas.clientWidth - right,
                bottom: this.canvas.clientHeight - bottom,
            },
        };
    }

    private boxOf(points: readonly Point[], high: number): ScreenBox {
        const camera = this.contents!.cameras.camera;
        const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
        for (const [x, y] of points) {
            for (const z of [0, high]) {
                const place = new Vector3(x, y, z).project(camera);
                const px = ((place.x + 1) / 2) * this.canvas.clientWidth;
                const py = ((1 - place.y) / 2) * this.canvas.clientHeight;
                box.left = Math.min(box.left, px);
                box.right = Math.max(box.right, px);
                box.top = Math.min(box.top, py);
                box.bottom = Math.max(box.bottom, py);
            }
        }
        return box;
    }

    stats(): RenderStats {
        const { calls, triangles } = this.renderer.info.render;
        const robotsShown = this.contents?.robots.group.visible === true;
        const phantomsShown = this.contents?.phantoms.count() ?? 0;
        const isOccluded = this.occlusion !== null && QUALITY[this.level]!.occlusion;
        return {
            calls,
            triangles,
            scale: this.renderer.getPixelRatio(),
            robotsShown,
            phantomsShown,
            isOccluded,
            models: this.contents?.models ?? 0,
        };
    }
}
