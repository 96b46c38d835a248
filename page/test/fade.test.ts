import { strict as assert } from "node:assert";
import { test } from "node:test";
import {
    MeshLambertMaterial,
    MeshStandardMaterial,
    PerspectiveCamera,
    ShaderLib,
    type WebGLProgramParametersWithUniforms,
    type WebGLRenderer,
} from "three";
import { Fade } from "../src/scene/fade.ts";

type Shader = WebGLProgramParametersWithUniforms;

function shaderOf(material: MeshStandardMaterial | MeshLambertMaterial): Shader {
    const { fragmentShader } =
        material instanceof MeshStandardMaterial ? ShaderLib.standard : ShaderLib.lambert;
    const shader = { fragmentShader, uniforms: {} } as unknown as Shader;
    material.onBeforeCompile(shader, null as unknown as WebGLRenderer);
    return shader;
}

test("every lit surface gets holes, but for those that stay", () => {
    const fade = new Fade();
    const floor = new MeshStandardMaterial();
    floor.userData.stays = true;
    for (const material of [new MeshStandardMaterial(), new MeshLambertMaterial(), floor]) {
        fade.add(material);
        const shader = shaderOf(material);
        const hasHoles =
            shader.uniforms.uFollowed !== undefined &&
            /float halyardHole\(\)[^]*if \(gone > halyardHole\(\)\) discard;/.test(
                shader.fragmentShader,
            );
        assert.equal(hasHoles, material !== floor, material.type);
    }
});

test("the shaders know the followed robot before the eye in the views from outside, and nothing in the others", () => {
    const fade = new Fade();
    const camera = new PerspectiveCamera();
    camera.position.set(0, -4, 0.3);
    camera.up.set(0, 0, 1);
    camera.lookAt(0, 0, 0.3);
    for (const view of ["orbit", "chase", "station"] as const) {
        fade.update(camera, view, { x: 0, y: 0 }, 1);
        const { x, y, z, w } = fade.uniform;
        assert.ok(Math.hypot(x, y, z + 4) < 1e-9 && w === 1, `${view}: ${x} ${y} ${z} ${w}`);
    }
    for (const view of ["home", "top", "first"] as const) {
        fade.update(camera, view, { x: 0, y: 0 }, 1);
        assert.equal(fade.uniform.w, 0, view);
    }
    fade.update(camera, "chase", undefined, 1);
    assert.equal(fade.uniform.w, 0, "nobody is followed");
});
