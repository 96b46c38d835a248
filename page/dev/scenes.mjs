// The scenes that the stand-in shows: the 2020 field with six robots, and a student's robots on a mat.
const INCH = 0.0254;
const scaled = (points) => points.map((value) => Math.round(value * INCH * 1e6) / 1e6);
const both = (points) => [points, points.map((value) => -value)];

const EXTERIOR = [
    161.81, 288.58, 90.94, 314.96, 84, 314.96, 84, 354.96, 50, 354.96, 50, 314.96, -90.94, 314.96,
    -161.81, 288.58, -161.81, -288.58, -90.94, -314.96, -84, -314.96, -84, -354.96, -50, -354.96,
    -50, -314.96, 90.94, -314.96, 161.81, -288.58,
];
const BLOCKS = [
    ...both([161.81, -59.84, 161.81, -29.92, 159.84, -29.92, 159.84, -59.84]),
    ...both([107.48, -59.84, 107.48, -29.92, 105.51, -29.92, 105.51, -59.84]),
    ...both([105.12, -47.64, 100.39, -36.61, 89.37, -41.34, 94.09, -52.36]),
    ...both([44.88, 97.64, 40.55, 108.27, 29.53, 103.54, 33.86, 92.52]),
];
const BLUE_GOAL = [-84, -314.96, -84, -354.96, -50, -354.96, -50, -314.96];

const rectangle = (x0, y0, x1, y1) => [x0, y0, x1, y0, x1, y1, x0, y1];
const BODY = [
    rectangle(1.97, 4.33, 7.87, 12.2),
    rectangle(1.97, -12.2, 7.87, -4.33),
    rectangle(-20.08, 7.09, 1.97, 12.2),
    rectangle(-20.08, -12.2, 1.97, -7.09),
];
const BUMPERS = [
    rectangle(7.87, 6.3, 11.81, 12.2),
    rectangle(7.87, -12.2, 11.81, -6.3),
    rectangle(-23.62, 12.2, 11.81, 15.75),
    rectangle(-23.62, -15.75, 11.81, -12.2),
    rectangle(-23.62, 7.09, -20.08, 12.2),
    rectangle(-23.62, -12.2, -20.08, -7.09),
];

function tank(player, name, alliance) {
    const part = (role, low, high, points) => ({ role, low, high, points: scaled(points) });
    const wheel = (x, y) => ({ x: x * INCH, y: y * INCH, radius: 0.0762, width: 0.0254 });
    return {
        kind: "tank",
        name,
        alliance,
        player,
        parts: [
            ...BODY.map((points) => part("body", 0.05, 0.3, points)),
            ...BUMPERS.map((points) => part("bumper", 0.05, 0.18, points)),
            part("intake_center", 0, 0.1, rectangle(1.97, -4.33, 20.08, 4.33)),
            part("intake_left", 0, 0.1, rectangle(11.81, 4.33, 20.08, 10.24)),
            part("intake_right", 0, 0.1, rectangle(11.81, -10.24, 20.08, -4.33)),
            part("tube", 0, 0.6, rectangle(-23.62, -7.09, 1.97, 7.09)),
        ],
        wheels: [wheel(9, 11), wheel(9, -11), wheel(-9, 11), wheel(-9, -11)],
        range_cone: null,
        reflectance: [],
        encoders: 2,
        servos: 0,
    };
}

export const STARTS = [
    [0, -197, 90],
    [0, 197, -90],
    [60, -197, 90],
    [-60, 197, -90],
    [-60, -197, 90],
    [60, 197, -90],
].map(([x, y, degrees]) => [x * INCH, y * INCH, (degrees * Math.PI) / 180]);
const TEAMS = ["3260", "1234", "234", "34", "41", "412"];

