/* anim_stage.c - see anim_stage.h. */
/* SPDX-License-Identifier: MIT */
#include "support/anim_stage.h"

#include "anim/anim_clips.h"
#include "harness.h"
#include "runtime.h"
#include "support/clip_bytes.h"

#include <stdlib.h>
#include <string.h>

#define TICKS_MAX 4000

static void keep_event(void *user, const spn_anim_event *event)
{
    struct anim_stage *s = user;

    CHECK(s->event_count < ANIM_STAGE_EVENTS_MAX);
    s->events[s->event_count++] = *event;
}

void anim_stage_init(struct anim_stage *s, uint32_t count, uint32_t bytes,
                     bool has_database)
{
    memset(s, 0, sizeof *s);
    stage_init(&s->stage, NULL);
    tiny_clips_init(&s->clips, "a", count, bytes);
    if (has_database) {
        s->database = tiny_clips_database(&s->clips);
        s->image = tiny_clips_image_of(&s->clips, "d.sad", &s->database);
        slow_platform_add(&s->stage.disc, "d.sad", s->database.bytes,
                          s->database.size);
    } else {
        s->image = tiny_clips_image(&s->clips);
        for (uint32_t i = 0; i < count; i++)
            slow_platform_add(&s->stage.disc, s->clips.sources[i].name,
                              s->clips.sources[i].bytes,
                              s->clips.sources[i].byte_count);
    }
    slow_platform_add(&s->stage.disc, "i.sai", s->image.bytes, s->image.size);
    s->image_path = "i.sai";
    s->stage.config.anim_count = count;
    s->stage.config.heap_page_bytes = 4096;
}

void anim_stage_open(struct anim_stage *s)
{
    stage_start(&s->stage);
    CHECK_EQ(spn_anim_get_image_status(s->stage.rt, NULL), SPN_EMPTY);
    CHECK_EQ(spn_anim_open_image(s->stage.rt, s->image_path), SPN_OK);
    for (int i = 0; i < TICKS_MAX; i++)
        if (spn_anim_get_image_status(s->stage.rt, NULL) == SPN_PENDING)
            anim_stage_tick(s, STAGE_TICK_US);
    CHECK_EQ(spn_anim_get_image_status(s->stage.rt, NULL), SPN_OK);
    CHECK_EQ(spn_anim_listen(s->stage.rt, keep_event, s), SPN_OK);
    if (s->database.size > 0)
        CHECK_EQ(spn_anim_database_find(s->stage.rt, "d.sad", &s->d), SPN_OK);
}

void anim_stage_close(struct anim_stage *s)
{
    stage_close(&s->stage);
    tiny_clips_free(&s->clips);
}

spn_anim anim_stage_clip(const struct anim_stage *s, uint32_t source)
{
    spn_anim anim = 0;

    CHECK_EQ(spn_anim_find(s->stage.rt, s->clips.sources[source].name, &anim),
             SPN_OK);
    return anim;
}

void anim_stage_tick(struct anim_stage *s, uint32_t us)
{
    stage_tick(&s->stage, us);
}

void anim_stage_run(struct anim_stage *s, uint32_t us)
{
    for (uint32_t at = 0; at < us; at += STAGE_TICK_US)
        anim_stage_tick(s, STAGE_TICK_US);
}

spn_status anim_stage_status(const struct anim_stage *s, spn_anim anim)
{
    return spn_anim_get_status(s->stage.rt, anim, NULL);
}

void anim_stage_add_ref(struct anim_stage *s, spn_anim anim)
{
    CHECK_EQ(spn_anim_add_ref(s->stage.rt, anim), SPN_OK);
}

void anim_stage_release(struct anim_stage *s, spn_anim anim)
{
    CHECK_EQ(spn_anim_release(s->stage.rt, anim), SPN_OK);
}

uint64_t anim_stage_until(struct anim_stage *s, spn_anim anim,
                          spn_status status)
{
    const uint64_t begin_us = s->stage.disc.clock_us;

    for (int i = 0; i < TICKS_MAX; i++) {
        if (spn_anim_get_status(s->stage.rt, anim, NULL) == status)
            return s->stage.disc.clock_us - begin_us;
        anim_stage_tick(s, STAGE_TICK_US);
    }
    CHECK_EQ(spn_anim_get_status(s->stage.rt, anim, NULL), status);
    return 0;
}

static spn_status database_status(const struct anim_stage *s)
{
    spn_anim_database_state state;

    CHECK_EQ(spn_anim_database_get_state(s->stage.rt, s->d, &state), SPN_OK);
    return state.status;
}

uint64_t anim_stage_until_database(struct anim_stage *s, spn_status status)
{
    const uint64_t begin_us = s->stage.disc.clock_us;

    for (int i = 0; i < TICKS_MAX; i++) {
        if (database_status(s) == status)
            return s->stage.disc.clock_us - begin_us;
        anim_stage_tick(s, STAGE_TICK_US);
    }
    CHECK_EQ(database_status(s), status);
    return 0;
}

void anim_stage_check_bytes(const struct anim_stage *s, uint32_t source)
{
    const struct clip_input *c = &s->clips.sources[source];
    const spn_anim clip = anim_stage_clip(s, source);
    uint8_t *bounce = malloc(c->byte_count);
    const void *bytes = NULL;

    CHECK(bounce);
    CHECK_EQ(clip_bytes(s->stage.rt, clip, 0, c->byte_count, bounce, &bytes),
             SPN_OK);
    CHECK_MEM(bytes, c->bytes, c->byte_count);
    CHECK_EQ(clip_bytes(s->stage.rt, clip, 5, 17, bounce, &bytes), SPN_OK);
    CHECK_MEM(bytes, c->bytes + 5, 17);
    CHECK_EQ(clip_bytes(s->stage.rt, clip, 1, c->byte_count, bounce, &bytes),
             SPN_ERR_RANGE);
    free(bounce);
}

spn_anim_stats anim_stage_stats(const struct anim_stage *s)
{
    spn_anim_stats stats;

    CHECK_EQ(spn_anim_get_stats(s->stage.rt, &stats), SPN_OK);
    return stats;
}

uint32_t anim_stage_count(const struct anim_stage *s, spn_anim_event_kind kind,
                          spn_anim anim, spn_anim_database database)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < s->event_count; i++)
        count += s->events[i].kind == kind &&
                 (anim == 0 || s->events[i].anim == anim) &&
                 (database == 0 || s->events[i].database == database);
    return count;
}

void anim_stage_set(struct anim_stage *s, const char *name, const char *value)
{
    CHECK_EQ(spn_tuning_set(s->stage.rt, name, value), SPN_OK);
}
