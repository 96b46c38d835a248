// Ties the page together: the connection, the 3D picture, the panels, and what hands do.
import "./style.css";
import { el, setClass, setStyle } from "./dom.ts";
import { Driver } from "./drive/driver.ts";
import { Gauges } from "./panels/gauges.ts";
import { Gestures } from "./scene/gestures.ts";
import { Hands } from "./drive/hands.ts";
import { Help } from "./panels/help.ts";
import type { Command } from "./drive/keys.ts";
import type { Impact } from "./match/impacts.ts";
import { LatencyMeter } from "./drive/latency.ts";
import { LookBack } from "./lookback/look_back.ts";
import { Link, type LinkState, type SocketLike, subProtocols } from "./net/link.ts";
import { directionOf, setLanguage, t, type MessageKey } from "./messages.ts";
import type { MatchEvent } from "./match/match_events.ts";
import { MatchShow, type Situation } from "./match/match_show.ts";
import { Minimap } from "./panels/minimap.ts";
import { faultOf, Notices } from "./panels/notices.ts";
import { PhantomPanel } from "./panels/phantom_panel.ts";
import { Picture } from "./scene/picture.ts";
import type { Hello, MatchState, Message, Replay, Scene, State } from "./net/protocol.ts";
import { Resets } from "./match/resets.ts";
import { loadSettings, saveSettings, type Settings } from "./settings.ts";
import { Seats } from "./drive/seats.ts";
import { settingsPanel } from "./panels/settings_panel.ts";
import { Share } from "./panels/share.ts";
import { Sound } from "./match/sound.ts";
import { Welcome } from "./panels/welcome.ts";
import { RobotPanel } from "./panels/robot_panel.ts";
import { Roster } from "./panels/roster.ts";
import { lidarsOf } from "./scene/sensors.ts";
import type { Stage } from "./scene/stage.ts";
import { Scoreboard } from "./panels/scoreboard.ts";
import { FrameMeter, Stats } from "./panels/stats.ts";
import { Timeline } from "./lookback/timeline.ts";
import { Toolbar } from "./panels/toolbar.ts";
import { TuningPanel } from "./panels/tuning_panel.ts";
import type { PageMessage } from "./net/wire.ts";

const TICK_MS = 8;
const PANELS_MS = 100;
const SLOW_MS = 1000;

// A simulator that sent nothing for so long does not answer.
const SILENT_MS = 1500;

// A reset while the clock runs is asked for again within this time.
const RESET_SURE_MS = 3000;

// What panels cover at the edges of the picture.
const GAUGES_PX = 46;
const TOOLBAR_GAP_PX = 16;
const BOARD_PANEL_PX = 252;
// A controller at both sides of a low screen, and its buttons at the bottom.
const SIDE_PAD_PX = 144;
const LOW_PAD_PX = 50;

/** A part of the page with a name, for those who do not see it. */
function labelled<T extends HTMLElement>(key: MessageKey, element: T): T {
    element.setAttribute("aria-label", t(key));
    return element;
}

const settings: Settings = loadSettings();
setLanguage(settings.language); // before anything is written
document.documentElement.lang = settings.language;
document.documentElement.dir = directionOf(settings.language);

class Page {
    private readonly canvas = document.querySelector<HTMLCanvasElement>("#view")!;
    private scene: Scene | null = null;
    private state: State | null = null;
    private live: State | null = null; // the newest, also while the past is shown
    private followed = 0;
    private readonly seats = new Seats(() => this.lookBack.isWatching);
    private silentMs = 0; // between the last two states
    private matchBefore: MatchState | null = null; // of the state before the last
    private isNewlyLive = false;
    private pingMs: number | null = null;
    private stateAtMs = 0;
    private resetAskedMs = -Infinity;
    private impactCount = 0;
    private scoreCount = 0;

