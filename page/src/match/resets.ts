// Who reset the match, or whether the simulator was started again: a match that begins anew without a word puzzles people.
// Knows no browser.
import { t } from "../messages.ts";
import type { MatchState } from "../net/protocol.ts";
import { clock } from "../text.ts";

// A reset follows the press of the button that made it within this time.
const PRESS_MS = 2000;

// A simulator that is started again is away for longer than this; states come every few milliseconds.
const AWAY_MS = 800;

export class Resets {
    private player = 0;
    private name = "";
    private pressedMs = -Infinity;

    /** The program says who pressed the button that resets. */
    pressed(player: number, name: string, nowMs: number): void {
        this.player = player;
        this.name = name;
        this.pressedMs = nowMs;
    }

    /**
     * What to say of a match that begins anew; null: this page did it itself. `silentMs`: so long nothing came before it; `before`: the
     * match as it was.
     */
    sentence(
        silentMs: number,
        before: MatchState | null,
        own: readonly number[],
        nowMs: number,
    ): string | null {
        if (nowMs - this.pressedMs < PRESS_MS) {
            this.pressedMs = -Infinity;
            const values = { player: this.player, name: this.name };
            return own.includes(this.player)
                ? null
                : t(this.name === "" ? "say.resetBy" : "say.resetByName", values);
        }
        if (silentMs > AWAY_MS && before !== null) {
            return t("sim.restarted", {
                blue: before.blue,
                red: before.red,
                time: clock(before.timer),
            });
        }
        return t("say.reset");
    }
}
