// Writes AdvantageScope's assets: fields flat and solid, robots, layouts; and the models of worlds/xrp-town.yaml.
// tools/assets.sh runs it.
//
//     make.mjs SCENES OUT    SCENES has WORLD.json and WORLD.pgm of each world (tools/assets/world_scene.c)
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { Group, Mesh, PlaneGeometry, SphereGeometry, type BufferGeometry } from "three";
import { decode, type RobotModel, type Scene } from "../../src/net/protocol.ts";
import { toGlb } from "./glb.ts";
import { layouts } from "./layouts.ts";
import { draw, floorColor, halfTurn, png, type Gray } from "./picture.ts";

// The page paints numbers and labels on canvases; none of them is in these files.
const nothing: unknown = new Proxy(() => nothing, {
    get: (_, key) => (key === "canvas" ? { width: 1, height: 1 } : nothing),
    set: () => true,
});
const element = {
    getContext: () => nothing,
    addEventListener: () => {},
    removeEventListener: () => {},
    width: 1,
    height: 1,
};
Object.assign(globalThis, {
    document: { createElement: () => element, createElementNS: () => element },
});

const { Field } = await import("../../src/scene/field.ts");
const { painted } = await import("../../src/scene/geometry.ts");
const { PIECE } = await import("../../src/scene/palette.ts");
const { looksOf } = await import("../../src/scene/looks.ts");
const { Modules, swerveBody } = await import("../../src/scene/swerve.ts");
const { tankBody } = await import("../../src/scene/tank.ts");
const { Wheels } = await import("../../src/scene/wheels.ts");
const { Pose } = await import("../../src/scene/pose.ts");
const { xrpBody } = await import("../../src/scene/xrp.ts");

const { town, van } = await import("./town.ts");

const INCHES = 1 / 0.0254;
const UPRIGHT = [{ axis: "x", degrees: 90 }]; // glTF's y is up, AdvantageScope's z
const TURNED = [...UPRIGHT, { axis: "z", degrees: 180 }]; // and its fields have blue on the right

const [scenes, out] = process.argv.slice(2) as [string, string];

function write(folder: string, name: string, bytes: Uint8Array | object): void {
    mkdirSync(`${out}/${folder}`, { recursive: true });
    writeFileSync(
        `${out}/${folder}/${name}`,
        bytes instanceof Uint8Array ? bytes : `${JSON.stringify(bytes, null, 2)}\n`,
    );
}

function load(world: string): { scene: Scene; floor: Gray } {
    const message = decode(readFileSync(`${scenes}/${world}.json`, "utf8"));
    if (message?.type !== "hello") {
        throw new Error(`${world}: no scene`);
    }
    const file = readFileSync(`${scenes}/${world}.pgm`);
    const head = /^P5\n(\d+) (\d+)\n255\n/.exec(file.toString("latin1", 0, 40))!;
    const pixels = new Uint8Array(file.subarray(head[0].length));
    const kind = message.scene.goals.length > 0 ? "match" : "board";
    const [x, y, x1, y1] = message.scene.floor;
    const mat = kind === "match" ? null : { url: "/mat.png", x, y, width: x1 - x, height: y1 - y };
    return {
        scene: { ...message.scene, kind, mat },
        floor: { width: Number(head[1]), height: Number(head[2]), pixels },
    };
}

// --------------------------------------------------------------------------- fields

function sizes({ floor: [x0, y0, x1, y1] }: Scene): { widthInches: number; heightInches: number } {
    return { widthInches: (x1 - x0) * INCHES, heightInches: (y1 - y0) * INCHES };
}

function flatField(world: string, scene: Scene, floor: Gray): void {
    const picture = draw(scene, floor);
    halfTurn(picture);
    write(
        `advantagescope/Field2d_Halyard_${world}`,
        "image.png",
        png(picture.width, picture.height, picture.pixels, 3),
    );
    write(`advantagescope/Field2d_Halyard_${world}`, "config.json", {
        name: `Halyard ${world}`,
        isFTC: false,
        coordinateSystem: "wall-blue",
        topLeft: [0, 0],
        bottomRight: [picture.width, picture.height],
        ...sizes(scene),
    });
}