    private readonly meter = new FrameMeter();
    readonly picture = new Picture(this.canvas, new URLSearchParams(location.search), this.meter, {
        loaded: (stage) => this.showStage(stage),
        refused: () => this.notices.say(t("picture.noWebgl")),
        changed: () => this.showStatus(),
    });
    private readonly latency = new LatencyMeter();
    private readonly link = new Link(
        location.hash.slice(1),
        {
            open: () => this.openSocket(),
            later: (action, ms) => window.setTimeout(action, ms),
            cancel: (timer) => window.clearTimeout(timer),
        },
        { state: (state) => this.linkChanged(state), message: (message) => this.receive(message) },
    );
    private readonly driver = new Driver({
        send: (text) => this.link.send(text),
        sent: (player, sticks, before, now) => this.latency.sent(player, sticks, before, now),
        changed: () => this.ownershipChanged(),
    });
    private readonly hands = new Hands(this.driver, {
        command: (command) => this.run(command),
        freePlayer: () => this.seats.firstFree(this.followed),
        stopKey: (isTaken, isRepeated) => this.stopKey(isTaken, isRepeated),
        lookBackKey: (event) => this.timeline.key(event),
        players: () => this.seats.free(),
        canDrive: () => this.seats.canDrive(),
        pressed: (button) => this.buttonPressed(button),
        noPlayer: () => this.explainNoPlayer(),
        driving: (player) => this.showDriven(player),
        changed: () => this.showPanels(),
    });
    private readonly gestures = new Gestures(
        this.canvas,
        () => this.stage,
        (robot, down) => this.press(robot, down),
    );

    private readonly scoreboard = new Scoreboard();
    private readonly roster = new Roster({
        follow: (robot) => this.follow(robot),
        drive: (player) => this.hands.drive(player),
        release: (player) => this.hands.release(player),
        seatPad: (pad, player) => this.hands.seatPad(pad, player),
    });
    private readonly gauges = new Gauges();
    private readonly lookBack = new LookBack({
        show: (state) => this.showState(state, performance.now()),
        watching: (replay) => this.watchAgain(replay),
        seek: (text) => this.askReplay(text),
        say: (text) => this.notices.say(text),
        changed: () => this.placePicture(),
    });
    private readonly timeline = new Timeline((text) => this.askReplay(text), this.lookBack.actions);
    private readonly phantomPanel = new PhantomPanel();
    private readonly robotPanel = new RobotPanel({
        press: (robot, down) => this.press(robot, down),
        reset: () => this.run("reset"),
        stop: () => this.stopBoard(),
        push: (robot) => this.push(robot),
    });
    private readonly tuningPanel = new TuningPanel((text) => this.link.send(text));
    private readonly stats = new Stats(this.meter);
    private readonly sound = new Sound(settings.muted);
    private readonly help = new Help(settingsPanel(settings, (change) => this.choose(change)));
    private readonly welcome = new Welcome(() => this.choose({ welcomed: true }));
    private readonly prefersLight = matchMedia("(prefers-color-scheme: light)");
    private readonly notices = new Notices(() => this.link.retryNow());
    private readonly toolbar = new Toolbar((command) => this.run(command));
    private readonly share = new Share(
        {
            send: (text) => this.link.send(text),
            named: (name) => {
                this.choose({ name });
                this.link.send(`name ${name}`);
            },
        },
        settings.name,
    );
    private readonly minimap = new Minimap();
    private readonly resets = new Resets();
    private readonly show = new MatchShow({
        pressStart: () => this.pressStart(),
        reset: () => this.reset(true),
        announce: (text) => this.notices.announce(text),
        event: (event) => this.matchEvent(event),
        impact: (impact, strength) => this.impact(impact, strength),
        watchAgain: () => this.run("again"),
        count: (step) => step !== "go" && this.sound.play("tick"),
    });

