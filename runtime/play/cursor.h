/* cursor.h - the place of one node in its clip: the record and its positions.
 *
 * A cursor says which frames and groups of its cache are needed, and when. It
 * owns none of them: they belong to the cache (frame_slot.h, group_table.h), so
 * that several cursors use the same ones. This header has the record and the
 * arithmetic of positions. The other functions of a cursor are in these
 * headers, in the order of an update; the record names them beside its fields:
 *
 *   cursor_life.h     begin, follow the playback time, end
 *   cursor_lost.h     frames that are damaged or unreadable
 *   cursor_plan.h     which frames are needed; start of decodes
 *   cursor_keep.h     marks memory as needed
 *   cursor_place.h    which groups are needed, and the next one to read
 *   cursor_promise.h  how much memory it may hold
 *   cursor_range.h    which bytes of the file the next read covers
 *   cursor_read.h     start of reads
 *
 * Terms
 *
 *   account    counts of the memory and the work of one cursor (account.h):
 *              what it was promised, what it uses, how much of it runs now
 *   step       a change of the playback time from one update to the next
 *   traversal  continuous playback in one direction. One begins with the
 *              cursor, with a jump, with a turn, and with each loop
 *   ahead      in the direction of playback
 *   lost       damaged or unreadable, or refers to a frame that is: the state
 *              FAILED of frame_slot.h
 *   share      Cursors share frames if they play the same cache in the same
 *              direction, at most the decode-ahead time apart: what one of them
 *              has launched, the others find decoded
 *
 * Positions. A cursor plays a *span* of its clip: all of it, or the range that
 * the user set. One way through the span is a *leg*. Playback that loops has no
 * end, so groups and frames are numbered through all legs: position of a group,
 * or *place*, = leg * groups of the span + index of the group in the leg;
 * position of a frame = leg * frames of the span + index of the frame. Both are
 * 64-bit integers; the playback time in microseconds also includes the legs. In
 * a ping-pong every second leg is *reversed*: its first frame is the last one
 * of the span. So positions and playback time rise together in all modes, and
 * whoever walks over positions sees what comes next.
 *
 * Three frames 4, 5, 6:     position  0 1 2  3 4 5  6 7 8
 *            number, looping          4 5 6  4 5 6  4 5 6
 *            number, ping-pong        4 5 6  6 5 4  4 5 6
 *
 * The time until something ahead is needed is its distance in playback time
 * divided by the rate, which is the measured speed of playback.
 *
 * Owner: the caller's thread. Decode jobs read account.node and account.cache,
 * which are fixed while the node lives, for the events that they report.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_H
#define SPN_PLAY_CURSOR_H

#include "play/account.h"
#include "play/cache.h"
#include "play/manager.h"
#include "play/span.h"

#include <spindle/geom.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

#define CURSOR_NO_POSITION UINT64_MAX
#define CURSOR_PINS 4u
/* How many frames around the wanted one are searched for a decoded one. */
#define CURSOR_SEARCH_FRAMES 64u
/* Positions that stay valid when the span changes: this plus the number of a
 * frame. Only spn__cursor_number takes them. */
#define CURSOR_NUMBER (UINT64_C(1) << 63)

/* Why the first frame that is not decoded is not decoded. */
enum cursor_lack {
    CURSOR_LACKS_TIME,  /* it was read: it runs, or waits for its turn */
    CURSOR_LACKS_BYTES, /* it, or a reference, was not read yet */
    CURSOR_LACKS_MEMORY /* no memory was found for it */
};

struct cursor {
    /* -- fixed after init: spn__node_init (node.h) -- */
    struct manager *manager;
    uint32_t frames_max; /* frames that it may hold, read or decoded */

    /* -- fixed while the node lives: spn__cursor_open -- */
    struct cache *cache;
    spn_priority priority; /* of its reads */
    bool is_second;        /* the second position of a node. Set by
                              node/second_position.h after open */

    /* -- memory and work: cursor_promise.h, launch.h, group_read.h -- */
    struct account account;

    /* -- life: cursor_life.h -- */
    bool is_active;   /* between begin and the end of draining */
    bool is_draining; /* waits for its reads and frames to end */
    bool is_looping;  /* set with the span, when the cache is READY */
    struct span span;

