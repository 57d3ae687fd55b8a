/* cmd_anim.c - the verb `anim`: animation clips and their sources.
 *
 * The first operand is an action. All actions share one table of options; an
 * option that does not belong to the action is refused.
 */
/* SPDX-License-Identifier: MIT */
#include "cli/cmd_anim.h"

#include "cli/verbs.h"
#include "common/system.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define OPERANDS_MAX 4096u
#define PRECISION_MM 0.1

#define AT(member) offsetof(struct anim_values, member)
static const struct option options[] = {
    OPTION_OUTPUT(
        AT(output), "OUT",
        "compile, pack: the folder to write to; export: the .glb file", NULL,
        "the output is a folder or a .glb file"),
    OPTION_TEXT("against", 'a', AT(against), "SOURCE",
                "verify: the file that the clip was compiled from"),
    OPTION_TEXTS("clip", AT(clips), "NAME",
                 "compile, verify: a clip of the source; may be repeated to "
                 "compile several (default: all)"),
    OPTION_TEXT("skeleton", 0, AT(skeleton), "FILE.sas",
                "verify, export: the clip's skeleton (default: the one beside "
                "the clip that has its hash and its rest pose)"),
    OPTION_NUMBER("rate", 0, AT(rate), "FPS", 0.001, 1000,
                  "frames a second to sample (default: that of the keys, at "
                  "most about 60; 30 if they have none; compile raises it "
                  "for cubic curves, at most to 240)"),
    OPTION_FLAG("keep-rate", 0, AT(keeps_rate),
                "compile: do not raise the rate of clips with cubic curves; "
                "by default it is raised until their frames follow the curves "
                "within the precision"),
    OPTION_NUMBER("unit-metres", 0, AT(unit_metres), "M", 1e-6, 1e6,
                  "length of the source's unit in metres (default: 1 for "
                  "glTF, 0.01 for BVH)"),
    OPTION_NUMBER("precision", 'p', AT(precision_mm), "MM", 0.0001, 1000,
                  "largest error in mm at the skin, 3 cm from each joint "
                  "(default 0.1); verify allows 1.5 times as much between "
                  "frames"),
    OPTION_TEXTS("loop", AT(loop), "PATTERN",
                 "compile, verify: clips with such names loop; may be repeated "
                 "(default: those that close)"),
    OPTION_TEXTS(
        "once", AT(once), "PATTERN",
        "compile, verify: clips with such names do not loop; may be repeated"),
    OPTION_TEXTS(
        "closes", AT(closes), "PATTERN",
        "compile, verify: the last frame of clips with such names is the "
        "first one of the next pass of a loop; may be repeated "
        "(default: those whose last frame equals the first)"),
    OPTION_TEXTS(
        "open", AT(open), "PATTERN",
        "compile, verify: in loops of clips with such names, a frame's time "
        "passes between the last frame and the first; may be "
        "repeated"),
    OPTION_TEXT(
        "root-joint", 0, AT(root_joint), "JOINT",
        "compile, verify: how this joint and its parents move does not decide "
        "whether clips close"),
    OPTION_TEXTS(
        "additive", AT(additive), "PATTERN",
        "compile, verify: clips with such names are marked as additive; their "
        "poses stay whole; may be repeated"),
    OPTION_TEXTS(
        "root-motion", AT(root_motion), "PATTERN",
        "compile, verify: clips with such names have root motion; may be "
        "repeated"),
    OPTION_CHOICE("by", AT(by), "folder|skeleton|file", "folder skeleton file",
                  "pack: a database for each folder (default), or for each "
                  "skeleton (default with --order); file: none (default with "
                  "--list, for clips that no list names)"),
    OPTION_TEXTS("list", AT(lists), "LIST.txt",
                 "pack: names or patterns of clips, one on each line, that "
                 "are a database; may be repeated"),
    OPTION_TEXTS("order", AT(orders), "TRACE.json",
                 "pack: in each database, clips that this trace uses lie "
                 "first, in the order of their use; may be repeated"),
    OPTION_TEXTS("recorded", AT(recorded), "FILE.sad",
                 "pack: a database that the game had when the trace was "
                 "recorded; may be repeated"),
    OPTION_TEXT("image", 0, AT(image), "NAME.sai",
                "pack: name of the image (default animations.sai)"),
    OPTION_TEXT("prefix", 0, AT(prefix), "TEXT",
                "pack: text before every name, as in \"anims/\""),
    OPTION_TEXT("root", 0, AT(root), "FOLDER",
                "verify: the folder to which the paths of an image are "
                "relative (default: that of the image)"),
    OPTION_JOBS(AT(jobs)),
    OPTION_FLAG(
        "tree", 't', AT(is_tree),
        "info: print the joints of a source or a skeleton, or the clips "
        "of a database or an image, too"),
    OPTION_QUIET(AT(is_quiet), "compile, pack: print no report or warnings"),
    OPTION_JSON(AT(is_json), "print everything as one JSON object"),
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

static const struct action {
    const char *name;
    const char *options;   /* words */
    const char *no_output; /* refuses a call without an output; NULL: it has
                            * none */
    bool (*run)(const struct verb_call *call);
} actions[] = {
    {"compile",
     "output clip loop once closes open root-joint additive root-motion rate "
     "keep-rate unit-metres precision jobs quiet json",
     "a folder is missing: -o FOLDER", anim_action_compile},
    {"pack", "output by list order recorded image prefix jobs quiet json",
     "a folder is missing: -o FOLDER", anim_action_pack},
    {"info", "rate unit-metres tree json", NULL, anim_action_info},
    {"verify",
     "against clip loop once closes open root-joint additive root-motion "
     "skeleton rate unit-metres precision root jobs json",
     NULL, anim_action_verify},
    {"export", "output skeleton json", "an output is missing: -o OUT.glb",
     anim_action_export},
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

void anim_patterns(const struct anim_values *values, struct clip_patterns *out)
{
    const struct option_texts *const texts[CLIP_OPTIONS] = {
        [CLIP_OPTION_LOOP] = &values->loop,
        [CLIP_OPTION_ONCE] = &values->once,
        [CLIP_OPTION_CLOSES] = &values->closes,
        [CLIP_OPTION_OPEN] = &values->open,
        [CLIP_OPTION_ADDITIVE] = &values->additive,
        [CLIP_OPTION_ROOT_MOTION] = &values->root_motion,
    };

    for (uint32_t i = 0; i < CLIP_OPTIONS; i++)
        out[i] = (struct clip_patterns){texts[i]->items, texts[i]->count};
}

/* Set what is not given. */
static void set_defaults(struct anim_values *values)
{
    if (values->jobs == 0)
        values->jobs = system_cpu_count();
    if (values->precision_mm <= 0)
        values->precision_mm = PRECISION_MM;
}

static bool run_anim(const struct verb_call *call)
{
    const char *name = call->operands[0];
    struct anim_values *values = call->values;

    for (size_t i = 0; i < ACTION_COUNT; i++) {
        const struct action *action = &actions[i];

        if (strcmp(name, action->name) != 0)
            continue;
        if (!check_options(action, values))
            return false;
        if (action->no_output && !values->output)
            return options_refuse("anim", "%s", action->no_output);
        set_defaults(values);
        call->diag->is_quiet = values->is_quiet;
        return action->run(call);
    }
    return options_refuse("anim",
                          "\"%s\" is no action; they are: compile, pack, "
                          "info, verify, export",
                          name);
}

const struct verb verb_anim = {
    .name = "anim",
    .operands = "compile|pack|info|verify|export FILE...",
    .summary = "compile and pack animation clips of BVH and glTF",
    .examples =
        "  spindle anim info hero.glb --tree\n"
        "  spindle anim compile hero.glb -o anims\n"
        "  spindle anim compile walk.bvh run.bvh -o anims --unit-metres "
        "0.0254\n"
        "  spindle anim pack anims -o game\n"
        "  spindle anim pack anims -o game --order play.json\n"
        "  spindle anim info anims/run.sac\n"
        "  spindle anim info game/animations.sai --tree\n"
        "  spindle anim verify game\n"
        "  spindle anim verify anims/run.sac --against run.bvh --unit-metres "
        "0.0254\n"
        "  spindle anim export anims/walk.sac anims/run.sac -o moves.glb\n",
    .notes =
        "compile writes a file CLIP.sac for each clip, and FILE.sas for their\n"
        "skeleton. Files whose joints have the same names and parents share\n"
        "the skeleton of the first of them.\n"
        "\n"
        "pack puts the clips of each folder into a database, FOLDER.sad, and\n"
        "writes the headers of all clips to an image. Clips without a folder\n"
        "are in animations.sad.\n"
        "\n"
        "A .gltf file may name buffers in its own folder and below it; other\n"
        "paths are refused.\n",
    .options = options,
    .option_count = OPTION_COUNT,
    .operand_min = 2,
    .operand_max = OPERANDS_MAX,
    .values_bytes = sizeof(struct anim_values),
    .run = run_anim,
};
