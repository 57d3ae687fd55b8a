/* drive_table.c - the built-in profiles, each number with its source.
 *
 * [F] a fact, with where it stands; [A] an assumption. [2] second hand: the
 * figures of the "360 XDK" as the public CryENGINE and Lumberyard streaming
 * pages quote them. Radii of DVD and BD data areas, 24 to 58 mm, and pitches,
 * 0.74 and 0.32 um, are those of the media's standards [F]. What a bad block
 * costs is assumed for all.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/drive_profile.h>

#include "io/drive_zones.h"

#include <stddef.h>

#define METRE 1000000000u /* in nanometres */
#define MILLIMETRE 1000000u
#define LAYER_DVD 4699979776u
#define LAYER_BD 25025314816u

/* [A] */
#define BAD_BLOCKS .retry_turns = 4, .slow_percent = 50, .slow_us = 10000000

static const spn_drive_profile profiles[] = {
    /* [F] Dolphin: DVDMath.cpp, DVDInterface.cpp, but for the layer change and
     * the spin-up [A]. The seek's step down at 1 mm is theirs. */
    {.name = "wii_dvd6x",
     .about = "Nintendo Wii, DVD 6x",
     .motion = SPN_DRIVE_CAV,
     .distance = SPN_DRIVE_BY_RADIUS,
     .layers = 2,
     .layer_bytes = LAYER_DVD,
     .radius_in_um = 24000,
     .radius_out_um = 58000,
     .pitch_nm = 740,
     .rate_in = 3649044,  /* 3.48 MiB/s */
     .rate_out = 8818524, /* 8.41 MiB/s */
     .turns_mhz = 57000,
     .seek = {.unit = METRE,
              .near_limit = MILLIMETRE,
              .near_piece = {35000, 50000000, 0},
              .far_piece = {75000, 4500000, 0}},
     .layer_us = 75000,
     .command_us = 600, /* [F] Dolphin PR 8935 */
     .ecc_bytes = 32768,
     .buffer_bytes = 1048576,
     .interface_rate = 33554432,
     .spin_up_us = 1500000,
     BAD_BLOCKS},
    /* [F] Dolphin, Swiss, wiidatabase; the spin-up [A]. */
    {.name = "gc_dvd3x",
     .about = "Nintendo GameCube, mini DVD 3x",
     .motion = SPN_DRIVE_CAV,
     .distance = SPN_DRIVE_BY_RADIUS,
     .layers = 1,
     .layer_bytes = 1459978240,
     .radius_in_um = 24000,
     .radius_out_um = 38000,
     .pitch_nm = 740,
     .rate_in = 2202010,  /* 2.1 MiB/s */
     .rate_out = 3486515, /* 3.325 MiB/s */
     .turns_mhz = 28500,
     .seek = {.unit = METRE,
              .near_limit = MILLIMETRE,
              .near_piece = {35000, 50000000, 0},
              .far_piece = {75000, 4500000, 0}},
     .layer_us = 0,
     .command_us = 600,
     .ecc_bytes = 32768,
     .buffer_bytes = 491520, /* of 512 KiB; 160 KiB while audio streams */
     .interface_rate = 13500000,
     .spin_up_us = 1500000,
     BAD_BLOCKS},
    /* [2] rates, 1/3 stroke 110 ms, full stroke 180 ms with half a turn, layer
     * change; 114 turns are 12 x 570 a minute. [A] capacity (the game area),
     * short seeks (the Wii's), buffer, spin-up. */
    {.name = "x360_dvd12x",
     .about = "Xbox 360, DVD 12x",
     .motion = SPN_DRIVE_CAV,
     .distance = SPN_DRIVE_BY_RADIUS,
     .layers = 2,
     .layer_bytes = 3572000000,
     .radius_in_um = 24000,
     .radius_out_um = 58000,
     .pitch_nm = 740,
     .rate_in = 6800000,
     .rate_out = 15000000,
     .turns_mhz = 114000,
     .seek = {.unit = METRE,
              .near_limit = MILLIMETRE,
              .near_piece = {35000, 36000000, 0},
              .far_piece = {70600, 3090000, 0}},
     .layer_us = 75000,
     .command_us = 600,
     .ecc_bytes = 32768,
     .buffer_bytes = 1048576,
     .interface_rate = 33000000,
     .spin_up_us = 2000000,
     BAD_BLOCKS},
    /* [F] rate: 2 x 36 Mbit/s. [A] all else. */
    {.name = "ps3_bd2x",
     .about = "PlayStation 3, Blu-ray 2x",
     .motion = SPN_DRIVE_CLV,
     .distance = SPN_DRIVE_BY_RADIUS,
     .layers = 2,
     .layer_bytes = LAYER_BD,
     .radius_in_um = 24000,
     .radius_out_um = 58000,
     .pitch_nm = 320,
     .rate_in = 9000000,
     .rate_out = 9000000,
     .turns_mhz = 65200,
     .seek = {.unit = METRE,
              .near_limit = MILLIMETRE,
              .near_piece = {60000, 40000000, 0},
              .far_piece = {100000, 5000000, 0}},
     .layer_us = 100000,
     .command_us = 600,
     .ecc_bytes = 65536,
     .buffer_bytes = 1048576,
     .interface_rate = 30000000,
     .spin_up_us = 3000000,
     BAD_BLOCKS},
    /* [F] rate: 6 x. [A] all else. */
    {.name = "ps4_bd6x",
     .about = "PlayStation 4, Blu-ray 6x",
     .motion = SPN_DRIVE_CAV,
     .distance = SPN_DRIVE_BY_RADIUS,
     .layers = 2,
     .layer_bytes = LAYER_BD,
     .radius_in_um = 24000,
     .radius_out_um = 58000,
     .pitch_nm = 320,
     .rate_in = 11200000,
     .rate_out = 27000000,
     .turns_mhz = 81000,
     .seek = {.unit = METRE,
              .near_limit = MILLIMETRE,
              .near_piece = {60000, 40000000, 0},
              .far_piece = {90000, 4000000, 0}},
     .layer_us = 100000,
     .command_us = 600,
     .ecc_bytes = 65536,
     .buffer_bytes = 2097152,
     .interface_rate = 100000000,
     .spin_up_us = 3000000,
     BAD_BLOCKS},
    /* [F] PCSX2's CDVD: rate from 40 % of 4 x 1.3824 MB/s, up to 14764 sectors
     * 30 ms, further 100 ms, 16 sectors read on; 3 s for a new disc.
     * 38 turns are 4 x 570 a minute. [A] command, interface. */
    {.name = "ps2_dvd4x",
     .about = "PlayStation 2, DVD 4x",
     .motion = SPN_DRIVE_CAV,
     .distance = SPN_DRIVE_BY_BYTES,
     .layers = 1,
     .layer_bytes = 2298496ull * 2048,
     .radius_in_um = 24000,
     .radius_out_um = 58000,
     .pitch_nm = 740,
     .rate_in = 2211840,
     .rate_out = 5529600,
     .turns_mhz = 38000,
     .seek = {.unit = 1,
              .near_limit = 14764ull * 2048 + 1,
              .near_piece = {30000, 0, 0},
              .far_piece = {100000, 0, 0}},
     .layer_us = 0,
     .command_us = 1000,
     .ecc_bytes = 32768,
     .buffer_bytes = 16 * 2048,
     .interface_rate = 20000000,
     .spin_up_us = 3000000,
     BAD_BLOCKS},
    /* [F] rate, 2 x 75 sectors of 2048 bytes; radii and pitch of a CD. [A] all
     * else. */
    {.name = "ps1_cd2x",
     .about = "PlayStation, CD 2x",
     .motion = SPN_DRIVE_CLV,
     .distance = SPN_DRIVE_BY_RADIUS,
     .layers = 1,
     .layer_bytes = 333000ull * 2048,
     .radius_in_um = 25000,
     .radius_out_um = 58000,
     .pitch_nm = 1600,
     .rate_in = 307200,
     .rate_out = 307200,
     .turns_mhz = 16600,
     .seek = {.unit = METRE,
              .near_limit = MILLIMETRE / 2,
              .near_piece = {40000, 0, 0},
              .far_piece = {120000, 20000000, 0}},
     .layer_us = 0,
     .command_us = 2000,
     .ecc_bytes = 2048,
     .buffer_bytes = 32768,
     .interface_rate = 1000000,
     .spin_up_us = 2000000,
     BAD_BLOCKS},
    /* [F] pce-devel/PCECD_seek, measured: drive_zones.c; the rate, 75 sectors
     * of 2048 bytes. [A] command, interface, spin-up; no buffer is known. */
    {.name = "pce_cd1x",
     .about = "PC Engine, CD 1x",
     .motion = SPN_DRIVE_ZONES,
     .distance = SPN_DRIVE_BY_BYTES,
     .layers = 1,
     .layer_bytes = DRIVE_ZONES_BYTES,
     .radius_in_um = 25000,
     .radius_out_um = 58000,
     .pitch_nm = 1600,
     .rate_in = 153600,
     .rate_out = 153600,
     .turns_mhz = 7492,
     .seek = {.unit = 1},
     .layer_us = 0,
     .command_us = 0,
     .ecc_bytes = 2048,
     .buffer_bytes = 0,
     .interface_rate = 1000000,
     .spin_up_us = 2000000,
     BAD_BLOCKS},
    /* [F] Hitachi 5K320's data sheet: 1.0, 12 and 20 ms, 11.1 ms a turn. [A]
     * rates, radii, pitch, interface. */
    {.name = "hdd_5400",
     .about = "hard disk, 5400 turns a minute",
     .motion = SPN_DRIVE_CAV,
     .distance = SPN_DRIVE_BY_RADIUS,
     .layers = 1,
     .layer_bytes = 320000000000,
     .radius_in_um = 15000,
     .radius_out_um = 31500,
     .pitch_nm = 100,
     .rate_in = 50000000,
     .rate_out = 100000000,
     .turns_mhz = 90000,
     .seek = {.unit = METRE,
              .near_limit = 100,
              .near_piece = {1000, 0, 0},
              .far_piece = {1000, 0, 148000}},
     .layer_us = 0,
     .command_us = 200,
     .ecc_bytes = 4096,
     .buffer_bytes = 2097152,
     .interface_rate = 250000000,
     .spin_up_us = 5000000,
     BAD_BLOCKS},
};

const spn_drive_profile *spn_drive_profile_at(uint32_t index)
{
    return index < sizeof profiles / sizeof profiles[0] ? &profiles[index]
                                                        : NULL;
}
