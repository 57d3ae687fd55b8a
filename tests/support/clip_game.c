/* clip_game.c - see clip_game.h. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_game.h"

#include "harness.h"
#include "support/bench.h"

#include <spindle/guard.h>
#include <spindle/record.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCENES 100u
#define OWN 96u
#define SHARED 400u
#define SHARED_OF_SCENE 24u
#define CAST (OWN + SHARED_OF_SCENE)
#define SECOND 1000000
#define VISIT_US (30 * SECOND)
#define FIRST_US (3 * SECOND) /* the first visit begins */
#define AHEAD_US (2 * SECOND)
#define GRACE_US (2 * SECOND)
#define VISITS_MAX 200u
#define EVENTS_MAX (VISITS_MAX * CLIP_GAME_PLAYS * 2)

/* A clip that a run plays, or that pauses. */
struct actor {
    uint32_t clip;
    spn_anim_play play; /* 0: it pauses */
    int64_t since_us;   /* when it began to play */
};

/* When a clip was last wanted and not wanted any more; 0: never. */
struct use {
    int64_t wanted_us;
    int64_t idle_us;
    bool was_loaded; /* at idle_us */
};

struct run {
    struct clip_disc *disc;
    const struct clip_game *game;
    struct clip_game_result *result;
    struct test_random random;
    uint64_t begin_us;
    int64_t now_us; /* since the beginning */
    uint32_t cast[SCENES][CAST];
    uint32_t scenes[VISITS_MAX]; /* of the visits */
    uint32_t clips[VISITS_MAX][CLIP_GAME_PLAYS];
    spn_anim anims[CLIP_GAME_CLIPS];
    uint32_t numbers[CLIP_GAME_CLIPS + 1]; /* clip of an spn_anim */
    spn_anim_cue cues[VISITS_MAX * CLIP_GAME_PLAYS];
    spn_anim_timeline timeline;
    struct use uses[CLIP_GAME_CLIPS];
    struct actor actors[CLIP_GAME_PLAYS];
    spn_anim_skeleton skeleton;
    spn_anim_pose pose;
    /* the recording */
    spn_record_event events[EVENTS_MAX];
    char text[65536];
    char scene_names[VISITS_MAX][16];
    spn_record_scene marks[VISITS_MAX];
};

static void check(spn_status status, const char *what)
{
    if (status != SPN_OK)
        clip_disc_fail(what);
}

/* -- what plays when -- */

static void shuffle(struct test_random *random, uint32_t *numbers,
                    uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t k = test_random_below(random, i);
        const uint32_t number = numbers[i - 1];

        numbers[i - 1] = numbers[k];
        numbers[k] = number;
    }
}

static void make_cast(struct run *run)
{
    static uint32_t numbers[CLIP_GAME_CLIPS];
    struct test_random random = {1};
    uint32_t *shared = numbers + SCENES * OWN;

    for (uint32_t i = 0; i < CLIP_GAME_CLIPS; i++)
        numbers[i] = i;
    shuffle(&random, numbers, CLIP_GAME_CLIPS);
    for (uint32_t i = 0; i < SCENES; i++) {
        memcpy(run->cast[i], numbers + (size_t)i * OWN, OWN * sizeof *numbers);
        shuffle(&random, shared, SHARED);
        memcpy(run->cast[i] + OWN, shared, SHARED_OF_SCENE * sizeof *numbers);
    }
}

static bool played_before(const struct run *run, uint32_t visit, uint32_t clip)
{
    for (uint32_t i = 0; visit > 0 && i < CLIP_GAME_PLAYS; i++)
        if (run->clips[visit - 1][i] == clip)
            return true;
    return false;
}

static void choose_clips(struct run *run, uint32_t visit)
{
    uint32_t cast[CAST];
    uint32_t count = 0;

    memcpy(cast, run->cast[run->scenes[visit]], sizeof cast);
    shuffle(&run->random, cast, CAST);
    for (uint32_t i = 0; i < CAST && count < CLIP_GAME_PLAYS; i++)
        if (!played_before(run, visit, cast[i]))
            run->clips[visit][count++] = cast[i];
    if (count < CLIP_GAME_PLAYS)
        clip_disc_fail("too few clips in a scene");
}

