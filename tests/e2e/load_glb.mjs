// Loads binary glTF files with three.js's loader, which AdvantageScope uses, too, and prints of each its size in glTF's axes.
//
//     load_glb.mjs FILE...    HALYARD_PAGE_MODULES names the folder of three.js (tools/page.sh node)
import { readFileSync } from "node:fs";

globalThis.self = globalThis;
globalThis.createImageBitmap = async (blob) => ({ width: 1, height: 1, size: blob.size, close() {} });
const modules = `file://${process.env.HALYARD_PAGE_MODULES}/three`;
const { Box3 } = await import(`${modules}/build/three.module.js`);
const { GLTFLoader } = await import(`${modules}/examples/jsm/loaders/GLTFLoader.js`);

for (const path of process.argv.slice(2)) {
    const file = readFileSync(path);
    const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
    const { scene } = await new GLTFLoader().parseAsync(bytes, "");
    const { min, max } = new Box3().setFromObject(scene, true);
    console.log(path, ...[max.x - min.x, max.y - min.y, max.z - min.z].map((size) => size.toFixed(3)));
}
