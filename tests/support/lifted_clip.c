/* lifted_clip.c - encode a synthetic clip with lifting; compare played frames
 * with it. */
/* SPDX-License-Identifier: MIT */
#include "support/lifted_clip.h"
#include "support/cache_walk.h"

#include "cachefile/cache_reader.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* The compiler keeps the order of triangles, so their corners show the new
 * number of each vertex. */
static void find_places(struct lifted_clip *l, struct cache_reader *reader)
{
    l->place = calloc(l->clip.clip.mesh_count, sizeof *l->place);
    for (uint32_t m = 0; m < l->clip.clip.mesh_count; m++) {
        const struct clip_mesh *mesh = &l->clip.clip.meshes[m];
        const uint32_t *indices = cache_reader_indices(reader, m);

        l->place[m] = calloc(mesh->vertex_count, sizeof **l->place);
        for (uint32_t i = 0; i < mesh->index_count; i++)
            l->place[m][mesh->indices[i]] = indices[i];
    }
}

const struct synthetic_options lifted_clip_options = {.frame_count = 20,
                                                      .mesh_count = 2,
                                                      .vertices = 300,
                                                      .step = 20,
                                                      .has_uvs = true,
                                                      .has_colors = true,
                                                      .has_second_uvs = true,
                                                      .has_velocities = true,
                                                      .is_mirrored = true};

void lifted_clip_make(struct lifted_clip *l, const struct synthetic_options *o,
                      uint32_t distance, bool has_rings)
{
    struct cache_reader *reader;
    struct diag diag;

    memset(l, 0, sizeof *l);
    l->distance = distance;
    synthetic_make(&l->clip, o);
    synthetic_lift(o, distance, has_rings, &l->memory);
    cache_checksums_find(&l->places, l->memory.bytes, l->memory.size);
    diag_init(&diag);
    reader = cache_reader_open_memory("lifted", l->memory.bytes, l->memory.size,
                                      &diag);
    CHECK(reader != NULL);
    CHECK(cache_has_lifted(l->memory.bytes, l->memory.size));
    find_places(l, reader);
    l->frame_offset = calloc(l->clip.clip.frame_count, sizeof *l->frame_offset);
    l->frame_bytes = calloc(l->clip.clip.frame_count, sizeof *l->frame_bytes);
    for (uint32_t i = 0; i < l->clip.clip.frame_count; i++) {
        l->frame_offset[i] = cache_reader_frames(reader)[i].offset;
        l->frame_bytes[i] = cache_reader_frames(reader)[i].bytes;
    }
    cache_reader_close(reader);
    diag_finish(&diag);
}

void lifted_clip_small(struct lifted_clip *l)
{
    lifted_clip_make(l, &lifted_clip_options, 8, true);
}

void lifted_clip_free(struct lifted_clip *l)
{
    for (uint32_t m = 0; m < l->clip.clip.mesh_count; m++)
        free(l->place[m]);
    free(l->place);
    free(l->frame_offset);
    free(l->frame_bytes);
    cache_checksums_free(&l->places);
    memory_sink_free(&l->memory);
    synthetic_free(&l->clip);
}

int64_t lifted_clip_time(const struct lifted_clip *l, uint32_t frame)
{
    const double *seconds = l->clip.clip.frame_seconds;

    return (int64_t)((seconds[frame] - seconds[0]) * 1e6) + 2;
}

/* -- comparing -- */

/* A quaternion and its negative are the same rotation; the sign of w is the
 * handedness. */
static bool is_same_rotation(const uint8_t *vertex, const uint8_t *truth,
                             bool is_reflected)
{
    int16_t has[4];
    int16_t wants[4];
    int sign;
    bool is_so;

    memcpy(has, vertex, sizeof has);
    memcpy(wants, truth, sizeof wants);
    is_so = has[3] != 0 && (has[3] < 0) == is_reflected;
    sign = (has[3] < 0) == (wants[3] < 0) ? 1 : -1;
    for (int k = 0; k < 4; k++)
        is_so = is_so && has[k] == sign * wants[k];
    return is_so;
}

static void check_channel(const struct lifted_clip *l, uint32_t frame,
                          uint32_t mesh, enum channel channel,
                          const uint8_t *vertices, size_t stride, size_t offset)
{
    const struct clip_mesh *m = &l->clip.clip.meshes[mesh];
    const size_t bytes = channel_vertex_bytes(channel);
    uint8_t *truth;

    if (!((m->static_mask | m->animated_mask) & CHANNEL_BIT(channel)))
        return;
    truth = malloc(m->vertex_count * bytes);
    synthetic_values(&l->clip.options, frame, mesh, channel, truth);
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        const uint8_t *vertex = vertices + l->place[mesh][v] * stride + offset;

        if (channel == CHANNEL_QTANGENT
                ? !is_same_rotation(vertex, truth + v * bytes, m->reflection[v])
                : memcmp(vertex, truth + v * bytes, bytes) != 0)
            test_fail(__FILE__, __LINE__,
                      "frame %u, mesh %u, channel %d, vertex %u differs", frame,
                      mesh, (int)channel, v);
    }
    free(truth);
}

void lifted_clip_check(const struct lifted_clip *l, struct stage *s,
                       spn_node node, uint32_t frame)
{
    static const spn_vertex_layout layout = {
        .stride = 34,
        .position = {0, SPN_FORMAT_QUANTIZED},
        .uv = {8, SPN_FORMAT_QUANTIZED},
        .color = {12, SPN_FORMAT_QUANTIZED},
        .qtangent = {16, SPN_FORMAT_QUANTIZED},
        .second_uv = {24, SPN_FORMAT_QUANTIZED},
        .velocity = {28, SPN_FORMAT_QUANTIZED},
    };

    for (uint32_t m = 0; m < l->clip.clip.mesh_count; m++) {
        const size_t bytes =
            (size_t)l->clip.clip.meshes[m].vertex_count * layout.stride;
        uint8_t *vertices = calloc(1, bytes);
        spn_fill_result result;

        CHECK_EQ(
            spn_node_fill(s->rt, node, m, &layout, vertices, bytes, &result),
            SPN_OK);
        CHECK_EQ_U(result.floor_frame, frame);
        check_channel(l, frame, m, CHANNEL_POSITION, vertices, layout.stride,
                      0);
        check_channel(l, frame, m, CHANNEL_UV, vertices, layout.stride, 8);
        check_channel(l, frame, m, CHANNEL_COLOR, vertices, layout.stride, 12);
        check_channel(l, frame, m, CHANNEL_QTANGENT, vertices, layout.stride,
                      16);
        check_channel(l, frame, m, CHANNEL_SECOND_UV, vertices, layout.stride,
                      24);
        check_channel(l, frame, m, CHANNEL_VELOCITY, vertices, layout.stride,
                      28);
        free(vertices);
    }
}

bool lifted_clip_is_lost(const struct lifted_clip *l, uint32_t damaged,
                         uint32_t frame)
{
    uint32_t references[LIFT_FRAMES_MAX];
    uint32_t count;

    if (frame == damaged)
        return true;
    count = lift_pyramid_references(frame, l->clip.clip.frame_count,
                                    l->distance, references);
    for (uint32_t k = 0; k < count; k++)
        if (lifted_clip_is_lost(l, damaged, references[k]))
            return true;
    return false;
}
