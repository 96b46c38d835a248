#include "input.h"

bool hy_terminal_read_keys(hy_key_parser *parser, int64_t now_us, hy_key_taker *take, void *context)
{
    uint8_t bytes[256];
    hy_key_event events[HY_KEY_EVENTS_MAX];
    const int count = hy_terminal_read(bytes, sizeof bytes);
    for (int i = 0; i < count; i++) {
        const unsigned complete = hy_key_parse(parser, bytes[i], now_us, events);
        for (unsigned n = 0; n < complete; n++) {
            take(context, &events[n], now_us);
        }
    }
    if (count == 0 && hy_key_parse_pause(parser, now_us, events)) {
        take(context, &events[0], now_us);
    }
    return count >= 0;
}