static void make_visits(struct run *run)
{
    uint32_t order[SCENES];

    for (uint32_t i = 0; i < SCENES; i++)
        order[i] = i;
    for (uint32_t i = 0; i < run->game->visits; i++) {
        if (i % SCENES == 0)
            do
                shuffle(&run->random, order, SCENES);
            while (i > 0 && order[0] == run->scenes[i - 1]);
        run->scenes[i] = order[i % SCENES];
        choose_clips(run, i);
    }
}

static int64_t time_of(uint32_t visit)
{
    return FIRST_US + (int64_t)visit * VISIT_US;
}

static void make_cues(struct run *run)
{
    const uint32_t count = run->game->visits * CLIP_GAME_PLAYS;

    for (uint32_t i = 0; i < CLIP_GAME_CLIPS; i++) {
        check(spn_anim_find(run->disc->rt, run->game->names[i], &run->anims[i]),
              "a clip is missing");
        run->numbers[run->anims[i]] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t visit = i / CLIP_GAME_PLAYS;

        run->cues[i] = (spn_anim_cue){
            time_of(visit), run->anims[run->clips[visit][i % CLIP_GAME_PLAYS]]};
    }
    check(spn_anim_timeline_create(run->disc->rt, &run->timeline),
          "no timeline");
    check(spn_anim_timeline_set_cues(run->disc->rt, run->timeline, run->cues,
                                     count),
          "no cues");
}

/* -- what is wanted -- */

/* Whether a clip is wanted again within the grace of its bytes. */
static bool is_resumed(const struct use *use)
{
    return use->was_loaded && use->wanted_us >= use->idle_us &&
           use->wanted_us - use->idle_us < GRACE_US;
}

static void want(struct run *run, uint32_t clip)
{
    struct use *use = &run->uses[clip];

    use->wanted_us = run->now_us;
    run->result->resumed += is_resumed(use);
}

static void on_event(void *user, const spn_anim_event *event)
{
    struct run *run = user;
    const struct use *use = &run->uses[run->numbers[event->anim]];

    if (event->kind == SPN_ANIM_LOADED && event->anim)
        run->result->again += is_resumed(use);
    if (event->kind == SPN_ANIM_FAILED || event->kind == SPN_ANIM_DAMAGED)
        clip_disc_fail("a clip is damaged");
}

/* -- actors -- */

static void start(struct run *run, struct actor *actor)
{
    check(spn_anim_play_start(run->disc->rt, run->anims[actor->clip],
                              &actor->play),
          "no play");
    actor->since_us = run->now_us;
}

static void stop(struct run *run, struct actor *actor)
{
    if (!actor->play)
        return;
    check(spn_anim_play_stop(run->disc->rt, actor->play), "no stop");
    actor->play = 0;
    run->uses[actor->clip].idle_us = run->now_us;
    run->uses[actor->clip].was_loaded =
        spn_anim_is_loaded(run->disc->rt, run->anims[actor->clip]);
}

static void begin_visit(struct run *run, uint32_t visit)
{
    for (uint32_t i = 0; i < CLIP_GAME_PLAYS; i++) {
        struct actor *actor = &run->actors[i];

        stop(run, actor);
        *actor = (struct actor){.clip = run->clips[visit][i]};
        start(run, actor);
    }
}

/* Stop one actor, and start the one that was stopped a second ago. */
static void pause_one(struct run *run)
{
    struct actor *next =
        &run->actors[test_random_below(&run->random, CLIP_GAME_PLAYS)];

    for (uint32_t i = 0; i < CLIP_GAME_PLAYS; i++)
        if (!run->actors[i].play) {
            want(run, run->actors[i].clip);
            start(run, &run->actors[i]);
        }
    stop(run, next);
}

static void sample(struct run *run, const struct actor *actor)
{
    struct clip_game_result *result = run->result;
    spn_anim_play_state state;

    check(spn_anim_play_get_state(run->disc->rt, actor->play, &state),
          "no state");
    result->frames++;
    result->with_clip += state.is_ready;
    result->with_pose +=
        run->game->has_poses &&
        spn_anim_play_sample(run->disc->rt, actor->play, state.time_us,
                             run->skeleton, &run->pose, NULL, 0) == SPN_OK;
}

