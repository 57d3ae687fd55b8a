/* drive_constants.h - constants of the built-in drives, each with its source.
 *
 * An X-macro file without an include guard. The file that includes it defines
 * DRIVE(name, about, constants...), and for each constant FACT or ASSUMED(field
 * of spn_drive_profile, source, value).
 *
 * FACT: stated by its source, or computed from it as the text says. "Second
 * hand" are figures of the Xbox 360 that others quote from its XDK, which we
 * have not seen. ASSUMED: no source; the text has the reason. We have measured
 * none of these values.
 */
/* SPDX-License-Identifier: MIT */

#define METRE 1000000000u /* in nanometres */
#define MILLIMETRE 1000000u
#define LAYER_BD 25025314816u

#define DOLPHIN "Dolphin, DVDMath.cpp"
#define DOLPHIN_RATE "Dolphin, DVDMath.cpp: about what real ones did, "
#define DOLPHIN_SEEK                                                           \
    "Dolphin, DVDMath.cpp: measured; the step down at 1 mm is theirs"
#define DOLPHIN_BLOCK                                                          \
    "Dolphin, DVDInterface.cpp: its seek times contain reading the first "     \
    "block"
#define XDK "second hand: the 360 XDK as CryENGINE's streaming page quotes it"
#define XDK_SEEK                                                               \
    "second hand: fit to the XDK's 110 ms for 1/3, 180 for all, half a turn "  \
    "in it"
#define PCSX2 "PCSX2, CDVD.cpp"
#define PCECD "pce-devel/PCECD_seek: measured on hardware"
#define HITACHI "Hitachi, data sheet of the Travelstar 5K320"
#define DVD_RADII "ECMA-267 (DVD), the data area"
#define DVD_PITCH "ECMA-267 (DVD), track pitch"
#define DVD_ECC "ECMA-267 (DVD): 16 sectors of 2 KiB"
#define CD_RADII "ECMA-130 (CD), the program area"
#define CD_PITCH "ECMA-130 (CD), track pitch"
#define CD_ECC "ECMA-130 (CD): a sector corrects itself"
#define BD_DISC "Blu-ray Disc Association, white paper of the physical format"
#define ONE_LAYER "one layer"
#define LIKE_WII "as the Wii's drive"
#define GUESS_SPIN "between 1.5 and 5 s, as drives of its kind"
#define GUESS "no source; a usual one of its kind"

#define SEEK_ALONE                                                             \
    ASSUMED(seek_blocks, "seeks are stated without any transfer", 0)
#define BAD_BLOCKS                                                             \
    ASSUMED(retry_turns, "no source", 4),                                      \
        ASSUMED(slow_percent, "no source; one step of speed", 50),             \
        ASSUMED(slow_us, "no source", 10000000)

DRIVE("wii_dvd6x", "Nintendo Wii, DVD 6x", FACT(motion, DOLPHIN, SPN_DRIVE_CAV),
      FACT(distance, DOLPHIN, SPN_DRIVE_BY_RADIUS), FACT(layers, DOLPHIN, 2),
      FACT(layer_bytes, DOLPHIN, 4699979776),
      FACT(radius_in_um, DOLPHIN, 24000), FACT(radius_out_um, DOLPHIN, 58000),
      FACT(pitch_nm, DVD_PITCH, 740),
      FACT(rate_in, DOLPHIN_RATE "3.48 MiB/s", 3649044),
      FACT(rate_out, DOLPHIN_RATE "8.41 MiB/s", 8818524),
      FACT(turns_mhz, DOLPHIN ": follows from the rates", 57000),
      FACT(seek.unit, DOLPHIN_SEEK, METRE),
      FACT(seek.near_limit, DOLPHIN_SEEK, MILLIMETRE),
      FACT(seek.near_piece, DOLPHIN_SEEK, {35000, 50000000, 0}),
      FACT(seek.far_piece, DOLPHIN_SEEK, {75000, 4500000, 0}),
      FACT(seek_blocks, DOLPHIN_BLOCK, 1),
      ASSUMED(layer_us, "that of the 360", 75000),
      FACT(command_us, "Dolphin, pull request 8935: measured on hardware", 600),
      FACT(ecc_bytes, DVD_ECC, 32768),
      FACT(buffer_bytes, "Dolphin, DVDInterface.cpp", 1048576),
      FACT(interface_rate, "Dolphin, DVDInterface.cpp: 32 MiB/s", 33554432),
      ASSUMED(spin_up_us, GUESS_SPIN, 1500000), BAD_BLOCKS)

