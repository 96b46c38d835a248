#!/usr/bin/env -S python3 -B
"""One XRP on an open floor and in an arena: our world beside the physics libraries that Python has, in one run.

    bench_peers.py [--build build] [--deps build/deps] [--rounds 5] [--seconds 20]

Every peer gets the same robot (mass, inertia, outline, wheels, the motors' torque and speed, grip), the same floor and walls, steps of 10 ms and
the same driving: another duty for each motor every half second. After each step the speed, the turn rate and the distance to what is ahead are
read. Each does it in the fastest way that its documentation shows. What a peer leaves out is printed with its figure: no two simulate the same.

Time is that of the process on its core; rounds alternate between the peers, and the median counts. Ours runs in a process of its own
(bench_world), once before the peers and once after them.
"""

import argparse
import math
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "bench/requirements-peers.txt"

STEP_S, STEPS_A_DRIVE = 0.01, 50
# docs/spec/world.md, "An XRP": body, wheels and motors.
MASS_KG, INERTIA_KG_M2, FRONT_M, REAR_M, WIDTH_M = 0.55, 0.0028, 0.105, 0.080, 0.180
WHEEL_RADIUS_M, HALF_TRACK_M, GRIP = 0.030, 0.0775, 0.8
FREE_RAD_S, STALL_N_M = 11.4, 0.078  # of a wheel at full duty, by 6 V
FLOORS = {"open": None, "arena": (2.4, 1.8)}  # metres; None: no walls


def drives():
    """Duties of the two motors: mostly forward, turning either way. The same ones for everybody."""
    chance = random.Random(1)
    while True:
        both, apart = chance.random() * 1.6 - 0.5, chance.random() - 0.5
        yield max(-1.0, min(1.0, both - apart)), max(-1.0, min(1.0, both + apart))


def wheel_force_n(duty, speed_m_s):
    """What a motor pushes with at the floor: its torque falls with speed, and the tyre holds only so much."""
    push = STALL_N_M * (duty - speed_m_s / WHEEL_RADIUS_M / FREE_RAD_S) / WHEEL_RADIUS_M
    most = GRIP * MASS_KG * 9.81 / 2
    return max(-most, min(most, push))


def tyre_forces(duties, ahead_m_s, aside_m_s, turn_rad_s):
    """Force ahead, force aside and torque of both wheels on a body that moves so."""
    left = wheel_force_n(duties[0], ahead_m_s - turn_rad_s * HALF_TRACK_M)
    right = wheel_force_n(duties[1], ahead_m_s + turn_rad_s * HALF_TRACK_M)
    most = GRIP * MASS_KG * 9.81
    aside = max(-most, min(most, -MASS_KG * aside_m_s / STEP_S))
    return left + right, aside, (right - left) * HALF_TRACK_M


# --------------------------------------------------------------------------- the peers


