#!/usr/bin/env -S python3 -B
"""Checks AdvantageScope's config.json files by its documented format (docs/custom-assets): check_config.py FOLDER...

Every member must be there, with its type, and no other; pictures have the size that their corners say, and models for every piece are there.
"""

import json
import pathlib
import struct
import sys

SYSTEMS = ("wall-alliance", "wall-blue", "center-rotated", "center-red")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_list(count, is_item):
    return lambda value: isinstance(value, list) and (count is None or len(value) == count) and all(map(is_item, value))


def is_text(value):
    return isinstance(value, str) and value != ""


def is_flag(value):
    return isinstance(value, bool)


def is_object(value):
    return isinstance(value, dict)


def is_rotation(value):
    return set(value) == {"axis", "degrees"} and value["axis"] in ("x", "y", "z") and is_number(value["degrees"])


def is_piece(value):
    return set(value) == {"name", "rotations", "position", "stagedObjects"} and is_text(value["name"]) and PLACED["rotations"](value["rotations"]) and PLACED["position"](value["position"])


PLACED = {"rotations": is_list(None, is_rotation), "position": is_list(3, is_number)}
FIELD = {"name": is_text, "isFTC": is_flag, "coordinateSystem": lambda value: value in SYSTEMS, "widthInches": is_number, "heightInches": is_number}
MEMBERS = {
    "Field2d": FIELD | {"topLeft": is_list(2, is_number), "bottomRight": is_list(2, is_number)},
    "Field3d": FIELD | PLACED | {"defaultOrigin": lambda value: value in ("auto", "blue", "red"), "driverStations": is_list(6, is_list(2, is_number)),
                                 "gamePieces": is_list(None, is_piece), "aprilTags": is_list(None, is_object)},
    "Robot": PLACED | {"name": is_text, "isFTC": is_flag, "disableSimplification": is_flag, "cameras": is_list(None, is_object), "components": is_list(None, is_object)},
}


def check(folder):
    kind, config = folder.name.partition("_")[0], json.loads((folder / "config.json").read_text())
    members = MEMBERS[kind]
    wrong = [f"{name}: {config.get(name)}" for name, is_right in members.items() if name not in config or not is_right(config[name])]
    wrong += [f"unknown: {name}" for name in config if name not in members and name != "sourceUrl"]
    needed = ["image.png"] if kind == "Field2d" else ["model.glb"] + [f"model_{i}.glb" for i in range(len(config.get("gamePieces", [])))]
    wrong += [f"no {name}" for name in needed if not (folder / name).is_file()]
    if kind == "Field2d" and not wrong:
        width, height = struct.unpack(">II", (folder / "image.png").read_bytes()[16:24])
        left, top, right, bottom = *config["topLeft"], *config["bottomRight"]
        shape = (right - left) / (bottom - top) * config["heightInches"] / config["widthInches"]
        if not (0 <= left < right <= width and 0 <= top < bottom <= height and 0.99 < shape < 1.01):
            wrong.append(f"the corners do not fit a picture of {width} by {height}, or the field's shape")
    return wrong


def main():
    wrong = [f"{folder}: {what}" for folder in map(pathlib.Path, sys.argv[1:]) for what in check(folder)]
    sys.exit("\n".join(wrong) or (None if len(sys.argv) > 1 else "no folders"))


if __name__ == "__main__":
    main()