    start(): void {
        document
            .querySelector("#ui")!
            .append(
                labelled(
                    "players.label",
                    el(
                        "header",
                        "top",
                        this.roster.start,
                        this.scoreboard.root,
                        this.roster.end,
                        this.roster.pads,
                    ),
                ),
                labelled(
                    "robot.label",
                    el(
                        "section",
                        "side",
                        this.robotPanel.faults,
                        this.robotPanel.root,
                        this.tuningPanel.root,
                    ),
                ),
                labelled("gauge.label", this.gauges.root),
                labelled("tool.stats", this.stats.root),
                this.toolbar.root,
                this.lookBack.root,
                this.timeline.root,
                this.phantomPanel.root,
                this.hands.touchpad.root,
                labelled("call.label", this.show.call.root),
                this.show.result.root,
                this.notices.root,
                this.help.root,
                this.welcome.root,
                this.share.root,
                this.minimap.root,
                el("p", "panel watch-mark", t("watch.mark")),
            );
        this.canvas.setAttribute("aria-label", t("picture.label"));
        this.applySettings();
        this.prefersLight.addEventListener("change", () => this.applySettings());
        for (const name of ["keydown", "pointerdown"] as const) {
            window.addEventListener(name, () => this.sound.wake());
        }
        window.addEventListener("keydown", (event) => this.leaveWelcome(event), true);
        window.addEventListener("hashchange", () => this.link.useToken(location.hash.slice(1)));
        window.addEventListener("blur", () => this.letGo());
        window.addEventListener("resize", () => this.placePicture());
        // Rows and scores come with the first states, and the controller when somebody drives: the field makes room for them.
        const panels = new ResizeObserver(() => this.placePicture());
        const side = document.querySelector(".side")!;
        for (const panel of [
            document.querySelector(".top")!,
            side,
            this.hands.touchpad.root,
            this.timeline.root,
            this.phantomPanel.root,
        ]) {
            panels.observe(panel);
        }
        window.setInterval(() => this.tick(), TICK_MS);
        window.setInterval(() => this.showPanels(), PANELS_MS);
        window.setInterval(() => this.everySecond(), SLOW_MS);
        this.link.start();
        this.picture.start();
    }

    // ------------------------------------------------------------------ what people have chosen

    private choose(change: Partial<Settings>): void {
        const isOtherLanguage =
            change.language !== undefined && change.language !== settings.language;
        Object.assign(settings, change);
        saveSettings(settings);
        this.applySettings();
        if (isOtherLanguage) {
            location.reload(); // every word is written anew
        }
    }

    private applySettings(): void {
        const theme =
            settings.theme === "auto"
                ? this.prefersLight.matches
                    ? "light"
                    : "dark"
                : settings.theme;
        document.documentElement.dataset.theme = theme;
        this.stage?.setTheme(theme);
        this.lookBack.setTheme();
        this.sound.setMuted(settings.muted);
        this.hands.sensitivity = settings.sensitivity;
        this.toolbar.mark("sound", !settings.muted);
    }

    /** The first time somebody can drive, four pictures say what to do. */
    private welcomeOnce(): void {
        if (!settings.welcomed && this.scene?.kind === "match" && this.seats.canDrive()) {
            const alliance =
                this.scene.robots.find(
                    (robot) => robot.player === this.seats.firstFree(this.followed),
                )?.alliance ?? "";
            this.welcome.open(alliance, matchMedia("(pointer: coarse)").matches);
        }
    }

    /** Whoever starts to drive has seen enough. */
    private leaveWelcome(event: KeyboardEvent): void {
        if (
            this.welcome.root.open &&
            !["Tab", "Enter", "Space", "Escape", "ShiftLeft", "ShiftRight"].includes(event.code)
        ) {
            this.welcome.root.close();
        }
    }

    /** Of what is pressed with a pointer. */
    private letGo(): void {
        this.gestures.letGo();
        this.robotPanel.letGo();
    }

    // ------------------------------------------------------------------ the connection

    private openSocket(): SocketLike {
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        return new WebSocket(
            `${scheme}//${location.host}/live`,
            subProtocols(location.hash.slice(1)),
        ) as SocketLike;
    }

    private linkChanged(state: LinkState): void {
        this.notices.link(state, location.hash.slice(1));
        this.isNewlyLive = state.kind === "live";
        if (this.isNewlyLive) {
            return;
        }
        this.driver.disconnected();
        this.hands.releaseControls();
        this.letGo();
        this.latency.forget();
        this.seats.players = [];
        this.pingMs = null;
        setClass(document.body, "offline", true);
    }

    private receive(message: Message): void {
        const began = performance.now();
        switch (message.type) {
            case "hello":
                this.meet(message);
                break;
            case "seats":
                this.share.update({ seats: message.seats });
                break;
            case "tunables":
                this.tuningPanel.show(message.tuning);
                break;
            case "reset":
                this.resetHappened(message.player, message.name, began);
                break;
            case "state":
                this.learn(message.state, began);
                break;
            case "players":
                this.seats.players = message.players;
                this.driver.learn(message.players);
                break;
            case "pong":
                if (!this.driver.pong(message.text)) {
                    this.pingMs = began - Number(message.text);
                }
                break;
            case "channels":
            case "plot":
                this.lookBack.receive(message);
                break;
            case "sorry":
                this.notices.say(message.text);
                break;
        }
        this.meter.work(performance.now() - began);
    }

