/* play_clips.h - animation clips that play beside caches.
 *
 * Input: the sources (play_paks.h) that are clips, skeletons or one image. Each
 * clip that is named plays in a loop. An image without the name of a clip plays
 * all its clips: some characters play at the same time, and each plays one clip
 * after the other, in the order of their names; a timeline looks ahead for it.
 * The runtime reads the clips from the drive of the run. A pose is sampled for
 * each picture, if there is a skeleton (play_skeletons.h). Output: what was in
 * memory at each picture (struct clips_report), and the poses.
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
#include "player/play_poses.h"
#include "player/play_skeletons.h"
#include "simulate/played_clips.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* A play, or one after the other. */
struct character {
    const spn_anim *clips; /* in the order of playback: a round */
    int64_t *starts;       /* clip_count + 1: when each begins in a round; the
                            * last one is the duration of a round */
    uint32_t clip_count;
    uint32_t current;    /* index of the clip that plays */
    int64_t round;       /* number of rounds that are over */
    int64_t time_us;     /* of the clip that plays */
    uint64_t started_us; /* on the run's clock */
    spn_anim_play play;
    bool is_waiting; /* for the first part of its clip */
    struct play_pose pose;
    spn_anim_timeline timeline; /* 0: none, it has one clip */
    spn_anim_cue *cues[2];      /* of this round and the next; and before */
};

/* How time passes: view changes it. */
struct play_way {
    bool is_once;      /* clips do not loop */
    bool is_by_frames; /* no interpolation: the frame at or before the time */
    int32_t direction; /* spn_anim_play_set_mode */
};

struct play_clips {
    /* fixed after play_clips_init */
    const struct play_paks *paks;
    struct arena *arena;
    struct diag *diag;
    uint32_t image;      /* index of the source; UINT32_MAX: none */
    uint32_t anim_count; /* clips of the image, or clips that are named */
    uint32_t database_count;
    uint32_t skeleton_count; /* operands */
    uint32_t character_count;
    bool plays_all;    /* all clips of the image */
    bool *is_left_out; /* for each source: a clip whose header is damaged */
    uint32_t left_out; /* the first of them; UINT32_MAX: none */
    /* while the run lasts */
    spn_runtime *rt;
    struct play_skeletons skeletons;
    struct character *characters; /* NULL: they are not chosen yet */
    struct play_way way;
    int64_t end_us; /* of playback; no clip is read ahead for later */
    struct clips_report *report;
};

/* Read the headers of all sources that are no caches. A clip that is damaged is
 * left out, with a message, if there is something else to play; then
 * play_clips_collect refuses it. `together` is the number
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
/* When the headers of all clips are there, choose what plays and look for its
 * skeletons. SPN_PENDING until all are open; an error after a refusal. */
spn_status play_clips_opened(struct play_clips *clips);
/* Refuse an output that is a file which an image names, or a skeleton that was
 * found. Returns false after that. */
bool play_clips_differ(const struct play_clips *clips, const char *output);
/* Play the first clip of each character. Returns false after a refusal. */
bool play_clips_start(struct play_clips *clips, uint64_t now_us);
/* Whether a character waits for its first clip, which has not failed. Call it
 * after each update until playback begins. */
bool play_clips_wait(struct play_clips *clips, uint64_t now_us);

/* The time in which each character has played all its clips once, or one clip
 * of each named, in seconds. */
double play_clips_seconds(const struct play_clips *clips);
/* Playback begins at time 0: look ahead for clips that begin before `end_us`.
 * Returns false after a refusal. */
bool play_clips_begin(struct play_clips *clips, int64_t end_us);
/* Change how time passes, from the next play_clips_set_time on. */
void play_clips_set_way(struct play_clips *clips, struct play_way way);
/* Go to a time of playback, which may jump, and begin the clips that are due;
 * then the caller updates the runtime. */
void play_clips_set_time(struct play_clips *clips, int64_t playback_us,
                         uint64_t now_us);
/* Is there a pose at the time of each character, or will there be none? */
bool play_clips_are_ready(const struct play_clips *clips);
/* Sample the poses of all characters after an update. */
void play_clips_sample(struct play_clips *clips);
/* The same, and count a picture of each. */
void play_clips_show(struct play_clips *clips, uint64_t now_us);
/* Complete the report, and refuse or warn of clips that could not be read. */
void play_clips_collect(struct play_clips *clips);

/* The character that plays for longest. */
struct play_span {
    double last_s;  /* time of its last frame */
    double round_s; /* time from a round to the next */
    double frame_s; /* time between two frames of its first clip */
};
struct play_span play_clips_span(const struct play_clips *clips);

/* The frame at or before the time of a character's clip. */
uint32_t play_clips_frame(const struct play_clips *clips,
                          const struct character *character);

/* The clip that a character plays. */
struct played_clip *play_clips_current(const struct play_clips *clips,
                                       const struct character *character);

#endif
