/* info_archive.c - prints the contents of an Alembic archive, and the cache
 * that a compile would produce.
 *
 * All objects are validated first. The facts about a compile come from
 * compile/clip: its timeline, its nodes, or the reason of its refusal. Damage
 * that compile finds is a refusal here, too. Damage in parts that compile does
 * not read is printed with the facts.
 */
/* SPDX-License-Identifier: MIT */
#include "info/info_archive.h"

#include "common/report.h"
#include "compile/report/refusals.h"
#include "info/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- gathering -- */

static bool gather_mesh(struct archive_facts *facts,
                        const struct abc_object *object)
{
    struct mesh_facts *m = &facts->meshes[facts->mesh_count];
    struct abc_topology topology;
    const float *positions;

    memset(m, 0, sizeof *m);
    if (!abc_mesh_open(facts->archive, object, &facts->arena, &m->mesh))
        return false;
    if (m->mesh.position_samples == 0 ||
        m->mesh.face_counts->sample_count == 0 ||
        m->mesh.face_indices->sample_count == 0)
        return true;
    if (!abc_mesh_positions(facts->archive, &m->mesh, 0, &facts->arena,
                            &positions, &m->point_count) ||
        !abc_mesh_topology(facts->archive, &m->mesh, 0, m->point_count,
                           &facts->arena, &topology))
        return false;
    m->face_count = topology.face_count;
    m->corner_count = topology.corner_count;
    for (uint32_t i = 0; i < topology.face_count; i++)
        if (topology.counts[i] >= 3)
            m->triangle_count += (uint32_t)topology.counts[i] - 2;
    return true;
}

static void count_object(struct archive_facts *facts,
                         const struct abc_object *object)
{
    enum abc_type type = abc_object_type(object);

    if (facts->type_count[type]++ == 0)
        facts->first_path[type] = object->path;
    if (object->instance_source)
        facts->instance_count++;
    if (abc_is_mesh(object) && object->source == object)
        facts->mesh_capacity++;
}

/* Visit the objects below `top`, parents first, until `visit` returns false.
 * The tree was validated before, so that its depth is bounded. */
static bool walk(const struct abc_object *top,
                 bool (*visit)(void *user, const struct abc_object *object,
                               uint32_t depth),
                 void *user, uint32_t depth)
{
    for (uint32_t i = 0; i < top->child_count; i++)
        if (!visit(user, top->children[i], depth) ||
            !walk(top->children[i], visit, user, depth + 1))
            return false;
    return true;
}

static bool visit_count(void *user, const struct abc_object *object,
                        uint32_t depth)
{
    (void)depth;
    count_object(user, object);
    return true;
}

static bool visit_mesh(void *user, const struct abc_object *object,
                       uint32_t depth)
{
    struct archive_facts *facts = user;

    (void)depth;
    if (!abc_is_mesh(object) || object->source != object)
        return true;
    /* A damaged mesh is not counted. */
    facts->mesh_count += gather_mesh(facts, object);
    return true;
}

static int compare_paths(const void *a, const void *b)
{
    const struct clip_mesh *const *left = a;
    const struct clip_mesh *const *right = b;

    return strcmp((*left)->path, (*right)->path);
}

/* Find the compiled mesh of each mesh of the archive. */
static void pair_meshes(struct archive_facts *facts)
{
    uint32_t count = facts->clip->mesh_count;
    const struct clip_mesh **meshes =
        ARENA_NEW(&facts->arena, const struct clip_mesh *, count);

    for (uint32_t i = 0; i < count; i++)
        meshes[i] = &facts->clip->meshes[i];
    if (count > 0)
        /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are sorted. */
        qsort(meshes, count, sizeof *meshes, compare_paths);
    for (uint32_t i = 0; i < facts->mesh_count && count > 0; i++) {
        struct clip_mesh key = {.path = facts->meshes[i].mesh.object->path};
        const struct clip_mesh *wanted = &key;
        const struct clip_mesh **found =
            /* NOLINTNEXTLINE(bugprone-sizeof-expression): among pointers. */
            bsearch(&wanted, meshes, count, sizeof *meshes, compare_paths);

        facts->meshes[i].compiled = found ? *found : NULL;
    }
}

