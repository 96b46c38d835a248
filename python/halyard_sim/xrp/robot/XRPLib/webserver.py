class Webserver:
    """Not simulated: a program that uses it is told so."""

    _default = None

    @classmethod
    def get_default_webserver(cls):
        if cls._default is None:
            cls._default = cls()
        return cls._default

    def __getattr__(self, name):
        raise NotImplementedError("the virtual robot has no webserver: webserver." + name + " is not simulated")
