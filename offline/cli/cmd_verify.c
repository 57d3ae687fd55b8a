/* cmd_verify.c - the verb `verify`: compare a cache with its archive, or a pak
 * with its folder. */
/* SPDX-License-Identifier: MIT */
#include "cli/animation_file.h"
#include "cli/verbs.h"
#include "common/report.h"
#include "pack/pak_reader.h"
#include "verify/verify.h"
#include "verify/verify_pak.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct values {
    struct verify_options verify;
    const char *up;
    bool is_json;
};

#define AT(member) offsetof(struct values, member)
static const struct option options[] = {
    OPTION_TEXT("against", 'a', AT(verify.archive), "IN.abc|FOLDER",
                "the archive of a cache, or the folder of a pak; without "
                "it, blocks are only decoded and checked"),
    OPTION_CHOICE("up", AT(up), "y|z", "y z",
                  "the option that was given to compile"),
    OPTION_TEXT("colors", 0, AT(verify.color_set), "NAME",
                "the option that was given to compile"),
    OPTION_FLAG("flip-v", 0, AT(verify.flip_v),
                "the option that was given to compile"),
    OPTION_JSON(AT(is_json), "print the report as one JSON object"),
};

#define FIELD(member) offsetof(struct verify_report, member)
static const struct line {
    const char *name; /* name in JSON */
    const char *text;
    const char *unit;
    size_t error; /* offset of a struct verify_error in the report */
} lines[] = {
    {"position_mm", "positions", "mm", FIELD(position)},
    {"position_x_mm", "  along x", "mm", FIELD(axis[0])},
    {"position_y_mm", "  along y", "mm", FIELD(axis[1])},
    {"position_z_mm", "  along z", "mm", FIELD(axis[2])},
    {"normal_degrees", "normals", "degrees", FIELD(normal)},
    {"world_normal_degrees", "  in the world", "degrees", FIELD(world_normal)},
    {"tangent_degrees", "tangents", "degrees", FIELD(tangent)},
    {"uv", "UVs", "units", FIELD(uv)},
    {"color_255ths", "colours", "of 255", FIELD(color)},
    {"second_uv", "second UVs", "units", FIELD(second_uv)},
    {"velocity_mm_per_second", "velocities", "mm/s", FIELD(velocity)},
    {"transform_mm", "transforms", "mm", FIELD(transform)},
};
static const struct count {
    const char *name;
    const char *text;
    size_t count; /* offset of a uint64_t in the report */
} counts[] = {
    {"missing_frames", "samples without a frame", FIELD(missing_frames)},
    {"surplus_frames", "frames without a sample", FIELD(surplus_frames)},
    {"missing_meshes", "meshes missing in the cache", FIELD(missing_meshes)},
    {"missing_nodes", "transforms missing in the cache", FIELD(missing_nodes)},
    {"unknown_nodes", "nodes unknown to the archive", FIELD(unknown_nodes)},
    {"unmatched_corners", "corners without a vertex", FIELD(unmatched_corners)},
    {"unmatched_vertices", "vertices without a corner",
     FIELD(unmatched_vertices)},
    {"missing_triangles", "triangles missing", FIELD(missing_triangles)},
    {"foreign_triangles", "triangles of no face", FIELD(foreign_triangles)},
    {"reversed_triangles", "triangles of opposite winding",
     FIELD(reversed_triangles)},
    {"wrong_triangulations", "faces triangulated wrongly",
     FIELD(wrong_triangulations)},
    {"flipped_triangles", "triangles flipped, in frames",
     FIELD(flipped_triangles)},
    {"handedness_changes", "triangles that change handedness",
     FIELD(handedness_changes)},
    {"stretched_normals", "world normals over 0.5 degrees",
     FIELD(stretched_normals)},
    {"wrong_materials", "triangles of another material",
     FIELD(wrong_materials)},
    {"wrong_visibility", "nodes of another visibility",
     FIELD(wrong_visibility)},
    {"wrong_handedness", "vertices of wrong handedness",
     FIELD(wrong_handedness)},
    {"wrong_channels", "channels on one side only", FIELD(wrong_channels)},
    {"coarse_axes", "axes coarser than --precision", FIELD(coarse_axes)},
    {"vertices_outside", "vertices outside of their boxes",
     FIELD(vertices_outside)},
};

