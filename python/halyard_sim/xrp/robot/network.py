"""A network that is never reached: programs that open an access point go on."""

STA_IF = 0
AP_IF = 1
STAT_IDLE = 0
STAT_GOT_IP = 3
AUTH_OPEN = 0
AUTH_WPA2_PSK = 4


def hostname(name=None):
    return "xrp"


def country(code=None):
    return "XX"


class WLAN:
    IF_STA = STA_IF
    IF_AP = AP_IF
    PM_NONE = 0

    def __init__(self, interface=STA_IF):
        self._is_access_point = interface == AP_IF
        self._active = False
        self._config = {"mac": b"\x28\xcd\xc1\x00\x00\x01", "ssid": "XRP", "channel": 1}

    def active(self, is_active=None):
        if is_active is None:
            return self._active
        self._active = bool(is_active)
        return self._active

    def connect(self, *arguments, **named):
        pass

    def disconnect(self):
        pass

    def isconnected(self):
        return self._is_access_point and self._active

    def status(self, what=None):
        return STAT_GOT_IP if self.isconnected() else STAT_IDLE

    def ifconfig(self, addresses=None):
        return ("192.168.4.1", "255.255.255.0", "192.168.4.1", "8.8.8.8")

    def config(self, *names, **values):
        self._config.update(values)
        return self._config.get(names[0]) if names else None

    def scan(self):
        return []