    /** What the program lets this page do. */
    private takeRights(hello: Hello): void {
        this.seats.mayCommand = hello.mayCommand;
        this.seats.seat = hello.seat;
        this.roster.seat = hello.seat;
        this.tuningPanel.setRights(hello.mayCommand && hello.seat === 0);
        if (hello.token !== "" && hello.token !== location.hash.slice(1)) {
            history.replaceState(null, "", `#${hello.token}`); // it came with something that is good only once
            this.link.keepToken(hello.token);
        }
        this.share.update({
            mayCommand: hello.mayCommand,
            isBoard: hello.scene.kind === "board",
            watchers: hello.watchers,
            addresses: hello.addresses,
            players: hello.mayCommand && hello.seat === 0 ? this.seats.drivable() : [],
        });
    }

    private meet(hello: Hello): void {
        const { scene, mayCommand } = hello;
        this.stateAtMs = performance.now();
        const isNew = JSON.stringify(scene) !== JSON.stringify(this.scene);
        this.scene = scene;
        this.seats.robots = scene.robots;
        this.takeRights(hello);
        this.followed = Math.min(this.followed, Math.max(0, scene.robots.length - 1));
        document.title = `${scene.title} · Halyard`;
        setClass(document.body, "empty", false);
        setClass(document.body, "offline", false);
        setClass(document.body, "match", scene.kind === "match");
        this.toolbar.hide("again", scene.replay !== null);
        this.phantomPanel.setPhantoms(scene.phantoms);
        this.scoreboard.setScene(scene);
        setClass(document.body, "watching", !mayCommand);
        this.roster.setScene(scene);
        this.robotPanel.setScene(scene);
        this.minimap.setScene(scene);
        this.stats.setKind(scene.kind);
        const canDrive = this.seats.canDrive();
        this.help.show(scene.replay !== null ? "replay" : scene.kind, canDrive);
        this.toolbar.hide("pad", !canDrive);
        this.hands.touchpad.show(
            canDrive && (this.hands.touchpad.isShown || matchMedia("(pointer: coarse)").matches),
        );
        this.toolbar.hide(
            "lidar",
            scene.kind === "board" && !scene.robots.some((robot) => lidarsOf(robot).length > 0),
        );
        this.toolbar.hide("station", scene.kind === "board");
        this.toolbar.hide("map", scene.kind === "board");
        this.toolbar.hide("share", scene.replay !== null);
        if (isNew) {
            this.state = this.live = null;
            this.lookBack.setScene(scene);
            this.timeline.setReplay(
                scene.replay,
                scene.robots.map((robot) => robot.name),
            );
            setClass(document.body, "replay", scene.replay !== null);
            this.show.setScene(scene);
            this.stage?.setScene(scene);
        }
        // Not when the same connection brings another scene.
        if (this.isNewlyLive && mayCommand) {
            this.driver.connected();
            this.hands.seatWaiting();
            this.welcomeOnce();
            if (settings.name !== "") {
                this.link.send(`name ${settings.name}`);
            }
        } else if (this.isNewlyLive) {
            this.driver.giveUp();
            this.notices.say(t("link.watching"));
            const fault = location.hash.length > 1 ? faultOf(location.hash.slice(1)) : null;
            if (fault !== null) {
                this.notices.say(fault);
            }
        }
        this.isNewlyLive = false;
        this.placePicture();
        this.showPanels();
    }

    private learn(state: State, now: number): void {
        this.silentMs = now - this.stateAtMs;
        this.stateAtMs = now;
        this.live = state;
        if (!this.lookBack.take(state)) {
            this.showState(state, now);
        }
    }

    private showState(state: State, now: number): void {
        const isFirst = this.state === null;
        this.matchBefore = this.state?.match ?? null;
        this.state = state;
        if (isFirst) {
            this.showPanels(); // what can be clicked stands in its place from now on
        }
        if (state.replay === null) {
            this.show.see(state); // what happens in a recording has happened
        } else {
            this.timeline.show(state.replay.at, state.replay.pace, now);
        }
        this.stage?.apply(state, now);
        this.scene?.robots.forEach((robot, index) => {
            const drive = state.robots[index]?.drive;
            if (robot.player > 0 && drive !== undefined) {
                this.latency.seen(robot.player, drive, now);
            }
        });
    }

    // ------------------------------------------------------------------ looking back

