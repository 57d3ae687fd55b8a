/* tuning.h - the tuning variables of a runtime, in one table.
 *
 * A tuning variable is a number that the user may change while the runtime
 * streams (spn_tuning_set). Each has a name that ends with its unit, a default
 * and a range. It is set by name and decimal text, so that the console of an
 * engine can offer it; the runtime reads it by index. Owner: the caller's
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_TUNING_H
#define SPN_BASE_TUNING_H

#include <spindle/status.h>
#include <stdint.h>

/* The table. X(name, default, minimum, maximum, description for the user) */
#define SPN_TUNING_MAP(X)                                                      \
    X(buffer_ahead_min_ms, 2000, 100, 60000,                                   \
      "a read is started when less than this is requested ahead")              \
    X(buffer_ahead_max_ms, 5000, 200, 120000,                                  \
      "a read that is started at the minimum reaches this far ahead")          \
    X(decode_ahead_ms, 500, 20, 10000,                                         \
      "frames are decoded this long before they are shown")                    \
    X(request_kib, 1024, 16, 8192, "preferred size of one read")               \
    X(reads_pending_ms, 50, 0, 10000,                                          \
      "device time of reads under way; 2 reads are always allowed")            \
    X(drive_permille_max, 900, 1, 1000000,                                     \
      "largest sum of the drive shares of streams, in thousandths")            \
    X(interpolate, 1, 0, 1, "1: interpolate between frames; 0: do not")        \
    X(leave_out, 1, 0, 1,                                                      \
      "1: leave out frames if time or memory is short; 0: be late instead")    \
    X(update_reads_max, 16, 1, 256, "most reads that one update starts")       \
    X(update_steps_max, 4096, 1, 65536,                                        \
      "most I/O and job steps of one update without threads")

/* Index of each variable: TUNING_buffer_ahead_min_ms and so on. */
enum tuning_index {
#define SPN_TUNING_ENUM(name, value, low, high, text) TUNING_##name,
    SPN_TUNING_MAP(SPN_TUNING_ENUM)
#undef SPN_TUNING_ENUM
        TUNING_COUNT
};

/* Current values. */
struct tuning {
    uint32_t value[TUNING_COUNT];
};

/* Set all variables to their defaults. */
void spn__tuning_init(struct tuning *tuning);
/* Set one variable. Returns SPN_OK; SPN_ERR_NOT_FOUND if no variable has the
 * name; SPN_ERR_ARG if `text` is not a decimal number in the variable's range.
 * An error changes nothing. */
spn_status spn__tuning_set(struct tuning *tuning, const char *name,
                           const char *text);
/* Describe one variable. Returns 1; 0 if index >= TUNING_COUNT. Any thread.
 *
 * name, text  static strings: the name and the description
 * value       the default
 * low, high   the range, both included */
int spn__tuning_describe(uint32_t index, const char **name, const char **text,
                         uint32_t *value, uint32_t *low, uint32_t *high);

#endif
