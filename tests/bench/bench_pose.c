/* bench_pose.c - time of poses, warm: sampling from decoded windows.
 *
 * Clips of 100 joints made by the benchmark are decoded once. Then poses at all
 * frames and between them are sampled to a structure of arrays. A line has
 * the time of one pose for each instruction set: local; local and model space
 * as matrices (bars of 0.35 and 1.0 us), and as a pose; and of blending poses.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/bench.h"
#include "support/made_motion.h"

#include "anim/anim_skeleton.h"
#include "anim/encode/anim_encode.h"
#include "anim/encode/clip_windows.h"
#include "anim/pose/pose_sample.h"

#include <spindle/anim_blend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOINTS 100u
#define POSES 400u /* of a run */

static const struct anim_encode_options options = {ANIM_PRECISION,
                                                   ANIM_FLOAT_PRECISION};

static void stop(const char *what)
{
    fprintf(stderr, "bench_pose: %s\n", what);
    exit(1);
}

struct playing {
    struct anim_clip clip;
    struct clip_windows windows;
    uint16_t parents[JOINTS];
    spn_anim_pose rest;
    spn_anim_pose local;
    float matrices[12 * JOINTS];
    uint32_t at; /* a position in time */
};

static void make_pose(spn_anim_pose *pose, struct arena *arena)
{
    uint8_t *memory = arena_alloc(
        arena, SPN_ANIM_POSE_BYTES(JOINTS) + SPN_ANIM_POSE_ALIGN, 1);
    const size_t over = (uintptr_t)memory % SPN_ANIM_POSE_ALIGN;

    *pose = (spn_anim_pose){
        .values = (float *)(void *)(memory + SPN_ANIM_POSE_ALIGN - over),
        .joint_count = JOINTS,
        .stride = SPN_ANIM_POSE_STRIDE(JOINTS)};
}

static void open_clip(const struct anim_file *file, struct arena *arena,
                      struct playing *p)
{
    struct anim_clip_header header;
    spn_fault fault;
    size_t bytes;

    if (spn__anim_clip_read_header(file->bytes, &header, NULL) != SPN_OK ||
        clip_windows_open(&header, file->bytes, arena, &p->clip, &bytes,
                          NULL) != SPN_OK)
        stop("damaged");
    if (clip_windows_decode(&p->clip, file->bytes, arena, &p->windows,
                            &fault) != SPN_OK)
        stop(fault.what);
}

static void take_rest(const struct dense_clip *clip, struct playing *p)
{
    for (uint32_t j = 0; j < JOINTS; j++) {
        const struct joint_transform *t = &clip->joints[j].rest;
        float *to = p->rest.values + j;

        p->parents[j] = clip->joints[j].parent < 0
                            ? SPN_ANIM_NO_PARENT
                            : (uint16_t)clip->joints[j].parent;
        for (uint32_t k = 0; k < 4; k++)
            to[k * p->rest.stride] = (float)t->rotation[k];
        for (uint32_t k = 0; k < 3; k++) {
            to[(4 + k) * p->rest.stride] = (float)t->translation[k];
            to[(7 + k) * p->rest.stride] = (float)t->scale[k];
        }
    }
}

static void sample(struct playing *p)
{
    const uint32_t frame = p->at / 4 % (p->clip.header.frame_count - 1);

    spn__pose_sample(&p->clip.tracks, &p->rest,
                     clip_windows_frame(&p->windows, frame),
                     clip_windows_frame(&p->windows, frame + 1),
                     (float)(p->at % 4) * 0.25f + 0.1f, &p->local, NULL);
    p->at++;
}

static void run_matrices(void *user)
{
    struct playing *p = user;

    for (uint32_t i = 0; i < POSES; i++) {
        sample(p);
        if (spn_anim_pose_to_matrices(&p->local, p->parents, p->matrices) !=
            SPN_OK)
            stop("no matrices");
    }
}

static void run_model(void *user)
{
    struct playing *p = user;

    for (uint32_t i = 0; i < POSES; i++) {
        sample(p);
        if (spn_anim_pose_to_model(&p->local, p->parents, &p->local) != SPN_OK)
            stop("no pose");
    }
}

/* Two poses to one, and an additive pose to that. */
static void run_blend(void *user)
{
    static const float weights[2] = {0.25f, 0.75f};
    struct playing *p = user;
    const spn_anim_pose *const poses[2] = {&p->local, &p->rest};

    for (uint32_t i = 0; i < POSES; i++)
        if (spn_anim_pose_blend(poses, weights, 2, &p->local) != SPN_OK ||
            spn_anim_pose_add(&p->local, &p->rest, 0.5f, &p->local) != SPN_OK)
            stop("no pose");
}

static void run_local(void *user)
{
    for (uint32_t i = 0; i < POSES; i++)
        sample(user);
}

static void run_made(const char *name, const struct made_motion *made)
{
    struct bench_set sets[BENCH_SETS_MAX];
    const int count = bench_sets(sets);
    struct playing p = {0};
    struct dense_clip clip;
    struct anim_file file;
    struct arena arena;

    arena_init(&arena);
    made_motion(made, &arena, &clip);
    anim_encode_clip(&clip, &options, &arena, &file);
    open_clip(&file, &arena, &p);
    make_pose(&p.rest, &arena);
    make_pose(&p.local, &arena);
    take_rest(&clip, &p);
    for (int i = 0; i < count; i++) {
        p.local.cpu = sets[i].cpu;
        printf("%s,%s,%u,%u,%u,%.3f,%.3f,%.3f,%.3f\n", name, sets[i].name,
               p.clip.tracks.rotations.count, p.clip.tracks.translations.count,
               p.clip.tracks.scales.count,
               bench_best_us(run_local, &p, 30) / POSES,
               bench_best_us(run_matrices, &p, 30) / POSES,
               bench_best_us(run_model, &p, 30) / POSES,
               bench_best_us(run_blend, &p, 30) / POSES);
    }
    arena_free(&arena);
}

int main(void)
{
    struct made_motion made = {.joints = JOINTS,
                               .frames = 160,
                               .swing = 0.6,
                               .travel = 0.02,
                               .seed = 5};

    printf("clip,set,rotations,translations,scales,local us,"
           "local and matrices us,local and model pose us,"
           "blend of two and additive us\n");
    run_made("body", &made);
    made.has_all = true;
    run_made("all rotations", &made);
    made.has_shift = true;
    run_made("all translations", &made);
    made.has_scale = true;
    run_made("and scales", &made);
    return 0;
}