    /* -- share of the drive's time: drive_share.h, node/admission.h -- */
    bool has_admission;      /* its request was decided, see `admission` */
    spn_admission admission; /* ADMITTED also before the decision */
    uint32_t drive_permille; /* its share, in thousandths */
    uint32_t drive_read_us;  /* time that its longest read takes */
    uint32_t share_serial;   /* serial number (manager.next_serial) of its
                                request for a share; the lowest is decided
                                first */

    /* -- playback time: spn__cursor_move -- */
    int64_t position_us;  /* playback time, loops included, >= 0 */
    uint64_t wanted;      /* position of the last frame before position_us, or
                             of the frame that is there */
    uint64_t wanted_ceil; /* the next position; `wanted` if none is needed */
    uint64_t leg;         /* of `wanted`, from 0 on */

    /* -- direction and rate: spn__cursor_follow -- */
    int32_t set_permille;   /* the rate that the user set; 0: it is measured */
    bool is_backward;       /* direction of playback */
    uint32_t turn_count;    /* steps against the direction, in a row */
    uint32_t rate_permille; /* speed of playback in thousandths of normal speed.
                               Slower playback counts as 1000, so that nothing
                               is requested too late when it becomes faster */
    uint32_t step_permille; /* speed of the last step, likewise */
    int64_t followed_position_us; /* playback time after its last step */
    uint64_t followed_us;         /* manager.now_us at that step */

    /* -- scrubbing: cursor_life.h -- */
    bool is_leaping;   /* the time leapt, and its target is not shown yet */
    bool is_scrubbing; /* the time leaps faster than it can be reached */
    uint64_t leap_us;  /* when the time leapt last */
    uint32_t rest_us;  /* while scrubbing: how long after that it rests */
    uint32_t reach_us; /* from the last leap that was reached to its picture */

    /* -- frames that are lost: cursor_lost.h -- */
    bool has_lost_all; /* `wanted` is lost, and no frame near it can be shown:
                          `fallback` is needed. Set by spn__node_update */
    uint64_t fallback; /* the nearest frame before `wanted` that is not lost */
    /* The first frame ahead of which it is not known yet whether it will be
     * decoded or lost; CURSOR_NO_POSITION: none is left. The lost frames before
     * it are counted in frames_dropped. */
    uint64_t next_undecided;
    uint32_t frames_dropped; /* frames that were counted as lost, since open */
    uint32_t retry_stamp;    /* frames lost before this update are tried again:
                           * that of the last leap, or the cache's */
    uint64_t retry_us;       /* when frames were tried again; not in new legs */
    uint32_t rest_retries;   /* attempts since the time stands still */
    /* SPN_ERR_MEMORY, SPN_ERR_TABLE_FULL: spn__cursor_begin found that the heap
     * or the table is too small, and it does not play. Any other error: that of
     * the damaged or unreadable frame that was counted last. SPN_OK: neither,
     * since the last begin. */
    spn_status status;
    uint32_t fault_frame; /* number of the frame, if `fault` is of a frame */
    spn_fault fault;      /* details of the error that `status` had last */

    /* -- which frames are needed: cursor_plan.h -- */
    uint64_t next_to_pass; /* the first frame that playback has not passed */
    int64_t slack_us;      /* time until the next launch is needed */
    uint64_t next_launch;  /* where to begin to launch: the first frame ahead
                              that the last plan found to be EMPTY; `horizon` if
                              it found none. The first wanted frame, if the
                              cursor lacks memory */
    /* Frames that it will show soon, or shows, and that therefore need a vertex
     * buffer of the game's engine (frame_buffer.h) in this update. Frames of
     * which another cursor has said so before are not counted. */
    uint32_t frame_buffer_count;
    bool lacks_memory; /* no memory was found for the wanted frames */
    /* manager.now_us of the last spn__cursor_launch that did not lack memory
     * for them, or of the begin. */
    uint64_t lacks_since_us;

