/* tree.c - builds the tree of archive.h from the objects as stored.
 *
 * An instance names another object, its source. Below the instance's path there
 * are separate objects that share the properties of the source. Sources are
 * found in a sorted list of all stored paths. The walk from the top marks the
 * objects that it is inside of; an instance of a marked object would never end
 * and is refused. Depth, objects and text are bounded, so that instances of
 * instances cannot grow without limit.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/backend.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The largest number of instances on the path of a source. */
#define INSTANCES_ON_PATH_MAX 64

struct builder {
    struct abc_store *store;
    struct abc_raw **sorted; /* by path */
    uint32_t sorted_count;
};

static bool charge_object(struct abc_store *store, uint64_t offset,
                          const char *place)
{
    if (store->archive.object_count >= ABC_OBJECTS_MAX)
        return ABC_STORE_REFUSE(store, offset, place,
                                "more than %u objects, instances included",
                                ABC_OBJECTS_MAX);
    store->archive.object_count++;
    return true;
}

bool abc_charge_text(struct abc_store *store, uint64_t offset,
                     const char *place, uint64_t bytes)
{
    if (bytes > ABC_TEXT_BYTES_MAX - store->text_bytes)
        return ABC_STORE_REFUSE(store, offset, place,
                                "names and metadata are more than %" PRIu64
                                " bytes",
                                (uint64_t)ABC_TEXT_BYTES_MAX);
    store->text_bytes += bytes;
    return true;
}

bool abc_charge_properties(struct abc_store *store, uint64_t offset,
                           const char *place, uint64_t count)
{
    if (count > ABC_PROPERTIES_MAX - store->property_count)
        return ABC_STORE_REFUSE(store, offset, place, "more than %u properties",
                                ABC_PROPERTIES_MAX);
    store->property_count += (uint32_t)count;
    return true;
}

/* Make an object below `parent`. The name is valid. */
static struct abc_object *new_object(struct abc_store *store, uint64_t offset,
                                     const struct abc_object *parent,
                                     const char *name, size_t name_bytes)
{
    const char *above = parent ? parent->path : "/";
    struct abc_object *object;

    if (!charge_object(store, offset, above) ||
        !abc_charge_text(store, offset, above,
                         strlen(above) + 2 * name_bytes + 3))
        return NULL;
    object = ARENA_NEW(&store->arena, struct abc_object, 1);
    object->name = arena_string(&store->arena, name, name_bytes);
    object->path =
        !parent ? "/"
                : arena_format(&store->arena, "%s/%s",
                               parent->parent ? above : "", object->name);
    object->parent = parent;
    return object;
}

bool abc_raw_init(struct abc_store *store, struct abc_raw *raw,
                  const struct abc_object *parent, const char *name,
                  size_t name_bytes, const char *metadata)
{
    const char *place = parent ? parent->path : "/";

    if (parent && name_bytes == 0)
        return ABC_STORE_REFUSE(store, raw->offset, place,
                                "a child has no name");
    if (memchr(name, 0, name_bytes) || memchr(name, '/', name_bytes))
        return ABC_STORE_REFUSE(store, raw->offset, place,
                                "a child's name holds a slash or zero byte");
    raw->object = new_object(store, raw->offset, parent, name, name_bytes);
    if (!raw->object)
        return false;
    raw->object->metadata = metadata;
    raw->object->source = raw->object;
    return true;
}

/* -- instances -- */

static bool is_instance(const struct abc_raw *raw)
{
    return abc_metadata_is(raw->object->metadata, "isInstance", "1");
}

static int compare_names(const void *a, const void *b)
{
    const struct abc_raw *left = a;
    const struct abc_raw *right = b;

    return strcmp(left->object->name, right->object->name);
}

/* List all objects. Children are sorted by name, so that results do not depend
 * on the order in the file. */
static void list(struct builder *builder, struct abc_raw *raw)
{
    if (raw->child_count > 1)
        qsort(raw->children, raw->child_count, sizeof raw->children[0],
              compare_names);
    builder->sorted[builder->sorted_count++] = raw;
    for (uint32_t i = 0; i < raw->child_count; i++)
        list(builder, &raw->children[i]);
}

static int compare_paths(const void *a, const void *b)
{
    const struct abc_raw *const *left = a;
    const struct abc_raw *const *right = b;

    return strcmp((*left)->object->path, (*right)->object->path);
}

/* `path` need not end with a zero byte. */
static struct abc_raw *find(const struct builder *builder, const char *path,
                            size_t bytes)
{
    uint32_t first = 0;
    uint32_t limit = builder->sorted_count;

    while (first < limit) {
        uint32_t middle = first + (limit - first) / 2;
        struct abc_raw *raw = builder->sorted[middle];
        int order = strncmp(raw->object->path, path, bytes);

        if (order == 0 && raw->object->path[bytes] != 0)
            order = 1;
        if (order == 0)
            return raw;
        if (order < 0)
            first = middle + 1;
        else
            limit = middle;
    }
    return NULL;
}

static bool read_source_path(struct builder *builder, struct abc_raw *raw)
{
    struct abc_store *store = builder->store;
    const struct abc_object *object = raw->object;
    const struct abc_property *property =
        abc_find(object->properties, ".instanceSource", ABC_SCALAR);
    struct abc_sample sample;
    size_t bytes;

    if (!property || property->pod != ABC_STRING || property->sample_count == 0)
        return ABC_STORE_REFUSE(store, raw->offset, object->path,
                                "is an instance without .instanceSource");
    if (!abc_read(&store->archive, property, 0, &store->scratch, &sample))
        return false;
    bytes = sample.bytes;
    while (bytes > 0 && sample.data[bytes - 1] == 0)
        bytes--;
    if (!abc_charge_text(store, property->offset, object->path, bytes))
        return false;
    raw->source_path =
        arena_string(&store->arena, (const char *)sample.data, bytes);
    return true;
}

