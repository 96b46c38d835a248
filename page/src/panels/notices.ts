// Sentences for the person at the page: one that stays (the connection), some that pass.
import { el, setClass, setText } from "../dom.ts";
import { tokenFault, type LinkState } from "../net/link.ts";
import { t } from "../messages.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
import { statusKey } from "./status.ts";

const TOAST_MS = 4500;

/** `token`: what this page's address has after #. */
export function sentenceOf(state: LinkState, token: string): string {
    switch (state.kind) {
        case "connecting":
            return t("link.connecting");
        case "lost":
            return t("link.lost", {
                seconds: (state.retryMs / 1000).toFixed(state.retryMs < 1000 ? 2 : 0),
            });
        case "refused":
            return state.why === "seat"
                ? t("link.seatTaken")
                : (faultOf(token) ?? t("link.refused"));
        case "live":
            return "";
    }
}

/** What is missing in a token, or too much; null: nothing. */
export function faultOf(token: string): string | null {
    const fault = tokenFault(token);
    return fault === null ? null : t(fault.key, { count: fault.count, all: fault.all });
}

export class Notices implements Panel {
    readonly root = el("div", "notices");
    private readonly banner = el("div", "panel banner");
    private readonly text = el("span");
    private readonly toasts = el("div", "toasts");
    private readonly live = el("div", "unseen");
    private readonly status = el("p", "panel banner status hidden");

    /** `token`: that of the page's address. */
    constructor(
        private readonly store: Store,
        private readonly token: () => string,
        retry: () => void,
    ) {
        const again = el("button", "", t("link.retry"));
        again.type = "button";
        again.addEventListener("click", retry);
        this.banner.append(el("i", "spinner"), this.text, again);
        this.live.setAttribute("aria-live", "polite");
        this.root.append(this.banner, this.status, this.toasts, this.live);
        this.toasts.setAttribute("role", "status");
        this.banner.setAttribute("role", "status");
        this.status.setAttribute("role", "status");
    }

    update(): void {
        const { link } = this.store;
        setText(this.text, sentenceOf(link, this.token()));
        setClass(this.banner, "hidden", link.kind === "live");
        setClass(this.banner, "waiting", link.kind === "connecting");
        setClass(this.banner, "bad", link.kind === "refused");
        const key = statusKey(this.store, performance.now());
        setText(this.status, key === null ? "" : t(key));
        setClass(this.status, "hidden", key === null);
    }

    /** That this page only watches, and why, if its address was to let it do more. */
    sayWatching(): void {
        this.say(t("link.watching"));
        const fault = this.token() === "" ? null : faultOf(this.token());
        if (fault !== null) {
            this.say(fault);
        }
    }

    /** Only for screen readers. */
    announce(text: string): void {
        setText(this.live, text);
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
