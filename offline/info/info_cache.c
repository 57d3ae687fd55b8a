/* info_cache.c - prints what a cache contains, as text or JSON. */
/* SPDX-License-Identifier: MIT */
#include "info/info.h"

#include "cache/mesh_hash.h"
#include "cachefile/cache_reader.h"
#include "common/codecs.h"
#include "common/report.h"

#include <inttypes.h>
#include <math.h>
#include <meshoptimizer.h>
#include <stdio.h>

struct cache_facts {
    const char *path;
    struct cache_reader *reader;
    const struct cache_header *header;
    const struct cache_tables *tables;
    const char *codec;
    uint32_t index_frames;
    uint32_t lifted_meshes;
    uint32_t mesh_nodes;   /* nodes that show a mesh */
    uint64_t frames_bytes; /* directories and blocks of all frames */
    uint64_t static_bytes; /* bytes before the first frame */
    uint64_t vertex_count;
    uint64_t triangle_count;
};

const char *info_channel_name(uint32_t channel)
{
    static const char *const names[CHANNEL_COUNT] = {
        "position", "qtangent", "uv", "color", "second_uv", "velocity"};

    return names[channel];
}

static bool is_lifted(const struct cache_facts *facts,
                      const struct cache_mesh *mesh)
{
    const struct cache_part *part = &facts->tables->parts[mesh->first_part];

    return cache_tile_is_lifted(&facts->tables->tiles[part->tile]);
}

static void gather(struct cache_facts *facts)
{
    const struct cache_header *header = facts->header;
    const struct cache_frame *frames = cache_reader_frames(facts->reader);
    const spn_codec *codec = codecs_find(header->codec);

    facts->codec = codec ? codec->name : "unknown";
    for (uint32_t i = 0; i < header->frame_count; i++) {
        facts->index_frames += frames[i].type == CACHE_FRAME_INDEX;
        facts->frames_bytes += frames[i].bytes;
    }
    facts->static_bytes = header->file_bytes - facts->frames_bytes;
    for (uint32_t i = 0; i < header->node_count; i++)
        facts->mesh_nodes += facts->tables->nodes[i].mesh != CACHE_NONE;
    for (uint32_t i = 0; i < header->mesh_count; i++) {
        facts->lifted_meshes += is_lifted(facts, &facts->tables->meshes[i]);
        facts->vertex_count += facts->tables->meshes[i].vertex_count;
        facts->triangle_count += facts->tables->meshes[i].index_count / 3;
    }
}

static double frame_bytes_mean(const struct cache_facts *facts)
{
    return (double)facts->frames_bytes / facts->header->frame_count;
}

static uint32_t channel_bits(const struct cache_mesh *mesh, uint32_t channel,
                             uint32_t component)
{
    if (channel == CHANNEL_QTANGENT)
        return 11;
    return channel == CHANNEL_COLOR ? 8 : mesh->range[channel].bits[component];
}

static bool has_channel(const struct cache_mesh *mesh, uint32_t channel)
{
    return (mesh->static_mask | mesh->animated_mask) & CHANNEL_BIT(channel);
}

/* The quantization step: of positions in mm, of velocities in mm per second. */
static double step_mm(const struct cache_header *header,
                      const struct cache_mesh *mesh, enum channel channel,
                      int axis)
{
    const struct channel_range *range = &mesh->range[channel];

    return (double)range->size[axis] / ((1u << range->bits[axis]) - 1) *
           header->unit_metres * 1e3;
}

/* Does the cache have a box? It has none if nothing is ever visible. */
static bool has_box(const struct cache_header *header)
{
    return header->box_min[0] <= header->box_max[0];
}

/* -- text -- */

