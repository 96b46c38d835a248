// Bundles page/dev/assets/make.ts with what it draws and runs it: assets.mjs SCENES OUT.
import { spawnSync } from "node:child_process";
import { rolldown } from "rolldown";

const bundle = await rolldown({ input: "dev/assets/make.ts", platform: "node", logLevel: "warn" });
await bundle.write({ file: ".assets/make.mjs", format: "esm", codeSplitting: false });
await bundle.close();
process.exit(
    spawnSync(process.execPath, [".assets/make.mjs", ...process.argv.slice(2)], {
        stdio: "inherit",
    }).status ?? 1,
);
