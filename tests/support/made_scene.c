/* made_scene.c - the scene being written, its grid, and its checks. */
/* SPDX-License-Identifier: MIT */
#include "support/made_scene.h"

#include "compile/clip/clip.h"
#include "harness.h"
#include "support/clip_validate.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

static struct clip_validated validated;
struct made_writer made_scene;
float made_grid_positions[2][3 * GRID_POINTS];

const char *made_scene_path(const char *name)
{
    static char paths[2][600];
    static int turn;
    char *path = paths[turn++ % 2];

    snprintf(path, sizeof paths[0], "%s/%s", test_temp(), name);
    return path;
}

static int32_t grid_counts[GRID_FACES];
static int32_t grid_indices[GRID_CORNERS];
static const uint32_t grid_point_counts[2] = {GRID_POINTS, GRID_POINTS};

struct made_mesh made_grid(const char *name, uint32_t sample_count)
{
    struct made_mesh mesh = {.name = name,
                             .sample_count = sample_count,
                             .point_counts = grid_point_counts,
                             .positions = made_grid_positions[0],
                             .topology_samples = 1,
                             .face_count = GRID_FACES,
                             .counts = grid_counts,
                             .corner_count = GRID_CORNERS,
                             .indices = grid_indices};

    for (int s = 0; s < 2; s++)
        for (int i = 0; i < GRID_POINTS; i++) {
            made_grid_positions[s][3 * i] = (float)(i % GRID_SIDE);
            made_grid_positions[s][3 * i + 1] = (float)(i / GRID_SIDE);
            made_grid_positions[s][3 * i + 2] =
                (float)(i * i % 7 + s * i) * 0.05f;
        }
    for (int f = 0; f < GRID_FACES; f++) {
        int32_t at = f / 3 * GRID_SIDE + f % 3;
        const int32_t corners[4] = {at, at + GRID_SIDE, at + GRID_SIDE + 1,
                                    at + 1};

        grid_counts[f] = 4;
        memcpy(grid_indices + 4 * f, corners, sizeof corners);
    }
    return mesh;
}

void (*made_scene_adjust)(struct compile_options *options);

static void set_options(struct compile_options *options)
{
    compile_options_default(options);
    if (made_scene_adjust)
        made_scene_adjust(options);
}

struct clip *made_scene_open(const char *path, bool is_strict,
                             struct diag *diag, struct abc_archive **archive)
{
    struct compile_options options;

    set_options(&options);
    options.is_strict = is_strict;
    diag_init(diag);
    diag->is_silent = true;
    *archive = abc_open(path, diag);
    if (!*archive)
        test_fail(__FILE__, __LINE__, "not an archive: %s", diag->text);
    return clip_open(*archive, &options);
}

unsigned made_scene_check(struct compile_report *report)
{
    struct verify_options verify = {.cache = made_scene_path("made.sgc"),
                                    .archive = made_scene_path("made.abc")};
    struct verify_report verdict;
    struct compile_options options;
    struct abc_archive *archive;
    struct clip *clip;
    struct diag diag;
    unsigned warnings;

    made_close(&made_scene, verify.archive);
    clip = made_scene_open(verify.archive, false, &diag, &archive);
    if (!clip)
        test_fail(__FILE__, __LINE__, "refused: %s", diag.text);
    warnings = diag.warning_count;
    set_options(&options);
    verify.color_set = options.color_set;
    verify.flip_v = options.flip_v;
    validate_clip(clip, archive, &options, &validated);
    clip_close(clip);
    abc_close(archive);
    options.input = verify.archive;
    options.output = verify.cache;
    if (!compile_run(&options, &diag, NULL, NULL, report) ||
        !verify_run(&verify, &diag, &verdict))
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    if (verdict.failure)
        test_fail(__FILE__, __LINE__, "verify: %s", verdict.failure);
    diag_finish(&diag);
    return warnings;
}
