/* lift_frames.c - chooses the training frames, produces them and keeps their
 * values.
 *
 * Frames are produced in batches of one frame per thread. Only the wanted
 * channels of a batch are kept. A short clip keeps its frames as a whole, so
 * that they need not be produced again. The signs of QTangents are aligned from
 * each kept frame to the next.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/lift_frames.h"

#include "compile/encode/lift/lift_weights.h"

#include <string.h>

/* Most bytes of whole frames that are kept until the clip is encoded. */
#define WHOLE_BYTES ((size_t)64 << 20)

uint32_t lift_frames_find(const struct lift_frames *frames, uint32_t number)
{
    for (uint32_t i = 0; i < frames->count; i++)
        if (frames->numbers[i] == number)
            return i;
    return frames->count;
}

/* -- the choice of frames -- */

/* Return the bytes of a frame's values; is_wanted NULL: of all meshes. */
static size_t frame_bytes(const struct clip *clip, const bool *is_wanted)
{
    size_t bytes = 0;

    for (uint32_t m = 0; m < clip->mesh_count; m++)
        for (uint32_t c = 0; (!is_wanted || is_wanted[m]) && c < CHANNEL_COUNT;
             c++)
            if (clip->meshes[m].animated_mask & CHANNEL_BIT(c))
                bytes += (size_t)clip->meshes[m].vertex_count *
                         channel_vertex_bytes((enum channel)c);
    return bytes;
}

static size_t whole_bytes(const struct clip *clip)
{
    return frame_bytes(clip, NULL) + sizeof(struct clip_frame) +
           clip->node_count * sizeof(struct clip_node_frame) +
           clip->mesh_count * sizeof(struct clip_mesh_frame);
}

/* Is frame k of a group left out? This happens only if a group has one frame
 * more than the limit of training frames. */
static bool is_left_out(uint32_t frame_count, uint32_t distance, uint32_t k)
{
    return distance >= LIFT_TRAINING_FRAMES_MAX &&
           frame_count > LIFT_TRAINING_FRAMES_MAX &&
           k == LIFT_TRAINING_FRAMES_MAX / 4 + 1;
}

/* List the frames of `kept` evenly spaced groups, the first and the last group
 * included. Adjacent groups share a frame, which is listed once. */
static uint32_t list_groups(uint32_t frame_count, uint32_t distance,
                            uint32_t group_count, uint32_t kept,
                            uint32_t *numbers)
{
    const uint32_t last = frame_count - 1;
    uint32_t count = 0;

    numbers[count++] = 0;
    for (uint32_t i = 0; i < kept; i++) {
        const uint32_t group =
            kept > 1 ? (uint32_t)((uint64_t)i * (group_count - 1) / (kept - 1))
                     : 0;

        for (uint32_t k = 0; k <= distance; k++) {
            const uint32_t number = group * distance + k;

            if (number <= last && number > numbers[count - 1] &&
                !is_left_out(frame_count, distance, k))
                numbers[count++] = number;
        }
    }
    return count;
}

uint32_t lift_frames_choose(uint32_t frame_count, uint32_t distance,
                            size_t frame_bytes, uint32_t *numbers)
{
    const uint32_t group_count = (frame_count - 1 + distance - 1) / distance;
    const size_t affordable = LIFT_TRAINING_BYTES / (frame_bytes + 1);
    const size_t most = LIFT_TRAINING_BYTES_MOST / (frame_bytes + 1);
    const uint32_t limit = affordable < LIFT_TRAINING_FRAMES_MAX
                               ? (uint32_t)affordable
                               : LIFT_TRAINING_FRAMES_MAX;
    uint32_t kept = limit / (distance + 1);
    uint32_t count;

    if (kept < 1)
        kept = 1;
    if (kept > group_count || frame_count <= limit)
        kept = group_count;
    count = list_groups(frame_count, distance, group_count, kept, numbers);
    while (count < LIFT_FRAMES_WORTH_WEIGHTS && kept < group_count &&
           most / (distance + 1) > kept)
        count =
            list_groups(frame_count, distance, group_count, ++kept, numbers);
    return count;
}

/* -- production -- */

struct batch {
    const struct clip_source *source;
    const struct lift_frames *frames;
    uint32_t first; /* index of the batch's first frame */
    struct arena *arenas;
    struct clip_frame *produced;
    bool *is_produced;
};

static void produce_batch_frame(void *user, uint32_t i, uint32_t worker)
{
    struct batch *b = user;
    const uint32_t number = b->frames->numbers[b->first + i];

    (void)worker;
    arena_reset(&b->arenas[i]);
    memset(&b->produced[i], 0, sizeof b->produced[i]);
    b->produced[i].number = number;
    b->is_produced[i] = b->source->produce(b->source->user, number,
                                           &b->arenas[i], &b->produced[i]);
}

