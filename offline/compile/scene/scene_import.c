/* scene_import.c - walk the objects of an archive and make parts of them.
 *
 * Parts are in the order of the walk: parents first, children in the order of
 * their names. A mesh has no matrix, so the parent of its children, which are
 * rarely other than face sets, is the mesh's own parent.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/scene/scene_import.h"

#include "cache/cache_header.h"
#include "compile/mesh/visible.h"
#include "compile/report/unsupported.h"
#include "compile/scene/scene_transforms.h"

#include <stdio.h>

/* -- walk -- */

struct walk {
    struct scene_import *import;
    const struct compile_options *options;
    struct warnings *warnings;
    struct arena *arena;
    /* A survey tolerates refusals and adds the times of refused meshes here.
     * NULL: no survey. */
    struct timeline *survey_times;
    uint32_t capacity; /* of all arrays: objects of the archive */
    /* Distinct meshes. An instance has the source of the mesh it repeats. */
    const struct abc_object **sources;
    int32_t *shape_of; /* index of the shape of each source; -1: empty */
    uint32_t source_count;
    uint32_t *slots; /* hash table of sources: 1 + index; 0: free */
    uint32_t slot_mask;
    uint8_t *has_mesh;     /* of each part: a mesh is at or below it */
    uint8_t *has_warning;  /* of each part: a dropped object is below it */
    uint32_t hidden_count; /* meshes that are never visible */
    uint32_t empty_count;  /* meshes without triangles */
};

/* Find the slot of a source object. The hash of a pointer differs between runs;
 * no result depends on the order of the slots. */
static uint32_t *source_slot(const struct walk *walk,
                             const struct abc_object *source)
{
    uint64_t key = (uint64_t)(uintptr_t)source * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(key >> 32) & walk->slot_mask;

    while (walk->slots[at] != 0 && walk->sources[walk->slots[at] - 1] != source)
        at = (at + 1) & walk->slot_mask;
    return &walk->slots[at];
}

/* Open a mesh. A survey adds the times of a refused mesh to its timeline. */
static bool open_shape(struct walk *walk, const struct abc_object *object,
                       struct source *source)
{
    if (source_open(source, walk->import->archive, object, walk->options,
                    walk->warnings, walk->arena))
        return true;
    return walk->survey_times &&
           source_add_stored_times(source, walk->survey_times);
}

/* Find the index of a mesh, and open it at its first instance. -1: empty. */
static bool find_shape(struct walk *walk, const struct abc_object *object,
                       int32_t *mesh)
{
    struct scene_import *import = walk->import;
    uint32_t *slot = source_slot(walk, object->source);

    if (*slot == 0) {
        struct shape *shape = ARENA_NEW(walk->arena, struct shape, 1);

        if (!open_shape(walk, object->source, &shape->source))
            return false;
        walk->sources[walk->source_count] = object->source;
        walk->shape_of[walk->source_count] = -1;
        if (shape->source.is_empty) {
            warnings_add(walk->warnings, WARNING_EMPTY_MESH,
                         object->source->path, shape->source.empty_reason);
        } else {
            walk->shape_of[walk->source_count] = (int32_t)import->shape_count;
            import->shapes[import->shape_count++] = shape;
            if (abc_object_type(object) == ABC_TYPE_SUBD)
                warnings_add(walk->warnings, WARNING_CONTROL_CAGE,
                             object->source->path, NULL);
        }
        *slot = ++walk->source_count;
    }
    *mesh = walk->shape_of[*slot - 1];
    return true;
}

/* Mark a part and all its ancestors. Ancestors of a marked part are marked. */
static void mark(const struct walk *walk, uint8_t *marks, int32_t part)
{
    for (; part >= 0 && !marks[part]; part = walk->import->parts[part].parent)
        marks[part] = 1;
}

/* Store the index of a mesh; -1: it is dropped. */
static bool take_mesh(struct walk *walk, const struct abc_object *object,
                      int32_t *mesh)
{
    bool is_visible;

    *mesh = -1;
    if (!visible_ever(walk->import->archive, object, &is_visible))
        return false;
    if (!is_visible) {
        walk->hidden_count++;
        warnings_add(walk->warnings, WARNING_DROPPED_HIDDEN, object->path,
                     NULL);
        return true;
    }
    if (!find_shape(walk, object, mesh))
        return false;
    walk->empty_count += *mesh < 0;
    return true;
}

/* Make a part of an object unless it is dropped. *parent becomes the parent of
 * its children. */
