import halyard_clock as _clock
import halyard_robot as _robot
import time
from machine import Timer


class Board:
    """The button and the lights of the board."""

    _default = None

    @classmethod
    def get_default_board(cls):
        if cls._default is None:
            cls._default = cls()
        return cls._default

    def __init__(self, *pins):
        self.is_led_blinking = False
        self._is_lit = False
        self._timer = Timer(-1)

    def are_motors_powered(self):
        """Whether the switch is on: the battery gives more than the USB socket's way to the motors."""
        _clock.spend(_clock.LIBRARY_US + 2)
        return _robot.battery_v() > 3

    def get_battery_voltage(self):
        """Volts."""
        _clock.spend(_clock.LIBRARY_US + 2)
        return _robot.battery_v()

    def is_button_pressed(self):
        _clock.spend(_clock.LIBRARY_US)
        return _robot.button()

    def wait_for_button(self):
        """Waits until the button is pressed, and then until it is let go."""
        while not self.is_button_pressed():
            time.sleep_ms(10)
        while self.is_button_pressed():
            time.sleep_ms(10)

    def _light(self, is_on):
        _clock.spend(_clock.LIBRARY_US)
        self._is_lit = is_on
        _robot.led(is_on)

    def _end_blinking(self):
        self._timer.deinit()
        self.is_led_blinking = False

    def led_on(self):
        self._end_blinking()
        self._light(True)

    def led_off(self):
        self._end_blinking()
        self._light(False)

    def led_blink(self, frequency=0):
        """So many times a second; 0 ends it."""
        self._end_blinking()
        if frequency <= 0:
            self._light(False)
            return
        self.is_led_blinking = True
        self._timer.init(period=int(500 / frequency), callback=lambda _: self._light(not self._is_lit))

    def set_rgb_led(self, r, g, b):
        """0 to 255 each. The virtual robot's light is lit or not."""
        _clock.spend(_clock.PIXEL_US)
        self._is_lit = r > 0 or g > 0 or b > 0
        _robot.led(self._is_lit)
