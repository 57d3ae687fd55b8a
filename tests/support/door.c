/* door.c - a whole cache in memory through the runtime's door. */
/* SPDX-License-Identifier: MIT */
#include "support/door.h"

#include "base/checksum.h"
#include "base/cpu.h"
#include "base/endian.h"
#include "cache/cache_lift.h"
#include "cache/cache_wire.h"
#include "codec/classic/predict.h"
#include "common/codecs.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    const uint8_t *bytes;
    size_t size;
    struct cache_header header;
    struct cache_frame *frames;
    struct cache_group *groups;
    void *memory;
    struct cache_tables tables;
    const spn_codec *codec;
    void *workspace;
    struct predict_ops ops;
    struct lift_ops lift;
    uint8_t **lift_data; /* per blob: of lifted tiles, and indices */
    struct predict_entry **predictors; /* per tile; NULL: it has none */
    uint32_t *sum; /* of what was decoded, and of how that ended */
    struct spn_fault *fault;
};

/* A sanitizer sees the first byte beyond. */
static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size > 0 ? size : 1);

    if (!copy)
        abort();
    if (size > 0)
        memcpy(copy, bytes, size);
    return copy;
}

static struct cache_frame *frame_at(void *user, uint32_t number)
{
    struct walk *w = user;

    CHECK(number < w->header.frame_count);
    return &w->frames[number];
}

static struct cache_group *group_at(void *user, uint32_t group)
{
    struct walk *w = user;

    CHECK(group < w->header.group_count);
    return &w->groups[group];
}

static void check_frames(const struct walk *w)
{
    const struct cache_header *h = &w->header;

    for (uint32_t n = 0; n < h->frame_count; n++) {
        const struct cache_frame *f = &w->frames[n];
        const struct cache_group *g;

        CHECK(f->offset >= h->frames_offset && f->offset <= w->size);
        CHECK(f->bytes <= w->size - f->offset);
        CHECK(f->bytes >= spn__cache_file_directory_bytes(h));
        CHECK(n == 0 ? f->time_us == 0 : f->time_us > w->frames[n - 1].time_us);
        CHECK(f->group < h->group_count);
        g = &w->groups[f->group];
        CHECK(n >= g->first_frame && n - g->first_frame < g->frame_count);
        for (uint32_t k = 0; k < f->reference_count; k++) {
            uint32_t target = (uint32_t)((int64_t)n + f->reference[k]);

            CHECK(target < h->frame_count && target != n);
            CHECK(target == g->anchor_frame ||
                  (w->frames[target].group == f->group &&
                   w->frames[target].decode_rank < f->decode_rank));
        }
    }
}

static spn_status walk_frames(struct walk *w)
{
    size_t bytes = (size_t)spn__cache_file_frame_table_bytes(&w->header);
    uint8_t *table;
    struct cache_frame_reader reader = {
        .header = &w->header, .at = frame_at, .group_at = group_at, .user = w};
    spn_status status = SPN_OK;

    CHECK(w->header.frame_table_offset <= w->size &&
          bytes <= w->size - w->header.frame_table_offset);
    if (spn__checksum(w->bytes + w->header.frame_table_offset, bytes,
                      WIRE_SEED) != w->header.frame_table_checksum)
        return SPN_ERR_CHECKSUM;
    table = copy_of(w->bytes + w->header.frame_table_offset, bytes);
    w->frames = calloc(w->header.frame_count, sizeof *w->frames);
    w->groups = calloc(w->header.group_count, sizeof *w->groups);
    for (uint32_t i = 0; i < w->header.frame_count && status == SPN_OK; i++)
        status = spn__cache_file_frame_entry(
            &reader, table + (size_t)i * CACHE_FRAME_ENTRY_BYTES, w->fault);
    if (status == SPN_OK)
        status = spn__cache_file_frames_finish(&reader, w->fault);
    free(table);
    if (status == SPN_OK)
        check_frames(w);
    return status;
}

