/* medium.h - the description of a medium, and the order in which the reads that
 * wait for it are served.
 *
 * The sort key (SPN_ORDER_SORT_KEY), for media of which nothing is known. Reads
 * are sorted by priority; then by the time of their start, in intervals of two
 * seconds; then by ascending position. A higher priority always goes first, so
 * a read of low priority may wait for ever.
 *
 * The deadline scheduler (SPN_ORDER_DEADLINE), for a drive with a profile. It
 * serves the nearest read, unless that makes other reads late. Reads that lie
 * close together are served in one pass that also reads the gaps between them,
 * into memory of the scheduler. It considers a read's class
 * (spn_task_set_class), deadline and position on the disc. Urgent reads go
 * before all others and idle reads after them; the other priorities decide only
 * between reads that are equal otherwise. A read without a deadline gets one,
 * counted from its start:
 *
 *   sound 0.4 s   clip 2.5 s   stream and bulk 6 s   idle: none
 *
 * No read starves under the deadline scheduler. A *dispatch* is one positioning
 * of the head and the transfer that follows, of at most 3 MiB and one piece
 * (spn_config.piece_bytes). Let n be the number of dispatches that all waiting
 * reads need: one for each 3 MiB of a read, rounded up. After its ageing limit
 * (30 s for the class bulk and for idle priority, 20 s otherwise) a read of at
 * most 3 MiB waits for at most 4 n more dispatches, an idle read for 16 n. Not
 * counted: urgent reads, dispatches of idle reads between others, and the time
 * while a read is paused or waits for memory (see below).
 *
 * Any number of reads may wait. If there are more than 256, a decision
 * considers 256 of them: those nearest to the head, those with the earliest
 * deadlines that can still be met, and those next to their ageing limit. The
 * cost of a decision therefore does not grow with the number of reads.
 *
 * If the waiting reads take longer than the time to the last deadline, the
 * shortest reads go first, so that most deadlines are met. Reads that are late
 * already go after reads that are not, until they reach their ageing limit.
 *
 * Reads that wait for memory of spn_config.read_budget_bytes get it in the
 * order of their deadlines. A read without a deadline is ordered as if it were
 * due some time after its start, by priority: 4 s above normal, 8 s normal, 16
 * s below normal, 32 s idle.
 *
 * A drive may be open, hold another disc, or not answer. spn_medium_stats.state
 * and the listener report it, so that the game can ask for the disc. Reads wait
 * and go on when the drive is available again. A game that wants its reads to
 * fail instead sets timeout_us. If the device does not finish a piece within
 * that time, it is asked to cancel it; all reads that wait for the medium end
 * with SPN_ERR_TIMEOUT, and so do new ones, until the device answers. Reads at
 * the device itself end when it returns them, with SPN_ERR_TIMEOUT if it
 * delivered nothing, because it may write into their memory until then. On a
 * platform that reads inside its read_submit function (posix does), the state
 * is reported too, but no read can end before that function returns.
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
    SPN_ORDER_AUTOMATIC = 0, /* the deadline scheduler with a drive profile,
                              * otherwise the sort key */
    SPN_ORDER_SORT_KEY = 1,
    SPN_ORDER_DEADLINE = 2 /* needs a drive profile */
} spn_order;

typedef enum spn_medium_state {
    SPN_MEDIUM_READY = 0,
    SPN_MEDIUM_SILENT = 1,    /* no answer for silent_us */
    SPN_MEDIUM_TIMED_OUT = 2, /* no answer for timeout_us: reads fail */
    SPN_MEDIUM_NO_DISC = 3,   /* the tray is open or empty. This and the next
                               * state: only if the platform can detect them */
    SPN_MEDIUM_OTHER_DISC = 4 /* a wrong or an unreadable disc */
} spn_medium_state;

/* All fields 0: a medium of which nothing is known. */
typedef struct spn_medium_config {
    const spn_drive_profile *drive; /* must pass spn_drive_profile_check; copied
                                     * by spn_init. The copy is corrected by
                                     * the measured times of reads, see
                                     * spn_medium_stats. NULL: not known; must
                                     * be NULL for SPN_MEDIUM_MEMORY */
    spn_order order;
    uint32_t silent_us;  /* a piece of a read that takes longer than this makes
                          * the medium SPN_MEDIUM_SILENT. 0: 3 s */
    uint32_t timeout_us; /* and longer than this SPN_MEDIUM_TIMED_OUT. 0: it
                          * never times out */
} spn_medium_config;

#ifdef __cplusplus
}
#endif
#endif
