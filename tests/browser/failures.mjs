// A reporter of Node's test runner: of each test that failed one line, its name and why. tools/check.sh ends with them.
export default async function* failures(source) {
    for await (const { type, data } of source) {
        const error = data?.details?.error;
        // A file is reported as failed, too, when one of its tests has failed.
        if (type === "test:fail" && error?.failureType !== "subtestsFailed") {
            const why = String((error?.cause ?? error)?.message ?? "no reason was given").split("\n").slice(0, 3).join(" ");
            yield `failed: browser: ${data.name}: ${why}\n`;
        }
    }
}
