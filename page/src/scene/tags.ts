// Name tags: always upright, always of the same size on the screen, and never over each other.
import { Sprite, SpriteMaterial, Vector3, type PerspectiveCamera } from "three";
import type { RobotModel } from "../net/protocol.ts";
import { allianceColor } from "./palette.ts";
import { nameTag } from "./paint.ts";
import type { Pose } from "./pose.ts";
import { spread, type Label } from "./spread.ts";

const HEIGHT_PX = 24;

export interface TagLook {
    size: { width: number; height: number };
    hidden: number;
    ease: number;
}

export class Tags {
    readonly sprites: Sprite[];
    private readonly aspects: number[] = [];
    private readonly place = new Vector3();
    // Pixels that each one has gone up, smoothed, so that none jumps.
    private readonly up: number[];
    private labels: (Label | null)[] = [];

    constructor(
        robots: readonly RobotModel[],
        private readonly z: number,
    ) {
        this.up = robots.map(() => 0);
        this.sprites = robots.map((model) => {
            const color = `#${allianceColor(model.alliance).toString(16).padStart(6, "0")}`;
            const number = model.player > 0 ? String(model.player) : "";
            const name = model.name === "" ? model.kind : model.name;
            const { map, aspect } = nameTag(
                number,
                name,
                color,
                model.alliance.toLowerCase() === "red",
            );
            this.aspects.push(aspect);
            const sprite = new Sprite(
                new SpriteMaterial({
                    map,
                    sizeAttenuation: false,
                    depthTest: false,
                    depthWrite: false,
                    toneMapped: false,
                    fog: false,
                }),
            );
            sprite.renderOrder = 10;
            return sprite;
        });
    }

    /** `hidden`: the robot whose eyes the camera is behind, or -1. `ease`: the share of the way that a tag goes to its place. */
    update(
        poses: readonly Pose[],
        camera: PerspectiveCamera,
        { size, hidden, ease }: TagLook,
    ): void {
        const scale = (2 * Math.tan((camera.fov * Math.PI) / 360) * HEIGHT_PX) / size.height;
        camera.updateMatrixWorld();
        this.labels = this.sprites.map((sprite, i) => {
            sprite.visible = i !== hidden;
            sprite.position.set(poses[i]!.x, poses[i]!.y, this.z);
            sprite.scale.set(scale * this.aspects[i]!, scale, 1);
            const { x, y, z } = this.place.copy(sprite.position).project(camera);
            if (!sprite.visible || z > 1 || Math.abs(x) > 1.2 || Math.abs(y) > 1.2) {
                return null;
            }
            return {
                x: ((x + 1) / 2) * size.width,
                y: ((1 - y) / 2) * size.height,
                width: HEIGHT_PX * this.aspects[i]!,
                height: HEIGHT_PX,
            };
        });
        spread(this.labels).forEach((up, i) => {
            this.up[i]! += (up - this.up[i]!) * (Math.abs(up - this.up[i]!) < 0.5 ? 1 : ease);
            this.sprites[i]!.center.set(0.5, -this.up[i]! / HEIGHT_PX);
        });
    }

    /** For tests: where the tags are on the screen. */
    boxes(): { left: number; top: number; right: number; bottom: number }[] {
        return this.labels.flatMap((label, i) =>
            label === null
                ? []
                : [
                      {
                          left: label.x - label.width / 2,
                          right: label.x + label.width / 2,
                          top: label.y - this.up[i]! - label.height,
                          bottom: label.y - this.up[i]!,
                      },
                  ],
        );
    }
}
