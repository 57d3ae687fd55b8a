/* synthetic_clip.c - clips without an archive. */
/* SPDX-License-Identifier: MIT */
#include "support/synthetic_clip.h"

#include "compile/encode/encode.h"
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct synthetic_options synthetic_static = {.frame_count = 2,
                                                   .mesh_count = 2,
                                                   .vertices = 9000,
                                                   .is_static = true,
                                                   .has_uvs = true,
                                                   .has_colors = true,
                                                   .has_second_uvs = true,
                                                   .has_velocities = true,
                                                   .is_mirrored = true};

/* -- values -- */

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t x = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du;

    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    x ^= x >> 13;
    return x;
}

static bool is_animated(const struct synthetic_options *o, uint32_t mesh,
                        enum channel channel)
{
    if (o->is_static || mesh < o->static_meshes)
        return false;
    if (channel == CHANNEL_UV || channel == CHANNEL_SECOND_UV)
        return mesh % 2 == 1;
    if (channel == CHANNEL_QTANGENT)
        return !o->is_sliding;
    return (channel != CHANNEL_COLOR && channel != CHANNEL_VELOCITY) ||
           mesh % 2 == 0;
}

static bool has_channel(const struct synthetic_options *o, enum channel channel)
{
    return (channel != CHANNEL_UV || o->has_uvs) &&
           (channel != CHANNEL_COLOR || o->has_colors) &&
           (channel != CHANNEL_SECOND_UV || o->has_second_uvs) &&
           (channel != CHANNEL_VELOCITY || o->has_velocities);
}

uint32_t synthetic_vertices(const struct synthetic_options *o, uint32_t mesh)
{
    return o->vertices + mesh * o->step;
}

bool synthetic_is_hidden(const struct synthetic_options *o, uint32_t frame,
                         uint32_t mesh)
{
    return mesh == 0 && frame >= o->hidden_first && frame < o->hidden_limit;
}

static uint32_t value_of(const struct synthetic_options *o, uint32_t frame,
                         uint32_t mesh, enum channel channel, uint32_t v,
                         uint32_t k)
{
    uint32_t noise = mix(v * 4 + k, frame * 4 + (uint32_t)channel, mesh);
    uint32_t wave = (v * v / 16 + (o->is_calm ? 0 : frame * frame)) % 300;

    if (o->is_noisy)
        return noise;
    switch (channel) {
    case CHANNEL_POSITION:
        return v * (o->position_step ? o->position_step : 11) +
               frame * (13 + k) + k * 9000 + wave +
               (o->is_calm ? 0 : noise & 1);
    case CHANNEL_QTANGENT:
        return k == 3 ? 511 - wave : wave - frame * (k + 1);
    case CHANNEL_UV:
        return v * 100 + frame * 3 + k;
    case CHANNEL_SECOND_UV:
        return 60000 - v * 50 + frame * 5 + k * 7;
    case CHANNEL_VELOCITY:
        return 30000 + v * (k + 3) + wave * 2 + frame * 100;
    default:
        return v + frame * 2 + k * 60;
    }
}

void synthetic_values(const struct synthetic_options *o, uint32_t frame,
                      uint32_t mesh, enum channel channel, void *out)
{
    uint32_t components = channel_components(channel);
    uint16_t *out16 = out;
    uint8_t *out8 = out;

    if (!is_animated(o, mesh, channel))
        frame = 0;
    for (uint32_t v = 0; v < synthetic_vertices(o, mesh); v++)
        for (uint32_t k = 0; k < components; k++) {
            uint32_t value = value_of(o, frame, mesh, channel, v, k);

            if (channel == CHANNEL_COLOR)
                *out8++ = (uint8_t)value;
            else
                *out16++ = (uint16_t)value;
        }
}

/* Every third node is skewed. */
static bool is_affine(uint32_t mesh)
{
    return mesh % 3 == 1;
}

void synthetic_transform(const struct synthetic_options *o, uint32_t frame,
                         uint32_t mesh, struct transform *out)
{
    if (o->is_static)
        frame = 0;
    memset(out, 0, sizeof *out);
    out->is_affine = is_affine(mesh);
    for (int k = 0; out->is_affine && k < 12; k++)
        out->affine[k] = (float)(frame * (uint32_t)k + mesh) * 0.25f;
    if (out->is_affine)
        return;
    out->tns.rotation[3] = 1;
    out->tns.translation[0] = (float)frame * 0.5f;
    out->tns.translation[1] = (float)mesh;
    for (int k = 0; k < 3; k++)
        out->tns.scale[k] = mesh == 2 ? -1.0f : 1.0f;
}

/* -- the clip -- */

