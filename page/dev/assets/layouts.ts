// AdvantageScope's layouts, as File, Export Layout writes them: tabs and what is in them.

// Numbers of AdvantageScope's tabs.
const LINES = 1;
const FIELD_2D = 2;
const FIELD_3D = 3;
const CONSOLE = 5;
const JOYSTICKS = 8;
const SWERVE = 9;

interface Source {
    type: string;
    logKey: string;
    logType: string;
    visible: boolean;
    options: Record<string, string>;
}

interface Tab {
    type: number;
    title: string;
    controller: unknown;
    controllerUUID: string;
    renderer: unknown;
    controlsHeight: number;
}

const source = (
    type: string,
    logKey: string,
    logType: string,
    options: Record<string, string> = {},
): Source => ({ type, logKey, logType, visible: true, options });

let tabs = 0;

function tab(type: number, title: string, controller: unknown, controlsHeight = 200): Tab {
    tabs++;
    return {
        type,
        title,
        controller,
        controllerUUID: `halyard${tabs}`,
        renderer: null,
        controlsHeight,
    };
}

function layout(list: Tab[]): object {
    const documentation = tab(0, "", null, 0);
    return {
        hubs: [
            {
                x: 60,
                y: 60,
                width: 1400,
                height: 880,
                state: {
                    sidebar: { width: 300, expanded: ["/NT:", "/NT:/Robot"] },
                    tabs: { selected: 1, tabs: [documentation, ...list] },
                },
            },
        ],
        satellites: [],
        version: "26.0.0",
    };
}

const number = (logKey: string, color: string): Source =>
    source("stepped", logKey, "Number", { color, size: "normal" });

function lines(title: string, left: [string, string][], right: [string, string][] = []): Tab {
    return tab(LINES, title, {
        leftSources: left.map(([key, color]) => number(key, color)),
        rightSources: right.map(([key, color]) => number(key, color)),
        discreteSources: [source("stripes", "DS:enabled", "Boolean", { color: "#80588e" })],
    });
}

const BLUE = "#2b66a2";
const RED = "#e5b31b";
const GREEN = "#3b875a";

function fields(
    field: string,
    robots: { key: string; model: string }[],
    extra: Source[] = [],
    extra3d: Source[] = [],
): Tab[] {
    const flat = robots.map(({ key }) => source("robot", key, "Pose2d", { bumpers: "" }));
    const models = robots.map(({ key, model }) => source("robot", key, "Pose2d", { model }));
    return [
        tab(FIELD_3D, "3D Field", { sources: [...models, ...extra3d], game: `FRC:${field}` }),
        tab(FIELD_2D, "2D Field", {
            sources: [...flat, ...extra],
            field: `FRC:${field}`,
            orientation: 2,
            size: "small",
        }),
    ];
}

export function layouts(): Record<string, object> {
    const ghost = (key: string, model: string): Source =>
        source("ghost", key, "Pose2d", { model, color: "#00ff00" });
    const believed = "NT:/SmartDashboard/odometry";
    tabs = 0;
    return {
        xrp: layout([
            ...fields(
                "Halyard xrp-line",
                [{ key: "NT:/Robot/Truth/Pose", model: "Halyard XRP" }],
                [source("ghost", believed, "Pose2d", { color: "#00ff00" })],
                [ghost(believed, "Halyard XRP")],
            ),
            lines(
                "Line sensors",
                [
                    ["NT:/Robot/Sensors/Reflectance/0", BLUE],
                    ["NT:/Robot/Sensors/Reflectance/1", RED],
                ],
                [["NT:/SmartDashboard/steering/output", GREEN]],
            ),
            lines(
                "Motors",
                [
                    ["NT:/Robot/Motors/0", BLUE],
                    ["NT:/Robot/Motors/1", RED],
                ],
                [["NT:/Robot/Battery", GREEN]],
            ),
            tab(CONSOLE, "Console", "messages"),
        ]),
        teensy: layout([
            ...fields(
                "Halyard teensy-field",
                [{ key: "NT:/Robot/Truth/Pose", model: "Halyard Teensy swerve" }],
                [source("ghost", believed, "Pose2d", { color: "#00ff00" })],
                [ghost(believed, "Halyard Teensy swerve")],
            ),
            tab(SWERVE, "Swerve", {
                sources: [
                    source("states", "NT:/SmartDashboard/drive/Wanted", "SwerveModuleState[]", {
                        color: "#ff0000",
                        arrangement: "0,3,1,2",
                    }),
                    source("states", "NT:/SmartDashboard/drive/Measured", "SwerveModuleState[]", {
                        color: "#00ffff",
                        arrangement: "0,3,1,2",
                    }),
                ],
                maxSpeed: 1,
                sizeX: 0.65,
                sizeY: 0.65,
                orientation: 1,
            }),
            lines(
                "Motors",
                [0, 2, 4, 6].map((i): [string, string] => [
                    `NT:/Robot/Motors/${i}`,
                    [BLUE, RED, GREEN, "#80588e"][i / 2]!,
                ]),
            ),
            tab(CONSOLE, "Console", "messages"),
        ]),
        match: layout([
            ...fields(
                "Halyard field2020",
                Array.from({ length: 6 }, (_, i) => ({
                    key: `NT:/Robot${i + 1}/Truth/Pose`,
                    model: "Halyard tank",
                })),
                [],
                [source("gamePiece", "NT:/Field/Pieces", "Translation3d[]", { variant: "Ball" })],
            ),
            lines(
                "Score",
                [
                    ["NT:/Match/Blue", BLUE],
                    ["NT:/Match/Red", RED],
                ],
                [["NT:/Match/Time", GREEN]],
            ),
            tab(
                JOYSTICKS,
                "Joysticks",
                Array.from({ length: 6 }, () => "Xbox Controller (Blue)"),
            ),
            tab(CONSOLE, "Console", "NT:/Match/Events"),
        ]),
    };
}