    /** What the time line wants: of what is watched again, or of the recording that the program shows. */
    private askReplay(text: PageMessage): void {
        if (!this.lookBack.obey(text)) {
            this.link.send(text);
        }
    }

    /** The past is shown instead of the present; null: the present again. */
    private watchAgain(replay: Replay | null): void {
        if (replay !== null) {
            this.driver.owned().forEach((player) => this.hands.release(player));
            this.show.result.hide();
            this.notices.say(t("again.began"));
        }
        this.timeline.setReplay(replay, this.scene?.robots.map((robot) => robot.name) ?? []);
        setClass(document.body, "replay", replay !== null);
        setClass(document.body, "again", replay !== null);
        this.toolbar.mark("again", replay !== null);
        this.placePicture();
    }

    // ------------------------------------------------------------------ the picture

    private get stage(): Stage | null {
        return this.picture.stage;
    }

    private showStage(stage: Stage): void {
        stage.onModelRefused = (why, address) =>
            this.notices.say(t(`model.${why}`, { name: address.slice(1) }));
        if (this.scene !== null) {
            stage.setScene(this.scene);
        }
        stage.followed = this.followed;
        stage.holder = (piece) => this.show.holder(piece);
        this.showOwn();
        this.applySettings();
        this.placePicture();
    }

    /** Keeps the field clear of the panels. */
    private placePicture(): void {
        const isPhone = window.innerWidth < 700;
        const isLow = !isPhone && window.innerHeight <= 480; // a phone that lies: its controller stands at both sides
        const isBoard = this.scene?.kind === "board";
        const pad = this.hands.touchpad.isShown && !this.lookBack.isWatching;
        setClass(document.body, "pad", pad);
        const side = document.querySelector<HTMLElement>(".side")!;
        const panel =
            isPhone && isBoard && side.offsetHeight > 0
                ? window.innerHeight - side.offsetTop + 4
                : 0;
        const top = document.querySelector<HTMLElement>(".top")!;
        const gauges = isPhone || isLow ? 0 : GAUGES_PX;
        const timeline = this.timeline.heightPx;
        setStyle(document.body, "--timeline", `${timeline}px`);
        const race = isPhone ? this.phantomPanel.root : top; // it stands below the scores there
        this.stage?.setInsets({
            top: Math.max(top.offsetTop + top.offsetHeight, race.offsetTop + race.offsetHeight) + 4,
            right: isLow
                ? pad
                    ? SIDE_PAD_PX
                    : 8
                : isPhone
                  ? 0
                  : this.toolbar.root.offsetWidth + TOOLBAR_GAP_PX,
            bottom: Math.max(
                this.lookBack.heightPx,
                timeline,
                pad ? (isLow ? LOW_PAD_PX : this.hands.touchpad.root.offsetHeight + 12) : 0,
                panel,
                gauges,
            ),
            left:
                isLow && pad ? SIDE_PAD_PX : isBoard && !isPhone ? BOARD_PANEL_PX : isPhone ? 0 : 8,
        });
    }

    // ------------------------------------------------------------------ the panels

    private showPanels(): void {
        const began = performance.now();
        const followed = this.followed;
        const model = this.scene?.robots[followed];
        const robot = this.state?.robots[followed];
        this.scoreboard.update(this.state?.match ?? null, this.show.phase);
        this.roster.update(
            this.seats.players,
            this.state?.robots ?? [],
            this.driver.owned(),
            this.hands.active,
            followed,
        );
        this.roster.showPads(this.hands.padSeats());
        if (this.scene?.kind === "board") {
            this.robotPanel.update(followed, model, robot);
        }
        this.phantomPanel.update(this.state);
        setClass(this.gauges.root, "hidden", this.scene?.kind !== "match");
        if (this.scene?.kind === "match") {
            this.gauges.update(
                model,
                robot,
                this.latency.medianMs(),
                this.driver.owned().length > 0,
                this.show.aboard(followed),
            );
        }
        this.showStatus();
        this.show.show(this.situation());
        const own = this.state?.robots[this.activeRobot()];
        this.sound.hear(this.isSilent() ? [] : (own?.drive ?? []), own?.intake ?? []);
        if (this.stage !== null) {
            this.stage.loaded = this.show.aboard(this.activeRobot()) > 0 ? this.activeRobot() : -1;
        }
        this.toolbar.mark("pad", this.hands.touchpad.isShown);
        this.toolbar.mark("map", this.minimap.isOn);
        const isNear =
            this.stage !== null && this.stage.view !== "home" && this.stage.view !== "top";
        this.minimap.update(this.state, isNear, { followed, own: this.stage?.own ?? new Set() });
        for (const view of ["home", "top", "orbit", "chase", "first", "station"] as const) {
            this.toolbar.mark(view, this.stage?.view === view);
        }
        this.meter.work(performance.now() - began);
    }

