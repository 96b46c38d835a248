// Ambient occlusion: corners, and what stands close together, are darker. Drawn over the finished picture, before its tones are
// mapped. Loaded only by the best level of quality, which is why three.js' passes are imported nowhere else.
import {
    HalfFloatType,
    WebGLRenderTarget,
    type Material,
    type Mesh,
    type Object3D,
    type PerspectiveCamera,
    type Scene,
    type WebGLRenderer,
} from "three";
import { EffectComposer } from "three/addons/postprocessing/EffectComposer.js";
import { GTAOPass } from "three/addons/postprocessing/GTAOPass.js";
import { OutputPass } from "three/addons/postprocessing/OutputPass.js";
import { RenderPass } from "three/addons/postprocessing/RenderPass.js";

// Of the followed robot's size: how far a surface is darkened by another.
const RADIUS_SIZES = 0.45;

function isSolid(object: Object3D): boolean {
    const { material } = object as Partial<Mesh>;
    return (
        material === undefined ||
        ((object as Partial<Mesh>).isMesh === true &&
            ![material].flat().some((one: Material) => one.transparent))
    );
}

/** Glass, tags, glows and lines neither darken nor are darkened: the pass sees solid surfaces only. */
class SolidOcclusion extends GTAOPass {
    private readonly unseen: Object3D[] = [];

    // The names are the pass' own: it calls them around the drawing of depths and normals.
    _overrideVisibility(): void {
        this.scene.traverseVisible((object) => {
            if (!isSolid(object)) {
                this.unseen.push(object);
            }
        });
        this.unseen.forEach((object) => {
            object.visible = false;
        });
    }

    _restoreVisibility(): void {
        this.unseen.forEach((object) => {
            object.visible = true;
        });
        this.unseen.length = 0;
    }
}

export class Occlusion {
    private readonly composer: EffectComposer;
    private readonly first: RenderPass;
    private readonly pass: SolidOcclusion;
    private radius = 0;

    constructor(renderer: WebGLRenderer, world: Scene, camera: PerspectiveCamera) {
        // Edges are smoothed here: the canvas' own smoothing does not reach pictures that are drawn elsewhere first.
        this.composer = new EffectComposer(
            renderer,
            new WebGLRenderTarget(1, 1, { type: HalfFloatType, samples: 4 }),
        );
        this.first = new RenderPass(world, camera);
        this.pass = new SolidOcclusion(world, camera);
        this.pass.updatePdMaterial({
            lumaPhi: 10,
            depthPhi: 2,
            normalPhi: 3,
            radius: 6,
            rings: 2,
            samples: 8,
        });
        for (const pass of [this.first, this.pass, new OutputPass()]) {
            this.composer.addPass(pass);
        }
    }

    setSize(width: number, height: number, pixelRatio: number): void {
        this.composer.setPixelRatio(pixelRatio);
        this.composer.setSize(width, height);
    }

    render(camera: PerspectiveCamera, robotSize: number): void {
        this.first.camera = this.pass.camera = camera;
        if (this.radius !== robotSize * RADIUS_SIZES) {
            this.radius = robotSize * RADIUS_SIZES;
            this.pass.updateGtaoMaterial({
                radius: this.radius,
                thickness: this.radius * 2,
                distanceExponent: 1,
                scale: 1.1,
                samples: 12,
            });
        }
        this.composer.render();
    }
}
