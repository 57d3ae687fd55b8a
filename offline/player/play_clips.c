/* play_clips.c - open clips, choose what plays, and close the report.
 * play_characters.c plays them.
 */
/* SPDX-License-Identifier: MIT */
#include "player/play_clips.h"

#include "anim/anim_clip.h"
#include "anim/anim_skeleton.h"
#include "anim/anim_wire.h"
#include "anim/clip_index_validate.h"
#include "common/fault_text.h"
#include "player/play_characters.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Databases that are open at the same time. */
#define DATABASES_OPEN 64u

/* -- headers of files -- */

static bool refuse_status(const struct play_clips *clips, const char *file,
                          spn_status status, const spn_fault *fault)
{
    if (fault && fault->what)
        return fault_refuse(clips->diag, file, FAULT_NO_FRAME, fault);
    return diag_refuse(clips->diag, file, DIAG_NO_OFFSET, NULL, "%s (%s)",
                       spn_status_text(status), spn_status_name(status));
}

/* `wanted` is what the header says. */
static bool has_size(const struct play_clips *clips, const char *file,
                     uint64_t bytes, uint64_t wanted)
{
    return bytes == wanted ||
           diag_refuse(clips->diag, file, 0, NULL,
                       "file size: found %" PRIu64 ", expected %" PRIu64, bytes,
                       wanted);
}

static bool check_clip(const struct play_clips *clips, uint32_t index)
{
    const char *operand = clips->paks->sources[index].operand;
    uint8_t block[ANIM_CLIP_HEADER_BYTES];
    struct anim_clip_header header;
    spn_fault fault = {0};
    spn_status status;
    uint64_t bytes;

    if (!play_paks_begin(clips->paks, index, block, sizeof block, &bytes,
                         clips->diag))
        return false;
    status = spn__anim_clip_read_header(block, &header, &fault);
    return (status == SPN_OK ||
            refuse_status(clips, operand, status, &fault)) &&
           has_size(clips, operand, bytes, header.file_bytes);
}

static bool check_skeleton(const struct play_clips *clips, uint32_t index)
{
    const char *operand = clips->paks->sources[index].operand;
    uint8_t block[ANIM_SKELETON_HEADER_BYTES];
    struct anim_skeleton_header header;
    spn_fault fault = {0};
    spn_status status;
    uint64_t bytes;

    if (!play_paks_begin(clips->paks, index, block, sizeof block, &bytes,
                         clips->diag))
        return false;
    status = spn__anim_skeleton_read_header(block, &header, &fault);
    return (status == SPN_OK ||
            refuse_status(clips, operand, status, &fault)) &&
           has_size(clips, operand, bytes, header.file_bytes);
}

static bool check_image(struct play_clips *clips, uint32_t index)
{
    const struct play_source *source = &clips->paks->sources[index];
    uint8_t block[CLIP_INDEX_HEADER_BYTES];
    struct clip_index_header header;
    spn_fault fault = {0};
    spn_status status;
    uint64_t bytes;

    clips->plays_all |= source->clip == NULL;
    if (clips->image != UINT32_MAX) {
        const struct play_source *other = &clips->paks->sources[clips->image];

        return (other->pak == source->pak &&
                strcmp(other->name, source->name) == 0) ||
               diag_refuse(clips->diag, source->operand, DIAG_NO_OFFSET, NULL,
                           "a second image beside %s: the runtime opens one",
                           other->operand);
    }
    clips->image = index;
    if (!play_paks_begin(clips->paks, index, block, sizeof block, &bytes,
                         clips->diag))
        return false;
    status = spn__clip_index_validate_header(block, CLIP_INDEX_IMAGE, bytes,
                                             &header, &fault);
    if (status != SPN_OK)
        return refuse_status(clips, source->operand, status, &fault);
    clips->anim_count = header.clip_count;
    clips->database_count = header.file_count;
    return true;
}

