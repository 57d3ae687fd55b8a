/* asked.c - looks for the names of the options among the parameters of all
 * meshes that are kept. */
/* SPDX-License-Identifier: MIT */
#include "compile/asked.h"

#include "compile/words.h"

#include <string.h>

/* Of the names that are said to be there. */
#define NAMES_MAX 8u

struct names {
    const char *items[NAMES_MAX]; /* in the order of the meshes */
    uint32_t count;
    bool are_all;
};

static void add_name(struct names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return;
    if (names->count == NAMES_MAX)
        names->are_all = false;
    else
        names->items[names->count++] = name;
}

/* "there are "Cd", "Cs"" */
static const char *list_names(const struct names *names, struct arena *arena)
{
    const char *text = names->count > 0 ? "there are " : "there are none";
    char name[WORDS_NAME_BYTES];

    for (uint32_t i = 0; i < names->count; i++) {
        diag_name(names->items[i], name, sizeof name);
        text = arena_format(arena, "%s%s%s", text, i > 0 ? ", " : "", name);
    }
    return names->are_all ? text : arena_format(arena, "%s and more", text);
}

bool asked_judge(const struct gather *gather,
                 const struct compile_options *options, struct arena *arena)
{
    struct names names = {.are_all = true};
    char name[WORDS_NAME_BYTES];

    if (!options->color_set || gather->shape_count == 0)
        return true;
    for (uint32_t i = 0; i < gather->shape_count; i++) {
        const struct abc_mesh *mesh = &gather->shapes[i]->source.mesh;

        if (abc_param_named(mesh->colors, mesh->color_count,
                            options->color_set))
            return true;
        for (uint32_t k = 0; k < mesh->color_count; k++)
            add_name(&names, mesh->colors[k].name);
    }
    diag_name(options->color_set, name, sizeof name);
    return compile_refuse(gather->archive, REFUSAL_NO_SET, NULL,
                          "--colors %s: %s", name, list_names(&names, arena));
}
