# A robot of states: waits for the button, waves, turns to what is near, and says so with its light.
from XRPLib.defaults import *
import time


class Waver:
    def __init__(self, arm, light):
        self.arm, self.light = arm, light
        self.angles = []

    def wave(self, times):
        self.light.led_blink(4)
        for _ in range(times):
            for angle in (60, 140):
                self.arm.set_angle(angle)
                self.angles.append(angle)
                time.sleep(0.4)
        self.light.led_blink(0)


waver = Waver(servo_one, board)
state = "waiting"
while state != "done":
    if state == "waiting":
        board.wait_for_button()
        state = "waving"
    elif state == "waving":
        waver.wave(3)
        state = "turning"
    elif state == "turning":
        drivetrain.turn(180)
        state = "done"
    print(state)
board.set_rgb_led(0, 255, 0)
print(waver.angles)
