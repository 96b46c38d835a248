"""Our NetworkTables server with WPILib's client, with AdvantageScope's and Elastic's handshakes, with a client that misbehaves, and beside
WPILib's own server."""

import argparse
import os
import pathlib
import pty
import socket
import subprocess
import sys
import tempfile
import threading
import time

import harness
import nt_socket
from nt_socket import BINARY, NT, RTT, TEXT, Client, head

WAIT_S = 30


class Host:
    """nt_host, and what it printed."""

    def __init__(self, program, topics=0, server=()):
        self.process = subprocess.Popen([program, str(topics), *map(str, server)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])

    def end(self):
        self.process.stdin.close()
        lines = self.process.stdout.read().splitlines()
        words = lines[-1].split()
        self.process.wait()
        return lines[:-1], dict(zip(words[::2], map(int, words[1::2]), strict=True))


def within(happened):
    give_up = time.monotonic() + WAIT_S
    while time.monotonic() < give_up:
        if happened():
            return True
        time.sleep(0.01)
    return False


# ---------------------------------------------------------------------------------------------
# WPILib's client


def connect(ntcore, port, name):
    instance = ntcore.NetworkTableInstance.create()
    instance.setServer("127.0.0.1", port)
    instance.startClient4(name)
    return instance


def values_and_structs(checks, ntcore, program):
    from wpimath.geometry import Pose2d

    host = Host(program, topics=200)
    instance = connect(ntcore, host.port, "halyard test")
    expected = {
        ("/hy/flag", "boolean"): True, ("/hy/small", "float"): 0.5, ("/hy/text", "string"): "état",
        ("/hy/doubles", "double[]"): [1.5, -2.5], ("/hy/flags", "boolean[]"): [True, False], ("/hy/wholes", "int[]"): [-1, 1 << 40],
        ("/hy/texts", "string[]"): ["a", "b c"], ("/hy/raw", "raw"): b"\x01\x00\xff", ("/hy/gain", "double"): 1.0,
    }
    subscriber = ntcore.MultiSubscriber(instance, ["/"], ntcore.PubSubOptions(periodic=0.02, sendAll=True))
    topics = {name: instance.getTopic(name) for name, _ in expected}
    entries = {name: instance.getEntry(name) for name, _ in expected}
    for (name, kind), value in expected.items():
        checks.check(f"{name} has its value", within(lambda n=name, v=value: entries[n].value == v), f"{entries[name].value}")
        checks.check(f"{name} has its type", topics[name].getTypeString() == kind, topics[name].getTypeString())
    checks.check("a unit is a property", instance.getTopic("/hy/number").getProperties() == {"unit": "V"}, f"{instance.getTopic('/hy/number').getProperties()}")
    pose = instance.getStructTopic("/hy/pose", Pose2d).subscribe(Pose2d())
    checks.check("a struct", within(lambda: pose.get() == Pose2d(1, 2, 0.5)), f"{pose.get()}")
    poses = instance.getStructArrayTopic("/hy/poses", Pose2d).subscribe([])
    checks.check("structs", within(lambda: poses.get() == [Pose2d(1, 2, 0.5), Pose2d(3, 4, -0.5)]), f"{poses.get()}")
    schemas = {f"/.schema/struct:{name}" for name in ("Pose2d", "Translation2d", "Rotation2d")}
    checks.check("with their schemas", all(instance.getTopic(name).getTypeString() == "structschema" for name in schemas))
    further = [instance.getEntry(f"/further/{i}") for i in range(200)]
    moving = within(lambda: all(entry.getDouble(0) > 10 for entry in further))
    checks.check("200 topics move", moving)

    every = instance.getIntegerTopic("/hy/whole").subscribe(0, ntcore.PubSubOptions(sendAll=True, pollStorage=1000))
    heard = []
    within(lambda: heard.extend(item.value for item in every.readQueue()) or len(heard) > 100)
    checks.check("no value of 'all' is missing", heard == list(range(heard[0], heard[0] + len(heard))), f"{len(heard)}")
    tunables(checks, instance, host)
    subscriber.close()
    instance.stopClient()
    lines, counters = host.end()
    checks.check("the changes were offered", lines[-2:] == ["gain 5", "gate 1"], f"{lines}")
    checks.check("a default was none", "gain 0.25" not in lines, f"{lines}")
    checks.check("nothing was lost", counters["lost"] == 0 and counters["disconnected"] == 0, f"{counters}")