#define LINE_COUNT (sizeof lines / sizeof lines[0])
#define COUNT_COUNT (sizeof counts / sizeof counts[0])

static const struct verify_error *error_of(const struct verify_report *r,
                                           const struct line *line)
{
    return (const void *)((const char *)r + line->error);
}

static uint64_t count_of(const struct verify_report *r,
                         const struct count *count)
{
    return *(const uint64_t *)(const void *)((const char *)r + count->count);
}

/* Print the place of the worst error. */
static void print_place(const struct verify_report *r,
                        const struct verify_error *e)
{
    char name[256];

    if (e == &r->transform)
        printf(" (frame %u, node %u %s)\n", e->frame, e->vertex,
               report_name(r->transform_node, name, sizeof name));
    else
        printf(" (frame %u, mesh %u, vertex %u)\n", e->frame, e->mesh,
               e->vertex);
}

static void print_text(const struct values *values, const char *file,
                       const struct verify_report *r)
{
    printf("%s: %u frames, %u meshes, %llu vertices, %llu triangles\n", file,
           r->frame_count, r->mesh_count, (unsigned long long)r->vertex_count,
           (unsigned long long)r->triangle_count);
    if (!values->verify.archive) {
        if (r->failure)
            printf("  FAILED: %s\n", r->failure);
        else
            printf("  every checksum holds, every frame decodes\n");
        return;
    }
    printf("  %-18s %-12s %-12s\n", "", "worst", "mean");
    for (size_t i = 0; i < LINE_COUNT; i++) {
        const struct verify_error *e = error_of(r, &lines[i]);

        if (e->count == 0)
            continue;
        printf("  %-18s %-12.4g %-12.4g %s", lines[i].text, e->worst,
               verify_mean(e), lines[i].unit);
        print_place(r, e);
    }
    for (size_t i = 0; i < COUNT_COUNT; i++)
        if (count_of(r, &counts[i]) > 0)
            printf("  %-30s %llu\n", counts[i].text,
                   (unsigned long long)count_of(r, &counts[i]));
    printf("  %s%s\n", r->failure ? "FAILED: " : "passed",
           r->failure ? r->failure : "");
}

static bool print_json(const struct values *values, const char *file,
                       const struct verify_report *r, struct diag *diag)
{
    cJSON *json = report_begin("verify");

    report_text(json, "file", file);
    if (values->verify.archive)
        report_text(json, "against", values->verify.archive);
    report_bool(json, "has_passed", r->failure == NULL);
    if (r->failure)
        report_text(json, "failure", r->failure);
    report_number(json, "frames", r->frame_count);
    report_number(json, "nodes", r->node_count);
    report_number(json, "meshes", r->mesh_count);
    report_number(json, "vertices", (double)r->vertex_count);
    report_number(json, "triangles", (double)r->triangle_count);
    for (size_t i = 0; i < LINE_COUNT && values->verify.archive; i++) {
        const struct verify_error *e = error_of(r, &lines[i]);
        cJSON *object = report_object(json, lines[i].name);

        report_number(object, "worst", e->worst);
        report_number(object, "mean", verify_mean(e));
        report_number(object, "count", (double)e->count);
        report_number(object, "frame", e->frame);
        report_number(object, "mesh",
                      e->mesh == VERIFY_NO_MESH ? -1 : (double)e->mesh);
        if (e != &r->transform) {
            report_number(object, "vertex", e->vertex);
            continue;
        }
        report_number(object, "node", e->vertex);
        report_text(object, "path", r->transform_node);
    }
    for (size_t i = 0; i < COUNT_COUNT && values->verify.archive; i++)
        report_number(json, counts[i].name, (double)count_of(r, &counts[i]));
    return report_end(json, diag);
}

