/* cmd_export.c - the verb `export`: write one frame as PLY. */
/* SPDX-License-Identifier: MIT */
#include "cli/animation_file.h"
#include "cli/verbs.h"
#include "host/host.h"
#include "render/cache_surface.h"
#include "render/ply.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct values {
    uint32_t frame;
    const char *output;
    struct cache_surface_choice mesh;
    const char *space;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_OUTPUT(AT(output), "FILE",
                  "the PLY file to write, or - for stdout; it appears "
                  "complete or not at all",
                  "an output: -o OUT.ply", NULL),
    OPTION_WHOLE("frame", 'f', AT(frame), "N", 0, 4294967295.0,
                 "frame number, from 0 (default 0)"),
    OPTION_TEXT("mesh", 'm', AT(mesh.path), "PATH",
                "export this node and all nodes below it; the path of a "
                "mesh selects every node that shows it (default: all "
                "visible nodes)"),
    OPTION_FLAG("no-instances", 0, AT(mesh.is_without_copies),
                "with --mesh: omit nodes elsewhere in the scene that show "
                "the same mesh"),
    OPTION_CHOICE("space", AT(space), "world|object", "world object",
                  "coordinate space of positions and normals (default world)"),
};

static const struct values defaults = {.space = "world"};

#define NEAREST_MAX 3u

static void hint_nearest(const char *path, struct cache_reader *reader)
{
    const char *nearest[NEAREST_MAX];
    uint32_t count = cache_surface_nearest(reader, path, nearest, NEAREST_MAX);
    char name[DIAG_NAME_BYTES];

    fputs("hint: ", stderr);
    for (uint32_t i = 0; i < count; i++) {
        diag_name(nearest[i], name, sizeof name);
        fprintf(stderr, "%s%s", i == 0 ? "nearest: " : ", ", name);
    }
    fprintf(stderr,
            "%sspindle info --tree lists what there is; what is never visible "
            "was left out\n",
            count > 0 ? "; " : "");
}

/* Explain why nothing of --mesh is visible. */
static bool refuse_nothing(const struct values *values, const char *input,
                           struct cache_reader *reader, struct diag *diag)
{
    const char *path = values->mesh.path;
    uint32_t node_count;
    uint32_t mesh_count;

    cache_surface_count(reader, &values->mesh, &node_count, &mesh_count);
    if (node_count == 0) {
        diag_refuse(diag, input, DIAG_NO_OFFSET, path, "no such node or mesh");
        hint_nearest(path, reader);
        return false;
    }
    if (mesh_count == 0)
        return diag_refuse(diag, input, DIAG_NO_OFFSET, path, "has no mesh");
    return diag_refuse(diag, input, DIAG_NO_OFFSET, path,
                       "is hidden in frame %u", values->frame);
}

static bool export_frame(const struct values *values, const char *input,
                         struct host_output *output, struct arena *arena,
                         struct diag *diag)
{
    struct cache_reader *reader = NULL;
    struct surface_list list = {NULL, 0};
    char comment[64];
    uint32_t frame_count;
    bool is_good = false;

    if (animation_file_refuse(input, "export", diag))
        reader = cache_reader_open(input, diag);
    if (!reader)
        return false;
    frame_count = cache_reader_header(reader)->frame_count;
    snprintf(comment, sizeof comment, "frame %u of %u", values->frame,
             frame_count);
    if (values->frame >= frame_count)
        diag_refuse(diag, input, DIAG_NO_OFFSET, "--frame",
                    "%u, but frames are 0 to %u", values->frame,
                    frame_count - 1);
    else
        is_good = cache_surface_list(reader, values->frame, &values->mesh,
                                     strcmp(values->space, "world") == 0, arena,
                                     &list) &&
                  (!values->mesh.path || list.count > 0 ||
                   refuse_nothing(values, input, reader, diag)) &&
                  ply_write(output, &list, comment, diag);
    cache_reader_close(reader);
    return is_good;
}

static bool run_export(const struct verb_call *call)
{
    const struct values *values = call->values;
    const char *input = call->operands[0];
    struct diag *diag = call->diag;
    struct host_output *output;

    if (values->mesh.is_without_copies && !values->mesh.path)
        return options_refuse(call->verb->name, "--no-instances needs --mesh");
    output = host_output_differs(values->output, input, diag)
                 ? host_output_open(values->output, diag)
                 : NULL;
    if (output)
        host_output_finish(
            output, export_frame(values, input, output, call->arena, diag));
    return true;
}

const struct verb verb_export = {
    .name = "export",
    .operands = "FILE.sgc -o OUT.ply",
    .summary = "write one frame of a cache as PLY",
    .examples = "  spindle export sail.sgc --frame 30 -o frame.ply\n"
                "  spindle export sail.sgc -m /sail/sailShape -o sail.ply\n"
                "  spindle export fleet.sgc -m /boat7/sailShape -o one.ply\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 1,
    .defaults = &defaults,
    .values_bytes = sizeof(struct values),
    .run = run_export,
};