def tunables(checks, instance, host):
    gain, gate = instance.getDoubleTopic("/hy/gain").getEntry(0), instance.getBooleanTopic("/hy/gate").getEntry(False)
    whole = instance.getIntegerTopic("/hy/whole").publish()
    whole.set(-7)
    gain.setDefault(0.25)  # for a topic that has no value yet: this one has
    early = connect_again(host.port)
    early.say(("publish", {"name": "/hy/gain", "type": "double", "pubuid": 1}))
    early.put(1, 0, 1, 0.25)
    gain.set(5.0)
    checks.check("a tunable is changed, and limited by its owner", within(lambda: gain.get() == 2.0), f"{gain.get()}")
    gate.set(True)
    other = connect_again(host.port)
    other.say(("subscribe", {"topics": ["/hy/gate"], "subuid": 2}))
    checks.check("a flag, too", other.hear_until(lambda: other.newest("/hy/gate"), "/hy/gate"))
    checks.check("a topic that is none stays ours", other.hear_until(lambda: (other.newest("/hy/whole") or 0) > 0, "/hy/whole"))
    other.close()
    early.close()


def connect_again(port):
    client = Client(port)
    client.say(("subscribe", {"topics": ["/hy/whole"], "subuid": 1}))
    return client


def reconnects(checks, ntcore, program):
    host = Host(program)
    for _ in range(3):
        instance = connect(ntcore, host.port, "again")
        number = instance.getDoubleTopic("/hy/number").subscribe(-1)
        checks.check("values after a reconnect", within(lambda n=number: n.get() >= 0))
        instance.stopClient()
    first, second = connect(ntcore, host.port, "first"), connect(ntcore, host.port, "second")
    publisher = first.getStringTopic("/c/words").publish()
    publisher.set("hello")
    subscriber = second.getStringTopic("/c/words").subscribe("")
    checks.check("one client's value reaches the other", within(lambda: subscriber.get() == "hello"))
    publisher.set("again")
    checks.check("and the next", within(lambda: subscriber.get() == "again"))
    first.stopClient()
    checks.check("a topic ends with its publisher", within(lambda: not second.getTopic("/c/words").exists()))
    second.stopClient()
    host.end()


# ---------------------------------------------------------------------------------------------
# Dashboards, byte by byte


def dashboards(checks, program):
    host = Host(program)
    with socket.create_connection(("127.0.0.1", host.port), WAIT_S) as probe:
        probe.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:5810\r\nOrigin: file://\r\n\r\n")
        answer = probe.recv(4096).decode()
    checks.check("AdvantageScope's probe", answer.startswith("HTTP/1.1 200") and "access-control-allow-origin: *" in answer, answer.splitlines()[0])
    main = Client(host.port, head("/nt/AdvantageScope", f"{NT}, networktables.first.wpi.edu", "file://", "127.0.0.1:5810"))
    checks.check("its socket is 4.1", main.status == 101 and NT in main.answer)
    everything = {"topics": [""], "subuid": 49083430, "options": {"periodic": 0.1, "all": False, "topicsonly": True, "prefix": True}}
    main.say(("subscribe", everything))
    announced = lambda: {params["name"] for method, params in main.texts if method == "announce"}
    checks.check("all topics are announced", main.hear_until(lambda: "/hy/gate" in announced(), "announcements"))
    checks.check("without values", not main.values)
    clock = Client(host.port, head("/nt/AdvantageScope", RTT, "file://"))
    clock.frame(BINARY, bytes.fromhex("94ff0002cf000660d9f4877640"))
    checks.check("the second socket tells the time", clock.hear_until(lambda: clock.values, "the time")
                 and clock.values[0][0] == -1 and clock.values[0][2:] == (2, 0x000660D9F4877640), f"{clock.values}")
    main.say(("subscribe", {"topics": ["/hy"], "subuid": 7, "options": {"periodic": 0.02, "all": True, "topicsonly": False, "prefix": True}}))
    checks.check("a field's values", main.hear_until(lambda: (main.newest("/hy/whole") or 0) > 5, "/hy/whole"))
    times = [time_us for name, time_us, _, _ in main.values if name == "/hy/whole"]
    checks.check("with the server's times", times == sorted(times) and abs(clock.values[0][1] - times[0]) < 10_000_000)
    elastic = Client(host.port, head("/nt/Elastic", f"networktables.first.wpi.edu, {NT}", None, "127.0.0.1:5810"))
    checks.check("Elastic's order gets 4.1, too", elastic.status == 101 and f"protocol: {NT}" in elastic.answer)
    for client in (main, clock, elastic):
        client.close()
    refused = [
        ("4.0 is refused", head("/nt/x", "networktables.first.wpi.edu")),
        ("no protocol", head("/nt/x", None)),
        ("a page of elsewhere", head("/nt/x", NT, "http://example.org", "127.0.0.1:5810")),
        ("the origin null", head("/nt/x", NT, "null", "127.0.0.1:5810")),
        ("another path", head("/elsewhere", NT)),
    ]
    for name, request in refused:
        client = Client(host.port, request)
        checks.check(name, client.status == 403, f"{client.status}")
        client.close()
    own = Client(host.port, head("/nt/x", NT, f"http://127.0.0.1:{host.port}", f"127.0.0.1:{host.port}"))
    checks.check("a page of its own", own.status == 101, f"{own.status}")
    nameless = Client(host.port, head("/nt/", NT))
    checks.check("a client without a name is sent away", nameless.hear_until(lambda: nameless.closed, "a close frame"))
    host.end()


