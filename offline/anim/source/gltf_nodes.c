/* gltf_nodes.c - the nodes of a glTF file as joints, and its skins. */
/* SPDX-License-Identifier: MIT */
#include "anim/source/gltf_file.h"
#include "anim/source/motion_build.h"
#include "anim/source/rotation.h"

#include <math.h>
#include <string.h>

/* A matrix may differ this much from its decomposition, relative to its
 * largest element: rounding of single precision. */
#define SHEAR_MAX 1e-5

const char *gltf_name(struct gltf_file *file, const struct gltf_value *object)
{
    struct gltf_value name = gltf_get(object, "name");
    const char *text = gltf_text(&name);

    return text ? motion_name(&file->motion->arena, text, strlen(text)) : NULL;
}

static bool read_matrix(struct gltf_file *file, const struct gltf_value *value,
                        struct motion_joint *joint)
{
    double *matrix = ARENA_NEW(&file->motion->arena, double, 16);
    double largest = 0;

    if (!gltf_numbers(value, 16, matrix))
        return false;
    for (int i = 0; i < 4; i++)
        if (matrix[4 * i + 3] != (i == 3 ? 1 : 0))
            return gltf_refuse(value, "number %d is %g: not affine", 4 * i + 3,
                               matrix[4 * i + 3]);
    for (int i = 0; i < 12; i++)
        if (fabs(matrix[i]) > largest)
            largest = fabs(matrix[i]);
    if (rotation_decompose(matrix, &joint->rest) > SHEAR_MAX * largest)
        gltf_warn(value, "the matrix has shear, which is left out");
    for (int i = 0; i < 3; i++)
        if (!isfinite(joint->rest.scale[i]))
            return gltf_refuse(value, "numbers are too large");
    joint->matrix = matrix;
    return true;
}

static bool read_rest(struct gltf_file *file, const struct gltf_value *node,
                      struct motion_joint *joint)
{
    struct gltf_value matrix = gltf_get(node, "matrix");
    struct gltf_value translation = gltf_get(node, "translation");
    struct gltf_value rotation = gltf_get(node, "rotation");
    struct gltf_value scale = gltf_get(node, "scale");

    joint->rest.rotation[3] = 1;
    for (int i = 0; i < 3; i++)
        joint->rest.scale[i] = 1;
    if (matrix.json)
        return read_matrix(file, &matrix, joint);
    if (!gltf_numbers(&translation, 3, joint->rest.translation) ||
        !gltf_numbers(&rotation, 4, joint->rest.rotation) ||
        !gltf_numbers(&scale, 3, joint->rest.scale))
        return false;
    return rotation_normalize(joint->rest.rotation) ||
           gltf_refuse(&rotation,
                       "the length of the quaternion is 0 or infinite");
}

static bool read_children(struct gltf_file *file, const struct gltf_value *node,
                          uint32_t index, struct motion_joint *joints)
{
    struct gltf_value children = gltf_get(node, "children");
    const cJSON *item;
    uint32_t i = 0;

    if (!children.json)
        return true;
    if (!cJSON_IsArray(children.json))
        return gltf_refuse(&children, "not an array");
    cJSON_ArrayForEach(item, children.json)
    {
        struct gltf_value value = {node->source, item, &children, NULL, i++};
        uint32_t child;

        if (!gltf_index(&value, file->node_list.count, "nodes", &child))
            return false;
        if (joints[child].parent >= 0)
            return gltf_refuse(&value, "node %u is already a child of node %d",
                               child, joints[child].parent);
        joints[child].parent = (int32_t)index;
    }
    return true;
}

/* -- morph targets -- */

struct target_names {
    bool is_read;
    const char **names;
    uint32_t count;
};

/* Extras belong to applications: those of another type are ignored. */
static void read_target_names(struct gltf_file *file,
                              const struct gltf_value *mesh,
                              struct target_names *targets)
{
    struct arena *arena = &file->motion->arena;
    struct gltf_value extras = gltf_get(mesh, "extras");
    struct gltf_value names = gltf_get(&extras, "targetNames");
    const cJSON *item;

    targets->is_read = true;
    if (!cJSON_IsArray(names.json))
        return;
    targets->names = ARENA_NEW(arena, const char *,
                               (uint64_t)cJSON_GetArraySize(names.json));
    cJSON_ArrayForEach(item, names.json)
    {
        const char *text = cJSON_GetStringValue(item);

        targets->names[targets->count++] =
            text ? motion_name(arena, text, strlen(text)) : NULL;
    }
}

/* Find the names of each node's targets. They are all that is read of meshes,
 * so a node with a wrong mesh is not refused. */
