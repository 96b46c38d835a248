// All panels, and where they stand in the document. What they do goes to the actions; what they show is the store's.
import { el } from "../dom.ts";
import type { Command } from "../drive/keys.ts";
import type { Hands } from "../drive/hands.ts";
import type { Orders } from "../drive/orders.ts";
import type { LookBack } from "../lookback/look_back.ts";
import type { MatchShow } from "../match/match_show.ts";
import { t, type MessageKey } from "../messages.ts";
import type { PageMessage } from "../net/wire.ts";
import type { Store } from "../store.ts";
import { Frame, type Insets } from "./frame.ts";
import { Gauges } from "./gauges.ts";
import { Help } from "./help.ts";
import { Minimap } from "./minimap.ts";
import { Notices } from "./notices.ts";
import type { Panel } from "./panel.ts";
import { PhantomPanel } from "./phantom_panel.ts";
import { RobotPanel } from "./robot_panel.ts";
import { Roster } from "./roster.ts";
import { Scoreboard } from "./scoreboard.ts";
import { settingsPanel } from "./settings_panel.ts";
import { Share } from "./share.ts";
import { Stats, type Counters, type FrameMeter } from "./stats.ts";
import { Toolbar } from "./toolbar.ts";
import { TuningPanel } from "./tuning_panel.ts";
import { Welcome } from "./welcome.ts";

export interface PanelActions {
    run(command: Command): void;
    follow(robot: number): void;
    send(text: PageMessage): void;
    /** To connect now, and not when it is time again. */
    retry(): void;
    /** The token of the page's address. */
    token(): string;
    counters(): Counters;
    /** The part of the picture that is free of panels is another one. */
    moved(insets: Insets): void;
}

/** Parts of the page that panels belong to, or talk to. */
export interface PanelParts {
    meter: FrameMeter;
    show: MatchShow;
    lookBack: LookBack;
    orders: Orders;
    hands: Hands;
}

/** A part of the page with a name, for those who do not see it. */
function labelled<T extends HTMLElement>(key: MessageKey, element: T): T {
    element.setAttribute("aria-label", t(key));
    return element;
}

export class Panels implements Panel {
    readonly notices: Notices;
    readonly scoreboard: Scoreboard;
    readonly robot: RobotPanel;
    readonly stats: Stats;
    readonly help: Help;
    readonly welcome: Welcome;
    readonly share: Share;
    frame: Frame | null = null;
    private readonly roster: Roster;
    private readonly gauges: Gauges;
    private readonly phantoms: PhantomPanel;
    private readonly tuning: TuningPanel;
    private readonly toolbar: Toolbar;
    private readonly minimap: Minimap;
    private readonly all: Panel[];

    constructor(
        private readonly store: Store,
        private readonly actions: PanelActions,
        private readonly parts: PanelParts,
    ) {
        this.notices = new Notices(store, actions.token, actions.retry);
        this.scoreboard = new Scoreboard(store, parts.show);
        this.roster = new Roster(store, parts.hands, actions.follow);
        this.gauges = new Gauges(store, parts.show);
        this.phantoms = new PhantomPanel(store);
        this.robot = new RobotPanel(store, parts.orders);
        this.tuning = new TuningPanel(store, actions.send);
        this.stats = new Stats(store, parts.meter, actions.counters);
        this.help = new Help(store, settingsPanel(store));
        this.welcome = new Welcome(store);
        this.toolbar = new Toolbar(store, actions.run);
        this.share = new Share(store, actions);
        this.minimap = new Minimap(store);
        this.all = [
            this.scoreboard,
            this.roster,
            this.robot,
            this.phantoms,
            this.gauges,
            this.tuning,
            this.notices,
            this.toolbar,
            this.minimap,
            this.share,
            this.help,
            this.stats,
            parts.lookBack.timeline,
        ];
    }

    /** Puts them into the document. */
    place(ui: HTMLElement): void {
        const { show, lookBack, hands } = this.parts;
        const { timeline } = lookBack;
        const { roster, scoreboard, robot } = this;
        const top = el("header", "top", roster.start, scoreboard.root, roster.end, roster.pads);
        const side = el("section", "side", robot.faults, robot.root, this.tuning.root);
        ui.append(
            labelled("players.label", top),
            labelled("robot.label", side),
            labelled("gauge.label", this.gauges.root),
            labelled("tool.stats", this.stats.root),
            this.toolbar.root,
            lookBack.root,
            timeline.root,
            this.phantoms.root,
            hands.touchpad.root,
            labelled("call.label", show.call.root),
            show.result.root,
            this.notices.root,
            this.help.root,
            this.welcome.root,
            this.share.root,
            this.minimap.root,
            el("p", "panel watch-mark", t("watch.mark")),
        );
        const measured = {
            top,
            race: this.phantoms.root,
            timeline: timeline.root,
            plots: lookBack.root,
            pad: hands.touchpad.root,
            side,
        };
        this.frame = new Frame(this.store, ui, measured, this.actions.moved);
        this.all.push(this.frame);
    }

    update(): void {
        this.parts.hands.touchpad.show(this.store.shows.pad);
        this.all.forEach((panel) => panel.update());
    }
}