static bool produce(void *user, uint32_t number, struct arena *arena,
                    struct clip_frame *frame)
{
    struct synthetic_clip *s = user;
    const struct synthetic_options *o = &s->options;

    if (o->bad_frame != 0 && number == o->bad_frame)
        return false;
    frame->number = number;
    frame->nodes = ARENA_NEW(arena, struct clip_node_frame, s->clip.node_count);
    frame->meshes =
        ARENA_NEW(arena, struct clip_mesh_frame, s->clip.mesh_count);
    synthetic_transform(o, 0, 0, &frame->nodes[0].transform);
    frame->nodes[0].is_visible = true;
    for (uint32_t m = 0; m < o->mesh_count; m++) {
        bool is_hidden = synthetic_is_hidden(o, number, m);

        synthetic_transform(o, number, m, &frame->nodes[m + 1].transform);
        frame->nodes[m + 1].is_visible = !is_hidden;
        frame->meshes[m].is_visible = !is_hidden;
        for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
            enum channel channel = (enum channel)c;

            if (!has_channel(o, channel) || !is_animated(o, m, channel) ||
                (is_hidden && o->is_lazy))
                continue;
            frame->meshes[m].channel[c] = arena_alloc(
                arena, synthetic_vertices(o, m), channel_vertex_bytes(channel));
            synthetic_values(o, number, m, channel,
                             frame->meshes[m].channel[c]);
        }
    }
    for (int k = 0; k < 3; k++) {
        frame->box_min[k] = (float)number;
        frame->box_max[k] = (float)number + 1;
    }
    return true;
}

static void align_signs(void *user, const struct clip_frame *before,
                        struct clip_frame *frame)
{
    (void)user;
    (void)before;
    (void)frame;
}

static void make_mesh(struct synthetic_clip *s, uint32_t m)
{
    static struct clip_material rest = {.name = ""};
    const struct synthetic_options *o = &s->options;
    struct clip_mesh *mesh = &s->clip.meshes[m];

    mesh->path = arena_format(&s->arena, "/top/mesh%u/shape", m);
    mesh->vertex_count = synthetic_vertices(o, m);
    mesh->index_count =
        mesh->vertex_count < 3 ? 0 : (mesh->vertex_count - 2) * 3;
    mesh->indices = ARENA_NEW(&s->arena, uint32_t, mesh->index_count);
    for (uint32_t i = 0; i < mesh->index_count; i++)
        mesh->indices[i] = i / 3 + i % 3;
    mesh->material_count = 1;
    mesh->materials = ARENA_NEW(&s->arena, struct clip_material, 1);
    mesh->materials[0] = rest;
    mesh->materials[0].index_count = mesh->index_count;
    for (int k = 0; k < 3; k++) {
        mesh->range[CHANNEL_POSITION].bits[k] = 16;
        mesh->range[CHANNEL_POSITION].min[k] = -1;
        mesh->range[CHANNEL_POSITION].size[k] = 2;
    }
    for (int k = 0; k < 2; k++) {
        mesh->range[CHANNEL_UV].bits[k] = 16;
        mesh->range[CHANNEL_UV].size[k] = 1;
    }
    for (uint32_t c = CHANNEL_COUNT_BASIC; c < CHANNEL_COUNT; c++)
        for (uint32_t k = 0; has_channel(o, (enum channel)c) &&
                             k < channel_components((enum channel)c);
             k++) {
            mesh->range[c].bits[k] = (uint8_t)(16 - k);
            mesh->range[c].min[k] = -2;
            mesh->range[c].size[k] = (float)(k + 1);
        }
    mesh->second_uv_name = "lightmap";
    mesh->reflection = ARENA_NEW(&s->arena, uint8_t, mesh->vertex_count);
    for (uint32_t i = 0; o->is_mirrored && i < mesh->vertex_count; i++)
        mesh->reflection[i] = m == 1 || (m == 0 && i % 3 == 0);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        enum channel channel = (enum channel)c;

        if (!has_channel(o, channel))
            continue;
        if (is_animated(o, m, channel)) {
            mesh->animated_mask |= (uint8_t)CHANNEL_BIT(c);
            continue;
        }
        mesh->static_mask |= (uint8_t)CHANNEL_BIT(c);
        mesh->static_channel[c] = arena_alloc(&s->arena, mesh->vertex_count,
                                              channel_vertex_bytes(channel));
        synthetic_values(o, 0, m, channel, mesh->static_channel[c]);
    }
}