# ---------------------------------------------------------------------------------------------
# Clients that misbehave


def attackers(checks, program):
    host = Host(program, topics=50)
    good = connect_again(host.port)
    flood = Client(host.port)
    try:
        for i in range(10_000):
            flood.say(("subscribe", {"topics": [f"/x/{i}"], "subuid": i}))
    except OSError:
        pass
    checks.check("10,000 subscriptions end in a refusal", flood.hear_until(lambda: flood.closed is not None, "the end") and b"subscriptions" in flood.closed, f"{flood.closed}")
    rude = Client(host.port)
    rude.frame(BINARY, b"\x94\xc1")
    checks.check("bad MessagePack ends it", rude.hear_until(lambda: rude.closed is not None, "the end") and b"decode" in rude.closed, f"{rude.closed}")
    confused = Client(host.port)
    confused.frame(TEXT, b'[{"method":"fly"},1,{"method":"publish","params":{"name":"$x","type":"int","pubuid":1}}')
    confused.put(99, 0, 1, 1.0)
    confused.say(("publish", {"name": "/hy/number", "type": "double", "pubuid": 1}))
    confused.put(1, 0, 1, -77.0)
    confused.say(("subscribe", {"topics": ["/hy/number"], "subuid": 2}))
    checks.check("bad JSON does not, and our topics stay ours",
                 confused.hear_until(lambda: (confused.newest("/hy/number") or 0) > 0, "/hy/number") and confused.newest("/hy/number") != -77.0)
    halves = Client(host.port)
    text = b'[{"method":"subscribe","params":{"topics":["/hy/whole"],"subuid":1}}]'
    halves.frame(TEXT, text[:20], final=False)
    halves.frame(nt_socket.PING, b"12345678")
    halves.frame(0, text[20:])
    checks.check("a message in two frames", halves.hear_until(lambda: halves.newest("/hy/whole"), "/hy/whole"))
    for _ in range(200):
        client = Client(host.port)
        client.frame(TEXT, text[:30], final=False)
        client.close()
    silent = Client(host.port)
    silent.say(("subscribe", {"topics": ["/further"], "subuid": 1, "options": {"prefix": True, "all": True}}))
    before = good.newest("/hy/whole") or 0
    checks.check("another client has its values all the same", good.hear_until(lambda: (good.newest("/hy/whole") or 0) > before + 50, "values"))
    many = [Client(host.port) for _ in range(40)]
    checks.check("40 more clients do not disturb it", good.hear_until(lambda b=good.newest("/hy/whole"): good.newest("/hy/whole") > b + 50, "values"))
    for client in [*many, silent, good, flood, rude, confused, halves]:
        client.close()
    _, counters = host.end()
    checks.check("the counters tell of it", counters["disconnected"] == 2 and counters["ignored"] >= 3 and counters["lost"] == 0, f"{counters}")


# ---------------------------------------------------------------------------------------------
# As a client of WPILib's server


class Server:
    """WPILib's server, as a team's own robot program has it."""

    def __init__(self, ntcore, folder, port):
        self.ntcore = ntcore
        self.instance = ntcore.NetworkTableInstance.create()
        self.instance.startServer(str(pathlib.Path(folder) / "team.json"), "127.0.0.1", 0, port)
        self.followed = [ntcore.MultiSubscriber(self.instance, [""], ntcore.PubSubOptions(topicsOnly=True))]

    def follow(self, topic):
        self.followed.append(topic)
        return topic

    def end(self):
        self.instance.stopServer()
        for topic in self.followed:
            topic.close()
        self.ntcore.NetworkTableInstance.destroy(self.instance)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def in_wpilibs_server(checks, ntcore, program, folder):
    from wpimath.geometry import Pose2d

    port = free_port()
    host = Host(program, topics=100, server=(port,))
    checks.check("without a server one line says so", host.process.stdout.readline() == "absent\n")
    for number in range(3):
        server = Server(ntcore, folder, port)
        instance = server.instance
        every = server.follow(instance.getIntegerTopic("/hy/whole").subscribe(-1, ntcore.PubSubOptions(sendAll=True, pollStorage=1000)))
        gain = server.follow(instance.getDoubleTopic("/hy/gain").getEntry(-1.0))
        pose = server.follow(instance.getStructTopic("/hy/pose", Pose2d).subscribe(Pose2d()))
        further = [server.follow(instance.getDoubleTopic(f"/further/{i}").subscribe(0)) for i in range(100)]
        checks.check(f"start {number} of the server is noticed", host.process.stdout.readline() == "connected\n")
        heard = []
        within(lambda e=every, h=heard: h.extend(e.readQueue()) or len(h) > 50)
        numbers = [item.value for item in heard]
        checks.check("no value is missing", len(numbers) > 50 and numbers[1:] == list(range(numbers[1], numbers[1] + len(numbers) - 1)), f"{numbers}")
        times = [item.time for item in heard]
        checks.check("times grow, and are the server's", times == sorted(times) and abs(times[-1] - ntcore._now()) < 5_000_000, f"{times[-1]} {ntcore._now()}")
        checks.check("100 topics move", within(lambda f=further: all(entry.get() > 10 for entry in f)))
        checks.check("a struct and its schemas", within(lambda p=pose: p.get() == Pose2d(1, 2, 0.5)) and instance.getTopic("/.schema/struct:Pose2d").exists())
        checks.check("properties", instance.getTopic("/hy/number").getProperties() == {"unit": "V"})
        checks.check("its tunable's own value", within(lambda g=gain, n=number: g.get() == (2.0 if n else 1.0)), f"{gain.get()}")
        gain.set(5.0 + number)
        checks.check("a change is offered", host.process.stdout.readline() == f"gain {5 + number}\n")
        checks.check("and what the program takes is what stays", within(lambda g=gain: g.get() == 2.0), f"{gain.get()}")
        server.end()
        checks.check(f"end {number} of the server is noticed", host.process.stdout.readline() == "absent\n")
    _, counters = host.end()
    checks.check("nothing was lost", counters["lost"] == 0 and counters["in"] == 3 and counters["ignored"] == 0, f"{counters}")


