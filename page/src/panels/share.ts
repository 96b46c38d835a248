// Other people in this match: QR codes to watch, seats that are given away and taken back, the name that others see.
import { button, el, setClass, setText } from "../dom.ts";
import { t } from "../messages.ts";
import type { Seat } from "../net/protocol.ts";
import {
    cleanName,
    linkTo,
    listenOption,
    NAME_CHARACTERS,
    reachableHosts,
    type Place,
} from "./share_links.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
import type { PageMessage } from "../net/wire.ts";

/** What is drawn of the store. */
interface ShareState {
    mayCommand: boolean;
    isBoard: boolean;
    /** Players that seats can be given for; none unless this page has the whole token. */
    players: readonly number[];
    watchers: boolean;
    addresses: string;
    seats: readonly Seat[];
}

function stateOf({
    seats,
    isBoard,
    hasWholeToken,
    watchers,
    addresses,
    invitations,
}: Store): ShareState {
    const players = hasWholeToken ? seats.drivable() : [];
    return {
        mayCommand: seats.mayCommand,
        isBoard,
        players,
        watchers,
        addresses,
        seats: invitations,
    };
}

export interface ShareEvents {
    send(text: PageMessage): void;
}

export class Share implements Panel {
    readonly root = el("dialog", "share");
    private readonly sheet = el("div", "sheet");
    private state: ShareState = {
        mayCommand: false,
        isBoard: false,
        players: [],
        watchers: false,
        addresses: "",
        seats: [],
    };
    private shown = 0; // the player whose seat is shown as a code; 0: the code to watch
    private drawn = "";

    constructor(
        private readonly store: Store,
        private readonly events: ShareEvents,
        private readonly place: Place = location,
    ) {
        this.root.setAttribute("aria-labelledby", "share-title");
        this.root.append(this.sheet);
        this.root.addEventListener("click", (event) => {
            if (event.target === this.root) {
                this.root.close();
            }
        });
    }

    update(): void {
        if (this.root.open) {
            this.draw();
        }
    }

    toggle(): void {
        if (this.root.open) {
            this.root.close();
            return;
        }
        this.shown = 0;
        this.drawn = "";
        this.draw();
        this.root.showModal();
    }

    private draw(): void {
        this.state = stateOf(this.store);
        const text = JSON.stringify([this.state, this.shown]);
        if (text === this.drawn) {
            return;
        }
        this.drawn = text;
        const title = el("h2", "", t("share.title"));
        title.id = "share-title";
        const close = button("close", "×", t("help.close"), () => this.root.close());
        const parts: HTMLElement[] = [title, close];
        if (this.state.mayCommand) {
            parts.push(this.nameField());
        }
        parts.push(el("h3", "", t("share.watch")), this.watchPart());
        if (this.state.players.length > 0) {
            parts.push(
                el("h3", "", t("share.seats")),
                el("p", "", t("share.seatsNote")),
                this.seatList(),
            );
        }
        this.sheet.replaceChildren(...parts);
    }

    private nameField(): HTMLElement {
        const input = el("input", "name-field");
        input.type = "text";
        input.value = this.store.settings.name;
        input.maxLength = 2 * NAME_CHARACTERS; // it counts halves of characters
        input.setAttribute("autocomplete", "nickname");
        const refusal = el("small", "refusal");
        refusal.setAttribute("role", "alert");
        input.addEventListener("change", () => {
            const name = cleanName(input.value);
            const isRefused = name === "" && input.value !== "";
            setText(refusal, isRefused ? t("share.nameRefused") : "");
            if (!isRefused) {
                input.value = name;
                this.store.choose({ name });
                this.events.send(`name ${name}`);
            }
        });
        return el("label", "name-label", t("share.name"), input, refusal);
    }

    private watchPart(): HTMLElement {
        if (!this.state.watchers) {
            return el(
                "p",
                "sentence",
                t(this.state.isBoard ? "share.noBoardWatchers" : "share.noWatchers"),
            );
        }
        return this.code("", t("share.watchCode"));
    }

    /** A QR code and its address, or why there is none. */
    private code(token: string, label: string): HTMLElement {
        const [host] = reachableHosts(this.place, this.state.addresses);
        if (host === undefined) {
            return el(
                "p",
                "sentence",
                t("share.loopback", { option: listenOption(this.place, this.state.isBoard) }),
            );
        }
        const link = linkTo(this.place, host, token);
        const address = el("a", "address", link);
        address.href = link;
        const part = el("div", "code", address);
        void import("./qr_code.ts").then(({ qrPicture }) => part.prepend(qrPicture(link, label)));
        return part;
    }

    private seatList(): HTMLElement {
        const list = el("ul", "seats");
        for (const player of this.state.players) {
            const seat = this.state.seats.find((one) => one.player === player);
            const row = el(
                "li",
                "",
                el("span", "", t("pad.player", { player }), el("small", "", this.seatWord(seat))),
            );
            row.append(
                button("", t("share.show"), t("share.showTitle", { player }), () =>
                    this.showSeat(player),
                ),
            );
            const revoke = button("", t("share.revoke"), t("share.revokeTitle", { player }), () =>
                this.revoke(player),
            );
            setClass(revoke, "hidden", seat === undefined);
            row.append(revoke);
            list.append(row);
            if (this.shown === player && seat !== undefined) {
                list.append(
                    el("li", "shown", this.code(seat.token, t("share.seatCode", { player }))),
                );
            }
        }
        return list;
    }

    private seatWord(seat: Seat | undefined): string {
        return seat === undefined ? "" : t(seat.used ? "share.used" : "share.unused");
    }

    private showSeat(player: number): void {
        this.shown = this.shown === player ? 0 : player;
        if (!this.state.seats.some((seat) => seat.player === player)) {
            this.events.send(`invite ${player}`); // its answer draws
        }
        this.draw();
    }

    private revoke(player: number): void {
        this.shown = 0;
        this.events.send(`revoke ${player}`);
    }
}