/* Import the archive as compile does; if that is refused, find its times. */
static void gather_clip(struct archive_facts *facts)
{
    struct compile_options options;

    compile_options_default(&options);
    options.input = facts->path;
    facts->clip = clip_open(facts->archive, &options);
    if (!facts->clip) {
        clip_times(facts->archive, &options, &facts->arena,
                   &facts->frame_seconds, &facts->frame_count);
        return;
    }
    facts->frame_count = facts->clip->frame_count;
    facts->frame_seconds = facts->clip->frame_seconds;
    pair_meshes(facts);
}

static bool gather(struct archive_facts *facts, struct diag *diag)
{
    facts->archive = abc_open(facts->path, diag);
    if (!facts->archive)
        return false;
    facts->archive->diag = &facts->damage;
    abc_check_scene(facts->archive);
    walk(facts->archive->top, visit_count, facts, 0);
    facts->meshes =
        ARENA_NEW(&facts->arena, struct mesh_facts, facts->mesh_capacity);
    walk(facts->archive->top, visit_mesh, facts, 0);

    facts->archive->diag = &facts->clip_diag;
    gather_clip(facts);
    facts->archive->diag = diag;
    return facts->clip || refusal_is_scene(facts->clip_diag.refusal.what) ||
           diag_repeat(diag, &facts->clip_diag);
}

/* -- text -- */

const char *info_sampling_name(enum abc_sampling_type type)
{
    static const char *const names[] = {"uniform", "cyclic", "acyclic"};

    return names[type];
}

static void print_head(const struct archive_facts *facts)
{
    const struct abc_archive *a = facts->archive;
    char application[256];

    printf("%s: Alembic, %s", facts->path, a->container);
    if (a->library_version != 9999)
        printf(", library %d.%d.%d", a->library_version / 10000,
               a->library_version / 100 % 100, a->library_version % 100);
    printf("\n");
    if (abc_metadata_get(a->metadata, "_ai_Application", application,
                         sizeof application))
        printf("  written by  %s%s\n",
               report_name(application, application, sizeof application),
               abc_is_by_maya(a) ? "; units are centimetres" : "");
    printf("  objects     %u", a->object_count - 1);
    for (int type = 0; type < INFO_TYPE_COUNT; type++)
        if (facts->type_count[type] > 0)
            printf("%s %u %s", type == 0 ? ":" : ",", facts->type_count[type],
                   abc_type_name((enum abc_type)type));
    if (facts->instance_count > 0)
        printf("; %u instances", facts->instance_count);
    printf("\n  samplings\n");
    for (uint32_t i = 0; i < a->sampling_count; i++) {
        const struct abc_time_sampling *s = &a->samplings[i];

        printf("    %-3u %s", i, info_sampling_name(s->type));
        if (s->max_samples >= 0)
            printf(", %lld samples", (long long)s->max_samples);
        printf(" from %.6g s", s->times[0]);
        if (s->type != ABC_ACYCLIC)
            printf(", %u every %.9g s", s->time_count, s->time_per_cycle);
        printf("\n");
    }
}

const char *info_scope_name(enum abc_scope scope)
{
    static const char *const names[] = {"constant", "uniform",     "varying",
                                        "vertex",   "facevarying", "unknown"};

    return names[scope];
}

static void print_param(const char *what, const struct abc_param *param)
{
    if (param->values)
        printf(", %s %s%s%s", what, info_scope_name(param->scope),
               param->indices ? " indexed" : "",
               param->is_constant ? "" : " animated");
}

/* Print one of several parameters of a kind. */
static void print_set(const char *what, const struct abc_param *param)
{
    char name[256];

    printf(", %s %s %s%s%s", what, report_name(param->name, name, sizeof name),
           info_scope_name(param->scope), param->indices ? " indexed" : "",
           param->is_constant ? "" : " animated");
}