/* A file that could not be read has no verdict, but a reason. */
static void print_refusal(const struct values *values, const char *file,
                          struct diag *diag)
{
    cJSON *json = report_begin("verify");

    report_text(json, "file", file);
    if (values->verify.archive)
        report_text(json, "against", values->verify.archive);
    report_bool(json, "has_passed", false);
    report_text(json, "failure", diag->text);
    report_refusal(report_object(json, "fault"), &diag->refusal);
    report_end(json, diag);
}

static void print_pak(const struct values *values, const char *file,
                      const struct verify_pak_report *r, struct diag *diag)
{
    if (values->is_json) {
        cJSON *json = report_begin("verify");

        report_text(json, "file", file);
        if (values->verify.archive)
            report_text(json, "against", values->verify.archive);
        report_bool(json, "has_passed", true);
        report_number(json, "files", r->file_count);
        report_number(json, "places", r->copy_count);
        report_number(json, "blocks", r->block_count);
        report_number(json, "bytes", (double)r->bytes);
        report_number(json, "compared", r->compared);
        report_end(json, diag);
        return;
    }
    printf("%s: %u files, %u places, %u blocks\n", file, r->file_count,
           r->copy_count, r->block_count);
    printf("  every checksum holds, every block decodes%s\n",
           values->verify.archive ? ", every file is the folder's" : "");
}

static bool verify_pak(const struct verb *verb, const struct values *values,
                       const char *file, struct diag *diag)
{
    struct verify_pak_report report;

    if (values->up || values->verify.color_set || values->verify.flip_v)
        return options_refuse(verb->name, "--%s is of caches: %s is a pak",
                              values->up                 ? "up"
                              : values->verify.color_set ? "colors"
                                                         : "flip-v",
                              file);
    if (verify_pak_run(file, values->verify.archive, diag, &report))
        print_pak(values, file, &report, diag);
    else if (values->is_json)
        print_refusal(values, file, diag);
    return true;
}

static void verify_cache(const struct values *values, struct diag *diag)
{
    const struct verify_options *settings = &values->verify;
    struct verify_report report;

    if (!verify_run(settings, diag, &report)) {
        if (values->is_json)
            print_refusal(values, settings->cache, diag);
        return;
    }
    if (values->is_json)
        print_json(values, settings->cache, &report, diag);
    else
        print_text(values, settings->cache, &report);
    if (report.failure)
        diag_refuse(diag, settings->cache, DIAG_NO_OFFSET, NULL, "%s",
                    report.failure);
}

static bool run_verify(const struct verb_call *call)
{
    struct values *values = call->values;
    const char *input = call->operands[0];
    struct diag *diag = call->diag;

    values->verify.cache = input;
    values->verify.up = (char)(!values->up            ? 0
                               : values->up[0] == 'z' ? 'Z'
                                                      : 'Y');
    if (animation_file_refuse(input, "verify", diag) &&
        pak_reader_is_pak(input, diag))
        return verify_pak(call->verb, values, input, diag);
    if (!diag_has_failed(diag))
        verify_cache(values, diag);
    else if (values->is_json)
        print_refusal(values, input, diag);
    return true;
}

const struct verb verb_verify = {
    .name = "verify",
    .operands = "FILE.sgc|FILE.spk",
    .summary = "compare a cache with its archive, or a pak with its folder",
    .examples = "  spindle verify sail.sgc --against sail.abc\n"
                "  spindle verify sail.sgc            # checksums, decoding\n"
                "  spindle verify data.spk --against data\n",
    .notes =
        "Exit code 1: the cache differs from the archive by more than its\n"
        "quantization explains, world transforms differ by more than 1e-5 of\n"
        "the scene's size, or one of the two files is damaged. --json has "
        "this\n"
        "in has_passed, failure and, for damage, fault (file, offset, place,\n"
        "what, value).\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 1,
    .values_bytes = sizeof(struct values),
    .run = run_verify,
};
