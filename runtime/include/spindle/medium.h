/* medium.h - the description of a medium, and the order in which the reads that
 * wait for it are served.
 *
 * Each medium (hard disk, optical disc) has a queue of reads, serves one read
 * at a time, and has one of two orders.
 *
 * The sort key (SPN_ORDER_SORT_KEY) needs no knowledge of the drive. Reads are
 * sorted by priority; then by the time of their start, in intervals of two
 * seconds; then by position on the medium, ascending from where the head is,
 * and those behind it last. The position is the offset in the file plus
 * spn_platform_file_info.disc_offset; a file of which that is unknown is
 * assumed to lie behind the files opened before. A higher priority always goes
 * first, so a read of low priority may wait for ever.
 *
 * The deadline scheduler (SPN_ORDER_DEADLINE) needs a drive profile. It serves
 * the nearest read, unless that makes other reads late. Reads that lie close
 * together are served in one pass that also reads the gaps between them, into
 * memory of the scheduler. Urgent reads go before all others and idle reads
 * after them; the other priorities decide only between reads that are equal
 * otherwise. A read without a deadline (spn_read_desc.deadline_us) gets one: so
 * long after its start, by its class (spn_task_set_class):
 *
 *   sound 0.4 s   clip 2.5 s   stream and bulk 6 s   idle priority: none
 *
 * Starvation. Urgent reads always go first and can delay all others without
 * limit. Apart from that, no read starves under the deadline scheduler. A
 * *dispatch* is one positioning of the head and the transfer that follows. It
 * goes on with further pieces (spn_config.piece_bytes) of a long read until it
 * has transferred 3 MiB, so it ends at most one piece later. Let n be the
 * number of dispatches that all waiting reads need: for each read its bytes
 * divided by 3 MiB, rounded up. A read reaches its *ageing limit* 30 s after
 * its start if it has the class bulk or idle priority, otherwise after 20 s. A
 * read of at most 3 MiB that has reached its ageing limit waits for at most 4 n
 * more dispatches, an idle read for 16 n. This does not count dispatches of
 * urgent reads, dispatches of idle reads between others, and the time while the
 * read is paused or waits for memory.
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
 * Before a read enters the queue of its medium it may have to wait for memory:
 * if it gets its memory from a storage callback or from the heap, and
 * spn_config.read_budget_bytes is used up. Memory is given in the order of
 * deadlines. For this purpose the deadline of a read is no later than a time
 * after its start, by its priority:
 *
 *   above normal 4 s   normal 8 s   below normal 16 s   idle 32 s
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
    SPN_ORDER_SORT_KEY = 1,  /* priority, then age, then position */
    SPN_ORDER_DEADLINE = 2   /* needs a drive profile */
} spn_order;

typedef enum spn_medium_state {
    SPN_MEDIUM_READY = 0,
    SPN_MEDIUM_SILENT = 1,    /* no answer for silent_us */
    SPN_MEDIUM_TIMED_OUT = 2, /* no answer for timeout_us: reads fail */
    /* Only if the platform can detect them (spn_platform.medium_disc): */
    SPN_MEDIUM_NO_DISC = 3,   /* the tray is open or empty */
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
    uint32_t silent_us;  /* the medium is SPN_MEDIUM_SILENT if the device takes
                          * longer than this for a piece. 0: 3 s */
    uint32_t timeout_us; /* the medium is SPN_MEDIUM_TIMED_OUT if the device
                          * takes longer than this for a piece. 0: never */
} spn_medium_config;

#ifdef __cplusplus
}
#endif
#endif
