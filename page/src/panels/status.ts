// What keeps the picture from being the truth, in one sentence that stays while it is so. Knows no browser.
import type { MessageKey } from "../messages.ts";
import type { Store } from "../store.ts";

// A graphics card that was lost is back after a second or two, if it comes back.
const CARD_BACK_MS = 8000;

export function statusKey(store: Store, nowMs: number): MessageKey | null {
    if (store.pictureLostMs !== null) {
        return nowMs - store.pictureLostMs > CARD_BACK_MS ? "picture.lostLong" : "picture.lost";
    }
    if (!store.isLive) {
        return null; // another sentence says that
    }
    if (!store.isMatch) {
        return store.isHeld() ? "stop.held" : null;
    }
    if (store.shown === null) {
        return "sim.waiting";
    }
    return store.isSilent(nowMs) ? "sim.silent" : null;
}