static bool take_object(struct walk *walk, const struct abc_object *object,
                        int32_t *parent)
{
    struct scene_import *import = walk->import;
    bool is_mesh = abc_is_mesh(object);
    uint32_t part = import->part_count;
    int32_t mesh = -1;

    if (!unsupported_warn(import->archive, object, walk->options,
                          walk->warnings, walk->arena) &&
        !walk->survey_times)
        return false;
    if (is_mesh && !take_mesh(walk, object, &mesh))
        return false;
    if (abc_object_type(object) != ABC_TYPE_XFORM && mesh < 0) {
        if (is_mesh || unsupported_is_dropped(object))
            mark(walk, walk->has_warning, *parent);
        return true;
    }
    import->objects[part] = object;
    import->parts[part].path = object->path;
    import->parts[part].parent = *parent;
    import->parts[part].mesh = mesh;
    import->parts[part].is_constant = true;
    import->parts[part].is_similarity = true;
    import->part_count++;
    if (mesh >= 0)
        mark(walk, walk->has_mesh, (int32_t)part);
    else
        *parent = (int32_t)part;
    return true;
}

/* An object on the path from the top to the current object of the walk. */
struct step {
    const struct abc_object *object;
    uint32_t next;  /* index of the child to visit next */
    int32_t parent; /* part that is the parent of the children */
};

static bool walk_tree(struct walk *walk)
{
    const struct abc_archive *archive = walk->import->archive;
    struct step *steps = ARENA_NEW(walk->arena, struct step, walk->capacity);
    uint32_t depth = 1;

    steps[0] = (struct step){archive->top, 0, -1};
    while (depth > 0) {
        struct step *step = &steps[depth - 1];
        const struct abc_object *child;
        int32_t parent = step->parent;

        if (step->next == step->object->child_count) {
            depth--;
            continue;
        }
        child = step->object->children[step->next++];
        if (!take_object(walk, child, &parent))
            return false;
        steps[depth++] = (struct step){child, 0, parent};
    }
    return true;
}

/* Refuse an archive without meshes. The message has the reason, and counts what
 * the archive has instead. */
static bool refuse_no_meshes(const struct walk *walk)
{
    const struct scene_import *import = walk->import;
    const char *text = "the archive has none";
    char counts[2][32] = {"", ""};

    if (walk->hidden_count > 0)
        snprintf(counts[0], sizeof counts[0], "%u never visible",
                 walk->hidden_count);
    if (walk->empty_count > 0)
        snprintf(counts[1], sizeof counts[1], "%u empty", walk->empty_count);
    if (counts[0][0] || counts[1][0])
        text =
            arena_format(walk->arena, "%s%s%s", counts[0],
                         counts[0][0] && counts[1][0] ? ", " : "", counts[1]);
    compile_refuse(
        import->archive, REFUSAL_NO_MESHES, NULL, "%s%s", text,
        unsupported_describe(walk->warnings, import->part_count, walk->arena));
    diag_hint(import->archive->diag,
              "--allow-empty compiles the transforms alone");
    return false;
}

/* Drop parts without a mesh below them. Warn of each, unless a dropped object
 * below it already has a warning. */
static void prune(struct walk *walk)
{
    struct scene_import *import = walk->import;
    int32_t *new_of = ARENA_NEW(walk->arena, int32_t, import->part_count);
    uint32_t count = 0;

    for (uint32_t i = 0; i < import->part_count; i++) {
        if (!walk->has_mesh[i]) {
            if (!walk->has_warning[i])
                warnings_add(walk->warnings, WARNING_DROPPED_XFORM,
                             import->parts[i].path, NULL);
            continue;
        }
        new_of[i] = (int32_t)count;
        import->parts[count] = import->parts[i];
        import->objects[count] = import->objects[i];
        if (import->parts[count].parent >= 0)
            import->parts[count].parent = new_of[import->parts[count].parent];
        count++;
    }
    import->part_count = count;
}

static bool import_objects(struct scene_import *import,
                           const struct compile_options *options,
                           struct warnings *warnings,
                           struct timeline *survey_times, struct arena *arena)
{
    const struct abc_archive *archive = import->archive;
    uint32_t count = archive->object_count;
    struct walk walk = {.import = import,
                        .options = options,
                        .warnings = warnings,
                        .arena = arena,
                        .survey_times = survey_times,
                        .capacity = count,
                        .slot_mask = 15};