static void check_tables(const struct walk *w)
{
    const struct cache_header *h = &w->header;
    const struct cache_tables *t = &w->tables;
    uint64_t blob_bytes = 0;

    for (uint32_t n = 0; n < h->node_count; n++) {
        CHECK(t->nodes[n].parent == CACHE_NONE || t->nodes[n].parent < n);
        CHECK(t->nodes[n].mesh == CACHE_NONE ||
              t->nodes[n].mesh < h->mesh_count);
        CHECK(t->nodes[n].name < h->name_bytes);
        CHECK(strlen(t->names + t->nodes[n].name) <
              h->name_bytes - t->nodes[n].name);
    }
    for (uint32_t i = 0; i < h->animated_node_count; i++)
        CHECK(t->nodes[t->animated_nodes[i]].animated == i);
    for (uint32_t m = 0; m < h->mesh_count; m++) {
        uint32_t vertices = 0;

        for (uint32_t k = 0; k < t->meshes[m].part_count; k++) {
            const struct cache_part *p = &t->parts[t->meshes[m].first_part + k];

            CHECK_EQ_U(p->mesh, m);
            CHECK_EQ_U(p->first_vertex, vertices);
            vertices += p->vertex_count;
        }
        CHECK_EQ_U(vertices, t->meshes[m].vertex_count);
        CHECK(t->meshes[m].first_material + t->meshes[m].material_count <=
              h->material_count);
    }
    for (uint32_t i = 0; i < h->tile_count; i++) {
        uint32_t vertices = 0;

        CHECK(t->tiles[i].vertex_count <= CACHE_TILE_VERTICES_MAX);
        for (uint32_t k = 0; k < t->tiles[i].part_count; k++) {
            const struct cache_part *p = &t->parts[t->tiles[i].first_part + k];

            CHECK_EQ_U(p->tile, i);
            CHECK_EQ_U(p->tile_vertex, vertices);
            vertices += p->vertex_count;
        }
        CHECK_EQ_U(vertices, t->tiles[i].vertex_count);
    }
    for (uint32_t i = 0; i < h->blob_count; i++) {
        CHECK_EQ_U(t->blobs[i].offset, blob_bytes);
        CHECK(cache_blob_is_own(&t->blobs[i])
                  ? t->blobs[i].stored_bytes <= WIRE_OWN_BYTES_MAX
                  : t->blobs[i].raw_bytes <= BLOCK_RAW_BYTES_MAX);
        blob_bytes += t->blobs[i].stored_bytes;
    }
    CHECK_EQ_U(blob_bytes, h->blobs_bytes);
    for (uint32_t i = 0; i < h->block_count; i++)
        CHECK(t->blocks[i].raw_bytes <= BLOCK_RAW_BYTES_MAX);
}

static spn_status walk_tables(struct walk *w)
{
    size_t memory_bytes = spn__cache_file_tables_memory(&w->header);
    uint8_t *bytes;
    spn_status status;

    CHECK(w->header.tables_offset <= w->size &&
          w->header.tables_bytes <= w->size - w->header.tables_offset);
    bytes = copy_of(w->bytes + w->header.tables_offset, w->header.tables_bytes);
    w->memory = aligned_alloc(64, (memory_bytes + 63) / 64 * 64 + 64);
    if (!w->memory)
        abort();
    status = spn__cache_file_tables(&w->header, bytes, w->memory, memory_bytes,
                                    &w->tables, w->fault);
    free(bytes);
    if (status == SPN_OK)
        check_tables(w);
    return status;
}

static spn_status unpack(const struct walk *w, uint64_t offset,
                         uint32_t stored_bytes, uint32_t checksum, bool is_raw,
                         uint32_t component_bytes, uint32_t raw_bytes,
                         void **raw)
{
    void *stored;
    spn_status status;

    CHECK(offset <= w->size && stored_bytes <= w->size - offset);
    stored = copy_of(w->bytes + offset, stored_bytes);
    *raw = malloc(raw_bytes > 0 ? raw_bytes : 1);
    status =
        spn__cache_file_unpack(w->codec, stored, stored_bytes, checksum, is_raw,
                               component_bytes, *raw, raw_bytes, w->workspace);
    free(stored);
    return status;
}

/* Values of frames are every bit pattern: any will do to refer to. */
static uint8_t *make_values(size_t bytes, uint32_t seed)
{
    static uint8_t noise[CACHE_TILE_VERTICES_MAX * 8 + 256];
    static bool is_made;
    uint32_t state = 1;

    for (size_t i = 0; !is_made && i < sizeof noise; i++) {
        state = state * 1664525u + 1013904223u;
        noise[i] = (uint8_t)(state >> 24);
    }
    is_made = true;
    CHECK(bytes <= sizeof noise - 256);
    return copy_of(noise + 40 * (size_t)(seed % 6), bytes);
}

