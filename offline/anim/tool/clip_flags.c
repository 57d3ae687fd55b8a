/* clip_flags.c - see clip_flags.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_flags.h"

#include "anim/clip_index.h"
#include "pack/pack_rule.h"

#include <stdio.h>
#include <string.h>

/* In the order of the bits. */
static const char *const words[] = {"loops", "additive", "closes", "scale",
                                    "root-motion"};
#define WORD_COUNT (sizeof words / sizeof words[0])
_Static_assert(CLIP_FLAGS == (1u << WORD_COUNT) - 1, "a word for each flag");

static bool matches(const struct clip_patterns *patterns, const char *name)
{
    for (uint32_t i = 0; i < patterns->count; i++)
        if (pack_pattern_matches(patterns->items[i], strlen(patterns->items[i]),
                                 name))
            return true;
    return false;
}

void clip_flags_set(const struct motion_clip *clip, const char *name,
                    const struct clip_patterns patterns[CLIP_OPTIONS],
                    struct dense_clip *dense)
{
    if (clip->closes != MOTION_UNSAID)
        dense->loop_closes = clip->closes == MOTION_YES;
    if (matches(&patterns[CLIP_OPTION_CLOSES], name))
        dense->loop_closes = true;
    if (dense->frame_count < 2 || matches(&patterns[CLIP_OPTION_OPEN], name))
        dense->loop_closes = false;
    dense->loops = clip->loops == MOTION_UNSAID ? dense->loop_closes
                                                : clip->loops == MOTION_YES;
    if (matches(&patterns[CLIP_OPTION_LOOP], name))
        dense->loops = true;
    if (matches(&patterns[CLIP_OPTION_ONCE], name))
        dense->loops = false;
    dense->is_additive = clip->is_additive == MOTION_YES ||
                         matches(&patterns[CLIP_OPTION_ADDITIVE], name);
    dense->has_root_motion = clip->has_root_motion == MOTION_YES ||
                             matches(&patterns[CLIP_OPTION_ROOT_MOTION], name);
}

static bool matches_any(const char *pattern, const char *const *names,
                        uint32_t count)
{
    const struct clip_patterns one = {&pattern, 1};

    for (uint32_t i = 0; i < count; i++)
        if (matches(&one, names[i]))
            return true;
    return false;
}

bool clip_flags_check(const struct clip_patterns patterns[CLIP_OPTIONS],
                      const char *const *names, uint32_t count,
                      const char *file, struct diag *diag)
{
    static const char *const options[CLIP_OPTIONS] = {
        "--loop", "--once",     "--closes",
        "--open", "--additive", "--root-motion"};

    for (uint32_t i = 0; i < CLIP_OPTIONS; i++)
        for (uint32_t k = 0; k < patterns[i].count; k++)
            if (!matches_any(patterns[i].items[k], names, count))
                return diag_refuse(diag, file, DIAG_NO_OFFSET, options[i],
                                   "no clip matches \"%s\"",
                                   patterns[i].items[k]);
    return true;
}

void clip_flags_report(cJSON *object, uint32_t flags)
{
    cJSON *list = report_array(object, "flags");

    for (uint32_t i = 0; i < WORD_COUNT; i++)
        if (flags >> i & 1)
            report_add_text(list, words[i]);
}

void clip_flags_print(uint32_t flags)
{
    for (uint32_t i = 0; i < WORD_COUNT; i++)
        if (flags >> i & 1)
            printf(" %s", words[i]);
}

const char *clip_flags_text(uint32_t flags, struct arena *arena)
{
    const char *text = "";

    for (uint32_t i = 0; i < WORD_COUNT; i++)
        if (flags >> i & 1)
            text = arena_format(arena, "%s %s", text, words[i]);
    return *text ? text : " none";
}
