// LINK: base
// Frames of a capture: a datagram that is found lies inside its frame. The first byte chooses the link type.
#include "../apps/tools/capture.c"

#include <assert.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int types[] = { LINK_NULL, LINK_ETHERNET,  LINK_RAW,  LINK_LOOP,
                                 LINK_IPV4, LINK_LINUX_SLL, LINK_IPV6, LINK_LINUX_SLL2 };
    if (size == 0) {
        return 0;
    }
    const hy_bytes frame = { data + 1, size - 1 };
    capture_datagram datagram;
    if (capture_read(types[data[0] % 8], frame, &datagram) == CAPTURE_DATAGRAM) {
        assert(datagram.payload.data >= frame.data);
        assert(datagram.payload.data + datagram.payload.size <= frame.data + frame.size);
    }
    return 0;
}