class MuJoCo:
    leaves_out = "encoders, floor sensors, PWM bridge, breakaway and battery; sonar is one ray; 50 steps a call from Python"

    def __init__(self, floor):
        import mujoco

        self.step, self.drive = mujoco.mj_step, drives()
        self.model = mujoco.MjModel.from_xml_string(self.description(floor))
        self.data = mujoco.MjData(self.model)

    @staticmethod
    def description(floor):
        walls = ""
        if floor is not None:
            x, y = floor[0] / 2, floor[1] / 2
            walls = "".join(
                f'<geom type="box" pos="{px} {py} 0.05" size="{sx} {sy} 0.05"/>'
                for px, py, sx, sy in ((x + 0.02, 0, 0.02, y), (-x - 0.02, 0, 0.02, y), (0, y + 0.02, x, 0.02), (0, -y - 0.02, x, 0.02))
            )
        wheels = "".join(
            f'<body pos="0 {y} 0"><joint name="{name}" type="hinge" axis="0 1 0" armature="2e-5"/>'
            f'<geom type="cylinder" size="{WHEEL_RADIUS_M} 0.006" euler="90 0 0" mass="0.03" friction="{GRIP} 0.005 0.0001"/></body>'
            for name, y in (("left", HALF_TRACK_M), ("right", -HALF_TRACK_M))
        )
        gain = STALL_N_M
        motors = "".join(
            f'<general joint="{name}" ctrllimited="true" ctrlrange="-1 1" gainprm="{gain}" biastype="affine" biasprm="0 0 {-gain / FREE_RAD_S}"/>'
            for name in ("left", "right")
        )
        return f"""<mujoco><option timestep="{STEP_S}" integrator="implicitfast"/><worldbody><geom type="plane" size="9 9 0.1"/>{walls}
            <body pos="0 0 {WHEEL_RADIUS_M}"><freejoint/>
            <geom type="box" pos="{(FRONT_M - REAR_M) / 2} 0 0.02" size="{(FRONT_M + REAR_M) / 2} 0.07 0.02" mass="{MASS_KG - 0.06}"/>
            <geom type="sphere" pos="-0.06 0 -0.02" size="0.0099" mass="0.001" friction="0.01 0 0"/>
            <site name="imu"/><site name="sonar" pos="{FRONT_M + 0.001} 0 0.02" euler="0 90 0"/>{wheels}</body></worldbody>
            <actuator>{motors}</actuator>
            <sensor><gyro site="imu"/><velocimeter site="imu"/><rangefinder site="sonar"/></sensor></mujoco>"""

    def run(self, seconds):
        for _ in range(int(seconds / STEP_S / STEPS_A_DRIVE)):
            self.data.ctrl[:] = next(self.drive)
            self.step(self.model, self.data, nstep=STEPS_A_DRIVE)
            self.seen = self.data.sensordata.sum()
        return math.hypot(*self.data.qvel[:2])


class Pymunk:
    leaves_out = "all of a motor but its line of torque and speed; encoders, floor sensors, battery, noise; sonar is one ray"

    def __init__(self, floor):
        import pymunk

        self.pymunk, self.drive = pymunk, drives()
        self.space = space = pymunk.Space()
        self.body = body = pymunk.Body(MASS_KG, INERTIA_KG_M2)
        half = WIDTH_M / 2
        outline = pymunk.Poly(body, [(-REAR_M, -half), (FRONT_M, -half), (FRONT_M, half), (-REAR_M, half)])
        outline.friction = 0.3
        outline.filter = self.ahead = pymunk.ShapeFilter(group=1)
        space.add(body, outline)
        if floor is not None:
            x, y = floor[0] / 2, floor[1] / 2
            corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
            walls = [pymunk.Segment(space.static_body, corners[i], corners[i - 1], 0.01) for i in range(4)]
            for wall in walls:
                wall.friction = 0.3
            space.add(*walls)

    def run(self, seconds):
        space, body = self.space, self.body
        for _ in range(int(seconds / STEP_S / STEPS_A_DRIVE)):
            duties = next(self.drive)
            for _ in range(STEPS_A_DRIVE):
                ahead, aside = body.velocity.rotated(-body.angle)
                push, hold, torque = tyre_forces(duties, ahead, aside, body.angular_velocity)
                body.apply_force_at_local_point((push, hold), (0, 0))
                body.torque += torque
                space.step(STEP_S)
                eye = body.local_to_world((FRONT_M, 0))
                self.seen = space.segment_query_first(eye, body.local_to_world((FRONT_M + 4, 0)), 0.0, self.ahead)
        return body.velocity.length


