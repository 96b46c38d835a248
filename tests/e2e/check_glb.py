#!/usr/bin/env -S python3 -B
"""Checks binary glTF files by the rules of glTF 2.0 that a reader relies on: check_glb.py FILE..."""

import json
import math
import struct
import sys

SIZES = {5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def expect(holds, what):
    if not holds:
        raise ValueError(what)


def chunks(data):
    magic, version, length = struct.unpack_from("<III", data)
    expect(magic == 0x46546C67 and version == 2, "not a binary glTF 2.0 file")
    expect(length == len(data) and length % 4 == 0, "the header's length is wrong")
    at, found = 12, []
    while at < length:
        size, kind = struct.unpack_from("<II", data, at)
        expect(size % 4 == 0 and at + 8 + size <= length, "a chunk is longer than the file")
        found.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    expect([kind for kind, _ in found] == [0x4E4F534A, 0x004E4942], "the chunks are not JSON and BIN")
    return json.loads(found[0][1]), found[1][1]


def values_of(gltf, binary, index):
    accessor = gltf["accessors"][index]
    view = gltf["bufferViews"][accessor["bufferView"]]
    form, size = SIZES[accessor["componentType"]]
    width = WIDTHS[accessor["type"]]
    expect(view["byteOffset"] % 4 == 0, "a view is not aligned")
    expect(accessor["count"] * width * size == view["byteLength"], "an accessor does not fill its view")
    numbers = struct.unpack_from(f"<{accessor['count'] * width}{form}", binary, view["byteOffset"])
    return [numbers[i : i + width] for i in range(0, len(numbers), width)]


def check_primitive(gltf, binary, primitive):
    positions = values_of(gltf, binary, primitive["attributes"]["POSITION"])
    accessor = gltf["accessors"][primitive["attributes"]["POSITION"]]
    columns = list(zip(*positions, strict=True))
    expect(accessor["min"] == [min(column) for column in columns], "min of POSITION is wrong")
    expect(accessor["max"] == [max(column) for column in columns], "max of POSITION is wrong")
    for name, index in primitive["attributes"].items():
        values = values_of(gltf, binary, index)
        expect(len(values) == len(positions), f"{name} has another count than POSITION")
        expect(all(math.isfinite(number) for value in values for number in value), f"{name} is not finite")
        if name == "NORMAL":
            expect(all(abs(math.hypot(*normal) - 1) < 1e-3 for normal in values), "a normal is not of length 1")
    indices = [index for (index,) in values_of(gltf, binary, primitive["indices"])]
    expect(len(indices) % 3 == 0 and max(indices) < len(positions), "an index is out of range")
    expect(0 <= primitive["material"] < len(gltf["materials"]), "there is no such material")


def check(path):
    with open(path, "rb") as file:
        gltf, binary = chunks(file.read())
    expect(gltf["asset"]["version"] == "2.0", "asset.version")
    expect(gltf["buffers"] == [{"byteLength": len(binary)}], "the buffer is not the BIN chunk")
    for view in gltf["bufferViews"]:
        expect(view["byteOffset"] + view["byteLength"] <= len(binary), "a view lies beyond the buffer")
    for image in gltf.get("images", []):
        view = gltf["bufferViews"][image["bufferView"]]
        expect(binary[view["byteOffset"] :].startswith(b"\x89PNG\r\n\x1a\n"), "an image is no PNG")
    primitives = [primitive for mesh in gltf["meshes"] for primitive in mesh["primitives"]]
    expect(primitives, "nothing is drawn")
    for primitive in primitives:
        check_primitive(gltf, binary, primitive)


for path in sys.argv[1:]:
    try:
        check(path)
    except (ValueError, KeyError, IndexError, struct.error) as error:
        sys.exit(f"{path}: {error}")
print(f"{len(sys.argv) - 1} files are valid")
