# Without XRPLib: pins, a timer and the converter of MicroPython's own modules.
from machine import ADC, PWM, Pin, Timer
import time

left_back, left = PWM(Pin.board.MOTOR_L_IN_2), PWM(Pin.board.MOTOR_L_IN_1)
right_back, right = PWM(Pin.board.MOTOR_R_IN_1), PWM(Pin.board.MOTOR_R_IN_2)
line = ADC(Pin.board.LINE_L)
led = Pin("LED", Pin.OUT)
blinks = 0


def blink(timer):
    global blinks
    blinks += 1
    led.toggle()


timer = Timer(-1)
timer.init(freq=10, mode=Timer.PERIODIC, callback=blink)
left.freq(50)
right.freq(50)
left.duty_u16(26000)
right.duty_u16(26000)
while line.read_u16() < 32768:
    pass
left.duty_u16(0)
right.duty_u16(0)
timer.deinit()
print("blinks:", blinks, "after ms:", time.ticks_ms())
