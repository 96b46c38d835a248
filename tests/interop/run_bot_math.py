#!/usr/bin/env -S python3 -B
"""The robot library computes what WPILib computes: RobotPy's wpimath and wpilib.drive against `bot`.

Thousands of random inputs a function. Numbers are equal if they differ by at most 1e-9 of their size or
1e-12; where WPILib's own formula loses digits, the case says so and what that costs.

    run_bot_math.py --host build/tests/interop/bot_math_host [--robotpy FOLDER] [--seed N] [--rounds N]
"""

import argparse
import bisect
import itertools
import math
import os
import pathlib
import random
import subprocess
import sys

import harness

RELATIVE, ABSOLUTE = 1e-9, 1e-12
LONG = ("trajectory", "many_waypoints", "cubic", "quintic", "moved")  # hundreds of numbers a question


class Unanswerable(Exception):
    pass


class Question:
    """One line for the host, and what WPILib answers. `slack`: what its formula may be off, absolutely;
    one number for all, or one for each."""

    def __init__(self, name, numbers, answers, slack=0.0):
        self.name, self.numbers, self.answers, self.slack = name, numbers, answers, slack

    def line(self):
        return " ".join([self.name, *(repr(float(number)) for number in self.numbers)])


def flat(*things):
    """The numbers of poses, rotations, twists and so on, in the order in which the host gives them."""
    numbers = []
    for thing in things:
        if isinstance(thing, (int, float)):
            numbers.append(float(thing))
        elif isinstance(thing, (list, tuple)):
            numbers += flat(*thing)
        elif hasattr(thing, "dtheta"):
            numbers += [thing.dx, thing.dy, thing.dtheta]
        elif hasattr(thing, "omega"):
            numbers += [thing.vx, thing.vy, thing.omega]
        elif hasattr(thing, "translation"):
            numbers += flat(thing.translation(), thing.rotation())
        elif hasattr(thing, "cos"):
            numbers += [thing.cos(), thing.sin()]
        elif hasattr(thing, "norm"):
            numbers += [thing.x, thing.y]
        elif hasattr(thing, "speed"):
            numbers += [thing.speed, thing.angle.cos(), thing.angle.sin()]
        else:
            numbers += [thing.left, thing.right]
    return numbers


# ---------------------------------------------------------------------------------------------
# Random things


class Chance(random.Random):
    def length(self):
        return self.choice((1.0, 1.0, 0.01, 100.0)) * self.uniform(-5, 5)

    def angle(self):
        return self.choice((1.0, 1.0, 0.001, 1e-7)) * self.uniform(-math.pi, math.pi)

    def pose(self):
        return [self.length(), self.length(), self.angle()]

    def speeds(self):
        if self.random() < 0.03:
            return [0.0, 0.0, 0.0]
        return [self.length(), self.length(), self.length()]

    def stick(self):
        return self.choice((0.0, 1.0, -1.0)) if self.random() < 0.2 else self.uniform(-1.3, 1.3)


# ---------------------------------------------------------------------------------------------
# Where WPILib loses digits: 1 - cos(angle) of a small angle has few left, and log divides by it from
# 4.4e-5 rad on, exp divides it by the angle from 1e-9 rad on. Ours does neither.


def slack_of_log(size, angle):
    return size * (3e-16 / angle**2 if abs(angle) > 4e-5 else 1e-15)


def slack_of_exp(size, angle):
    return size * (2e-16 / abs(angle) if abs(angle) > 0.9e-9 else 1e-15)


# ---------------------------------------------------------------------------------------------
# Geometry


