// Meshes of three.js as a binary glTF 2.0 file: what the page draws, for programs that read such files. glTF's axes are y up, ours
// z up: a reader turns the model by 90 degrees about x to have ours again.
import {
    BufferGeometry,
    InstancedMesh,
    Matrix4,
    Mesh,
    type Material,
    type MeshStandardMaterial,
    type Object3D,
} from "three";
import { mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";

/** A picture for the meshes whose material has a map; null: they are left out. */
export type Pictures = (mesh: Mesh) => Uint8Array | null;

interface Look {
    opacity: number;
    picture: Uint8Array | null;
    color: [number, number, number];
    parts: BufferGeometry[];
}

type Drawable = MeshStandardMaterial & Material;

/** The geometry of a mesh where it is; of an instanced one all of its instances. */
function placed(mesh: Mesh): BufferGeometry[] {
    if (!(mesh instanceof InstancedMesh)) {
        return [mesh.geometry.clone().applyMatrix4(mesh.matrixWorld)];
    }
    const at = new Matrix4();
    return Array.from({ length: mesh.count }, (_, i) => {
        mesh.getMatrixAt(i, at);
        return (mesh.geometry as BufferGeometry)
            .clone()
            .applyMatrix4(at.premultiply(mesh.matrixWorld));
    });
}

function looksOf(root: Object3D, pictures: Pictures): Look[] {
    const looks: Look[] = [];
    root.updateMatrixWorld(true);
    root.traverse((object) => {
        if (!(object instanceof Mesh) || !object.geometry.hasAttribute("position")) {
            return;
        }
        const material = object.material as Drawable;
        const picture = material.map ? pictures(object) : null;
        if (material.map && picture === null) {
            return;
        }
        const opacity = material.map ? 1 : material.transparent ? material.opacity : 1;
        const { r, g, b } = material.color;
        let look = looks.find(
            (known) =>
                known.opacity === opacity &&
                known.picture === picture &&
                String(known.color) === String([r, g, b]),
        );
        if (look === undefined) {
            look = { opacity, picture, color: [r, g, b], parts: [] };
            looks.push(look);
        }
        look.parts.push(...placed(object));
    });
    return looks;
}

class Buffer {
    readonly views: object[] = [];
    private readonly parts: Uint8Array[] = [];
    size = 0;

    add(bytes: Uint8Array, target?: number): number {
        const view = {
            buffer: 0,
            byteOffset: this.size,
            byteLength: bytes.length,
            ...(target === undefined ? {} : { target }),
        };
        const padded = new Uint8Array(Math.ceil(bytes.length / 4) * 4);
        padded.set(bytes);
        this.parts.push(padded);
        this.size += padded.length;
        return this.views.push(view) - 1;
    }

    bytes(): Uint8Array {
        const all = new Uint8Array(this.size);
        let at = 0;
        for (const part of this.parts) {
            all.set(part, at);
            at += part.length;
        }
        return all;
    }
}

const ARRAY = 34962;
const ELEMENTS = 34963;
const FLOAT = 5126;
const UINT = 5125;
const USHORT = 5123;

function bytesOf(array: Float32Array | Uint32Array | Uint16Array): Uint8Array {
    return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** One geometry of many; all have the same attributes. */
function joined(parts: BufferGeometry[], names: string[]): BufferGeometry {
    const whole = new BufferGeometry();
    const flat = parts.map((part) => (part.index === null ? part : part.toNonIndexed()));
    for (const name of names) {
        const first = flat[0]!.getAttribute(name);
        const values = flat.flatMap((part) => Array.from(part.getAttribute(name).array));
        const attribute = first.clone();
        attribute.array = new Float32Array(values);
        Object.assign(attribute, { count: values.length / first.itemSize });
        whole.setAttribute(name, attribute);
    }
    return mergeVertices(whole, 1e-6);
}

/** x, y, z with z up as x, z, -y; and the lowest and highest of each. */
function turned(values: ArrayLike<number>): { array: Float32Array; min: number[]; max: number[] } {
    const array = new Float32Array(values.length);
    const min = [Infinity, Infinity, Infinity];
    const max = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < values.length; i += 3) {
        const spot = [values[i]!, values[i + 2]!, -values[i + 1]! + 0];
        array.set(spot, i);
        for (let k = 0; k < 3; k++) {
            min[k] = Math.min(min[k]!, array[i + k]!);
            max[k] = Math.max(max[k]!, array[i + k]!);
        }
    }
    return { array, min, max };
}

export function toGlb(root: Object3D, name: string, pictures: Pictures): Uint8Array {
    const buffer = new Buffer();
    const accessors: object[] = [];
    const images: object[] = [];
    const accessor = (
        bytes: Uint8Array,
        componentType: number,
        count: number,
        type: string,
        target: number,
        more: object,
    ): number =>
        accessors.push({
            bufferView: buffer.add(bytes, target),
            componentType,
            count,
            type,
            ...more,
        }) - 1;

    const looks = looksOf(root, pictures);
    const primitives = looks.map((look, material) => {
        const names = [
            "position",
            "normal",
            ...(look.picture === null
                ? look.parts[0]!.hasAttribute("color")
                    ? ["color"]
                    : []
                : ["uv"]),
        ];
        const geometry = joined(look.parts, names);
        const count = geometry.getAttribute("position").count;
        const position = turned(geometry.getAttribute("position").array);
        const normal = turned(geometry.getAttribute("normal").array);
        const attributes: Record<string, number> = {
            POSITION: accessor(bytesOf(position.array), FLOAT, count, "VEC3", ARRAY, {
                min: position.min,
                max: position.max,
            }),
            NORMAL: accessor(bytesOf(normal.array), FLOAT, count, "VEC3", ARRAY, {}),
        };
        if (names.includes("color")) {
            const colors = geometry.getAttribute("color").array;
            const shares = new Uint16Array(count * 4).fill(65535);
            for (let i = 0; i < count; i++) {
                for (let k = 0; k < 3; k++) {
                    shares[i * 4 + k] = Math.round(Math.min(1, colors[i * 3 + k]!) * 65535);
                }
            }
            attributes.COLOR_0 = accessor(bytesOf(shares), USHORT, count, "VEC4", ARRAY, {
                normalized: true,
            });
        }
        if (names.includes("uv")) {
            // glTF counts from the upper edge
            const uv = Float32Array.from(geometry.getAttribute("uv").array, (value, i) =>
                i % 2 === 0 ? value : 1 - value,
            );
            attributes.TEXCOORD_0 = accessor(bytesOf(uv), FLOAT, count, "VEC2", ARRAY, {});
        }
        const index = geometry.index!;
        const indices = count < 65536 ? new Uint16Array(index.array) : new Uint32Array(index.array);
        return {
            attributes,
            indices: accessor(
                bytesOf(indices),
                count < 65536 ? USHORT : UINT,
                index.count,
                "SCALAR",
                ELEMENTS,
                {},
            ),
            material,
        };
    });
    const materials = looks.map((look) => {
        const texture =
            look.picture === null
                ? {}
                : {
                      baseColorTexture: {
                          index:
                              images.push({
                                  bufferView: buffer.add(look.picture),
                                  mimeType: "image/png",
                              }) - 1,
                      },
                  };
        return {
            pbrMetallicRoughness: {
                baseColorFactor: [...look.color, look.opacity],
                metallicFactor: 0,
                roughnessFactor: 0.6,
                ...texture,
            },
            ...(look.opacity < 1 ? { alphaMode: "BLEND", doubleSided: true } : {}),
        };
    });
    const json = {
        asset: { version: "2.0", generator: "Halyard" },
        scene: 0,
        scenes: [{ nodes: [0] }],
        nodes: [{ name, mesh: 0 }],
        meshes: [{ name, primitives }],
        materials,
        accessors,
        ...(images.length > 0 ? { images, textures: images.map((_, source) => ({ source })) } : {}),
        bufferViews: buffer.views,
        buffers: [{ byteLength: buffer.size }],
    };
    return container(new TextEncoder().encode(JSON.stringify(json)), buffer.bytes());
}

/** The container: a header and two chunks, each filled up to a multiple of four bytes. */
function container(json: Uint8Array, binary: Uint8Array): Uint8Array {
    const jsonSize = Math.ceil(json.length / 4) * 4;
    const size = 12 + 8 + jsonSize + 8 + binary.length;
    const file = new Uint8Array(size).fill(0x20);
    const view = new DataView(file.buffer);
    [0x46546c67, 2, size, jsonSize, 0x4e4f534a].forEach((word, i) =>
        view.setUint32(4 * i, word, true),
    );
    file.set(json, 20);
    view.setUint32(20 + jsonSize, binary.length, true);
    view.setUint32(24 + jsonSize, 0x004e4942, true);
    file.set(binary, 28 + jsonSize);
    return file;
}