static spn_status decode_lifted(const struct walk *w, uint32_t tile,
                                enum channel channel, uint32_t bytes,
                                uint32_t reference_count, uint8_t *values)
{
    const struct lift_hierarchy shape =
        spn__cache_lift_shape(&w->tables, tile, w->lift_data);
    const size_t raw_bytes =
        (size_t)shape.vertex_count * channel_vertex_bytes(channel);
    struct lift_stream s =
        spn__cache_lift_stream(&w->tables, channel, &shape, w->lift_data);
    void *workspace = aligned_alloc(
        64, (spn__lift_workspace_bytes(shape.vertex_count) + 63) / 64 * 64);
    uint8_t *others[LIFT_FRAMES_MAX + 1];
    struct one_rings rings;
    struct spn_fault fault = {0};
    spn_status status;

    /* Whatever the bytes, what was read is a shape. */
    CHECK_EQ(spn__lift_validate(&shape, &fault), SPN_OK);
    for (uint32_t j = 0; j <= LIFT_FRAMES_MAX; j++)
        others[j] = make_values(raw_bytes, j);
    if (channel == CHANNEL_QTANGENT && w->tables.tiles[tile].ring_slots > 0) {
        rings = spn__cache_lift_rings(&w->tables, tile, w->lift_data);
        s.rings = &rings;
        s.positions = (const void *)others[LIFT_FRAMES_MAX];
        s.uvs = (const void *)others[LIFT_FRAMES_MAX];
    }
    s.from_count = spn__cache_file_lifted_frames(values, bytes);
    if (s.from_count > reference_count)
        s.from_count = reference_count;
    for (uint32_t j = 0; j < s.from_count; j++)
        s.from[j] = others[j];
    status = spn__lift_decode(&w->lift, &s, values, bytes, workspace, values,
                              w->fault);
    for (uint32_t j = 0; j <= LIFT_FRAMES_MAX; j++)
        free(others[j]);
    free(workspace);
    return status;
}

/* Of residuals, too, every bit pattern will do. */
static spn_status decode_classic(const struct walk *w,
                                 const struct cache_block_entry *entry,
                                 uint32_t tile, enum channel channel,
                                 uint32_t count, uint32_t reference_count,
                                 uint8_t *values)
{
    const size_t bytes = (size_t)count * channel_vertex_bytes(channel);
    struct predict_stream s = {.channel = channel,
                               .coding = (enum coding)entry->coding,
                               .a = entry->a,
                               .b = entry->b,
                               .c = entry->c,
                               .count = count,
                               .entries = w->predictors[tile]};
    uint8_t *others[CACHE_REFERENCES_MAX] = {NULL};
    const void *from[CACHE_REFERENCES_MAX];
    spn_status status;

    CHECK(entry->coding != CODING_SPATIAL || s.entries != NULL);
    for (uint32_t i = 0; i < reference_count; i++) {
        others[i] = make_values(bytes, i);
        from[i] = others[i];
    }
    if (entry->coding == CODING_TEMPORAL)
        spn__cache_file_classic(&s, from, reference_count);
    status = spn__predict_decode(&w->ops, &s, values);
    for (uint32_t i = 0; i < reference_count; i++)
        free(others[i]);
    return status;
}

static spn_status unpack_channel(const struct walk *w, uint64_t offset,
                                 const struct cache_block_entry *entry,
                                 uint32_t tile, enum channel channel,
                                 uint32_t count, uint32_t reference_count)
{
    size_t bytes = (size_t)count * channel_vertex_bytes(channel);
    uint8_t *scratch = aligned_alloc(64, CACHE_CHANNEL_SCRATCH_BYTES);
    uint8_t *residuals = malloc(bytes > 0 ? bytes : 1);
    spn_status status;
    void *stored;

    CHECK(entry->order < ORDER_COUNT);
    CHECK(offset <= w->size && entry->stored_bytes <= w->size - offset);
    stored = copy_of(w->bytes + offset, entry->stored_bytes);
    status = spn__cache_file_unpack_channel(&w->ops, w->codec, entry, stored,
                                            channel, count, residuals,
                                            w->workspace, scratch);
    if (status == SPN_OK && entry->coding == CODING_LIFTED)
        status = decode_lifted(w, tile, channel, entry->stored_bytes,
                               reference_count, residuals);
    else if (status == SPN_OK)
        status = decode_classic(w, entry, tile, channel, count, reference_count,
                                residuals);
    if (status == SPN_OK)
        *w->sum = spn__checksum(residuals, bytes, *w->sum);
    *w->sum = *w->sum * 31u + (uint32_t)status;
    free(stored);
    free(residuals);
    free(scratch);
    return status;
}

