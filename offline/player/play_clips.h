/* play_clips.h - animation clips that play beside caches.
 *
 * Input: the sources (play_paks.h) that are clips, skeletons or one image. Each
 * clip that is named plays in a loop. An image without the name of a clip plays
 * all its clips: some characters play at the same time, and each plays one clip
 * after the other, in the order of their names; a timeline looks ahead for it.
 * The runtime reads the clips from the drive of the run. Output: what it had in
 * memory at each picture (struct clips_report).
 *
 * A play begins when the streams do, so that its first wait belongs to the
 * start of the run; the next ones begin during playback.
 *
 * Main thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_CLIPS_H
#define OFFLINE_PLAYER_PLAY_CLIPS_H

#include "player/play_paks.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* A clip that played. */
struct played_clip {
    const char *label; /* as on the command line, or its name in the image */
    spn_anim_info info;
    uint32_t plays;
    uint32_t loads;         /* times that its bytes came into memory */
    uint32_t waits;         /* plays that were not ready at once */
    uint64_t first_pose_us; /* longest of these waits */
    uint32_t pictures;      /* sum over its plays */
    uint32_t glitches;      /* of these, without its first part */
    uint32_t held;          /* of these, others for which there was no pose */
    uint32_t failures;      /* reads that failed, and damaged data */
    spn_status status;      /* of the last failure */
    bool is_damaged;        /* the bytes were there, but are damaged, */
    uint32_t segment;       /* in this segment, or SPN_ANIM_NO_SEGMENT */
    spn_fault fault;
};

struct clips_report {
    uint32_t clip_count;       /* 0: no clips were given */
    struct played_clip *clips; /* all that are known; some did not play */
    uint32_t skeleton_count;
    uint32_t character_count;
    spn_anim_stats stats; /* of the whole run */
};

/* A play, or one after the other. */
struct character {
    const spn_anim *clips; /* in the order of playback */
    uint32_t clip_count;
    uint32_t current;    /* index of the clip that plays */
    int64_t begin_us;    /* time of playback at which it began */
    int64_t end_us;      /* time of playback at which the next clip follows */
    uint64_t started_us; /* on the run's clock */
    spn_anim_play play;
    bool is_waiting;            /* for the first part of its clip */
    spn_anim_timeline timeline; /* 0: none, it has one clip */
};

struct play_clips {
    /* fixed after play_clips_init */
    const struct play_paks *paks;
    struct arena *arena;
    struct diag *diag;
    uint32_t image;      /* index of the source; UINT32_MAX: none */
    uint32_t anim_count; /* clips of the image, or clips that are named */
    uint32_t database_count;
    uint32_t skeleton_count;
    uint32_t character_count;
    bool plays_all; /* all clips of the image */
    /* while the run lasts */
    spn_runtime *rt;
    spn_anim_skeleton *skeletons; /* skeleton_count */
    uint32_t *skeleton_sources;   /* their sources */
    struct character *characters;
    struct clips_report *report;
};

/* Read the headers of all sources that are no caches. `together` is the number
 * of characters of an image. Returns false after a refusal. */
bool play_clips_init(struct play_clips *clips, const struct play_paks *paks,
                     uint32_t together, struct arena *arena, struct diag *diag);
/* Files that the runtime opens for clips, at most. */
uint32_t play_clips_files(const struct play_clips *clips);
/* Size the tables of the runtime. */
void play_clips_configure(const struct play_clips *clips, spn_config *config);

/* Begin to open all sources. Returns false after a refusal. */
bool play_clips_open(struct play_clips *clips, spn_runtime *rt,
                     struct clips_report *report);
/* SPN_PENDING until all are open; an error after a refusal. */
spn_status play_clips_opened(struct play_clips *clips);
/* Choose what plays, and play the first clip of each character. Returns false
 * after a refusal. */
bool play_clips_start(struct play_clips *clips, uint64_t now_us);
/* Whether a character waits for its first clip, which has not failed. Call it
 * after each update until playback begins. */
bool play_clips_wait(struct play_clips *clips, uint64_t now_us);

/* The time in which each character has played all its clips once, or one clip
 * of each named, in seconds. */
double play_clips_seconds(const struct play_clips *clips);
/* Playback begins, and will take so long: plan the time of all clips. Returns
 * false after a refusal. */
bool play_clips_begin(struct play_clips *clips, double seconds);
/* Begin the clips that are due at a time of playback; then the caller updates
 * the runtime. */
void play_clips_set_time(struct play_clips *clips, int64_t playback_us,
                         uint64_t now_us);
/* Count a picture of each character. */
void play_clips_show(struct play_clips *clips, uint64_t now_us);
/* Complete the report, and refuse or warn of clips that could not be read. */
void play_clips_collect(struct play_clips *clips);

#endif
