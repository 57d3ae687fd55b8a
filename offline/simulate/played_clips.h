/* played_clips.h - what became of the clips that a run played.
 *
 * Both runs that play clips fill these numbers: play (player/play_clips.h) and
 * simulate (game_clips.h). clips_report.h prints them. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_PLAYED_CLIPS_H
#define OFFLINE_SIMULATE_PLAYED_CLIPS_H

#include "common/arena.h"
#include "common/diag.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* A clip that played. */
struct played_clip {
    const char *label; /* as on the command line, or its name in the image */
    spn_anim_info info;
    const char *skeleton_label; /* NULL: it is not sampled */
    bool is_warned;             /* no skeleton fits it entirely */
    uint32_t plays;
    uint32_t loads;         /* times that its bytes came into memory */
    uint32_t waits;         /* plays that were not ready at once */
    uint64_t first_pose_us; /* longest of these waits */
    uint32_t pictures;      /* sum over its plays */
    uint32_t glitches;      /* of these, without its first part */
    uint32_t held;          /* of these, others for which there was no pose */
    uint32_t poses;         /* of the pictures, those with a sampled pose */
    double root_metres;     /* way of the first joint, in sampled poses */
    uint32_t failures;      /* reads that failed, and damaged data */
    spn_status status;      /* of the last failure */
    bool is_damaged;        /* the bytes were there, but are damaged, */
    uint32_t frame;         /* from this frame on, or SPN_ANIM_NO_FRAME */
    spn_fault fault;
};

struct clips_report {
    uint32_t clip_count;       /* 0: no clips were given */
    struct played_clip *clips; /* all that are known; some did not play */
    uint32_t skeleton_count;
    uint32_t character_count; /* of play; 0: plays are independent */
    spn_anim_stats stats;     /* of the whole run */
};

/* List the clips of a runtime, whose headers are in memory. Their names are
 * copied to the arena, and are the labels. Returns false after a refusal. */
bool played_clips_list(struct clips_report *report, const spn_runtime *rt,
                       struct arena *arena, struct diag *diag);
/* Count an event of a clip. */
void played_clips_count(struct clips_report *report, const spn_runtime *rt,
                        const spn_anim_event *event);
/* A play waits since `started_us`, or its wait has just ended. */
void played_clip_waited(struct played_clip *clip, uint64_t started_us,
                        uint64_t now_us);
/* Count a picture of a play in a state. `is_ready`: its first part is there. */
void played_clip_show(struct played_clip *clip, bool is_ready,
                      const spn_anim_play_state *state);
/* Refuse the first clip that failed and was not there in a picture, unless
 * something was refused before; warn of the others. `with_io`: also those that
 * the drive could not read. */
void played_clips_refuse(const struct clips_report *report, bool with_io,
                         struct diag *diag);

#endif
