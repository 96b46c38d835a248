// The list of players: who drives each, how its link does; the place to take one over.
import type { PlayerStatus, RobotState, Scene } from "../net/protocol.ts";
import { button, el, setClass, setLabel, setText } from "../dom.ts";
import { t } from "../messages.ts";
import type { PadSeat, Store } from "../store.ts";
import { milliseconds, quoted } from "../text.ts";
import type { Panel } from "./panel.ts";

export interface RosterEvents {
    drive(player: number): void;
    release(player: number): void;
    seatPad(pad: number, player: number): void;
}

interface Row {
    player: number;
    root: HTMLElement;
    link: HTMLElement;
    owner: HTMLElement;
    latency: HTMLElement;
    battery: HTMLElement;
    drive: HTMLButtonElement;
}

// Longer names take a line of their own in a narrow row.
const SHORT_NAME = 4;

const OWNER = {
    you: "seat.you",
    other: "seat.other",
    nobody: "seat.free",
    bot: "seat.bot",
} as const;

/** The core answers the page that drives, and the sim hears it: where either is missing, the robot does not obey. */
function isCoreThere(status: PlayerStatus | undefined): boolean | null {
    const seen = new Set([status?.core ?? null, status?.heard ?? null]);
    return seen.has(false) ? false : seen.has(true) ? true : null;
}

function lampTitle(status: PlayerStatus | undefined): string {
    const word = (value: boolean | null | undefined): string =>
        t(
            value === null || value === undefined
                ? "word.unknown"
                : value
                  ? "word.connected"
                  : "word.disconnected",
        );
    const loss = status?.loss ?? null;
    const rate = status?.coreRateHz ?? null;
    const heard =
        status?.heard === true && rate !== null ? t("seat.rate", { rate: rate.toFixed(0) }) : "";
    return t("seat.link", {
        sim: word(status?.sim),
        core: word(isCoreThere(status)),
        rate: heard,
        loss: loss === null ? t("word.unknown") : `${(loss * 100).toFixed(1)} %`,
    });
}

export class Roster implements Panel {
    /** Blue's players, and everybody else's: beside the score. */
    readonly start = el("div", "rows start");
    readonly end = el("div", "rows end");
    readonly pads = el("div", "pads");
    private rows: Row[] = [];
    private players: number[] = [];
    private isReplay = false;
    private padText = "";
    private scene: Scene | null = null;

    constructor(
        private readonly store: Store,
        private readonly events: RosterEvents,
        private readonly follow: (robot: number) => void,
    ) {
        for (const list of [this.start, this.end]) {
            list.setAttribute("role", "group");
            list.setAttribute("aria-label", t("seat.list"));
        }
    }

    private setScene(scene: Scene): void {
        this.scene = scene;
        this.rows = scene.robots.map((robot, index) =>
            this.makeRow(robot.player, robot.name, robot.alliance, index),
        );
        this.players = scene.robots.map((r) => r.player).filter((p) => p > 0);
        this.isReplay = scene.replay !== null;
        const isBlue = (index: number): boolean =>
            scene.robots[index]!.alliance.toLowerCase() === "blue";
        this.start.replaceChildren(
            ...this.rows.filter((_, index) => isBlue(index)).map((row) => row.root),
        );
        this.end.replaceChildren(
            ...this.rows.filter((_, index) => !isBlue(index)).map((row) => row.root),
        );
        for (const list of [this.start, this.end]) {
            setClass(list, "hidden", scene.kind === "board");
        }
    }

    private makeRow(player: number, name: string, alliance: string, index: number): Row {
        const link = el("i", "lamp");
        const owner = el("span", "owner");
        const latency = el("span", "latency");
        const battery = el("span", "battery");
        const row: Row = {
            player,
            link,
            owner,
            latency,
            battery,
            drive: button("drive", t("seat.drive"), t("seat.driveTitle", { player }), () =>
                this.toggle(row),
            ),
            root: el("div", `row ${alliance.toLowerCase()}`),
        };
        const who = button("who", "", t("seat.followTitle", { name }), () => this.follow(index));
        who.removeAttribute("aria-label"); // what it contains says more: number, name, who drives
        who.append(
            el("b", "badge-number", player > 0 ? String(player) : "·", link),
            el("span", "name", name),
            el("span", "below", owner, latency, battery),
        );
        row.root.append(who, row.drive);
        setClass(row.root, "undrivable", player <= 0);
        setClass(row.root, "long", name.length > SHORT_NAME);
        return row;
    }

