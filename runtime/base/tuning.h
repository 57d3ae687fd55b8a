/* tuning.h - the knobs of a running runtime, in one table.
 *
 * Each has a name, a unit in that name, a default and a range. Setting is by
 * name and decimal text, as a console of an engine would; reading is by
 * index, as the runtime does. Owner: the caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TUNING_H
#define SPN_BASE_TUNING_H

#include <spindle/status.h>
#include <stdint.h>

/* X(name, default, minimum, maximum, text) */
#define SPN_TUNING_MAP(X)                                                      \
    X(buffer_ahead_min_ms, 2000, 100, 60000,                                   \
      "a read is started when less than this is buffered")                     \
    X(buffer_ahead_max_ms, 5000, 200, 120000,                                  \
      "a read at the least reaches so far ahead")                              \
    X(decode_ahead_ms, 500, 20, 10000, "frames are decoded this early")        \
    X(request_kib, 1024, 16, 8192, "preferred size of one read")               \
    X(reads_pending_ms, 50, 0, 10000,                                          \
      "reads on their way; 2 in any case, 1 a stream for a sweep")             \
    X(drive_permille_max, 900, 1, 1000000,                                     \
      "streams may keep a known drive so busy; later ones are too many")       \
    X(interpolate, 1, 0, 1, "fill between two frames")                         \
    X(update_reads_max, 16, 1, 256, "reads started by one update")             \
    X(update_steps_max, 4096, 1, 65536,                                        \
      "io and job steps that one update runs without threads")

enum tuning_index {
#define SPN_TUNING_ENUM(name, value, low, high, text) TUNING_##name,
    SPN_TUNING_MAP(SPN_TUNING_ENUM)
#undef SPN_TUNING_ENUM
        TUNING_COUNT
};

struct tuning {
    uint32_t value[TUNING_COUNT];
};

void spn__tuning_init(struct tuning *tuning);
/* SPN_ERR_NOT_FOUND for a name, SPN_ERR_ARG for a text that is no number or
 * out of range; nothing changes then. */
spn_status spn__tuning_set(struct tuning *tuning, const char *name,
                           const char *text);
/* Name, text and range of one entry, for listings; false past the end. */
int spn__tuning_describe(uint32_t index, const char **name, const char **text,
                         uint32_t *value, uint32_t *low, uint32_t *high);

#endif