    /** What keeps the picture from being the truth, in one sentence that stays while it is so. */
    private statusKey(): MessageKey | null {
        const ofPicture = this.picture.statusKey(performance.now());
        if (ofPicture !== null) {
            return ofPicture;
        }
        if (document.body.classList.contains("offline")) {
            return null;
        }
        if (this.scene?.kind !== "match") {
            return this.live?.robots.some((robot) => robot.stopped === true) === true
                ? "stop.held"
                : null;
        }
        if (this.state === null) {
            return "sim.waiting";
        }
        return this.isSilent() ? "sim.silent" : null;
    }

    private showStatus(): void {
        const key = this.statusKey();
        this.notices.setStatus(key === null ? "" : t(key));
    }

    private isSilent(): boolean {
        return this.scene?.kind === "match" && performance.now() - this.stateAtMs > SILENT_MS;
    }

    /** The robot that this page drives with its keys, from 0; -1: none. */
    private activeRobot(): number {
        const player = this.driver.owns(this.hands.active) ? this.hands.active : 0;
        return player === 0 ? -1 : this.seats.robotOf(player);
    }

    private situation(): Situation {
        const isTouch =
            this.hands.touchpad.isShown &&
            this.hands.device === "keys" &&
            matchMedia("(pointer: coarse)").matches;
        return {
            canDrive: this.seats.canDrive(),
            drives: this.driver.owned().length > 0,
            device: isTouch ? "touch" : this.hands.device,
            isSilent: this.isSilent(),
            robot: this.activeRobot(),
            player: this.hands.active,
        };
    }

    // ------------------------------------------------------------------ what happens in a match

    private matchEvent(event: MatchEvent): void {
        if (event.kind === "reset") {
            const sentence = this.resets.sentence(
                this.silentMs,
                this.matchBefore,
                this.driver.owned(),
                this.stateAtMs,
            );
            if (sentence !== null) {
                this.notices.say(sentence);
            }
        } else if (event.kind === "score") {
            this.scoreCount++;
            this.scoreboard.pop(event.alliance);
            this.stage?.score(event.alliance);
            this.hands.rumble(0, 0.5, 250);
            this.sound.play("score");
        } else if (event.kind === "aboard") {
            if (this.driver.owns(this.scene?.robots[event.robot]?.player ?? 0)) {
                this.sound.play("aboard");
            }
        } else if (event.kind === "start" || event.kind === "over" || event.kind === "ten") {
            this.sound.play(event.kind);
            this.hands.rumble(0, event.kind === "ten" ? 0.3 : 0.8, 500);
        }
    }

    private impact(impact: Impact, strength: number): void {
        this.impactCount++;
        this.sound.play("impact", strength);
        this.stage?.impact(impact.x, impact.y, strength);
        this.hands.rumble(this.scene?.robots[impact.robot]?.player ?? -1, strength, 120);
    }

    private pressStart(): void {
        this.hands.pulse("start");
    }

    /** Start and Guide are the robot's program's, but for a start that is counted down and a reset that is asked for. */
    private buttonPressed(button: "start" | "guide"): boolean {
        if (button === "start") {
            return this.show.startPressed(performance.now());
        }
        return !this.mayReset();
    }

    /** While the clock runs a reset takes two presses. */
    private mayReset(): boolean {
        const now = performance.now();
        const isSure = this.show.phase !== "running" || now - this.resetAskedMs < RESET_SURE_MS;
        this.resetAskedMs = isSure ? -Infinity : now;
        if (!isSure) {
            this.notices.say(t("reset.confirm"));
        }
        return isSure;
    }