static void print_head(const struct cache_facts *facts)
{
    const struct cache_header *h = facts->header;
    char size[3][16];

    printf("%s: cache, version %u, codec %s%s\n", facts->path, h->version,
           facts->lifted_meshes > 0 ? "spindle, blocks " : "", facts->codec);
    printf("  frames      %u: %u index, %u B; %.6g s from %.6g s\n",
           h->frame_count, facts->index_frames,
           h->frame_count - facts->index_frames, (double)h->duration_us * 1e-6,
           h->start_s);
    printf("  groups      %u, index distance %u; largest %s\n", h->group_count,
           h->index_distance,
           report_bytes((double)h->largest_group_bytes, size[0]));
    printf("  bytes       %s: %s static, %.0f a frame, largest %s\n",
           report_bytes((double)h->file_bytes, size[0]),
           report_bytes((double)facts->static_bytes, size[1]),
           frame_bytes_mean(facts),
           report_bytes((double)h->largest_frame_bytes, size[2]));
    if (h->plays_from_memory)
        printf(
            "  playback    from memory, if the heap has room for all frames\n");
    if (h->precision_mm > 0)
        printf("  precision   %.6g mm", h->precision_mm);
    else
        printf("  precision   16 bits");
    printf(", a unit is %.6g m", h->unit_metres);
    if (h->up_axis)
        printf(", %c is up", h->up_axis);
    if (has_box(h))
        printf("\n  box         %g %g %g to %g %g %g\n", (double)h->box_min[0],
               (double)h->box_min[1], (double)h->box_min[2],
               (double)h->box_max[0], (double)h->box_max[1],
               (double)h->box_max[2]);
    else
        printf("\n  box         empty\n");
    printf("  content     %u nodes (%u animated), %u meshes, %llu vertices, "
           "%llu triangles",
           h->node_count, h->animated_node_count, h->mesh_count,
           (unsigned long long)facts->vertex_count,
           (unsigned long long)facts->triangle_count);
    if (facts->mesh_nodes > h->mesh_count)
        printf("; %u nodes show meshes", facts->mesh_nodes);
    printf("\n");
}

/* The overfetch of a mesh: the bytes that a GPU fetches to draw its triangles,
 * with vertices of 16 bytes, divided by the bytes of all vertices. */
static double overfetch(const struct cache_facts *facts, uint32_t number)
{
    const struct cache_mesh *mesh = &facts->tables->meshes[number];

    return (double)meshopt_analyzeVertexFetch(
               cache_reader_indices(facts->reader, number), mesh->index_count,
               mesh->vertex_count, 16)
        .overfetch;
}

static void print_steps(const struct cache_facts *facts,
                        const struct cache_mesh *mesh, enum channel channel,
                        const char *title, const char *unit)
{
    const uint8_t *bits = mesh->range[channel].bits;

    printf("      %s %u + %u + %u bits, steps %.4g %.4g %.4g %s\n", title,
           bits[0], bits[1], bits[2], step_mm(facts->header, mesh, channel, 0),
           step_mm(facts->header, mesh, channel, 1),
           step_mm(facts->header, mesh, channel, 2), unit);
}

static void print_mesh(const struct cache_facts *facts, uint32_t number)
{
    const struct cache_mesh *mesh = &facts->tables->meshes[number];
    char name[256];

    printf("    %s\n      %u vertices, %u triangles",
           report_name(facts->tables->names + mesh->name, name, sizeof name),
           mesh->vertex_count, mesh->index_count / 3);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if (has_channel(mesh, c))
            printf(", %s %s", info_channel_name(c),
                   mesh->animated_mask & CHANNEL_BIT(c) ? "animated"
                                                        : "static");
    if (is_lifted(facts, mesh))
        printf(", lifted");
    if (mesh->index_count > 0)
        printf("\n      a GPU fetches its vertices %.2f times",
               overfetch(facts, number));
    printf("\n");
    print_steps(facts, mesh, CHANNEL_POSITION, "positions", "mm");
    if (has_channel(mesh, CHANNEL_VELOCITY))
        print_steps(facts, mesh, CHANNEL_VELOCITY, "velocities", "mm/s");
    if (has_channel(mesh, CHANNEL_SECOND_UV))
        printf("      second uv \"%s\"\n",
               report_name(facts->tables->names + mesh->second_uv_name, name,
                           sizeof name));
    for (uint32_t i = 0; i < mesh->material_count; i++) {
        const spn_material_range *material =
            &facts->tables->materials[mesh->first_material + i];

        printf("      material %u \"%s\": %u triangles\n", material->id,
               report_name(material->name, name, sizeof name),
               material->index_count / 3);
    }
}

