#!/usr/bin/env python3
"""The dashboard Elastic downloads its layouts from port 5800 of a robot: test_elastic.py HALYARD. Asked here is byte by byte what Elastic
asks (lib/services/elastic_layout_downloader.dart, by Dart's HTTP client), and the answers are read as Elastic reads them."""

import gzip
import json
import re
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

HALYARD = sys.argv[1]
WIDGETS = {"Boolean Box", "Voltage View", "Graph", "Text Display", "Match Time"}
REQUEST = "GET {} HTTP/1.1\r\nuser-agent: Dart/3.8 (dart:io)\r\naccept-encoding: gzip\r\ncontent-length: 0\r\nhost: 127.0.0.1:{}\r\n\r\n"


def get(port, path):
    """The status, the type and the text of an answer."""
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(REQUEST.format(path, port).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += connection.recv(65536)
        head, body = answer.split(b"\r\n\r\n", 1)
        fields = dict(line.lower().split(": ", 1) for line in head.decode().split("\r\n")[1:])
        while len(body) < int(fields["content-length"]):
            body += connection.recv(65536)
    body = gzip.decompress(body) if "content-encoding" in fields else body
    return int(head.split()[1]), fields["content-type"], body.decode()


def fields_of(widget, size):
    """Which fields of the grid it covers. Elastic takes a number without a decimal point for none."""
    numbers = [widget[member] for member in ("x", "y", "width", "height")]
    assert all(isinstance(number, float) and number % size == 0 for number in numbers), widget
    x, y, width, height = (int(number / size) for number in numbers)
    assert width > 0 and height > 0, widget
    return {(x + i, y + j) for i in range(width) for j in range(height)}


def topics_of(text):
    layout = json.loads(text)
    (tab,) = layout["tabs"]
    assert isinstance(tab["name"], str) and tab["name"] != "", tab
    taken, topics = set(), set()
    for widget in tab["grid_layout"]["containers"]:
        assert widget["type"] in WIDGETS and widget["title"] != "", widget
        covered = fields_of(widget, layout["grid_size"])
        assert not covered & taken, f"{widget['title']} lies over another widget"
        taken |= covered
        topics.add(widget["properties"]["topic"])
    return topics


def check(arguments, robots, expected):
    """`expected`: topics that the last robot's layout shows. Returns those of all layouts."""
    shown = set()
    program = subprocess.Popen([HALYARD, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        ready = None
        while ready is None:
            line = program.stdout.readline()
            assert line != "", "the program ended"
            ready = re.search(r"^halyard: ready .*page=http://127\.0\.0\.1:([0-9]+)/", line)
        port = int(ready[1])
        status, kind, body = get(port, "/?format=json")
        assert (status, kind) == (200, "application/json"), (status, kind, body)
        names = [file["name"] for file in json.loads(body)["files"]]
        assert len(names) == len(set(names)) == robots, names
        for i, name in enumerate(names):
            assert name.endswith(".json") and quote(name, safe="") == name, "Elastic writes it in another way"
            status, kind, body = get(port, "/" + name)
            assert (status, kind) == (200, "application/json"), (status, kind, body)
            topics = topics_of(body)
            robot = "/Robot/" if robots == 1 else f"/Robot{i + 1}/"
            assert all(topic.startswith((robot, "/Match/")) for topic in topics), topics
            shown |= topics
        assert expected <= topics, topics
        assert get(port, "/no%20such%20layout.json")[0] == 404
        assert get(port, "/?format=xml") == get(port, "/") != get(port, "/?format=json")
    finally:
        program.terminate()
        program.communicate()
    print(*arguments, ":", *names)
    return shown


def unpublished(topics, recording):
    """Those that a recording of such robots does not have."""
    recorded = recording.read_bytes()
    return {topic for topic in topics if f"NT:{topic}".encode() not in recorded}


with tempfile.TemporaryDirectory() as folder:
    for robot, sensors in ("xrp", {"/Robot/Sensors/Range", "/Robot/Sensors/Reflectance"}), ("teensy", set()):
        recording = Path(folder) / f"{robot}.wpilog"
        place = ["--listen", "127.0.0.1:0", "--view=127.0.0.1:0", "--record", str(recording)]
        topics = check(["board", robot, *place], 1, {"/Robot/Enabled", "/Robot/Motors", "/Robot/Link/CommandsLost", *sensors})
        assert unpublished(topics, recording) == set(), unpublished(topics, recording)
    topics = check(["view", "--players", "6", "--listen", "127.0.0.1:0"], 6, {"/Robot6/Pieces", "/Robot6/Brownout", "/Match/Time"})
    played = {re.sub("^/Robot[0-9]", "/Robot2", topic) for topic in topics}
    lacking = unpublished(played, Path(__file__).parents[1] / "replay/match-two.wpilog")
    assert lacking == {"/Robot2/Battery"}, lacking  # only with a config that has batteries