def geometry(chance):
    from wpimath.geometry import Pose2d, Rotation2d, Transform2d, Translation2d, Twist2d

    def lerp_rotation(a, b, t):
        return a + (b - a) * min(max(t, 0.0), 1.0)

    def lerp_pose(a, b, t):
        if t <= 0 or t >= 1:
            return a if t <= 0 else b
        twist = a.log(b)
        return a.exp(Twist2d(twist.dx * t, twist.dy * t, twist.dtheta * t))

    def rotation():
        numbers = [chance.angle(), chance.angle(), chance.uniform(-2, 2), chance.uniform(-0.2, 1.2)]
        a, b = Rotation2d(numbers[0]), Rotation2d(numbers[1])
        x, y = chance.length(), chance.length()
        answers = [a, a.radians(), a.tan(), a + b, a - b, -a, a * numbers[2], lerp_rotation(a, b, numbers[3])]
        return Question("rotation", [*numbers, x, y], flat(answers, Rotation2d(x, y)))

    def translation():
        p, q = [chance.length(), chance.length()], [chance.length(), chance.length()]
        turn, factor, t = chance.angle(), chance.length(), chance.uniform(-0.2, 1.2)
        a, b, r = Translation2d(*p), Translation2d(*q), Rotation2d(turn)
        answers = [
            Translation2d(factor, r), a + b, a - b, a * factor, a.dot(b), a.cross(b), a.norm(), a.distance(b),
            a.angle(), a.rotateBy(r), a.rotateAround(b, r), a + (b - a) * min(max(t, 0), 1),
        ]  # fmt: skip
        return Question("translation", [*p, *q, turn, factor, t], flat(answers))

    def pose():
        p, q, factor, t = chance.pose(), chance.pose(), chance.uniform(-2, 2), chance.uniform(-0.2, 1.2)
        a, b = Pose2d(*p), Pose2d(*q)
        way, between = Transform2d(b.translation(), b.rotation()), Transform2d(a, b)
        answers = [
            between, way.inverse(), way + between, way * factor, a.transformBy(way), a.relativeTo(b),
            a.rotateBy(b.rotation()), a.rotateAround(b.translation(), b.rotation()), a.log(b), lerp_pose(a, b, t),
        ]  # fmt: skip
        angle, size = a.log(b).dtheta, a.translation().distance(b.translation())
        slack = slack_of_log(size, angle) + slack_of_exp(size, angle * t)
        return Question("pose", [*p, *q, factor, t], flat(answers), slack)

    def exponential():
        p, q = chance.pose(), [chance.length(), chance.length(), chance.choice((1, 4)) * chance.angle()]
        slack = slack_of_exp(math.hypot(q[0], q[1]), q[2])
        return Question("exp", [*p, *q], flat(Pose2d(*p).exp(Twist2d(*q))), slack)

    def nearest():
        p, others = chance.pose(), [chance.pose() for _ in range(8)]
        if chance.random() < 0.5:  # the same place twice, seen from different directions
            others[0][2], others[chance.randrange(1, 8)] = 1.0, [*others[0][:2], chance.uniform(1.1, 3)]
        best = Pose2d(*p).nearest([Pose2d(*other) for other in others])
        return Question("nearest", flat(p, others), [[Pose2d(*other) for other in others].index(best)])

    return [rotation, translation, pose, exponential, nearest]


# ---------------------------------------------------------------------------------------------
# Kinematics and odometry


def kinematics(chance):
    from wpimath import kinematics as k
    from wpimath.geometry import Pose2d, Rotation2d, Translation2d

    def chassis():
        p, q, heading, dt = chance.speeds(), chance.speeds(), chance.angle(), chance.uniform(0.001, 0.1)
        a, b, r = k.ChassisSpeeds(*p), k.ChassisSpeeds(*q), Rotation2d(heading)
        answers = [
            a + b, a * dt, k.ChassisSpeeds.fromFieldRelativeSpeeds(a, r),
            k.ChassisSpeeds.fromRobotRelativeSpeeds(a, r), a.toTwist2d(dt), k.ChassisSpeeds.discretize(a, dt),
        ]  # fmt: skip
        slack = slack_of_log(math.hypot(p[0], p[1]), math.remainder(p[2] * dt, 2 * math.pi))  # discretize is a log
        return Question("chassis", [*p, *q, heading, dt], flat(answers), slack)

    def differential():
        track, pair = chance.uniform(0.05, 1), [chance.length(), chance.length()]
        p, top = chance.speeds(), chance.uniform(0, 6)
        self = k.DifferentialDriveKinematics(track)
        wheels = self.toWheelSpeeds(k.ChassisSpeeds(*p))
        slower = k.DifferentialDriveWheelSpeeds(wheels.left, wheels.right)
        slower.desaturate(top)
        answers = [
            self.toChassisSpeeds(k.DifferentialDriveWheelSpeeds(*pair)), wheels, self.toTwist2d(*pair), slower,
        ]  # fmt: skip
        return Question("differential", [track, *pair, *p, top], flat(answers))

    def swerve_of(modules):
        places = [(chance.uniform(-0.5, 0.5), chance.uniform(-0.5, 0.5)) for _ in range(modules)]
        kind = getattr(k, f"SwerveDrive{modules}Kinematics")
        return kind(*[Translation2d(*place) for place in places]), flat(modules, places)

    def swerve():
        modules = chance.choice((2, 3, 4, 6))
        self, described = swerve_of(modules)
        p, top, straight, turn = chance.speeds(), chance.uniform(0.1, 6), chance.uniform(0.1, 6), chance.uniform(0.1, 9)
        centre = [0.0, 0.0] if chance.random() < 0.5 else [chance.uniform(-1, 1), chance.uniform(-1, 1)]
        measured = [[chance.length(), chance.angle()] for _ in range(modules)]
        speeds = k.ChassisSpeeds(*p)
        states = self.toSwerveModuleStates(speeds, Translation2d(*centre))
        known = [k.SwerveModuleState(speed, Rotation2d(angle)) for speed, angle in measured]
        ways = [k.SwerveModulePosition(way, Rotation2d(angle)) for way, angle in measured]
        answers = [list(states), self.toChassisSpeeds(known), self.toTwist2d(ways)]
        for state, (_, angle) in zip(states, measured, strict=True):
            better, slower = (k.SwerveModuleState(state.speed, state.angle) for _ in range(2))
            better.optimize(Rotation2d(angle))
            slower.cosineScale(Rotation2d(angle))
            answers += [better, slower]
        answers.append(list(self.desaturateWheelSpeeds(states, top)))
        states = self.toSwerveModuleStates(speeds, Translation2d(*centre))
        answers.append(list(self.desaturateWheelSpeeds(states, speeds, top, straight, turn)))
        return Question("swerve", [*described, *p, *centre, top, straight, turn, *flat(measured)], flat(answers))

    def walk(steps):
        """Readings of a robot that drives: a gyro with whole turns, and ways that grow."""
        gyro, left, right = chance.uniform(-9, 9), chance.length(), chance.length()
        for _ in range(steps):
            yield gyro, left, right
            # Turns of less than a thousandth would show what WPILib's exp loses, and only that.
            gyro += chance.choice((-1, 0, 1)) * chance.uniform(0.001, 0.6)
            left += chance.uniform(-0.05, 0.1)
            right += chance.uniform(-0.05, 0.1)

    def differential_odometry():
        start, steps = chance.pose(), list(walk(30))
        gyro, left, right = steps[0]
        self = k.DifferentialDriveOdometry(Rotation2d(gyro), left, right, Pose2d(*start))
        answers = [self.update(Rotation2d(gyro), left, right) for gyro, left, right in steps[1:]]
        numbers = [*start, *steps[0], len(steps) - 1, *flat(steps[1:])]
        return Question("differential_odometry", numbers, flat(answers), 1e-11)

    def swerve_odometry():
        modules = chance.choice((2, 3, 4, 6))
        drive, described = swerve_of(modules)
        start, steps = chance.pose(), []
        for gyro, left, right in walk(20):
            steps.append([gyro, [[chance.choice((left, right)), chance.angle()] for _ in range(modules)]])
        positions = [[k.SwerveModulePosition(way, Rotation2d(angle)) for way, angle in ways] for _, ways in steps]
        odometry = getattr(k, f"SwerveDrive{modules}Odometry")
        self = odometry(drive, Rotation2d(steps[0][0]), positions[0], Pose2d(*start))
        answers = [
            self.update(Rotation2d(gyro), here) for (gyro, _), here in zip(steps[1:], positions[1:], strict=True)
        ]
        numbers = [*described, *start, *flat(steps[0]), len(steps) - 1, *flat(steps[1:])]
        return Question("swerve_odometry", numbers, flat(answers), 1e-11)

    def odometry_reset():
        start, gyro, numbers, answers = chance.pose(), chance.angle(), [], []
        self = k.DifferentialDriveOdometry(Rotation2d(gyro), 0, 0, Pose2d(*start))
        for angle, left, right in walk(10):
            kind, pose = chance.randrange(4), chance.pose()  # 3: none of the three
            if kind == 0:
                self.resetPose(Pose2d(*pose))
            elif kind == 1:
                self.resetTranslation(Translation2d(*pose[:2]))
            elif kind == 2:
                # Its resetRotation() adds the direction of before instead of taking it off: from 0.5 rad, reset to
                # 1 rad, the next update with the same gyro says 2 rad.
                self.resetPose(Pose2d(self.getPose().translation(), Rotation2d(pose[2])))
            answers.append(self.update(Rotation2d(angle), left, right))
            numbers += [kind, *pose, angle, left, right]
        return Question("odometry_reset", [*start, gyro, 10, *numbers], flat(answers), 1e-11)

    return [chassis, differential, swerve, differential_odometry, swerve_odometry, odometry_reset]