/* Find the object with a path, or else its nearest stored ancestor. *bytes
 * becomes the length of the path of the object found. */
static struct abc_raw *find_nearest(const struct builder *builder,
                                    const char *path, size_t *bytes)
{
    struct abc_raw *last = NULL;
    size_t end = 0;

    *bytes = 0;
    while (path[end] == '/') {
        struct abc_raw *next;

        end += 1 + strcspn(path + end + 1, "/");
        next = find(builder, path, end);
        if (!next)
            break;
        last = next;
        *bytes = end;
    }
    return last;
}

/* Find the source of an instance. If an object on its path is an instance, the
 * rest of the path is below the source of that one: "/inst/child" then means
 * "/source/child". */
static bool resolve(struct builder *builder, struct abc_raw *raw)
{
    struct abc_store *store = builder->store;
    const char *path = raw->source_path;

    if (path[0] != '/')
        path = arena_format(&store->scratch, "/%s", path);
    for (unsigned i = 0; i < INSTANCES_ON_PATH_MAX; i++) {
        size_t bytes;
        struct abc_raw *found = find_nearest(builder, path, &bytes);

        if (found && path[bytes] == 0) {
            raw->source = found;
            return true;
        }
        if (!found || !found->source_path)
            break;
        if (!abc_charge_text(store, raw->offset, raw->object->path,
                             strlen(found->source_path) + strlen(path)))
            return false;
        path = arena_format(&store->scratch, "%s%s%s",
                            found->source_path[0] == '/' ? "" : "/",
                            found->source_path, path + bytes);
    }
    return ABC_STORE_REFUSE(store, raw->offset, raw->object->path,
                            "instance source \"%.200s\" does not exist",
                            raw->source_path);
}

static bool find_sources(struct builder *builder)
{
    struct abc_store *store = builder->store;

    for (uint32_t i = 0; i < builder->sorted_count; i++) {
        struct abc_raw *raw = builder->sorted[i];

        if (i > 0 &&
            compare_paths(&builder->sorted[i - 1], &builder->sorted[i]) == 0)
            return ABC_STORE_REFUSE(store, raw->offset, raw->object->path,
                                    "two objects have this path");
        if (is_instance(raw) && !read_source_path(builder, raw))
            return false;
    }
    for (uint32_t i = 0; i < builder->sorted_count; i++)
        if (builder->sorted[i]->source_path &&
            !resolve(builder, builder->sorted[i]))
            return false;
    return true;
}

/* -- the walk -- */

static bool publish(struct builder *builder, struct abc_object *object,
                    struct abc_raw *raw, uint32_t depth);

/* Fill `object`, an instance, with the content of its source. */
static bool publish_instance(struct builder *builder, struct abc_object *object,
                             struct abc_raw *raw, uint32_t depth)
{
    struct abc_store *store = builder->store;
    struct abc_raw *source = raw->source;

    /* An instance of an instance has that one's source. */
    for (unsigned i = 0; source->source_path; i++) {
        if (i == INSTANCES_ON_PATH_MAX)
            return ABC_STORE_REFUSE(store, raw->offset, object->path,
                                    "instances publish each other in a cycle");
        source = source->source;
    }
    if (source->is_on_path)
        return ABC_STORE_REFUSE(store, raw->offset, object->path,
                                "is an instance of \"%.200s\", which it is "
                                "inside of",
                                raw->source_path);
    object->instance_source = raw->source_path;
    object->metadata = source->object->metadata;
    object->properties = source->object->properties;
    object->source = source->object;
    return publish(builder, object, source, depth);
}

/* Give `object` the children of `raw`. */
static bool publish(struct builder *builder, struct abc_object *object,
                    struct abc_raw *raw, uint32_t depth)
{
    struct abc_store *store = builder->store;
    bool is_shown = object != raw->object;
    const struct abc_object **children;

    if (depth > ABC_DEPTH_MAX)
        return ABC_STORE_REFUSE(store, raw->offset, object->path,
                                "objects are nested deeper than %u",
                                ABC_DEPTH_MAX);
    raw->is_on_path = true;
    children =
        ARENA_NEW(&store->arena, const struct abc_object *, raw->child_count);
    for (uint32_t i = 0; i < raw->child_count; i++) {
        struct abc_raw *from = &raw->children[i];
        struct abc_object *child = from->object;

        if (is_shown) {
            child = new_object(store, from->offset, object, child->name,
                               strlen(child->name));
            if (!child)
                return false;
            child->is_inside_instance = true;
            child->metadata = from->object->metadata;
            child->properties = from->object->properties;
            child->source = from->object;
        }
        children[i] = child;
        if (from->source ? !publish_instance(builder, child, from, depth + 1)
                         : !publish(builder, child, from, depth + 1))
            return false;
    }
    object->children = children;
    object->child_count = raw->child_count;
    raw->is_on_path = false;
    return true;
}

bool abc_tree_build(struct abc_store *store, struct abc_raw *top)
{
    struct builder builder = {.store = store};

    builder.sorted = ARENA_NEW(&store->scratch, struct abc_raw *,
                               store->archive.object_count);
    list(&builder, top);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are sorted. */
    qsort(builder.sorted, builder.sorted_count, sizeof builder.sorted[0],
          compare_paths);
    if (!find_sources(&builder))
        return false;
    store->archive.top = top->object;
    return publish(&builder, top->object, top, 0);
}