/* Half of the memory of its chip is the sound's while that streams. */
#define GAMECUBE(buffer)                                                       \
    FACT(motion, DOLPHIN, SPN_DRIVE_CAV),                                      \
        FACT(distance, DOLPHIN, SPN_DRIVE_BY_RADIUS),                          \
        FACT(layers, DOLPHIN, 1), FACT(layer_bytes, DOLPHIN, 1459978240),      \
        FACT(radius_in_um, DOLPHIN, 24000),                                    \
        FACT(radius_out_um, DOLPHIN, 38000),                                   \
        FACT(pitch_nm, "ECMA-268 (DVD of 80 mm), track pitch", 740),           \
        FACT(rate_in, DOLPHIN_RATE "2.1 MiB/s", 2202010),                      \
        FACT(rate_out, DOLPHIN_RATE "3.325 MiB/s", 3486515),                   \
        FACT(turns_mhz, DOLPHIN ": follows from the rates", 28500),            \
        FACT(seek.unit, DOLPHIN_SEEK, METRE),                                  \
        FACT(seek.near_limit, DOLPHIN_SEEK, MILLIMETRE),                       \
        FACT(seek.near_piece, DOLPHIN_SEEK, {35000, 50000000, 0}),             \
        FACT(seek.far_piece, DOLPHIN_SEEK, {75000, 4500000, 0}),               \
        FACT(seek_blocks, DOLPHIN_BLOCK, 1), FACT(layer_us, ONE_LAYER, 0),     \
        FACT(command_us, "Dolphin, pull request 8935: measured on hardware",   \
             600),                                                             \
        FACT(ecc_bytes, "ECMA-268 (DVD of 80 mm): 16 sectors of 2 KiB",        \
             32768),                                                           \
        FACT(buffer_bytes,                                                     \
             "Swiss, wiidatabase: 480 of 512 KiB; 160 while audio streams",    \
             buffer),                                                          \
        FACT(interface_rate, "Swiss, wiidatabase: 13.5 MB/s", 13500000),       \
        ASSUMED(spin_up_us, GUESS_SPIN, 1500000), BAD_BLOCKS

DRIVE("gc_dvd3x", "Nintendo GameCube, mini DVD 3x", GAMECUBE(480 * 1024))
DRIVE("gc_dvd3x_audio", "Nintendo GameCube, while it streams sound",
      GAMECUBE(160 * 1024))

DRIVE("x360_dvd12x", "Xbox 360, DVD 12x",
      FACT(motion, XDK ": two rates", SPN_DRIVE_CAV),
      ASSUMED(distance, LIKE_WII, SPN_DRIVE_BY_RADIUS),
      FACT(layers, "CEDEC 2005: a DVD of two layers", 2),
      ASSUMED(layer_bytes, "the game area; CEDEC 2005 has 7 GB for both layers",
              3572000000),
      FACT(radius_in_um, DVD_RADII, 24000),
      FACT(radius_out_um, DVD_RADII, 58000), FACT(pitch_nm, DVD_PITCH, 740),
      FACT(rate_in, XDK, 6800000),
      FACT(rate_out, XDK ", and CEDEC 2005", 15000000),
      FACT(turns_mhz,
           "12 x 570 a minute: 12 times ECMA-267's 3.49 m/s, at the outer edge",
           114000),
      FACT(seek.unit, XDK_SEEK, METRE),
      ASSUMED(seek.near_limit, LIKE_WII, MILLIMETRE),
      ASSUMED(seek.near_piece, "the Wii's base, up to what is beyond",
              {35000, 36000000, 0}),
      FACT(seek.far_piece, XDK_SEEK, {70600, 3090000, 0}), SEEK_ALONE,
      FACT(layer_us, XDK ", and CEDEC 2005", 75000),
      ASSUMED(command_us, LIKE_WII, 600), FACT(ecc_bytes, DVD_ECC, 32768),
      ASSUMED(buffer_bytes, LIKE_WII, 1048576),
      ASSUMED(interface_rate, "about the Wii's", 33000000),
      ASSUMED(spin_up_us, GUESS_SPIN, 2000000), BAD_BLOCKS)

