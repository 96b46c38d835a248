"""The coloured light of the board, for programs that drive it themselves. It is lit or not: the world has no colours."""

import halyard_clock as _clock
import halyard_robot as _robot


class NeoPixel:
    def __init__(self, pin, n, bpp=3, timing=1):
        self.pin, self.n, self.bpp = pin, n, bpp
        self._colors = [(0,) * bpp for _ in range(n)]

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        return self._colors[index]

    def __setitem__(self, index, color):
        self._colors[index] = tuple(color)

    def fill(self, color):
        for i in range(self.n):
            self._colors[i] = tuple(color)

    def write(self):
        _clock.spend(_clock.PIXEL_US)
        _robot.led(any(any(color) for color in self._colors))