static void find_target_names(struct gltf_file *file,
                              struct motion_joint *joints)
{
    struct target_names *meshes =
        ARENA_NEW(&file->scratch, struct target_names, file->mesh_list.count);

    for (uint32_t i = 0; i < file->node_list.count; i++) {
        struct gltf_value node = gltf_item(&file->node_list, i);
        const cJSON *index = gltf_get(&node, "mesh").json;
        struct target_names *targets;
        struct gltf_value mesh;

        if (!cJSON_IsNumber(index) || !(index->valuedouble >= 0) ||
            !(index->valuedouble < file->mesh_list.count))
            continue;
        mesh = gltf_item(&file->mesh_list, (uint32_t)index->valuedouble);
        targets = &meshes[(uint32_t)index->valuedouble];
        if (!targets->is_read)
            read_target_names(file, &mesh, targets);
        joints[i].target_names = targets->names;
        joints[i].target_name_count = targets->count;
    }
}

/* -- nodes -- */

bool gltf_read_nodes(struct gltf_file *file)
{
    struct motion *motion = file->motion;
    const uint32_t count = file->node_list.count;
    struct motion_joint *joints =
        ARENA_NEW(&motion->arena, struct motion_joint, count);
    int64_t cyclic;

    for (uint32_t i = 0; i < count; i++)
        joints[i].parent = -1;
    for (uint32_t i = 0; i < count; i++) {
        struct gltf_value node = gltf_item(&file->node_list, i);

        if (!cJSON_IsObject(node.json))
            return gltf_refuse(&node, "not an object");
        joints[i].name = gltf_name(file, &node);
        if (!read_rest(file, &node, &joints[i]) ||
            !read_children(file, &node, i, joints))
            return false;
    }
    find_target_names(file, joints);
    motion->joint_count = count;
    motion->joints = joints;
    cyclic = motion_sort_joints(motion);
    if (cyclic >= 0) {
        struct gltf_value node = gltf_item(&file->node_list, (uint32_t)cyclic);

        return gltf_refuse(&node, "the node is below itself");
    }
    return true;
}

static bool read_inverse_bind(struct gltf_file *file,
                              const struct gltf_value *value,
                              struct motion_skin *skin)
{
    struct gltf_accessor *accessor = gltf_accessor(file, value);

    if (!accessor)
        return false;
    if (strcmp(accessor->type, "MAT4") != 0)
        return gltf_refuse(value, "an accessor of %s, not MAT4",
                           accessor->type);
    if (accessor->count < skin->joint_count)
        return gltf_refuse(value, "%u matrices for %u joints", accessor->count,
                           skin->joint_count);
    if (!gltf_decode(file, value, accessor))
        return false;
    skin->inverse_bind = accessor->values;
    return true;
}

static bool read_skin(struct gltf_file *file, const struct gltf_value *value,
                      struct motion_skin *skin)
{
    struct arena *arena = &file->motion->arena;
    struct gltf_value bind = gltf_get(value, "inverseBindMatrices");
    struct gltf_list list;
    uint32_t *joints;
    double *identities;

    if (!gltf_list(value, "joints", &file->scratch, &list))
        return false;
    if (list.count == 0)
        return gltf_refuse(&list.value, "no joints");
    joints = ARENA_NEW(arena, uint32_t, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        struct gltf_value joint = gltf_item(&list, i);

        if (!gltf_index(&joint, file->node_list.count, "nodes", &joints[i]))
            return false;
    }
    skin->name = gltf_name(file, value);
    skin->joint_count = list.count;
    skin->joints = joints;
    if (bind.json)
        return read_inverse_bind(file, &bind, skin);
    identities = ARENA_NEW(arena, double, 16 * (uint64_t)list.count);
    for (uint64_t i = 0; i < list.count; i++)
        for (int k = 0; k < 4; k++)
            identities[16 * i + 5 * (uint64_t)k] = 1;
    skin->inverse_bind = identities;
    return true;
}

bool gltf_read_skins(struct gltf_file *file)
{
    struct motion *motion = file->motion;
    struct gltf_list list;
    struct motion_skin *skins;

    if (!gltf_list(&file->root, "skins", &file->scratch, &list))
        return false;
    skins = ARENA_NEW(&motion->arena, struct motion_skin, list.count);
    for (uint32_t i = 0; i < list.count; i++) {
        struct gltf_value value = gltf_item(&list, i);

        if (!read_skin(file, &value, &skins[i]))
            return false;
    }
    motion->skin_count = list.count;
    motion->skins = skins;
    return true;
}
