/* play_clips.c - open clips, choose what plays, and close the report.
 * play_characters.c plays them.
 */
/* SPDX-License-Identifier: MIT */
#include "player/play_clips.h"

#include "common/fault_text.h"
#include "host/host.h"
#include "player/clip_header.h"
#include "player/play_characters.h"

#include <inttypes.h>
#include <string.h>

/* Databases that are open at the same time. */
#define DATABASES_OPEN 64u

/* -- headers of files -- */

/* The runtime opens one image. */
static bool add_image(struct play_clips *clips, uint32_t index,
                      const struct clip_header *header)
{
    const struct play_source *source = &clips->paks->sources[index];
    const struct play_source *other;

    clips->plays_all |= source->clip == NULL;
    clips->character_count += source->clip != NULL;
    if (clips->image == UINT32_MAX) {
        clips->image = index;
        clips->anim_count = header->clip_count;
        clips->database_count = header->database_count;
        return true;
    }
    other = &clips->paks->sources[clips->image];
    return (other->pak == source->pak &&
            strcmp(other->name, source->name) == 0) ||
           diag_refuse(clips->diag, source->operand, DIAG_NO_OFFSET, NULL,
                       "a second image beside %s: the runtime opens one",
                       other->operand);
}

/* Read the header of a clip. *is_left_out is set if it is damaged; other
 * failures are refused. */
static bool read_clip(struct play_clips *clips,
                      const struct play_source *source, bool *is_left_out)
{
    struct clip_header header;
    struct diag own;

    diag_init(&own);
    own.is_silent = true;
    *is_left_out = !clip_header_read(clips->paks, source, &header, &own) &&
                   own.code == EXIT_INPUT_REFUSED;
    if (own.code != EXIT_DONE && !*is_left_out)
        diag_repeat(clips->diag, &own);
    diag_finish(&own);
    return !diag_has_failed(clips->diag);
}

static bool add_source(struct play_clips *clips, uint32_t index)
{
    const struct play_source *source = &clips->paks->sources[index];
    struct clip_header header;

    if (source->kind == OPERAND_CACHE)
        return true;
    if (source->kind == OPERAND_CLIP) {
        if (!read_clip(clips, source, &clips->is_left_out[index]))
            return false;
        clips->character_count += !clips->is_left_out[index];
        return true;
    }
    if (!clip_header_read(clips->paks, source, &header, clips->diag))
        return false;
    clips->skeleton_count += source->kind == OPERAND_SKELETON;
    return source->kind != OPERAND_IMAGE || add_image(clips, index, &header);
}

/* Print what is wrong with the clips that are left out. If there is nothing
 * else to play, the first one is refused. */
static bool report_left_out(struct play_clips *clips, bool has_others)
{
    for (uint32_t i = 0; i < clips->paks->source_count; i++) {
        struct clip_header header;
        struct diag own;

        if (!clips->is_left_out[i])
            continue;
        if (!has_others)
            return clip_header_read(clips->paks, &clips->paks->sources[i],
                                    &header, clips->diag);
        if (clips->left_out == UINT32_MAX)
            clips->left_out = i;
        diag_init(&own);
        (void)clip_header_read(clips->paks, &clips->paks->sources[i], &header,
                               &own);
        diag_finish(&own);
    }
    return true;
}

bool play_clips_init(struct play_clips *clips, const struct play_paks *paks,
                     uint32_t together, struct arena *arena, struct diag *diag)
{
    uint32_t loose = UINT32_MAX;
    bool has_cache = false;

    *clips = (struct play_clips){
        .paks = paks,
        .arena = arena,
        .diag = diag,
        .image = UINT32_MAX,
        .is_left_out = ARENA_NEW(arena, bool, paks->source_count),
        .left_out = UINT32_MAX,
    };
    for (uint32_t i = 0; i < paks->source_count; i++) {
        if (!add_source(clips, i))
            return false;
        loose = paks->sources[i].kind == OPERAND_CLIP ? i : loose;
        has_cache |= paks->sources[i].kind == OPERAND_CACHE;
    }
    if (!report_left_out(clips, has_cache || clips->character_count > 0))
        return false;
    if (loose != UINT32_MAX && clips->image != UINT32_MAX)
        return diag_refuse(diag, paks->sources[loose].operand, DIAG_NO_OFFSET,
                           NULL,
                           "a clip beside the image %s: the runtime takes "
                           "clips from an image, or single ones",
                           paks->sources[clips->image].operand);
    if (loose != UINT32_MAX)
        clips->anim_count = clips->character_count;
    else if (clips->plays_all)
        clips->character_count +=
            together < clips->anim_count ? together : clips->anim_count;
    if (clips->skeleton_count > 0 && loose == UINT32_MAX &&
        clips->anim_count == 0)
        return diag_refuse(diag, "operands", DIAG_NO_OFFSET, NULL,
                           "a skeleton without clips");
    return true;
}

