/* source_refuse.c - reads samples again and formats the refusal. */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/source_refuse.h"

#include "abc/sampling.h"
#include "base/endian.h"
#include "compile/report/format_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* -- topology -- */

enum { FACES, CORNERS, POINTS, SIZE_COUNT };

/* One sample of the topology as stored, and its numbers of elements. */
struct topology_sample {
    struct abc_sample parts[SIZE_COUNT];
    uint64_t sizes[SIZE_COUNT];
};

static const struct abc_property *part_of(const struct source *source, int part)
{
    const struct abc_mesh *mesh = &source->mesh;

    if (part == POINTS)
        return mesh->positions;
    return part == FACES ? mesh->face_counts : mesh->face_indices;
}

static bool read_topology_sample(const struct source *source, uint32_t sample,
                                 struct arena *arena,
                                 struct topology_sample *out)
{
    for (int i = 0; i < SIZE_COUNT; i++) {
        if (!abc_read(source->archive, part_of(source, i), sample, arena,
                      &out->parts[i]))
            return false;
        out->sizes[i] = out->parts[i].element_count;
    }
    return true;
}

/* Find the first sample before `limit` in which the number of points changes;
 * *change is `limit` if there is none. */
static bool find_points_change(const struct source *source, uint32_t limit,
                               struct arena *arena, uint32_t *change)
{
    const struct abc_property *positions = source->mesh.positions;
    struct abc_sample first;

    *change = limit;
    if (!abc_read(source->archive, positions, 0, arena, &first))
        return false;
    for (uint32_t i = abc_next_change(positions, 0); i < limit;
         i = abc_next_change(positions, i)) {
        struct abc_sample sample;

        if (!abc_read(source->archive, positions, i, arena, &sample))
            return false;
        if (sample.element_count == first.element_count)
            continue;
        *change = i;
        return true;
    }
    return true;
}

static bool refuse_sizes(const struct source *source, uint32_t sample, int part,
                         const uint64_t before[SIZE_COUNT],
                         const uint64_t now[SIZE_COUNT])
{
    char text[ABC_SAMPLE_TEXT_BYTES];

    return compile_refuse(
        source->archive, REFUSAL_TOPOLOGY, source->path,
        "%s has %" PRIu64 " faces, %" PRIu64 " corners and %" PRIu64
        " points, sample %u has %" PRIu64 ", %" PRIu64 " and %" PRIu64,
        abc_sample_text(source->archive, part_of(source, part), sample, text),
        now[FACES], now[CORNERS], now[POINTS], sample - 1, before[FACES],
        before[CORNERS], before[POINTS]);
}

static int32_t integer_at(const struct abc_sample *sample, uint64_t index)
{
    return (int32_t)spn_load_u32le(sample->data + 4 * index);
}

/* Return the index of the first element that differs between two samples of
 * equal size; that size if there is none. */
static uint64_t first_difference(const struct abc_sample *a,
                                 const struct abc_sample *b)
{
    uint64_t i = 0;

    while (i < a->element_count && integer_at(a, i) == integer_at(b, i))
        i++;
    return i;
}

static bool refuse_face(const struct source *source, uint32_t sample,
                        uint64_t face, int32_t before, int32_t now)
{
    char text[ABC_SAMPLE_TEXT_BYTES];

    return compile_refuse(
        source->archive, REFUSAL_TOPOLOGY, source->path,
        "face %" PRIu64 " has %d corners in %s, %d in sample %u", face, now,
        abc_sample_text(source->archive, source->mesh.face_counts, sample,
                        text),
        before, sample - 1);
}

static bool refuse_corner(const struct source *source, uint32_t sample,
                          const struct abc_sample *counts, uint64_t corner,
                          int32_t before, int32_t now)
{
    char text[ABC_SAMPLE_TEXT_BYTES];
    uint64_t face = 0;

    for (uint64_t first = 0; face + 1 < counts->element_count; face++) {
        first += (uint32_t)integer_at(counts, face);
        if (first > corner)
            break;
    }
    return compile_refuse(source->archive, REFUSAL_TOPOLOGY, source->path,
                          "corner %" PRIu64 " (of face %" PRIu64
                          ") is point %d in %s, point %d in sample %u",
                          corner, face, now,
                          abc_sample_text(source->archive,
                                          source->mesh.face_indices, sample,
                                          text),
                          before, sample - 1);
}