static spn_status join_lift(const struct walk *w, const struct cache_blob *b,
                            const uint8_t *raw)
{
    const size_t number = (size_t)(b - w->tables.blobs);
    union cache_lift_work *work = malloc(sizeof *work);
    spn_status status;

    w->lift_data[number] = malloc(spn__cache_blob_memory(&w->tables, b));
    status = spn__cache_lift_join(&w->tables, b, raw,
                                  cache_blob_is_own(b) ? b->stored_bytes
                                                       : b->raw_bytes,
                                  w->lift_data[number], work, w->fault);
    free(work);
    return status;
}

static void check_predictor(const struct walk *w, uint32_t tile,
                            const struct predict_entry *e)
{
    const struct cache_tile *t = &w->tables.tiles[tile];

    for (uint32_t k = 0; k < t->part_count; k++) {
        const struct cache_part *p = &w->tables.parts[t->first_part + k];

        for (uint32_t i = 0; i < p->vertex_count; i++, e++) {
            if (e->u == PREDICT_NO_TRIANGLE)
                continue;
            CHECK(e->u >= 1 && e->u <= i && e->u <= PREDICT_DISTANCE_MAX);
            CHECK(e->v >= 1 && e->v <= i && e->v <= PREDICT_DISTANCE_MAX);
            CHECK(e->w >= 1 && e->w <= i && e->w <= PREDICT_DISTANCE_MAX);
        }
    }
}

static void check_indices(const struct walk *w, uint32_t width, uint32_t first,
                          uint32_t count, const void *raw)
{
    for (uint32_t m = 0; m < w->header.mesh_count; m++) {
        const struct cache_mesh *mesh = &w->tables.meshes[m];

        if (mesh->index_bytes != width)
            continue;
        for (uint32_t i = 0; i < mesh->index_count; i++) {
            uint32_t at = mesh->first_index + i - first;

            if (at >= count)
                continue;
            CHECK((width == 2
                       ? ((const uint16_t *)raw)[at]
                       : ((const uint32_t *)raw)[at]) < mesh->vertex_count);
        }
    }
}

static spn_status walk_blob(const struct walk *w, const struct cache_blob *b)
{
    const bool is_wide = b->kind == CACHE_BLOB_INDEX32;
    const bool is_index = is_wide || b->kind == CACHE_BLOB_INDEX16;
    uint32_t first = b->tile * (is_wide ? CACHE_INDICES_PER_BLOB_32
                                        : CACHE_INDICES_PER_BLOB_16);
    uint32_t width = is_wide ? 4 : 2;
    void *raw = NULL;
    spn_status status;

    if (b->kind == CACHE_BLOB_CHANNEL) {
        const struct cache_block_entry entry = cache_blob_entry(b);

        return unpack_channel(w, w->header.blobs_offset + b->offset, &entry,
                              b->tile, (enum channel)b->channel,
                              w->tables.tiles[b->tile].vertex_count, 0);
    }
    /* After all others. */
    if (b->kind == CACHE_BLOB_RINGS)
        return SPN_OK;
    if (b->kind == CACHE_BLOB_REFLECTION || cache_blob_is_lift(b))
        width = 1;
    status =
        unpack(w, w->header.blobs_offset + b->offset, b->stored_bytes,
               b->checksum, b->is_raw || cache_blob_is_own(b), width,
               cache_blob_is_own(b) ? b->stored_bytes : b->raw_bytes, &raw);
    if (status == SPN_OK && b->kind == CACHE_BLOB_PREDICTOR)
        status = spn__cache_file_predictor(&w->tables, b->tile, raw, w->fault);
    else if (status == SPN_OK && cache_blob_is_lift(b))
        status = join_lift(w, b, raw);
    if (status == SPN_OK && is_index && cache_blob_is_own(b)) {
        free(raw);
        raw = w->lift_data[b - w->tables.blobs];
        w->lift_data[b - w->tables.blobs] = NULL;
    }
    if (status == SPN_OK && is_index)
        status = spn__cache_file_indices(&w->header, &w->tables, width, first,
                                         b->raw_bytes / width, raw, w->fault);
    if (status == SPN_OK && b->kind == CACHE_BLOB_PREDICTOR) {
        check_predictor(w, b->tile, raw);
        w->predictors[b->tile] = raw;
        return SPN_OK;
    }
    if (status == SPN_OK && is_index)
        check_indices(w, width, first, b->raw_bytes / width, raw);
    if (status == SPN_OK && is_index) {
        w->lift_data[b - w->tables.blobs] = raw;
        raw = NULL;
    }
    free(raw);
    return status;
}

