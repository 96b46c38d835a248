// Models that a world's file names, in binary glTF: drawn instead of shapes of our own. Loaded late: most worlds name none.
import { Box3, Camera, Group, Light, Mesh, TextureLoader, Vector3, type Object3D } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

export type ModelTrouble = "damaged" | "outside" | "heavy" | "scale";

/** Why a model is not drawn. */
export class ModelError extends Error {
    constructor(readonly why: ModelTrouble) {
        super(why);
    }
}

const TRIANGLES_MOST = 500_000;
const MESHES_MOST = 200;
/** A model that is so many times as large or small as what it stands for was not made in metres. */
const SCALE_MOST = 5;

const MAGIC = 0x46546c67;
const JSON_AT = 20;

/** Refuses a file that is none, and one that asks for anything outside of itself. */
export function checkFile(bytes: ArrayBuffer): void {
    const view = new DataView(bytes);
    if (
        bytes.byteLength < JSON_AT ||
        view.getUint32(0, true) !== MAGIC ||
        view.getUint32(8, true) !== bytes.byteLength
    ) {
        throw new ModelError("damaged");
    }
    const size = Math.min(view.getUint32(12, true), bytes.byteLength - JSON_AT);
    let isOutside = false;
    try {
        JSON.parse(
            new TextDecoder().decode(new Uint8Array(bytes, JSON_AT, size)),
            (key, value: unknown) => {
                isOutside ||= key === "uri";
                return value;
            },
        );
    } catch {
        throw new ModelError("damaged");
    }
    if (isOutside) {
        throw new ModelError("outside");
    }
}

/** Takes out what is not to be seen, and counts the rest. */
function prepare(root: Object3D): void {
    const foreign: Object3D[] = [];
    let triangles = 0;
    let meshes = 0;
    root.traverse((object) => {
        if (object instanceof Light || object instanceof Camera) {
            foreign.push(object);
        } else if (object instanceof Mesh) {
            const position = object.geometry.getAttribute("position");
            triangles += (object.geometry.index?.count ?? position?.count ?? 0) / 3;
            meshes++;
            object.castShadow = object.receiveShadow = true;
        }
    });
    foreign.forEach((object) => object.removeFromParent());
    if (meshes === 0) {
        throw new ModelError("damaged");
    }
    if (triangles > TRIANGLES_MOST || meshes > MESHES_MOST) {
        throw new ModelError("heavy");
    }
}

/** Refuses a model whose longer side on the floor is far from `size`, in metres. */
function checkSize(root: Object3D, size: number): void {
    const extent = new Box3().setFromObject(root).getSize(new Vector3());
    const longer = Math.max(extent.x, extent.z);
    if (!(longer < size * SCALE_MOST && longer > size / SCALE_MOST)) {
        throw new ModelError("scale");
    }
}

/** Images come from blobs of this page: what the server's content security policy lets an image be, but no fetch(). */
function loader(): GLTFLoader {
    return new GLTFLoader().register((parser) => {
        parser.textureLoader = new TextureLoader(parser.options.manager);
        return { name: "HALYARD_images" };
    });
}

/** Makes a model of a file's content; its axes are ours then: x as it was, z up. Throws a ModelError. */
export async function parseModel(bytes: ArrayBuffer, size: number): Promise<Group> {
    checkFile(bytes);
    const { scene } = await loader()
        .parseAsync(bytes, "")
        .catch(() => {
            throw new ModelError("damaged");
        });
    prepare(scene);
    checkSize(scene, size);
    const upright = new Group();
    upright.rotation.x = Math.PI / 2;
    upright.add(scene);
    return upright;
}

export async function loadModel(url: string, size: number): Promise<Group> {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok !== true) {
        throw new ModelError("damaged");
    }
    return parseModel(await answer.arrayBuffer(), size);
}