static bool refuse_content(const struct source *source, uint32_t sample,
                           const struct topology_sample *before,
                           const struct topology_sample *now)
{
    const struct abc_sample *old = before->parts;
    const struct abc_sample *new = now->parts;
    uint64_t face = first_difference(&old[FACES], &new[FACES]);
    uint64_t corner = first_difference(&old[CORNERS], &new[CORNERS]);

    if (face < now->sizes[FACES])
        return refuse_face(source, sample, face, integer_at(&old[FACES], face),
                           integer_at(&new[FACES], face));
    if (corner < now->sizes[CORNERS])
        return refuse_corner(source, sample, &new[FACES], corner,
                             integer_at(&old[CORNERS], corner),
                             integer_at(&new[CORNERS], corner));
    return compile_refuse(source->archive, REFUSAL_TOPOLOGY, source->path,
                          "its faces are stored anew up to sample %u, too "
                          "many to be compared",
                          sample);
}

bool source_refuse_topology(const struct source *source, uint32_t sample)
{
    struct topology_sample before;
    struct topology_sample now;
    struct arena arena;
    int part = 0;

    arena_init(&arena);
    if (!find_points_change(source, sample, &arena, &sample) ||
        !read_topology_sample(source, 0, &arena, &before) ||
        !read_topology_sample(source, sample, &arena, &now)) {
        arena_free(&arena);
        return false;
    }
    while (part < SIZE_COUNT && before.sizes[part] == now.sizes[part])
        part++;
    if (part < SIZE_COUNT)
        refuse_sizes(source, sample, part, before.sizes, now.sizes);
    else
        refuse_content(source, sample, &before, &now);
    arena_free(&arena);
    return false;
}

/* -- numbers -- */

bool source_refuse_point(const struct source *source, uint32_t sample,
                         uint32_t point, const float position[3])
{
    const double numbers[3] = {position[0], position[1], position[2]};
    char text[ABC_SAMPLE_TEXT_BYTES];
    char value[FORMAT_VALUE_BYTES];

    return compile_refuse(
        source->archive, REFUSAL_NOT_FINITE, source->path,
        "P of point %u in %s is %s", point,
        abc_sample_text(source->archive, source->mesh.positions, sample, text),
        format_value(numbers, 3, value));
}

/* Write " of corner 12 (face 3, point 7)" or the like; nothing for a parameter
 * with a single value. */
static void name_element(const struct source *source,
                         const struct source_param *param, uint32_t element,
                         char *text, size_t capacity)
{
    text[0] = 0;
    if (!param->index)
        snprintf(text, capacity, " of corner %u (face %u, point %u)", element,
                 source->corner_faces[element], source->corner_points[element]);
    else if (param->index == source->corner_faces)
        snprintf(text, capacity, " of face %u", element);
    else if (param->index == source->corner_points)
        snprintf(text, capacity, " of point %u", element);
}

bool source_refuse_value(const struct source *source,
                         const struct source_param *param, uint32_t sample,
                         uint32_t element)
{
    double numbers[ABC_PARAM_EXTENT_MAX];
    char name[FORMAT_NAME_BYTES];
    char text[ABC_SAMPLE_TEXT_BYTES];
    char value[FORMAT_VALUE_BYTES];
    char where[96];
    char stored_at[48] = "";
    bool is_wide = true;
    struct arena arena;
    uint64_t stored;
    bool is_read;

    arena_init(&arena);
    is_read = abc_param_element(source->archive, param->param, sample, element,
                                &arena, numbers, &stored);
    arena_free(&arena);
    if (!is_read)
        return false;
    for (uint32_t i = 0; i < param->extent; i++)
        is_wide = is_wide && isfinite(numbers[i]);
    diag_name(param->param->name, name, sizeof name);
    name_element(source, param, element, where, sizeof where);
    if (param->param->indices)
        snprintf(stored_at, sizeof stored_at, ", value %" PRIu64 " of .vals",
                 stored);
    return compile_refuse(
        source->archive, REFUSAL_NOT_FINITE, source->path,
        "%s%s in %s is %s%s%s", name, where,
        abc_sample_text(source->archive, source_sampled_property(param->param),
                        sample, text),
        format_value(numbers, param->extent, value), stored_at,
        is_wide ? ", more than single precision holds" : "");
}