static struct one_ring_indices indices_of(const struct walk *w, uint32_t mesh)
{
    const uint32_t kind = w->tables.meshes[mesh].index_bytes == 2
                              ? CACHE_BLOB_INDEX16
                              : CACHE_BLOB_INDEX32;
    uint32_t first = 0;

    while (first < w->header.blob_count && w->tables.blobs[first].kind != kind)
        first++;
    return spn__cache_lift_indices(&w->tables, mesh, w->lift_data + first);
}

/* Whatever the bytes, what was read is rings, and each window's lanes have all
 * of its vertices once. */
static void check_rings(const struct walk *w, uint32_t tile)
{
    const struct one_rings rings =
        spn__cache_lift_rings(&w->tables, tile, w->lift_data);
    const uint32_t lanes =
        ONE_RING_LANES * one_ring_block_count(rings.vertex_count);
    struct spn_fault fault = {0};
    uint64_t seen = 0;

    CHECK_EQ(spn__one_rings_validate(&rings, &fault), SPN_OK);
    for (uint32_t i = 0; i < lanes; i++) {
        seen = i % ONE_RING_WINDOW == 0 ? 0 : seen;
        CHECK(rings.vertex[i] < ONE_RING_WINDOW);
        CHECK((seen >> rings.vertex[i] & 1) == 0);
        CHECK(rings.vertex[i] < lanes - i / ONE_RING_WINDOW * ONE_RING_WINDOW);
        seen |= (uint64_t)1 << rings.vertex[i];
    }
}

static spn_status walk_rings(const struct walk *w, uint32_t i)
{
    const struct cache_blob *b = &w->tables.blobs[i];
    const uint32_t part = w->tables.tiles[b->tile].first_part;
    const struct one_ring_indices indices =
        indices_of(w, w->tables.parts[part].mesh);
    struct wire_one_rings *work;
    void *raw = NULL;
    spn_status status =
        unpack(w, w->header.blobs_offset + b->offset, b->stored_bytes,
               b->checksum, true, 1, b->stored_bytes, &raw);

    if (status == SPN_OK) {
        work = malloc(sizeof *work);
        w->lift_data[i] = malloc(spn__cache_blob_memory(&w->tables, b));
        status = spn__cache_lift_join_rings(&w->tables, b->tile, raw,
                                            b->stored_bytes, NULL, &indices,
                                            w->lift_data, work, w->fault);
        free(work);
    }
    if (status == SPN_OK)
        check_rings(w, b->tile);
    free(raw);
    return status;
}

static spn_status join_rings(const struct walk *w)
{
    spn_status status = SPN_OK;

    for (uint32_t i = 0; status == SPN_OK && i < w->header.blob_count; i++)
        if (w->tables.blobs[i].kind == CACHE_BLOB_RINGS)
            status = walk_rings(w, i);
    return status;
}

static spn_status walk_frame(const struct walk *w, uint32_t number)
{
    const struct cache_frame *f = &w->frames[number];
    uint32_t offset = spn__cache_file_directory_bytes(&w->header);
    uint8_t *directory = copy_of(w->bytes + f->offset, offset);
    spn_status status = spn__cache_file_directory(
        &w->header, w->tables.blocks, f, number, directory, w->fault);

    for (uint32_t i = 0; i < w->header.block_count && status == SPN_OK; i++) {
        const struct cache_block *b = &w->tables.blocks[i];
        struct cache_block_entry e;
        void *raw = NULL;

        spn__cache_file_block_entry(directory, i, offset, &e);
        CHECK(e.offset <= f->bytes && e.stored_bytes <= f->bytes - e.offset);
        CHECK(e.coding < CODING_COUNT);
        CHECK(e.coding != CODING_TEMPORAL || f->reference_count >= 2);
        CHECK(e.coding != CODING_LIFTED || b->is_lifted);
        CHECK(e.coding != CODING_SPATIAL || b->has_predictor);
        offset += e.stored_bytes;
        CHECK(e.order == ORDER_INTERLEAVED || b->kind == CACHE_BLOCK_CHANNEL);
        if (e.is_absent)
            continue;
        if (b->kind == CACHE_BLOCK_CHANNEL) {
            status = unpack_channel(w, f->offset + e.offset, &e, b->tile,
                                    (enum channel)b->channel, b->count,
                                    f->reference_count);
            continue;
        }
        status = unpack(w, f->offset + e.offset, e.stored_bytes, e.checksum,
                        e.is_raw, 1, b->raw_bytes, &raw);
        if (status == SPN_OK && b->kind == CACHE_BLOCK_NODES)
            status = spn__cache_file_nodes(b, raw, w->fault);
        free(raw);
    }
    free(directory);
    return status;
}

