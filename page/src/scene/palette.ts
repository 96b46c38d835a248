// The colours of the scene; those of the panels are in style/base.css.
export const ALLIANCE = { blue: 0x2f7dff, red: 0xff3d52, none: 0xaab4c4 } as const;

export function allianceColor(alliance: string): number {
    const name = alliance.toLowerCase();
    return name === "blue" ? ALLIANCE.blue : name === "red" ? ALLIANCE.red : ALLIANCE.none;
}

export const INTAKE = 0xff8a1f;
export const TUBE = 0x3ddc84;

/** Of a piece by where it is: free, three intakes, tube, blue goal, red goal. */
export const PIECE = [
    0xffd21f, 0xff8a1f, 0xff8a1f, 0xff8a1f, 0x3ddc84, 0x4f93ff, 0xff5466,
] as const;

export const METAL = { dark: 0x2b313a, body: 0x5a6675, light: 0xa3aebd, rail: 0xc2cddc } as const;
export const RUBBER = 0x15171a;

const PHANTOM = [0x4fd8ff, 0xff9bd2, 0xb6ff6b, 0xffc14d, 0xa893ff] as const;

/** Of the phantom with this index, in the picture and in its list. */
export function phantomColor(index: number): number {
    return PHANTOM[index % PHANTOM.length]!;
}

export const COLLISION = 0xff3020;
