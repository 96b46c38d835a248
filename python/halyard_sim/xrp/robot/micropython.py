"""What programs use of MicroPython's `micropython`."""


def const(value):
    return value


def native(function):
    return function


viper = native


def alloc_emergency_exception_buf(size):
    pass


def schedule(function, argument):
    function(argument)


def mem_info(verbose=None):
    pass


def opt_level(level=None):
    return 0
