/* clip_script.h - what a game does with animation clips and caches, and when.
 *
 * `simulate` plays a script with the real runtime. A script is a text:
 *
 *   # files in the paks
 *   image     animations.sai
 *   skeleton  hero.sas
 *   set       anim_ahead_ms=1500
 *   # seconds, what, options, name
 *   0         preload hero.sad
 *   0.5       play    for=3 rate=0.5 loop=always hero/wave.sac
 *   0.5       refer   for=10 hero/run.sac
 *   4         cue     hero/spline.sac
 *   8         lock    for=2 hero.sad
 *   9         stream  for=10 sea.sgc
 *
 *   image NAME     the header image
 *   clip NAME      instead of an image: a single clip, any number of lines
 *   skeleton NAME  a skeleton that is open all the time
 *   set NAME=VALUE a tuning variable (spindle/tuning.h)
 *   pictures N     pictures a second, 5 to 240 [60]
 *
 *   T play CLIP     the clip plays for `for` seconds [until its end], `rate`
 *                   times as fast [1], negative: backwards; loop=clip, always
 *                   or never [clip: if its header says so]
 *   T cue CLIP      the same, and a timeline knows the time before
 *   T refer CLIP    a reference for `for` seconds [until the end of the run]
 *   T preload DATABASE
 *   T lock DATABASE a lock for `for` seconds [until the end of the run]
 *   T stream CACHE  a cache plays in a loop, for `for` seconds [until its first
 *                   pass ends], `rate` times as fast [1]
 *
 * Times have up to 6 decimals and do not decrease. A name extends to the end of
 * its line. Lines that begin with `#` are comments.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_CLIP_SCRIPT_H
#define OFFLINE_SIMULATE_CLIP_SCRIPT_H

#include "common/arena.h"
#include "common/diag.h"

#include <spindle/anim_sample.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIP_SCRIPT_BYTES_MAX (16u << 20)
#define CLIP_SCRIPT_SECONDS_MAX 86400u
#define CLIP_SCRIPT_PLAYS_MAX 65535u
#define CLIP_SCRIPT_STREAMS_MAX 1024u
#define CLIP_SCRIPT_RATE_MAX 8000 /* in thousandths */

enum clip_action_kind {
    CLIP_PLAY,
    CLIP_CUE,
    CLIP_REFER,
    CLIP_PRELOAD,
    CLIP_LOCK,
    CLIP_STREAM,
    CLIP_ACTIONS
};

/* A name in a line of the script. */
struct clip_name {
    const char *text;
    uint32_t line; /* from 1 */
};

struct clip_action {
    enum clip_action_kind kind;
    struct clip_name name; /* of a clip, a database or a cache */
    uint64_t at_us;
    uint64_t for_us;       /* 0: not given */
    int32_t rate_permille; /* of a play, cue or stream; not 0 */
    spn_anim_loop loop;    /* of a play or cue */
};

/* Everything is of an arena. */
struct clip_script {
    const char *path;
    struct clip_name image;  /* text NULL: there is none */
    struct clip_name *clips; /* single clips */
    uint32_t clip_count;
    struct clip_name *skeletons;
    uint32_t skeleton_count;
    struct clip_name *settings; /* "NAME=VALUE" */
    uint32_t setting_count;
    uint32_t picture_rate;       /* a second */
    struct clip_action *actions; /* by time */
    uint32_t action_count;       /* > 0 */
    uint32_t play_count;         /* plays and cues of these */
    uint32_t stream_count;       /* streams of these */
    uint64_t last_us; /* the last time that the script names, or an end that
                       * follows from `for` */
};

/* Parse `bytes` of `text`; `path` is for messages, and kept. Returns false
 * after a refusal with file, line and value. */
bool clip_script_parse(const char *path, const char *text, size_t bytes,
                       struct arena *arena, struct clip_script *out,
                       struct diag *diag);
/* Read the file and parse it. */
bool clip_script_read(const char *path, struct arena *arena,
                      struct clip_script *out, struct diag *diag);

/* Refuse a name: "SCRIPT: line 3: NAME: what". Always returns false. */
bool clip_script_refuse(const struct clip_script *script,
                        const struct clip_name *name, struct diag *diag,
                        const char *what);

#endif
