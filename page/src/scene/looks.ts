// What a robot looks like follows from its parts and wheels, whatever it is called: one that this page has never heard of is
// drawn as well.
import type { RobotModel } from "../net/protocol.ts";

/** A robot of the match has bumpers, intakes or an alliance; others have modules that steer, or a wheel on each side. */
export type Looks = "match" | "modules" | "sides";

export function looksOf(model: RobotModel): Looks {
    if (model.alliance !== "" || model.parts.some((part) => part.role !== "body")) {
        return "match";
    }
    return model.wheels.length > 2 ? "modules" : "sides";
}