/** The floor without its grid, which the page paints: in one colour. */
function flatFloor(mesh: Mesh, scene: Scene): void {
    const [r, g, b] = floorColor(scene);
    mesh.geometry = painted(mesh.geometry as BufferGeometry, (r << 16) | (g << 8) | b);
    Object.assign(mesh.material, { map: null });
}

function solidField(world: string, scene: Scene, floor: Gray): void {
    const [x0, y0, x1, y1] = scene.floor;
    const { group } = new Field(scene);
    const root = new Group();
    root.add(group);
    group.position.set(-(x0 + x1) / 2, -(y0 + y1) / 2, 0); // AdvantageScope's fields have their middle at the origin
    group.traverse((object) => {
        if (object instanceof Mesh) {
            object.updateMatrix();
            object.visible = object.renderOrder !== -2; // the ground beyond the field
            if (
                !(object.geometry instanceof PlaneGeometry) &&
                object.material.map &&
                object.visible
            ) {
                flatFloor(object, scene);
            }
        }
    });
    const mat = scene.mat === null ? null : png(floor.width, floor.height, floor.pixels, 1);
    const glb = toGlb(root, world, (mesh) =>
        mesh.geometry instanceof PlaneGeometry && mesh.visible ? mat : null,
    );
    const folder = `advantagescope/Field3d_Halyard_${world}`;
    const side = (x1 - x0) / 2;
    const end = (y1 - y0) / 2;
    write(folder, "model.glb", glb);
    write(folder, "config.json", {
        name: `Halyard ${world}`,
        isFTC: false,
        coordinateSystem: "wall-blue",
        rotations: TURNED,
        position: [0, 0, 0],
        ...sizes(scene),
        defaultOrigin: "blue",
        driverStations: [
            [side / 2, end],
            [0, end],
            [-side / 2, end],
            [-side / 2, -end],
            [0, -end],
            [side / 2, -end],
        ],
        gamePieces:
            scene.kind === "match"
                ? [
                      {
                          name: "Ball",
                          rotations: UPRIGHT,
                          position: [0, 0, scene.pieceRadius],
                          stagedObjects: [],
                      },
                  ]
                : [],
        aprilTags: [],
    });
    if (scene.kind === "match") {
        const ball = new Mesh(painted(new SphereGeometry(scene.pieceRadius, 20, 12), PIECE[0]));
        write(
            folder,
            "model_0.glb",
            toGlb(ball, "ball", () => null),
        );
    }
}

// --------------------------------------------------------------------------- robots

function bodyOf(model: RobotModel): Group {
    const looks = looksOf(model);
    if (looks === "match") {
        return tankBody(model);
    }
    const { group } = looks === "modules" ? swerveBody(model) : xrpBody(model);
    if (looks === "modules") {
        group.add(new Modules(model).mesh);
    }
    return group;
}

function robot(name: string, model: RobotModel): void {
    const wheels = new Wheels([model]);
    wheels.update([], [new Pose()], 0);
    const root = new Group();
    root.add(bodyOf(model), wheels.mesh);
    const folder = `advantagescope/Robot_${name.replaceAll(" ", "_")}`;
    write(
        folder,
        "model.glb",
        toGlb(root, name, () => null),
    );
    write(folder, "config.json", {
        name,
        isFTC: false,
        disableSimplification: true,
        rotations: UPRIGHT,
        position: [0, 0, 0],
        cameras: [],
        components: [],
    });
}

// --------------------------------------------------------------------------- all of it

for (const world of ["field2020", "teensy-field", "xrp-arena", "xrp-course", "xrp-line"]) {
    const { scene, floor } = load(world);
    flatField(world, scene, floor);
    solidField(world, scene, floor);
}
robot("Halyard tank", { ...load("field2020").scene.robots[0]!, alliance: "" });
robot("Halyard XRP", load("xrp-line").scene.robots[0]!);
robot("Halyard Teensy swerve", load("teensy-field").scene.robots[0]!);
write(
    "models",
    "town.glb",
    toGlb(town(load("xrp-town").scene), "town", () => null),
);
write(
    "models",
    "van.glb",
    toGlb(van(), "van", () => null),
);
for (const [name, layout] of Object.entries(layouts())) {
    write("layouts", `${name}.json`, layout);
}
