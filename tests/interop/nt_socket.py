"""A client of NetworkTables 4.1 by hand: a socket, frames, MessagePack. Python's standard library only."""

import base64
import hashlib
import json
import os
import socket
import struct
import time

NT, RTT = "v4.1.networktables.first.wpi.edu", "rtt.networktables.first.wpi.edu"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
WAIT_S = 20


def head(path, protocols, origin=None, host=""):
    """A request as ntcore sends it, whose Host is empty."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
             f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13"]
    lines += [f"Sec-WebSocket-Protocol: {protocols}"] if protocols else []
    lines += [f"Origin: {origin}"] if origin is not None else []
    return "\r\n".join([*lines, "", ""]).encode()


def accept(key):
    """The answer of a server to a request with that key."""
    digest = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
    return (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + digest
            + b"\r\nSec-WebSocket-Protocol: " + NT.encode() + b"\r\n\r\n")


def pack(value):
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return struct.pack(">Bq", 0xD3, value)
    if isinstance(value, float):
        return struct.pack(">Bd", 0xCB, value)
    if isinstance(value, str):
        return struct.pack(">BB", 0xD9, len(value.encode())) + value.encode()
    if isinstance(value, bytes):
        return struct.pack(">BB", 0xC4, len(value)) + value
    return bytes([0x90 + len(value)]) + b"".join(map(pack, value))


FIXED = {0xC0: lambda b, i: (None, i), 0xC2: lambda b, i: (False, i), 0xC3: lambda b, i: (True, i)}
NUMBERS = {0xCA: ">f", 0xCB: ">d", 0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
LENGTHS = {0xC4: ">B", 0xC5: ">H", 0xC6: ">I", 0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDC: ">H", 0xDD: ">I"}


def unpack(data, at):
    """A MessagePack value and where the next one begins."""
    first, at = data[at], at + 1
    if first < 0x80 or first >= 0xE0:
        return first - (256 if first >= 0xE0 else 0), at
    if first in FIXED:
        return FIXED[first](data, at)
    if first in NUMBERS:
        size = struct.calcsize(NUMBERS[first])
        return struct.unpack_from(NUMBERS[first], data, at)[0], at + size
    if first in LENGTHS:
        count, at = struct.unpack_from(LENGTHS[first], data, at)[0], at + struct.calcsize(LENGTHS[first])
    else:
        count = first & (0x1F if first >= 0xA0 else 0x0F)
    if 0x90 <= first < 0xA0 or first in (0xDC, 0xDD):
        items = []
        for _ in range(count):
            item, at = unpack(data, at)
            items.append(item)
        return items, at
    piece = bytes(data[at : at + count])
    return (piece.decode() if 0xA0 <= first < 0xC0 or first in (0xD9, 0xDA, 0xDB) else piece), at + count


class Client:
    """A WebSocket; `texts` and `values` are the messages that came, in their order."""

    def __init__(self, port, request=None):
        self.socket = socket.create_connection(("127.0.0.1", port), WAIT_S)
        self.texts, self.values, self.names = [], [], {}
        self.received, self.closed = b"", None
        self.socket.sendall(request or head("/nt/by-hand", NT))
        while b"\r\n\r\n" not in self.received:
            data = self.socket.recv(65536)
            if not data:
                break
            self.received += data
        answer, _, self.received = self.received.partition(b"\r\n\r\n")
        self.answer = answer.decode()
        self.status = int(self.answer.split(" ")[1]) if self.answer else 0

    def frame(self, opcode, payload, final=True):
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 0xFE, size) if size < 65536 else struct.pack(">BQ", 0xFF, size)
        self.socket.sendall(bytes([opcode | (0x80 if final else 0)]) + length + bytes(4) + payload)

    def say(self, *messages):
        self.frame(TEXT, json.dumps([{"method": method, "params": params} for method, params in messages]).encode())

    def put(self, pubuid, time_us, kind, value):
        self.frame(BINARY, b"\x94" + pack(pubuid) + pack(time_us) + pack(kind) + pack(value))

    def _take_frame(self):
        data = self.received
        if len(data) < 2:
            return False
        size, at = data[1], 2
        if size > 125:
            form = ">H" if size == 126 else ">Q"
            if len(data) < at + struct.calcsize(form):
                return False
            size, at = struct.unpack_from(form, data, at)[0], at + struct.calcsize(form)
        if len(data) < at + size:
            return False
        self.received = data[at + size :]
        self._take(data[0] & 15, data[at : at + size])
        return True

    def _take(self, opcode, payload):
        if opcode == PING:
            self.frame(PONG, payload)
        elif opcode == CLOSE:
            self.closed = payload
        elif opcode == TEXT:
            for message in json.loads(payload):
                self.texts.append((message["method"], message["params"]))
                if message["method"] == "announce":
                    self.names[message["params"]["id"]] = message["params"]["name"]
        elif opcode == BINARY:
            at = 0
            while at < len(payload):
                (topic, time_us, kind, value), at = unpack(payload, at)
                self.values.append((topic if topic == -1 else self.names[topic], time_us, kind, value))

    def hear_until(self, happened, what):
        """Takes in what comes until `happened()`."""
        give_up = time.monotonic() + WAIT_S
        while not happened():
            while self._take_frame():
                pass
            if happened():
                return True
            self.socket.settimeout(max(0.01, give_up - time.monotonic()))
            try:
                data = self.socket.recv(1 << 20)
            except (TimeoutError, OSError):
                data = b""
            if not data:
                print(f"waited in vain for {what}; texts {self.texts[-3:]}, values {self.values[-3:]}, closed {self.closed}")
                return False
            self.received += data
        return True

    def newest(self, name):
        values = [value for topic, _, _, value in self.values if topic == name]
        return values[-1] if values else None

    def close(self):
        self.socket.close()
