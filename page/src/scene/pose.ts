// Where a robot is shown: a touch behind the newest state, so that late messages do not make it jerk.
import { Matrix4 } from "three";

// Of the distance to the newest state this time constant leaves 1/e.
const SMOOTH_S = 0.018;

/** The share of the way to the newest state that a frame of `dt` seconds goes. */
export function easeOf(dt: number): number {
    return 1 - Math.exp(-dt / SMOOTH_S);
}

export class Pose {
    x = 0;
    y = 0;
    heading = 0;
    /** Moved since the frame before, in the robot's own axes: forward, to the left, turned. */
    forward = 0;
    left = 0;
    turned = 0;
    readonly matrix = new Matrix4();
    private isPlaced = false;

    /** `jump`: what is farther than this was put there, not driven. */
    follow(at: readonly [number, number, number], ease: number, jump: number): void {
        const far = Math.hypot(at[0] - this.x, at[1] - this.y) > jump || Math.abs(at[2] - this.heading) > 3;
        const k = far || !this.isPlaced ? 1 : ease;
        const dx = (at[0] - this.x) * k;
        const dy = (at[1] - this.y) * k;
        this.turned = k === 1 ? 0 : (at[2] - this.heading) * k;
        const cos = Math.cos(this.heading);
        const sin = Math.sin(this.heading);
        this.forward = k === 1 ? 0 : dx * cos + dy * sin;
        this.left = k === 1 ? 0 : dy * cos - dx * sin;
        this.x += dx;
        this.y += dy;
        this.heading += (at[2] - this.heading) * k;
        this.isPlaced = true;
        this.matrix.makeRotationZ(this.heading).setPosition(this.x, this.y, 0);
    }
}