void synthetic_make(struct synthetic_clip *s,
                    const struct synthetic_options *options)
{
    struct synthetic_options *o = &s->options;
    double *seconds;

    memset(s, 0, sizeof *s);
    arena_init(&s->arena);
    if (options)
        *o = *options;
    o->frame_count = o->frame_count ? o->frame_count : 23;
    o->mesh_count = o->mesh_count ? o->mesh_count : 1;
    o->vertices = o->vertices ? o->vertices : 60;
    s->clip.file_name = "synthetic";
    s->clip.frame_count = o->frame_count;
    seconds = ARENA_NEW(&s->arena, double, o->frame_count);
    for (uint32_t i = 0; i < o->frame_count; i++)
        seconds[i] = 2 + i / 24.0;
    s->clip.frame_seconds = seconds;
    s->clip.node_count = o->mesh_count + 1;
    s->clip.nodes = ARENA_NEW(&s->arena, struct clip_node, s->clip.node_count);
    s->clip.nodes[0] =
        (struct clip_node){.path = "/root", .parent = -1, .mesh = -1};
    s->clip.mesh_count = o->mesh_count;
    s->clip.meshes = ARENA_NEW(&s->arena, struct clip_mesh, o->mesh_count);
    for (uint32_t m = 0; m < o->mesh_count; m++) {
        s->clip.nodes[m + 1] = (struct clip_node){
            .path = arena_format(&s->arena, "/top/mesh%u", m),
            .parent = 0,
            .mesh = (int32_t)m,
            .is_animated = !o->is_static,
            .is_affine = is_affine(m),
        };
        make_mesh(s, m);
    }
    s->source = (struct clip_source){.clip = &s->clip,
                                     .user = s,
                                     .produce = produce,
                                     .align_signs = align_signs};
}

void synthetic_free(struct synthetic_clip *s)
{
    arena_free(&s->arena);
}

/* -- the sink -- */

static bool append(void *user, const void *data, size_t bytes)
{
    struct memory_sink *m = user;

    if (++m->calls == m->fail_at)
        return false;
    while (bytes > m->capacity - m->size) {
        m->capacity = m->capacity ? m->capacity * 2 : 65536;
        m->bytes = realloc(m->bytes, m->capacity);
        if (!m->bytes)
            abort();
    }
    if (bytes > 0)
        memcpy(m->bytes + m->size, data, bytes);
    m->size += bytes;
    return true;
}

static bool write_at(void *user, uint64_t offset, const void *data,
                     size_t bytes)
{
    struct memory_sink *m = user;

    if (++m->calls == m->fail_at)
        return false;
    if (offset > m->size || bytes > m->size - offset)
        abort();
    memcpy(m->bytes + offset, data, bytes);
    return true;
}

void memory_sink_make(struct memory_sink *memory, struct cache_sink *sink)
{
    *sink = (struct cache_sink){
        .user = memory, .append = append, .write_at = write_at};
}

void memory_sink_free(struct memory_sink *memory)
{
    free(memory->bytes);
    memset(memory, 0, sizeof *memory);
}

static bool encode(const struct synthetic_clip *s,
                   const struct compile_options *options, struct diag *diag,
                   struct memory_sink *memory, struct compile_report *report)
{
    struct encode_job job = {
        .source = &s->source, .options = options, .diag = diag};

    memory_sink_make(memory, &job.sink);
    return encode_run(&job, report);
}

bool synthetic_encode(const struct synthetic_clip *s,
                      const struct compile_options *options, struct diag *diag,
                      struct memory_sink *memory)
{
    struct compile_report report;

    return encode(s, options, diag, memory, &report);
}

void synthetic_classic(const struct synthetic_clip *s, uint32_t codec,
                       uint32_t distance, struct memory_sink *memory)
{
    struct compile_options options;
    struct diag diag;

    compile_options_default(&options);
    options.codec = codec;
    options.index_distance = distance;
    options.jobs = 1;
    diag_init(&diag);
    CHECK(synthetic_encode(s, &options, &diag, memory));
    diag_finish(&diag);
}

void synthetic_lift(const struct synthetic_options *o, uint32_t distance,
                    bool has_rings, struct memory_sink *memory)
{
    struct synthetic_clip clip;
    struct compile_options options;
    struct compile_report report;
    struct diag diag;

    synthetic_make(&clip, o);
    compile_options_default(&options);
    options.is_lifted = true;
    options.lifts_all = true;
    options.guesses_all = has_rings;
    options.lifted_distance = distance;
    options.jobs = 1;
    diag_init(&diag);
    CHECK(encode(&clip, &options, &diag, memory, &report));
    CHECK_EQ_U(report.lifted_mesh_count, clip.clip.mesh_count);
    diag_finish(&diag);
    synthetic_free(&clip);
}