    /* -- what is left out (level.h): node/governor.h -- */
    uint32_t pace_permille; /* the mean speed of the last updates, also below
                               normal; 0: playback rests. spn__cursor_follow */
    int64_t ready_us;       /* time until the first frame is needed that is not
                         decoded; INT64_MAX: all within the decode-ahead time
                         are. This and the next three: cursor_plan.h */
    enum cursor_lack lack;  /* why that frame is not decoded */
    uint64_t lack_us; /* manager.now_us of the last update that found a needed
                         frame that was not decoded */
    /* The frame ahead at which the last plan ended: normally the first one
     * beyond the decode-ahead time. The first wanted frame, if the cursor
     * lacks memory. */
    uint64_t horizon;
    /* A cut says how many frames are left out, 0: none, as while it does not
     * play. `cut` holds for the frame cut_from and all that playback reaches
     * after it, near_cut for those that playback reaches before it. near_cut >=
     * cut; it is greater only while frames come back, which they do from
     * cut_from on. */
    uint64_t cut_from;
    uint16_t cut;
    uint16_t near_cut;
    /* A cut has changed since the wanted frames were found. spn__node_update
     * finds them again, because they may be left out now. */
    bool has_new_cut;
    spn_shortage shortage; /* why the cut is not 0 */
    uint32_t importance;   /* see spn_node_set_importance */
    uint16_t nearness;     /* this and the greatest cut: scene/node_view.h */
    uint16_t cut_limit;
    /* The highest importance, with the nearness in its low 16 bits, and the
     * least limit of this cursor and of those that share frames with it. Set by
     * the governor, like is_leader, while a frame is in danger or left out. */
    uint64_t shared_importance;
    uint16_t shared_limit;
    /* Of the cursors that share frames, the leader is the one that leaves out
     * fewest; of equal ones the one in the lowest slot. The governor counts the
     * decode time of leaders only. It chooses a leader that leaves out more or
     * fewer frames, and the cursors that share frames with it follow. */
    bool is_leader;

    /* -- which group is read next: cursor_place.h -- */
    uint64_t next_place;   /* of the next group to read; CURSOR_NO_POSITION:
                              nothing ahead is missing */
    uint32_t next_missing; /* parts of it that are missing, GROUP_* */
    int64_t read_slack_us; /* time until the next read is needed */
    uint32_t read_serial;  /* serial number of its last read (cursor_read.h) */

    /* -- frames that are shown: spn__node_update -- */
    /* Positions of the two frames that are shown, then of the two that were
     * shown before; CURSOR_NO_POSITION: none. The cursor keeps their memory. */
    uint64_t pinned[CURSOR_PINS];

    /* -- meshes that it wants: node/mesh_mask.h -- */
    uint64_t mask_us;    /* when the mask was set, or the cursor began */
    uint32_t mask_words; /* words of mesh_mask; 0: it wants all meshes */
    /* One bit for each mesh: mesh m is bit m % 32 of word m / 32, 1: wanted.
     * Meshes with a number of 32 * mask_words or more are wanted, too. */
    uint32_t mesh_mask[SPN_MASK_WORDS_MAX];
};

/* Set up for a node that does not play yet.
 *
 * index  1 + slot of the node */
void spn__cursor_open(struct cursor *s, struct cache *c, uint16_t index,
                      uint32_t node_handle, spn_priority priority);

/* -- positions -- */

/* Set the playback time, and the frames around it: the wanted one and the one
 * after it in the clip. The span is set. */
void spn__cursor_move(struct cursor *s, int64_t position_us, uint64_t floor,
                      uint64_t ceil);

/* Number of the frame in the clip. */
uint32_t spn__cursor_number(const struct cursor *s, uint64_t frame);
/* Playback time. The first and the last frame of a leg may lie outside of it,
 * if the ends of the span are no times of frames. */
int64_t spn__cursor_frame_time(const struct cursor *s, uint64_t frame);
/* The last frame of the clip at or before a playback time >= 0. */
uint64_t spn__cursor_frame_before(const struct cursor *s, int64_t time_us);
/* The next or the previous frame of the clip. In a reversed leg the position of
 * the next one is lower. */
uint64_t spn__cursor_clip_step(const struct cursor *s, uint64_t frame,
                               bool is_later);