static void *copy(struct arena *arena, const void *from, size_t bytes)
{
    void *to = arena_alloc(arena, bytes, 1);

    memcpy(to, from, bytes);
    return to;
}

static void keep_nodes(const struct clip *clip, const struct clip_frame *from,
                       struct arena *arena, struct clip_frame *to)
{
    *to = *from;
    to->nodes =
        copy(arena, from->nodes, clip->node_count * sizeof *from->nodes);
    to->meshes =
        copy(arena, from->meshes, clip->mesh_count * sizeof *from->meshes);
}

static void keep(const struct batch *b, uint32_t i, const bool *is_wanted,
                 struct arena *arena)
{
    const struct clip *clip = b->source->clip;
    const struct lift_frames *frames = b->frames;
    const struct clip_frame *produced = &b->produced[i];
    struct clip_frame *whole =
        frames->all_frames ? &frames->all_frames[b->first + i] : NULL;
    const void **values = frames->values + (size_t)(b->first + i) *
                                               clip->mesh_count * CHANNEL_COUNT;

    if (whole)
        keep_nodes(clip, produced, arena, whole);
    for (uint32_t m = 0; m < clip->mesh_count; m++)
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
            const void *from = produced->meshes[m].channel[c];
            const bool is_trained =
                is_wanted[m] && produced->meshes[m].is_visible;
            void *kept;

            if (!from || !(is_trained || whole))
                continue;
            kept = copy(arena, from,
                        (size_t)clip->meshes[m].vertex_count *
                            channel_vertex_bytes((enum channel)c));
            if (whole)
                whole->meshes[m].channel[c] = kept;
            if (is_trained)
                values[m * CHANNEL_COUNT + c] = kept;
        }
}

/* Run all batches. The arrays have one entry more than a batch, for the last
 * frame of the batch before. */
static bool run_batches(struct batch *b, const bool *is_wanted,
                        struct workers *workers, uint32_t size,
                        struct arena *arena, uint32_t *missing)
{
    const struct clip_source *source = b->source;
    struct clip_frame *before = &b->produced[size];

    for (b->first = 0; b->first < b->frames->count; b->first += size) {
        const uint32_t left = b->frames->count - b->first;
        const uint32_t count = left < size ? left : size;
        struct arena swap;

        workers_run(workers, count, produce_batch_frame, b);
        for (uint32_t i = 0; i < count; i++) {
            if (!b->is_produced[i]) {
                *missing = b->produced[i].number;
                return false;
            }
            source->align_signs(source->user,
                                i > 0          ? &b->produced[i - 1]
                                : b->first > 0 ? before
                                               : NULL,
                                &b->produced[i]);
            keep(b, i, is_wanted, arena);
        }
        *before = b->produced[count - 1];
        swap = b->arenas[size];
        b->arenas[size] = b->arenas[count - 1];
        b->arenas[count - 1] = swap;
    }
    return true;
}

bool lift_frames_make(const struct clip_source *source, uint32_t distance,
                      const bool *is_wanted, struct workers *workers,
                      struct arena *arena, struct lift_frames *out,
                      uint32_t *missing)
{
    const struct clip *clip = source->clip;
    const uint32_t size = workers_count(workers);
    struct batch b = {.source = source, .frames = out};
    bool is_good;

    *missing = UINT32_MAX;
    out->numbers = ARENA_NEW(arena, uint32_t, LIFT_TRAINING_FRAMES_MAX);
    out->mesh_count = clip->mesh_count;
    out->count = lift_frames_choose(clip->frame_count, distance,
                                    frame_bytes(clip, is_wanted), out->numbers);
    out->values =
        ARENA_NEW(arena, const void *,
                  (size_t)out->count * clip->mesh_count * CHANNEL_COUNT);
    out->all_frames = NULL;
    if (out->count == clip->frame_count &&
        whole_bytes(clip) <= WHOLE_BYTES / clip->frame_count)
        out->all_frames = ARENA_NEW(arena, struct clip_frame, out->count);
    b.arenas = ARENA_NEW(arena, struct arena, (size_t)size + 1);
    b.produced = ARENA_NEW(arena, struct clip_frame, (size_t)size + 1);
    b.is_produced = ARENA_NEW(arena, bool, size);
    for (uint32_t i = 0; i <= size; i++)
        arena_init(&b.arenas[i]);
    is_good = run_batches(&b, is_wanted, workers, size, arena, missing);
    for (uint32_t i = 0; i <= size; i++)
        arena_free(&b.arenas[i]);
    return is_good;
}
