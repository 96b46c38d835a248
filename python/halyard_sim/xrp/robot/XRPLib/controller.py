class Controller:
    """What straight() and turn() take as a controller: a class with these three methods."""

    def update(self, input) -> float:
        """The output for this error."""
        raise NotImplementedError("a controller needs update()")

    def is_done(self) -> bool:
        """Whether the error has been small for long enough."""
        raise NotImplementedError("a controller needs is_done()")

    def clear_history(self):
        """Forgets all errors so far."""
        raise NotImplementedError("a controller needs clear_history()")