static spn_status walk_all(struct walk *w)
{
    uint8_t head[CACHE_HEADER_BYTES];
    spn_status status;

    memset(head, 0, sizeof head);
    memcpy(head, w->bytes, w->size < sizeof head ? w->size : sizeof head);
    status = spn__cache_file_header(head, w->size, &w->header, w->fault);
    if (status != SPN_OK)
        return status;
    w->codec = codecs_find(w->header.codec);
    if (!w->codec)
        return SPN_ERR_NO_CODEC;
    w->workspace =
        aligned_alloc(64, (w->codec->workspace_bytes + 64) / 64 * 64);
    memset(w->workspace, 0, w->codec->workspace_bytes);
    status = walk_frames(w);
    if (status == SPN_OK)
        status = walk_tables(w);
    if (status == SPN_OK) {
        w->lift_data =
            calloc(w->header.blob_count + (size_t)1, sizeof *w->lift_data);
        w->predictors =
            calloc(w->header.tile_count + (size_t)1, sizeof *w->predictors);
    }
    for (uint32_t i = 0; status == SPN_OK && i < w->header.blob_count; i++)
        status = walk_blob(w, &w->tables.blobs[i]);
    if (status == SPN_OK)
        status = join_rings(w);
    for (uint32_t i = 0; status == SPN_OK && i < w->header.frame_count; i++)
        status = walk_frame(w, i);
    return status;
}

static void end_walk(struct walk *w)
{
    for (uint32_t i = 0; w->lift_data && i < w->header.blob_count; i++)
        free(w->lift_data[i]);
    for (uint32_t i = 0; w->predictors && i < w->header.tile_count; i++)
        free(w->predictors[i]);
    free(w->lift_data);
    free(w->predictors);
    free(w->frames);
    free(w->groups);
    free(w->memory);
    free(w->workspace);
}

spn_status door_walk_on(const uint8_t *bytes, size_t size, uint32_t cpu,
                        uint32_t *sum, struct spn_fault *fault)
{
    struct walk w = {.bytes = bytes, .size = size, .sum = sum, .fault = fault};
    spn_status status;

    *sum = 0;
    spn__predict_ops_init(&w.ops, cpu);
    spn__lift_ops_init(&w.lift, cpu);
    status = walk_all(&w);
    end_walk(&w);
    return status;
}

spn_status door_walk(const uint8_t *bytes, size_t size, struct spn_fault *fault)
{
    /* Asking the processor what it is takes long under a hypervisor: once. */
    static uint32_t cpu;
    static bool is_asked;
    uint32_t sum;

    if (!is_asked)
        cpu = spn__cpu_detect();
    is_asked = true;
    return door_walk_on(bytes, size, cpu, &sum, fault);
}

/* -- one frame -- */

struct door {
    struct walk walk;
    uint32_t sum;
    struct spn_fault fault;
    uint8_t *bytes;
};

struct door *door_open(const uint8_t *bytes, size_t size)
{
    struct door *door = calloc(1, sizeof *door);

    if (!door)
        abort();
    door->bytes = copy_of(bytes, size);
    door->walk = (struct walk){.bytes = door->bytes,
                               .size = size,
                               .sum = &door->sum,
                               .fault = &door->fault};
    spn__predict_ops_init(&door->walk.ops, 0);
    spn__lift_ops_init(&door->walk.lift, 0);
    CHECK_EQ(walk_all(&door->walk), SPN_OK);
    return door;
}

void door_close(struct door *door)
{
    end_walk(&door->walk);
    free(door->bytes);
    free(door);
}

const struct cache_header *door_header(const struct door *door)
{
    return &door->walk.header;
}

