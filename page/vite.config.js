import { defineConfig } from "vite";

// `npm run dev` serves the sources and passes what the program serves on to it.
const program = process.env.HALYARD_PAGE_SERVER ?? "http://127.0.0.1:5800";

export default defineConfig({
    base: "./",
    build: {
        target: "es2022",
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 900,
        license: { fileName: "licenses.md" },
    },
    server: {
        proxy: {
            "/live": {
                target: program,
                ws: true,
                changeOrigin: true,
                headers: { origin: program },
            },
            "/mat.png": program,
            "^/[a-z0-9-]+\\.glb$": program,
        },
    },
});
