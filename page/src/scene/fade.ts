// What stands between the eye and the followed robot is drawn with holes, so that the robot stays in sight: other robots,
// columns, the fence, goals. The floor stays whole.
import {
    Vector4,
    type Material,
    type MeshLambertMaterial,
    type MeshStandardMaterial,
    type PerspectiveCamera,
    Vector3,
} from "three";
import type { View } from "./cameras.ts";

type Lit = MeshStandardMaterial | MeshLambertMaterial;

const HELPERS = `
uniform vec4 uFollowed; // where the followed robot is before the eye, and its size; 0: nothing fades
float halyardHole() { // 0 .. 1 in a pattern of 4 x 4 pixels
    vec2 p = mod(floor(gl_FragCoord.xy), 4.0);
    vec2 coarse = floor(p * 0.5);
    vec2 fine = mod(p, 2.0);
    float four = mod(2.0 * fine.x + 3.0 * fine.y, 4.0);
    return (4.0 * four + mod(2.0 * coarse.x + 3.0 * coarse.y, 4.0) + 0.5) / 16.0;
}
`;

// The distance along the line of sight, and beside it, in the robot's sizes.
const DISCARD = `
if (uFollowed.w > 0.0) {
    float reach = length(uFollowed.xyz);
    vec3 sight = uFollowed.xyz / reach;
    float along = dot(-vViewPosition, sight);
    float beside = length(-vViewPosition - along * sight) / uFollowed.w;
    float before = (reach - along) / uFollowed.w;
    float gone = 0.8 * smoothstep(0.85, 1.1, before) * (1.0 - smoothstep(0.55, 0.95, beside));
    if (gone > halyardHole()) discard;
}
`;

const AFTER = "#include <clipping_planes_fragment>";

/** The views that look at the robot from outside, and near enough that something may hide it. */
const VIEWS: ReadonlySet<View> = new Set<View>(["orbit", "chase", "station"]);

export class Fade {
    private readonly followed = { value: new Vector4() };
    private readonly place = new Vector3();

    /** Lets a material be drawn with holes, unless it is marked with `userData.stays`. */
    add(material: Material): void {
        const lit = material as Lit;
        if (
            material.userData.stays === true ||
            (!("isMeshStandardMaterial" in lit) && !("isMeshLambertMaterial" in lit))
        ) {
            return;
        }
        material.onBeforeCompile = (shader) => {
            shader.uniforms.uFollowed = this.followed;
            shader.fragmentShader = shader.fragmentShader
                .replace("void main() {", `${HELPERS}void main() {`)
                .replace(AFTER, AFTER + DISCARD);
        };
        material.customProgramCacheKey = () => "fade";
    }

    /** Before a picture: where the followed robot is, if there is one. */
    update(
        camera: PerspectiveCamera,
        view: View,
        pose: { x: number; y: number } | undefined,
        size: number,
    ): void {
        if (pose === undefined || !VIEWS.has(view)) {
            this.followed.value.w = 0;
            return;
        }
        camera.updateMatrixWorld();
        this.place.set(pose.x, pose.y, size * 0.3).applyMatrix4(camera.matrixWorldInverse);
        this.followed.value.set(this.place.x, this.place.y, this.place.z, size);
    }

    /** What the shaders are given. */
    get uniform(): Readonly<Vector4> {
        return this.followed.value;
    }
}
