/* play_characters.c - play one clip after the other, and count. */
/* SPDX-License-Identifier: MIT */
#include "player/play_characters.h"

#include <stdlib.h>
#include <string.h>

/* How long a clip of one frame is shown. */
#define FRAME_US 1000000

static struct played_clip *clip_of(const struct play_clips *clips,
                                   const struct character *character,
                                   uint32_t index)
{
    return &clips->report->clips[character->clips[index] - 1];
}

static int64_t duration_of(const struct play_clips *clips,
                           const struct character *character, uint32_t index)
{
    const uint64_t us = clip_of(clips, character, index)->info.duration_us;

    return us > 0 ? (int64_t)us : FRAME_US;
}

static uint32_t next_of(const struct character *character, uint32_t index)
{
    return index + 1 < character->clip_count ? index + 1 : 0;
}

/* -- choice -- */

static int by_label(const void *a, const void *b)
{
    return strcmp((*(const struct played_clip *const *)a)->label,
                  (*(const struct played_clip *const *)b)->label);
}

/* Sort the clips of the image, and deal them out to characters from `first` on.
 */
static void deal(struct play_clips *clips, uint32_t first)
{
    const struct clips_report *report = clips->report;
    const uint32_t together = clips->character_count - first;
    const struct played_clip **sorted =
        ARENA_NEW(clips->arena, const struct played_clip *, report->clip_count);

    for (uint32_t i = 0; i < report->clip_count; i++)
        sorted[i] = &report->clips[i];
    if (report->clip_count > 0)
        qsort(sorted, report->clip_count, sizeof *sorted, by_label);
    for (uint32_t i = 0; i < together; i++) {
        struct character *character = &clips->characters[first + i];
        spn_anim *own = ARENA_NEW(clips->arena, spn_anim,
                                  report->clip_count / together + 1);

        for (uint32_t k = i; k < report->clip_count; k += together)
            own[character->clip_count++] =
                (spn_anim)(sorted[k] - report->clips) + 1;
        character->clips = own;
    }
}

/* The clip that a source names: 0 if it names none. */
static bool find_named(const struct play_clips *clips,
                       const struct play_source *source, spn_anim *anim)
{
    const char *name =
        source->kind == OPERAND_IMAGE ? source->clip : source->name;

    *anim = 0;
    if ((source->kind != OPERAND_IMAGE && source->kind != OPERAND_CLIP) ||
        !name)
        return true;
    return spn_anim_find(clips->rt, name, anim) == SPN_OK ||
           diag_refuse(clips->diag, source->operand, DIAG_NO_OFFSET, NULL,
                       "the image has no clip \"%s\"", name);
}

bool play_characters_choose(struct play_clips *clips)
{
    uint32_t count = 0;

    clips->characters =
        ARENA_NEW(clips->arena, struct character, clips->character_count);
    for (uint32_t i = 0; i < clips->paks->source_count; i++) {
        spn_anim anim;
        spn_anim *own;

        if (!find_named(clips, &clips->paks->sources[i], &anim))
            return false;
        if (anim == 0)
            continue;
        own = ARENA_NEW(clips->arena, spn_anim, 1);
        *own = anim;
        clips->characters[count++] =
            (struct character){.clips = own, .clip_count = 1};
    }
    if (count < clips->character_count)
        deal(clips, count);
    return true;
}

/* -- plays -- */

static bool start(struct play_clips *clips, struct character *character,
                  uint64_t now_us)
{
    struct played_clip *clip = clip_of(clips, character, character->current);
    spn_anim_play_state state = {0};
    spn_status status = spn_anim_play_start(
        clips->rt, character->clips[character->current], &character->play);

    if (status == SPN_OK)
        status = spn_anim_play_get_state(clips->rt, character->play, &state);
    if (status != SPN_OK)
        return diag_refuse(clips->diag, clip->label, DIAG_NO_OFFSET, NULL,
                           "%s (%s)", spn_status_text(status),
                           spn_status_name(status));
    clip->plays++;
    character->is_waiting = !state.is_ready;
    clip->waits += character->is_waiting;
    character->started_us = now_us;
    return true;
}

bool play_characters_start(struct play_clips *clips, uint64_t now_us)
{
    for (uint32_t i = 0; i < clips->character_count; i++)
        if (!start(clips, &clips->characters[i], now_us))
            return false;
    return true;
}

