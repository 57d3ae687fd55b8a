/* player_options.c - options that contradict each other. */
/* SPDX-License-Identifier: MIT */
#include "cli/player_options.h"

/* Refuse options that have no effect together. */
static bool drive_fits(const struct verb *verb, const struct play_options *o)
{
    const char *constant = o->disc_rate != PLAYER_NOT_GIVEN ? "disc-rate"
                           : o->seek_ms != PLAYER_NOT_GIVEN ? "seek-ms"
                                                            : NULL;

    if (constant && o->drive)
        return options_refuse(verb->name,
                              "--%s is of a drive of its own, not of --drive",
                              constant);
    if (constant && !o->is_virtual)
        return options_refuse(verb->name,
                              "--%s is of the virtual disc: it needs --virtual",
                              constant);
    if ((o->order || o->overload) && !o->drive)
        return options_refuse(verb->name, "--%s of which --drive?",
                              o->order ? "order" : "overload");
    if (o->fault_count > 0 && !o->drive && !o->is_virtual)
        return options_refuse(verb->name,
                              "--fault of which --drive? (Or of the disc of "
                              "--virtual.)");
    if (o->disc_layout && !o->drive && !o->is_virtual)
        return options_refuse(verb->name, "--disc-layout of which --drive?");
    return true;
}

/* An image of which all clips play. */
static bool has_image(const struct play_options *o)
{
    for (uint32_t i = 0; i < o->clip_file_count; i++) {
        const char *file = o->files[o->file_count + i];

        if (operand_kind(file) == OPERAND_IMAGE && !operand_clip(file))
            return true;
    }
    return false;
}

static bool characters_fit(const struct verb *verb,
                           const struct play_options *o)
{
    return o->characters == 0 || has_image(o) ||
           options_refuse(verb->name, "--characters of which image?");
}

static bool streams_fit(const struct verb *verb, const struct play_options *o)
{
    if (o->stream_count > 0 && o->file_count == 0)
        return options_refuse(verb->name, "--streams of which cache?");
    if (o->stream_count > 0 && o->stream_count < o->file_count)
        return options_refuse(verb->name,
                              "--streams %u would leave out some of %u files",
                              o->stream_count, o->file_count);
    if (o->is_virtual && o->worker_count != UINT32_MAX && o->worker_count > 0)
        return options_refuse(
            verb->name, "--workers is of the real clock: --virtual is without "
                        "threads");
    return true;
}

/* Caches first, then the files of clips, in their order. */
static void sort_operands(const struct verb_call *call, struct play_options *o)
{
    const char **files =
        ARENA_NEW(call->arena, const char *, call->operand_count);

    for (uint32_t i = 0; i < call->operand_count; i++)
        if (operand_kind(call->operands[i]) == OPERAND_CACHE)
            files[o->file_count++] = call->operands[i];
    for (uint32_t i = 0; i < call->operand_count; i++)
        if (operand_kind(call->operands[i]) != OPERAND_CACHE)
            files[o->file_count + o->clip_file_count++] = call->operands[i];
    o->files = files;
}

bool player_options_finish(const struct verb_call *call,
                           const struct player_texts *texts,
                           struct fault_spec *room, struct play_options *o)
{
    sort_operands(call, o);
    o->faults = room;
    o->fault_count = texts->faults.count;
    o->tunings = texts->tunings.items;
    o->tuning_count = texts->tunings.count;
    if (!streams_fit(call->verb, o) || !characters_fit(call->verb, o) ||
        !drive_fits(call->verb, o) ||
        !fault_spec_read_all(call->verb->name, &texts->faults, room))
        return false;
    if (o->characters == 0)
        o->characters = 1;
    if (o->disc_rate == PLAYER_NOT_GIVEN)
        o->disc_rate = 20;
    if (o->seek_ms == PLAYER_NOT_GIVEN)
        o->seek_ms = 30;
    return true;
}
