/* anim_event.h - events and statistics of clips and databases.
 *
 * The engine registers a function, and spn_update calls it for each change, at
 * the end of the update in which it happened, in order. All of this can also be
 * polled. If more changes happen between two calls than there is room for
 * (2 * spn_config.anim_loaded_count + anim_play_count + anim_skeleton_count),
 * the later ones are only counted (spn_anim_stats.events_lost).
 *
 * Ownership. An event is valid during the call.
 *
 * Threads. The caller's thread (spindle.h). The function may call everything
 * that may be called between two updates.
 *
 * Errors. anim.h lists those that are checked first.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_ANIM_EVENT_H
#define SPINDLE_ANIM_EVENT_H

#include <spindle/anim_database.h>
#include <spindle/anim_refs.h>
#include <spindle/anim_skeletons.h>
#include <spindle/features.h>
#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spn_anim_event_kind {
    SPN_ANIM_READY = 1,    /* the first part of a clip is in memory */
    SPN_ANIM_LOADED = 2,   /* all bytes of a clip or a database are in memory */
    SPN_ANIM_UNLOADED = 3, /* bytes of a clip or a database were freed */
    SPN_ANIM_FAILED = 4, /* bytes of a clip, a database or a skeleton could not
                          * be read, or have another checksum. They are read
                          * again while they are wanted (anim.h) */
    SPN_ANIM_HIDDEN = 5, /* the clips of a database became unavailable */
    SPN_ANIM_SHOWN = 6,  /* the clips of a database are available again */
    SPN_ANIM_DAMAGED = 7 /* a clip that plays was read, but its head or a
                            * segment cannot be decoded, or is too large
                            * (SPN_ERR_MEMORY). Other segments are not affected.
                            * A segment is decoded again if it is needed again
                            * later; a head after all plays of the clip */
} spn_anim_event_kind;

#define SPN_ANIM_NO_FRAME 0xffffffffu

typedef struct spn_anim_event {
    spn_anim_event_kind kind;
    /* One of these is not 0. */
    spn_anim anim;
    spn_anim_database database;
    spn_anim_skeleton skeleton; /* FAILED */
    spn_status status;          /* FAILED, DAMAGED: why; otherwise SPN_OK */
    /* DAMAGED: the first frame of the segment; SPN_ANIM_NO_FRAME: the head, so
     * no frame can be sampled. Otherwise 0. */
    uint32_t frame;
} spn_anim_event;

typedef void (*spn_anim_event_fn)(void *user, const spn_anim_event *event);

/* Numbers since spn_init, unless they say otherwise. */
typedef struct spn_anim_stats {
    uint32_t clip_count;   /* headers in memory now */
    uint64_t header_bytes; /* memory of these, names included, now */
    uint64_t loaded_bytes; /* memory of clips and databases now */
    uint64_t loaded_bytes_peak;
    uint64_t idle_bytes; /* the part of loaded_bytes that is idle now */
    uint32_t loaded;     /* clips and databases in memory now */
    uint32_t loading;    /* that are being read, or wait, now */
    uint32_t plays;      /* clips that play now */
    uint32_t locked;     /* clips that are locked now */
    uint32_t reads;      /* reads that were started */
    /* Attempts to read a clip or a database that failed: an error of the read
     * or of opening the file, damaged data, or more bytes than clips may use.
     * Skeletons and headers are not counted. */
    uint32_t reads_failed;
    uint32_t reads_aborted;
    uint64_t bytes_read;
    uint32_t unloads_grace; /* bytes that were freed after their grace */
    uint32_t unloads_early; /* that were freed before, for lack of memory or of
                             * a record of spn_config.anim_loaded_count */
    uint32_t waits_memory;  /* updates in which a clip waited for memory */
    uint32_t plays_started;
    uint32_t plays_ready;  /* that were ready when they started */
    uint32_t play_updates; /* sum over all plays */
    uint32_t glitches;     /* of these, without the first part */
    uint32_t cue_hits;     /* of all timelines */
    uint32_t cue_misses;
    uint32_t
        held_updates; /* of play_updates, those at whose end the pose of the
                            * play's time could not be sampled */
    uint32_t segments_decoded;
    uint32_t segments_damaged; /* and heads */
    uint32_t refs_saturated;   /* clips whose count stays at its maximum */
    uint32_t events_lost;
} spn_anim_stats;

#if SPN_WITH_ANIM

/* Set the function that is called at events. Before the first call, and after
 * one with NULL, events are not kept.
 *
 * function  NULL: none
 * user      its first argument */
spn_status spn_anim_listen(spn_runtime *rt, spn_anim_event_fn function,
                           void *user);

spn_status spn_anim_get_stats(const spn_runtime *rt, spn_anim_stats *out);

#endif

#ifdef __cplusplus
}
#endif
#endif
