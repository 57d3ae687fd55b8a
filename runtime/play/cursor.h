/* cursor.h - the place of one node in its clip: the record and its positions.
 *
 * A cursor says which frames and groups of its cache are needed, and when. It
 * owns none of them: they belong to the cache (frame_slot.h, group_table.h),
 * so that several cursors use the same ones. This header has the record and the
 * arithmetic of positions; each of the files below does one part:
 *
 *   cursor_life.h     begin, follow the playback time, end
 *   cursor_promise.h  its promise, and what it does without memory
 *   cursor_keep.h     marks what it needs of the memory
 *   cursor_plan.h     what it needs at an update; start of decodes
 *   cursor_lost.h     frames that are damaged or unreadable
 *   cursor_place.h    which groups it needs, and the next one to read
 *   cursor_range.h    which bytes of the file that read covers
 *   cursor_read.h     start of reads
 *
 * Positions. A looping clip has no end, so groups and frames are numbered
 * through all loops: position of a group, or *place*, = loop * groups of the
 * clip + group; position of a frame = loop * frames of the clip + frame. Both
 * are 64-bit integers; the playback time in microseconds also includes the
 * loops.
 *
 * Direction and rate follow from the playback times that are set
 * (cursor_life.h). *Ahead* means in the direction of playback. The time until
 * something ahead is needed is its distance divided by the rate.
 *
 * Owner: the caller's thread; jobs know only its account.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CURSOR_H
#define SPN_PLAY_CURSOR_H

#include "play/account.h"
#include "play/cache.h"
#include "play/manager.h"

#include <spindle/geom.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

#define CURSOR_NO_POSITION UINT64_MAX
#define CURSOR_PINS 4u
/* How many frames around the wanted one are searched for a decoded one. */
#define CURSOR_SEARCH_FRAMES 64u

struct cursor {
    /* fixed after init */
    struct manager *manager;
    uint32_t frames_max; /* frames that it may hold, read or decoded */
    /* fixed while the node lives; see account.h for the rest of it */
    struct cache *cache;
    spn_priority priority; /* of its reads */
    /* caller */
    struct account account;
    bool is_looping;    /* fixed once the cache is READY */
    bool is_active;     /* between begin and the end of draining */
    bool has_admission; /* `admission` was decided */
    bool is_draining;   /* waits for its reads and frames to end */
    bool is_backward;   /* direction of playback */
    bool lacks_memory;  /* no memory was found for the wanted frames */
    bool has_lost_all;  /* the wanted frame is lost: `fallback` is needed */
    spn_admission admission;
    spn_status status;       /* why it can never play, or its last error */
    uint32_t drive_permille; /* its share of the drive's time */
    uint32_t drive_read_us;  /* time that its longest read takes */
    uint32_t request_serial; /* when it requested a share */
    uint32_t read_serial;    /* when it last started a read */
    uint32_t frames_dropped; /* frames that were lost, since open */
    uint32_t fault_frame;    /* number of the frame of `fault` */
    uint32_t run_stamp;      /* update in which the current run or loop began:
                                frames that were lost before are tried again */
    uint32_t rate_permille;  /* speed of playback, >= 1000 */
    uint32_t step_permille;  /* speed of the last step */
    uint32_t turn_count;     /* steps against the direction, in a row */
    uint64_t lacks_since_us; /* when lacks_memory became true */
    int64_t position_us;     /* playback time, loops included, >= 0 */
    uint64_t wanted;         /* the last frame at or before position_us */
    uint64_t wanted_ceil;    /* the next one, or the same */
    uint64_t loop;           /* of `wanted`, from 0 on */
    uint64_t fallback; /* frame that is shown while all wanted ones are lost */
    uint64_t settled;  /* next frame ahead that is not counted yet as decoded or
                          lost */
    uint64_t passed;   /* the next frame ahead that playback has not passed */
    int64_t followed_position_us; /* playback time after its last step */
    uint64_t followed_us;         /* when that was */
    int64_t slack_us;             /* time until the next launch is needed */
    int64_t read_slack_us;        /* time until the next read is needed */
    uint64_t next_place;   /* of the next group to read; CURSOR_NO_POSITION:
                              nothing ahead is missing */
    uint32_t next_missing; /* which parts of it, GROUP_* */
    /* Floor and ceil of what is shown, and of what was shown before. */
    uint64_t pinned[CURSOR_PINS];
    uint32_t buffer_count; /* buffers of the engine needed in this update */
    spn_fault fault;       /* of the last damaged frame */
};

/* Set up for a node that does not play yet.
 *
 * index  1 + slot of the node */
void spn__cursor_open(struct cursor *s, struct cache *c, uint16_t index,
                      uint32_t node_handle, spn_priority priority);

/* -- positions -- */

/* Set the playback time, and the frames around it. The cache is READY. */
void spn__cursor_move(struct cursor *s, int64_t position_us, uint64_t wanted,
                      uint64_t wanted_ceil);

/* Number of the frame in the clip, without loops. */
uint32_t spn__cursor_number(const struct cursor *s, uint64_t frame);
int64_t spn__cursor_frame_time(const struct cursor *s, uint64_t frame);
/* Position of the last frame at or before a time >= 0. */
uint64_t spn__cursor_frame_before(const struct cursor *s, int64_t time_us);
/* Place of the group that has the frame. */
uint64_t spn__cursor_place_of(const struct cursor *s, uint64_t frame);
/* Number of a group in the clip. */
uint32_t spn__cursor_group(const struct cursor *s, uint64_t place);
/* Position of a group's first frame. */
uint64_t spn__cursor_place_first(const struct cursor *s, uint64_t place);

/* The frame, or the place, that comes next in the direction of playback. False
 * at the end of a clip that does not loop. */
bool spn__cursor_next_frame(const struct cursor *s, uint64_t *frame);
bool spn__cursor_next_place(const struct cursor *s, uint64_t *place);

/* Time until a frame is needed: when playback interpolates towards it. Below 0
 * for the frames that are wanted now. */
int64_t spn__cursor_time_until(const struct cursor *s, uint64_t frame);
/* Time until the first frame ahead of a group is needed. */
int64_t spn__cursor_time_until_place(const struct cursor *s, uint64_t place);
/* The frame of the wanted ones that comes first in the direction. */
static inline uint64_t cursor_first(const struct cursor *s)
{
    return s->is_backward ? s->wanted_ceil : s->wanted;
}

/* A clip's last frame has no next one: the one before it gives velocities.
 * False elsewhere. */
bool spn__cursor_neighbour(const struct cursor *s, uint64_t *frame);

/* The decode-ahead time. */
static inline int64_t cursor_ahead_us(const struct cursor *s)
{
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

/* Wait so long without memory for the wanted frames before more is given up:
 * other cursors may free pages. */
#define CURSOR_PATIENCE_US 100000u

static inline bool cursor_is_starved(const struct cursor *s)
{
    return s->lacks_memory &&
           s->manager->now_us - s->lacks_since_us >= CURSOR_PATIENCE_US;
}

/* The frame is lost, in the current run: it is not tried again now. */
bool spn__cursor_has_lost(const struct cursor *s, uint64_t frame);

/* True if promise, charges and counts are consistent. */
bool spn__cursor_check(const struct cursor *s);

#endif