export const PIECES = [
    ...both([47.24, 64.17, 40.94, 79.53, 16.54, 86.61, 1.18, 80.31, -14.17, 74.02]),
    ...both([142.91, -64.17, 124.41, -64.17]),
    ...both([133.86, 0, 133.86, 35.83, 133.86, 72.05]),
]
    .flatMap(scaled)
    .reduce(
        (pairs, value, i) =>
            i % 2 === 0 ? [...pairs, [value]] : [...pairs.slice(0, -1), [...pairs.at(-1), value]],
        [],
    );

export function matchScene(players) {
    return {
        kind: "match",
        title: "field2020",
        floor: scaled([-161.81, -354.96, 161.81, 354.96]),
        floor_shade: 0.6,
        mat: null,
        walls: [EXTERIOR, ...BLOCKS].map((points) => ({ height: 0.67, points: scaled(points) })),
        goals: [
            { alliance: "Blue", points: scaled(BLUE_GOAL) },
            { alliance: "Red", points: scaled(BLUE_GOAL.map((v) => -v)) },
        ],
        piece_radius: 3.5 * INCH,
        robots: TEAMS.slice(0, players).map((team, i) =>
            tank(i + 1, team, i % 2 === 0 ? "Blue" : "Red"),
        ),
    };
}

const box = (x, y, w, h, angle = 0) =>
    [
        [-w, -h],
        [w, -h],
        [w, h],
        [-w, h],
    ].flatMap(([dx, dy]) => [
        x + (dx * Math.cos(angle) - dy * Math.sin(angle)) / 2,
        y + (dx * Math.sin(angle) + dy * Math.cos(angle)) / 2,
    ]);

export function xrpScene() {
    return {
        kind: "board",
        title: "XRP arena",
        floor: [0, 0, 2.4, 1.8],
        floor_shade: 0.15,
        mat: { url: "/mat.png", x: 0.3, y: 0.25, width: 1.8, height: 1.3 },
        walls: [
            { height: 0.08, points: [0, 0, 2.4, 0, 2.4, 1.8, 0, 1.8] },
            { height: 0.08, points: box(2.1, 1.5, 0.2, 0.15, 0.35) },
            { height: 0.08, points: box(0.3, 1.5, 0.14, 0.14) },
        ],
        goals: [],
        piece_radius: 0,
        robots: [
            {
                kind: "xrp",
                name: "XRP",
                alliance: "",
                player: 0,
                parts: [
                    {
                        role: "body",
                        low: 0.01,
                        high: 0.05,
                        points: rectangle(-0.08, -0.09, 0.105, 0.09),
                    },
                ],
                wheels: [
                    { x: 0, y: 0.0775, radius: 0.03, width: 0.02 },
                    { x: 0, y: -0.0775, radius: 0.03, width: 0.02 },
                ],
                range_cone: [0.1, 0, 0.2618, 4],
                reflectance: [
                    [0.085, 0.01],
                    [0.085, -0.01],
                ],
                encoders: 4,
                servos: 4,
            },
        ],
    };
}

export function swerveScene() {
    const at = [
        [0.11, 0.11],
        [0.11, -0.11],
        [-0.11, 0.11],
        [-0.11, -0.11],
    ];
    return {
        kind: "board",
        title: "Teensy field",
        floor: [0, 0, 4, 3],
        floor_shade: 0.2,
        mat: null,
        walls: [
            { height: 0.1, points: [0, 0, 4, 0, 4, 3, 0, 3] },
            { height: 0.1, points: box(3.5, 0.5, 0.3, 0.3, 0.5) },
            { height: 0.1, points: box(3.3, 2.6, 0.6, 0.02) },
        ],
        goals: [],
        piece_radius: 0,
        robots: [
            {
                kind: "swerve",
                name: "Teensy",
                alliance: "",
                player: 0,
                parts: [
                    {
                        role: "body",
                        low: 0.04,
                        high: 0.1,
                        points: rectangle(-0.16, -0.16, 0.16, 0.16),
                    },
                ],
                wheels: at.map(([x, y]) => ({ x, y, radius: 0.03, width: 0.02 })),
                range_cone: null,
                reflectance: [],
                encoders: 8,
                servos: 0,
            },
        ],
    };
}
