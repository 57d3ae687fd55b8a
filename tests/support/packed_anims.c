/* packed_anims.c - see packed_anims.h. */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "support/packed_anims.h"

#include "anim/anim_clips.h"
#include "anim/anim_system.h"
#include "anim/clip_packing.h"
#include "anim/tool/anim_compile.h"
#include "harness.h"
#include "host/host.h"
#include "runtime.h"
#include "support/clip_bytes.h"
#include "support/motion_files.h"

#include <spindle/anim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *anims_path(struct packed_anims *a, const char *name)
{
    return arena_format(&a->arena, "%s/%s", a->folder, name);
}

void anims_write(struct packed_anims *a, const char *name, const void *bytes,
                 size_t size)
{
    FILE *file = fopen(anims_path(a, name), "wb");

    CHECK(file);
    CHECK_EQ_U(fwrite(bytes, 1, size, file), size);
    CHECK_EQ(fclose(file), 0);
}

uint8_t *anims_read(struct packed_anims *a, const char *path, size_t *size)
{
    void *text;
    uint8_t *bytes;

    CHECK(host_read_file(path, &text, size, &a->diag));
    bytes = (uint8_t *)arena_string(&a->arena, text, *size);
    free(text);
    return bytes;
}

void anims_begin_diag(struct packed_anims *a)
{
    diag_finish(&a->diag);
    diag_init(&a->diag);
    a->diag.is_silent = true;
}

static void compile(struct packed_anims *a, const char *name, const char *out)
{
    const char *input = anims_path(a, name);
    const struct anim_compile_options options = {
        .inputs = &input,
        .input_count = 1,
        .folder = anims_path(a, out),
        .encode = {.precision = ANIM_PRECISION,
                   .float_precision = ANIM_FLOAT_PRECISION},
        .jobs = 1};
    struct anim_compile_report report;

    CHECK(anim_compile(&options, &a->diag, &report));
    arena_free(&report.arena);
}

/* anims/hero has the clips spline and wave, anims/prop the clip arm. */
void anims_start(struct packed_anims *a)
{
    static unsigned number;
    struct motion_file sources[MOTION_FILE_COUNT];
    static const int used[] = {MOTION_FILE_GLB, MOTION_FILE_BVH};

    snprintf(a->folder, sizeof a->folder, "%s/%u", test_temp(), number++);
    CHECK_EQ(mkdir(a->folder, 0777), 0);
    anims_begin_diag(a);
    arena_init(&a->arena);
    motion_files_make(&a->arena, sources);
    for (int i = 0; i < 2; i++)
        anims_write(a, sources[used[i]].name, sources[used[i]].bytes,
                    sources[used[i]].size);
    CHECK_EQ(mkdir(anims_path(a, "anims"), 0777), 0);
    compile(a, "arm.glb", "anims/hero");
    compile(a, "arm.bvh", "anims/prop");
}

void anims_finish(struct packed_anims *a)
{
    diag_finish(&a->diag);
    arena_free(&a->arena);
}

bool anims_try(struct packed_anims *a, struct anim_pack_options *options,
               const char *out, struct anim_pack_report *report)
{
    const char *input = anims_path(a, "anims");

    options->inputs = &input;
    options->input_count = 1;
    options->folder = anims_path(a, out);
    options->jobs = 1;
    return anim_pack(options, &a->diag, report);
}

bool anims_try_by(struct packed_anims *a, const char *input, const char *out,
                  uint32_t jobs, enum anim_pack_by by,
                  struct anim_pack_report *report)
{
    const char *path = anims_path(a, input);
    const struct anim_pack_options options = {.inputs = &path,
                                              .input_count = 1,
                                              .folder = anims_path(a, out),
                                              .by = by,
                                              .jobs = jobs};

    return anim_pack(&options, &a->diag, report);
}

void anims_pack_by(struct packed_anims *a, const char *out, uint32_t jobs,
                   enum anim_pack_by by)
{
    struct anim_pack_report report;

    CHECK(anims_try_by(a, "anims", out, jobs, by, &report));
    CHECK_EQ_U(report.clip_count, 3);
    arena_free(&report.arena);
}

/* -- the runtime -- */

void anims_put(struct packed_anims *a, const char *out, const char *name)
{
    size_t size;
    uint8_t *bytes = anims_read(
        a, anims_path(a, arena_format(&a->arena, "%s/%s", out, name)), &size);

    slow_platform_add(&a->stage.disc, name, bytes, size);
}

void anims_begin_stage(struct packed_anims *a)
{
    stage_init(&a->stage, NULL);
    a->stage.config.anim_count = 8;
    a->stage.config.heap_page_bytes = 4096;
    a->stage.config.pak_count = 1;
}

void anims_open_image(struct packed_anims *a)
{
    CHECK_EQ(spn_anim_open_image(a->stage.rt, ANIM_PACK_IMAGE), SPN_OK);
    for (int i = 0; i < ANIMS_TICKS_MAX; i++)
        if (spn_anim_get_image_status(a->stage.rt, NULL) == SPN_PENDING)
            stage_tick(&a->stage, STAGE_TICK_US);
    CHECK_EQ(spn_anim_get_image_status(a->stage.rt, NULL), SPN_OK);
}

/* Play a clip until it is in memory, and compare it with its file. */
void anims_play(struct packed_anims *a, const char *name, uint32_t flags,
                const char *database)
{
    spn_anim_play_state state = {0};
    spn_anim_database found = 0;
    const void *bytes = NULL;
    spn_anim_info info;
    spn_anim_play handle;
    spn_anim anim = 0;
    uint8_t *bounce;
    uint8_t *wanted;
    size_t size;
    size_t found_size;

    test_context("%s", name);
    wanted = anims_read(
        a, anims_path(a, arena_format(&a->arena, "anims/%s", name)), &size);
    CHECK_EQ(spn_anim_find(a->stage.rt, name, &anim), SPN_OK);
    CHECK_EQ(spn_anim_get_info(a->stage.rt, anim, &info), SPN_OK);
    CHECK_EQ_U(info.joint_count, name[0] == 'h' ? 5 : 4);
    CHECK_EQ_U(info.flags, flags);
    if (database)
        CHECK_EQ(spn_anim_database_find(a->stage.rt, database, &found), SPN_OK);
    CHECK_EQ_U(info.database, found);
    CHECK_EQ(spn_anim_play_start(a->stage.rt, anim, &handle), SPN_OK);
    for (int i = 0; i < ANIMS_TICKS_MAX && !state.is_loaded; i++) {
        stage_tick(&a->stage, STAGE_TICK_US);
        CHECK_EQ(spn_anim_play_get_state(a->stage.rt, handle, &state), SPN_OK);
    }
    CHECK_EQ_U(state.is_loaded, 1);
    bounce = malloc(info.bytes);
    CHECK(bounce);
    CHECK_EQ(clip_bytes(a->stage.rt, anim, 0, info.bytes, bounce, &bytes),
             SPN_OK);
    found_size = info.bytes;
    if (database) {
        const struct clip_facts facts =
            spn__clip_index_clip(&a->stage.rt->anim->image.index, anim - 1);

        bytes = clip_packing_undo(&facts, bytes, &a->arena, &found_size);
    }
    CHECK_EQ_U(found_size, size);
    CHECK_MEM(bytes, wanted, size);
    free(bounce);
    CHECK_EQ(spn_anim_play_stop(a->stage.rt, handle), SPN_OK);
}
