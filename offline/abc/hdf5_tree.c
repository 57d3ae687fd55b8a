/* hdf5_tree.c - reads objects and compounds of an HDF5 archive.
 *
 * Recursion follows the groups and is bounded by ABC_DEPTH_MAX. A group is
 * listed once for each path to it. Links may form cycles: a group inside itself
 * is found by its address. A file in which groups are shared very often reaches
 * the limit on the bytes of all listings.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include "abc/validate.h"

#include <string.h>

#define PROPERTIES ".prop"

/* -- listings -- */

/* A listing and the position in it. */
struct cursor {
    const uint8_t *at;
    size_t left;
    bool is_short;
};

struct text {
    const char *bytes; /* not terminated */
    uint32_t count;
};

static void take(struct cursor *cursor, void *target, size_t bytes)
{
    memset(target, 0, bytes);
    if (bytes > cursor->left) {
        cursor->is_short = true;
        return;
    }
    memcpy(target, cursor->at, bytes);
    cursor->at += bytes;
    cursor->left -= bytes;
}

static struct text take_text(struct cursor *cursor)
{
    struct text text = {"", 0};
    uint32_t count;

    take(cursor, &count, sizeof count);
    if (count > cursor->left) {
        cursor->is_short = true;
        return text;
    }
    text.bytes = (const char *)cursor->at;
    text.count = count;
    cursor->at += count;
    cursor->left -= count;
    return text;
}

static bool is_text(struct text text, const char *other)
{
    return text.count == strlen(other) &&
           memcmp(text.bytes, other, text.count) == 0;
}

struct child {
    struct hdf5_link link;
    struct text name;
};

struct header {
    struct hdf5_property info;
    struct text name;
    struct text metadata;
};

struct listing {
    struct text metadata; /* of the object, if the group is one */
    const struct child *children;
    uint32_t child_count;
    const struct header *headers;
    uint32_t header_count;
};

static void take_listing(struct cursor *cursor, struct arena *arena,
                         struct listing *listing)
{
    struct hdf5_list counts;
    struct header *headers;
    struct child *children;

    take(cursor, &counts, sizeof counts);
    listing->metadata = take_text(cursor);
    /* Refuse counts above the number of bytes before memory is allocated. */
    if (counts.link_count > cursor->left / sizeof(struct hdf5_link) ||
        counts.property_count > cursor->left / sizeof(struct hdf5_property)) {
        cursor->is_short = true;
        return;
    }
    children = ARENA_NEW(arena, struct child, counts.link_count);
    for (uint32_t i = 0; i < counts.link_count; i++) {
        take(cursor, &children[i].link, sizeof children[i].link);
        children[i].name = take_text(cursor);
    }
    headers = ARENA_NEW(arena, struct header, counts.property_count);
    for (uint32_t i = 0; i < counts.property_count; i++) {
        take(cursor, &headers[i].info, sizeof headers[i].info);
        headers[i].name = take_text(cursor);
        headers[i].metadata = take_text(cursor);
    }
    listing->children = children;
    listing->child_count = counts.link_count;
    listing->headers = headers;
    listing->header_count = counts.property_count;
}

static bool list_group(struct abc_store *store, uint64_t address,
                       const char *place, struct listing *listing)
{
    struct hdf5_query query = {
        .verb = HDF5_LIST, .group = address, .container = "", .name = ""};
    struct hdf5 *hdf5 = store->archive.backend;
    struct hdf5_bytes payload;
    struct cursor cursor = {0};

    memset(listing, 0, sizeof *listing);
    if (hdf5_query_run(store, &query, &store->scratch, &payload) != HDF5_DONE)
        return ABC_STORE_REFUSE(store, address == HDF5_ROOT ? 0 : address,
                                place, "%s", (const char *)payload.data);
    hdf5->listed_bytes += payload.bytes;
    if (hdf5->listed_bytes > HDF5_LIST_BYTES_MAX)
        return ABC_STORE_REFUSE(
            store, DIAG_NO_OFFSET, place,
            "all groups together hold more than %llu MiB "
            "of names and metadata",
            (unsigned long long)(HDF5_LIST_BYTES_MAX >> 20));
    cursor.at = payload.data;
    cursor.left = payload.bytes;
    take_listing(&cursor, &store->scratch, listing);
    if (cursor.is_short || cursor.left > 0)
        return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, place,
                                "a listing that is cut off");
    return true;
}

static const struct child *find_child(const struct listing *listing,
                                      struct text name)
{
    for (uint32_t i = 0; i < listing->child_count; i++)
        if (listing->children[i].name.count == name.count &&
            memcmp(listing->children[i].name.bytes, name.bytes, name.count) ==
                0)
            return &listing->children[i];
    return NULL;
}

/* Only hard links have an address. */
static bool validate_link(struct abc_store *store, const char *place,
                          const struct child *child)
{
    if (child->link.is_hard && child->link.address < store->map.bytes)
        return true;
    return ABC_STORE_REFUSE(store, DIAG_NO_OFFSET, place,
                            "link %.*s does not lead to a group",
                            (int)(child->name.count % 256), child->name.bytes);
}

/* -- properties -- */

static const char *keep_text(struct abc_store *store, uint64_t offset,
                             const char *place, struct text text)
{
    if (!abc_charge_text(store, offset, place, (uint64_t)text.count + 1))
        return NULL;
    return arena_string(&store->arena, text.bytes, text.count);
}

