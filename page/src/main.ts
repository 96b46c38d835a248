// The start: makes the parts of the page and ties them together.
import { Commands } from "./commands.ts";
import { Driver } from "./drive/driver.ts";
import { Hands } from "./drive/hands.ts";
import { LatencyMeter } from "./drive/latency.ts";
import { Orders } from "./drive/orders.ts";
import { LookBack } from "./lookback/look_back.ts";
import { Effects } from "./match/effects.ts";
import { MatchShow } from "./match/match_show.ts";
import { Resets } from "./match/resets.ts";
import { Sound } from "./match/sound.ts";
import { directionOf, setLanguage, t } from "./messages.ts";
import { addressToken, keepAddressToken, socketParts } from "./net/address.ts";
import type { LinkParts } from "./net/link.ts";
import type { State } from "./net/protocol.ts";
import { Session } from "./net/session.ts";
import type { PageMessage } from "./net/wire.ts";
import { numbersOf } from "./numbers.ts";
import { Panels } from "./panels/panels.ts";
import { FrameMeter } from "./panels/stats.ts";
import { Theme } from "./panels/theme.ts";
import { Gestures } from "./scene/gestures.ts";
import { Picture } from "./scene/picture.ts";
import type { Stage } from "./scene/stage.ts";
import { loadSettings, saveSettings, type Settings } from "./settings.ts";
import { Store } from "./store.ts";

const TICK_MS = 8;
const PANELS_MS = 100;
const SLOW_MS = 1000;

const NO_PICTURE = { calls: 0, triangles: 0, scale: 0 };

class Page {
    readonly store: Store;
    readonly meter = new FrameMeter();
    readonly latency = new LatencyMeter();
    readonly session: Session;
    readonly driver: Driver;
    readonly sound: Sound;
    readonly show: MatchShow;
    readonly effects: Effects;
    readonly picture: Picture;
    readonly lookBack: LookBack;
    private readonly canvas = document.querySelector<HTMLCanvasElement>("#view")!;
    private readonly hands: Hands;
    private readonly gestures: Gestures;
    private readonly orders: Orders;
    private readonly commands: Commands;
    private readonly panels: Panels;
    private readonly theme: Theme;

    constructor(parts: LinkParts, settings: Settings) {
        const say = (text: string): void => this.panels.notices.say(text);
        const send = (text: PageMessage): void => this.session.send(text);
        const stage = (): Stage | null => this.picture.stage;
        const now = (): number => performance.now();
        const resets = new Resets();
        const store = new Store(settings, (change) => this.chosen(change));
        this.store = store;
        this.sound = new Sound(settings.muted);
        this.session = new Session(
            store,
            addressToken(),
            { ...parts, now },
            {
                lost: () => this.lost(),
                met: (is) => this.met(is.newScene, is.newConnection),
                token: keepAddressToken,
                state: (state, ms) => !this.lookBack.take(state) && this.showState(state, ms),
                players: () => this.driver.learn(store.seats.players),
                reset: (player, name, ms) => this.orders.resetHappened(player, name, ms),
                pong: (text) => this.driver.pong(text),
                recording: (message) => this.lookBack.receive(message),
                say,
                worked: (ms) => this.meter.work(ms),
            },
        );
        this.driver = new Driver({
            send,
            sent: (player, sticks, before, ms) => this.latency.sent(player, sticks, before, ms),
            changed: () => this.ownershipChanged(),
        });
        this.hands = new Hands(store, this.driver, {
            command: (command) => this.commands.run(command),
            stopKey: (isTaken, isRepeated) => this.orders.stopKey(isTaken, isRepeated),
            lookBackKey: (event) => this.lookBack.timeline.key(event),
            pressed: (button) => this.orders.buttonPressed(button),
            noPlayer: () => this.orders.explainNoPlayer(),
            driving: (player) => this.orders.driven(player),
        });
        this.show = new MatchShow(store, {
            pressStart: () => this.hands.pulse("start"),
            reset: () => this.orders.reset(true),
            announce: (text) => this.panels.notices.announce(text),
            event: (event) => this.effects.event(event),
            impact: (impact, strength) => this.effects.impact(impact, strength),
            watchAgain: () => this.commands.run("again"),
            count: (step) => step !== "go" && this.sound.play("tick"),
        });
        const { hands, show, sound, meter } = this;
        const follow = (robot: number): void => this.commands.follow(robot);
        this.orders = new Orders(store, { hands, show, resets, send, say, now, follow });
        this.lookBack = new LookBack(store, {
            show: (state) => this.showState(state, now()),
            began: () => this.pastBegan(),
            send,
            say,
        });
        const { orders, lookBack } = this;
        this.gestures = new Gestures(this.canvas, stage, (robot, down) =>
            orders.press(robot, down),
        );
        this.panels = new Panels(
            store,
            {
                run: (command) => this.commands.run(command),
                follow,
                send,
                retry: () => this.session.link.retryNow(),
                token: addressToken,
                counters: () => ({ ...(stage()?.stats() ?? NO_PICTURE), ...this.session.link }),
                moved: (insets) => stage()?.setInsets(insets),
            },
            { meter, show, lookBack, orders, hands },
        );
        const { scoreboard, help, share } = this.panels;
        this.effects = new Effects(store, { hands, sound, scoreboard, resets, stage, say });
        this.commands = new Commands(store, { orders, lookBack, help, share, stage });
        this.theme = new Theme(store, (shade) => {
            stage()?.setTheme(shade);
            lookBack.setTheme();
        });
        this.picture = new Picture(
            store,
            this.canvas,
            new URLSearchParams(location.search),
            meter,
            {
                loaded: () => {
                    this.theme.apply();
                    this.panels.frame?.place();
                },
                say,
                holder: (piece) => show.holder(piece),
                aboard: (robot) => show.aboard(robot),
            },
        );
    }