DRIVE("ps3_bd2x", "PlayStation 3, Blu-ray 2x",
      ASSUMED(motion, "only one rate is ever stated", SPN_DRIVE_CLV),
      ASSUMED(distance, LIKE_WII, SPN_DRIVE_BY_RADIUS),
      FACT(layers, BD_DISC, 2), FACT(layer_bytes, BD_DISC, LAYER_BD),
      FACT(radius_in_um, BD_DISC, 24000), FACT(radius_out_um, BD_DISC, 58000),
      FACT(pitch_nm, BD_DISC, 320), FACT(rate_in, "2 x 36 Mbit/s", 9000000),
      FACT(rate_out, "2 x 36 Mbit/s", 9000000),
      FACT(turns_mhz, "2 x 4.917 m/s, a BD-ROM's speed, at the inner radius",
           65200),
      ASSUMED(seek.unit, GUESS, METRE),
      ASSUMED(seek.near_limit, LIKE_WII, MILLIMETRE),
      ASSUMED(seek.near_piece, GUESS, {60000, 40000000, 0}),
      ASSUMED(seek.far_piece, GUESS, {100000, 5000000, 0}), SEEK_ALONE,
      ASSUMED(layer_us, GUESS, 100000), ASSUMED(command_us, LIKE_WII, 600),
      FACT(ecc_bytes, BD_DISC ": clusters of 64 KiB", 65536),
      ASSUMED(buffer_bytes, LIKE_WII, 1048576),
      ASSUMED(interface_rate, GUESS, 30000000),
      ASSUMED(spin_up_us, GUESS_SPIN, 3000000), BAD_BLOCKS)

DRIVE("ps4_bd6x", "PlayStation 4, Blu-ray 6x",
      ASSUMED(motion, "as fast drives are", SPN_DRIVE_CAV),
      ASSUMED(distance, LIKE_WII, SPN_DRIVE_BY_RADIUS),
      FACT(layers, BD_DISC, 2), FACT(layer_bytes, BD_DISC, LAYER_BD),
      FACT(radius_in_um, BD_DISC, 24000), FACT(radius_out_um, BD_DISC, 58000),
      FACT(pitch_nm, BD_DISC, 320),
      ASSUMED(rate_in, "24/58 of the outer one, if it turns evenly", 11200000),
      FACT(rate_out, "6 x 36 Mbit/s", 27000000),
      ASSUMED(turns_mhz, "6 x 4.917 m/s, a BD-ROM's speed, at the outer radius",
              81000),
      ASSUMED(seek.unit, GUESS, METRE),
      ASSUMED(seek.near_limit, LIKE_WII, MILLIMETRE),
      ASSUMED(seek.near_piece, GUESS, {60000, 40000000, 0}),
      ASSUMED(seek.far_piece, GUESS, {90000, 4000000, 0}), SEEK_ALONE,
      ASSUMED(layer_us, GUESS, 100000), ASSUMED(command_us, LIKE_WII, 600),
      FACT(ecc_bytes, BD_DISC ": clusters of 64 KiB", 65536),
      ASSUMED(buffer_bytes, GUESS, 2097152),
      ASSUMED(interface_rate, GUESS, 100000000),
      ASSUMED(spin_up_us, GUESS_SPIN, 3000000), BAD_BLOCKS)

