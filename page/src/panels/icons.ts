// Line icons on a 24 x 24 grid.
const PATHS = {
    home: "M4 11 12 4l8 7M6 10v10h12V10",
    top: "M4 6h16v12H4zM4 12h16M12 6v12",
    orbit: "M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5M20 9.500c1.500 3.500-3 6.500-8 6.500s-9-2-9-4.500S7 7 12 7c2 0 4 .300 5.500 1M14.500 10l3-2-2-3",
    chase: "M5 18 9 9h6l4 9zM12 9V4M9.500 6.500 12 4l2.500 2.500",
    first: "M3 8h11v8H3zM14 11.500l6.500-3.500v8L14 12.500",
    station: "M3 8h18v8H3zM12 20v-4M7 20h10M7 4v4M17 4v4",
    lidar: "M12 20v-5M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6M6 6a8.500 8.500 0 0 0 0 12M18 6a8.500 8.500 0 0 1 0 12",
    pad: "M7 8h10a4.500 4.500 0 0 1 4 6.500l-1 2.500c-.8 2-2.800 1.500-3.600.3L15 15.500H9l-1.400 1.800C6.800 18.500 4.800 19 4 17l-1-2.500A4.500 4.500 0 0 1 7 8M8 10.500v3M6.500 12h3M16 11v.01M17.500 13v.01",
    stats: "M4 20V10M10 20V4M16 20v-8M21 20H3",
    share: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2v6h-6v-2",
    map: "M9 4 4 6v14l5-2 6 2 5-2V4l-5 2zM9 4v14M15 6v14",
    help: "M9 9.500a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 18v.01",
    plots: "M4 4v16h16M7 15l4-6 4 4 5-8",
    trail: "M4 19c4 0 3-6 7-6s4 4 8-8M19 5v.01M4 19v.01",
    again: "M5 12a7 7 0 1 0 2.500-5.400M5 4v4h4M11 9.500v5l4-2.500z",
    more: "M5 12v.01M12 12v.01M19 12v.01",
    menu: "M4 7h16M4 12h16M4 17h16",
    sound: "M4 10v4h3l5 4V6l-5 4zM15.500 9a4.500 4.500 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
    mute: "M4 10v4h3l5 4V6l-5 4zM16 10l5 5M21 10l-5 5",
    full: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
    const ns = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(ns, "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS(ns, "path");
    path.setAttribute("d", PATHS[name]);
    svg.append(path);
    return svg;
}
