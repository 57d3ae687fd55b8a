/* pose_stage.h - a stage (stage.h) with compiled clips and their skeletons, for
 * tests of poses.
 *
 * Clip number i is the file "i.sac", its skeleton "i.sas", and the image has
 * all clips. After pose_stage_pack they are in the database "d.sad" instead.
 * Clips that were made with the same number of joints and the same seed have
 * the same skeleton. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_POSE_STAGE_H
#define TESTS_POSE_STAGE_H

#include "support/made_motion.h"
#include "support/stage.h"

#include "anim/clip_index_writer.h"
#include "anim/encode/anim_encode.h"
#include "common/diag.h"

#include <spindle/anim.h>
#include <stdbool.h>
#include <stdint.h>

#define POSE_STAGE_CLIPS_MAX 24u
#define POSE_STAGE_EVENTS_MAX 256u

struct pose_stage {
    struct stage stage;
    struct arena arena;
    struct diag diag;
    struct anim_file clips[POSE_STAGE_CLIPS_MAX];
    struct anim_file skeletons[POSE_STAGE_CLIPS_MAX];
    struct dense_clip dense[POSE_STAGE_CLIPS_MAX];
    struct clip_input inputs[POSE_STAGE_CLIPS_MAX];
    uint32_t count;
    spn_anim_event events[POSE_STAGE_EVENTS_MAX];
    uint32_t event_count;
    /* With config.job_submit: each tick runs all jobs, as worker 0. */
    bool runs_jobs;
    bool has_database; /* after pose_stage_pack */
};

void pose_stage_init(struct pose_stage *s);
/* Compile a clip; the bytes of `clips` and `skeletons` may be changed before
 * pose_stage_open.
 *
 * flags  SPN_ANIM_... of its header. SPN_ANIM_CLOSES makes the last frame
 *        equal to the first; with SPN_ANIM_HAS_ROOT_MOTION, but for the travel
 *        of the root */
uint32_t pose_stage_add(struct pose_stage *s, const struct made_motion *made,
                        uint32_t flags);
/* What an image says about a clip is read from its file. All memory is in
 * `arena`; `name` and the bytes are borrowed.
 *
 * flags  SPN_ANIM_... */
struct clip_input pose_clip_input(struct arena *arena,
                                  const struct anim_file *file,
                                  const char *name, uint32_t flags);
/* Add another clip with the bytes of a clip. */
uint32_t pose_stage_copy(struct pose_stage *s, uint32_t clip);
/* Bring all clips, which have one skeleton, to the form that they have in a
 * database; pose_stage_open then puts them into "d.sad" instead of files. */
void pose_stage_pack(struct pose_stage *s);
/* Start the runtime, and open the image, or name all clips if the config has
 * loose headers. Events are kept from then on. */
void pose_stage_open(struct pose_stage *s);
void pose_stage_close(struct pose_stage *s);

/* One update, a sixtieth of a second later. */
void pose_stage_tick(struct pose_stage *s);
/* The number of a clip for the runtime. */
spn_anim pose_stage_clip(const struct pose_stage *s, uint32_t clip);
/* Open the skeleton of a clip, and wait until it is open. */
spn_anim_skeleton pose_stage_skeleton(struct pose_stage *s, uint32_t clip);
/* Count kept events of a kind. */
uint32_t pose_stage_events(const struct pose_stage *s,
                           spn_anim_event_kind kind);

#endif