    private everySecond(): void {
        this.link.send(`ping ${performance.now().toFixed(1)}`);
        const render = this.stage?.stats() ?? { calls: 0, triangles: 0, scale: 0 };
        const { messages, bytes, dropped } = this.link;
        this.stats.update(
            {
                ...render,
                messages,
                bytes,
                dropped,
                pingMs: this.pingMs,
                sim: this.state?.sim ?? null,
                stickMs: this.latency.medianMs(),
            },
            performance.now(),
        );
    }

    private tick(): void {
        const began = performance.now();
        this.hands.tick(began);
        this.show.tick(began);
        this.meter.work(performance.now() - began);
    }

    // ------------------------------------------------------------------ commands

    private explainNoPlayer(): void {
        const isPast = this.lookBack.isWatching || (this.scene?.replay ?? null) !== null;
        if (this.scene !== null) {
            // else nobody knows yet
            this.notices.say(
                t(
                    isPast
                        ? "replay.nobodyDrives"
                        : this.seats.mayCommand
                          ? this.whoDrivesKey()
                          : "link.watching",
                ),
            );
        }
    }

    /** Why nobody can be driven from here: a board's robot is driven by its program, in a terminal. */
    private whoDrivesKey(): MessageKey {
        const robot = this.live?.robots[this.followed];
        if (this.scene?.kind === "match") {
            return "seat.allTaken";
        }
        return robot?.driven !== true
            ? "board.noProgram"
            : robot.enabled === true
              ? "board.drives"
              : robot.stopped === true
                ? "stop.held"
                : "board.enable";
    }

    // ------------------------------------------------------------------ stopping

    /** Space stops, wherever the focus is, as long as a robot is enabled; else it presses what has the focus. */
    private stopKey(isTaken: boolean, isRepeated: boolean): boolean {
        if (
            this.scene === null ||
            this.scene.replay !== null ||
            (isTaken && !this.isLiveEnabled())
        ) {
            return false;
        }
        if (!isRepeated && this.scene.kind === "board") {
            this.stopBoard();
        } else if (!isRepeated && this.seats.mayCommand) {
            this.hands.stop();
            this.notices.say(t("stop.sticks"));
        }
        return true;
    }

    private isLiveEnabled(): boolean {
        return (
            this.scene?.kind === "board" &&
            this.live?.robots.some((robot) => robot.enabled === true) === true
        );
    }

    /** Sent in any case: what this page shows may be old. */
    private stopBoard(): void {
        this.link.send("stop");
        this.notices.say(
            t(
                !this.seats.mayCommand
                    ? "stop.watcher"
                    : this.isLiveEnabled()
                      ? "stop.done"
                      : "stop.already",
            ),
        );
    }

    private resetHappened(player: number, name: string, now: number): void {
        if (player > 0) {
            this.resets.pressed(player, name, now);
        } else {
            this.notices.say(t(this.isLiveEnabled() ? "reset.drivesOn" : "reset.done"));
        }
    }

    /** Whoever drives a robot sees it, whomever the page followed before. */
    private showDriven(player: number): void {
        const why = this.show.whyDead(
            player,
            this.seats.players.find((status) => status.player === player),
        );
        if (why !== null) {
            this.notices.say(why);
        }
        const robot = this.seats.robotOf(player);
        if (robot >= 0 && robot !== this.followed) {
            this.follow(robot);
        }
    }

    /** One's own robots are shown as of now. */
    private showOwn(): void {
        if (this.stage !== null) {
            const robots = this.scene?.robots ?? [];
            this.stage.own = new Set(
                robots.flatMap((robot, index) => (this.driver.owns(robot.player) ? [index] : [])),
            );
        }
    }

    private ownershipChanged(): void {
        this.showOwn();
        const index = this.seats.robotOf(this.hands.active);
        if (index >= 0 && this.driver.owns(this.hands.active)) {
            this.follow(index);
        }
    }

    private follow(robot: number): void {
        if (robot >= 0) {
            this.followed = robot;
            if (this.stage !== null) {
                this.stage.followed = robot;
            }
            if (this.driver.owns(this.scene?.robots[robot]?.player ?? 0)) {
                this.hands.active = this.scene!.robots[robot]!.player;
            }
            this.showPanels();
        }
    }

    private press(robot: number, down: boolean): void {
        this.link.send(`button ${robot + 1} ${down ? "down" : "up"}`);
    }

    /** The robot was moved while it calibrated its gyro. */
    private push(robot: number): void {
        this.link.send(`push ${robot + 1}`);
        this.notices.say(t(this.seats.mayCommand ? "robot.pushed" : "link.watching"));
    }