const uint8_t *door_good_frame(const struct door *door, uint32_t number,
                               uint32_t *bytes)
{
    *bytes = door->walk.frames[number].bytes;
    return door->bytes + door->walk.frames[number].offset;
}

spn_status door_frame(struct door *door, uint32_t number, const uint8_t *bytes,
                      size_t size, uint32_t cpu, uint32_t *sum,
                      struct spn_fault *fault)
{
    const struct cache_frame good = door->walk.frames[number];
    struct walk w = door->walk;
    spn_status status;

    *sum = 0;
    w.sum = sum;
    w.fault = fault;
    w.bytes = bytes;
    w.size = size;
    w.frames[number].offset = 0;
    w.frames[number].bytes = (uint32_t)size;
    spn__predict_ops_init(&w.ops, cpu);
    spn__lift_ops_init(&w.lift, cpu);
    status = walk_frame(&w, number);
    w.frames[number] = good;
    return status;
}

/* -- mending -- */

static void add_sum(struct door_places *p, size_t at, size_t offset,
                    size_t bytes)
{
    p->sums[p->count++] = (struct door_sum){at, offset, bytes};
}

static void add_frame_sums(struct door_places *p, const struct walk *w,
                           uint32_t number)
{
    size_t start = (size_t)w->frames[number].offset;
    uint32_t offset = (uint32_t)p->directory_bytes;

    for (uint32_t i = 0; i < w->header.block_count; i++) {
        struct cache_block_entry e;

        spn__cache_file_block_entry(w->bytes + start, i, offset, &e);
        offset += e.stored_bytes;
        if (!e.is_absent)
            add_sum(p,
                    start + CACHE_DIRECTORY_HEAD_BYTES +
                        i * CACHE_DIRECTORY_ENTRY_BYTES +
                        offsetof(struct wire_directory_entry, checksum),
                    start + e.offset, e.stored_bytes);
    }
    add_sum(p, start, start + 4, p->directory_bytes - 4);
    p->directories[p->frame_count++] = start;
}

void door_places_make(struct door_places *p, const uint8_t *bytes, size_t size)
{
    struct spn_fault fault = {0};
    uint32_t sum = 0;
    struct walk w = {
        .bytes = bytes, .size = size, .sum = &sum, .fault = &fault};
    const struct cache_header *h = &w.header;
    size_t blob_at;

    memset(p, 0, sizeof *p);
    spn__predict_ops_init(&w.ops, 0);
    spn__lift_ops_init(&w.lift, 0);
    CHECK_EQ(walk_all(&w), SPN_OK);
    p->sums = calloc((size_t)h->frame_count * (h->block_count + 1) +
                         h->blob_count + 3,
                     sizeof *p->sums);
    p->directories = calloc(h->frame_count, sizeof *p->directories);
    p->directory_bytes = spn__cache_file_directory_bytes(h);
    p->frame_table_offset = (size_t)h->frame_table_offset;
    p->tables_offset = (size_t)h->tables_offset;
    p->blobs_offset = (size_t)h->blobs_offset;
    p->frames_offset = (size_t)h->frames_offset;
    for (uint32_t i = 0; i < h->frame_count; i++)
        add_frame_sums(p, &w, i);
    blob_at = p->blobs_offset - h->blob_count * sizeof(struct wire_blob);
    for (uint32_t i = 0; i < h->blob_count; i++)
        add_sum(p,
                blob_at + i * sizeof(struct wire_blob) +
                    offsetof(struct wire_blob, checksum),
                p->blobs_offset + (size_t)w.tables.blobs[i].offset,
                w.tables.blobs[i].stored_bytes);
    add_sum(p, offsetof(struct wire_header, frame_table_checksum),
            p->frame_table_offset, p->tables_offset - p->frame_table_offset);
    add_sum(p, offsetof(struct wire_header, tables_checksum), p->tables_offset,
            p->blobs_offset - p->tables_offset);
    add_sum(p, offsetof(struct wire_header, checksum), 0,
            offsetof(struct wire_header, checksum));
    end_walk(&w);
}

void door_places_free(struct door_places *p)
{
    free(p->sums);
    free(p->directories);
}

void door_mend(const struct door_places *p, uint8_t *bytes)
{
    for (size_t i = 0; i < p->count; i++)
        spn_store_u32le(bytes + p->sums[i].at,
                        spn__checksum(bytes + p->sums[i].offset,
                                      p->sums[i].bytes, WIRE_SEED));
}
