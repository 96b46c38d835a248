// Where a robot is shown, and how it moved there since the frame before.
import { Matrix4 } from "three";
import type { Spot } from "./motion.ts";

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
    place([x, y, heading]: Spot, jump: number): void {
        const dx = x - this.x;
        const dy = y - this.y;
        const isDriven =
            this.isPlaced && Math.hypot(dx, dy) <= jump && Math.abs(heading - this.heading) <= 3;
        const cos = Math.cos(this.heading);
        const sin = Math.sin(this.heading);
        this.turned = isDriven ? heading - this.heading : 0;
        this.forward = isDriven ? dx * cos + dy * sin : 0;
        this.left = isDriven ? dy * cos - dx * sin : 0;
        this.x = x;
        this.y = y;
        this.heading = heading;
        this.isPlaced = true;
        this.matrix.makeRotationZ(this.heading).setPosition(this.x, this.y, 0);
    }
}