/* Sectors in a layer of a disc; sectors that a short seek passes. */
#define PS2_SEEK PCSX2 ": 30 ms up to so many sectors, further 100"
#define PS2(sectors, text, near_sectors)                                       \
    FACT(distance, PCSX2, SPN_DRIVE_BY_BYTES),                                 \
        FACT(layer_bytes, PCSX2 text, sectors##ull * 2048),                    \
        FACT(seek.unit, PS2_SEEK, 1),                                          \
        FACT(seek.near_limit, PS2_SEEK, near_sectors##ull * 2048 + 1),         \
        FACT(seek.near_piece, PS2_SEEK, {30000, 0, 0}),                        \
        FACT(seek.far_piece, PS2_SEEK, {100000, 0, 0}),                        \
        FACT(seek_blocks, PCSX2 ": the sectors come after the seek", 0),       \
        FACT(turns_mhz, PCSX2 ": its seek times contain the wait", 0),         \
        FACT(command_us, PCSX2 ": its seek times contain it", 0),              \
        FACT(ecc_bytes, PCSX2 ": reads by sectors", 2048),                     \
        ASSUMED(interface_rate, GUESS, 20000000),                              \
        FACT(spin_up_us, PCSX2 ": for a new disc", 3000000), BAD_BLOCKS
#define PS2_DVD                                                                \
    FACT(motion, PCSX2, SPN_DRIVE_CAV), FACT(radius_in_um, DVD_RADII, 24000),  \
        FACT(radius_out_um, DVD_RADII, 58000), FACT(pitch_nm, DVD_PITCH, 740), \
        FACT(rate_in, PCSX2 ": 40 % of the outer one", 2211840),               \
        FACT(rate_out, PCSX2 ": 4 x 1.3824 MB/s", 5529600),                    \
        FACT(buffer_bytes, PCSX2 ": 16 sectors are read on", 16 * 2048)

DRIVE("ps2_dvd4x", "PlayStation 2, DVD 4x", PS2_DVD,
      FACT(layers, PCSX2 ": a disc of one", 1), FACT(layer_us, ONE_LAYER, 0),
      PS2(2298496, ": 2298496 sectors", 14764))

DRIVE("ps2_dvd4x_dual", "PlayStation 2, DVD 4x of two layers", PS2_DVD,
      FACT(layers, PCSX2 ": a disc of two", 2),
      ASSUMED(layer_us, "that of the 360", 75000),
      PS2(2086912, ": 4173824 sectors, half of them in each", 13360))

DRIVE("ps2_cd24x", "PlayStation 2, CD 24x",
      ASSUMED(motion, "24x is the rate at the edge", SPN_DRIVE_CAV),
      FACT(layers, "ECMA-130 (CD)", 1), FACT(radius_in_um, CD_RADII, 25000),
      FACT(radius_out_um, CD_RADII, 58000), FACT(pitch_nm, CD_PITCH, 1600),
      FACT(rate_in, PCSX2 ": 40 % of the outer one", 1474560),
      FACT(rate_out, "24 x 75 sectors of 2048 bytes", 3686400),
      FACT(layer_us, ONE_LAYER, 0),
      FACT(buffer_bytes, PCSX2 ": 8 sectors are read on", 8 * 2048),
      PS2(360000, ": 360000 sectors", 4371))

DRIVE("ps1_cd2x", "PlayStation, CD 2x",
      FACT(motion, "ECMA-130 (CD): one scanning velocity", SPN_DRIVE_CLV),
      ASSUMED(distance, LIKE_WII, SPN_DRIVE_BY_RADIUS),
      FACT(layers, "ECMA-130 (CD)", 1),
      FACT(layer_bytes, "ECMA-130 (CD): 74 minutes of 75 sectors a second",
           333000ull * 2048),
      FACT(radius_in_um, CD_RADII, 25000), FACT(radius_out_um, CD_RADII, 58000),
      FACT(pitch_nm, CD_PITCH, 1600),
      FACT(rate_in, "2 x 75 sectors of 2048 bytes", 307200),
      FACT(rate_out, "2 x 75 sectors of 2048 bytes", 307200),
      FACT(turns_mhz,
           "2 x 1.3 m/s, in the middle of ECMA-130's, at the inner radius",
           16600),
      ASSUMED(seek.unit, GUESS, METRE),
      ASSUMED(seek.near_limit, GUESS, MILLIMETRE / 2),
      ASSUMED(seek.near_piece, GUESS, {40000, 0, 0}),
      ASSUMED(seek.far_piece, GUESS, {120000, 20000000, 0}), SEEK_ALONE,
      FACT(layer_us, ONE_LAYER, 0), ASSUMED(command_us, GUESS, 2000),
      FACT(ecc_bytes, CD_ECC, 2048),
      FACT(buffer_bytes, "psx-spx: 32 KiB beside the controller", 32768),
      ASSUMED(interface_rate, GUESS, 1000000),
      ASSUMED(spin_up_us, GUESS_SPIN, 2000000), BAD_BLOCKS)

DRIVE("pce_cd1x", "PC Engine, CD 1x", FACT(motion, PCECD, SPN_DRIVE_ZONES),
      FACT(distance, PCECD, SPN_DRIVE_BY_BYTES),
      FACT(layers, "ECMA-130 (CD)", 1),
      FACT(layer_bytes, PCECD, DRIVE_ZONES_BYTES),
      FACT(radius_in_um, CD_RADII, 25000), FACT(radius_out_um, CD_RADII, 58000),
      FACT(pitch_nm, CD_PITCH, 1600),
      FACT(rate_in, "75 sectors of 2048 bytes", 153600),
      FACT(rate_out, "75 sectors of 2048 bytes", 153600),
      FACT(turns_mhz, PCECD ": 133.47 ms a turn in the first zone", 7492),
      FACT(seek.unit, PCECD ", by its zones", 1),
      FACT(seek.near_limit, PCECD ", by its zones", 0),
      FACT(seek.near_piece, PCECD ", by its zones", {0, 0, 0}),
      FACT(seek.far_piece, PCECD ", by its zones", {0, 0, 0}), SEEK_ALONE,
      FACT(layer_us, ONE_LAYER, 0),
      ASSUMED(command_us, "part of the seeks that were measured", 0),
      FACT(ecc_bytes, CD_ECC, 2048), ASSUMED(buffer_bytes, "none is known", 0),
      ASSUMED(interface_rate, GUESS, 1000000),
      ASSUMED(spin_up_us, GUESS_SPIN, 2000000), BAD_BLOCKS)

DRIVE("hdd_5400", "hard disk, 5400 turns a minute",
      ASSUMED(motion, "as hard disks turn", SPN_DRIVE_CAV),
      ASSUMED(distance, "as arms move", SPN_DRIVE_BY_RADIUS),
      ASSUMED(layers, "all platters as one", 1),
      FACT(layer_bytes, HITACHI, 320000000000),
      ASSUMED(radius_in_um, "a disc of 2.5 inches", 15000),
      ASSUMED(radius_out_um, "a disc of 2.5 inches", 31500),
      ASSUMED(pitch_nm, GUESS, 100), ASSUMED(rate_in, GUESS, 50000000),
      ASSUMED(rate_out, GUESS, 100000000),
      FACT(turns_mhz, HITACHI ": 11.1 ms a turn", 90000),
      FACT(seek.unit, HITACHI ": 1.0, 12 and 20 ms", METRE),
      ASSUMED(seek.near_limit, "one track", 100),
      FACT(seek.near_piece, HITACHI ": 1.0, 12 and 20 ms", {1000, 0, 0}),
      FACT(seek.far_piece, HITACHI ": 12 ms for 1/3 and 20 for all, as a root",
           {1000, 0, 148000}),
      SEEK_ALONE, ASSUMED(layer_us, "all platters as one", 0),
      ASSUMED(command_us, GUESS, 200),
      ASSUMED(ecc_bytes, "sectors of 4 KiB", 4096),
      ASSUMED(buffer_bytes, "what a drive reads on of its 8 MiB", 2097152),
      ASSUMED(interface_rate, "SATA of 3 Gbit/s, with what it costs",
              250000000),
      ASSUMED(spin_up_us, GUESS_SPIN, 5000000), BAD_BLOCKS)