    /** Who drives it: by name, where a name was given. Always text, never markup. */
    private ownerOf(status: PlayerStatus | undefined, mine: boolean): string {
        const owner = mine
            ? "you"
            : status === undefined || status.owner === "you"
              ? "nobody"
              : status.owner;
        return owner === "other" && status!.name !== "" ? status!.name : t(OWNER[owner]);
    }

    /** One's own, as the gauges have it: it contains the link's, which is all that is known of others. */
    private latencyOf(status: PlayerStatus | undefined, mine: boolean): string {
        if (status === undefined || status.owner === "nobody" || status.owner === "bot") {
            return ""; // what was measured of its link is of another time
        }
        return milliseconds((mine ? this.store.stickMs : null) ?? status.latencyMs);
    }

    private toggle(row: Row): void {
        if (this.store.drives(row.player)) {
            this.events.release(row.player);
        } else {
            this.events.drive(row.player);
        }
    }

    /** A brownout takes the place of the rest: the robot does nothing. */
    private showBattery(row: Row, robot: RobotState | undefined): void {
        const volts = robot?.battery === undefined ? "" : `${robot.battery.toFixed(1)} V`;
        setText(row.battery, robot?.brownout === true ? t("robot.brownout") : volts);
        setClass(row.root, "off", robot?.brownout === true);
        row.battery.title = volts;
    }

    update(): void {
        const { scene, pads } = this.store;
        if (scene !== null && scene !== this.scene) {
            this.setScene(scene);
        }
        this.showRows();
        this.showPads(pads);
    }

    private showRows(): void {
        const { followed, active, seats } = this.store;
        const robots = this.store.shown?.robots ?? [];
        this.rows.forEach((row, index) => {
            setClass(row.root, "hidden", robots[index] === undefined); // not in the match yet
            setClass(row.root, "followed", index === followed);
            this.showBattery(row, robots[index]);
            if (row.player <= 0) {
                // its own program drives it
                const enabled = robots[index]?.enabled;
                const isUnknown = enabled === undefined && !this.isReplay; // of a match's robots it is not recorded
                setText(
                    row.owner,
                    isUnknown
                        ? t("word.unknown")
                        : enabled === undefined
                          ? ""
                          : t(enabled ? "word.enabled" : "word.disabled"),
                );
                setClass(row.root, "lost", isUnknown);
                setText(row.latency, this.isReplay ? "" : t("seat.ownProgram"));
                setClass(row.link, "good", enabled === true);
                row.link.title = row.owner.textContent ?? "";
                return;
            }
            const status = seats.players.find((p) => p.player === row.player);
            const mine = this.store.drives(row.player);
            const connected =
                status?.sim === false || isCoreThere(status) === false
                    ? false
                    : (status?.sim ?? null);
            setText(row.owner, this.ownerOf(status, mine));
            setText(row.latency, this.latencyOf(status, mine));
            setText(row.drive, t(mine ? "seat.release" : "seat.drive"));
            setLabel(
                row.drive,
                t(mine ? "seat.releaseTitle" : "seat.driveTitle", { player: row.player }),
            );
            row.drive.disabled =
                (!mine && status?.owner === "other") ||
                (this.store.seats.seat > 0 && row.player !== this.store.seats.seat);
            row.link.title = lampTitle(status);
            setClass(row.link, "good", connected === true);
            setClass(row.link, "bad", connected === false);
            setClass(row.root, "mine", mine);
            setClass(row.root, "active", mine && row.player === active);
        });
    }

    /** A pad whose layout is not the standard one drives nobody, and a sentence says so. */
    private showPads(seats: readonly PadSeat[]): void {
        const text = JSON.stringify([seats, this.players]);
        if (text === this.padText) {
            return;
        }
        this.padText = text;
        const shown = this.players.length > 0 ? seats : []; // else nobody can be driven
        this.pads.replaceChildren(
            ...shown.map(({ pad, player, name, isStandard }) => {
                if (!isStandard) {
                    return el(
                        "p",
                        "panel seat other",
                        t("pad.notStandard", { number: pad + 1, name: quoted(name) }),
                    );
                }
                const select = el("select");
                select.append(
                    new Option(t("pad.nobody"), "0"),
                    ...this.players.map(
                        (p) => new Option(t("pad.player", { player: p }), String(p)),
                    ),
                );
                select.value = String(player);
                select.setAttribute("aria-label", t("pad.select", { number: pad + 1 }));
                select.addEventListener("change", () =>
                    this.events.seatPad(pad, Number(select.value)),
                );
                const label = el("span", "", t("pad.name", { number: pad + 1 }));
                label.title = quoted(name);
                return el("label", "panel seat", label, select);
            }),
        );
    }
}
