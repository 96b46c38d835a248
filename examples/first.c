// A first program: a figure eight of two squares, one step after the other.
//
//     build/examples/first --sim xrp-arena --view
#include <halyard/simple.h>

HY_SIMPLE_MAIN(figure_eight)
{
    for (int corner = 0; corner < 8; corner++) {
        drive_straight_cm(20, 0.6);
        turn_deg(corner < 4 ? 90 : -90);
    }
}
