// Dark or light: as chosen, else as the system has it.
import type { Store } from "../store.ts";

export type Shade = "dark" | "light";

export class Theme {
    private readonly prefersLight = matchMedia("(prefers-color-scheme: light)");

    /** `show`: what is drawn, and not laid out by the style sheet, has other colours from now on. */
    constructor(
        private readonly store: Store,
        private readonly show: (shade: Shade) => void,
    ) {
        this.prefersLight.addEventListener("change", () => this.apply());
    }

    apply(): void {
        const { theme } = this.store.settings;
        const system = this.prefersLight.matches ? "light" : "dark";
        const shade = theme === "auto" ? system : theme;
        document.documentElement.dataset.theme = shade;
        this.show(shade);
    }
}
