/* encode_group.c - all frames of a clip: a pipeline of two stages.
 *
 * The first stage produces frames on any thread. Then, in display order, it
 * aligns the signs of each frame's QTangents with the frame before, and copies
 * the values to a circular buffer. The second stage encodes groups
 * (encode_group.h), block by block on any thread, and writes them in order. The
 * anchor is encoded with the group that follows it, because both groups decide
 * which of its tiles are needed.
 *
 * While a group is encoded, frames of later groups are produced, as far as the
 * circular buffer has room: enough to keep all threads busy, but at most
 * WINDOW_BYTES unless one group needs more.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/encode_group.h"

#include "cache/cache_block.h"
#include "cache/cache_nodes.h"
#include "common/phases.h"
#include "common/pipeline.h"
#include "compile/encode/encode_lift.h"
#include "compile/encode/encode_stats.h"
#include "compile/encode/lift/lift_pyramid.h"

#include <string.h>

/* Limit of the bytes of frames in flight, in addition to those that the
 * pipeline always needs: a group with its anchor, and two frames that are being
 * produced. */
#define WINDOW_BYTES ((size_t)256 << 20)
/* About how many tasks of the second stage each thread has in flight. The end
 * of one group must overlap with the beginning of the next. */
#define TASKS_PER_THREAD 4u
#define GROUPS_MAX 32u

enum { STAGE_FRAMES, STAGE_GROUPS, STAGE_COUNT };

