// The numbers and choices of a robot program that somebody changes while it runs.
import { button, el, setClass } from "../dom.ts";
import { t } from "../messages.ts";
import type { Chooser, Tunable, Tuning } from "../net/protocol.ts";
import { limited, shownNumber, stepOf } from "./tuning_text.ts";
import type { Store } from "../store.ts";
import type { Panel } from "./panel.ts";
import type { PageMessage } from "../net/wire.ts";

type Send = (text: PageMessage) => void;

/** One number or choice: shows what the program says. */
interface Row<T> {
    root: HTMLElement;
    show(value: T): void;
}

function numberRow(index: number, first: Tunable, send: Send): Row<Tunable> {
    let now = first;
    const box = el("input", "value");
    const slider = el("input", "slider");
    const tune = (value: number): void => {
        if (Number.isFinite(value)) {
            send(`tune ${index} ${limited(value, now)}`);
        }
    };
    box.type = "number";
    slider.type = "range";
    box.step = "any";
    box.setAttribute("aria-label", first.name);
    slider.setAttribute("aria-label", t("tuning.slider", { name: first.name }));
    let isTyping = false;
    box.addEventListener("input", () => {
        isTyping = true;
    });
    box.addEventListener("change", () => tune(box.valueAsNumber));
    for (const name of ["change", "blur"] as const) {
        box.addEventListener(name, () => {
            isTyping = false;
            box.value = shownNumber(now.value); // until the program answers; what is no number goes again
        });
    }
    slider.addEventListener("input", () => tune(slider.valueAsNumber));
    const back = button("back", "↺", t("tuning.reset", { name: first.name }), () =>
        send(`tune ${index}`),
    );
    const root = el("div", "tunable", el("span", "name", first.name), box, back, slider);
    const show = (tunable: Tunable): void => {
        now = tunable;
        const { value, low, high } = tunable;
        for (const input of [box, slider]) {
            input.min = low === null ? "" : String(low);
            input.max = high === null ? "" : String(high);
        }
        const step = stepOf(tunable);
        setClass(slider, "hidden", step === null);
        slider.step = step === null ? "any" : String(step);
        slider.value = String(value);
        if (!isTyping) {
            box.value = shownNumber(value);
        }
    };
    show(first);
    return { root, show };
}

function choiceRow(index: number, first: Chooser, send: Send): Row<Chooser> {
    const select = el("select");
    const back = button("back", "↺", t("tuning.reset", { name: first.name }), () =>
        send(`choose ${index}`),
    );
    select.setAttribute("aria-label", first.name);
    select.append(...first.options.map((option, i) => new Option(option, String(i))));
    select.addEventListener("change", () => send(`choose ${index} ${select.selectedIndex}`));
    const root = el("div", "tunable", el("span", "name", first.name), select, back);
    const show = (chooser: Chooser): void => {
        select.selectedIndex = chooser.chosen;
    };
    show(first);
    return { root, show };
}

export class TuningPanel implements Panel {
    readonly root = el("details", "panel tuning hidden");
    private readonly body = el("div", "tunables");
    private names = "";
    private numbers: Row<Tunable>[] = [];
    private choosers: Row<Chooser>[] = [];
    private mayTune = false;
    private shown: Tuning | null = null;

    constructor(
        private readonly store: Store,
        private readonly send: Send,
    ) {
        this.root.append(el("summary", "", t("tuning.title")), this.body);
        this.root.open = matchMedia("(min-width: 700px)").matches; // on a phone it would cover the robot
    }

    update(): void {
        const { tuning, hasWholeToken } = this.store;
        if (hasWholeToken !== this.mayTune) {
            this.setRights(hasWholeToken);
        }
        if (tuning !== null && tuning !== this.shown) {
            this.shown = tuning;
            this.show(tuning);
        }
    }

    /** Whether this page may change anything, or only looks. */
    private setRights(mayTune: boolean): void {
        this.mayTune = mayTune;
        for (const control of this.body.querySelectorAll<
            HTMLInputElement | HTMLSelectElement | HTMLButtonElement
        >("input, select, button")) {
            control.disabled = !mayTune;
        }
    }

    private show({ numbers, choosers }: Tuning): void {
        const names = JSON.stringify([
            numbers.map((tunable) => tunable.name),
            choosers.map((chooser) => [chooser.name, chooser.options]),
        ]);
        if (names !== this.names) {
            this.names = names;
            this.numbers = numbers.map((tunable, i) => numberRow(i, tunable, this.send));
            this.choosers = choosers.map((chooser, i) => choiceRow(i, chooser, this.send));
            this.body.replaceChildren(
                ...this.choosers.map((row) => row.root),
                ...this.numbers.map((row) => row.root),
            );
            this.setRights(this.mayTune);
        }
        setClass(this.root, "hidden", numbers.length + choosers.length === 0);
        numbers.forEach((tunable, i) => this.numbers[i]!.show(tunable));
        choosers.forEach((chooser, i) => this.choosers[i]!.show(chooser));
    }
}