    /** `isSure`: nobody needs to be asked. */
    private reset(isSure = false): void {
        if (!this.seats.mayCommand) {
            this.notices.say(t("reset.watcher"));
        } else if (this.scene?.kind === "board") {
            this.link.send("reset");
        } else if (isSure || this.mayReset()) {
            this.resetMatch();
        }
    }

    /** The reset is a button of a controller: without a robot of one's own, the first free one's is pressed. */
    private resetMatch(): void {
        if (!this.hands.pulse("guide")) {
            const player = this.seats.firstFree(this.followed);
            if (player > 0) {
                this.hands.drive(player);
                this.hands.pulse("guide");
            } else {
                this.notices.say(t("reset.driveFirst"));
            }
        }
    }

    private run(command: Command): void {
        switch (command) {
            case "home":
            case "top":
            case "orbit":
            case "chase":
            case "first":
            case "station":
                this.stage?.show(command);
                break;
            case "follow":
                this.follow((this.followed + 1) % Math.max(1, this.scene?.robots.length ?? 1));
                break;
            case "lidar":
                this.toolbar.mark("lidar", this.stage?.toggleLidar() ?? true);
                break;
            case "sound":
                this.choose({ muted: !settings.muted });
                break;
            case "map":
                this.minimap.toggle();
                break;
            case "share":
                this.share.toggle();
                break;
            case "pad":
                this.hands.touchpad.show(!this.hands.touchpad.isShown);
                this.placePicture();
                break;
            case "plots":
                void this.lookBack
                    .togglePlots()
                    .then(() => this.toolbar.mark("plots", this.lookBack.isPlotting));
                break;
            case "trail":
                this.toolbar.mark("trail", this.stage?.toggleTrail() ?? false);
                break;
            case "again":
                this.lookBack.toggle();
                break;
            case "stats":
                this.stats.toggle();
                break;
            case "help":
                this.help.toggle();
                break;
            case "fullscreen":
                void (document.fullscreenElement === null
                    ? document.documentElement.requestFullscreen()
                    : document.exitFullscreen());
                break;
            case "reset":
                this.reset();
                break;
        }
        this.showPanels();
    }

    /** For tests: where on the picture a robot's user button is. */
    buttonPlace(robot: number): { x: number; y: number } | null {
        return this.stage?.buttonPlace(robot) ?? null;
    }

    /** For tests: where things are on the screen. */
    layout(): unknown {
        return this.stage?.layout() ?? null;
    }

    /** For tests: what cannot be read off the page. */
    numbers(): Record<string, unknown> {
        return {
            scriptMs: this.meter.scriptMs(),
            frameMs: this.meter.frameMs(),
            messageMs: this.meter.messageMs(),
            fps: this.meter.fps(),
            frames: this.meter.count,
            ...this.stage?.stats(),
            stickMs: this.latency.medianMs(),
            stickSamples: this.latency.count(),
            robots: this.state?.robots.map((robot) => robot.at) ?? [],
            drive: this.state?.robots.map((robot) => robot.drive) ?? [],
            pieces: this.state?.pieces ?? [],
            match: this.state?.match ?? null,
            phase: this.show.phase,
            impacts: this.impactCount,
            scores: this.scoreCount,
            played: [...this.sound.played],
            aboard: this.show.aboard(this.activeRobot()),
            sim: this.state?.sim ?? null,
            replay: this.state?.replay ?? null,
            trail: this.stage?.trailPoints() ?? 0,
            programPoses: this.stage?.programPoses() ?? [],
            ...this.lookBack.numbers(),
            phantoms: this.state?.phantoms ?? [],
            run: this.state?.run ?? null,
            lidarPoints: this.stage?.lidarPoints() ?? 0,
            ranges: this.state?.robots.map((robot) => robot.range ?? null) ?? [],
            owned: this.driver.owned(),
            messages: this.link.messages,
            dropped: this.link.dropped,
            connections: this.link.connections,
            hushed: this.driver.isHushed,
        };
    }
}

const page = new Page();
page.start();
Object.assign(window, {
    halyard: {
        numbers: () => page.numbers(),
        buttonPlace: (robot: number) => page.buttonPlace(robot),
        layout: () => page.layout(),
        setStill: (on: boolean, isBest = true) => page.picture.setStill(on, isBest),
    },
});