bool play_clips_init(struct play_clips *clips, const struct play_paks *paks,
                     uint32_t together, struct arena *arena, struct diag *diag)
{
    uint32_t loose = UINT32_MAX;
    bool is_good = true;

    *clips = (struct play_clips){
        .paks = paks, .arena = arena, .diag = diag, .image = UINT32_MAX};
    for (uint32_t i = 0; is_good && i < paks->source_count; i++) {
        const struct play_source *source = &paks->sources[i];

        switch (source->kind) {
        case OPERAND_CACHE:
            break;
        case OPERAND_CLIP:
            loose = i;
            clips->character_count++;
            is_good = check_clip(clips, i);
            break;
        case OPERAND_SKELETON:
            clips->skeleton_count++;
            is_good = check_skeleton(clips, i);
            break;
        case OPERAND_IMAGE:
            clips->character_count += source->clip != NULL;
            is_good = check_image(clips, i);
            break;
        }
    }
    if (!is_good)
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
    if (clips->skeleton_count > 0 && clips->anim_count == 0)
        return diag_refuse(diag, "operands", DIAG_NO_OFFSET, NULL,
                           "a skeleton without clips");
    return true;
}

/* -- the runtime's tables -- */

uint32_t play_clips_files(const struct play_clips *clips)
{
    return clips->anim_count == 0 ? 0
                                  : clips->anim_count + clips->database_count +
                                        clips->skeleton_count + 1;
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
    config->anim_skeleton_count = clips->skeleton_count;
    config->anim_play_count = clips->character_count;
    config->anim_timeline_count = clips->character_count;
    config->anim_has_loose_headers = clips->image == UINT32_MAX;
    config->file_count +=
        clips->skeleton_count + open +
        (clips->character_count < DATABASES_OPEN ? clips->character_count
                                                 : DATABASES_OPEN);
    if (clips->character_count > 256)
        config->anim_loaded_count = 4 * clips->character_count;
}

/* -- opening -- */

static spn_status open_source(struct play_clips *clips, uint32_t index)
{
    const struct play_source *source = &clips->paks->sources[index];
    const uint32_t i = clips->report->skeleton_count;
    spn_status status;

    switch (source->kind) {
    case OPERAND_CLIP:
        return spn_anim_add_file(clips->rt, source->name);
    case OPERAND_IMAGE:
        return index == clips->image
                   ? spn_anim_open_image(clips->rt, source->name)
                   : SPN_OK;
    case OPERAND_SKELETON:
        status = spn_anim_skeleton_open(clips->rt, source->name,
                                        &clips->skeletons[i]);
        clips->skeleton_sources[i] = index;
        clips->report->skeleton_count += status == SPN_OK;
        return status;
    case OPERAND_CACHE:
        break;
    }
    return SPN_OK;
}

static void on_event(void *user, const spn_anim_event *event)
{
    struct play_clips *clips = user;
    struct played_clip *clip;

    if (event->anim == 0 || event->anim > clips->report->clip_count)
        return;
    clip = &clips->report->clips[event->anim - 1];
    clip->loads += event->kind == SPN_ANIM_LOADED;
    if (event->kind != SPN_ANIM_FAILED && event->kind != SPN_ANIM_DAMAGED)
        return;
    clip->failures++;
    clip->status = event->status;
    clip->is_damaged = event->kind == SPN_ANIM_DAMAGED;
    clip->segment = event->segment;
    memset(&clip->fault, 0, sizeof clip->fault);
    if (spn_anim_get_status(clips->rt, event->anim, &clip->fault) >= SPN_OK)
        clip->fault.what = NULL;
}