    start(): void {
        this.panels.place(document.querySelector("#ui")!);
        this.canvas.setAttribute("aria-label", t("picture.label"));
        this.theme.apply();
        window.addEventListener("hashchange", () => this.session.useToken(addressToken()));
        window.addEventListener("blur", () => this.letGo());
        this.store.subscribe(() => this.update());
        window.setInterval(() => this.tick(), TICK_MS);
        window.setInterval(() => this.update(), PANELS_MS);
        window.setInterval(() => this.everySecond(), SLOW_MS);
        this.session.link.start();
        this.picture.start();
    }

    // ------------------------------------------------------------------ time

    /** Shows what the store says. */
    private update(): void {
        const began = performance.now();
        this.store.stickMs = this.latency.medianMs();
        this.picture.update();
        this.panels.update();
        this.orders.update();
        this.show.update(began);
        this.effects.update(began);
        this.meter.work(performance.now() - began);
    }

    private tick(): void {
        const began = performance.now();
        this.hands.tick(began);
        this.show.tick(began);
        this.meter.work(performance.now() - began);
    }

    private everySecond(): void {
        const now = performance.now();
        this.session.ping(now);
        this.panels.stats.count(now);
    }

    // ------------------------------------------------------------------ what people have chosen

    private chosen(change: Partial<Settings>): void {
        saveSettings(this.store.settings);
        this.theme.apply();
        this.sound.setMuted(this.store.settings.muted);
        if (change.language !== undefined) {
            location.reload(); // every word is written anew
        }
    }

    // ------------------------------------------------------------------ the program

    private lost(): void {
        this.driver.disconnected();
        this.hands.releaseControls();
        this.letGo();
        this.latency.forget();
    }

    /** Of what is pressed with a pointer. */
    private letGo(): void {
        this.gestures.letGo();
        this.panels.robot.letGo();
    }

    private met(newScene: boolean, newConnection: boolean): void {
        const { store } = this;
        const scene = store.scene!;
        if (newScene) {
            this.lookBack.setScene(scene);
            store.replay = scene.replay;
            this.show.setScene(scene);
            this.picture.stage?.setScene(scene);
        }
        const isTouch = matchMedia("(pointer: coarse)").matches;
        store.shows.pad = store.seats.canDrive() && (store.shows.pad || isTouch);
        if (newConnection && store.seats.mayCommand) {
            this.takeSeat();
        } else if (newConnection) {
            this.driver.giveUp();
            this.panels.notices.sayWatching();
        }
    }

    private takeSeat(): void {
        this.driver.connected();
        this.hands.seatWaiting();
        this.panels.welcome.openOnce();
        if (this.store.settings.name !== "") {
            this.session.send(`name ${this.store.settings.name}`);
        }
    }

    /** The newest state, or one of the past. */
    private showState(state: State, now: number): void {
        const { store } = this;
        const isFirst = store.shown === null;
        store.matchBefore = store.shown?.match ?? null;
        store.shown = state;
        if (isFirst) {
            store.changed(); // what can be clicked stands in its place from now on
        }
        if (state.replay === null) {
            this.show.see(state); // what happens in a recording has happened
        } else {
            this.lookBack.timeline.show(state.replay.at, state.replay.pace, now);
        }
        this.picture.stage?.apply(state, now);
        store.seats.robots.forEach(({ player }, index) => {
            const drive = state.robots[index]?.drive;
            if (player > 0 && drive !== undefined) {
                this.latency.seen(player, drive, now);
            }
        });
    }

    private pastBegan(): void {
        this.driver.owned().forEach((player) => this.hands.release(player));
        this.show.result.hide();
        this.panels.notices.say(t("again.began"));
    }

    // ------------------------------------------------------------------ who drives

    private ownershipChanged(): void {
        this.store.owned = this.driver.owned();
        this.commands.follow(this.store.activeRobot());
    }
}

/** `parts`: how the page reaches its program; another host of it gives its own. */
export function start(parts: LinkParts = socketParts): void {
    const settings = loadSettings();
    setLanguage(settings.language); // before anything is written
    document.documentElement.lang = settings.language;
    document.documentElement.dir = directionOf(settings.language);
    const page = new Page(parts, settings);
    page.start();
    Object.assign(window, {
        halyard: {
            numbers: () => numbersOf(page),
            buttonPlace: (robot: number) => page.picture.stage?.buttonPlace(robot) ?? null,
            layout: () => page.picture.stage?.layout() ?? null,
            setStill: (on: boolean, isBest = true) => page.picture.setStill(on, isBest),
        },
    });
}
