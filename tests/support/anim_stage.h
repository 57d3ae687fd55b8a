/* anim_stage.h - a stage (stage.h) with an image and made-up clips, for tests
 * of what is in memory.
 *
 * The clips are in one database, "d.sad", or files of their own. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_ANIM_STAGE_H
#define TESTS_ANIM_STAGE_H

#include "support/stage.h"
#include "support/tiny_clips.h"

#include <spindle/anim.h>
#include <stdbool.h>
#include <stdint.h>

#define ANIM_STAGE_EVENTS_MAX 256u

struct anim_stage {
    struct stage stage;
    struct tiny_clips clips;
    struct clip_index_file image;
    struct clip_index_file database;
    spn_anim_event events[ANIM_STAGE_EVENTS_MAX];
    uint32_t event_count;
    spn_anim_database d; /* of "d.sad" */
    const char *image_path;
};

/* Make the files. A zero config gets room for all clips, and a heap of 8 MiB;
 * the test may change s->stage before anim_stage_open. */
void anim_stage_init(struct anim_stage *s, uint32_t count, uint32_t bytes,
                     bool has_database);
/* Start the runtime, and open the image. Events are kept from then on. */
void anim_stage_open(struct anim_stage *s);
void anim_stage_close(struct anim_stage *s);

/* The number of a clip for the runtime. */
spn_anim anim_stage_clip(const struct anim_stage *s, uint32_t source);

/* One update, `us` later. */
void anim_stage_tick(struct anim_stage *s, uint32_t us);
/* Updates of STAGE_TICK_US until `us` have passed. */
void anim_stage_run(struct anim_stage *s, uint32_t us);

spn_status anim_stage_status(const struct anim_stage *s, spn_anim anim);
/* Add or release a reference; it must succeed. */
void anim_stage_add_ref(struct anim_stage *s, spn_anim anim);
void anim_stage_release(struct anim_stage *s, spn_anim anim);

/* Updates until the clip has this status; fails after a limit. Returns the time
 * that has passed. */
uint64_t anim_stage_until(struct anim_stage *s, spn_anim anim,
                          spn_status status);
/* The same for a database. */
uint64_t anim_stage_until_database(struct anim_stage *s, spn_status status);

/* Check all bytes of a clip that is in memory. */
void anim_stage_check_bytes(const struct anim_stage *s, uint32_t source);

spn_anim_stats anim_stage_stats(const struct anim_stage *s);
/* Count kept events of a kind; anim and database 0: of any. */
uint32_t anim_stage_count(const struct anim_stage *s, spn_anim_event_kind kind,
                          spn_anim anim, spn_anim_database database);
void anim_stage_set(struct anim_stage *s, const char *name, const char *value);

#endif