static void print_tree(const struct cache_facts *facts)
{
    const struct cache_node *nodes = facts->tables->nodes;

    printf("  nodes\n");
    for (uint32_t i = 0; i < facts->header->node_count; i++) {
        uint32_t depth = 0;
        char name[256];

        for (uint32_t p = nodes[i].parent; p != CACHE_NONE; p = nodes[p].parent)
            depth++;
        printf("    %*s%s%s", (int)(depth * 2), "",
               report_name(facts->tables->names + nodes[i].name, name,
                           sizeof name),
               nodes[i].animated != CACHE_NONE ? "  animated" : "");
        if (nodes[i].mesh != CACHE_NONE)
            printf("  mesh %u", nodes[i].mesh);
        printf("\n");
    }
}

static void print_text(const struct cache_facts *facts, bool is_tree)
{
    print_head(facts);
    if (facts->header->mesh_count > 0)
        printf("  meshes\n");
    for (uint32_t i = 0; i < facts->header->mesh_count; i++)
        print_mesh(facts, i);
    if (is_tree)
        print_tree(facts);
}

/* -- JSON -- */

static void add_head(cJSON *json, const struct cache_facts *facts)
{
    const struct cache_header *h = facts->header;

    report_text(json, "file", facts->path);
    report_text(json, "kind", "cache");
    report_number(json, "version", h->version);
    /* "codec" is the value of the option of compile; "block_codec" compresses
     * the blocks. */
    report_text(json, "codec",
                facts->lifted_meshes > 0 ? "spindle" : facts->codec);
    report_text(json, "block_codec", facts->codec);
    report_number(json, "lifted_meshes", facts->lifted_meshes);
    report_number(json, "mesh_nodes", facts->mesh_nodes);
    report_bool(json, "plays_from_memory", h->plays_from_memory);
    report_number(json, "box_bytes_a_frame", h->box_bytes);
    report_number(json, "precision_mm", h->precision_mm);
    report_number(json, "unit_metres", h->unit_metres);
    if (h->up_axis)
        report_text(json, "up", h->up_axis == 'Z' ? "z" : "y");
    report_number(json, "frames", h->frame_count);
    report_number(json, "index_frames", facts->index_frames);
    report_number(json, "b_frames", h->frame_count - facts->index_frames);
    report_number(json, "groups", h->group_count);
    report_number(json, "index_distance", h->index_distance);
    report_number(json, "duration_s", (double)h->duration_us * 1e-6);
    report_number(json, "start_s", h->start_s);
    report_number(json, "file_bytes", (double)h->file_bytes);
    report_number(json, "static_bytes", (double)facts->static_bytes);
    report_number(json, "frames_bytes", (double)facts->frames_bytes);
    report_number(json, "frame_bytes_mean", frame_bytes_mean(facts));
    report_number(json, "frame_bytes_largest", h->largest_frame_bytes);
    report_number(json, "group_bytes_largest", h->largest_group_bytes);
    report_number(json, "vertices", (double)facts->vertex_count);
    report_number(json, "triangles", (double)facts->triangle_count);
    if (has_box(h)) {
        report_floats(json, "box_min", h->box_min, 3);
        report_floats(json, "box_max", h->box_max, 3);
    } else {
        report_number(json, "box_min", NAN);
        report_number(json, "box_max", NAN);
    }
}

static void add_frames(cJSON *json, const struct cache_facts *facts)
{
    const double *seconds = cache_reader_seconds(facts->reader);
    const struct cache_frame *frames = cache_reader_frames(facts->reader);
    const struct cache_group *groups = cache_reader_groups(facts->reader);
    cJSON *times = report_array(json, "frame_times_s");
    cJSON *types = report_array(json, "frame_types");
    cJSON *sizes = report_array(json, "frame_bytes");
    cJSON *list = report_array(json, "group_list");

    for (uint32_t i = 0; i < facts->header->frame_count; i++) {
        report_add_number(times, seconds[i]);
        report_add_number(types, frames[i].type);
        report_add_number(sizes, frames[i].bytes);
    }
    for (uint32_t i = 0; i < facts->header->group_count; i++) {
        cJSON *item = report_item(list);

        report_number(item, "first_frame", groups[i].first_frame);
        report_number(item, "frames", groups[i].frame_count);
        report_number(item, "bytes", groups[i].bytes);
    }
}