bool play_clips_wait(struct play_clips *clips, uint64_t now_us)
{
    bool must_wait = false;

    for (uint32_t i = 0; clips->characters && i < clips->character_count; i++) {
        struct character *character = &clips->characters[i];
        struct played_clip *clip;
        spn_anim_play_state state;

        if (!character->is_waiting ||
            spn_anim_play_get_state(clips->rt, character->play, &state) !=
                SPN_OK)
            continue;
        clip = clip_of(clips, character, character->current);
        character->is_waiting = !state.is_ready;
        must_wait |= character->is_waiting && clip->failures == 0;
        if (now_us - character->started_us > clip->first_pose_us)
            clip->first_pose_us = now_us - character->started_us;
    }
    return must_wait;
}

/* -- playback -- */

double play_clips_seconds(const struct play_clips *clips)
{
    int64_t longest_us = 0;

    for (uint32_t i = 0; i < clips->character_count; i++) {
        int64_t us = 0;

        for (uint32_t k = 0; k < clips->characters[i].clip_count; k++)
            us += duration_of(clips, &clips->characters[i], k);
        longest_us = us > longest_us ? us : longest_us;
    }
    return (double)longest_us * 1e-6;
}

/* The clips that follow the first one, up to the end of the run. The clips of
 * the first round that are still to come, then all again. */
static bool make_timeline(struct play_clips *clips, struct character *character,
                          int64_t end_us)
{
    spn_anim_cue *cues = NULL;
    uint64_t capacity = 0;
    uint32_t count = 0;
    uint32_t index = 0;
    spn_status status;

    for (int64_t us = duration_of(clips, character, 0); us < end_us;
         us += duration_of(clips, character, index)) {
        index = next_of(character, index);
        cues = arena_grow(clips->arena, cues, count, &capacity, sizeof *cues);
        cues[count++] = (spn_anim_cue){us, character->clips[index]};
    }
    status = spn_anim_timeline_create(clips->rt, &character->timeline);
    if (status == SPN_OK)
        status = spn_anim_timeline_set_cues(clips->rt, character->timeline,
                                            cues, count);
    return status == SPN_OK ||
           diag_refuse(clips->diag, "timeline", DIAG_NO_OFFSET, NULL, "%s (%s)",
                       spn_status_text(status), spn_status_name(status));
}

bool play_clips_begin(struct play_clips *clips, double seconds)
{
    for (uint32_t i = 0; i < clips->character_count; i++) {
        struct character *character = &clips->characters[i];

        character->end_us = INT64_MAX;
        if (character->clip_count == 1)
            continue;
        character->end_us = duration_of(clips, character, 0);
        if (!make_timeline(clips, character, (int64_t)(seconds * 1e6)))
            return false;
    }
    return true;
}

static void set_pose_time(const struct play_clips *clips,
                          const struct character *character,
                          int64_t playback_us)
{
    (void)spn_anim_play_set_time(clips->rt, character->play,
                                 playback_us - character->begin_us);
}

void play_clips_set_time(struct play_clips *clips, int64_t playback_us,
                         uint64_t now_us)
{
    for (uint32_t i = 0; i < clips->character_count; i++) {
        struct character *character = &clips->characters[i];

        if (character->timeline != 0)
            (void)spn_anim_timeline_set_time(clips->rt, character->timeline,
                                             playback_us);
        if (playback_us < character->end_us) {
            set_pose_time(clips, character, playback_us);
            continue;
        }
        while (playback_us >= character->end_us) {
            character->begin_us = character->end_us;
            character->current = next_of(character, character->current);
            character->end_us +=
                duration_of(clips, character, character->current);
        }
        (void)spn_anim_play_stop(clips->rt, character->play);
        if (!start(clips, character, now_us))
            return;
        set_pose_time(clips, character, playback_us);
    }
}

void play_clips_show(struct play_clips *clips, uint64_t now_us)
{
    (void)play_clips_wait(clips, now_us);
    for (uint32_t i = 0; i < clips->character_count; i++) {
        const struct character *character = &clips->characters[i];
        struct played_clip *clip =
            clip_of(clips, character, character->current);
        spn_anim_play_state state = {.pose = SPN_PENDING};

        (void)spn_anim_play_get_state(clips->rt, character->play, &state);
        clip->pictures++;
        clip->glitches += character->is_waiting;
        clip->held += !character->is_waiting && state.pose != SPN_OK;
    }
}
