/* ogawa_tree.c - reads objects and property headers of an Ogawa file.
 *
 * Recursion follows the groups and is bounded by ABC_DEPTH_MAX. Each call links
 * its group to that of its caller, so that a cycle is found. Writers do not
 * share headers between groups; a hostile file that does so reaches the limit
 * that all headers together have at most the size of the file.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/ogawa.h"

#include "abc/validate.h"
#include "base/endian.h"

#include <inttypes.h>
#include <string.h>

/* Two hashes follow the child headers of an object. */
#define OBJECT_HASH_BYTES 32u
#define INLINE_METADATA 0xffu

/* A block of headers and the position in it. */
struct cursor {
    struct abc_store *store;
    const char *place;
    struct ogawa_data block;
    uint64_t at;
};

static bool refuse_header(const struct cursor *cursor)
{
    return ABC_STORE_REFUSE(cursor->store, cursor->block.offset + cursor->at,
                            cursor->place, "a header is cut off");
}

/* Read a number of 1, 2 or 4 bytes. */
static bool take_number(struct cursor *cursor, uint32_t width, uint32_t *number)
{
    const uint8_t *bytes = cursor->block.data + cursor->at;

    if (width > cursor->block.bytes - cursor->at)
        return refuse_header(cursor);
    if (width == 1)
        *number = bytes[0];
    else
        *number = width == 2 ? spn_load_u16le(bytes) : spn_load_u32le(bytes);
    cursor->at += width;
    return true;
}

static bool take_text(struct cursor *cursor, uint32_t width, const char **text,
                      uint32_t *bytes)
{
    if (!take_number(cursor, width, bytes))
        return false;
    if (*bytes > cursor->block.bytes - cursor->at)
        return refuse_header(cursor);
    *text = (const char *)cursor->block.data + cursor->at;
    cursor->at += *bytes;
    return true;
}

/* Read the metadata index of a header. *metadata is NULL if the text itself
 * follows.
 */
static bool take_metadata(struct cursor *cursor, uint32_t number,
                          uint32_t width, const char **metadata,
                          const char **text, uint32_t *bytes)
{
    const struct ogawa *ogawa = cursor->store->archive.backend;

    *metadata = NULL;
    *bytes = 0;
    if (number == INLINE_METADATA)
        return take_text(cursor, width, text, bytes);
    if (number >= ogawa->metadata_count)
        return ABC_STORE_REFUSE(
            cursor->store, cursor->block.offset + cursor->at, cursor->place,
            "metadata number %u, there are %u", number, ogawa->metadata_count);
    *metadata = ogawa->metadata[number];
    return true;
}

/* For messages: an empty group has no offset. */
static uint64_t offset_of(const struct ogawa_group *group)
{
    return group->offset != 0 ? group->offset : DIAG_NO_OFFSET;
}

/* Copy a text of a header to the archive. */
static const char *keep_text(struct abc_store *store, const char *text,
                             uint32_t bytes)
{
    return arena_string(&store->arena, text, bytes);
}

/* Open the last child of a group: the block of headers. */
static bool open_headers(struct abc_store *store,
                         const struct ogawa_group *group, const char *place,
                         struct cursor *cursor)
{
    struct ogawa *ogawa = store->archive.backend;

    *cursor = (struct cursor){.store = store, .place = place};
    if (!ogawa_data_at(store, ogawa_child(group, group->count - 1), place,
                       &cursor->block))
        return false;
    if (cursor->block.bytes > store->map.bytes - ogawa->header_bytes)
        return ABC_STORE_REFUSE(store, cursor->block.offset, place,
                                "groups share their headers");
    ogawa->header_bytes += cursor->block.bytes;
    return true;
}

/* -- properties -- */

struct header {
    uint32_t info;
    struct abc_changes changes;
    uint32_t sampling;
    const char *name;
    uint32_t name_bytes;
    const char *metadata; /* NULL: the text itself is in the header */
    const char *text;
    uint32_t text_bytes;
};

static enum abc_property_kind header_kind(const struct header *header)
{
    static const enum abc_property_kind kinds[4] = {ABC_COMPOUND, ABC_SCALAR,
                                                    ABC_ARRAY, ABC_ARRAY};
    return kinds[header->info & 3];
}

static bool refuse_value(const struct cursor *cursor, const char *what,
                         uint32_t value)
{
    return ABC_STORE_REFUSE(cursor->store, cursor->block.offset + cursor->at,
                            cursor->place, "a property's %s is %u", what,
                            value);
}

/* Read the part of a header that compounds lack. */
static bool take_samples(struct cursor *cursor, uint32_t width,
                         struct header *header)
{
    uint32_t info = header->info;
    struct abc_changes *changes = &header->changes;

