"""Structs over a byte each, as drivers describe the bits of a register. MicroPython has a whole `uctypes` of its own."""

UINT8 = 0
BFUINT8 = 0x20000000
BF_POS = 17
BF_LEN = 22
LITTLE_ENDIAN = 0
BIG_ENDIAN = 1
NATIVE = 2


def addressof(buffer):
    return buffer


class struct:
    def __init__(self, buffer, layout, kind=NATIVE):
        self.__dict__["_buffer"] = buffer
        self.__dict__["_layout"] = layout

    def _place(self, name):
        if name not in self._layout:
            raise AttributeError(name)
        field = self._layout[name]
        if not field & BFUINT8:
            return field & 0x1FFFF, 0, 255
        return field & 0x1FFFF, field >> BF_POS & 31, (1 << (field >> BF_LEN & 31)) - 1

    def __getattr__(self, name):
        at, shift, mask = self._place(name)
        return self._buffer[at] >> shift & mask

    def __setattr__(self, name, value):
        at, shift, mask = self._place(name)
        self._buffer[at] = self._buffer[at] & ~(mask << shift) & 255 | (value & mask) << shift
