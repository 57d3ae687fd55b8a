/* budget.h - how much memory reads on their way may tie up.
 *
 * The io thread takes, whoever completes a read gives back. One word holds
 * what is in use and whether somebody was refused, so that memory which comes
 * back between a refusal and its note is never overlooked.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_SCHEDULE_BUDGET_H
#define SPN_SCHEDULE_BUDGET_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stdint.h>

/* All is counted in units of this. */
#define BUDGET_UNIT_BYTES 4096u

struct budget {
    uint32_t limit; /* units */
    struct atomic_u32 word;
    struct atomic_u32 peak; /* units */
};

void spn__budget_init(struct budget *budget, uint64_t limit_bytes);

/* Take `bytes` > 0 if they fit, if nothing is in use, or if `is_forced`. On
 * true, *units must be given back. io thread. */
bool spn__budget_take(struct budget *budget, uint64_t bytes, bool is_forced,
                      uint32_t *units);
/* True: somebody was refused since spn__budget_forget_refusal, and must be
 * told. Any thread. */
bool spn__budget_give(struct budget *budget, uint32_t units);
/* io thread, before it tries again for those who were refused. */
void spn__budget_forget_refusal(struct budget *budget);

uint64_t spn__budget_bytes(const struct budget *budget);
uint64_t spn__budget_bytes_peak(const struct budget *budget);
/* The peak is what is in use now; one that is just being taken may be
 * missing. Any thread. */
void spn__budget_reset_peak(struct budget *budget);

#endif
