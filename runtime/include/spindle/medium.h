/* medium.h - the description of a medium, and the order in which the reads that
 * wait for it are served.
 *
 * A *medium* is a hard disk, an optical disc, or memory (spn_medium). A hard
 * disk or an optical disc has a queue of reads, and its drive serves one read
 * at a time. The queue has one of two orders: the sort key, or the deadline
 * scheduler. A *drive profile* (drive_profile.h) is the data that describes the
 * speed of a drive. The *start* of a read is the call of spn_read_start.
 *
 * After its start a read waits in the queue until the order chooses it. If it
 * was started without a buffer, it gets its memory then (see Memory below).
 * Then its bytes are read from the device.
 *
 * Sort key (SPN_ORDER_SORT_KEY)
 *
 *   It needs no drive profile. Reads are sorted
 *
 *   1. by priority (spn_priority);
 *   2. at equal priority, by the time of their start, in intervals of 2 s
 *      (tuning variable time_group_ms);
 *   3. within an interval, by position on the medium: first the reads ahead of
 *      the head, then those behind it, both in ascending order.
 *
 *   The position of a read is its offset in the file plus
 *   spn_platform_file_info.disc_offset. A file whose disc_offset is unknown is
 *   assumed to lie behind all files that were opened before it. A higher
 *   priority always goes first, so a read of low priority may wait for ever.
 *
 * Deadline scheduler (SPN_ORDER_DEADLINE)
 *
 *   It needs a drive profile. It serves the nearest read, unless that makes
 *   other reads miss their deadlines. Reads that lie close together are served
 *   in one pass over the disc. The pass also reads the gaps between them; these
 *   bytes go to a buffer of the scheduler and are dropped.
 *
 *   Urgent reads go before all others, and idle reads after all others. Between
 *   the other priorities, the higher one goes first only if two reads are equal
 *   in everything else.
 *
 *   A read without a deadline (spn_read_desc.deadline_us is 0) gets one. It
 *   depends on the class of its task (spn_task_set_class):
 *
 *     read                     deadline
 *     -----------------------  ---------------------
 *     class sound              0.4 s after its start
 *     class clip               2.5 s after its start
 *     class stream             6 s after its start
 *     class bulk               6 s after its start
 *     any with idle priority   none
 *
 * Starvation
 *
 *   Urgent reads can delay all others without limit. Apart from that, every
 *   read is served in a bounded time under the deadline scheduler. For example,
 *   if 50 short reads wait, a read of class stream that has waited 20 s is
 *   served after at most 200 others. In detail:
 *
 *   - A read is *overdue* 20 s after its start; with the class bulk or idle
 *     priority, 30 s after its start.
 *   - A *dispatch* is one positioning of the head and the transfer that
 *     follows. A long read is transferred in pieces (spn_config.piece_bytes),
 *     and needs several dispatches: a dispatch ends with the piece at which it
 *     has transferred 3 MiB or more. A read of at most 3 MiB needs one.
 *   - Let n be the number of dispatches that all waiting reads need together,
 *     at its greatest while the read waits. Reads that are started later
 *     count, too.
 *   - An overdue read gets its next dispatch after at most 4 n others; an
 *     overdue idle read after at most 16 n others. A read of k dispatches thus
 *     waits for at most k times as many.
 *   - These bounds do not count dispatches of urgent reads. They do not count
 *     dispatches of overdue idle reads either; after each 15 dispatches of
 *     other reads there is at most one of these. While a read is paused or
 *     waits for memory, no bound holds for it.
 *
 * Many reads
 *
 *   Any number of reads may wait. If more than 256 wait, a decision considers
 *   256 of them: those nearest to the head, those with the earliest deadlines
 *   that can still be met, and those that become overdue next. So the cost of a
 *   decision does not grow with the number of reads.
 *
 *   If the drive needs longer for the waiting reads than the last of their
 *   deadlines allows, the shortest reads go first, so that most deadlines are
 *   met. In this case, reads that have missed their deadline go after the
 *   others, until they are overdue.
 *
 * Memory
 *
 *   A read that gets its memory from a storage callback or from the heap gets
 *   it when the queue chooses the read for the first time. If the read budget
 *   (spn_config.read_budget_bytes) is used up then, the read leaves the queue,
 *   waits for the budget, and enters the queue again. Urgent reads and those
 *   with SPN_READ_OVER_BUDGET do not wait for it. With either order of the
 *   queue, the budget is given to the waiting read that is due first. A read is
 *   due at its spn_read_desc.deadline_us, but not later than the limit below. A
 *   read without deadline_us is due at the limit; the deadline that it gets by
 *   its class is not used here.
 *
 *     priority       limit
 *     -------------  --------------------
 *     above normal   4 s after its start
 *     normal         8 s after its start
 *     below normal   16 s after its start
 *     idle           32 s after its start
 *
 * Drives that do not answer
 *
 *   A drive may be open, hold another disc, or not answer. The game is informed
 *   by spn_medium_stats.state (io_stats.h) and by the event `medium`
 *   (listener.h), so that it can request the disc from the player. Reads
 *   wait, and go on when the drive is available again.
 *
 *   A game that wants its reads to fail instead sets timeout_us. If the device
 *   does not finish a piece within that time, the runtime calls
 *   spn_platform.read_cancel for it. All reads that wait for the medium end
 *   with SPN_ERR_TIMEOUT, and so do new ones, until the device answers.
 *
 *   The reads of which the device has a piece do not end at once, because the
 *   device may still write into their memory. They end when the device returns
 *   the piece; with SPN_ERR_TIMEOUT, if it returns no bytes.
 *
 *   Some platforms, e.g. the one for POSIX, do the whole read inside
 *   spn_platform.read_submit. There the state is reported, too, but no read can
 *   end before read_submit returns.
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
    SPN_MEDIUM_READY = 0,     /* it answers, or has nothing to do */
    SPN_MEDIUM_SILENT = 1,    /* no answer for spn_medium_config.silent_us */
    SPN_MEDIUM_TIMED_OUT = 2, /* no answer for spn_medium_config.timeout_us:
                               * reads fail */
    /* Only if the platform can detect them (spn_platform.medium_disc): */
    SPN_MEDIUM_NO_DISC = 3,   /* the tray is open or empty */
    SPN_MEDIUM_OTHER_DISC = 4 /* a wrong or an unreadable disc */
} spn_medium_state;

/* All fields 0: a medium of which nothing is known. */
typedef struct spn_medium_config {
    const spn_drive_profile *drive; /* must pass spn_drive_profile_check; copied
                                     * by spn_init. The runtime measures how
                                     * the drive differs from it
                                     * (spn_medium_stats.errors), and corrects
                                     * its predictions. NULL: the speed is not
                                     * known. Must be NULL for
                                     * SPN_MEDIUM_MEMORY */
    spn_order order;                /* 0: SPN_ORDER_AUTOMATIC */
    uint32_t silent_us;  /* the medium is SPN_MEDIUM_SILENT while the device
                          * takes longer than this for a piece, in microseconds.
                          * 0: 3 s */
    uint32_t timeout_us; /* the medium is SPN_MEDIUM_TIMED_OUT while the device
                          * takes longer than this for a piece, in microseconds.
                          * 0: never */
} spn_medium_config;

#ifdef __cplusplus
}
#endif
#endif
