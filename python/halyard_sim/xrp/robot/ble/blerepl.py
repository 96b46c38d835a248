class _Uart:
    def __getattr__(self, name):
        return lambda *arguments, **named: None


uart = _Uart()