/* -- the runtime's tables -- */

uint32_t play_clips_files(const struct play_clips *clips)
{
    return clips->anim_count == 0
               ? 0
               : clips->anim_count + clips->database_count +
                     clips->skeleton_count + PLAY_SKELETONS_FOUND + 1;
}

void play_clips_configure(const struct play_clips *clips, spn_config *config)
{
    const uint32_t open = clips->database_count < DATABASES_OPEN
                              ? clips->database_count
                              : DATABASES_OPEN;

    if (clips->anim_count == 0)
        return;
    config->anim_count = clips->anim_count;
    config->anim_database_count = clips->database_count;
    config->anim_skeleton_count = clips->skeleton_count + PLAY_SKELETONS_FOUND;
    config->anim_play_count = clips->character_count;
    config->anim_timeline_count = clips->character_count;
    config->anim_has_loose_headers = clips->image == UINT32_MAX;
    config->file_count +=
        clips->skeleton_count + PLAY_SKELETONS_FOUND + open +
        (clips->character_count < DATABASES_OPEN ? clips->character_count
                                                 : DATABASES_OPEN);
    if (clips->character_count > 256)
        config->anim_loaded_count = 4 * clips->character_count;
}

/* -- opening -- */

static bool open_source(struct play_clips *clips, uint32_t index)
{
    const struct play_source *source = &clips->paks->sources[index];
    spn_status status = SPN_OK;

    switch (source->kind) {
    case OPERAND_CLIP:
        if (!clips->is_left_out[index])
            status = spn_anim_add_file(clips->rt, source->name);
        break;
    case OPERAND_IMAGE:
        if (index == clips->image)
            status = spn_anim_open_image(clips->rt, source->name);
        break;
    case OPERAND_SKELETON:
        return play_skeletons_add(&clips->skeletons, source);
    case OPERAND_CACHE:
        break;
    }
    return status == SPN_OK ||
           fault_refuse_status(clips->diag, source->operand, status, NULL);
}

static void on_event(void *user, const spn_anim_event *event)
{
    const struct play_clips *clips = user;

    played_clips_count(clips->report, clips->rt, event);
}

bool play_clips_open(struct play_clips *clips, spn_runtime *rt,
                     struct clips_report *report)
{
    clips->rt = rt;
    clips->report = report;
    play_skeletons_init(&clips->skeletons, clips->paks, rt,
                        clips->skeleton_count, clips->arena, clips->diag);
    for (uint32_t i = 0; clips->anim_count > 0 && i < clips->paks->source_count;
         i++)
        if (!open_source(clips, i))
            return false;
    return true;
}

/* The operand that the runtime opened under a name. */
static const char *label_of(const struct play_clips *clips, const char *name)
{
    for (uint32_t i = 0; i < clips->paks->source_count; i++)
        if (strcmp(clips->paks->sources[i].name, name) == 0)
            return clips->paks->sources[i].operand;
    return name;
}

/* -- what plays -- */

static bool list_clips(struct play_clips *clips)
{
    struct clips_report *report = clips->report;

    if (!played_clips_list(report, clips->rt, clips->arena, clips->diag))
        return false;
    for (uint32_t i = 0; i < report->clip_count && clips->image == UINT32_MAX;
         i++)
        report->clips[i].label = label_of(clips, report->clips[i].info.name);
    return true;
}

/* The image, or the file of a single clip. */
static const struct play_source *source_of(const struct play_clips *clips,
                                           const struct played_clip *clip)
{
    const struct play_source *source = clips->paks->sources;

    if (clips->image != UINT32_MAX)
        return source + clips->image;
    while (strcmp(source->name, clip->info.name) != 0)
        source++;
    return source;
}

/* Call `visit` for each clip that a character plays, until it returns false. */
static bool for_each_played(struct play_clips *clips,
                            bool (*visit)(struct play_clips *clips,
                                          spn_anim anim))
{
    for (uint32_t i = 0; i < clips->character_count; i++)
        for (uint32_t k = 0; k < clips->characters[i].clip_count; k++)
            if (!visit(clips, clips->characters[i].clips[k]))
                return false;
    return true;
}

static bool search_skeleton(struct play_clips *clips, spn_anim anim)
{
    const struct played_clip *clip = &clips->report->clips[anim - 1];

    return play_skeletons_search(&clips->skeletons, source_of(clips, clip),
                                 clips->image != UINT32_MAX ? clip->info.name
                                                            : NULL,
                                 clip->info.skeleton);
}

