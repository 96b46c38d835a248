// The keyboard: what `halyard drive` does with the keys that the runner of programs does not use itself.
#include <string.h>

#include "drive.h"
#include "drive_view.h"

#define LIMIT_STEP 0.1
#define TURN_SHARE 0.6 // turning on the spot at full speed is over half a turn a second
#define SERVO_STEP 0.05f

static void change_limit(drive *self, double step)
{
    self->limit = hy_clamp(self->limit + step, LIMIT_STEP, self->max_effort, LIMIT_STEP);
}

static void move_servo(drive *self, float step)
{
    const unsigned servo = self->servo_chosen;
    float *const position = &self->servo[servo];
    *position = (float)hy_clamp((double)(*position + step), 0.0, 1.0, 0.0);
    if (servo < self->type->dialect->servos) {
        self->out.servos |= (uint8_t)(1u << servo);
        self->out.servo[servo] = *position;
    }
}

static void press(drive *self, uint32_t key)
{
    switch (key) {
    case 'l': self->out.led = !self->out.led; break;
    case '+':
    case '=': change_limit(self, LIMIT_STEP); break;
    case '-': change_limit(self, -LIMIT_STEP); break;
    case ',': move_servo(self, -SERVO_STEP); break;
    case '.': move_servo(self, SERVO_STEP); break;
    default:
        if (key >= '1' && key < '1' + DRIVE_SERVOS) {
            self->servo_chosen = key - '1';
        }
        break;
    }
}

void drive_take_key(void *context, const hy_key_event *event, int64_t now_us)
{
    drive *const self = context;
    const bool is_down = event->what == HY_KEY_PRESS || event->what == HY_KEY_REPEAT;
    if (!hy_key_stick_feed(&self->stick, event, now_us) && is_down &&
        (event->what == HY_KEY_PRESS || event->key == ',' || event->key == '.')) {
        press(self, event->key);
    }
}

void drive_by_keys(drive *self, int64_t now_us)
{
    const hy_stick stick = hy_key_stick_read(&self->stick, now_us);
    drive_arcade(self, stick.speed * self->limit, stick.turn * self->limit * TURN_SHARE);
}

size_t drive_draw(void *context, hy_room room)
{
    drive *const self = context;
    unsigned columns, rows;
    size_t size;
    hy_terminal_size(&columns, &rows);
    screen_begin(&self->screen, columns, rows);
    drive_view_draw(self, &self->screen);
    const char *const bytes = screen_end(&self->screen, &size);
    if (size > room.size) {
        screen_forget(&self->screen);
        return 0;
    }
    memcpy(room.data, bytes, size);
    return size;
}