# ---------------------------------------------------------------------------------------------
# Control


def control(chance):
    import wpimath
    from wpimath import controller, trajectory
    from wpimath import filter as filters

    def tools():
        value, deadband, top = chance.uniform(-3, 3), chance.uniform(0, 0.9), chance.uniform(1, 3)
        low = chance.uniform(-9, 9)
        high = low + chance.uniform(0.1, 9)
        far = value * chance.choice((1, 1, 1000))
        answers = [wpimath.applyDeadband(far, deadband, top), wpimath.inputModulus(far, low, high)]
        answers.append(wpimath.copyDirectionPow(far, 2.0))
        return Question("tools", [far, deadband, top, low, high], answers, abs(far) * 1e-15)

    def pid_settings(continuous):
        zone = chance.choice((math.inf, chance.uniform(0, 3)))
        low = chance.uniform(-2, 0)
        limits = [low, low + chance.uniform(0, 3)]
        circle = [-math.pi, math.pi] if continuous else [0.0, 0.0]
        return [zone, *limits, *circle, chance.uniform(0, 1), chance.choice((math.inf, chance.uniform(0, 20)))]

    def apply(self, settings):
        self.setIZone(settings[0])
        self.setIntegratorRange(settings[1], settings[2])
        if settings[3] < settings[4]:
            self.enableContinuousInput(settings[3], settings[4])
        self.setTolerance(settings[5], settings[6])

    def gains():
        return [chance.choice((0, 1)) * chance.uniform(0, 10) for _ in range(3)]

    def pid():
        numbers = [*gains(), chance.choice((0.02, chance.uniform(0.001, 0.1)))]
        settings = pid_settings(chance.random() < 0.5)
        self, answers, steps = controller.PIDController(*numbers), [], []
        apply(self, settings)
        for _ in range(20):
            steps.append([chance.uniform(-2, 2), chance.uniform(-2, 2)])
            answers.append(self.calculate(*steps[-1]))
            answers += [self.getError(), self.getErrorDerivative(), self.getAccumulatedError(), self.atSetpoint()]
        last, after = chance.uniform(-2, 2), chance.uniform(-2, 2)
        self.setSetpoint(last)
        answers += [self.getError(), self.getErrorDerivative()]
        self.reset()
        answers.append(self.calculate(after))
        return Question("pid", [*numbers, *settings, 20, *flat(steps), last, after], flat(answers))

    def jumps(limits, start, goal):
        """WPILib's profile jumps if the goal is too near for its speeds, or the start is too fast."""
        way, v0, v1 = goal[0] - start[0], start[1], goal[1]
        if way < 0:
            way, v0, v1 = -way, -v0, -v1
        return abs(v0) > limits[0] or 2 * limits[1] * way < abs(v1 - v0) * (v0 + v1) + 1e-9

    def trapezoid():
        limits = [chance.uniform(0.1, 5), chance.uniform(0.1, 5)]
        speeds = [chance.uniform(-1, 1) * limits[0] for _ in range(2)] if chance.random() < 0.5 else [0.0, 0.0]
        states = [chance.length(), speeds[0], chance.length(), speeds[1]]
        if jumps(limits, states[:2], states[2:]):
            raise Unanswerable
        profile = trajectory.TrapezoidProfile(trajectory.TrapezoidProfile.Constraints(*limits))
        start, goal = (trajectory.TrapezoidProfile.State(*states[i : i + 2]) for i in (0, 2))
        profile.calculate(0, start, goal)
        total = profile.totalTime()
        times = [total * chance.uniform(0, 1.2) for _ in range(6)]
        answers = [total]
        for t in times:
            state = profile.calculate(t, start, goal)
            answers += [state.position, state.velocity]
        return Question("trapezoid", [*limits, *states, *times], answers)

    def profiled_pid():
        numbers, limits = [*gains(), 0.02], [chance.uniform(0.1, 5), chance.uniform(0.1, 5)]
        continuous = chance.random() < 0.5
        settings = pid_settings(continuous)
        start, goal = [chance.uniform(-2, 2), chance.uniform(-1, 1)], [chance.uniform(-2, 2), 0.0]
        profile = trajectory.TrapezoidProfileRadians
        self = controller.ProfiledPIDControllerRadians(*numbers[:3], profile.Constraints(*limits), numbers[3])
        apply(self, settings)
        self.reset(*start)
        self.setGoal(profile.State(*goal))
        answers, measurements = [], []
        for _ in range(40):
            setpoint = self.getSetpoint()
            near = setpoint.position if chance.random() < 0.7 else 0.0
            measurements.append(near + chance.uniform(-0.3, 0.3))
            seen = [setpoint.position, goal[0]]
            if continuous:
                seen = [measurements[-1] + math.remainder(each - measurements[-1], 2 * math.pi) for each in seen]
            there = seen[0] == seen[1] and setpoint.velocity == goal[1]
            if not there and jumps(limits, [seen[0], setpoint.velocity], [seen[1], goal[1]]):
                raise Unanswerable
            answers.append(self.calculate(measurements[-1]))
            setpoint = self.getSetpoint()
            answers += [setpoint.position, setpoint.velocity, self.atGoal()]
        return Question("profiled_pid", [*numbers, *limits, *settings, *start, *goal, *measurements], flat(answers))

    def feedforward():
        ks, kv, ka = chance.uniform(-1, 2), chance.uniform(0.1, 5), chance.choice((0, chance.uniform(0.02, 2)))
        numbers = [ks, kv, ka, chance.choice((0.02, chance.uniform(0.005, 0.1)))]
        v, after, a, volts = (chance.length() for _ in range(4))
        self = controller.SimpleMotorFeedforwardMeters(*numbers)
        sign = math.copysign(1, v)
        answers = [
            self.calculate(v), ks * sign + kv * v + ka * a, self.calculate(v, after),
            self.maxAchievableVelocity(volts, a), self.minAchievableVelocity(volts, a),
            self.maxAchievableAcceleration(volts, v) if ka else 0.0,  # WPILib's is infinite
            self.minAchievableAcceleration(volts, v) if ka else 0.0,
        ]  # fmt: skip
        return Question("feedforward", [*numbers, v, after, a, volts], answers)

    def bang_bang():
        tolerance, measurement, setpoint = chance.uniform(0, 2), chance.length(), chance.length()
        self = controller.BangBangController(tolerance)
        answers = [self.calculate(measurement, setpoint), self.atSetpoint()]
        return Question("bang_bang", [tolerance, measurement, setpoint], flat(answers))

    def calculated(self, inputs, until_reset):
        answers = []
        for i, x in enumerate(inputs):
            if i == until_reset:
                self.reset()
            answers.append(self.calculate(float(x)))
        return answers

    def linear_filter():
        inputs, kind = [chance.length() for _ in range(30)], chance.randrange(4)
        until_reset = chance.randrange(60)
        a, b = chance.uniform(0.01, 1), chance.uniform(0.005, 0.1)
        if kind == 0:
            self, numbers = filters.LinearFilter.singlePoleIIR(a, b), [a, b]
        elif kind == 1:
            self, numbers = filters.LinearFilter.highPass(a, b), [a, b]
        elif kind == 2:
            taps = chance.randrange(1, 12)
            self, numbers = filters.LinearFilter.movingAverage(taps), [taps, 0]
        else:
            forward = [chance.uniform(-1, 1) for _ in range(chance.randrange(1, 6))]
            back = [chance.uniform(-0.4, 0.4) for _ in range(chance.randrange(0, 3))]
            self, numbers = filters.LinearFilter(forward, back), [len(forward), len(back), *forward, *back]
        return Question("filter", [until_reset, kind, *numbers, *inputs], calculated(self, inputs, until_reset))

    def median():
        size, inputs, until_reset = chance.randrange(1, 10), [chance.length() for _ in range(25)], chance.randrange(50)
        if chance.random() < 0.5:
            inputs = [round(x) for x in inputs]
        answers = calculated(filters.MedianFilter(size), inputs, until_reset)
        return Question("median", [until_reset, size, *inputs], answers)

    return [tools, pid, trapezoid, profiled_pid, feedforward, bang_bang, linear_filter, median]