/* Was a clip of the same skeleton warned of before? */
static bool is_warned(const struct play_clips *clips, spn_anim anim)
{
    const struct played_clip *all = clips->report->clips;

    for (uint32_t i = 0; i < clips->report->clip_count; i++)
        if (all[i].is_warned && i != anim - 1 &&
            all[i].info.skeleton == all[anim - 1].info.skeleton &&
            all[i].info.rest_pose_hash == all[anim - 1].info.rest_pose_hash)
            return true;
    return false;
}

/* If skeletons were given, each clip that plays must have one. */
static bool choose_skeleton(struct play_clips *clips, spn_anim anim)
{
    struct played_clip *clip = &clips->report->clips[anim - 1];
    const struct play_skeleton *skeleton =
        play_skeletons_get(&clips->skeletons, anim);

    if (!skeleton && clips->skeleton_count > 0)
        return diag_refuse(clips->diag, clip->label, DIAG_NO_OFFSET, NULL,
                           "is for a skeleton with the hash %016" PRIx64
                           ", which is no operand and not in its folder",
                           clip->info.skeleton);
    clip->skeleton_label = skeleton ? skeleton->label : NULL;
    clip->is_warned =
        !skeleton || skeleton->info.rest_pose_hash != clip->info.rest_pose_hash;
    if (!clip->is_warned || is_warned(clips, anim))
        return true;
    if (skeleton)
        diag_warn(clips->diag, clip->label, NULL,
                  "is for the rest pose %08" PRIx32 ", but %s has %08" PRIx32,
                  clip->info.rest_pose_hash, skeleton->label,
                  skeleton->info.rest_pose_hash);
    else
        diag_warn(clips->diag, clip->label, NULL,
                  "no skeleton (.sas) in its folder has the hash %016" PRIx64
                  ": name one; without it there are no poses",
                  clip->info.skeleton);
    return true;
}

/* Refuse what the runtime says of the image, or of the first bad clip. */
static spn_status headers_status(struct play_clips *clips)
{
    spn_fault fault = {0};
    spn_status status = spn_anim_get_image_status(clips->rt, &fault);

    if (status < SPN_OK)
        fault_refuse_status(clips->diag,
                            clips->image != UINT32_MAX
                                ? clips->paks->sources[clips->image].operand
                            : fault.file ? label_of(clips, fault.file)
                                         : "clips",
                            status, &fault);
    return status;
}

spn_status play_clips_opened(struct play_clips *clips)
{
    spn_status status;

    if (clips->anim_count == 0)
        return SPN_OK;
    status = headers_status(clips);
    if (status != SPN_OK)
        return status;
    if (!clips->characters &&
        (!list_clips(clips) || !play_characters_choose(clips) ||
         !for_each_played(clips, search_skeleton)))
        return SPN_ERR_STATE;
    status = play_skeletons_opened(&clips->skeletons);
    if (status == SPN_OK && !for_each_played(clips, choose_skeleton))
        return SPN_ERR_STATE;
    return status;
}

bool play_clips_differ(const struct play_clips *clips, const char *output)
{
    const struct play_source *image =
        clips->image != UINT32_MAX ? &clips->paks->sources[clips->image] : NULL;
    const char *folder;

    for (uint32_t i = 0; i < clips->skeletons.count; i++)
        if (!host_output_differs(output, clips->skeletons.items[i].label,
                                 clips->diag))
            return false;
    if (!image || image->pak != UINT32_MAX)
        return true;
    folder = operand_folder(image->path, clips->arena);
    for (uint32_t i = 1; i <= clips->database_count; i++) {
        spn_anim_database_state state;

        if (spn_anim_database_get_state(clips->rt, i, &state) == SPN_OK &&
            !host_output_differs(
                output, arena_format(clips->arena, "%s%s", folder, state.path),
                clips->diag))
            return false;
    }
    return true;
}

bool play_clips_start(struct play_clips *clips, uint64_t now_us)
{
    if (clips->anim_count == 0)
        return true;
    clips->report->character_count = clips->character_count;
    clips->report->skeleton_count = clips->skeletons.count;
    spn_anim_listen(clips->rt, on_event, clips);
    return play_characters_start(clips, now_us);
}

/* -- the report -- */

void play_clips_collect(struct play_clips *clips)
{
    const bool was_silent = clips->diag->is_silent;
    struct clip_header header;

    /* Its message was printed at the start. */
    clips->diag->is_silent = true;
    if (clips->left_out != UINT32_MAX)
        (void)clip_header_read(clips->paks,
                               &clips->paks->sources[clips->left_out], &header,
                               clips->diag);
    clips->diag->is_silent = was_silent;
    if (clips->anim_count == 0)
        return;
    (void)spn_anim_get_stats(clips->rt, &clips->report->stats);
    played_clips_refuse(clips->report, true, clips->diag);
}
