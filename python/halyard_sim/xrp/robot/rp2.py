"""The state machines that count the wheels. Only get() means something: it returns the count of the encoder at its pins."""

import halyard_clock as _clock
import halyard_robot as _robot

import machine as _machine


class PIO:
    IN_LOW, IN_HIGH, OUT_LOW, OUT_HIGH = 0, 1, 2, 3
    SHIFT_LEFT, SHIFT_RIGHT = 0, 1
    JOIN_NONE, JOIN_TX, JOIN_RX = 0, 1, 2
    IRQ_SM0, IRQ_SM1, IRQ_SM2, IRQ_SM3 = 256, 512, 1024, 2048

    def __init__(self, index):
        self.index = index

    def remove_program(self, program=None):
        pass

    def add_program(self, program):
        pass


class PIOASMError(Exception):
    pass


def asm_pio(**settings):
    """The program of a state machine is not run: its text need not be understood."""

    def keep(function):
        return function

    return keep


def asm_pio_encode(text, *arguments, **named):
    return 0


def country(code=None):
    return "XX"


class StateMachine:
    def __init__(self, id, program=None, freq=-1, **pins):
        self._index = id
        self._offset = 0
        self._encoder = None
        self.init(program, freq, **pins)

    def init(self, program=None, freq=-1, **pins):
        for name in ("in_base", "jmp_pin", "set_base", "out_base", "sideset_base"):
            encoder = _machine.encoder_of(pins.get(name))
            if encoder is not None:
                self._encoder = encoder
        if self._encoder is None and self._index < _robot.MOTORS:
            self._encoder = self._index

    def active(self, is_active=None):
        return 1

    def restart(self):
        self._offset = self._raw()

    def exec(self, instruction):
        text = str(instruction)
        if "x" in text and ("set" in text or "mov" in text or "null" in text):  # "set(x, 0)": the count begins anew
            self._offset = self._raw()

    def _raw(self):
        return 0 if self._encoder is None else _robot.counts(self._encoder) * _machine.ENCODER_SIGN[self._encoder]

    def get(self, buffer=None, shift=0):
        _clock.spend(_clock.CALL_US)
        return (self._raw() - self._offset) & 0xFFFFFFFF

    def put(self, value, shift=0):
        _clock.spend(_clock.CALL_US)

    def rx_fifo(self):
        return 4

    def tx_fifo(self):
        return 0

    def irq(self, handler=None, trigger=0, hard=False):
        pass
