/* verify.c - compares all frames of a cache with its archive, and decides
 * whether it passes.
 *
 * The archive is read by the modules of this folder, which share no code with
 * the compiler. The cache is decoded by the runtime's decoder.
 */
/* SPDX-License-Identifier: MIT */
#include "verify/verify.h"

#include "render/cache_surface.h"
#include "verify/check.h"
#include "verify/check_boxes.h"
#include "verify/check_mesh.h"
#include "verify/check_times.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The mean error of normals and tangents with components of ten bits. In a
 * scene of one flat plate the mean is that of a single rotation, at most 0.19.
 */
#define ROTATION_MEAN_DEGREES 0.2

void verify_add(struct verify_error *error, double value, double tolerated,
                uint32_t frame, uint32_t mesh, uint32_t vertex)
{
    /* NaN counts as infinitely large. */
    double measured = value >= 0 ? value : INFINITY;
    double share = tolerated > 0 ? measured / tolerated : 0;

    error->sum += measured;
    error->count++;
    if (share > error->worst_share)
        error->worst_share = share;
    if (measured > error->worst || error->count == 1) {
        error->worst = measured;
        error->frame = frame;
        error->mesh = mesh;
        error->vertex = vertex;
    }
}

double verify_mean(const struct verify_error *error)
{
    return error->count > 0 ? error->sum / (double)error->count : 0;
}

bool verify_exceeds(const struct verify_error *error)
{
    return error->worst_share > 1;
}

/* -- verdict -- */

/* Return whether the errors of normals or tangents exceed a tolerance: that of
 * each error, or that of the mean. */
static bool direction_exceeds(const struct verify_error *error)
{
    return verify_exceeds(error) || verify_mean(error) > ROTATION_MEAN_DEGREES;
}

static const char *find_failure(const struct verify_report *r)
{
    const struct {
        bool has_failed;
        const char *text;
    } rules[] = {
        {r->missing_frames > 0, "samples of the archive have no frame"},
        {r->surplus_frames > 0, "frames have no sample at their time"},
        {r->unknown_nodes > 0, "nodes of the cache are not in the archive"},
        {r->missing_meshes > 0, "meshes of the archive are not in the cache"},
        {r->missing_nodes > 0, "transforms of the archive are not in the "
                               "cache"},
        {r->wrong_channels > 0, "UVs or colours exist on one side only"},
        {r->unmatched_corners > 0, "face corners are far from every vertex"},
        {r->unmatched_vertices > 0, "vertices are far from every face corner"},
        {r->missing_triangles > 0, "faces lack triangles"},
        {r->foreign_triangles > 0, "triangles belong to no face"},
        {r->reversed_triangles > 0, "triangles have the opposite winding"},
        {r->wrong_triangulations > 0,
         "faces have flipped triangles that another triangulation avoids"},
        {r->wrong_materials > 0, "triangles have another material"},
        {r->wrong_visibility > 0, "nodes have another visibility"},
        {r->vertices_outside > 0, "vertices are outside of their boxes"},
        {r->coarse_axes > 0, "position steps are larger than --precision"},
        {verify_exceeds(&r->axis[0]) || verify_exceeds(&r->axis[1]) ||
             verify_exceeds(&r->axis[2]),
         "position errors exceed the tolerance (mm)"},
        {direction_exceeds(&r->normal),
         "normal errors exceed the tolerance (degrees)"},
        {verify_exceeds(&r->uv), "UV errors exceed the tolerance (UV units)"},
        {verify_exceeds(&r->second_uv),
         "second UV errors exceed the tolerance (UV units)"},
        {verify_exceeds(&r->velocity),
         "velocity errors exceed the tolerance (mm/s)"},
        {verify_exceeds(&r->color),
         "colour errors exceed the tolerance (1/255)"},
        {r->wrong_handedness > 0, "tangent frames have the wrong handedness"},
        {direction_exceeds(&r->tangent),
         "tangent errors exceed the tolerance (degrees)"},
        {verify_exceeds(&r->transform),
         "world transform errors exceed the tolerance (mm)"},
    };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].has_failed)
            return rules[i].text;
    return NULL;
}

/* -- frames -- */

/* Without an archive: check all checksums and boxes, and decode all frames. */
static bool decode_all(struct check *check)
{
    for (uint32_t f = 0; f < check->header->frame_count; f++)
        if (!check_boxes(check, f))
            return false;
    check->report->failure = find_failure(check->report);
    return true;
}

static bool compare_frame(struct check *check, uint32_t f)
{
    arena_reset(&check->frame_arena);
    if (!check_boxes(check, f) || !check_nodes(check, f))
        return false;
    for (uint32_t i = 0; i < check->record_count; i++) {
        const struct check_mesh *m = &check->meshes[i];
        struct surface surface;
        bool is_present;

        if (!m->object || !m->pairs.vertex_of)
            continue;
        if (!cache_surface_is_present(check->reader, f, m->mesh, &is_present))
            return false;
        if (!is_present)
            continue;
        arena_reset(&check->frame_arena);
        if (!cache_surface_mesh(check->reader, f, m->mesh, &check->frame_arena,
                                &surface) ||
            !check_mesh_frame(check, m, f, &surface))
            return false;
    }
    return true;
}

static void name_node(struct check *check)
{
    struct verify_report *report = check->report;
    uint32_t node = report->transform.vertex;

    if (report->transform.count > 0)
        snprintf(report->transform_node, sizeof report->transform_node, "%s",
                 check->tables->names + check->tables->nodes[node].name);
}

static bool compare(struct check *check)
{
    check->archive = abc_open(check->options->archive, check->diag);
    if (!check->archive || !check_pair(check) || !check_times(check) ||
        !check_scales(check))
        return false;
    for (uint32_t i = 0; i < check->record_count; i++)
        if (check->meshes[i].object && !check_match(check, &check->meshes[i]))
            return false;
    for (uint32_t f = 0; f < check->header->frame_count; f++)
        if (!compare_frame(check, f))
            return false;
    for (uint32_t i = 0; i < check->record_count; i++)
        if (check->meshes[i].flips.is_flipped &&
            !check_flipped(check, &check->meshes[i]))
            return false;
    name_node(check);
    check->report->failure = find_failure(check->report);
    return true;
}

/* -- the whole -- */

static void count_cache(struct check *check)
{
    struct verify_report *report = check->report;

    report->frame_count = check->header->frame_count;
    report->node_count = check->header->node_count;
    report->mesh_count = check->header->mesh_count;
    for (uint32_t i = 0; i < check->header->mesh_count; i++) {
        report->vertex_count += check->tables->meshes[i].vertex_count;
        report->triangle_count += check->tables->meshes[i].index_count / 3;
    }
}

bool verify_run(const struct verify_options *options, struct diag *diag,
                struct verify_report *report)
{
    struct check check = {.options = options, .report = report, .diag = diag};
    bool is_good = false;

    memset(report, 0, sizeof *report);
    arena_init(&check.run_arena);
    arena_init(&check.frame_arena);
    arena_init(&check.mesh_arena);
    check.reader = cache_reader_open(options->cache, diag);
    if (check.reader) {
        check.header = cache_reader_header(check.reader);
        check.tables = cache_reader_tables(check.reader);
        check.seconds = cache_reader_seconds(check.reader);
        check.unit_mm = check.header->unit_metres * 1000;
        count_cache(&check);
        is_good = options->archive ? compare(&check) : decode_all(&check);
    }
    abc_close(check.archive);
    cache_reader_close(check.reader);
    arena_free(&check.mesh_arena);
    arena_free(&check.frame_arena);
    arena_free(&check.run_arena);
    return is_good;
}
