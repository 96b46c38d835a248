# Any polygon, by a function; then the same way back.
from XRPLib.differential_drive import DifferentialDrive
from XRPLib.board import Board

drivetrain = DifferentialDrive.get_default_differential_drive()
board = Board.get_default_board()


def polygon(sides, side_cm, direction=1):
    for _ in range(sides):
        if not drivetrain.straight(side_cm, max_effort=0.5, timeout=5):
            print("stuck")
            return
        drivetrain.turn(direction * 360 / sides, timeout=5)


board.led_on()
polygon(3, 25)
polygon(3, 25, direction=-1)
board.led_off()
