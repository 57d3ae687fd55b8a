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
 * behind them, and the rest decides among equals. A read
 * without a deadline gets one, so long after its start:
 *
 *   sound 0.4 s   clip 2.5 s   stream and bulk 6 s   idle: none
 *
 * Nothing starves under the sweep, whatever the load: no read of at most 3 MiB
 * waits longer than its class's patience (bulk and idle 30 s, others 20 s) and
 * 4 n turns, idle ones 16 n, where n are the turns that all waiting reads need
 * together: one each, and of a longer one as many as it has 3 MiB. Urgent
 * reads, turns of idle ones among others, paused types and reads that wait for
 * memory (below) are aside. A turn is the way to one place and what is read
 * there, 3 MiB and a piece (spn_config.piece_bytes) at most.
 *
 * Any number of reads may wait. Of more than 256 a choice weighs 256: the
 * neighbours of the head, the first deadlines that can still be kept, and those
 * whose patience ends first. So a choice costs about the same however many
 * wait.
 *
 * Where more waits than the drive can read until the last deadline, it serves
 * first what takes least time, so that most deadlines are kept; what is late
 * already waits for what is not, within its patience.
 *
 * Reads that wait for memory of spn_config.read_budget_bytes get it in the
 * order in which they are due: by their deadlines, or 4, 8, 16 and 32 s after
 * their start by priority, above normal to idle. So one waits no longer than
 * that and until those that were due before it have ended.
 *
 * A drive may be open, hold another disc, or not answer. The game sees that in
 * spn_medium_stats.state, once a frame if it likes, and from the listener; and
 * may ask for the disc. Reads wait meanwhile, and go on when the drive does. A
 * game that wants its reads back sets timeout_us: when the device has kept a
 * piece for so long it is asked to give it up, every read that waits for the
 * medium ends with SPN_ERR_TIMEOUT, and so do new ones until the device
 * answers. The reads at the device itself end when it gives them back, with
 * SPN_ERR_TIMEOUT if it brings nothing: their memory is the device's until
 * then. Where a platform reads inside its read_submit (posix does) the state is
 * seen all the same, but nothing can end before that returns.
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

typedef enum spn_medium_state {
    SPN_MEDIUM_READY = 0,
    SPN_MEDIUM_SILENT = 1,    /* it has not answered for silent_us */
    SPN_MEDIUM_TIMED_OUT = 2, /* nor for timeout_us: reads fail */
    SPN_MEDIUM_NO_DISC = 3,   /* the tray is open, or empty: this and the next
                               * where the platform can tell */
    SPN_MEDIUM_OTHER_DISC = 4 /* not the right one, or nobody can read it */
} spn_medium_state;

/* Zero means default: nothing is known. */
typedef struct spn_medium_config {
    const spn_drive_profile *drive; /* passes spn_drive_profile_check; copied
                                     * by spn_init. NULL: not known, and the
                                     * only choice for SPN_MEDIUM_MEMORY. How
                                     * reads really go mends it as they do:
                                     * see spn_medium_stats */
    spn_order order;
    uint32_t silent_us;  /* one piece of a read takes so long: the device is
                          * silent. 0: default, 3 s */
    uint32_t timeout_us; /* it has timed out, see above. 0: never */
} spn_medium_config;

#ifdef __cplusplus
}
#endif
#endif
