/* player_options.h - the options that `play` and `view` share: what is played,
 * on which machine.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_CLI_PLAYER_OPTIONS_H
#define OFFLINE_CLI_PLAYER_OPTIONS_H

#include "common/verb_options.h"
#include "player/play.h"

/* Values of numbers that are not given: below the range of each. */
#define PLAYER_NOT_GIVEN (-1.0)

/* Rows of a table. `at` is the offset of the field of play_options. */
#define OPTION_STREAMS(at)                                                     \
    OPTION_WHOLE("streams", 'n', at, "N", 1, 4096,                             \
                 "number of streams, distributed over the files (default: "    \
                 "one per file)")
#define OPTION_CHARACTERS(at)                                                  \
    OPTION_WHOLE("characters", 'c', at, "N", 1, 4096,                          \
                 "number of clips of an image that play at the same time; "    \
                 "each is followed by the next (default 1)")
#define OPTION_HEAP(at)                                                        \
    OPTION_WHOLE("heap", 0, at, "MIB", 1, 4095,                                \
                 "size of the runtime's heap (default 64)")
#define OPTION_WORKERS(at)                                                     \
    OPTION_WHOLE("workers", 0, at, "N", 0, 64,                                 \
                 "number of decoding threads; 0: none (default 2; not with "   \
                 "--virtual)")
#define OPTION_VIRTUAL(at)                                                     \
    OPTION_FLAG("virtual", 0, at,                                              \
                "run on a virtual clock, without threads; the result is "      \
                "repeatable")
#define OPTION_DRIVE(at)                                                       \
    OPTION_TEXT("drive", 0, at, "NAME|FILE",                                   \
                "read from this emulated drive (see spindle drives)")
#define OPTION_FAULTS(at)                                                      \
    OPTION_TEXTS("fault", at, "FAULT",                                         \
                 "inject a fault into the drive, or into the disc of "         \
                 "--virtual: " FAULT_SPEC_HELP)
#define OPTION_DISC_LAYOUT(at)                                                 \
    OPTION_TEXT("disc-layout", 0, at, "FILE",                                  \
                "file with the positions of files on the disc (default: "      \
                "one after the other)")
#define OPTION_PAK(at)                                                         \
    OPTION_TEXT("pak", 0, at, "X.spk",                                         \
                "a pak in which files are looked up first")

#define OPTION_TUNE(at)                                                        \
    OPTION_TEXTS("tune", at, "NAME=VALUE",                                     \
                 "set a tuning variable of the runtime, under its name or "    \
                 "that of CryENGINE's console variable; may be repeated")

/* Defaults of these options. */
#define PLAYER_DEFAULTS                                                        \
    {                                                                          \
        .rate = 60, .heap_mib = 64, .worker_count = UINT32_MAX,                \
        .disc_rate = PLAYER_NOT_GIVEN, .seek_ms = PLAYER_NOT_GIVEN             \
    }

/* The options that are repeated. */
struct player_texts {
    struct option_texts faults;
    struct option_texts tunings;
};

/* Set files (caches first), faults and tuning variables; `room` has
 * OPTION_TEXTS_MAX elements and must exist as long as the options, as `texts`
 * must. Then check that the options fit together, and set those that are not
 * given. Returns false after options_refuse. */
bool player_options_finish(const struct verb_call *call,
                           const struct player_texts *texts,
                           struct fault_spec *room, struct play_options *o);

#endif
