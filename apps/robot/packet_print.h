/// @file packet_print.h
/// One packet as text for people, or as one line of JSON for programs.
///
/// JSON, keys always in this order:
///   {"seq":1,"control":1,"blocks":[...],"error":null}
/// with one object a block:
///   {"at":3,"kind":"motor","id":0,"value":0.5}        also servo, analog (volts), dio (the byte, a number)
///   {"at":3,"kind":"encoder","id":0,"count":514,"period_num":33381,"period_den":8312500}  the period only if sent
///   {"at":67,"kind":"gyro","rate_dps":[x,y,z],"angle_deg":[x,y,z]}
///   {"at":93,"kind":"accel","accel_g":[x,y,z]}
///   {"at":9,"kind":"unknown","tag":25,"size":6}       also a known tag with too little behind it; `size` is the size byte
/// `at` is the offset of the block's size byte. "error" is {"at":OFFSET,"what":"..."} when the packet ends inside
/// a block; the blocks before it stand. A packet without a header has null for seq and control. Numbers
/// read back to the same 32-bit float; NaN and infinities, which JSON lacks, are null.
#ifndef HALYARD_APPS_PACKET_PRINT_H
#define HALYARD_APPS_PACKET_PRINT_H

#include <halyard/wire.h>

#include <stdio.h>

/// Writes one line of JSON with its end.
void packet_print_json(FILE *out, const hy_dialect *dialect, hy_bytes packet);

/// Writes a headline that begins with `title`, and one aligned line a block.
void packet_print_text(FILE *out, const hy_dialect *dialect, hy_bytes packet, const char *title);

#endif
