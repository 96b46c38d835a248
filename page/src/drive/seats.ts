// Which robots this page may drive: by what the program lets it do, and by who else drives.
import type { PlayerStatus, RobotModel } from "../net/protocol.ts";

export class Seats {
    mayCommand = false;
    /** The only player that this page may drive; 0: any. */
    seat = 0;
    /** Of the scene. */
    robots: readonly RobotModel[] = [];
    players: PlayerStatus[] = [];

    /** `isPast`: whether the past is shown, in which nobody drives. */
    constructor(private readonly isPast: () => boolean) {}

    /** Players of robots that can be driven at all. */
    drivable(): number[] {
        const players = this.robots.map((robot) => robot.player).filter((player) => player > 0);
        return this.seat > 0 ? players.filter((player) => player === this.seat) : players;
    }

    canDrive(): boolean {
        return this.mayCommand && this.drivable().length > 0 && !this.isPast();
    }

    /** Those whom nobody else drives. */
    free(): number[] {
        const taken = new Set(
            this.players.filter((one) => one.owner === "other").map((one) => one.player),
        );
        return this.canDrive() ? this.drivable().filter((player) => !taken.has(player)) : [];
    }

    /** A free one, that of the robot `followed` if it is; 0: none is. */
    firstFree(followed: number): number {
        const free = this.free();
        const player = this.robots[followed]?.player ?? 0;
        return free.includes(player) ? player : (free[0] ?? 0);
    }

    /** The robot of a player, from 0; -1: none. */
    robotOf(player: number): number {
        return this.robots.findIndex((robot) => robot.player === player);
    }
}
