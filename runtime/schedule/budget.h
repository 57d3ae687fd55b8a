/* budget.h - a limit for the memory of pending reads.
 *
 * The io thread takes bytes before a read gets its memory. The thread that
 * completes the read returns them. If the limit does not allow a read, it must
 * wait, and the next return reports that a read waits. One atomic word holds
 * both the use and that mark, so a return between a refusal and the mark is
 * never missed. Bytes are counted in units of BUDGET_UNIT_BYTES, rounded up.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_BUDGET_H
#define SPN_SCHEDULE_BUDGET_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stdint.h>

#define BUDGET_UNIT_BYTES 4096u

struct budget {
    /* atomic */
    struct atomic_u32 limit; /* units */
    struct atomic_u32 word;  /* units in use; the top bit: a read was refused */
    struct atomic_u32 peak;  /* most units in use */
};

void spn__budget_init(struct budget *budget, uint64_t limit_bytes);

/* Change the limit. What was taken stays taken. If the limit is higher now,
 * reads that were refused must try again. Any thread. */
void spn__budget_set_limit(struct budget *budget, uint64_t limit_bytes);

/* Take `bytes` > 0. It succeeds if they fit, if nothing is in use, or if
 * `is_forced`. Then *units is the amount to return. Thread: io. */
bool spn__budget_take(struct budget *budget, uint64_t bytes, bool is_forced,
                      uint32_t *units);
/* Return what a take gave. True: a read was refused since the last
 * spn__budget_forget_refusal, and the io thread must try again. Any thread. */
bool spn__budget_give(struct budget *budget, uint32_t units);
/* Clear the mark, before reads that were refused are tried again. Thread: io.
 */
void spn__budget_forget_refusal(struct budget *budget);

/* In use now, and at most. Any thread. */
uint64_t spn__budget_bytes(const struct budget *budget);
uint64_t spn__budget_bytes_peak(const struct budget *budget);
/* Set the peak to the current use. A take at the same moment can be missing in
 * it. Any thread. */
void spn__budget_reset_peak(struct budget *budget);

/* Whether exactly `units` are in use. For tests, while no thread takes or
 * returns any. */
bool spn__budget_check(const struct budget *budget, uint64_t units);

#endif