static uint32_t min_within_u32(uint64_t a, uint64_t b)
{
    uint64_t least = a < b ? a : b;

    return least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

static uint32_t group_first(const struct group_loop *g, uint32_t number)
{
    return number < g->group_count ? number * g->distance : g->last;
}

/* -- frames -- */

static uint32_t limit_frames(void *user, const uint32_t *finished)
{
    const struct group_loop *g = user;
    /* The frame before stays in memory, because signs are aligned with it. */
    uint64_t produced =
        (uint64_t)finished[STAGE_FRAMES] + g->produced_count - 1;
    uint64_t written = finished[STAGE_GROUPS];
    uint64_t values =
        (uint64_t)group_first(g, (uint32_t)written) + g->value_count;
    /* Frames up to the end of group `written` + window may be produced. */
    uint64_t groups = (written + g->window + 1) * g->distance;
    uint32_t limit = min_within_u32(produced, values);

    return min_within_u32(limit, groups);
}

static bool produce_task(void *user, uint32_t number, uint32_t task,
                         uint32_t worker)
{
    const struct group_loop *g = user;
    const struct clip_source *source = g->e->job->source;
    struct produced *at = &g->produced[number % g->produced_count];

    (void)task;
    (void)worker;
    if (g->e->all_frames) {
        at->frame = g->e->all_frames[number];
        return true;
    }
    arena_reset(&at->arena);
    memset(&at->frame, 0, sizeof at->frame);
    at->frame.number = number;
    if (source->produce(source->user, number, &at->arena, &at->frame))
        return true;
    return diag_has_failed(g->e->diag)
               ? false
               : cache_writer_internal(g->e->diag, g->e->clip->file_name,
                                       "frame %u is missing", number);
}

/* Return the group whose last frame this is; UINT32_MAX: none. */
static uint32_t group_that_ends(const struct group_loop *g, uint32_t frame)
{
    if (frame == 0 || (frame % g->distance != 0 && frame != g->last))
        return UINT32_MAX;
    return (frame - 1) / g->distance;
}

static void open_group(struct group_loop *g, uint32_t number)
{
    const struct layout *l = &g->e->layout;
    struct group *group = group_at(g, number);

    group->number = number;
    group->first = group_first(g, number);
    group->count =
        number < g->group_count ? group_first(g, number + 1) - group->first : 0;
    for (uint32_t t = 0; t < l->tile_count; t++) {
        group->is_needed[t] = false;
        for (uint32_t i = 0; i <= group->count; i++)
            if (values_of(g, group->first + i)->is_visible[t])
                group->is_needed[t] = true;
    }
}

static bool finish_frame(void *user, uint32_t number, uint32_t worker)
{
    struct group_loop *g = user;
    const struct clip_source *source = g->e->job->source;
    struct clip_frame *frame = &g->produced[number % g->produced_count].frame;
    uint32_t ended = group_that_ends(g, number);

    (void)worker;
    if (!g->e->all_frames)
        source->align_signs(
            source->user,
            number > 0 ? &g->produced[(number - 1) % g->produced_count].frame
                       : NULL,
            frame);
    encoder_gather(g->e, frame, values_of(g, number));
    encoder_stats_add_errors(g->e, frame);
    if (ended != UINT32_MAX)
        open_group(g, ended);
    if (number == g->last)
        open_group(g, g->group_count);
    return true;
}

/* -- groups -- */

/* Return how many groups have all their frames produced. */
static uint32_t limit_groups(void *user, const uint32_t *finished)
{
    const struct group_loop *g = user;
    uint32_t frames = finished[STAGE_FRAMES];

    if (frames == 0)
        return 0;
    return frames > g->last ? g->group_count + 1 : (frames - 1) / g->distance;
}

static uint32_t group_task_count(void *user, uint32_t number)
{
    const struct group_loop *g = user;

    return frames_to_encode(group_at(g, number)) * g->e->layout.block_count;
}

/* -- blocks of a frame: `slot` counts from the anchor -- */

static bool is_index(const struct group_loop *g, const struct group *group,
                     uint32_t slot)
{
    return slot == 0 || slot == group->count || !has_b_frames(g->e);
}

/* References of a classic B frame: F and C are the index frames of the group, P
 * and Q the two frames before, or the anchor in place of frames before it. The
 * first B frame waits for both index frames. Each other one waits only for P,
 * which has waited for them. */
static struct group_references classic_references(const struct group *group,
                                                  uint32_t slot)
{
    return (struct group_references){
        .count = CACHE_REFERENCES_MAX,
        .slot = {0, group->count, slot - 1, slot >= 2 ? slot - 2 : 0},
        .wait_mask = slot == 1 ? 1u | 2u : 4u,
    };
}

/* Return all references that a frame of a pyramid may have. */
static struct group_references pyramid_references(const struct group_loop *g,
                                                  const struct group *group,
                                                  uint32_t slot)
{
    struct group_references references = {0};

    references.count =
        lift_pyramid_references(group->first + slot, g->e->clip->frame_count,
                                g->distance, references.slot);
    for (uint32_t k = 0; k < references.count; k++)
        references.slot[k] -= group->first;
    return references;
}

struct group_references group_references(const struct group_loop *g,
                                         const struct group *group,
                                         uint32_t slot)
{
    if (is_index(g, group, slot))
        return (struct group_references){0};
    return encoder_has_lifted(g->e) ? pyramid_references(g, group, slot)
                                    : classic_references(group, slot);
}

static const void *value_at(const struct group_loop *g,
                            const struct group *group, uint32_t slot,
                            uint32_t block)
{
    return values_of(g, group->first + slot)->bytes + g->e->block_at[block];
}

/* Is the tile visible in this group, or in the one that the anchor ends? */
static bool is_needed(const struct group_loop *g, const struct group *group,
                      uint32_t slot, uint32_t tile)
{
    return group->is_needed[tile] ||
           (slot == 0 && group->number > 0 &&
            group_at(g, group->number - 1)->is_needed[tile]);
}

/* Return the values of the tile's channel in this slot; NULL: it has no such
 * block. */
static const void *beside(const struct group_loop *g, const struct group *group,
                          uint32_t slot, uint32_t block)
{
    return block == CACHE_NONE ? NULL : value_at(g, group, slot, block);
}

static bool encode_block(struct group_loop *g, struct encoder_thread *thread,
                         const struct group *group, uint32_t slot,
                         uint32_t block, struct stream_result *result)
{
    struct encoder *e = g->e;
    const struct cache_block *b = &e->layout.blocks[block];
    const void *values = value_at(g, group, slot, block);
    struct predict_stream stream = {.count = b->count};
    const struct group_references references = group_references(g, group, slot);
    const void *from[CACHE_REFERENCES_MAX];
    const struct cache_tile *tile;

    memset(result, 0, sizeof *result);
    if (b->kind == CACHE_BLOCK_NODES) {
        struct spn_fault fault = {0};

        if (spn__cache_nodes_validate(b, values, &fault) != SPN_OK)
            return cache_writer_internal(
                e->diag, e->clip->file_name, "frame %u, node %u: bad %s",
                group->first + slot, (unsigned)fault.value, fault.what);
        return encoder_bytes(e, thread, values, b->raw_bytes, result);
    }
    if (!is_needed(g, group, slot, b->tile)) {
        result->is_absent = true;
        return true;
    }
    tile = &e->layout.tiles[b->tile];
    stream.channel = (enum channel)b->channel;
    for (uint32_t k = 0; k < references.count; k++)
        from[k] = value_at(g, group, references.slot[k], block);
    if (cache_tile_is_lifted(tile))
        return encoder_lifted(
            e, thread, b->tile, stream.channel, group->first + slot, values,
            from, references.count,
            beside(g, group, slot, tile->block[CHANNEL_POSITION]),
            beside(g, group, slot, tile->block[CHANNEL_UV]), result);
    stream.entries = e->predictors[b->tile];
    if (references.count > 0)
        spn__cache_classic_references(&stream, from, references.count);
    return encoder_stream(e, thread, &stream, values, result);
}

static bool encode_task(void *user, uint32_t number, uint32_t task,
                        uint32_t worker)
{
    struct group_loop *g = user;
    struct encoder_thread *thread = &g->e->threads[worker];
    const struct group *group = group_at(g, number);
    uint32_t block_count = g->e->layout.block_count;
    struct arena own = thread->arena;
    bool is_good;

    /* Results live as long as the group, while the thread works on other
     * groups. */
    thread->arena = group->arenas[worker];
    is_good = encode_block(g, thread, group, task / block_count,
                           task % block_count, &group->results[task]);
    group->arenas[worker] = thread->arena;
    thread->arena = own;
    return is_good;
}

static bool finish_group(void *user, uint32_t number, uint32_t worker)
{
    struct group_loop *g = user;
    struct encoder *e = g->e;
    struct group *group = group_at(g, number);
    enum phase before = phases_enter(PHASE_WRITE);
    const bool is_good = group_write(g, group);

    (void)worker;
    /* The arenas are freed, not reset. The share of each thread differs from
     * group to group, so every reused arena would grow to the size of a whole
     * group. */
    for (uint32_t i = 0; i < workers_count(e->workers); i++)
        arena_free(&group->arenas[i]);
    phases_enter(before);
    if (is_good && e->job->progress)
        e->job->progress(e->job->progress_user,
                         (double)e->writer.stored / e->clip->frame_count);
    return is_good;
}

/* -- all of it -- */

/* Choose how many frames and groups are in flight. A single thread produces a
 * frame only when it has nothing to encode. */
static void choose_windows(struct group_loop *g)
{
    const struct encoder *e = g->e;
    uint32_t threads = workers_count(e->workers);
    uint32_t tasks = g->distance * e->layout.block_count;
    uint32_t frame_count = e->clip->frame_count;
    /* group_frames: the least that the pipeline needs; affordable: the frames
     * that WINDOW_BYTES has room for. */
    uint32_t group_frames =
        min_within_u32((uint64_t)g->distance + 1, frame_count);
    size_t affordable = WINDOW_BYTES / (e->frame_bytes + 1);

    g->window = 1;
    g->value_count = group_frames;
    g->produced_count = 2;
    if (threads == 1)
        return;
    g->window = min_within_u32(
        2 + TASKS_PER_THREAD * (uint64_t)threads / (tasks + 1), GROUPS_MAX);
    g->produced_count = 2 * threads + 1;
    g->value_count = min_within_u32(
        (uint64_t)g->window * g->distance + 1 + threads, frame_count);
    if (g->produced_count > affordable / 2)
        g->produced_count = affordable / 2 < 2 ? 2 : (uint32_t)affordable / 2;
    affordable =
        affordable > g->produced_count ? affordable - g->produced_count : 0;
    if (g->value_count > affordable)
        g->value_count =
            affordable < group_frames ? group_frames : (uint32_t)affordable;
}

static void make_buffers(struct group_loop *g, struct arena *arena)
{
    const struct encoder *e = g->e;
    uint32_t threads = workers_count(e->workers);
    uint32_t group_frames =
        min_within_u32((uint64_t)g->distance, e->clip->frame_count);

    g->produced = ARENA_NEW(arena, struct produced, g->produced_count);
    for (uint32_t i = 0; i < g->produced_count; i++)
        arena_init(&g->produced[i].arena);
    g->values = ARENA_NEW(arena, struct frame_values, g->value_count);
    for (uint32_t i = 0; i < g->value_count; i++) {
        g->values[i].bytes = ARENA_NEW(arena, uint8_t, e->frame_bytes);
        g->values[i].is_visible = ARENA_NEW(arena, bool, e->layout.tile_count);
        g->values[i].boxes = ARENA_NEW(arena, uint8_t, e->layout.box_bytes);
    }
    g->groups = ARENA_NEW(arena, struct group, group_places(g));
    for (uint32_t i = 0; i < group_places(g); i++) {
        struct group *group = &g->groups[i];

        group->is_needed = ARENA_NEW(arena, bool, e->layout.tile_count);
        group->results =
            ARENA_NEW(arena, struct stream_result,
                      (size_t)group_frames * e->layout.block_count);
        group->arenas = ARENA_NEW(arena, struct arena, threads);
        for (uint32_t k = 0; k < threads; k++)
            arena_init(&group->arenas[k]);
    }
}

static void free_buffers(struct group_loop *g)
{
    for (uint32_t i = 0; i < g->produced_count; i++)
        arena_free(&g->produced[i].arena);
    for (uint32_t i = 0; i < group_places(g); i++)
        for (uint32_t k = 0; k < workers_count(g->e->workers); k++)
            arena_free(&g->groups[i].arenas[k]);
}

bool encoder_frames(struct encoder *e)
{
    struct group_loop g = {.e = e};
    struct pipeline_stage stages[STAGE_COUNT];
    struct arena arena;
    bool is_good;

    g.distance = e->index_distance;
    g.last = e->clip->frame_count - 1;
    g.group_count = g.last / g.distance + (g.last % g.distance != 0);
    choose_windows(&g);
    arena_init(&arena);
    make_buffers(&g, &arena);
    stages[STAGE_FRAMES] = (struct pipeline_stage){
        .item_count = e->clip->frame_count,
        .window = g.produced_count,
        .run_task = produce_task,
        .finish = finish_frame,
        .limit = limit_frames,
    };
    stages[STAGE_GROUPS] = (struct pipeline_stage){
        .item_count = g.group_count + 1,
        .window = g.window,
        .task_count = group_task_count,
        .run_task = encode_task,
        .finish = finish_group,
        .limit = limit_groups,
    };
    is_good = pipeline_run(e->workers, stages, STAGE_COUNT, &g);
    free_buffers(&g);
    arena_free(&arena);
    return is_good;
}