class Box2D:
    leaves_out = Pymunk.leaves_out

    def __init__(self, floor):
        import pyb2d3

        self.drive = drives()
        self.world = world = pyb2d3.World(gravity=(0, 0))
        self.body = body = world.create_dynamic_body(position=(0, 0))
        half, surface = WIDTH_M / 2, pyb2d3.SurfaceMaterial()
        surface.friction = 0.3
        density = MASS_KG / (WIDTH_M * (FRONT_M + REAR_M))
        outline = pyb2d3.polygon([(-REAR_M, -half), (FRONT_M, -half), (FRONT_M, half), (-REAR_M, half)])
        body.create_polygon_shape(pyb2d3.shape_def(density=density, material=surface), outline)
        if floor is not None:
            x, y = floor[0] / 2, floor[1] / 2
            ground = world.create_static_body(position=(0, 0))
            corners = [(-x, -y), (x, -y), (x, y), (-x, y)]
            for i in range(4):
                ground.create_segment_shape(pyb2d3.shape_def(material=surface), pyb2d3.segment(corners[i], corners[i - 1]))

    def run(self, seconds):
        world, body = self.world, self.body
        for _ in range(int(seconds / STEP_S / STEPS_A_DRIVE)):
            duties = next(self.drive)
            for _ in range(STEPS_A_DRIVE):
                ahead, aside = body.local_vector(body.linear_velocity)
                push, hold, torque = tyre_forces(duties, ahead, aside, body.angular_velocity)
                body.apply_force_to_center(body.world_vector((push, hold)))
                body.apply_torque(torque)
                world.step(STEP_S, 4)
                self.seen = world.cast_ray_closest(body.world_point((FRONT_M + 0.001, 0)), body.world_vector((4, 0)))
        return body.linear_velocity_magnitude()


class Gymnasium:
    leaves_out = "walls (the robot stops at the edge), mass, slip and every sensor but speed and turn rate: an environment in plain Python, as courses write it"

    def __init__(self, floor):
        import gymnasium
        import numpy

        class Environment(gymnasium.Env):
            action_space = gymnasium.spaces.Box(-1.0, 1.0, (2,), numpy.float64)
            observation_space = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (5,), numpy.float64)
            x = y = heading = left = right = 0.0

            def reset(self, *, seed=None, options=None):
                super().reset(seed=seed)
                return numpy.zeros(5), {}

            def step(self, action):
                fastest = FREE_RAD_S * WHEEL_RADIUS_M
                self.left += (action[0] * fastest - self.left) * 0.1
                self.right += (action[1] * fastest - self.right) * 0.1
                speed, turn = (self.left + self.right) / 2, (self.right - self.left) / (2 * HALF_TRACK_M)
                self.heading += turn * STEP_S
                self.x += speed * math.cos(self.heading) * STEP_S
                self.y += speed * math.sin(self.heading) * STEP_S
                if floor is not None:
                    self.x = max(-floor[0] / 2, min(floor[0] / 2, self.x))
                    self.y = max(-floor[1] / 2, min(floor[1] / 2, self.y))
                return numpy.array((self.x, self.y, self.heading, speed, turn)), speed, False, False, {}

        self.environment, self.drive = Environment(), drives()
        self.environment.reset(seed=1)

    def run(self, seconds):
        environment = self.environment
        for _ in range(int(seconds / STEP_S / STEPS_A_DRIVE)):
            duties = next(self.drive)
            for _ in range(STEPS_A_DRIVE):
                self.seen = environment.step(duties)
        return abs(environment.left + environment.right) / 2


PEERS = {"MuJoCo": MuJoCo, "pymunk": Pymunk, "Box2D by pyb2d3": Box2D, "a gymnasium.Env": Gymnasium}


# --------------------------------------------------------------------------- the comparison


def cpu_ns_a_step(peer, seconds):
    began = time.process_time_ns()
    peer.run(seconds)
    return (time.process_time_ns() - began) / (seconds / STEP_S)


def ours(build):
    """Nanoseconds a step of each world, alone and with its board: the noise, all sensors and the mat included."""
    said = subprocess.run([build / "bench/bench_world", ROOT / "worlds"], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"xrp-(\w+) .*?\(\s*(\d+) ns a step.*?\(\s*(\d+) ns,", said)
    return {floor: (float(alone), float(board)) for floor, alone, board in found}


