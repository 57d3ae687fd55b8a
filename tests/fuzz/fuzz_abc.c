/* fuzz_abc.c - schemas: everything in an archive that is validated before
 * compiling.
 *
 * After abc_check_scene accepts an archive, it can be read: transforms, meshes,
 * parameters, visibility at any time.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/archive_bytes.h"
#include "fuzz/fuzz.h"

#include "abc/schema.h"

#include <stdlib.h>

#define OBJECTS_MAX 64u

static void look_at_xform(struct fuzz_archive *look,
                          const struct abc_object *object)
{
    struct abc_xform xform;
    double matrix[16];
    bool inherits;

    CHECK(abc_xform_open(look->archive, object, &look->arena, &xform));
    for (uint32_t i = 0; i < 4 && i < xform.channel_count; i++) {
        uint32_t operation;
        uint32_t part;

        CHECK(abc_xform_channel(&xform, i, &operation, &part) != NULL);
        CHECK(operation < xform.op_count);
    }
    (void)abc_xform_inherits(look->archive, &xform, 0, &inherits);
    if (xform.values)
        (void)abc_xform_local(look->archive, &xform, 0, &look->arena, matrix);
}

static void look_at_param(struct fuzz_archive *look,
                          const struct abc_object *object,
                          const struct abc_param *param)
{
    struct abc_param_sample sample = {0};
    double numbers[ABC_PARAM_EXTENT_MAX];
    uint64_t stored;

    if (!param->values ||
        !abc_param_read(look->archive, object, param, 0, &look->arena, &sample))
        return;
    for (uint64_t i = 0; i < sample.count * sample.extent && i < 1000; i++)
        (void)(sample.values[i] > 0);
    (void)abc_param_element(look->archive, param, 0, sample.count, &look->arena,
                            numbers, &stored);
}

static void look_at_mesh(struct fuzz_archive *look,
                         const struct abc_object *object)
{
    struct abc_topology topology;
    const float *positions;
    struct abc_mesh mesh;
    uint32_t count;

    CHECK(abc_mesh_open(look->archive, object, &look->arena, &mesh));
    look_at_param(look, object, &mesh.normals);
    look_at_param(look, object, &mesh.uvs);
    for (uint32_t i = 0; i < mesh.color_count && i < 4; i++)
        look_at_param(look, object, &mesh.colors[i]);
    for (uint32_t i = 0; i < mesh.position_samples && i < 4; i++) {
        if (!abc_mesh_positions(look->archive, &mesh, i, &look->arena,
                                &positions, &count) ||
            !abc_mesh_topology(look->archive, &mesh, i, count, &look->arena,
                               &topology))
            continue;
        for (uint32_t k = 0; k < topology.corner_count; k++)
            CHECK((uint32_t)topology.indices[k] < count);
    }
}

static void look_at(struct fuzz_archive *look, const struct abc_object *object)
{
    enum abc_visibility visibility;

    if (look->left == 0)
        return;
    look->left--;
    (void)abc_visibility_at(look->archive, object, 0.5, &visibility);
    if (abc_object_type(object) == ABC_TYPE_XFORM)
        look_at_xform(look, object);
    if (abc_is_mesh(object))
        look_at_mesh(look, object);
    arena_reset(&look->arena);
    for (uint32_t i = 0; i < object->child_count; i++)
        look_at(look, object->children[i]);
}

static void look_at_scene(struct fuzz_archive *look)
{
    if (abc_check_scene(look->archive))
        look_at(look, look->archive->top);
    else
        CHECK(look->diag.code == EXIT_INPUT_REFUSED && look->diag.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_archive_visit(data, size, OBJECTS_MAX, look_at_scene);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    return fuzz_archive_mutate(data, size, size_max, seed);
}
