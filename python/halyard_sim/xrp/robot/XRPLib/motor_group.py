class MotorGroup:
    """Several motors that get the same."""

    def __init__(self, *motors):
        self.motors = list(motors)

    def add_motor(self, motor):
        self.motors.append(motor)

    def remove_motor(self, motor):
        self.motors.remove(motor)

    def set_effort(self, effort):
        for motor in self.motors:
            motor.set_effort(effort)

    def set_speed(self, speed_rpm=None):
        for motor in self.motors:
            motor.set_speed(speed_rpm)

    def _mean(self, values):
        return sum(values) / len(values)

    def get_position(self):
        return self._mean([motor.get_position() for motor in self.motors])

    def get_position_counts(self):
        return round(self._mean([motor.get_position_counts() for motor in self.motors]))

    def get_speed(self):
        return self._mean([motor.get_speed() for motor in self.motors])

    def reset_encoder_position(self):
        for motor in self.motors:
            motor.reset_encoder_position()