static bool init_property(struct abc_store *store, uint64_t group,
                          const char *place, const struct listing *listing,
                          const struct header *header,
                          struct abc_property *property)
{
    const struct child *child;

    if (header->name.count == 0 ||
        memchr(header->name.bytes, 0, header->name.count))
        return ABC_STORE_REFUSE(store, group, place,
                                "a property's name is empty or holds a zero "
                                "byte");
    property->name = keep_text(store, group, place, header->name);
    property->metadata = keep_text(store, group, place, header->metadata);
    if (!property->name || !property->metadata ||
        !hdf5_read_header(store, group, place, &header->info, property))
        return false;
    if (property->kind != ABC_COMPOUND) {
        struct hdf5_location *at =
            ARENA_NEW(&store->arena, struct hdf5_location, 1);

        at->group = group;
        property->backend = (uintptr_t)at;
        return true;
    }
    /* A compound without properties may have no group. */
    child = find_child(listing, header->name);
    property->offset = DIAG_NO_OFFSET;
    if (!child)
        return true;
    if (!validate_link(store, place, child))
        return false;
    property->backend = property->offset = child->link.address;
    return true;
}

/* Read the children of a compound with a group, whose address is in `offset`
 * and `backend`. */
static bool read_compound(struct abc_store *store, const char *place,
                          const struct abc_inside *outer,
                          struct abc_property *compound)
{
    uint64_t group = compound->backend;
    struct abc_property *children;
    struct listing listing;
    struct abc_inside inside;

    if (!abc_enter(store, group, place, outer, &inside) ||
        !list_group(store, group, place, &listing) ||
        !abc_charge_properties(store, group, place, listing.header_count))
        return false;
    children =
        ARENA_NEW(&store->arena, struct abc_property, listing.header_count);
    for (uint32_t i = 0; i < listing.header_count; i++) {
        children[i].parent = compound;
        if (!init_property(store, group, place, &listing, &listing.headers[i],
                           &children[i]))
            return false;
    }
    abc_sort_properties(children, listing.header_count);
    compound->children = children;
    compound->child_count = listing.header_count;
    for (uint32_t i = 0; i < listing.header_count; i++)
        if (children[i].kind == ABC_COMPOUND &&
            children[i].offset != DIAG_NO_OFFSET &&
            !read_compound(store, place, &inside, &children[i]))
            return false;
    return true;
}

/* -- objects -- */

static bool read_properties(struct abc_store *store,
                            const struct listing *listing,
                            const struct abc_inside *inside,
                            struct abc_raw *raw)
{
    static const struct text name = {PROPERTIES, sizeof PROPERTIES - 1};
    struct abc_property *top = ARENA_NEW(&store->arena, struct abc_property, 1);
    const struct child *child = find_child(listing, name);

    top->name = raw->object->path;
    top->metadata = "";
    top->kind = ABC_COMPOUND;
    top->offset = DIAG_NO_OFFSET;
    raw->object->properties = top;
    if (!child)
        return true;
    if (!validate_link(store, raw->object->path, child))
        return false;
    top->offset = top->backend = child->link.address;
    return read_compound(store, raw->object->path, inside, top);
}

static bool read_object(struct abc_store *store, uint64_t address,
                        const struct abc_inside *outer, struct abc_raw *raw);

static bool read_children(struct abc_store *store,
                          const struct listing *listing,
                          const struct abc_inside *inside, struct abc_raw *raw)
{
    const char *place = raw->object->path;

    raw->children =
        ARENA_NEW(&store->scratch, struct abc_raw, listing->child_count);
    for (uint32_t i = 0; i < listing->child_count; i++) {
        const struct child *from = &listing->children[i];
        struct abc_raw *child = &raw->children[raw->child_count];

        if (is_text(from->name, PROPERTIES))
            continue;
        if (!validate_link(store, place, from))
            return false;
        child->offset = from->link.address;
        if (!abc_raw_init(store, child, raw->object, from->name.bytes,
                          from->name.count, "") ||
            !read_object(store, from->link.address, inside, child))
            return false;
        raw->child_count++;
    }
    return true;
}

static bool read_object(struct abc_store *store, uint64_t address,
                        const struct abc_inside *outer, struct abc_raw *raw)
{
    const char *place = raw->object->path;
    struct listing listing;
    struct abc_inside inside;

    if (!abc_enter(store, address, place, outer, &inside) ||
        !list_group(store, address, place, &listing))
        return false;
    raw->object->metadata = keep_text(store, address, place, listing.metadata);
    return raw->object->metadata &&
           read_properties(store, &listing, &inside, raw) &&
           read_children(store, &listing, &inside, raw);
}

bool hdf5_read_tree(struct abc_store *store, struct abc_raw *top)
{
    static const struct text name = {"ABC", 3};
    const struct child *child;
    struct listing root;

    if (!list_group(store, HDF5_ROOT, NULL, &root))
        return false;
    child = find_child(&root, name);
    if (!child)
        return ABC_STORE_REFUSE(store, 0, NULL, "has no group /ABC");
    if (!validate_link(store, NULL, child))
        return false;
    top->offset = child->link.address;
    if (!read_object(store, top->offset, NULL, top))
        return false;
    store->archive.metadata = top->object->metadata;
    return true;
}