/* -- ranges -- */

/* A value to be searched for, and its place. */
struct found {
    float value;
    bool is_found;
    uint32_t sample;
    uint32_t element;
};

static void find_value(struct found *found, const float *values,
                       uint32_t stride, uint32_t count, uint32_t sample)
{
    for (uint32_t i = 0; i < count && !found->is_found; i++) {
        if (values[(size_t)i * stride] != found->value)
            continue;
        found->is_found = true;
        found->sample = sample;
        found->element = i;
    }
}

static bool find_in_positions(const struct source *source, int axis,
                              struct found ends[2])
{
    const struct abc_property *property = source->mesh.positions;
    struct arena arena;
    bool is_good = true;

    arena_init(&arena);
    for (uint32_t i = 0; is_good && i < abc_stored_count(property); i++) {
        uint32_t sample = abc_stored_index(property, i);
        const float *positions;
        uint32_t count;

        arena_reset(&arena);
        is_good = abc_mesh_positions(source->archive, &source->mesh, sample,
                                     &arena, &positions, &count);
        for (int k = 0; is_good && k < 2; k++)
            find_value(&ends[k], positions + axis, 3, count, sample);
    }
    arena_free(&arena);
    return is_good;
}

static bool find_in_values(const struct source *source,
                           const struct source_param *param, int component,
                           struct found ends[2])
{
    uint32_t next = 0;
    bool is_more = true;
    bool is_good = true;
    struct arena arena;

    arena_init(&arena);
    while (is_good && is_more) {
        uint32_t sample = next;
        const float *values;

        arena_reset(&arena);
        is_good =
            source_next_values(source, param, &next, &is_more, &arena, &values);
        for (int k = 0; is_good && is_more && k < 2; k++)
            find_value(&ends[k], values + component, param->extent,
                       param->count, sample);
    }
    arena_free(&arena);
    return is_good;
}

/* `where`: for both ends, the text that follows the name. */
static bool refuse_range(const struct source *source,
                         const struct abc_property *sampled, const char *name,
                         char axis, const struct found ends[2],
                         const char *const where[2])
{
    char number[2][FORMAT_NUMBER_BYTES];
    char text[2][ABC_SAMPLE_TEXT_BYTES];

    for (int k = 0; k < 2; k++)
        abc_sample_text(source->archive, sampled, ends[k].sample, text[k]);
    return compile_refuse(
        source->archive, REFUSAL_NOT_FINITE, source->path,
        "%s along %c is from %s%s in %s to %s%s in %s, wider than single "
        "precision holds",
        name, axis, format_number(ends[0].value, number[0]), where[0], text[0],
        format_number(ends[1].value, number[1]), where[1], text[1]);
}

bool source_refuse_box(const struct source *source, int axis)
{
    struct found ends[2] = {{.value = source->box[axis].min},
                            {.value = source->box[axis].max}};
    char where[2][32];

    if (!find_in_positions(source, axis, ends))
        return false;
    for (int k = 0; k < 2; k++)
        snprintf(where[k], sizeof where[k], " of point %u", ends[k].element);
    return refuse_range(
        source, source->mesh.positions, "P", "xyz" [axis], ends,
        (const char *const[2]) { where[0], where[1] });
}

bool source_refuse_value_range(const struct source *source,
                               const struct source_param *param, int component)
{
    struct found ends[2] = {{.value = param->range[component].min},
                            {.value = param->range[component].max}};
    char name[FORMAT_NAME_BYTES];
    char where[2][96];

    if (!find_in_values(source, param, component, ends))
        return false;
    for (int k = 0; k < 2; k++)
        name_element(source, param, ends[k].element, where[k], sizeof where[k]);
    diag_name(param->param->name, name, sizeof name);
    return refuse_range(source, source_sampled_property(param->param), name,
                        (param->extent == 2 ? "uv" : "xyz")[component], ends,
                        (const char *const[2]){where[0], where[1]});
}