def hostile_server(checks, program):
    """A server that answers nothing, nonsense, endless heads and frames; then a good one still gets everything."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(WAIT_S)
        host = Host(program, topics=1, server=(listener.getsockname()[1],))
        for answer in (b"", b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 100_000, b"HTTP/1.1 101 X\r\nSec-WebSocket-Accept: wrong\r\n\r\n", b"\0\xff" * 5000):
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(WAIT_S)
                request = connection.recv(4096)
                checks.check("a request that any server accepts", request.startswith(b"GET /nt/halyard HTTP/1.1\r\nHost: ") and NT.encode() in request, f"{request}")
                try:
                    connection.sendall(answer)
                    if answer:
                        within(lambda c=connection: not c.recv(4096))
                except OSError:
                    pass  # it hung up while it was sent nonsense
        for frames in (b"\x82\x7f\x00\x00\x00\xff\x00\x00\x00\x00", b"\x82\x02\x94\xc1", b"\x81\x80\0\0\0\0", b"\x89\x00" * 200_000 + b"\xff\xff"):
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(WAIT_S)
                key = connection.recv(4096).split(b"Sec-WebSocket-Key: ")[1].split(b"\r\n")[0]
                connection.sendall(nt_socket.accept(key) + frames)
                try:
                    ended = within(lambda c=connection: not c.recv(65536))
                except OSError:
                    ended = True
                checks.check("frames that break the protocol end the connection", ended)
    lines, counters = host.end()
    checks.check("and it runs on", host.process.returncode == 0 and lines == ["absent"] and counters["lost"] == 0, f"{lines} {counters}")


def programs_in_a_server(checks, ntcore, halyard, program, folder):
    """A robot program, `board`, `sim` and `play` as clients: the server is absent first."""
    match = ["play", "--players", "0", "--bots", "1", "--seconds", "60", "--shift", str(12001 + os.getpid() % 60 * 100)]
    cases = [
        ("line_follow", [program, "--sim", "xrp-line", "--duration", "3600"], "/Robot/Truth/Pose"),
        ("board", [halyard, "board", "xrp", "--listen", "127.0.0.1:0"], "/Robot/Truth/Pose"),
        ("sim", [halyard, "sim", "--board", "xrp@127.0.0.1:0"], "/Match/Time"),
        ("play", [halyard, *match, "--listen", "127.0.0.1:0"], "/Match/Time"),
    ]
    for name, argv, topic in cases:
        port = free_port()
        run = harness.Program(name, [*argv, f"--nt=nt://127.0.0.1:{port}"], pathlib.Path(folder) / f"{name}-client.log")
        run.wait_for(lambda r=run: f"no NetworkTables server at 127.0.0.1:{port}" in r.log(), WAIT_S, "the sentence that no server is there")
        run.wait_for(lambda r=run: f"nt=nt://127.0.0.1:{port}" in r.log(), WAIT_S, "the ready line")
        server = Server(ntcore, folder, port)
        control = server.follow(server.instance.getIntegerTopic("/FMSInfo/FMSControlData").getEntry(-1))
        control.set(0b100111)  # as the team's own program says
        number = "/Match/Time" if topic.startswith("/Match") else "/Robot/Battery"
        values = server.follow(server.instance.getDoubleTopic(number).subscribe(0, ntcore.PubSubOptions(sendAll=True, keepDuplicates=True, pollStorage=100)))
        checks.check(f"{name} publishes {topic}", within(lambda s=server, t=topic: s.instance.getTopic(t).exists()))
        run.wait_for(lambda r=run: "publishes in the NetworkTables server at" in r.log(), WAIT_S, "the sentence that a server is there")
        if name == "line_follow":
            gain = server.follow(server.instance.getDoubleTopic("/Tuning/kP").getEntry(-1.0))
            checks.check("with its tunable", within(lambda g=gain: g.get() == 0.15), f"{gain.get()}")
            gain.set(1e9)
            checks.check("which is limited", within(lambda g=gain: g.get() == 2.0), f"{gain.get()}")
        heard = []
        within(lambda v=values, h=heard: h.extend(v.readQueue()) or len(h) > 2)
        checks.check("and leaves what the team's program says of itself alone", len(heard) > 2 and control.get() == 0b100111, f"{control.get()}")
        run.stop()
        server.end()


# ---------------------------------------------------------------------------------------------
# A robot program


def a_program(checks, ntcore, program, folder):
    from wpimath.geometry import Pose2d

    recording = pathlib.Path(folder) / "tuned.wpilog"
    kept = pathlib.Path(folder) / "tuned.yaml"
    argv = [program, "--sim", "xrp-line", "--nt=127.0.0.1:0", "--duration", "3600", "--record", recording, "--save-tunables", kept]
    run = harness.Program("line_follow", argv, pathlib.Path(folder) / "line_follow.log")

    def address():
        lines = [line for line in run.log().splitlines() if line.startswith("halyard: ready nt=")]
        return lines and lines[0].partition("nt=")[2]

    port = int(run.wait_for(address, WAIT_S, "line 'halyard: ready nt=ADDR:PORT'").rpartition(":")[2])
    instance = connect(ntcore, port, "tuner")
    every = ntcore.MultiSubscriber(instance, [""], ntcore.PubSubOptions(topicsOnly=True))
    pose = instance.getStructTopic("/Robot/Truth/Pose", Pose2d).subscribe(Pose2d())
    checks.check("a program's robot drives", within(lambda: pose.get().x > 0.65), f"{pose.get()}")
    left = instance.getDoubleTopic("/SmartDashboard/left").subscribe(-1.0)
    checks.check("what it puts is there", within(lambda: left.get() >= 0))
    intruder = instance.getDoubleTopic("/SmartDashboard/left").publish()
    said = "tried to change /SmartDashboard/left, which is no tunable"
    checks.check("who changes what is no tunable is told of, once", within(lambda: intruder.set(time.monotonic()) or said in run.log()) and run.log().count(said) == 1)
    data = instance.getIntegerTopic("/FMSInfo/FMSControlData").subscribe(0)
    checks.check("it is enabled", within(lambda: data.get() & 0b100001 == 0b100001), f"{data.get()}")
    gain = instance.getDoubleTopic("/Tuning/kP").getEntry(-1.0)
    checks.check("its tunable has its first value", within(lambda: gain.get() == 0.15), f"{gain.get()}")
    gain.set(0.25)
    instance.flush()
    time.sleep(0.5)
    gain.set(1e9)
    checks.check("it is limited", within(lambda: gain.get() == 2.0), f"{gain.get()}")
    gain.set(float("nan"))
    instance.flush()
    checks.check("and no NaN", within(lambda: gain.get() == 2.0), f"{gain.get()}")
    within(lambda: instance.getTopic("/Robot/Sensors/Encoders").exists())
    names = {topic.getName() for topic in instance.getTopics()}
    every.close()
    checks.check("what is only in files is not published", not [name for name in names if "Metadata" in name or "messages" in name], f"{names}")
    instance.stopClient()
    run.stop()
    checks.check("what was tuned is kept", kept.exists() and "value: 2\n" in kept.read_text())
    from wpiutil.log import DataLogReader

    starts, tuned, recorded = {}, [], set()
    for record in DataLogReader(str(recording)):
        if record.isStart():
            starts[record.getStartData().entry] = record.getStartData().name
            recorded.add(record.getStartData().name)
        elif starts[record.getEntry()] == "NT:/Tuning/kP":
            tuned.append(record.getDouble())
    checks.check("the changes are recorded", tuned[0] == 0.15 and 0.25 in tuned and tuned[-1] == 2.0, f"{tuned}")
    missing = {name for name in names if not name.startswith("$") and f"NT:{name}" not in recorded}
    checks.check("under the names of the file", not missing, f"{missing}")


class Terminal:
    """A program with a person at its terminal: what it shows, and keys for it."""

    def __init__(self, argv):
        self.end, other = pty.openpty()
        self.shown = b""
        self.process = subprocess.Popen(argv, stdin=other, stdout=other, stderr=other, start_new_session=True, preexec_fn=harness.before_program)
        os.close(other)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            while more := os.read(self.end, 65536):
                self.shown += more
        except OSError:  # the program has ended
            pass

    def press(self, keys):
        os.write(self.end, keys)

    def address(self):
        lines = [line for line in self.shown.splitlines() if line.startswith(b"halyard: ready nt=")]
        return lines and lines[0].partition(b"nt=")[2].decode()


def a_chooser(checks, ntcore, program):
    """A dashboard chooses the autonomous routine before the robot is enabled."""
    run = Terminal([program, "--sim", "xrp-open", "--nt=127.0.0.1:0", "--duration", "3600"])
    if not within(run.address):
        raise harness.TestError(f"no ready line: {run.shown}")
    instance = connect(ntcore, int(run.address().rpartition(":")[2]), "chooser")
    table = instance.getTable("/SmartDashboard/Auto")
    keys = {".type": "String Chooser", "options": ["to the left", "to the right"], "default": "to the left", "active": "to the left",
            "selected": "to the left"}
    entries = {key: table.getEntry(key) for key in keys}
    for key, expected in keys.items():
        checks.check(f"a chooser's {key}", within(lambda k=key, e=expected: entries[k].value == e), f"{entries[key].value}")
    entries["selected"].setString("to the moon")
    entries["active"].setString("to the moon")
    instance.flush()
    checks.check("what is no option is put back", within(lambda: entries["selected"].value == "to the left"), f"{entries['selected'].value}")
    watcher = connect(ntcore, int(run.address().rpartition(":")[2]), "watcher")
    active = watcher.getStringTopic("/SmartDashboard/Auto/active").subscribe("")
    checks.check("and only the robot says what is active", within(lambda: active.get() == "to the left"), active.get())
    entries["selected"].setString("to the right")
    checks.check("an option is taken", within(lambda: active.get() == "to the right"), active.get())
    turned = watcher.getDoubleTopic("/SmartDashboard/turned").subscribe(0.0)
    run.press(b"\r")
    checks.check("and is what the robot drives when it is enabled", within(lambda: turned.get() < -1.0), f"{turned.get()}")
    run.press(b"q")
    checks.check("the program ends", run.process.wait(WAIT_S) == 0)
    for client in (instance, watcher):
        client.stopClient()


def names_of_2027(checks, ntcore, halyard, program, folder):
    """What --nt-dialect 2027 calls things, live and in the file, for a program and for a simulator."""
    from wpiutil.log import DataLogReader

    cases = [
        ("program", [program, "--sim", "xrp-line", "--duration", "3600"], ["/Telemetry/left", "/Tuning/kP"], 1 << 58),
        ("chooser", [program.parent / "drive_square", "--enable", "--sim", "xrp-open", "--duration", "3600"], ["/Tunables/Auto/selected"], 1 << 58),
        ("board", [halyard, "board", "xrp", "--listen", "127.0.0.1:0"], [], 0),
    ]
    for name, argv, topics, enabled in cases:
        recording = pathlib.Path(folder) / f"{name}-2027.wpilog"
        run = harness.Program(name, [*argv, "--nt=127.0.0.1:0", "--nt-dialect", "2027", "--record", recording], pathlib.Path(folder) / f"{name}-2027.log")
        line = run.wait_for(lambda r=run: [line for line in r.log().splitlines() if line.startswith("halyard: ready ")], WAIT_S, "the ready line")[0]
        port = next(int(pair.rpartition(":")[2]) for pair in line.split() if pair.startswith("nt="))
        instance = connect(ntcore, port, f"{name}-2027")
        every = ntcore.MultiSubscriber(instance, [""], ntcore.PubSubOptions(topicsOnly=True))
        word = instance.getRawTopic("/DriverStation/ControlWord").subscribe("struct:ControlWord", b"")
        wanted = [*topics, "/DriverStation/ControlWord", "/DriverStation/.type", "/.schema/struct:ControlWord"]
        there = lambda: {topic.getName() for topic in instance.getTopics()}
        checks.check(f"{name}: topics of 2027", within(lambda: there().issuperset(wanted)), f"{there()}")
        said = lambda: int.from_bytes(word.get(), "little")
        checks.check(f"{name}: whether it is enabled, in WPILib's bits", within(lambda: len(word.get()) == 8 and said() & 1 << 58 == enabled and said() & 1 << 61), f"{word.get()}")
        old = [topic for topic in there() if topic.startswith(("/SmartDashboard", "/FMSInfo"))]
        checks.check(f"{name}: none of 2026", not old, f"{old}")
        every.close()
        instance.stopClient()
        run.stop()
        recorded = {record.getStartData().name for record in DataLogReader(str(recording)) if record.isStart()}
        checks.check(f"{name}: the same names in the file", recorded.issuperset(f"NT:{topic}" for topic in wanted), f"{recorded}")


def simulators(checks, halyard, folder):
    """`board`, `sim` and `play` serve their world, and never tell the token of a page."""
    match = ["play", "--players", "0", "--bots", "1", "--seconds", "60", "--shift", str(12001 + os.getpid() % 60 * 100)]  # no other test's ports end with 1
    cases = [
        ("board", ["board", "xrp", "--listen", "127.0.0.1:0", "--view=127.0.0.1:0"], "/Robot/Truth/Pose"),
        ("sim", ["sim", "--board", "xrp@127.0.0.1:0"], "/Match/Time"),
        ("play", [*match, "--listen", "127.0.0.1:0"], "/Match/Time"),
    ]
    for name, words, topic in cases:
        recording = pathlib.Path(folder) / f"{name}.wpilog"
        argv = [halyard, *words, "--nt=127.0.0.1:0", "--record", recording]
        run = harness.Program(name, argv, pathlib.Path(folder) / f"{name}.log")

        def ready():
            lines = [line for line in run.log().splitlines() if line.startswith("halyard: ready ")]
            return lines and dict(pair.split("=", 1) for pair in lines[0].split()[2:])

        pairs = run.wait_for(ready, WAIT_S, "the ready line")
        client = Client(int(pairs["nt"].rpartition(":")[2]))
        client.say(("subscribe", {"topics": [""], "subuid": 1, "options": {"prefix": True, "all": True}}))
        checks.check(f"{name} serves {topic}", client.hear_until(lambda t=topic, c=client: sum(v[0] == t for v in c.values) > 2, topic))
        run.stop()
        if "page" in pairs:
            token = pairs["page"].partition("#")[2]
            heard = repr((client.texts, client.values)).encode() + recording.read_bytes()
            checks.check("the page's token is neither told nor recorded", len(token) == 32 and token.encode() not in heard, token)
        client.close()


def by_default(checks, halyard, program, folder):
    """A program in real time serves without being asked, unless the port is taken or somebody does not want it."""
    environment = {key: value for key, value in os.environ.items() if key != "HALYARD_NT"}
    ready = "halyard: ready nt=127.0.0.1:5810\n"
    board = harness.Program("board", [halyard, "board", "xrp", "--listen", "127.0.0.1:0"], pathlib.Path(folder) / "default-board.log")
    line = board.wait_for(lambda: [line for line in board.log().splitlines() if line.startswith("halyard: ready ")], WAIT_S, "the ready line")[0]
    address = next(pair.partition("=")[2] for pair in line.split() if pair.startswith("udp="))

    def run(*words, **more):
        return subprocess.run([program, *words], capture_output=True, text=True, timeout=WAIT_S, cwd=folder, env={**environment, **more})

    sim = ["--sim", "xrp-line", "--duration", "0.2"]
    robot = [f"xrp://{address}", "--enable", "--duration", "1"]
    for what, words in (("a simulation", sim), ("a robot", robot)):
        said = run(*words)
        checks.check(f"with {what} it serves by default", said.returncode == 0 and ready in said.stdout, f"{said}")
    quiet = [
        ("--no-nt", run(*sim, "--no-nt")),
        ("HALYARD_NT=off", run(*sim, HALYARD_NT="off")),
        ("--speed max", run(*sim, "--speed", "max")),
        ("--speed 2", run(*sim, "--speed", "2")),
    ]
    for what, said in quiet:
        checks.check(f"not with {what}", said.returncode == 0 and "nt=" not in said.stdout and said.stderr == "", f"{said}")
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", 5810))
        taken.listen()
        said = run(*sim)
    checks.check("a default port that is taken is one sentence", said.returncode == 0 and said.stderr.count("\n") == 1 and "in use" in said.stderr, f"{said}")
    checks.check("and nothing is announced", "nt=" not in said.stdout, said.stdout)
    board.stop()


def port_taken(checks, program, folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        argv = [program, "--sim", "xrp-line", "--speed", "max", "--duration", "1", f"--nt=127.0.0.1:{taken.getsockname()[1]}"]
        run = subprocess.run(argv, capture_output=True, text=True, timeout=WAIT_S, cwd=folder)
    checks.check("a port that is taken is one sentence, and the run goes on", run.returncode == 0 and run.stderr.count("\n") == 1 and "in use" in run.stderr, run.stderr)


# ---------------------------------------------------------------------------------------------
# Beside WPILib's server


def told(client):
    """What a client was told, without the server's own numbers."""
    texts = [(method, {key: params[key] for key in sorted(params) if key not in ("id", "ack")}) for method, params in client.texts]
    return texts, [(name, kind, value) for name, _, kind, value in client.values]


