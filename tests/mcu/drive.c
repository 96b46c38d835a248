// A robot program as somebody would write it for the microcontroller itself: wheels, encoders, a
// PID controller on their difference, a differential drive, and packets on both sides. It is linked
// to see how large it becomes, and not run.
#include <halyard/bot.h>
#include <halyard/wire.h>

#define PERIOD_US 20000

// What a radio would fill and send; volatile, or the compiler would see that nobody does.
static volatile uint8_t received[HY_WIRE_STATUS_MAX], sent[HY_WIRE_COMMAND_MAX];
static volatile size_t received_size;

static hy_motor motors[2];
static hy_encoder encoders[2];
static hy_pid straight;
static hy_differential_drive drive;
static hy_commander commander;

static void read_encoders(int64_t now_us)
{
    uint8_t bytes[HY_WIRE_STATUS_MAX];
    hy_wire_status status;
    const size_t size = received_size <= sizeof bytes ? received_size : 0;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = received[i];
    }
    hy_xrp_status_decode((hy_bytes){ bytes, size }, &status);
    for (size_t i = 0; i < 2; i++) {
        const hy_encoder_reading reading = { status.encoder[i].count, status.encoder[i].period_num,
                                             status.encoder[i].period_den,
                                             status.encoder[i].has_period };
        hy_encoder_update(&encoders[i], &reading, now_us);
    }
}

static void send_efforts(int64_t now_us)
{
    hy_wire_datagram out[2];
    for (size_t i = 0; i < 2; i++) {
        commander.command.motor[i] = (float)hy_motor_output(&motors[i], now_us);
    }
    hy_commander_write(&commander, now_us, out);
    for (size_t i = 0; i < out[0].size; i++) {
        sent[i] = out[0].data[i];
    }
}

int main(void)
{
    for (size_t i = 0; i < 2; i++) {
        hy_motor_init(&motors[i], i == 1);
        hy_encoder_init(&encoders[i], HY_XRP_M_PER_COUNT);
    }
    hy_pid_init(&straight, (hy_pid_gains){ 4.0, 1.0, 0.1 }, 1e-6 * PERIOD_US);
    hy_differential_drive_init(&drive, &motors[0], &motors[1]);
    hy_commander_init(&commander, &hy_dialect_xrp);
    hy_commander_enable(&commander);
    for (int64_t now_us = 0;; now_us += PERIOD_US) {
        read_encoders(now_us);
        const double turn =
            hy_pid_calculate_to(&straight, encoders[1].distance - encoders[0].distance, 0.0);
        hy_differential_drive_arcade(&drive, 0.5, turn, true, now_us);
        send_efforts(now_us);
    }
}
