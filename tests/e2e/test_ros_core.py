#!/usr/bin/env python3
"""examples/ros/halyard_core.py drives a robot of a real `halyard sim`: ahead, around, and not at all when nobody says anything that makes sense.

ROS is a stand-in here, which keeps what the node publishes; docs/guide/simulator.md says with which real one the node was tried.
"""

import importlib.util
import json
import math
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import types

EXAMPLE = pathlib.Path(os.environ["HALYARD_TEST_DATA"]).parent / "examples/ros/halyard_core.py"
LONGEST_S = 60


class Message(types.SimpleNamespace):
    """A message: any member that nobody set is a message, too."""

    def __getattr__(self, name):
        setattr(self, name, Message())
        return getattr(self, name)


class Topic(list):
    publish = list.append


class StandIn:
    """What the node needs of rclpy.node.Node."""

    def __init__(self, _name):
        self.topics = {}

    def declare_parameter(self, name, value):
        return Message(value=parameters.get(name, value))

    def create_publisher(self, _kind, name, _depth):
        return self.topics.setdefault(name, Topic())

    def get_logger(self):
        return Message(warning=print)

    def get_clock(self):
        return Message(now=lambda: Message(to_msg=lambda: None))

    def create_subscription(self, *_):
        pass

    create_timer = create_subscription


def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__dict__.update(members)


def ros_stands_in():
    for name in ("rclpy", "geometry_msgs", "nav_msgs", "sensor_msgs"):
        module(name)
    module("rclpy.executors", ExternalShutdownException=KeyboardInterrupt)
    module("rclpy.node", Node=StandIn)
    module("rclpy.qos", qos_profile_sensor_data=10)
    module("geometry_msgs.msg", Twist=Message)
    module("nav_msgs.msg", Odometry=Message)
    module("sensor_msgs.msg", LaserScan=Message)


def twist(ahead, turn):
    return Message(linear=Message(x=ahead), angular=Message(z=turn))


def start_sim():
    """On ports that are free now; others may take them first."""
    for shift in range(20000 + os.getpid() % 97 * 60, 50000, 200):
        sim = subprocess.Popen(
            [os.environ["HALYARD_BINARY"], "sim", "--shift", str(shift)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        if sim.stdout.readline().startswith("halyard: ready"):
            return sim, shift
        sim.wait()
    raise SystemExit("no free ports")


def turn_until(node, done, command=None):
    began = time.monotonic()
    while not done():
        if time.monotonic() - began > LONGEST_S:
            raise SystemExit(f"it never came to this: line {sys._getframe(1).f_lineno}; {node.topics['odom'][-1:]}")
        if command is not None:
            node.take_command(command)
        node.take_turn()
        time.sleep(0.005)


def speed_of(node):
    return abs(node.topics["odom"][-1].twist.twist.linear.x)


def test(node, shift):
    odom, scan = node.topics["odom"], node.topics["scan"]
    turn_until(node, lambda: len(odom) > 0)
    at_rest = odom[-1].pose.pose.position
    turn_until(node, lambda: len(odom) > 50)
    there = odom[-1].pose.pose.position
    assert math.hypot(there.x - at_rest.x, there.y - at_rest.y) < 0.01, "it moves without a command"
    turn_until(node, lambda: math.hypot(odom[-1].pose.pose.position.x - at_rest.x, odom[-1].pose.pose.position.y - at_rest.y) > 0.5, twist(1.0, 0.0))
    assert odom[-1].twist.twist.linear.x > 0
    before = node.pose[2]
    turn_until(node, lambda: node.pose[2] > before + 0.5, twist(0.0, 1.5))
    sent = []
    node.send = lambda left, right: sent.append((left, right)) or type(node).send(node, left, right)
    for nonsense in (twist(math.nan, math.nan), twist(math.inf, -math.inf)):
        node.take_command(nonsense)
        node.drive()
    assert sent == [(0, 0)] * 2, sent
    turn_until(node, lambda: len(odom) > 200 and speed_of(node) < 0.001)  # nobody says anything
    assert sent[-1] == (0, 0)
    node.take_command(twist(100.0, 0.0))
    node.turn_sum = 0.0
    node.drive()
    assert sent[-1] == (512, 512), sent[-1]
    node.told = -math.inf
    turn_until(node, lambda: len(scan) > 1)
    ranges = scan[-1].ranges
    assert len(ranges) == 800 and sum(map(math.isfinite, ranges)) > 400 and min(ranges) > 0.3
    for text in (b"", b"[]", b"null", b'{"x": 1}', b'{"x": "a", "y": 0, "theta": 0}', b'{"x": 1, "y": 1, "theta": 1, "lidarSweep": [1]}'):
        refused = node.refused
        node.take_state(text)
        assert node.refused == refused + 1, text
    stranger = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    pose, count = node.pose, len(odom)
    stranger.sendto(json.dumps({"x": 9, "y": 9, "theta": 0}).encode(), ("127.0.0.1", 6000 + shift))
    turn_until(node, lambda: len(odom) > count + 20)
    assert abs(node.pose[0] - pose[0]) < 1, "it listens to strangers"
    sent.clear()
    node.stop()
    assert sent == [(0, 0)] * 10


ros_stands_in()
sim, shift = start_sim()
parameters = {"shift": shift}
try:
    spec = importlib.util.spec_from_file_location("halyard_core", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    test(example.HalyardCore(), shift)
finally:
    sim.send_signal(signal.SIGINT)
    sim.wait()
print("ok")