def same_script(port):
    """What two clients are told, step by step."""
    first, second, steps = Client(port), Client(port), []

    def step(client, happened, what):
        if not client.hear_until(happened, what):
            raise harness.TestError(f"nothing came: {what}")
        steps.append((what, *told(client)))
        client.texts.clear()
        client.values.clear()

    first.say(("subscribe", {"topics": ["/nothing"], "subuid": 1, "options": {"periodic": 0.02}}))  # WPILib's server is silent before
    first.say(("publish", {"name": "/d/a", "type": "double", "pubuid": 11, "properties": {"unit": "m"}}))
    step(first, lambda: first.texts, "the answer to a publish")
    first.put(11, 1, 1, 1.25)
    second.say(("subscribe", {"topics": ["/d/"], "subuid": -1, "options": {"prefix": True, "all": True, "periodic": 0.02}}))
    step(second, lambda: second.values, "what is there at a subscription")
    kinds = [("boolean", 0, True), ("int", 2, -3), ("float", 3, 0.5), ("string", 4, "é"), ("json", 4, "{}"), ("raw", 5, b"\1\2"), ("struct:X", 5, b"\1"),
             ("boolean[]", 16, [True, False]), ("double[]", 17, [1.0]), ("int[]", 18, [1, -1]), ("string[]", 20, ["a", ""])]
    for number, (kind, code, value) in enumerate(kinds):
        first.say(("publish", {"name": f"/d/{number}", "type": kind, "pubuid": number, "properties": {}}))
        first.put(number, 1000 + number, code, value)
        step(second, lambda: second.values, f"a {kind}")
    first.texts.clear()
    first.put(11, 500, 1, 9.0)
    for value in (2.5, 3.5, 4.5):
        first.put(11, 3000, 1, value)
    step(second, lambda: second.newest("/d/a") == 4.5, "every value")
    first.say(("setproperties", {"name": "/d/a", "update": {"retained": True, "unit": None}}))
    step(second, lambda: second.texts, "properties")
    second.say(("subscribe", {"topics": ["/e"], "subuid": 2, "options": {"topicsonly": True}}))
    first.say(("publish", {"name": "/e", "type": "int", "pubuid": 50, "properties": {}}))
    first.put(50, 4000, 2, 1)
    step(second, lambda: second.texts, "a topic without its values")
    first.say(("unpublish", {"pubuid": 50}))
    step(second, lambda: second.texts, "the end of a topic")
    first.say(("unpublish", {"pubuid": 11}), ("unpublish", {"pubuid": 1}))
    step(second, lambda: second.texts, "the end of one that is not retained")
    first.frame(BINARY, bytes.fromhex("94ff0002cf000660d957bae9b0"))
    first.hear_until(lambda: any(name == -1 for name, *_ in first.values), "the time")
    steps.append(("the clock", [value[2:] for value in first.values if value[0] == -1]))
    first.close()
    step(second, lambda: len(second.texts) >= 10, "the end of a client")
    second.close()
    return [(what, [sorted(map(repr, part)) for part in parts]) for what, *parts in steps]