/* One picture of the game. */
static void show(struct run *run)
{
    double us;

    for (uint32_t i = 0; run->game->has_poses && i < CLIP_GAME_PLAYS; i++)
        if (run->actors[i].play)
            check(spn_anim_play_set_time(run->disc->rt, run->actors[i].play,
                                         run->now_us - run->actors[i].since_us),
                  "no time");
    us = bench_cpu_us();
    clip_disc_tick(run->disc, CLIP_DISC_TICK_US);
    us = bench_cpu_us() - us;
    if (us > run->result->update_us)
        run->result->update_us = us;
    for (uint32_t i = 0; i < CLIP_GAME_PLAYS; i++)
        if (run->actors[i].play)
            sample(run, &run->actors[i]);
}

/* -- the recording -- */

static void mark_scene(struct run *run, uint32_t visit)
{
    spn_record_scene *mark = &run->marks[visit];
    char *name = run->scene_names[visit];

    snprintf(name, sizeof run->scene_names[visit], "scene %u",
             run->scenes[visit]);
    mark->name = name;
    check(spn_record_get_count(run->disc->rt, &mark->first), "no recording");
}

static spn_status append(void *user, const char *text, uint32_t bytes)
{
    return fwrite(text, 1, bytes, user) == bytes ? SPN_OK : SPN_ERR_IO;
}

static void write_trace(struct run *run)
{
    spn_record_list list = {.events = run->events,
                            .text = run->text,
                            .scenes = run->marks,
                            .scene_count = run->game->visits};
    FILE *file = fopen(run->game->trace, "wb");
    uint32_t lost = 0;

    while (spn_record_stop(run->disc->rt, &list.event_count, &lost) ==
           SPN_PENDING)
        clip_disc_tick(run->disc, CLIP_DISC_TICK_US);
    if (!file || lost > 0)
        clip_disc_fail("no room for the trace");
    check(spn_record_write(&list, append, file), "the trace is not written");
    if (fclose(file) != 0)
        clip_disc_fail("the trace is not written");
}

/* -- a run -- */

static void begin(struct run *run)
{
    const spn_record_desc desc = {run->events, EVENTS_MAX, run->text,
                                  sizeof run->text};
    static _Alignas(SPN_ANIM_POSE_ALIGN) float memory[65536];

    check(spn_guard_thread(run->disc->rt, SPN_ROLE_MAIN), "no guard");
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++)
        check(spn_guard_medium(run->disc->rt, (spn_medium)i, SPN_ROLE_MAIN),
              "no guard");
    run->skeleton = clip_disc_skeleton(run->disc, run->game->skeleton);
    check(spn_anim_skeleton_make_pose(run->disc->rt, run->skeleton, memory,
                                      sizeof memory, &run->pose),
          "no pose");
    check(spn_anim_listen(run->disc->rt, on_event, run), "no listener");
    if (run->game->trace)
        check(spn_record_start(run->disc->rt, &desc), "no recording");
    run->begin_us = run->disc->disc.clock_us;
}

static void play(struct run *run)
{
    const uint32_t visits = run->game->visits;
    int64_t pause_us = time_of(0) + SECOND;
    uint32_t seen = 0;
    uint32_t begun = 0;

    while (run->now_us < time_of(visits)) {
        run->now_us = (int64_t)(run->disc->disc.clock_us - run->begin_us);
        if (seen < visits && run->now_us >= time_of(seen) - AHEAD_US) {
            if (run->game->trace)
                mark_scene(run, seen);
            for (uint32_t i = 0; i < CLIP_GAME_PLAYS; i++)
                want(run, run->clips[seen][i]);
            seen++;
        }
        check(spn_anim_timeline_set_time(run->disc->rt, run->timeline,
                                         run->now_us),
              "no time");
        if (begun < visits && run->now_us > time_of(begun))
            begin_visit(run, begun++);
        if (run->now_us >= pause_us) {
            pause_one(run);
            pause_us += SECOND;
        }
        show(run);
    }
}

void clip_game_run(struct clip_disc *disc, const struct clip_game *game,
                   struct clip_game_result *result)
{
    struct run *run = calloc(1, sizeof *run);
    spn_anim_stats stats;

    memset(result, 0, sizeof *result);
    if (!run || game->visits > VISITS_MAX)
        clip_disc_fail("too many visits");
    run->disc = disc;
    run->game = game;
    run->result = result;
    run->random.state = game->seed;
    make_cast(run);
    make_visits(run);
    make_cues(run);
    begin(run);
    play(run);
    if (game->trace)
        write_trace(run);
    spn_anim_get_stats(disc->rt, &stats);
    result->hits = stats.cue_hits;
    result->misses = stats.cue_misses;
    free(run);
}
