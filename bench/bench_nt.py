#!/usr/bin/env -S python3 -B
"""Our NetworkTables server and WPILib's, one after the other in the same run, with the same clients.

    bench_nt.py [--build build] [--deps build/deps]
    bench_nt.py --attacked     how late the program's steps end, 50 a second, alone and while clients attack

Each server has 100 numbers that change 50 times a second. CPU time is the server process's, all threads, user and system; what serving
costs is the difference between 20 clients, each of which subscribes to all values, and none. A value is under way from before it is put
until a client that subscribes to it with `all` has it: the program writes its clock into a topic, the client compares it with its own.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/interop"))
import harness  # noqa: E402
from nt_socket import TEXT, Client  # noqa: E402

CLIENTS, TOPICS, PERIOD_S, SECONDS = 20, 100, 0.02, 10


def import_ntcore(deps):
    sys.path.insert(0, str(harness.install_season("2026", pathlib.Path(deps).resolve() / "robotpy").folder))
    import ntcore

    return ntcore


def serve_as_wpilib(given):
    """In a process of its own: WPILib's server with the same topics as nt_host."""
    ntcore = import_ntcore(given.deps)
    instance = ntcore.NetworkTableInstance.create()
    instance.startServer("", "127.0.0.1", 0, given.port)
    numbers = [instance.getDoubleTopic(f"/further/{i}").publish() for i in range(TOPICS)]
    clock = instance.getIntegerTopic("/hy/clock").publish()
    print("ready", flush=True)
    due = time.monotonic()
    for step in range(10**9):
        for i, number in enumerate(numbers):
            number.set(step + i / 1024)
        clock.set(time.monotonic_ns() // 1000)
        due += PERIOD_S
        time.sleep(max(0.0, due - time.monotonic()))


def follow(given):
    """In processes of their own, because WPILib's library has 16 clients a process: clients that take every value."""
    ntcore = import_ntcore(given.deps)
    kept = []
    for number in range(CLIENTS // 2):
        instance = ntcore.NetworkTableInstance.create()
        instance.setServer("127.0.0.1", given.port)
        instance.startClient4(f"bench{number}")
        poller = ntcore.NetworkTableListenerPoller(instance)
        every = ntcore.MultiSubscriber(instance, ["/further/"], ntcore.PubSubOptions(sendAll=True, periodic=PERIOD_S))
        poller.addListener(every, ntcore.EventFlags.kValueAll)
        kept.append((instance, every, poller))
    began, count = time.monotonic(), 0
    while time.monotonic() < began + SECONDS + 6:
        time.sleep(0.05)
        fresh = sum(len(poller.readQueue()) for _, _, poller in kept)
        count += fresh if began + 3 < time.monotonic() < began + SECONDS + 3 else 0
    print(count / SECONDS / len(kept), flush=True)


def cpu_s(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_cpu(process):
    before, began = cpu_s(process), time.monotonic()
    time.sleep(SECONDS)
    return (cpu_s(process) - before) / (time.monotonic() - began) * 100


def measure_delay(port):
    """Milliseconds that values were under way, as one client with `all` saw them."""
    client = Client(port)
    client.say(("subscribe", {"topics": ["/hy/clock"], "subuid": 1, "options": {"all": True, "periodic": 0.005}}))
    delays, give_up = [], time.monotonic() + 60
    while len(delays) < 250 and time.monotonic() < give_up:
        seen = len(client.values)
        if client.hear_until(lambda s=seen: len(client.values) > s, "a value"):
            now_us = time.monotonic_ns() / 1000
            delays += [(now_us - value) / 1000 for name, _, _, value in client.values[seen:] if name == "/hy/clock"]
            client.values.clear()
    client.close()
    return delays[5:]


def measure(given, name, process, port):
    idle = measure_cpu(process)
    delays = measure_delay(port)
    words = [sys.executable, "-B", __file__, "--deps", given.deps, "--follow", "--port", str(port)]
    followers = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    time.sleep(3)
    busy = measure_cpu(process)
    values = [float(follower.communicate()[0]) for follower in followers]
    print(f"{name:10} {idle:5.1f} % of a core without clients, {busy:5.1f} % with {CLIENTS}: {busy - idle:5.1f} % for serving; "
          f"{statistics.mean(values):.0f} values/s a client; a value takes {statistics.median(delays):.2f} ms "
          f"(nine of ten at most {sorted(delays)[len(delays) * 9 // 10]:.2f})", flush=True)
    return busy - idle, statistics.median(delays)


# ---------------------------------------------------------------------------------------------
# Clients that attack, each in a process of its own, with less right to the processor than the program


def flood(port):
    client = Client(port)
    client.say(("publish", {"name": "/hy/gain", "type": "double", "pubuid": 0, "properties": {}}))
    while True:
        client.put(0, 2**46, 1, 0.5)
        client.frame(TEXT, b'[{"method":"fly"},7,{"method":"publish","params":{}}')


def subscribe(port):
    client = Client(port)
    for i in range(10_000):
        client.say(("subscribe", {"topics": [f"/x/{i}"], "subuid": i}))


def reconnect(port):
    halves = [Client(port) for _ in range(20)]
    for client in halves:
        client.socket.sendall(b"\x81\xfe\x40")
    while True:
        Client(port).close()
        time.sleep(0.01)


def read_never(port):
    client = Client(port)
    client.say(("subscribe", {"topics": [""], "subuid": 1, "options": {"prefix": True, "all": True, "periodic": 0.005}}))
    time.sleep(10**6)


ATTACKS = (flood, subscribe, reconnect, read_never)


def attack(port, kind):
    os.nice(10)
    while True:
        try:
            ATTACKS[kind](port)
        except OSError:
            time.sleep(0.01)  # disconnected: it comes again


def keep_apart(host, attackers):
    """The program has the first processor for itself, as far as this machine's other programs leave it: what is late then waited for us."""
    first, *others = sorted(os.sched_getaffinity(0))
    if not others:
        return
    os.sched_setaffinity(host.pid, {first})
    for task in pathlib.Path(f"/proc/{host.pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {first})
    for attacker in attackers:
        os.sched_setaffinity(attacker.pid, set(others))


def measure_lateness(given, is_attacked):
    host = subprocess.Popen([given.build / "tests/interop/nt_host", str(TOPICS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = int(host.stdout.readline().split()[1])
    words = [sys.executable, "-B", __file__, "--port", str(port), "--attack"]
    attackers = [subprocess.Popen([*words, str(kind)]) for kind in range(len(ATTACKS) if is_attacked else 0)]
    keep_apart(host, attackers)
    time.sleep(2 * SECONDS)
    host.stdin.close()
    counts = host.stdout.read().strip().splitlines()[-1].split()
    for attacker in attackers:
        attacker.kill()
    found = dict(zip(counts[::2], map(int, counts[1::2]), strict=True))
    print(f"{'attacked' if is_attacked else 'alone':8} {found['steps']} steps: {found['over_1ms']} ended over 1 ms late, the latest {found['worst_us'] / 1000:.2f} ms; the longest took {found['longest_us'] / 1000:.2f} ms; "
          f"{found['clients']} clients came, {found['disconnected']} were disconnected, {found['lost']} values were left out", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--deps", default=str(ROOT / "build/deps"))
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--follow", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--attack", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--attacked", action="store_true", help="how late the program's steps end while clients attack")
    given = parser.parse_args()
    if given.attack is not None:
        attack(given.port, given.attack)
    elif given.attacked:
        for is_attacked in (False, True, False, True):
            measure_lateness(given, is_attacked)
    elif given.serve:
        serve_as_wpilib(given)
    elif given.follow:
        follow(given)
    else:
        ours = subprocess.Popen([given.build / "tests/interop/nt_host", str(TOPICS)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        port = int(ours.stdout.readline().split()[1])
        our_cpu, our_delay = measure(given, "ours", ours, port)
        ours.stdin.close()
        print(" ", ours.stdout.read().strip().splitlines()[-1])
        words = [sys.executable, "-B", __file__, "--deps", given.deps, "--serve", "--port", str(port)]
        theirs = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        theirs.stdout.readline()
        their_cpu, their_delay = measure(given, "WPILib's", theirs, port)
        theirs.kill()
        print(f"ours / WPILib's: {our_cpu / their_cpu:.2f} of the processor time for serving, {our_delay / their_delay:.2f} of the delay")


if __name__ == "__main__":
    main()
