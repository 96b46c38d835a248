// As much of a WebSocket server (RFC 6455) as a stand-in for the program needs: text frames, no extensions.
import { createHash } from "node:crypto";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

function frame(opcode, payload) {
    const length = payload.length;
    const head =
        length < 126
            ? Buffer.from([0x80 | opcode, length])
            : length < 65536
              ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 255])
              : Buffer.from([
                    0x80 | opcode,
                    127,
                    0,
                    0,
                    0,
                    0,
                    length >>> 24,
                    (length >> 16) & 255,
                    (length >> 8) & 255,
                    length & 255,
                ]);
    return Buffer.concat([head, payload]);
}

/** The first whole frame of `bytes`, which are masked as a browser sends them; null if it is not all there. */
function parse(bytes) {
    if (bytes.length < 6) return null;
    let length = bytes[1] & 127;
    let at = 2;
    if (length === 126) {
        length = bytes.readUInt16BE(2);
        at = 4;
    }
    if (bytes.length < at + 4 + length) return null;
    const mask = bytes.subarray(at, at + 4);
    const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
    payload.forEach((value, i) => (payload[i] = value ^ mask[i & 3]));
    return { opcode: bytes[0] & 15, payload, size: at + 4 + length };
}

/** Answers an upgrade of node's http server. `on.text(text)` and `on.close()` are called; send() sends. */
export function accept(request, socket, on) {
    const key = createHash("sha1")
        .update(request.headers["sec-websocket-key"] + GUID)
        .digest("base64");
    socket.setNoDelay(true);
    socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            `Sec-WebSocket-Accept: ${key}\r\nSec-WebSocket-Protocol: halyard-page\r\n\r\n`,
    );
    let rest = Buffer.alloc(0);
    socket.on("data", (bytes) => {
        rest = Buffer.concat([rest, bytes]);
        for (let next = parse(rest); next !== null; next = parse(rest)) {
            rest = rest.subarray(next.size);
            if (next.opcode === 1) on.text(next.payload.toString());
            if (next.opcode === 8) socket.end(frame(8, Buffer.alloc(0)));
            if (next.opcode === 9) socket.write(frame(10, next.payload));
        }
    });
    socket.on("close", () => on.close());
    socket.on("error", () => socket.destroy());
    return {
        send: (text) => socket.writable && socket.write(frame(1, Buffer.from(text))),
        close: () => socket.end(frame(8, Buffer.alloc(0))),
    };
}
