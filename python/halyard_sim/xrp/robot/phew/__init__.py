"""Stands for the web server that the robot's firmware has, so that libraries that import it load; it serves nothing."""

from . import server, template


def access_point(*arguments, **named):
    import network

    out = network.WLAN(network.AP_IF)
    out.active(True)
    return out


def connect_to_wifi(*arguments, **named):
    return None


class _Silent:
    def __getattr__(self, name):
        return lambda *arguments, **named: None


logging = _Silent()
dns = _Silent()
