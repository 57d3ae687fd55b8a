/* info_archive_json.c - prints the facts about an archive as JSON. */
/* SPDX-License-Identifier: MIT */
#include "info/info_archive.h"

#include "common/report.h"
#include "info/info.h"

static void add_samplings(cJSON *json, const struct abc_archive *archive)
{
    cJSON *array = report_array(json, "time_samplings");

    for (uint32_t i = 0; i < archive->sampling_count; i++) {
        const struct abc_time_sampling *s = &archive->samplings[i];
        cJSON *item = report_item(array);
        cJSON *times = report_array(item, "times_s");

        report_text(item, "type", info_sampling_name(s->type));
        if (s->type != ABC_ACYCLIC)
            report_number(item, "time_per_cycle_s", s->time_per_cycle);
        report_number(item, "max_samples", (double)s->max_samples);
        for (uint32_t t = 0; t < s->time_count; t++)
            report_add_number(times, s->times[t]);
    }
}

static void add_param(cJSON *item, const char *name,
                      const struct abc_param *param)
{
    cJSON *object;

    if (!param->values)
        return;
    object = report_object(item, name);
    report_text(object, "name", param->name);
    report_text(object, "scope", info_scope_name(param->scope));
    report_bool(object, "is_indexed", param->indices != NULL);
    report_bool(object, "is_animated", !param->is_constant);
    report_number(object, "samples", param->sample_count);
}

static void add_names(cJSON *item, const char *name,
                      const struct abc_param *params, uint32_t count)
{
    cJSON *names = report_array(item, name);

    for (uint32_t i = 0; i < count; i++)
        report_add_text(names, params[i].name);
}

/* Add the facts about the compiled mesh, with the names that info uses for
 * caches: vertices after splitting, materials of face sets, channels. */
static void add_compiled(cJSON *item, const struct clip_mesh *mesh)
{
    cJSON *materials;
    cJSON *channels;

    report_number(item, "vertices", mesh->vertex_count);
    channels = report_object(item, "channels");
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++)
        if ((mesh->static_mask | mesh->animated_mask) & CHANNEL_BIT(c))
            report_bool(report_object(channels, info_channel_name(c)),
                        "is_animated",
                        (mesh->animated_mask & CHANNEL_BIT(c)) != 0);
    materials = report_array(item, "materials");
    for (uint32_t i = 0; i < mesh->material_count; i++) {
        cJSON *material = report_item(materials);

        report_text(material, "name", mesh->materials[i].name);
        report_number(material, "id", mesh->materials[i].id);
        report_number(material, "triangles",
                      /* NOLINTNEXTLINE(bugprone-integer-division): whole. */
                      mesh->materials[i].index_count / 3);
    }
}

static void add_meshes(cJSON *json, const struct archive_facts *facts)
{
    cJSON *array = report_array(json, "meshes");

    for (uint32_t i = 0; i < facts->mesh_count; i++) {
        const struct mesh_facts *m = &facts->meshes[i];
        cJSON *item = report_item(array);

        report_text(item, "path", m->mesh.object->path);
        report_number(item, "points", m->point_count);
        report_number(item, "faces", m->face_count);
        report_number(item, "corners", m->corner_count);
        report_number(item, "triangles", (double)m->triangle_count);
        report_number(item, "position_samples", m->mesh.position_samples);
        report_bool(item, "is_topology_constant", m->mesh.is_topology_constant);
        report_bool(item, "is_constant", m->mesh.is_constant);
        report_number(item, "face_sets", m->mesh.face_set_count);
        add_param(item, "normals", &m->mesh.normals);
        add_param(item, "uvs", &m->mesh.uvs);
        if (m->mesh.color_count > 0)
            add_param(item, "colors", &m->mesh.colors[0]);
        report_number(item, "color_parameters", m->mesh.color_count);
        add_names(item, "color_sets", m->mesh.colors, m->mesh.color_count);
        add_names(item, "uv_sets", m->mesh.uv_sets, m->mesh.uv_set_count);
        report_bool(item, "has_velocities", m->mesh.velocities.values != NULL);
        if (m->compiled)
            add_compiled(item, m->compiled);
    }
}

static void add_times(cJSON *json, const struct archive_facts *facts)
{
    cJSON *times;

    if (facts->frame_count == 0)
        return;
    report_number(json, "frames", facts->frame_count);
    times = report_array(json, "frame_times_s");
    for (uint32_t i = 0; i < facts->frame_count; i++)
        report_add_number(times, facts->frame_seconds[i]);
}

static void add_clip(cJSON *json, const struct archive_facts *facts)
{
    const struct clip *clip = facts->clip;
    cJSON *nodes;

    if (facts->damage.code != EXIT_DONE)
        report_refusal(report_object(json, "damage"), &facts->damage.refusal);
    report_bool(json, "compiles", clip != NULL);
    if (!clip)
        report_text(json, "refusal", facts->clip_diag.text);
    add_times(json, facts);
    if (!clip)
        return;
    nodes = report_array(json, "nodes");
    for (uint32_t i = 0; i < clip->node_count; i++) {
        cJSON *item = report_item(nodes);

        report_text(item, "path", clip->nodes[i].path);
        report_number(item, "parent", clip->nodes[i].parent);
        report_number(item, "mesh", clip->nodes[i].mesh);
        report_bool(item, "is_animated", clip->nodes[i].is_animated);
        report_bool(item, "is_affine", clip->nodes[i].is_affine);
    }
}

bool info_archive_json(const struct archive_facts *facts, struct diag *diag)
{
    const struct abc_archive *a = facts->archive;
    cJSON *json = report_begin("info");
    cJSON *types;
    cJSON *dropped;
    char application[256];

    report_text(json, "file", facts->path);
    report_text(json, "kind", "archive");
    report_text(json, "container", a->container);
    report_number(json, "library_version", a->library_version);
    if (abc_metadata_get(a->metadata, "_ai_Application", application,
                         sizeof application))
        report_text(json, "application", application);
    types = report_object(json, "objects");
    dropped = report_object(json, "dropped");
    for (int type = 0; type < INFO_TYPE_COUNT; type++) {
        const char *name = abc_type_name((enum abc_type)type);

        if (facts->type_count[type] == 0)
            continue;
        report_number(types, name, facts->type_count[type]);
        if (info_is_dropped((enum abc_type)type))
            report_number(dropped, name, facts->type_count[type]);
    }
    report_number(json, "instances", facts->instance_count);
    add_samplings(json, a);
    add_meshes(json, facts);
    add_clip(json, facts);
    return report_end(json, diag);
}
