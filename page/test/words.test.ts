import { strict as assert } from "node:assert";
import { test } from "node:test";
import { directionOf, setLanguage, t, TABLES, type MessageKey } from "../src/messages.ts";
import { languageOf, parseSettings } from "../src/settings.ts";
import { EFFECTS, motorSound } from "../src/match/sound.ts";

const KEYS = Object.keys(TABLES.en) as MessageKey[];
const parameters = (text: string): string[] =>
    [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).toSorted();

test("every language has every sentence, with the same parameters", () => {
    for (const key of KEYS) {
        assert.deepEqual(parameters(TABLES.es[key]), parameters(TABLES.en[key]), key);
        assert.notEqual(TABLES.es[key].trim(), "", key);
    }
    assert.deepEqual(Object.keys(TABLES.es).toSorted(), KEYS.toSorted());
});

test("parameters are filled in; what is not given stays visible", () => {
    assert.equal(t("seat.driveTitle", { player: 3 }), "Drive player 3");
    assert.equal(t("seat.driveTitle"), "Drive player {player}");
    setLanguage("es");
    assert.equal(t("phase.paused"), "en pausa");
    setLanguage("en");
});

test("the first language that the page speaks; others are read from right to left", () => {
    assert.deepEqual(
        [
            languageOf(["de", "es-AR", "en"]),
            languageOf(["fr"]),
            languageOf([]),
            languageOf(["EN-gb"]),
        ],
        ["es", "en", "en", "en"],
    );
    assert.deepEqual([directionOf("es"), directionOf("ar")], ["ltr", "rtl"]);
});

test("settings survive whatever was kept", () => {
    const normal = {
        language: "en",
        theme: "auto",
        muted: false,
        sensitivity: 1,
        welcomed: false,
        name: "",
    };
    for (const text of [
        null,
        "",
        "{",
        "[]",
        "null",
        "7",
        '{"language":"xx","theme":1,"muted":"yes","sensitivity":"fast"}',
        '{"sensitivity":null}',
    ]) {
        assert.deepEqual(parseSettings(text, ["en"]), normal, String(text));
    }
    assert.deepEqual(
        parseSettings(
            '{"language":"es","theme":"light","muted":true,"sensitivity":0.01,"welcomed":true,"name":" Ana\\u202e\\n 1234567890123456789"}',
            ["en"],
        ),
        {
            language: "es",
            theme: "light",
            muted: true,
            sensitivity: 0.3,
            welcomed: true,
            name: "Ana 1234567890123456",
        },
    );
});

test("motors are silent at rest, and rise with the wheels' speed in either direction", () => {
    assert.equal(motorSound([0, 0]).gain, 0);
    assert.equal(motorSound([]).gain, 0);
    const slow = motorSound([10, -5]);
    const fast = motorSound([-80, 80]);
    assert.ok(slow.gain > 0 && fast.gain > slow.gain && fast.pitch > slow.pitch && fast.gain < 0.2);
    for (const [name, tones] of Object.entries(EFFECTS)) {
        assert.ok(tones.reduce((sum, tone) => sum + tone.gain, 0) <= 1, `${name} does not clip`);
    }
});