    if ((info >> 4 & 15) >= ABC_POD_COUNT)
        return refuse_value(cursor, "type", info >> 4 & 15);
    if ((info >> 12 & 255) == 0)
        return refuse_value(cursor, "extent", 0);
    if (!take_number(cursor, width, &changes->sample_count))
        return false;
    abc_changes_all_or_none(changes, info & 1u << 11);
    if (info & 1u << 9 && (!take_number(cursor, width, &changes->first) ||
                           !take_number(cursor, width, &changes->last)))
        return false;
    if (info & 1u << 8 && !take_number(cursor, width, &header->sampling))
        return false;
    if (header->sampling >= cursor->store->archive.sampling_count)
        return ABC_STORE_REFUSE(
            cursor->store, cursor->block.offset + cursor->at, cursor->place,
            "a property's time sampling is %u, there are %u", header->sampling,
            cursor->store->archive.sampling_count);
    return abc_validate_changes(cursor->store,
                                cursor->block.offset + cursor->at,
                                cursor->place, &header->changes);
}

static bool take_header(struct cursor *cursor, struct header *header)
{
    uint32_t width;

    memset(header, 0, sizeof *header);
    if (!take_number(cursor, 4, &header->info))
        return false;
    if ((header->info >> 2 & 3) == 3)
        return refuse_value(cursor, "size hint", 3);
    width = 1u << (header->info >> 2 & 3);
    if (header_kind(header) != ABC_COMPOUND &&
        !take_samples(cursor, width, header))
        return false;
    if (!take_text(cursor, width, &header->name, &header->name_bytes))
        return false;
    if (header->name_bytes == 0 || memchr(header->name, 0, header->name_bytes))
        return ABC_STORE_REFUSE(
            cursor->store, cursor->block.offset + cursor->at, cursor->place,
            "a property's name is empty or holds a zero "
            "byte");
    return take_metadata(cursor, header->info >> 20 & 255, width,
                         &header->metadata, &header->text, &header->text_bytes);
}

static bool fill_property(struct abc_store *store, const struct header *header,
                          uint64_t pointer, const char *place,
                          const struct abc_inside *inside,
                          struct abc_property *property)
{
    enum abc_property_kind kind = header_kind(header);
    struct ogawa_group group;
    uint64_t stored;

    if (!abc_charge_text(store, inside->address, place,
                         (uint64_t)header->name_bytes + header->text_bytes + 2))
        return false;
    property->name = keep_text(store, header->name, header->name_bytes);
    property->metadata =
        header->metadata ? header->metadata
                         : keep_text(store, header->text, header->text_bytes);
    property->kind = kind;
    property->backend = pointer;
    if (kind == ABC_COMPOUND)
        return true;
    property->pod = (enum abc_pod)(header->info >> 4 & 15);
    property->extent = (uint8_t)(header->info >> 12);
    property->is_scalar_like = header->info & 1;
    property->time_sampling = header->sampling;
    abc_changes_store(&header->changes, property);
    if (!ogawa_group_at(store, pointer, place, &group))
        return false;
    property->offset = offset_of(&group);
    stored = abc_stored_count(property);
    if (kind == ABC_ARRAY)
        stored *= 2;
    if (stored > group.count)
        return ABC_STORE_REFUSE(store, property->offset,
                                abc_property_path(property, &store->scratch),
                                "%" PRIu64 " blocks for samples, not %" PRIu64,
                                group.count, stored);
    return true;
}

/* Validate all headers of a block and count them. */
static bool count_headers(const struct cursor *from, uint64_t *count)
{
    struct cursor cursor = *from;
    struct header header;

    *count = 0;
    while (cursor.at < cursor.block.bytes) {
        if (!take_header(&cursor, &header))
            return false;
        ++*count;
    }
    return true;
}

/* Read the children of a compound, whose name and offset are set. Children that
 * are compounds are read after all have been sorted. */
static bool read_compound(struct abc_store *store, const char *place,
                          const struct abc_inside *outer,
                          struct abc_property *compound)
{
    struct abc_property *children;
    struct ogawa_group group;
    struct abc_inside inside;
    struct cursor cursor;
    uint64_t count;

