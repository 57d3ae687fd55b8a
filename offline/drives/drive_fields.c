/* drive_fields.c - the table of fields, in the order in which they are printed.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_fields.h"

#define FIELD(key, kind, member, words)                                        \
    {                                                                          \
        key, DRIVE_FIELD_##kind, offsetof(spn_drive_profile, member),          \
            sizeof(((spn_drive_profile *)0)->member), words                    \
    }

const struct drive_field drive_fields[DRIVE_FIELD_COUNT] = {
    FIELD("name", TEXT, name, NULL),
    FIELD("about", TEXT, about, NULL),
    FIELD("motion", WORD, motion, "cav clv zones"),
    FIELD("distance", WORD, distance, "radius bytes"),
    FIELD("layers", U32, layers, NULL),
    FIELD("layer_bytes", U64, layer_bytes, NULL),
    FIELD("radius_in_um", U32, radius_in_um, NULL),
    FIELD("radius_out_um", U32, radius_out_um, NULL),
    FIELD("pitch_nm", U32, pitch_nm, NULL),
    FIELD("rate_in", U32, rate_in, NULL),
    FIELD("rate_out", U32, rate_out, NULL),
    FIELD("turns_mhz", U32, turns_mhz, NULL),
    FIELD("seek_unit", U64, seek.unit, NULL),
    FIELD("seek_near_limit", U64, seek.near_limit, NULL),
    FIELD("seek_near", PIECE, seek.near_piece, NULL),
    FIELD("seek_far", PIECE, seek.far_piece, NULL),
    FIELD("seek_blocks", U32, seek_blocks, NULL),
    FIELD("layer_us", U32, layer_us, NULL),
    FIELD("command_us", U32, command_us, NULL),
    FIELD("ecc_bytes", U32, ecc_bytes, NULL),
    FIELD("buffer_bytes", U32, buffer_bytes, NULL),
    FIELD("interface_rate", U32, interface_rate, NULL),
    FIELD("spin_up_us", U32, spin_up_us, NULL),
    FIELD("retry_turns", U32, retry_turns, NULL),
    FIELD("slow_percent", U32, slow_percent, NULL),
    FIELD("slow_us", U32, slow_us, NULL),
};
