// Fingers and mouse on the picture: turn, shift, come nearer, press the robot's own button.
export interface GestureTarget {
    drag(dx: number, dy: number, pans: boolean): void;
    zoom(factor: number): void;
    /** The robot whose user button lies there, or -1. */
    buttonAt(x: number, y: number, reachPx: number): number;
}

interface Finger {
    x: number;
    y: number;
}

export class Gestures {
    private readonly fingers = new Map<number, Finger>();
    private pressed: { pointer: number; robot: number } | null = null;

    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly target: () => GestureTarget | null,
        private readonly press: (robot: number, down: boolean) => void,
    ) {
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
            canvas.addEventListener(name, (event) => this.up(event.pointerId));
        }
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    }

    private down(event: PointerEvent): void {
        this.canvas.setPointerCapture(event.pointerId);
        const reach = event.pointerType === "mouse" ? 16 : 30;
        const robot = this.target()?.buttonAt(event.offsetX, event.offsetY, reach) ?? -1;
        if (robot >= 0 && this.fingers.size === 0) {
            this.pressed = { pointer: event.pointerId, robot };
            this.press(robot, true);
            return;
        }
        this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    }

    private spread(): number {
        const [a, b] = [...this.fingers.values()];
        return a === undefined || b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
    }

    private move(event: PointerEvent): void {
        const finger = this.fingers.get(event.pointerId);
        if (finger === undefined) {
            return;
        }
        const two = this.fingers.size >= 2;
        const before = this.spread();
        const dx = event.clientX - finger.x;
        const dy = event.clientY - finger.y;
        finger.x = event.clientX;
        finger.y = event.clientY;
        const after = this.spread();
        if (two && before > 0 && after > 0) {
            this.target()?.zoom(after / before);
            this.target()?.drag(dx / 2, dy / 2, true);
        } else {
            this.target()?.drag(dx, dy, (event.buttons & 6) !== 0 || event.shiftKey);
        }
    }

    private up(pointer: number): void {
        this.fingers.delete(pointer);
        if (this.pressed?.pointer === pointer) {
            this.press(this.pressed.robot, false);
            this.pressed = null;
        }
    }

    letGo(): void {
        this.fingers.clear();
        if (this.pressed !== null) {
            this.press(this.pressed.robot, false);
            this.pressed = null;
        }
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        this.target()?.zoom(Math.exp(-event.deltaY * (event.deltaMode === 0 ? 0.0012 : 0.04)));
    }
}
