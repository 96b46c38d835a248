// How much care a machine can take with the picture.
import {
    MeshLambertMaterial,
    MeshStandardMaterial,
    type Material,
    type Mesh,
    type Object3D,
} from "three";

export interface Quality {
    /** Pixels drawn for each of the screen's, up to two of a dense screen. */
    pixels: number;
    shadows: boolean;
    /** Corners are darker. */
    occlusion: boolean;
    /** Surfaces without gloss: a third of what light costs for each pixel. */
    plain: boolean;
}

/** From the best picture to the cheapest. */
export const QUALITY: readonly Quality[] = [
    { pixels: 1, shadows: true, occlusion: true, plain: false },
    { pixels: 1, shadows: true, occlusion: false, plain: false },
    { pixels: 0.75, shadows: true, occlusion: false, plain: false },
    { pixels: 0.75, shadows: false, occlusion: false, plain: true },
    { pixels: 0.5, shadows: false, occlusion: false, plain: true },
];
export const CHEAPEST = QUALITY.length - 1;

/** Whether WebGL is drawn by the processor, which would take a second for a picture with all care. */
export function isSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info") ?? null;
    const name =
        gl === null || info === null ? "" : String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** The same surface without gloss. Colours are shared, so that who changes one changes both. */
function plainOf(fine: MeshStandardMaterial): MeshLambertMaterial {
    const {
        vertexColors,
        transparent,
        opacity,
        side,
        depthWrite,
        forceSinglePass,
        map,
        emissiveIntensity,
    } = fine;
    const plain = new MeshLambertMaterial({
        vertexColors,
        transparent,
        opacity,
        side,
        depthWrite,
        forceSinglePass,
        map,
        emissiveIntensity,
    });
    plain.color = fine.color;
    plain.emissive = fine.emissive;
    plain.userData = fine.userData;
    return plain;
}

/** The surfaces of everything below `root`, each as it is and without gloss. */
export class Surfaces {
    private readonly meshes: { mesh: Mesh; fine: MeshStandardMaterial }[] = [];
    private readonly plain = new Map<MeshStandardMaterial, MeshLambertMaterial>();
    private isPlain = false;

    constructor(root: Object3D) {
        this.add(root);
    }

    /** Takes in what is below `root`, too. Returns its materials. */
    add(root: Object3D): Material[] {
        const known = this.plain.size;
        root.traverse((object) => {
            const mesh = object as Mesh;
            if (mesh.isMesh && mesh.material instanceof MeshStandardMaterial) {
                const fine = mesh.material;
                this.meshes.push({ mesh, fine });
                this.plain.set(fine, this.plain.get(fine) ?? plainOf(fine));
            }
        });
        this.setPlain(this.isPlain);
        return [...this.plain].slice(known).flat();
    }

    setPlain(on: boolean): void {
        this.isPlain = on;
        for (const { mesh, fine } of this.meshes) {
            mesh.material = on ? this.plain.get(fine)! : fine;
        }
    }

    /** Call before drawing: numbers, unlike colours, are not shared. */
    update(): void {
        if (this.isPlain) {
            this.plain.forEach((plain, fine) => {
                plain.opacity = fine.opacity;
                plain.emissiveIntensity = fine.emissiveIntensity;
            });
        }
    }

    /** All materials, whichever are in use. */
    materials(): Material[] {
        return [...this.plain.keys(), ...this.plain.values()];
    }
}