bool play_clips_open(struct play_clips *clips, spn_runtime *rt,
                     struct clips_report *report)
{
    clips->rt = rt;
    clips->report = report;
    clips->skeletons =
        ARENA_NEW(clips->arena, spn_anim_skeleton, clips->skeleton_count);
    clips->skeleton_sources =
        ARENA_NEW(clips->arena, uint32_t, clips->skeleton_count);
    if (clips->anim_count == 0)
        return true;
    for (uint32_t i = 0; i < clips->paks->source_count; i++) {
        spn_status status = open_source(clips, i);

        if (status != SPN_OK)
            return refuse_status(clips, clips->paks->sources[i].operand, status,
                                 NULL);
    }
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

spn_status play_clips_opened(struct play_clips *clips)
{
    spn_fault fault = {0};
    spn_status status;

    if (clips->anim_count == 0)
        return SPN_OK;
    status = spn_anim_get_image_status(clips->rt, &fault);
    if (status < SPN_OK)
        refuse_status(clips,
                      clips->image != UINT32_MAX
                          ? clips->paks->sources[clips->image].operand
                      : fault.file ? label_of(clips, fault.file)
                                   : "clips",
                      status, &fault);
    for (uint32_t i = 0; status == SPN_OK && i < clips->skeleton_count; i++) {
        status = spn_anim_skeleton_get_status(clips->rt, clips->skeletons[i],
                                              &fault);
        if (status < SPN_OK)
            refuse_status(
                clips, clips->paks->sources[clips->skeleton_sources[i]].operand,
                status, &fault);
    }
    return status;
}

/* -- what plays -- */

static bool list_clips(struct play_clips *clips)
{
    struct clips_report *report = clips->report;

    report->clip_count = spn_anim_get_count(clips->rt);
    report->clips =
        ARENA_NEW(clips->arena, struct played_clip, report->clip_count);
    for (uint32_t i = 0; i < report->clip_count; i++) {
        struct played_clip *clip = &report->clips[i];
        spn_status status = spn_anim_get_info(clips->rt, i + 1, &clip->info);

        if (status != SPN_OK)
            return refuse_status(clips, "clips", status, NULL);
        /* The report outlives the runtime, which has the name. */
        clip->info.name = arena_string(clips->arena, clip->info.name,
                                       strlen(clip->info.name));
        clip->label = clips->image != UINT32_MAX
                          ? clip->info.name
                          : label_of(clips, clip->info.name);
    }
    return true;
}

/* If skeletons were given, each clip that plays has one of them. */
static bool has_skeleton(const struct play_clips *clips, spn_anim anim)
{
    const struct played_clip *clip = &clips->report->clips[anim - 1];

    for (uint32_t i = 0; i < clips->skeleton_count; i++)
        if (spn_anim_skeleton_check_clip(clips->rt, clips->skeletons[i],
                                         anim) == SPN_OK)
            return true;
    return clips->skeleton_count == 0 ||
           diag_refuse(clips->diag, clip->label, DIAG_NO_OFFSET, NULL,
                       "is for a skeleton with the hash %016" PRIx64
                       ", and none of the operands has it",
                       clip->info.skeleton);
}

bool play_clips_start(struct play_clips *clips, uint64_t now_us)
{
    if (clips->anim_count == 0)
        return true;
    if (!list_clips(clips) || !play_characters_choose(clips))
        return false;
    for (uint32_t i = 0; i < clips->character_count; i++)
        for (uint32_t k = 0; k < clips->characters[i].clip_count; k++)
            if (!has_skeleton(clips, clips->characters[i].clips[k]))
                return false;
    clips->report->character_count = clips->character_count;
    spn_anim_listen(clips->rt, on_event, clips);
    return play_characters_start(clips, now_us);
}

/* -- the report -- */

static void report_failure(struct play_clips *clips,
                           const struct played_clip *clip, bool is_first)
{
    const spn_fault *fault = &clip->fault;
    const char *text = spn_status_text(clip->status);
    const char *name = spn_status_name(clip->status);
    char more[64];
    char segment[32];
    const char *place = NULL;

    snprintf(more, sizeof more, "; not there in %u pictures",
             clip->glitches + clip->held);
    if (clip->is_damaged && clip->segment != SPN_ANIM_NO_SEGMENT) {
        snprintf(segment, sizeof segment, "segment %u", clip->segment);
        place = segment;
    }
    if (fault->what && is_first)
        fault_refuse_with(clips->diag, clip->label, FAULT_NO_FRAME, fault,
                          more);
    else if (fault->what)
        fault_warn(clips->diag, clip->label, FAULT_NO_FRAME, fault, "%s", more);
    else if (!is_first)
        diag_warn(clips->diag, clip->label, place, "%s (%s)%s", text, name,
                  more);
    else if (clip->is_damaged)
        diag_refuse(clips->diag, clip->label, DIAG_NO_OFFSET, place,
                    "%s (%s)%s", text, name, more);
    else
        diag_io(clips->diag, clip->label, 0, "%s (%s)%s", text, name, more);
}

void play_clips_collect(struct play_clips *clips)
{
    bool is_first = true;

    if (clips->anim_count == 0)
        return;
    (void)spn_anim_get_stats(clips->rt, &clips->report->stats);
    for (uint32_t i = 0; i < clips->report->clip_count; i++) {
        const struct played_clip *clip = &clips->report->clips[i];

        if (clip->failures == 0 || clip->glitches + clip->held == 0)
            continue;
        report_failure(clips, clip, is_first);
        is_first = false;
    }
}
