// For tests: what cannot be read off the page.
import type { Driver } from "./drive/driver.ts";
import type { LatencyMeter } from "./drive/latency.ts";
import type { LookBack } from "./lookback/look_back.ts";
import type { Effects } from "./match/effects.ts";
import type { MatchShow } from "./match/match_show.ts";
import type { Sound } from "./match/sound.ts";
import type { Session } from "./net/session.ts";
import type { FrameMeter } from "./panels/stats.ts";
import type { Picture } from "./scene/picture.ts";
import type { Store } from "./store.ts";

export interface CountedParts {
    store: Store;
    meter: FrameMeter;
    picture: Picture;
    latency: LatencyMeter;
    show: MatchShow;
    effects: Effects;
    sound: Sound;
    lookBack: LookBack;
    driver: Driver;
    session: Session;
}

export function numbersOf(parts: CountedParts): Record<string, unknown> {
    const { store, meter, latency, show, effects, lookBack, driver } = parts;
    const { stage } = parts.picture;
    const { link } = parts.session;
    const { shown } = store;
    return {
        scriptMs: meter.scriptMs(),
        frameMs: meter.frameMs(),
        messageMs: meter.messageMs(),
        fps: meter.fps(),
        frames: meter.count,
        ...stage?.stats(),
        stickMs: latency.medianMs(),
        stickSamples: latency.count(),
        robots: shown?.robots.map((robot) => robot.at) ?? [],
        drive: shown?.robots.map((robot) => robot.drive) ?? [],
        pieces: shown?.pieces ?? [],
        match: shown?.match ?? null,
        phase: show.phase,
        impacts: effects.impacts,
        scores: effects.scores,
        played: [...parts.sound.played],
        aboard: show.aboard(store.activeRobot()),
        sim: shown?.sim ?? null,
        replay: shown?.replay ?? null,
        trail: stage?.trailPoints() ?? 0,
        trailShare: stage?.trailShare() ?? 0,
        programPoses: stage?.programPoses() ?? [],
        ...lookBack.numbers(),
        phantoms: shown?.phantoms ?? [],
        run: shown?.run ?? null,
        lidarPoints: stage?.lidarPoints() ?? 0,
        ranges: shown?.robots.map((robot) => robot.range ?? null) ?? [],
        owned: driver.owned(),
        messages: link.messages,
        dropped: link.dropped,
        connections: link.connections,
        hushed: driver.isHushed,
    };
}