    if (!ogawa_group_at(store, compound->backend, place, &group) ||
        !abc_enter(store, group.offset, place, outer, &inside))
        return false;
    compound->offset = offset_of(&group);
    if (group.count == 0)
        return true;
    if (!open_headers(store, &group, place, &cursor) ||
        !count_headers(&cursor, &count))
        return false;
    if (count > group.count - 1)
        return ABC_STORE_REFUSE(store, group.offset, place,
                                "%" PRIu64 " groups for %" PRIu64 " properties",
                                group.count - 1, count);
    if (!abc_charge_properties(store, group.offset, place, count))
        return false;
    children = ARENA_NEW(&store->arena, struct abc_property, (size_t)count);
    for (uint64_t i = 0; i < count; i++) {
        struct header header;

        if (!take_header(&cursor, &header))
            return false;
        children[i].parent = compound;
        if (!fill_property(store, &header, ogawa_child(&group, i), place,
                           &inside, &children[i]))
            return false;
    }
    compound->children = children;
    compound->child_count = (uint32_t)count;
    abc_sort_properties(children, compound->child_count);
    for (uint64_t i = 0; i < count; i++)
        if (children[i].kind == ABC_COMPOUND &&
            !read_compound(store, place, &inside, &children[i]))
            return false;
    return true;
}

/* -- objects -- */

struct object_header {
    const char *name;
    uint32_t name_bytes;
    const char *metadata;
    const char *text;
    uint32_t text_bytes;
};

static bool take_object_header(struct cursor *cursor,
                               struct object_header *header)
{
    uint32_t number;

    return take_text(cursor, 4, &header->name, &header->name_bytes) &&
           take_number(cursor, 1, &number) &&
           take_metadata(cursor, number, 4, &header->metadata, &header->text,
                         &header->text_bytes);
}

static bool count_object_headers(const struct cursor *from, uint64_t *count)
{
    struct cursor cursor = *from;
    struct object_header header;

    *count = 0;
    while (cursor.at < cursor.block.bytes) {
        if (!take_object_header(&cursor, &header))
            return false;
        ++*count;
    }
    return true;
}

static bool init_child(struct abc_store *store,
                       const struct object_header *header,
                       const struct abc_object *parent, struct abc_raw *child)
{
    const char *metadata = header->metadata;

    if (!metadata) {
        if (!abc_charge_text(store, child->offset, parent->path,
                             (uint64_t)header->text_bytes + 1))
            return false;
        /* NOLINTNEXTLINE(clang-analyzer-*): the text is in the header then. */
        metadata = keep_text(store, header->text, header->text_bytes);
    }
    return abc_raw_init(store, child, parent, header->name, header->name_bytes,
                        metadata);
}

static bool read_object(struct abc_store *store, uint64_t pointer,
                        const struct abc_inside *outer, struct abc_raw *raw);

static bool read_children(struct abc_store *store,
                          const struct ogawa_group *group,
                          const struct abc_inside *inside, struct abc_raw *raw)
{
    const char *place = raw->object->path;
    struct cursor cursor;
    uint64_t count;

    if (!open_headers(store, group, place, &cursor))
        return false;
    cursor.block.bytes = cursor.block.bytes > OBJECT_HASH_BYTES
                             ? cursor.block.bytes - OBJECT_HASH_BYTES
                             : 0;
    if (!count_object_headers(&cursor, &count))
        return false;
    if (count > 0 && count > group->count - 2)
        return ABC_STORE_REFUSE(store, group->offset, place,
                                "%" PRIu64 " groups for %" PRIu64 " objects",
                                group->count - 2, count);
    if (count > ABC_OBJECTS_MAX)
        return ABC_STORE_REFUSE(store, group->offset, place,
                                "%" PRIu64 " children, at most %u", count,
                                ABC_OBJECTS_MAX);
    raw->children = ARENA_NEW(&store->scratch, struct abc_raw, (size_t)count);
    raw->child_count = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        struct abc_raw *child = &raw->children[i];
        struct object_header header;
        uint64_t at = ogawa_child(group, i + 1);

        child->offset = at & ~OGAWA_DATA_BIT;
        if (!take_object_header(&cursor, &header) ||
            !init_child(store, &header, raw->object, child) ||
            !read_object(store, at, inside, child))
            return false;
    }
    return true;
}

static bool read_object(struct abc_store *store, uint64_t pointer,
                        const struct abc_inside *outer, struct abc_raw *raw)
{
    const char *place = raw->object->path;
    struct abc_property *top = ARENA_NEW(&store->arena, struct abc_property, 1);
    struct ogawa_group group;
    struct abc_inside inside;

    top->name = place;
    top->metadata = "";
    top->kind = ABC_COMPOUND;
    top->offset = DIAG_NO_OFFSET;
    raw->object->properties = top;
    if (!ogawa_group_at(store, pointer, place, &group) ||
        !abc_enter(store, group.offset, place, outer, &inside))
        return false;
    if (group.count == 0)
        return true;
    top->backend = ogawa_child(&group, 0);
    if (!read_compound(store, place, &inside, top))
        return false;
    return group.count == 1 || read_children(store, &group, &inside, raw);
}

bool ogawa_read_tree(struct abc_store *store, uint64_t pointer,
                     struct abc_raw *top)
{
    return read_object(store, pointer, NULL, top);
}