static void add_steps(cJSON *item, const char *name,
                      const struct cache_facts *facts,
                      const struct cache_mesh *mesh, enum channel channel)
{
    cJSON *steps = report_array(item, name);

    for (int axis = 0; axis < 3; axis++)
        report_add_number(steps, step_mm(facts->header, mesh, channel, axis));
}

static void add_channels(cJSON *item, const struct cache_facts *facts,
                         const struct cache_mesh *mesh)
{
    cJSON *object = report_object(item, "channels");

    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        cJSON *channel;
        cJSON *bits;

        if (!has_channel(mesh, c))
            continue;
        channel = report_object(object, info_channel_name(c));
        report_bool(channel, "is_animated",
                    (mesh->animated_mask & CHANNEL_BIT(c)) != 0);
        bits = report_array(channel, "bits");
        for (uint32_t i = 0; i < channel_components((enum channel)c); i++)
            report_add_number(bits, channel_bits(mesh, c, i));
        if (c == CHANNEL_SECOND_UV)
            report_text(channel, "name",
                        facts->tables->names + mesh->second_uv_name);
        if (c == CHANNEL_VELOCITY)
            add_steps(channel, "step_mm_per_second", facts, mesh,
                      CHANNEL_VELOCITY);
    }
}

static void add_meshes(cJSON *json, const struct cache_facts *facts)
{
    cJSON *array = report_array(json, "meshes");

    for (uint32_t i = 0; i < facts->header->mesh_count; i++) {
        const struct cache_mesh *mesh = &facts->tables->meshes[i];
        cJSON *item = report_item(array);
        cJSON *materials;

        report_text(item, "path", facts->tables->names + mesh->name);
        report_number(item, "vertices", mesh->vertex_count);
        /* NOLINTNEXTLINE(bugprone-integer-division): whole triangles. */
        report_number(item, "triangles", mesh->index_count / 3);
        report_bool(item, "is_lifted", is_lifted(facts, mesh));
        if (cache_mesh_is_static(mesh))
            report_hash(item, "content_hash", mesh->content_hash);
        report_number(item, "overfetch",
                      mesh->index_count > 0 ? overfetch(facts, i) : NAN);
        add_channels(item, facts, mesh);
        add_steps(item, "position_step_mm", facts, mesh, CHANNEL_POSITION);
        materials = report_array(item, "materials");
        for (uint32_t m = 0; m < mesh->material_count; m++) {
            const spn_material_range *material =
                &facts->tables->materials[mesh->first_material + m];
            cJSON *object = report_item(materials);

            report_text(object, "name", material->name);
            report_number(object, "id", material->id);
            /* NOLINTNEXTLINE(bugprone-integer-division): whole. */
            report_number(object, "triangles", material->index_count / 3);
        }
    }
}

static void add_nodes(cJSON *json, const struct cache_facts *facts)
{
    cJSON *array = report_array(json, "nodes");

    for (uint32_t i = 0; i < facts->header->node_count; i++) {
        const struct cache_node *node = &facts->tables->nodes[i];
        cJSON *item = report_item(array);

        report_text(item, "path", facts->tables->names + node->name);
        report_number(item, "parent",
                      node->parent == CACHE_NONE ? -1 : (double)node->parent);
        report_number(item, "mesh",
                      node->mesh == CACHE_NONE ? -1 : (double)node->mesh);
        report_bool(item, "is_animated", node->animated != CACHE_NONE);
        report_bool(item, "is_affine", node->initial.is_affine);
    }
}

bool info_cache(const char *path, const struct info_options *options,
                struct diag *diag)
{
    struct cache_facts facts = {.path = path};
    bool is_good = true;

    facts.reader = cache_reader_open(path, diag);
    if (!facts.reader)
        return false;
    facts.header = cache_reader_header(facts.reader);
    facts.tables = cache_reader_tables(facts.reader);
    gather(&facts);
    if (options->is_json) {
        cJSON *json = report_begin("info");

        add_head(json, &facts);
        add_frames(json, &facts);
        add_meshes(json, &facts);
        add_nodes(json, &facts);
        is_good = report_end(json, diag);
    } else {
        print_text(&facts, options->is_tree);
    }
    cache_reader_close(facts.reader);
    return is_good;
}