def show_progress(text):
    if sys.stderr.isatty():
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def measure(given):
    """Medians in ns a step: {floor: {name: ns}}."""
    before = ours(given.build)
    rounds = {floor: {name: [] for name in PEERS} for floor in FLOORS}
    peers = {(floor, name): PEERS[name](FLOORS[floor]) for floor in FLOORS for name in PEERS}
    for peer in peers.values():
        if not 0.01 < max(peer.run(0.5) for _ in range(8)) < 0.5:
            sys.exit(f"bench_peers: {type(peer).__name__} does not drive as an XRP does")
    for number in range(given.rounds):
        for (floor, name), peer in peers.items():
            show_progress(f"round {number + 1} of {given.rounds}: {floor} floor, {name}")
            rounds[floor][name].append(cpu_ns_a_step(peer, given.seconds))
    show_progress("")
    after = ours(given.build)
    medians = {floor: {name: statistics.median(values) for name, values in names.items()} for floor, names in rounds.items()}
    for floor in FLOORS:
        alone, board = (statistics.mean(pair) for pair in zip(before[floor], after[floor], strict=True))
        medians[floor] = {"halyard, world alone": alone, "halyard, with its board": board, **medians[floor]}
    return medians


def tell(medians):
    for floor, names in medians.items():
        print(f"{floor} floor, ns of processor time a step of 10 ms, times real time, and in steps of ours with its board:")
        unit = names["halyard, with its board"]
        for name, ns in names.items():
            print(f"  {name:24} {ns:9.0f} ns {1e9 * STEP_S / ns:9.0f} x {ns / unit:7.1f}")
    print("left out:")
    for name, peer in PEERS.items():
        print(f"  {name}: {peer.leaves_out}")


def draw(medians, path):
    """Bars on a logarithmic scale, as SVG: how much faster than real time."""
    left, width, height = 210, 460, 22
    rows = [(floor, name, 1e9 * STEP_S / ns) for floor, names in medians.items() for name, ns in names.items()]
    scale = width / math.log10(max(times for _, _, times in rows) * 1.2 / 10)
    lines = []
    for number, (floor, name, times) in enumerate(rows):
        y, length = 30 + height * number, math.log10(times / 10) * scale
        colour = "#1f77b4" if name.startswith("halyard") else "#999999"
        lines.append(f'<text x="{left - 6}" y="{y + 14}" text-anchor="end">{floor}: {name}</text>')
        lines.append(f'<rect x="{left}" y="{y + 2}" width="{length:.0f}" height="{height - 6}" fill="{colour}"/>')
        lines.append(f'<text x="{left + length + 5:.0f}" y="{y + 14}">{times:,.0f}</text>')
    box = f'width="{left + width + 90}" height="{40 + height * len(rows)}"'
    head = "One XRP, simulated seconds a second of one core (logarithmic)"
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="sans-serif" font-size="12"><rect {box} fill="#ffffff"/>\n'
        f'<text x="6" y="18" font-weight="bold">{head}</text>\n' + "\n".join(lines) + "\n</svg>\n"
    )


def enter_environment(deps):
    """Goes on in an environment of its own that has the peers as requirements-peers.txt pins them."""
    folder = deps / "peers"
    python = folder / "bin/python"
    pinned = folder / "pinned.txt"
    if not pinned.exists() or pinned.read_text() != REQUIREMENTS.read_text():
        print("fetching the peers ...", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--require-hashes", "-r", REQUIREMENTS]
        if subprocess.run(pip).returncode != 0:
            sys.exit("bench_peers: the peers could not be fetched from the Python registry")
        pinned.write_text(REQUIREMENTS.read_text())
    if pathlib.Path(sys.prefix) != folder:
        os.execv(python, [str(python), "-B", *sys.argv])


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    arguments.add_argument("--deps", type=pathlib.Path, default=ROOT / "build/deps")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--seconds", type=float, default=20.0, help="simulated, a round")
    arguments.add_argument("--svg", type=pathlib.Path, help="draw the figures into this file")
    given = arguments.parse_args()
    enter_environment(given.deps.resolve())
    medians = measure(given)
    tell(medians)
    if given.svg is not None:
        draw(medians, given.svg)


if __name__ == "__main__":
    main()
