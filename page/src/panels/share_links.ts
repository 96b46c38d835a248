// Addresses that are shown to other people: to watch, or to drive one robot. Never with the token of this page. Knows no browser.
import { shows, visible } from "../text.ts";

export interface Place {
    /** location.host, location.hostname and location.protocol of this page. */
    host: string;
    hostname: string;
    protocol: string;
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i;

export function isLoopback(hostname: string): boolean {
    return LOOPBACK.test(hostname);
}

/**
 * The host and port under which other devices reach this page: its own, or, on this machine's loopback, those that the program
 * names ("host:port host:port"). None: the program listens on loopback only.
 */
export function reachableHosts(place: Place, addresses: string): string[] {
    return isLoopback(place.hostname)
        ? addresses.split(" ").filter((host) => host !== "")
        : [place.host];
}

/** `token`: a seat's; "" to watch. */
export function linkTo(place: Place, host: string, token: string): string {
    return `${place.protocol}//${host}/${token === "" ? "" : `#${token}`}`;
}

/** The option that has the page served to other devices, at the port that is used now. `--listen` of a board opens the robot's own port. */
export function listenOption(place: Place, isBoard = false): string {
    return `${isBoard ? "--view=" : "--listen "}0.0.0.0:${/:(\d+)$/.exec(place.host)?.[1] ?? "5800"}`;
}

export const NAME_CHARACTERS = 20;

/** A name without what the server refuses, cut to its length; "" if nothing of it would show. */
export function cleanName(text: string): string {
    const name = visible(text, NAME_CHARACTERS);
    return shows(name) ? name : "";
}
