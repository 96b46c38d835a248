// What keys and tools command the page to do.
import type { Orders } from "./drive/orders.ts";
import type { Command } from "./drive/keys.ts";
import type { LookBack } from "./lookback/look_back.ts";
import type { Help } from "./panels/help.ts";
import type { Share } from "./panels/share.ts";
import type { Stage } from "./scene/stage.ts";
import type { Store } from "./store.ts";

export interface CommandParts {
    orders: Orders;
    lookBack: LookBack;
    help: Help;
    share: Share;
    stage(): Stage | null;
}

export class Commands {
    constructor(
        private readonly store: Store,
        private readonly parts: CommandParts,
    ) {}

    run(command: Command): void {
        const { store, parts } = this;
        const { shows, settings } = store;
        switch (command) {
            case "home":
            case "top":
            case "orbit":
            case "chase":
            case "first":
            case "station":
                parts.stage()?.show(command);
                break;
            case "follow":
                this.follow((store.followed + 1) % Math.max(1, store.seats.robots.length));
                break;
            case "lidar":
            case "trail":
            case "map":
            case "pad":
            case "stats":
                shows[command] = !shows[command];
                break;
            case "plots":
                void parts.lookBack.togglePlots();
                break;
            case "sound":
                store.choose({ muted: !settings.muted });
                break;
            case "share":
                parts.share.toggle();
                break;
            case "again":
                parts.lookBack.toggle();
                break;
            case "help":
                parts.help.toggle();
                break;
            case "fullscreen":
                void (document.fullscreenElement === null
                    ? document.documentElement.requestFullscreen()
                    : document.exitFullscreen());
                break;
            case "reset":
                parts.orders.reset();
                break;
        }
        store.changed();
    }

    /** Gauges and cameras are about this robot from now on; the keys drive it, if it is one's own. */
    follow(robot: number): void {
        const { store } = this;
        if (robot >= 0) {
            const player = store.seats.robots[robot]?.player ?? 0;
            store.followed = robot;
            store.active = store.drives(player) ? player : store.active;
            store.changed();
        }
    }
}