    while (walk.slot_mask / 2 < count)
        walk.slot_mask = 2 * walk.slot_mask + 1;
    walk.sources = ARENA_NEW(arena, const struct abc_object *, count);
    walk.shape_of = ARENA_NEW(arena, int32_t, count);
    walk.slots = ARENA_NEW(arena, uint32_t, (size_t)walk.slot_mask + 1);
    walk.has_mesh = ARENA_NEW(arena, uint8_t, count);
    walk.has_warning = ARENA_NEW(arena, uint8_t, count);
    import->parts = ARENA_NEW(arena, struct scene_part, count);
    import->objects = ARENA_NEW(arena, const struct abc_object *, count);
    import->shapes = ARENA_NEW(arena, struct shape *, count);
    if (!walk_tree(&walk))
        return false;
    if (import->shape_count > CACHE_MESHES_MAX && !survey_times)
        return compile_refuse(archive, REFUSAL_TOO_LARGE, NULL,
                              "%u meshes, at most %u", import->shape_count,
                              CACHE_MESHES_MAX);
    if (import->shape_count > 0)
        prune(&walk);
    else if (!options->allows_empty && !survey_times)
        return refuse_no_meshes(&walk);
    return scene_transforms_open(import, survey_times != NULL, arena);
}

bool scene_import_open(struct scene_import *import,
                       const struct abc_archive *archive,
                       const struct compile_options *options,
                       struct warnings *warnings, struct arena *arena)
{
    *import = (struct scene_import){.archive = archive};
    return import_objects(import, options, warnings, NULL, arena);
}

bool scene_import_survey(struct scene_import *import,
                         const struct abc_archive *archive,
                         const struct compile_options *options,
                         struct timeline *timeline, struct arena *arena)
{
    struct warnings warnings = {0};

    *import = (struct scene_import){.archive = archive};
    return import_objects(import, options, &warnings, timeline, arena) &&
           scene_import_times(import, timeline);
}

/* -- times -- */

static void add_property(const struct abc_archive *archive,
                         const struct abc_property *property,
                         struct timeline *timeline)
{
    timeline_add(timeline, &archive->samplings[property->time_sampling],
                 property->sample_count, property);
}

/* Find the parts whose transforms have an effect: the leaves of the tree, and
 * the ancestors that they inherit from. */
static uint8_t *find_movers(const struct scene_import *import,
                            struct arena *arena)
{
    uint8_t *is_mover = ARENA_NEW(arena, uint8_t, import->part_count);
    uint8_t *has_below = ARENA_NEW(arena, uint8_t, import->part_count);

    for (uint32_t i = import->part_count; i-- > 0;) {
        const struct scene_part *part = &import->parts[i];

        is_mover[i] = is_mover[i] || !has_below[i];
        if (part->parent < 0)
            continue;
        has_below[part->parent] = 1;
        if (is_mover[i] && part->inherits != SCENE_INHERITS_NEVER)
            is_mover[part->parent] = 1;
    }
    return is_mover;
}

static bool add_times(const struct scene_import *import,
                      struct timeline *timeline, struct arena *scratch)
{
    const struct abc_archive *archive = import->archive;
    const uint8_t *is_mover = find_movers(import, scratch);

    for (uint32_t i = 0; i < import->part_count; i++) {
        const struct scene_part *part = &import->parts[i];

        if (is_mover[i] && !part->is_constant)
            add_property(archive, import->xforms[i].values, timeline);
        if (is_mover[i] && part->inherits == SCENE_INHERITS_SOMETIMES)
            add_property(archive, import->xforms[i].inherits, timeline);
        /* Of the objects between the part and its parent part. */
        for (const struct abc_object *at = import->objects[i];
             at && (part->parent < 0 || at != import->objects[part->parent]);
             at = at->parent) {
            bool changes;

            if (!visible_changes(archive, at, &changes))
                return false;
            if (changes)
                add_property(archive, abc_visibility(at), timeline);
        }
    }
    for (uint32_t i = 0; i < import->shape_count; i++)
        source_add_times(&import->shapes[i]->source, timeline);
    return true;
}

bool scene_import_times(const struct scene_import *import,
                        struct timeline *timeline)
{
    struct arena scratch;
    bool is_good;

    arena_init(&scratch);
    is_good = add_times(import, timeline, &scratch);
    arena_free(&scratch);
    return is_good;
}

bool scene_import_is_visible(const void *user, uint32_t part, double time,
                             bool *is_visible)
{
    const struct scene_import *import = user;

    return visible_at(import->archive, import->objects[part], time, is_visible);
}
