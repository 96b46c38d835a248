// A reporter of Node's test runner for run.mjs: one line of JSON for each test.
import { basename } from "node:path";

function why(type, { name, file, skip, details }) {
    if (type === "test:pass") {
        // A file in which no test ran is reported as a test that passed.
        return basename(name) === basename(file) ? "no test ran in this file" : skip === undefined ? null : "it was skipped";
    }
    const { error } = details;
    return String((error?.cause ?? error)?.message ?? "no reason was given").split("\n").slice(0, 3).join(" ");
}

export default async function* verdicts(source) {
    for await (const { type, data } of source) {
        // A file is reported as failed, too, when one of its tests has failed.
        if ((type === "test:pass" || type === "test:fail") && data.details?.error?.failureType !== "subtestsFailed") {
            yield `${JSON.stringify({ name: data.name, file: data.file, why: why(type, data) })}\n`;
        }
    }
}
