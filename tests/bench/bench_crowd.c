/* bench_crowd.c - time of a play in a crowd: many plays of one long clip, each
 * at a time of its own.
 *
 * A line has the number of plays, the time to sample one of them, and the time
 * of an update for each of them. Both should not depend on the number, apart
 * from memory that is not in the cache of the processor any more.
 */
/* SPDX-License-Identifier: MIT */
#include "support/bench.h"
#include "support/pose_stage.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#define JOINTS 20u
#define PLAYS_MAX 256u
#define APART_US 1100000 /* two segments and a frame */

static const struct made_motion made = {
    .joints = JOINTS, .frames = 33 * PLAYS_MAX + 32, .swing = 0.6};

struct crowd {
    struct pose_stage stage;
    spn_anim_skeleton skeleton;
    spn_anim_play plays[PLAYS_MAX];
    uint32_t count;
    int64_t time_us;
    alignas(
        SPN_ANIM_POSE_ALIGN) float values[10 * SPN_ANIM_POSE_STRIDE(JOINTS)];
    spn_anim_pose pose;
};

static void must(spn_status status)
{
    if (status == SPN_OK)
        return;
    fprintf(stderr, "bench_crowd: status %d\n", (int)status);
    exit(1);
}

static int64_t time_of(const struct crowd *c, uint32_t play)
{
    return c->time_us + (int64_t)play * APART_US;
}

static void run_samples(void *user)
{
    struct crowd *c = user;

    for (uint32_t i = 0; i < c->count; i++)
        must(spn_anim_play_sample(c->stage.stage.rt, c->plays[i], time_of(c, i),
                                  c->skeleton, &c->pose, NULL, 0));
}

static void run_update(void *user)
{
    struct crowd *c = user;

    pose_stage_tick(&c->stage);
}

/* Start plays until there are `count`, and wait for their poses. */
static void grow(struct crowd *c, uint32_t count)
{
    spn_runtime *rt = c->stage.stage.rt;

    for (; c->count < count; c->count++) {
        must(spn_anim_play_start(rt, pose_stage_clip(&c->stage, 0),
                                 &c->plays[c->count]));
        must(spn_anim_play_set_time(rt, c->plays[c->count],
                                    time_of(c, c->count)));
    }
    for (uint32_t i = 0; i < 2 * PLAYS_MAX + 200; i++)
        pose_stage_tick(&c->stage);
}

int main(void)
{
    static struct crowd c;

    pose_stage_init(&c.stage);
    pose_stage_add(&c.stage, &made, SPN_ANIM_LOOPS);
    c.stage.stage.config.heap_bytes = 64 << 20;
    c.stage.stage.config.anim_play_count = PLAYS_MAX;
    pose_stage_open(&c.stage);
    c.skeleton = pose_stage_skeleton(&c.stage, 0);
    must(spn_anim_skeleton_make_pose(c.stage.stage.rt, c.skeleton, c.values,
                                     sizeof c.values, &c.pose));
    printf("plays,us of a sample,us of an update for each play\n");
    for (uint32_t count = 1; count <= PLAYS_MAX; count *= 4) {
        grow(&c, count);
        printf("%u,%.3f,%.3f\n", count,
               bench_best_us(run_samples, &c, 30) / count,
               bench_best_us(run_update, &c, 30) / count);
    }
    pose_stage_close(&c.stage);
    return 0;
}