# ---------------------------------------------------------------------------------------------
# Trajectories


def trajectories(chance):
    from wpimath import controller, kinematics, spline
    from wpimath.geometry import Pose2d, Rotation2d, Transform2d, Translation2d, Twist2d
    from wpimath.trajectory import (
        Trajectory,
        TrajectoryConfig,
        TrajectoryGenerator,
        TrajectoryParameterizer,
        TrapezoidProfileRadians,
    )
    from wpimath.trajectory.constraint import (
        CentripetalAccelerationConstraint,
        DifferentialDriveKinematicsConstraint,
        SwerveDrive4KinematicsConstraint,
    )

    def config():
        numbers = [chance.uniform(0.5, 4), chance.uniform(0.5, 4), 0.0, 0.0, chance.randrange(2)]
        if chance.random() < 0.3:
            numbers[2:4] = chance.uniform(0, 1), chance.uniform(0, 1)
        extra = [chance.choice((0, 1)) * chance.uniform(*limits) for limits in ((0.2, 2), (0.1, 0.6), (0.1, 0.3))]
        self = TrajectoryConfig(*numbers[:2])
        self.setStartVelocity(numbers[2])
        self.setEndVelocity(numbers[3])
        self.setReversed(bool(numbers[4]))
        if extra[0]:
            self.addConstraint(CentripetalAccelerationConstraint(extra[0]))
        if extra[1]:
            drive = kinematics.DifferentialDriveKinematics(extra[1])
            self.addConstraint(DifferentialDriveKinematicsConstraint(drive, numbers[0]))
        if extra[2]:
            places = [Translation2d(x * extra[2], y * extra[2]) for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
            drive = kinematics.SwerveDrive4Kinematics(*places)
            self.addConstraint(SwerveDrive4KinematicsConstraint(drive, numbers[0]))
        return self, [*numbers, *extra]

    def way(points):
        """Poses along a way that a robot might take."""
        x, y, heading, poses = chance.uniform(-2, 2), chance.uniform(-2, 2), chance.uniform(-3, 3), []
        for _ in range(points):
            poses.append([x, y, heading + chance.uniform(-0.5, 0.5)])
            step = chance.uniform(0.5, 3)
            heading += chance.uniform(-0.8, 0.8)
            x, y = x + step * math.cos(heading), y + step * math.sin(heading)
        return poses

    def numbers_of(state, pose=None):
        return [state.t, state.velocity, state.acceleration, *flat(pose or state.pose), state.curvature]

    def sampled(trajectory, t):
        """As wpimath's sample(), but for the pose, which goes along the arc as in WPILib's Java: wpimath's goes
        along the chord, up to a millimetre beside it. And what that arc's log and exp may lose."""
        states, state = trajectory.states(), trajectory.sample(t)
        i = bisect.bisect_left([each.t for each in states], t)
        if not 0 < i < len(states) or t >= trajectory.totalTime():
            return numbers_of(state), 0.0
        a, b, dt = states[i - 1], states[i], t - states[i - 1].t
        way = a.velocity * dt + 0.5 * a.acceleration * dt * dt
        if a.velocity < 0 or (abs(a.velocity) < 1e-9 and a.acceleration < 0):
            way = -way
        share = min(max(way / a.pose.translation().distance(b.pose.translation()), 0.0), 1.0)
        twist = a.pose.log(b.pose)
        pose = a.pose.exp(Twist2d(twist.dx * share, twist.dy * share, twist.dtheta * share))
        size, angle = math.hypot(twist.dx, twist.dy), twist.dtheta
        return numbers_of(state, pose), slack_of_log(size, angle) + slack_of_exp(size, angle * share)

    def answers(trajectory, shares):
        numbers, lost = [len(trajectory.states())], []
        for state in trajectory.states():
            numbers += numbers_of(state)
        for share in shares:
            sample, loss = sampled(trajectory, share * trajectory.totalTime())
            numbers += sample
            lost.append(loss)
        return numbers, lost

    def slacks(numbers, lost, slack):
        """An acceleration is a small difference of squares by a short way: that is what it can lose."""
        states = [numbers[i : i + 8] for i in range(1, len(numbers), 8)]
        ways = [math.dist(a[3:5], b[3:5]) for a, b in itertools.pairwise(states[: int(numbers[0])])]
        top = max(abs(state[1]) for state in states)
        spoiled = slack + 1e-14 * top * top / max(min(ways), 1e-9)
        lost = [0.0] * (len(states) - len(lost)) + lost
        return [slack, *[slack + loss if i != 2 else spoiled for loss in lost for i in range(8)]]

    def met(numbers, made):
        """WPILib silently starts or ends slower than asked where ours refuses."""
        states = made.states()
        if any(abs(abs(states[i].velocity) - numbers[2 - i]) > 1e-9 for i in (0, -1)):
            raise Unanswerable
        return made

    def question(name, numbers, answered, slack):
        answers, lost = answered
        if max(abs(curvature) for curvature in answers[8::8]) > 30:
            raise Unanswerable  # all but a cusp: its curvature is a quotient of roundings
        return Question(name, numbers, answers, slacks(answers, lost, slack))

    def shares():
        return [0.0, 1.0, *[chance.uniform(-0.1, 1.1) for _ in range(8)]]

    def points():
        """Of single splines, at any parameter: outside [0, 1] too."""
        ends = [[chance.uniform(-3, 3) for _ in range(6)] for _ in range(2)]
        when = [0.0, 1.0, *[chance.uniform(-0.2, 1.2) for _ in range(6)]]
        (a, b), answers = ends, []
        curves = [
            spline.CubicHermiteSpline(a[:2], b[:2], a[3:5], b[3:5]),
            spline.QuinticHermiteSpline(a[:3], b[:3], a[3:], b[3:]),
        ]
        for t in when:
            for curve in curves:
                pose, curvature = curve.getPoint(t)
                answers += [*flat(pose), curvature]
                if abs(curvature) > 30:
                    raise Unanswerable  # all but a cusp
        return Question("spline", [*flat(ends), *when], answers, 1e-10)

    def trajectory():
        """Up to three waypoints: with more, WPILib's second derivatives jump at the inner ones, because it
        forgets one of each pair that it has just made equal. Ours do not; many_waypoints compares the rest."""
        (ours, numbers), poses, when = config(), way(chance.randrange(2, 4)), shares()
        made = TrajectoryGenerator.generateTrajectory([Pose2d(*pose) for pose in poses], ours)
        line = [*numbers, len(poses), *flat(poses), *when]
        return question("trajectory", line, answers(met(numbers, made), when), 1e-9)

    def bends(poses, sign):
        """Second derivatives that both splines at a waypoint share: cubics', the nearer one's counting more."""
        result = [[0.0, 0.0] for _ in poses]
        for i in range(1, len(poses) - 1):
            near = [math.dist(poses[j][:2], poses[j + 1][:2]) for j in (i - 1, i)]
            for axis, trig in enumerate((math.cos, math.sin)):
                slopes = [[1.2 * sign * near[j] * trig(poses[i - 1 + j + k][2]) for k in (0, 1)] for j in (0, 1)]
                steps = [poses[i + j][axis] - poses[i - 1 + j][axis] for j in (0, 1)]
                end = 6 * -steps[0] + 2 * slopes[0][0] + 4 * slopes[0][1]
                start = 6 * steps[1] - 4 * slopes[1][0] - 2 * slopes[1][1]
                result[i][axis] = (near[1] * end + near[0] * start) / sum(near)
        return result

    def many_waypoints():
        """Ours from poses, WPILib's from control vectors that hold what the poses mean: a spline at a time, joined."""
        poses, when = way(chance.randrange(4, 7)), shares()
        bend = bends(poses, 1)
        top, acceleration = chance.uniform(0.5, 4), chance.uniform(0.5, 4)
        splines = []
        for i in range(len(poses) - 1):
            size = 1.2 * math.dist(poses[i][:2], poses[i + 1][:2])
            ends = []
            for axis, trig in enumerate((math.cos, math.sin)):
                for j in (i, i + 1):
                    ends.append((poses[j][axis], size * trig(poses[j][2]), bend[j][axis]))
            splines.append(spline.QuinticHermiteSpline(*ends))
        points = TrajectoryGenerator.splinePointsFromSplines(splines)
        made = TrajectoryParameterizer.timeParameterizeTrajectory(points, [], 0, 0, top, acceleration, False)
        numbers = [top, acceleration, *[0.0] * 6]
        return question("trajectory", [*numbers, len(poses), *flat(poses), *when], answers(made, when), 1e-9)

    def cubic():
        (ours, numbers), poses, when = config(), way(chance.randrange(2, 9)), shares()
        made = TrajectoryGenerator.generateTrajectory(
            Pose2d(*poses[0]), [Translation2d(*pose[:2]) for pose in poses[1:-1]], Pose2d(*poses[-1]), ours
        )
        inner = flat([pose[:2] for pose in poses[1:-1]])
        line = [*numbers, *poses[0], *poses[-1], len(poses) - 2, *inner, *when]
        return question("trajectory_cubic", line, answers(met(numbers, made), when), 1e-9)

    def quintic():
        (ours, numbers), poses, when = config(), way(chance.randrange(2, 6)), shares()
        vectors, ends = [], []
        for x, y, heading in poses:
            size = chance.uniform(1, 3)
            xs = (x, size * math.cos(heading), chance.uniform(-1, 1))
            ys = (y, size * math.sin(heading), chance.uniform(-1, 1))
            vectors.append(spline.Spline5.ControlVector(xs, ys))
            ends += [*xs, *ys]
        made = TrajectoryGenerator.generateTrajectory(vectors, ours)
        line = [*numbers, len(poses), *ends, *when]
        return question("trajectory_quintic", line, answers(met(numbers, made), when), 1e-9)

    def moved():
        (ours, numbers), poses, when, origin = config(), way(2), shares(), chance.pose()
        made = TrajectoryGenerator.generateTrajectory([Pose2d(*pose) for pose in poses], ours)
        if numbers[2] != numbers[3]:
            raise Unanswerable  # the end of the one is not the start of the other
        by = Transform2d(met(numbers, made).states()[-1].pose, made.states()[0].pose)
        there = made.transformBy(by)
        states = (there + made).relativeTo(Pose2d(*origin)).states()
        # WPILib goes on with the acceleration and the curvature from before.
        states[len(there.states()) - 1].acceleration = made.states()[0].acceleration
        states[len(there.states()) - 1].curvature = made.states()[0].curvature
        line = [*numbers, *flat(poses), by.X(), by.Y(), by.rotation().radians(), *origin, *when]
        return question("trajectory_moved", line, answers(Trajectory(states), when), 1e-8)

    def ramsete():
        b, zeta, near = chance.uniform(0.5, 4), chance.uniform(0.1, 0.95), [chance.uniform(0, 1) for _ in range(3)]
        pose, wanted = chance.pose(), chance.pose()
        if chance.random() < 0.5:
            wanted = [number + chance.uniform(-0.3, 0.3) for number in pose]
        v, curvature = chance.uniform(-2, 2), chance.uniform(-3, 3)
        self = controller.RamseteController(b, zeta)
        self.setTolerance(Pose2d(*near))
        speeds = self.calculate(Pose2d(*pose), Pose2d(*wanted), v, v * curvature)
        line = [b, zeta, *near, *pose, *wanted, v, curvature]
        return Question("ramsete", line, flat(speeds, self.atReference()), 1e-11)

    def holonomic():
        gains = [[chance.uniform(0, 4), chance.choice((0, 1)), chance.uniform(0, 0.1)] for _ in range(3)]
        limits, near = [chance.uniform(0.5, 6), chance.uniform(0.5, 6)], [chance.uniform(0, 1) for _ in range(3)]
        theta = controller.ProfiledPIDControllerRadians(*gains[2], TrapezoidProfileRadians.Constraints(*limits))
        pids = [controller.PIDController(*three) for three in gains[:2]]
        self = controller.HolonomicDriveController(*pids, theta)
        self.setTolerance(Pose2d(*near))
        pose, line, said = [chance.uniform(-3, 3) for _ in range(3)], [], []
        heading = chance.uniform(-3, 3)
        for _ in range(15):
            pose = [number + chance.uniform(-0.1, 0.1) for number in pose]
            pose[2] = math.remainder(pose[2], 2 * math.pi)
            wanted = [pose[0] + chance.uniform(-0.5, 0.5), pose[1] + chance.uniform(-0.5, 0.5), chance.uniform(-3, 3)]
            v = chance.uniform(-2, 2)
            speeds = self.calculate(Pose2d(*pose), Pose2d(*wanted), v, Rotation2d(heading))
            said += flat(speeds, self.atReference())
            line += [*pose, *wanted, v, 0.0, heading]
        return Question("holonomic", [*flat(gains), *limits, *near, *line], said, 1e-11)

    return [points, ramsete, holonomic, trajectory, many_waypoints, cubic, quintic, moved]


# ---------------------------------------------------------------------------------------------
# What needs a clock, or wpilib itself


def clocked(chance):
    from wpilib.drive import DifferentialDrive
    from wpilib.simulation import pauseTiming, restartTiming, stepTiming
    from wpimath import filter as filters

    pauseTiming()

    def slew():
        rise, fall = chance.uniform(0, 9), -chance.uniform(0, 9)
        initial, afresh, until_reset = chance.uniform(-2, 2), chance.uniform(-2, 2), chance.randrange(40)
        restartTiming()  # its seconds are doubles: the later it is, the fewer digits a difference has
        self, numbers, answers = filters.SlewRateLimiter(rise, fall, initial), [], []
        for i in range(20):
            if i == until_reset:
                self.reset(afresh)
            numbers += [chance.randrange(0, 200000), chance.uniform(-3, 3)]
            stepTiming((numbers[-2] + 0.5) * 1e-6)  # it cuts to whole microseconds
            answers.append(self.calculate(numbers[-1]))
        return Question("slew", [until_reset, rise, fall, initial, afresh, *numbers], answers)

    def debounce():
        kinds = [filters.Debouncer.DebounceType(kind) for kind in range(3)]
        kind, time_us = chance.randrange(3), chance.randrange(1, 20) * 10000
        self, numbers, answers, held = filters.Debouncer(time_us * 1e-6, kinds[kind]), [], [], False
        for _ in range(40):
            # Not on a time limit: WPILib's seconds round there, our microseconds do not.
            numbers += [chance.randrange(0, 60) * 1000 + 137, held]
            stepTiming((numbers[-2] + 0.5) * 1e-6)  # it cuts to whole microseconds
            answers.append(self.calculate(held))
            held = held != (chance.random() < 0.2)
        return Question("debounce", [time_us, kind, *numbers], flat(answers))

    def drive():
        a, b, answers = chance.stick(), chance.stick(), []
        for flag in (False, True):
            answers.append(DifferentialDrive.arcadeDriveIK(a, b, flag))
            answers.append(DifferentialDrive.curvatureDriveIK(a, b, flag))
            answers.append(DifferentialDrive.tankDriveIK(a, b, flag))
        return Question("drive", [a, b], flat(answers))

    said = {}
    driven = DifferentialDrive(lambda effort: said.update(left=effort), lambda effort: said.update(right=effort))
    driven.setSafetyEnabled(False)
    fresh = DifferentialDrive(lambda effort: said.update(left=effort), lambda effort: said.update(right=effort))
    fresh.setSafetyEnabled(False)

    def drive_whole():
        a, b, deadband, top, self, answers = chance.stick(), chance.stick(), -1.0, 1.0, fresh, []
        if chance.random() < 0.9:
            deadband, top, self = chance.choice((0, 1)) * chance.uniform(0, 0.9), chance.uniform(0, 1), driven
            self.setDeadband(deadband)
            self.setMaxOutput(top)
        for flag in (False, True):
            for way in (self.arcadeDrive, self.curvatureDrive, self.tankDrive):
                way(a, b, flag)
                answers += [said["left"], said["right"]]
        return Question("drive_whole", [a, b, deadband, top], answers)

    return [slew, debounce, drive, drive_whole]


# ---------------------------------------------------------------------------------------------
# Asking and comparing


def differs(ours, wanted, slack):
    if math.isinf(wanted) or math.isnan(wanted):
        return ours != wanted
    # not (a <= b): a NaN of ours differs from everything
    return not abs(ours - wanted) <= max(ABSOLUTE + slack, RELATIVE * abs(wanted))


def ask(host, questions):
    text = "\n".join(question.line() for question in questions) + "\n"
    run = subprocess.run([host], input=text, capture_output=True, text=True, check=True)
    return [[float(word) for word in line.split()] for line in run.stdout.splitlines()]


def asked(function):
    """A question to which WPILib has an answer: now and then a random way has a cusp, which nobody can drive."""
    while True:
        try:
            return function()
        except Unanswerable:
            pass
        except RuntimeError as error:
            if "Something went wrong at iteration" not in str(error):
                raise


def compare(checks, name, questions, replies):
    wrong, numbers, worst = [], 0, 0.0
    for question, reply in zip(questions, replies, strict=True):
        if len(reply) != len(question.answers):
            wrong.append((question, reply, f"{len(reply)} numbers instead of {len(question.answers)}"))
            continue
        numbers += len(reply)
        for i, (ours, wanted) in enumerate(zip(reply, question.answers, strict=True)):
            if math.isfinite(wanted) and abs(wanted) > 1e-3:
                worst = max(worst, abs(ours - wanted) / abs(wanted))
            slack = question.slack[i] if isinstance(question.slack, list) else question.slack
            if differs(ours, wanted, slack):
                wrong.append((question, reply, f"number {i} is {ours!r}, WPILib says {wanted!r}"))
                break
    detail = f"{len(questions)} times, {numbers} numbers, relative difference at most {worst:.1e}"
    checks.check(name, not wrong, detail)
    for question, _, what in wrong[:3]:
        print(f"       {what}; {len(wrong)} in all\n       {question.line()[:400]}")


def arguments():
    build = pathlib.Path(os.environ.get("HALYARD_BUILD_DIR", harness.HERE.parents[1] / "build"))
    deps = os.environ.get("HALYARD_DEPS_DIR", harness.HERE.parents[1] / "build/deps")
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--host", default=build / "tests/interop/bot_math_host", type=pathlib.Path)
    parser.add_argument("--robotpy", type=pathlib.Path, help="folder that RobotPy is in; else it is installed")
    parser.add_argument("--deps", default=deps, type=pathlib.Path, help="folder of what was downloaded")
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("--rounds", default=2000, type=int, help="questions a function")
    return parser.parse_args()


def main():
    given = arguments()
    robotpy = given.robotpy or harness.install_season("2026", given.deps.resolve() / "robotpy").folder
    sys.path.insert(0, str(robotpy))
    sys.dont_write_bytecode = True
    checks, chance = harness.Checks(), Chance(given.seed)
    for part in (geometry, kinematics, control, trajectories, clocked):
        for function in part(chance):
            rounds = given.rounds if function.__name__ not in LONG else max(1, given.rounds // 10)
            questions = [asked(function) for _ in range(rounds)]
            compare(checks, function.__name__, questions, ask(given.host, questions))
    print(f"seed {given.seed}")
    checks.finish([])


if __name__ == "__main__":
    main()
