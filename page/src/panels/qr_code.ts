// QR codes, loaded when the first one is shown.
import encodeQR from "qr";

const NS = "http://www.w3.org/2000/svg";
const BORDER = 4; // modules that have to stay empty around a code (ISO/IEC 18004)

/** A picture of a text, dark on light in every theme: readers expect it. `label`: what a screen reader says. */
export function qrPicture(text: string, label: string): SVGSVGElement {
    const rows = encodeQR(text, "raw", { ecc: "medium", border: BORDER });
    const svg = document.createElementNS(NS, "svg");
    svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
    svg.setAttribute("class", "qr");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    const dark = rows
        .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
        .join("");
    const path = document.createElementNS(NS, "path");
    path.setAttribute("d", dark);
    svg.append(path);
    return svg;
}
