// The address of this page: its token is the part after #, which browsers send to nobody.
import { subProtocols, type LinkParts, type SocketLike } from "./link.ts";

export function addressToken(): string {
    return location.hash.slice(1);
}

/** Another token, which the program gave for one that is good only once. */
export function keepAddressToken(token: string): void {
    history.replaceState(null, "", `#${token}`);
}

/** A WebSocket to the program that served the page. */
export const socketParts: LinkParts = {
    open(token) {
        const scheme = location.protocol === "https:" ? "wss:" : "ws:";
        return new WebSocket(`${scheme}//${location.host}/live`, subProtocols(token)) as SocketLike;
    },
    later: (action, ms) => window.setTimeout(action, ms),
    cancel: (timer) => window.clearTimeout(timer),
};
