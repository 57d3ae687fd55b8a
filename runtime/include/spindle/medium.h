/* medium.h - what the runtime is told of a medium, and in which order it
 * serves the reads that wait for one.
 *
 * The sort key, for media of which nothing is known: priority, then groups of
 * two seconds, then upward on the medium. A priority goes before all lower
 * ones, always, so a low one may wait for ever.
 *
 * The deadline-aware sweep, for a drive that is described: it goes to what is
 * nearest, but not where that makes others late, and reads what lies close
 * together in one go, through the gaps, into a scratch of its own. It takes a
 * read's class (spn_task_set_class), its deadline and its place on the disc
 * into account. Of the priorities urgent reads go before all others, idle ones
 * count as bulk without a deadline, and the rest decides among equals. A read
 * without a deadline gets one, so long after its start:
 *
 *   sound 0.4 s   clip 2.5 s   stream and bulk 6 s   idle: none
 *
 * Nothing starves under the sweep, whatever the load: where at most n reads
 * wait, no read of at most 3 MiB waits longer than its class's patience (bulk
 * and idle 30 s, others 20 s) and 2 n turns, urgent reads and paused types
 * aside. A turn is the way to one place and what is read there, 3 MiB and a
 * piece (spn_config.piece_bytes) at most. A longer read waits so again after
 * each 3 MiB. Of more than 256 reads only those are weighed that are due first,
 * by their deadlines or the ends of their patience: so these come round, too.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_MEDIUM_H
#define SPINDLE_MEDIUM_H

#include <spindle/drive_profile.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spn_order {
    SPN_ORDER_AUTOMATIC = 0, /* the sweep where there is a drive profile, the
                              * sort key elsewhere */
    SPN_ORDER_SORT_KEY = 1,
    SPN_ORDER_SWEEP = 2 /* with a profile only */
} spn_order;

/* Zero means default: nothing is known. */
typedef struct spn_medium_config {
    const spn_drive_profile *drive; /* passes spn_drive_profile_check; copied
                                     * by spn_init. NULL: not known, and the
                                     * only choice for SPN_MEDIUM_MEMORY. How
                                     * reads really go mends it as they do:
                                     * see spn_medium_stats */
    spn_order order;
} spn_medium_config;

#ifdef __cplusplus
}
#endif
#endif
