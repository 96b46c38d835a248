#!/usr/bin/env python3
"""A core of the four-part simulator as a ROS 2 node: it drives one robot of a match by velocity commands.

    halyard sim &
    python3 halyard_core.py --ros-args -p player:=1

Subscribes to cmd_vel (geometry_msgs/Twist); publishes odom (nav_msgs/Odometry) and scan (sensor_msgs/LaserScan). It needs rclpy and these
messages, nothing of Halyard's: docs/spec/icd.md has the ports and every key of what it sends and receives. The robot stops when cmd_vel is
silent for half a second, and when the node ends.
"""

import json
import math
import socket
import time

import rclpy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import LaserScan

FULL = 512  # what a motor's speed is given in parts of
SILENCE_S = 0.5
PERIOD_S = 0.01
RAYS = 800  # a sweep's


def limited(value, most):
    return max(-most, min(most, value)) if math.isfinite(value) else 0.0


class HalyardCore(Node):
    def __init__(self):
        super().__init__("halyard_core")
        first = 10 * (self.declare_parameter("player", 1).value - 1) + self.declare_parameter("shift", 0).value
        host = self.declare_parameter("sim", "127.0.0.1").value
        self.max_speed = self.declare_parameter("max_speed", 6.6).value  # m/s: the tank of 2020
        self.track = self.declare_parameter("track", 0.55).value  # metres between its wheels
        self.sim = (socket.gethostbyname(host), 8000 + first)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind((self.declare_parameter("listen", "127.0.0.1").value, 6000 + first))
        self.socket.setblocking(False)
        self.ranges, self.azimuth = [math.inf] * RAYS, 0.0
        self.speed = self.turn = self.turn_sum = 0.0
        self.told = self.moved = -math.inf  # when the last cmd_vel came, and the last pose
        self.pose, self.velocity = None, (0.0, 0.0, 0.0)  # m/s ahead and to the left, rad/s
        self.refused = 0
        self.odom = self.create_publisher(Odometry, "odom", 10)
        self.scan = self.create_publisher(LaserScan, "scan", qos_profile_sensor_data)
        self.create_subscription(Twist, "cmd_vel", self.take_command, 10)
        self.create_timer(PERIOD_S, self.take_turn)

    def take_command(self, twist):
        self.speed, self.turn = twist.linear.x, twist.angular.z
        self.told = time.monotonic()

    def take_turn(self):
        for _ in range(64):  # a flood must not keep it from driving
            try:
                message, sender = self.socket.recvfrom(65535)
            except BlockingIOError:
                break
            except OSError:  # the network's report that no sim is there
                continue
            if sender == self.sim:
                self.take_state(message)
        self.drive()

    def take_state(self, message):
        try:
            state = json.loads(message)
            pose = tuple(float(state[key]) for key in ("x", "y", "theta"))
            points = [
                [p["azimuth"], p["range"]] if isinstance(p, dict) else [p[0], p[2]]
                for p in state.get("lidarSweep") or state.get("lidarPoints") or []
            ]
            for azimuth, distance in points:
                self.take_point(float(azimuth), float(distance))
            self.publish_pose(pose)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as error:
            self.refused += 1
            if self.refused == 1:
                self.get_logger().warning(f"cannot use a message of the sim: {error!r}")

    def take_point(self, azimuth, distance):
        if azimuth < self.azimuth - math.pi:  # the sweep is whole
            sweep = LaserScan(angle_min=0.0, angle_increment=2 * math.pi / RAYS, ranges=self.ranges)
            sweep.angle_max = sweep.angle_increment * (RAYS - 1)
            sweep.scan_time, sweep.time_increment, sweep.range_max = 0.1, 0.1 / RAYS, 100.0
            sweep.header.frame_id, sweep.header.stamp = "base_link", self.get_clock().now().to_msg()
            self.scan.publish(sweep)
            self.ranges = [math.inf] * RAYS
        self.azimuth = azimuth
        self.ranges[round(azimuth * RAYS / (2 * math.pi)) % RAYS] = distance if distance >= 0 else math.inf

    def publish_pose(self, pose):
        now, before = time.monotonic(), self.pose
        passed = now - self.moved
        if before is None or passed > PERIOD_S / 2:  # not between two that were read at once
            if before is not None and passed < SILENCE_S:
                x, y, heading = ((pose[i] - before[i]) / passed for i in range(3))
                c, s = math.cos(pose[2]), math.sin(pose[2])
                self.velocity = (x * c + y * s, y * c - x * s, heading)
            self.pose, self.moved = pose, now
        odometry = Odometry(child_frame_id="base_link")
        odometry.header.frame_id, odometry.header.stamp = "odom", self.get_clock().now().to_msg()
        where, how = odometry.pose.pose, odometry.twist.twist
        where.position.x, where.position.y = pose[0], pose[1]
        where.orientation.z, where.orientation.w = math.sin(pose[2] / 2), math.cos(pose[2] / 2)
        how.linear.x, how.linear.y, how.angular.z = self.velocity
        self.odom.publish(odometry)

    def drive(self):
        is_told = time.monotonic() - self.told < SILENCE_S
        speed, turn = (limited(self.speed, self.max_speed), limited(self.turn, 10.0)) if is_told else (0.0, 0.0)
        # Tyres scrub in turns, and need many times what the geometry says: the sum of what is missing finds out how much.
        missing = limited(turn - self.velocity[2], 5.0)
        self.turn_sum = limited(self.turn_sum + 4.0 * missing * PERIOD_S, self.max_speed) if turn != 0.0 else 0.0
        aside = turn * self.track / 2 + self.turn_sum
        self.send(*(round(limited(side / self.max_speed, 1.0) * FULL) for side in (speed - aside, speed + aside)))

    def send(self, left, right):
        try:
            message = {"leftDriveMotorSpeed": left, "rightDriveMotorSpeed": right}
            self.socket.sendto(json.dumps(message).encode(), self.sim)
        except OSError:
            pass  # no sim is there yet

    def stop(self):
        for _ in range(10):  # one may be lost
            self.send(0, 0)
            time.sleep(PERIOD_S)


def main():
    rclpy.init()
    node = HalyardCore()
    try:
        rclpy.spin(node)
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        node.stop()


if __name__ == "__main__":
    main()
