// What all panels have in common.

export interface Panel {
    /** Shows what the store says. Called often: writes only what has changed. */
    update(): void;
}
