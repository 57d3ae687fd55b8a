/* cmd_anim.c - the verb `anim`: animation clips and their sources.
 *
 * The first operand is an action. All actions share one table of options; an
 * option that does not belong to the action is refused.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/cmd_anim.h"

#include "cli/verbs.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OPERANDS_MAX 4096u

#define AT(member) offsetof(struct anim_values, member)
static const struct option options[] = {
    OPTION_NUMBER("rate", 0, AT(rate), "FPS", 0.001, 1000,
                  "frames a second to sample (default: that of the keys, at "
                  "most about 60; 30 if they have none)"),
    OPTION_NUMBER("unit-metres", 0, AT(unit_metres), "M", 1e-6, 1e6,
                  "length of the source's unit in metres (default: 1 for "
                  "glTF, 0.01 for BVH)"),
    OPTION_FLAG("tree", 't', AT(is_tree), "print the joints, too"),
    OPTION_JSON(AT(is_json), "print everything as one JSON object"),
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

static const struct action {
    const char *name;
    const char *options; /* words */
    uint32_t operand_min;
    uint32_t operand_max;
    bool (*run)(const struct verb_call *call);
} actions[] = {
    {"info", "rate unit-metres tree json", 1, 1, anim_info},
};
#define ACTION_COUNT (sizeof actions / sizeof actions[0])

static bool is_given(const struct option *option, const void *values)
{
    const char *at = (const char *)values + option->offset;

    switch (option->kind) {
    case OPTION_KIND_FLAG:
        return *(const bool *)(const void *)at;
    case OPTION_KIND_TEXT:
    case OPTION_KIND_CHOICE:
        return *(const char *const *)(const void *)at != NULL;
    case OPTION_KIND_TEXTS:
        return ((const struct option_texts *)(const void *)at)->count > 0;
    case OPTION_KIND_NUMBER:
        return *(const double *)(const void *)at > 0;
    case OPTION_KIND_WHOLE:
        return *(const uint32_t *)(const void *)at > 0;
    }
    return false;
}

static bool check_options(const struct action *action, const void *values)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (is_given(&options[i], values) &&
            options_find_word(action->options, options[i].name) < 0)
            return options_refuse("anim", "--%s is no option of \"%s\"",
                                  options[i].name, action->name);
    return true;
}

static bool run_anim(const struct verb_call *call)
{
    const char *name = call->operands[0];
    const uint32_t count = call->operand_count - 1;

    for (size_t i = 0; i < ACTION_COUNT; i++) {
        const struct action *action = &actions[i];

        if (strcmp(name, action->name) != 0)
            continue;
        if (count < action->operand_min || count > action->operand_max)
            return options_refuse(
                "anim", "\"%s\" takes %s, not %u", action->name,
                action->operand_max == 1 ? "one file" : "at least one file",
                count);
        return check_options(action, call->values) && action->run(call);
    }
    return options_refuse("anim", "\"%s\" is no action; they are: info", name);
}

const struct verb verb_anim = {
    .name = "anim",
    .operands = "info FILE",
    .summary = "read animation clips: BVH, glTF",
    .examples = "  spindle anim info walk.bvh --unit-metres 0.0254\n"
                "  spindle anim info hero.glb --tree\n"
                "  spindle anim info hero.glb --json | jq .clips[].name\n",
    .notes = "A .gltf file may name buffers in its own folder and below it; "
             "other\npaths are refused.\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .operand_min = 2,
    .operand_max = OPERANDS_MAX,
    .values_bytes = sizeof(struct anim_values),
    .run = run_anim,
};
