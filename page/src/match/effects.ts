// What happens in a match is heard, felt and drawn.
import type { Hands } from "../drive/hands.ts";
import type { Scoreboard } from "../panels/scoreboard.ts";
import type { Stage } from "../scene/stage.ts";
import type { Store } from "../store.ts";
import type { Impact } from "./impacts.ts";
import type { Alliance, MatchEvent } from "./match_events.ts";
import type { Resets } from "./resets.ts";
import type { Sound } from "./sound.ts";

export interface EffectParts {
    hands: Hands;
    sound: Sound;
    scoreboard: Scoreboard;
    resets: Resets;
    stage(): Stage | null;
    say(text: string): void;
}

export class Effects {
    /** For tests. */
    impacts = 0;
    scores = 0;

    constructor(
        private readonly store: Store,
        private readonly parts: EffectParts,
    ) {}

    event(event: MatchEvent): void {
        const { hands, sound } = this.parts;
        switch (event.kind) {
            case "reset":
                this.reset();
                break;
            case "score":
                this.score(event.alliance);
                break;
            case "aboard":
                if (this.store.drives(this.store.scene?.robots[event.robot]?.player ?? 0)) {
                    sound.play("aboard");
                }
                break;
            case "start":
            case "over":
            case "ten":
                sound.play(event.kind);
                hands.rumble(0, event.kind === "ten" ? 0.3 : 0.8, 500);
                break;
            default: // a pause is seen
        }
    }

    private score(alliance: Alliance): void {
        this.scores++;
        this.parts.scoreboard.pop(alliance);
        this.parts.stage()?.score(alliance);
        this.parts.hands.rumble(0, 0.5, 250);
        this.parts.sound.play("score");
    }

    private reset(): void {
        const { silentMs, matchBefore, owned, liveMs } = this.store;
        const sentence = this.parts.resets.sentence(silentMs, matchBefore, owned, liveMs);
        if (sentence !== null) {
            this.parts.say(sentence);
        }
    }

    impact(impact: Impact, strength: number): void {
        this.impacts++;
        this.parts.sound.play("impact", strength);
        this.parts.stage()?.impact(impact.x, impact.y, strength);
        this.parts.hands.rumble(
            this.store.scene?.robots[impact.robot]?.player ?? -1,
            strength,
            120,
        );
    }

    /** One's own motors. */
    update(nowMs: number): void {
        const own = this.store.isSilent(nowMs)
            ? undefined
            : this.store.shown?.robots[this.store.activeRobot()];
        this.parts.sound.hear(own?.drive ?? [], own?.intake ?? []);
    }
}
