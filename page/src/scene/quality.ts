// How much care a machine can take with the picture.
export interface Quality {
    /** Pixels drawn for each of the screen's, up to two of a dense screen. */
    pixels: number;
    shadows: boolean;
}

/** From the best picture to the cheapest. */
export const QUALITY: readonly Quality[] = [
    { pixels: 1, shadows: true },
    { pixels: 0.75, shadows: true },
    { pixels: 0.75, shadows: false },
    { pixels: 0.5, shadows: false },
];

/** Whether WebGL is drawn by the processor, which would take a second for a picture with all care. */
export function isSoftware(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info") ?? null;
    const name = gl === null || info === null ? "" : String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL));
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