def beside_wpilibs_server(checks, ntcore, program, folder):
    host = Host(program)
    ours = same_script(host.port)
    host.end()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    instance = ntcore.NetworkTableInstance.create()
    instance.startServer(str(pathlib.Path(folder) / "networktables.json"), "127.0.0.1", 0, port)

    def listens():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    within(listens)
    theirs = same_script(port)
    instance.stopServer()
    for (what, our), (_, their) in zip(ours, theirs, strict=True):
        checks.check(f"as WPILib's server: {what}", our == their, "" if our == their else f"{our} instead of {their}")


def main():
    build = pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", harness.HERE.parents[1] / "build"))
    deps = os.environ.get("HALYARD_DEPS_DIR", harness.HERE.parents[1] / "build/deps")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--host", default=build / "tests/interop/nt_host", type=pathlib.Path)
    parser.add_argument("--program", default=build / "examples/line_follow", type=pathlib.Path)
    parser.add_argument("--deps", default=deps, type=pathlib.Path, help="folder of what was downloaded")
    given = parser.parse_args()
    sys.path.insert(0, str(harness.install_season("2026", given.deps.resolve() / "robotpy").folder))
    harness.enter_own_network(harness.ADDRESS)  # NetworkTables' usual port is a team's own program's too
    sys.dont_write_bytecode = True
    import ntcore

    checks = harness.Checks()
    try:
        dashboards(checks, given.host)
        attackers(checks, given.host)
        values_and_structs(checks, ntcore, given.host)
        reconnects(checks, ntcore, given.host)
        with tempfile.TemporaryDirectory() as folder:
            a_program(checks, ntcore, given.program, folder)
            a_chooser(checks, ntcore, given.program.parent / "drive_square")
            names_of_2027(checks, ntcore, build / "halyard", given.program, folder)
            simulators(checks, build / "halyard", folder)
            by_default(checks, build / "halyard", given.program, folder)
            port_taken(checks, given.program, folder)
            beside_wpilibs_server(checks, ntcore, given.host, folder)
            in_wpilibs_server(checks, ntcore, given.host, folder)
            programs_in_a_server(checks, ntcore, build / "halyard", given.program, folder)
        hostile_server(checks, given.host)
    except harness.TestError as error:
        checks.check("the test ran to its end", False, str(error))
    checks.finish([])


if __name__ == "__main__":
    main()
