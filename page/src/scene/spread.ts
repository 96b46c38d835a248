// Labels on a picture that would cover each other are moved apart, upwards.
export interface Label {
    /** Middle of the lower edge, y down. */
    x: number;
    y: number;
    width: number;
    height: number;
}

const GAP_PX = 3;

function overlaps(a: Label, b: Label, bottomA: number, bottomB: number): boolean {
    const apartX = (a.width + b.width) / 2 + GAP_PX;
    return (
        Math.abs(a.x - b.x) < apartX &&
        bottomA > bottomB - b.height - GAP_PX &&
        bottomB > bottomA - a.height - GAP_PX
    );
}

/** By how many pixels each label goes up. The lowest ones stay where they are; null stays out of it. */
export function spread(labels: readonly (Label | null)[]): number[] {
    const up = labels.map(() => 0);
    const order = labels
        .map((_, i) => i)
        .filter((i) => labels[i] !== null)
        .toSorted((a, b) => labels[b]!.y - labels[a]!.y);
    const placed: number[] = [];
    for (const i of order) {
        const label = labels[i]!;
        let bottom = label.y;
        // Each round passes at least one of those that stand already.
        for (let round = 0; round <= placed.length; round++) {
            const other = placed.find((j) =>
                overlaps(label, labels[j]!, bottom, labels[j]!.y - up[j]!),
            );
            if (other === undefined) {
                break;
            }
            bottom = labels[other]!.y - up[other]! - labels[other]!.height - GAP_PX;
        }
        up[i] = label.y - bottom;
        placed.push(i);
    }
    return up;
}
