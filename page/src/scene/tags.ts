// Name tags: always upright, always of the same size on the screen.
import { Sprite, SpriteMaterial, type PerspectiveCamera } from "three";
import type { RobotModel } from "../protocol.ts";
import { allianceColor } from "./palette.ts";
import { nameTag } from "./paint.ts";
import type { Pose } from "./pose.ts";

const HEIGHT_PX = 24;

export class Tags {
    readonly sprites: Sprite[];
    private readonly aspects: number[] = [];

    constructor(robots: readonly RobotModel[], private readonly z: number) {
        this.sprites = robots.map((model) => {
            const color = `#${allianceColor(model.alliance).toString(16).padStart(6, "0")}`;
            const number = model.player > 0 ? String(model.player) : "";
            const { map, aspect } = nameTag(number, model.name === "" ? model.kind : model.name, color);
            this.aspects.push(aspect);
            const sprite = new Sprite(
                new SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, depthWrite: false, toneMapped: false, fog: false }),
            );
            sprite.center.set(0.5, 0);
            sprite.renderOrder = 10;
            return sprite;
        });
    }

    /** `hidden`: the robot whose eyes the camera is behind, or -1. */
    update(poses: readonly Pose[], camera: PerspectiveCamera, heightPx: number, hidden: number): void {
        const size = (2 * Math.tan((camera.fov * Math.PI) / 360) * HEIGHT_PX) / heightPx;
        this.sprites.forEach((sprite, i) => {
            sprite.visible = i !== hidden;
            sprite.position.set(poses[i]!.x, poses[i]!.y, this.z);
            sprite.scale.set(size * this.aspects[i]!, size, 1);
        });
    }
}
