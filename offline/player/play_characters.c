/* play_characters.c - play one clip after the other, and count.
 *
 * The time of playback decides which clip of a character plays: its clips fill
 * a round, and rounds follow each other. So the time may jump, and run back.
 */
/* SPDX-License-Identifier: MIT */
#include "player/play_characters.h"

#include "common/fault_text.h"

#include <math.h>
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

struct played_clip *play_clips_current(const struct play_clips *clips,
                                       const struct character *character)
{
    return clip_of(clips, character, character->current);
}

static int64_t round_of(const struct character *character)
{
    return character->starts[character->clip_count];
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

/* Where the clips of a character begin in a round. */
static void plan_round(struct play_clips *clips, struct character *character)
{
    int64_t us = 0;

    character->starts =
        ARENA_NEW(clips->arena, int64_t, character->clip_count + 1);
    for (uint32_t k = 0; k < character->clip_count; k++) {
        const uint64_t clip_us = clip_of(clips, character, k)->info.duration_us;

        character->starts[k] = us;
        us += clip_us > 0 ? (int64_t)clip_us : FRAME_US;
    }
    character->starts[character->clip_count] = us;
}

bool play_characters_choose(struct play_clips *clips)
{
    uint32_t count = 0;

    clips->characters =
        ARENA_NEW(clips->arena, struct character, clips->character_count);
    for (uint32_t i = 0; i < clips->paks->source_count; i++) {
        spn_anim anim;
        spn_anim *own;

        anim = 0;
        if (!clips->is_left_out[i] &&
            !find_named(clips, &clips->paks->sources[i], &anim))
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
    for (uint32_t i = 0; i < clips->character_count; i++)
        plan_round(clips, &clips->characters[i]);
    return true;
}

/* -- plays -- */

static spn_status set_mode(const struct play_clips *clips,
                           const struct character *character)
{
    return spn_anim_play_set_mode(clips->rt, character->play,
                                  clips->way.is_once ? SPN_ANIM_LOOP_NEVER
                                                     : SPN_ANIM_LOOP_ALWAYS,
                                  clips->way.direction);
}

static bool start(struct play_clips *clips, struct character *character,
                  uint64_t now_us)
{
    struct played_clip *clip = play_clips_current(clips, character);
    spn_anim_play_state state = {0};
    spn_status status = spn_anim_play_start(
        clips->rt, character->clips[character->current], &character->play);

    if (status == SPN_OK)
        status = set_mode(clips, character);
    if (status == SPN_OK)
        status = spn_anim_play_get_state(clips->rt, character->play, &state);
    if (status != SPN_OK)
        return fault_refuse_status(clips->diag, clip->label, status, NULL);
    play_pose_begin(&character->pose, clips->rt,
                    play_skeletons_get(&clips->skeletons,
                                       character->clips[character->current]));
    clip->plays++;
    character->is_waiting = !state.is_ready;
    clip->waits += character->is_waiting;
    character->started_us = now_us;
    return true;
}

/* A pose that is large enough for all clips of the character. */
static void make_pose(struct play_clips *clips, struct character *character)
{
    uint32_t joint_count = 0;

    for (uint32_t k = 0; k < character->clip_count; k++) {
        const struct play_skeleton *skeleton =
            play_skeletons_get(&clips->skeletons, character->clips[k]);

        if (skeleton && skeleton->info.joint_count > joint_count)
            joint_count = skeleton->info.joint_count;
    }
    play_pose_init(&character->pose, joint_count, clips->arena);
}

bool play_characters_start(struct play_clips *clips, uint64_t now_us)
{
    for (uint32_t i = 0; i < clips->character_count; i++) {
        make_pose(clips, &clips->characters[i]);
        if (!start(clips, &clips->characters[i], now_us))
            return false;
    }
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
        clip = play_clips_current(clips, character);
        character->is_waiting = !state.is_ready;
        must_wait |= character->is_waiting && clip->failures == 0;
        played_clip_waited(clip, character->started_us, now_us);
    }
    return must_wait;
}

/* -- playback -- */

double play_clips_seconds(const struct play_clips *clips)
{
    int64_t longest_us = 0;

    for (uint32_t i = 0; i < clips->character_count; i++)
        if (round_of(&clips->characters[i]) > longest_us)
            longest_us = round_of(&clips->characters[i]);
    return (double)longest_us * 1e-6;
}

static bool is_backwards(const struct play_clips *clips)
{
    return clips->way.direction < 0;
}

/* The time of a timeline, which runs forwards: that of playback, or its
 * negative if that runs backwards. */
static int64_t on_timeline(const struct play_clips *clips, int64_t playback_us)
{
    return is_backwards(clips) ? -playback_us : playback_us;
}

/* Backwards a clip begins at its last microsecond. Cue `i` is in the current
 * round or the one before. Returns whether it will play. */
static bool make_cue_back(const struct play_clips *clips,
                          const struct character *character, uint32_t i,
                          spn_anim_cue *cue)
{
    const uint32_t k = character->clip_count - 1 - i % character->clip_count;
    const int64_t round = character->round - i / character->clip_count;
    const int64_t end_us =
        round * round_of(character) + character->starts[k + 1];

    *cue = (spn_anim_cue){1 - end_us, character->clips[k]};
    return end_us > 0 || !clips->way.is_once;
}

/* Give the timeline the cues of the current round and the next one, but none
 * before `begin_us`. The timeline still has the array from before. */
static spn_status set_cues(struct play_clips *clips,
                           struct character *character, int64_t begin_us)
{
    spn_anim_cue *cues = character->cues[1];
    uint32_t count = 0;

    character->cues[1] = character->cues[0];
    character->cues[0] = cues;
    for (uint32_t i = 0; i < 2 * character->clip_count; i++) {
        const uint32_t k = i % character->clip_count;
        const int64_t round = character->round + i / character->clip_count;
        const int64_t us = round * round_of(character) + character->starts[k];

        if (is_backwards(clips))
            count += make_cue_back(clips, character, i, &cues[count]);
        else if (us >= begin_us && us < clips->end_us)
            cues[count++] = (spn_anim_cue){us, character->clips[k]};
    }
    return spn_anim_timeline_set_cues(clips->rt, character->timeline, cues,
                                      count);
}

static bool make_timeline(struct play_clips *clips, struct character *character)
{
    spn_status status =
        spn_anim_timeline_create(clips->rt, &character->timeline);

    for (int i = 0; i < 2; i++)
        character->cues[i] =
            ARENA_NEW(clips->arena, spn_anim_cue, 2 * character->clip_count);
    /* The first clip plays. */
    if (status == SPN_OK)
        status = set_cues(clips, character, 1);
    return status == SPN_OK ||
           fault_refuse_status(clips->diag, "timeline", status, NULL);
}

bool play_clips_begin(struct play_clips *clips, int64_t end_us)
{
    clips->end_us = end_us;
    for (uint32_t i = 0; i < clips->character_count; i++)
        if (clips->characters[i].clip_count > 1 &&
            !make_timeline(clips, &clips->characters[i]))
            return false;
    return true;
}

/* Look ahead in the other direction. */
static void turn(struct play_clips *clips, struct character *character)
{
    const int64_t playback_us = character->round * round_of(character) +
                                character->starts[character->current] +
                                character->time_us;

    (void)set_cues(clips, character, INT64_MIN);
    (void)spn_anim_timeline_jump(clips->rt, character->timeline,
                                 on_timeline(clips, playback_us));
}

void play_clips_set_way(struct play_clips *clips, struct play_way way)
{
    const bool turns = is_backwards(clips) != (way.direction < 0);

    clips->way = way;
    for (uint32_t i = 0; i < clips->character_count; i++) {
        struct character *character = &clips->characters[i];

        (void)set_mode(clips, character);
        if (turns && character->timeline != 0)
            turn(clips, character);
    }
}

static double frame_us_of(const spn_anim_info *info)
{
    return 1e6 * info->rate_denominator / info->rate_numerator;
}

/* The number of the frame at or before a time, counted through all rounds. */
static double find_frame(const spn_anim_info *info, int64_t time_us)
{
    /* Times are whole microseconds: a frame may lie half of one earlier. */
    return floor(((double)time_us + 0.5) / frame_us_of(info));
}

/* Frames of a round of a clip that loops. */
static uint32_t frames_of(const spn_anim_info *info)
{
    return info->frame_count > 1 && (info->flags & SPN_ANIM_CLOSES)
               ? info->frame_count - 1
               : info->frame_count;
}

uint32_t play_clips_frame(const struct play_clips *clips,
                          const struct character *character)
{
    const spn_anim_info *info = &play_clips_current(clips, character)->info;
    const double frame = find_frame(info, character->time_us);
    const double count = frames_of(info);

    if (clips->way.is_once)
        return (uint32_t)fmax(0, fmin(info->frame_count - 1, frame));
    return (uint32_t)(frame - floor(frame / count) * count);
}

struct play_span play_clips_span(const struct play_clips *clips)
{
    struct play_span longest = {0};

    for (uint32_t i = 0; i < clips->character_count; i++) {
        const struct character *character = &clips->characters[i];
        const spn_anim_info *info = &clip_of(clips, character, 0)->info;
        const double frame_s = frame_us_of(info) * 1e-6;
        struct play_span span = {
            .last_s = (double)round_of(character) * 1e-6,
            .round_s = (double)round_of(character) * 1e-6,
            .frame_s = frame_s,
        };

        if (character->clip_count == 1) {
            span.last_s = (info->frame_count - 1) * frame_s;
            span.round_s = frames_of(info) * frame_s;
        }
        if (span.round_s > longest.round_s)
            longest = span;
    }
    return longest;
}

/* Find the round and the clip of a time. */
static uint32_t find_clip(const struct play_clips *clips,
                          const struct character *character,
                          int64_t playback_us, int64_t *round)
{
    const int64_t whole = round_of(character);
    int64_t us = playback_us;
    uint32_t k = 0;

    *round = 0;
    if (clips->way.is_once) {
        us = us < 0 ? 0 : us < whole ? us : whole - 1;
    } else {
        *round = us / whole - (us % whole < 0);
        us -= *round * whole;
    }
    while (k + 1 < character->clip_count && character->starts[k + 1] <= us)
        k++;
    return k;
}

/* Returns false after a refusal. */
static bool set_time(struct play_clips *clips, struct character *character,
                     int64_t playback_us, uint64_t now_us)
{
    const struct played_clip *clip;
    int64_t round = 0;
    uint32_t k = 0;

    /* A single clip loops by itself: its time goes on. */
    if (character->clip_count > 1)
        k = find_clip(clips, character, playback_us, &round);
    if (character->timeline != 0)
        (void)spn_anim_timeline_set_time(clips->rt, character->timeline,
                                         on_timeline(clips, playback_us));
    if (round != character->round) {
        character->round = round;
        (void)set_cues(clips, character, INT64_MIN);
    }
    if (k != character->current) {
        character->current = k;
        (void)spn_anim_play_stop(clips->rt, character->play);
        if (!start(clips, character, now_us))
            return false;
    }
    clip = play_clips_current(clips, character);
    character->time_us =
        playback_us - round * round_of(character) - character->starts[k];
    if (clips->way.is_by_frames)
        character->time_us =
            (int64_t)ceil(find_frame(&clip->info, character->time_us) *
                          frame_us_of(&clip->info));
    (void)spn_anim_play_set_time(clips->rt, character->play,
                                 character->time_us);
    return true;
}

void play_clips_set_time(struct play_clips *clips, int64_t playback_us,
                         uint64_t now_us)
{
    for (uint32_t i = 0; i < clips->character_count; i++)
        if (!set_time(clips, &clips->characters[i], playback_us, now_us))
            return;
}

bool play_clips_are_ready(const struct play_clips *clips)
{
    for (uint32_t i = 0; i < clips->character_count; i++) {
        const struct character *character = &clips->characters[i];
        spn_anim_play_state state;

        if (spn_anim_play_get_state(clips->rt, character->play, &state) ==
                SPN_OK &&
            state.pose == SPN_PENDING &&
            spn_anim_get_status(clips->rt, state.anim, NULL) >= SPN_OK)
            return false;
    }
    return true;
}

void play_clips_sample(struct play_clips *clips)
{
    for (uint32_t i = 0; i < clips->character_count; i++)
        play_pose_sample(&clips->characters[i].pose, clips->rt,
                         clips->characters[i].play,
                         clips->characters[i].time_us);
}

void play_clips_show(struct play_clips *clips, uint64_t now_us)
{
    (void)play_clips_wait(clips, now_us);
    play_clips_sample(clips);
    for (uint32_t i = 0; i < clips->character_count; i++) {
        struct character *character = &clips->characters[i];
        struct played_clip *clip = play_clips_current(clips, character);
        spn_anim_play_state state = {.pose = SPN_PENDING};

        (void)spn_anim_play_get_state(clips->rt, character->play, &state);
        played_clip_show(clip, !character->is_waiting, &state);
        clip->poses += character->pose.state == PLAY_POSE_SAMPLED;
        clip->root_metres += character->pose.step_metres;
    }
}