static void print_mesh(const struct mesh_facts *m)
{
    char name[256];

    printf("    %s\n      %u points, %u faces, %llu triangles; positions %s",
           report_name(m->mesh.object->path, name, sizeof name), m->point_count,
           m->face_count, (unsigned long long)m->triangle_count,
           m->mesh.position_samples > 1 ? "animated" : "static");
    print_param("normals", &m->mesh.normals);
    print_param("uvs", &m->mesh.uvs);
    for (uint32_t i = 0; i < m->mesh.color_count; i++)
        print_set("colours", &m->mesh.colors[i]);
    for (uint32_t i = 0; i < m->mesh.uv_set_count; i++)
        print_set("further uvs", &m->mesh.uv_sets[i]);
    if (m->mesh.velocities.values)
        printf(", velocities%s",
               m->mesh.velocities.is_constant ? "" : " animated");
    if (!m->mesh.is_topology_constant)
        printf(", topology changes");
    if (m->mesh.face_set_count > 0)
        printf(", %u face sets", m->mesh.face_set_count);
    printf("\n");
}

bool info_is_dropped(enum abc_type type)
{
    return type != ABC_TYPE_XFORM && type != ABC_TYPE_POLYMESH &&
           type != ABC_TYPE_SUBD && type != ABC_TYPE_FACESET;
}

static void print_compiled(const struct archive_facts *facts)
{
    const struct clip *clip = facts->clip;

    for (int type = 0; type < INFO_TYPE_COUNT; type++)
        if (info_is_dropped((enum abc_type)type) && facts->type_count[type] > 0)
            printf("  dropped     %u %s, first %s\n", facts->type_count[type],
                   abc_type_name((enum abc_type)type), facts->first_path[type]);
    if (facts->damage.code != EXIT_DONE)
        printf("  damaged     %s\n", facts->damage.text);
    if (!clip) {
        printf("  compiles    no: %s\n", facts->clip_diag.text);
        return;
    }
    printf("  compiles    %u frames, %.6g s to %.6g s; %u nodes, %u meshes\n",
           clip->frame_count, clip->frame_seconds[0],
           clip->frame_seconds[clip->frame_count - 1], clip->node_count,
           clip->mesh_count);
}

static bool visit_tree(void *user, const struct abc_object *object,
                       uint32_t depth)
{
    char name[256];

    (void)user;
    printf("    %*s%s  (%s%s%s)\n", (int)(depth * 2), "",
           report_name(object->name, name, sizeof name),
           abc_type_name(abc_object_type(object)),
           object->instance_source ? " of " : "",
           object->instance_source ? object->instance_source : "");
    return true;
}

static void print_tree(const struct archive_facts *facts)
{
    const struct clip *clip = facts->clip;

    printf("  hierarchy\n");
    walk(facts->archive->top, visit_tree, NULL, 0);
    if (!clip)
        return;
    printf("  flattened\n");
    for (uint32_t i = 0; i < clip->node_count; i++) {
        const struct clip_node *node = &clip->nodes[i];
        uint32_t depth = 0;
        char name[256];

        for (int32_t p = node->parent; p >= 0; p = clip->nodes[p].parent)
            depth++;
        printf("    %*s%s%s%s", (int)(depth * 2), "",
               report_name(node->path, name, sizeof name),
               node->is_animated ? "  animated" : "",
               node->is_affine ? "  matrix" : "");
        if (node->mesh >= 0)
            printf("  mesh %d", node->mesh);
        printf("\n");
    }
}

static void print_text(const struct archive_facts *facts, bool is_tree)
{
    print_head(facts);
    if (facts->mesh_count > 0)
        printf("  meshes\n");
    for (uint32_t i = 0; i < facts->mesh_count; i++)
        print_mesh(&facts->meshes[i]);
    print_compiled(facts);
    if (is_tree)
        print_tree(facts);
}

bool info_archive(const char *path, const struct info_options *options,
                  struct diag *diag)
{
    struct archive_facts facts = {.path = path};
    bool is_good;

    arena_init(&facts.arena);
    diag_init(&facts.clip_diag);
    facts.clip_diag.is_silent = true;
    diag_init(&facts.damage);
    facts.damage.is_silent = true;
    is_good = gather(&facts, diag);
    if (is_good && options->is_json)
        is_good = info_archive_json(&facts, diag);
    else if (is_good)
        print_text(&facts, options->is_tree);
    clip_close(facts.clip);
    abc_close(facts.archive);
    diag_finish(&facts.damage);
    diag_finish(&facts.clip_diag);
    arena_free(&facts.arena);
    return is_good;
}