/* End of a span that does not loop, in playback time. */
int64_t spn__cursor_end_us(const struct cursor *s);
/* True if playback goes through the clip from its end to its start there:
 * backward, or in a reversed leg. */
bool spn__cursor_runs_back(const struct cursor *s, uint64_t place);
/* Place of the group that has the frame. */
uint64_t spn__cursor_place_of(const struct cursor *s, uint64_t frame);
/* Number of a group in the clip. */
uint32_t spn__cursor_group(const struct cursor *s, uint64_t place);
/* False: the frame is left out. */
bool spn__cursor_keeps(const struct cursor *s, uint64_t frame);
/* The frame, or the place, that comes next in the direction of playback. False
 * at the end of a span that does not loop. Frames that are left out are passed
 * over, except by spn__cursor_step_frame. */
bool spn__cursor_step_frame(const struct cursor *s, uint64_t *frame);
bool spn__cursor_next_frame(const struct cursor *s, uint64_t *frame);
bool spn__cursor_next_place(const struct cursor *s, uint64_t *place);

/* Time until a frame is needed: when playback interpolates towards it. Below 0
 * for the frames that are wanted now. */
int64_t spn__cursor_time_until(const struct cursor *s, uint64_t frame);
/* Time until playback, at its mean speed, reaches a frame. INT64_MAX while
 * playback rests. */
int64_t spn__cursor_time_to(const struct cursor *s, uint64_t frame);
/* Time until a group is needed: until that frame of it is needed which playback
 * reaches first, i.e. its first frame, or its last one if playback is backward.
 */
int64_t spn__cursor_time_until_place(const struct cursor *s, uint64_t place);
/* The frame of the wanted ones that comes first in the direction. */
static inline uint64_t cursor_first(const struct cursor *s)
{
    return s->is_backward ? s->wanted_ceil : s->wanted;
}

/* True in one case only: a span that does not loop is at its last frame. The
 * frame before it is needed then, too, because velocities are the difference of
 * two frames. *frame is its position.
 *
 * frame  set in any case; valid only if the result is true */
bool spn__cursor_neighbour(const struct cursor *s, uint64_t *frame);

/* True while it scrubs and has not rested: only index frames are read. */
static inline bool cursor_is_scrubbing(const struct cursor *s)
{
    return s->is_scrubbing && s->manager->now_us - s->leap_us < s->rest_us;
}

/* The decode-ahead time. */
static inline int64_t cursor_ahead_us(const struct cursor *s)
{
    if (cursor_is_scrubbing(s))
        return 0;
    return (int64_t)s->manager->config.tuning->value[TUNING_decode_ahead_ms] *
           1000;
}

/* -- state -- */

/* True if it may take memory and read. */
static inline bool cursor_is_admitted(const struct cursor *s)
{
    return s->admission != SPN_REFUSED;
}

static inline bool cursor_is_playing(const struct cursor *s)
{
    return s->is_active && !s->is_draining;
}

/* How long a cursor lacks memory for its wanted frames before it gives up more
 * (cursor_plan.h): meanwhile other cursors may free pages. */
#define CURSOR_LACK_US 100000u

static inline bool cursor_lacks_memory_long(const struct cursor *s)
{
    return s->lacks_memory &&
           s->manager->now_us - s->lacks_since_us >= CURSOR_LACK_US;
}

/* True if the frame is lost and is not tried again now: it was lost in the
 * current traversal, or running frames still refer to it. */
bool spn__cursor_has_lost(const struct cursor *s, uint64_t frame);

/* The mask is so old that frames of normal playback have its meshes. */
bool spn__cursor_has_old_mask(const struct cursor *s);
/* Playback is still, and the mask has not just changed; or frames that lack
 * meshes have been shown for long, as in a short range that repeats. */
bool spn__cursor_is_still(const struct cursor *s);
bool spn__cursor_wants_mesh(const struct cursor *s, uint32_t mesh);
/* It wants a mesh that has vertices in this tile. */
bool spn__cursor_wants_tile(const struct cursor *s, uint32_t tile);

/* True if promise, charges and counts are consistent. */
bool spn__cursor_check(const struct cursor *s);

#endif
