/* requested_params.c - search the parameters of all kept meshes for the names
 * in the options. */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/requested_params.h"

#include "compile/report/format_value.h"

#include <string.h>

/* Names that a message lists at most. */
#define NAMES_MAX 8u

struct names {
    const char *items[NAMES_MAX]; /* in the order of the meshes */
    uint32_t count;
    bool is_complete; /* no name was left out */
};

static void add_name(struct names *names, const char *name)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return;
    if (names->count == NAMES_MAX)
        names->is_complete = false;
    else
        names->items[names->count++] = name;
}

/* Format a list: `there are "Cd", "Cs"`. */
static const char *list_names(const struct names *names, struct arena *arena)
{
    const char *text = names->count > 0 ? "there are " : "there are none";
    char name[FORMAT_NAME_BYTES];

    for (uint32_t i = 0; i < names->count; i++) {
        diag_name(names->items[i], name, sizeof name);
        text = arena_format(arena, "%s%s%s", text, i > 0 ? ", " : "", name);
    }
    return names->is_complete ? text : arena_format(arena, "%s and more", text);
}

/* An option that names a parameter of meshes. */
struct choice {
    const char *option;
    const char *name;
    bool is_colors; /* false: texture coordinates */
};

static bool validate_choice(const struct scene_import *import,
                            const struct choice *choice, struct arena *arena)
{
    struct names names = {.is_complete = true};
    char name[FORMAT_NAME_BYTES];

    for (uint32_t i = 0; i < import->shape_count; i++) {
        const struct abc_mesh *mesh = &import->shapes[i]->source.mesh;
        const struct abc_param *params =
            choice->is_colors ? mesh->colors : mesh->uv_sets;
        uint32_t count =
            choice->is_colors ? mesh->color_count : mesh->uv_set_count;

        if (abc_param_named(params, count, choice->name))
            return true;
        for (uint32_t k = 0; k < count; k++)
            add_name(&names, params[k].name);
    }
    diag_name(choice->name, name, sizeof name);
    return compile_refuse(import->archive, REFUSAL_NO_PARAM, NULL, "%s %s: %s",
                          choice->option, name, list_names(&names, arena));
}

static void warn_missing(const struct scene_import *import,
                         const struct compile_options *options,
                         struct warnings *warnings)
{
    bool has_velocities = !options->keeps_velocities;
    bool has_second_uvs =
        !options->second_uv_set || options->second_uv_set[0] != 0;

    for (uint32_t i = 0; i < import->shape_count; i++) {
        const struct source *source = &import->shapes[i]->source;

        has_velocities = has_velocities || source->wanted_velocities;
        has_second_uvs = has_second_uvs || source->wanted_second_uvs;
    }
    if (!has_second_uvs)
        warnings_add(warnings, WARNING_NO_DATA, NULL, "--uv-sets 2");
    if (!has_velocities)
        warnings_add(warnings, WARNING_NO_DATA, NULL, "--velocities");
}

bool requested_params_validate(const struct scene_import *import,
                               const struct compile_options *options,
                               struct warnings *warnings, struct arena *arena)
{
    const struct choice choices[] = {
        {"--uv-sets", options->second_uv_set, false},
        {"--colors", options->color_set, true},
    };

    if (import->shape_count == 0)
        return true;
    for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++)
        if (choices[i].name && choices[i].name[0] &&
            !validate_choice(import, &choices[i], arena))
            return false;
    warn_missing(import, options, warnings);
    return true;
}
