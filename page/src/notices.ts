// Sentences for the person at the page: one that stays (the connection), some that pass.
import { el, setClass, setText } from "./dom.ts";
import type { LinkState } from "./link.ts";

const TOAST_MS = 4500;

export function sentenceOf(state: LinkState): string {
    switch (state.kind) {
        case "connecting":
            return "Connecting …";
        case "lost":
            return `No connection to halyard. Trying again in ${(state.retryMs / 1000).toFixed(state.retryMs < 1000 ? 2 : 0)} s …`;
        case "refused":
            return "halyard does not accept this page's address any more. Open the address that it printed when it started last.";
        case "live":
            return "";
    }
}

export class Notices {
    readonly root = el("div", "notices");
    private readonly banner = el("div", "panel banner");
    private readonly text = el("span");
    private readonly toasts = el("div", "toasts");

    constructor(retry: () => void) {
        const again = el("button", "", "Try now");
        again.type = "button";
        again.addEventListener("click", retry);
        this.banner.append(el("i", "spinner"), this.text, again);
        this.root.append(this.banner, this.toasts);
        this.root.setAttribute("role", "status");
    }

    link(state: LinkState): void {
        setText(this.text, sentenceOf(state));
        setClass(this.banner, "hidden", state.kind === "live");
        setClass(this.banner, "waiting", state.kind === "connecting");
        setClass(this.banner, "bad", state.kind === "refused");
    }

    say(text: string): void {
        if ([...this.toasts.children].some((toast) => toast.textContent === text)) {
            return;
        }
        const toast = el("div", "panel toast", text);
        this.toasts.append(toast);
        setTimeout(() => toast.remove(), TOAST_MS);
    }
}
