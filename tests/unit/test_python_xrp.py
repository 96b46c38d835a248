#!/usr/bin/env python3
"""`halyard xrp`: its options, its time, the button, how programs end."""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import unittest
import urllib.request

from python_xrp import BUILD, ROOT, outcome, run

MODULES = os.path.join(ROOT, "python", "halyard_sim", "xrp", "robot")


def finish(child):
    child.kill()
    child.communicate()


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def program(self, text, name="main.py"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def says(self, text, *options, status=0, name="main.py"):
        done = run(self.program(text, name), "--world", "xrp-open", *options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done


class Time(Case):
    def test_sleep_and_clocks(self):
        out, lines = outcome(self.program("""
            import time, utime
            start = time.ticks_ms(), time.ticks_us(), time.time()
            time.sleep(1.5); time.sleep_ms(250); time.sleep_us(500)
            print(time.ticks_diff(time.ticks_ms(), start[0]), time.time() - start[2])
            print(round(time.ticks_diff(time.ticks_us(), start[1]), -2), utime.sleep is time.sleep)
            print(time.ticks_diff(5, time.ticks_add(5, -7)), time.ticks_diff(2, (1 << 30) - 1))
            print(time.localtime(1609459200 + 86400 * 59 + 3661))
        """), "--world", "xrp-open")
        self.assertEqual(lines, ["1750 1", "1750600 True", "7 3", "(2021, 3, 1, 1, 1, 1, 0, 60)"])
        self.assertAlmostEqual(out["time_s"], 1.75, delta=0.01)

    def test_what_calls_cost(self):
        """As halyard_clock.py has them: a program sees it in its own clock."""
        done = self.says("""
            from machine import ADC, I2C, Pin, time_pulse_us
            import time
            pin, adc, bus = Pin("LED", Pin.OUT), ADC(Pin("LINE_L")), I2C(1)
            def cost(function):
                start = time.ticks_us()
                for _ in range(10):
                    function()
                return (time.ticks_us() - start - 9) / 10
            print(cost(pin.toggle), cost(adc.read_u16), cost(lambda: bus.readfrom_mem(0x6b, 0x22, 6)))
            print(time_pulse_us(Pin("RANGE_ECHO"), 1, 30000), bus.readfrom_mem(0x6b, 0x0f, 1))
        """)
        self.assertEqual(done.stdout.splitlines(), ["9.0 11.0 211.0", r"-1 b'l'"])

    def test_timers_fire_inside_sleeps_and_calls(self):
        done = self.says("""
            from machine import Timer, Pin
            import time
            seen = []
            Timer(-1).init(period=20, callback=lambda t: seen.append(time.ticks_ms()))
            once = Timer(period=50, mode=Timer.ONE_SHOT, callback=lambda t: print("once", time.ticks_ms()))
            time.sleep(0.1)
            led = Pin("LED", Pin.OUT)
            while time.ticks_ms() < 200:
                led.on()
            print(seen)
            fast = Timer(period=10, callback=lambda t: t.deinit())
            time.sleep(0.1)
            late = Timer(period=1, callback=lambda t: time.sleep_ms(3))
            time.sleep_ms(30)
            late.deinit()
        """)
        self.assertEqual(done.stdout.splitlines(), ["once 50", str(list(range(20, 201, 20)))])

    def test_equal_runs_are_equal(self):
        text = """
            from XRPLib.defaults import *
            import random
            names = {"left", "right", "ahead", "back"}
            for name in names:
                drivetrain.arcade(0.3, 0.1 * len(name) * random.choice([-1, 1]))
                while abs(left_motor.get_position()) < 1: pass
                left_motor.reset_encoder_position()
                print(name, imu.get_yaw(), rangefinder.distance())
        """
        options = ("--world", "xrp-open", "--robot", "typical", "--duration", "100")
        first = outcome(self.program(text), *options, "--seed", "4")
        for _ in range(3):
            self.assertEqual(outcome(self.program(text), *options, "--seed", "4"), first)
        self.assertNotEqual(outcome(self.program(text), *options, "--seed", "5")[0]["hash"], first[0]["hash"])

    def test_real_time(self):
        """With --speed 1 the world's time is that of the wall: never faster."""
        import time

        start = time.monotonic()
        self.says("import time\ntime.sleep(1)", "--speed", "1")
        self.assertGreater(time.monotonic() - start, 1)


class Ends(Case):
    def test_exceptions_show_the_own_lines(self):
        helper = self.program("def divide(a):\n    return a / 0\n", "helper.py")
        done = self.says("""
            from XRPLib.defaults import *
            import helper
            drivetrain.set_effort(1, 1)
            helper.divide(1)
        """, status=1)
        trace = done.stderr
        self.assertIn(f'File "{self.folder}/main.py", line 5, in <module>', trace)
        self.assertIn(f'File "{helper}", line 2, in divide', trace)
        self.assertIn("ZeroDivisionError: division by zero", trace)
        self.assertNotIn("halyard_sim", trace)
        inside = self.says("from XRPLib.defaults import *\nleft_motor.set_effort('fast')\n", status=1).stderr
        self.assertIn("line 2, in <module>", inside)
        self.assertNotIn("halyard_sim", inside)

    def test_syntax_errors(self):
        done = self.says("while True\n    pass\n", status=1)
        self.assertIn("line 1", done.stderr)
        self.assertIn("SyntaxError", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_a_loop_that_calls_nothing(self):
        done = self.says("""
            from XRPLib.defaults import *
            drivetrain.set_effort(0.5, 0.5)
            def think():
                n = 0
                while True:
                    try:
                        n += 1
                    except Exception:
                        pass
            think()
        """, "--json", status=1)
        self.assertRegex(done.stderr, r"main\.py, line ([6-9]|10): a loop that calls nothing")
        self.assertEqual(json.loads(done.stdout)["ended"], "a loop without end")

    def test_duration(self):
        out, _ = outcome(self.program("""
            from XRPLib.defaults import *
            drivetrain.set_effort(0.4, -0.4)
            while True:
                try:
                    imu.get_yaw()
                except Exception:
                    pass
        """), "--world", "xrp-open", "--duration", "3")
        self.assertEqual((out["ended"], out["time_s"]), ("duration", 3.0))
        self.assertGreater(abs(out["heading_deg"]), 90)

    def test_interrupted(self):
        program = self.program("""
            from XRPLib.defaults import *
            drivetrain.set_effort(0.5, 0.5)
            print("driving", flush=True)
            while True:
                time = imu.get_yaw()
        """)
        for number in (signal.SIGINT, signal.SIGTERM):
            env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"),
                       HALYARD_PYTHON_LIBRARY=os.path.join(BUILD, "lib", "libhalyard_python.so"))
            child = subprocess.Popen([sys.executable, "-B", "-m", "halyard_sim", "xrp", program, "--world", "xrp-open", "--json"],
                                     env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.addCleanup(finish, child)
            self.assertEqual(child.stdout.readline(), "driving\n")
            child.send_signal(number)
            said, errors = child.communicate(timeout=60)
            self.assertEqual(child.returncode, 130, errors)
            self.assertEqual(json.loads(said)["ended"], "it was interrupted")

    def test_exit(self):
        self.says("import sys\nsys.exit()")
        self.says("import sys\nsys.exit(3)", status=3)

    def test_the_robot_stands_at_the_end(self):
        out, _ = outcome(self.program("""
            from XRPLib.defaults import *
            drivetrain.set_effort(1, 1)
            import time
            time.sleep(1)
        """), "--world", "xrp-open")
        self.assertLess(out["x_m"], 50.9)


class Button(Case):
    WAIT = """
        from XRPLib.defaults import *
        import time
        board.wait_for_button()
        first = time.ticks_ms()
        board.wait_for_button()
        print(first, time.ticks_ms())
    """

    def test_waits_are_answered(self):
        done = self.says(self.WAIT)
        first, second = map(int, done.stdout.split())
        self.assertAlmostEqual(first - 1000, 600, delta=60)  # behind the gyro's calibration
        self.assertAlmostEqual(second - first, 600, delta=60)
        self.assertEqual(done.stderr.count("each wait for it is answered"), 1)

    def test_press(self):
        done = self.says(self.WAIT, "--press", "4:4.5", "--press", "2:2.5")
        first, second = map(int, done.stdout.split())
        self.assertAlmostEqual(first, 2500, delta=30)
        self.assertAlmostEqual(second, 4500, delta=30)
        self.assertNotIn("answered", done.stderr)

    def test_a_loop_that_looks_at_the_button_is_no_wait(self):
        out, _ = outcome(self.program("""
            from XRPLib.defaults import *
            while not board.is_button_pressed():
                drivetrain.set_effort(0.3, 0.3 * reflectance.get_left())
        """), "--world", "xrp-open", "--duration", "5")
        self.assertEqual(out["ended"], "duration")

    def test_enter_in_a_terminal(self):
        import pty

        master, slave = pty.openpty()
        env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"),
                   HALYARD_PYTHON_LIBRARY=os.path.join(BUILD, "lib", "libhalyard_python.so"))
        child = subprocess.Popen([sys.executable, "-B", "-m", "halyard_sim", "xrp", self.program("""
            from XRPLib.defaults import *
            board.wait_for_button()
            print("pressed")
            print("hello " + input())
        """), "--world", "xrp-open"], env=env, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(finish, child)
        os.close(slave)
        self.assertIn("Enter presses the button", child.stderr.readline())
        os.write(master, b"\n")
        self.assertEqual(child.stdout.readline(), "pressed\n")
        os.write(master, b"Ada\n")
        self.assertEqual(child.stdout.readline(), "hello Ada\n")
        child.communicate(timeout=60)
        os.close(master)
        self.assertEqual(child.returncode, 0)


    def test_the_page_stays_in_a_terminal(self):
        import pty

        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"), HALYARD_PAGE=self.folder,
                   HALYARD_PYTHON_LIBRARY=os.path.join(BUILD, "lib", "libhalyard_python.so"))
        child = subprocess.Popen([sys.executable, "-B", "-m", "halyard_sim", "xrp", "--view=127.0.0.1:0", self.program("print('so short')")],
                                 env=env, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(finish, child)
        os.close(slave)
        port = None
        for line in child.stdout:
            port = port or re.search(r"page=http://127\.0\.0\.1:(\d+)/", line)
            if line == "so short\n":
                break
        while "the page stays until Ctrl-C" not in child.stderr.readline():
            self.assertIsNone(child.poll())
        socket.create_connection(("127.0.0.1", int(port.group(1))), timeout=60).close()
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0)


class Options(Case):
    def test_refusals(self):
        program = self.program("print('never')")
        for options, pattern, status in (
            (("--world", "nowhere"), "no world called 'nowhere'", 1),
            (("--world", "teensy-field"), "its robot is of type teensy, not an XRP", 1),
            (("--robot", "./none.yaml"), "none.yaml", 1),
            (("--seed", "-1"), "seed is a whole number", 1),
            (("--speed", "0"), "--speed", 2),
            (("--press", "3"), "--press", 2),
            (("--press", "3:2"), "--press", 2),
            (("--duration", "nan"), "--duration", 2),
            (("--sped", "1"), "--sped", 2),
            (("--xrplib", self.folder), "no folder XRPLib", 2),
            (("--record", "/no-folder/run.wpilog"), "no-folder", 1),
        ):
            done = run(program, *options)
            self.assertEqual(done.returncode, status, (options, done.stderr))
            self.assertRegex(done.stderr, pattern)
            self.assertNotIn("Traceback", done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertRegex(run("/no/such.py").stderr, "/no/such.py: No such file")

    def test_blocks(self):
        """A file of XRPCode's block editor: Python, and the blocks themselves in a comment."""
        done = self.says("""
            from XRPLib.defaults import *

            board.led_on()
            print("from blocks")


            ##XRPBLOCKS {"blocks":{"languageVersion":0,"blocks":[{"type":"xrp_led_on"}]}}
        """, name="program.blocks")
        self.assertEqual(done.stdout, "from blocks\n")

    def test_record(self):
        log = os.path.join(self.folder, "run.wpilog")
        self.says("""
            from XRPLib.defaults import *
            print("one"); drivetrain.straight(10); print("two", end="")
        """, "--record", log, "--robot", "typical")
        halyard = os.environ["HALYARD_BINARY"]
        said = subprocess.run([halyard, "replay", "--verify", log], text=True, capture_output=True, check=True, timeout=300).stdout
        self.assertRegex(said, r"hashes agree, up to step \d+")
        table = subprocess.run([halyard, "replay", log, "--export", "csv"], text=True, check=True, capture_output=True, timeout=300).stdout
        rows = [line.split(",") for line in table.splitlines() if "/Program/Output" in line]
        self.assertEqual([row[2].strip('"') for row in rows], ["one", "two"])
        self.assertGreater(float(rows[1][0]), float(rows[0][0]) + 0.5)

    def test_xrplib(self):
        """A copy of the official library: here one of ours, in its place."""
        os.mkdir(os.path.join(self.folder, "XRPLib"))
        self.program("VALUE = 7\n", "XRPLib/defaults.py")
        self.program("", "XRPLib/__init__.py")
        done = self.says("from XRPLib.defaults import *\nprint(VALUE)", "--xrplib", self.folder)
        self.assertEqual(done.stdout, "7\n")

    def test_view(self):
        """A page presses the button that the program waits for, and stops the program."""
        page_folder = os.path.join(self.folder, "page")
        os.mkdir(page_folder)
        self.program("<html>the page</html>", "page/index.html")
        env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"), HALYARD_PAGE=page_folder,
                   HALYARD_PYTHON_LIBRARY=os.path.join(BUILD, "lib", "libhalyard_python.so"))
        child = subprocess.Popen([sys.executable, "-B", "-m", "halyard_sim", "xrp", "--view=127.0.0.1:0", "--json", self.program("""
            from XRPLib.defaults import *
            import time
            while not board.is_button_pressed():
                time.sleep(0.01)
            print("down", flush=True)
            while board.is_button_pressed():
                time.sleep(0.01)
            print("up", flush=True)
            while True:
                drivetrain.set_effort(0.2, -0.2)
        """)], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(finish, child)
        line = ""
        while "halyard: ready" not in line:
            line = child.stdout.readline()
            self.assertNotEqual(line, "", "it ended")
        port, token = re.search(r"page=http://127\.0\.0\.1:(\d+)/#([0-9a-f]{32})", line).groups()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer:
            self.assertEqual(answer.read(), b"<html>the page</html>")
        with socket.create_connection(("127.0.0.1", int(port)), timeout=60) as page:
            page.sendall(f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         "Sec-WebSocket-Key: aGFseWFyZCBoYWx5YXJkIQ==\r\nSec-WebSocket-Version: 13\r\n"
                         "Sec-WebSocket-Protocol: halyard-page\r\n\r\n".encode())
            self.assertIn(b"101", page.recv(4096))

            def say(text):
                page.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode())

            say("token " + token)
            say("button 1 down")
            self.assertEqual(child.stdout.readline(), "down\n")
            say("button 1 up")
            self.assertEqual(child.stdout.readline(), "up\n")
            say("stop")
            said, errors = child.communicate(timeout=60)
        self.assertEqual(json.loads(said)["ended"], "a page stopped the program")
        self.assertEqual(child.returncode, 0, errors)


class Command(Case):
    """The program `halyard` and the package's own command do the same."""

    HALYARD = os.environ["HALYARD_BINARY"]

    def test_xrp(self):
        program = self.program("from XRPLib.defaults import *\nprint(drivetrain.straight(10))")
        options = ["--world", "xrp-open", "--json"]
        env = dict(os.environ, HALYARD_PYTHON_LIBRARY=os.path.join(BUILD, "lib", "libhalyard_python.so"))
        done = subprocess.run([self.HALYARD, "xrp", program, *options], env=env, text=True, capture_output=True, timeout=300)
        self.assertEqual(done.stdout, run(program, *options).stdout)
        self.assertEqual(done.returncode, 0)
        env["PATH"] = "/nowhere"
        done = subprocess.run([self.HALYARD, "xrp", program], env=env, text=True, capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertIn("halyard xrp: cannot start python3", done.stderr)

    def test_extension(self):
        for name in ("xrp", "teensy"):
            done = subprocess.run([self.HALYARD, "extension", name], text=True, capture_output=True, timeout=300, check=True)
            self.assertEqual(done.stdout, os.path.join(os.path.realpath(BUILD), "ext", f"libhalsim_{name}.so") + "\n")
            self.assertTrue(os.path.exists(done.stdout.strip()))

    def test_the_package_runs_the_program(self):
        env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "python"))
        done = subprocess.run([sys.executable, "-B", "-m", "halyard_sim", "--version"], env=env, text=True, capture_output=True, timeout=300)
        version = subprocess.run([self.HALYARD, "--version"], text=True, capture_output=True, timeout=300).stdout
        self.assertEqual(done.stdout, version, done.stderr)


class Library(Case):
    def test_all_modules_load(self):
        names = sorted(name[:-3] for name in os.listdir(os.path.join(MODULES, "XRPLib")) if name.endswith(".py") and name[0] != "_")
        done = self.says("".join(f"import XRPLib.{name}\n" for name in names) + """
import machine, rp2, neopixel, network, micropython, uctypes, phew, ble.blerepl, gc, sys
print("XRP" in sys.implementation._machine, gc.mem_free() > 0, network.WLAN(network.AP_IF).active(True))
""")
        self.assertEqual(done.stdout, "True True True\n")
        for name in ("defaults", "differential_drive", "encoded_motor", "motor", "imu", "rangefinder", "reflectance", "servo",
                     "board", "pid", "controller", "timeout"):
            self.assertIn(name, names)

    def test_modules_know_the_robot_by_its_functions_alone(self):
        """They have to run under MicroPython as well: no module of CPython's but those that both have."""
        allowed = {"halyard_robot", "halyard_clock", "machine", "time", "math", "sys", "network", "__future__"}
        for folder, _, files in os.walk(MODULES):
            for name in files:
                if name.endswith(".py"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        for line in file:
                            found = re.match(r"\s*(?:import|from) ([a-z_]\w*)", line)
                            if found:
                                self.assertIn(found.group(1), allowed, f"{name}: {line}")

    def test_behaviour(self):
        done = self.says("""
            from XRPLib.defaults import *
            from XRPLib.pid import PID
            from XRPLib.timeout import Timeout
            import time
            print(drivetrain.straight(-10), drivetrain.turn(-45), round(imu.get_heading()) in range(313, 318))
            print(drivetrain.straight(1000, timeout=1), drivetrain.turn(5000, timeout=0.5))
            left_motor.set_speed(60); time.sleep(1.5)
            print(abs(left_motor.get_speed() - 60) < 6); left_motor.set_speed()
            time.sleep(0.3); print(left_motor.get_speed() == 0)
            for value in (5, -5): left_motor.set_effort(value); print(left_motor._motor.effort)
            drivetrain.arcade(1, 1); print(left_motor._motor.effort, right_motor._motor.effort); drivetrain.stop()
            pid = PID(kp=2, min_output=0.5, max_output=3, tolerance=1, tolerance_count=2)
            print(pid.update(1.2), pid.update(0.1), pid.update(-9), pid.update(0.9), pid.is_done(), pid.update(0.9), pid.is_done())
            print(Timeout(None).is_done(), rangefinder.distance(), 990 < imu.get_acc_z() < 1010)
            imu.set_yaw(725); print(round(imu.get_yaw()), round(imu.get_heading()))
            try: servo_one.set_angle("up")
            except TypeError: print("TypeError")
            try: gamepad.get_value(1)
            except NotImplementedError as why: print(why)
        """, "--robot", "ideal")
        self.assertEqual(done.stdout.splitlines(), [
            "True True True", "False False", "True", "True", "1", "-1", "0.0 1.0", "2.4 0.5 -3 1.8 False 1.8 True",
            "False 65535 True", "725 5", "TypeError",
            "the virtual robot has no gamepad: gamepad.get_value is not simulated"])


if __name__ == "__main__":
    unittest.main()
