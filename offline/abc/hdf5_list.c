/* hdf5_list.c - lists the links of a group, and the properties that its
 * attributes NAME.info describe.
 *
 * Names are collected first, and attributes are read afterwards: the library
 * does not promise that attributes may be opened during iteration.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/archive.h"
#include "abc/hdf5_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INFO_ENDING ".info"
#define INFO_ENDING_BYTES (sizeof INFO_ENDING - 1)
/* For the longest suffix and a zero byte. */
#define ENDING_ROOM 8u

/* The results of the iterations. The names of links are in the reply, as texts.
 */
struct walk {
    struct hdf5_reply *reply;
    struct hdf5_reply names; /* of properties, each ends with a zero byte */
    uint32_t count;
};

static bool is_full(struct walk *walk)
{
    if (walk->reply->count + walk->names.count <= HDF5_LIST_BYTES_MAX / 2)
        return false;
    hdf5_reply_refuse(walk->reply,
                      "a group holds more than %llu MiB of names and metadata",
                      (unsigned long long)(HDF5_LIST_BYTES_MAX >> 21));
    return true;
}

static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info,
                        void *user)
{
    struct walk *walk = user;
    struct hdf5_link link = {0};

    (void)group;
    if (is_full(walk))
        return -1;
    link.is_hard = info->type == H5L_TYPE_HARD;
    if (link.is_hard)
        link.address = info->u.address;
    hdf5_reply_add(walk->reply, &link, sizeof link);
    hdf5_reply_add_text(walk->reply, name, strlen(name));
    walk->count++;
    return 0;
}

static herr_t take_attribute(hid_t group, const char *name,
                             const H5A_info_t *info, void *user)
{
    struct walk *walk = user;
    size_t count = strlen(name);

    (void)group;
    (void)info;
    if (is_full(walk))
        return -1;
    if (count < INFO_ENDING_BYTES ||
        strcmp(name + count - INFO_ENDING_BYTES, INFO_ENDING) != 0)
        return 0;
    hdf5_reply_add(&walk->names, name, count - INFO_ENDING_BYTES);
    hdf5_reply_add(&walk->names, "", 1);
    walk->count++;
    return 0;
}

/* Read the words of NAME.info. Words beyond the last that has a meaning are
 * only counted. */
static bool read_info(hid_t group, const char *attribute,
                      struct hdf5_property *property, struct hdf5_reply *reply)
{
    struct hdf5_reply values = {0};
    const struct hdf5_values *head;
    size_t bytes;
    bool is_read;

    is_read = hdf5_read_attribute(group, attribute, ABC_U32, &values);
    if (is_read && values.outcome == HDF5_DONE) {
        head = (const void *)values.bytes;
        bytes = (size_t)head->bytes;
        property->word_count = (uint32_t)(bytes / sizeof property->words[0]);
        if (bytes > sizeof property->words)
            bytes = sizeof property->words;
        memcpy(property->words, values.bytes + sizeof *head, bytes);
    } else {
        hdf5_reply_refuse(reply, "%.128s: %.*s", attribute, (int)values.count,
                          (const char *)values.bytes);
    }
    free(values.bytes);
    return reply->outcome == HDF5_DONE;
}

static bool add_metadata(hid_t group, const char *attribute,
                         struct hdf5_reply *reply)
{
    char *text = NULL;
    size_t count = 0;
    bool is_read = hdf5_read_text(group, attribute, &text, &count, reply);

    if (is_read)
        hdf5_reply_add_text(reply, text, count);
    free(text);
    return is_read;
}

/* The first sample of a scalar is an attribute, that of an array a data set. */
static bool has_sample(hid_t group, const char *name)
{
    return H5Aexists(group, name) > 0 ||
           H5Lexists(group, name, H5P_DEFAULT) > 0;
}

static bool add_property(hid_t group, const char *name,
                         struct hdf5_reply *reply)
{
    struct hdf5_property property = {0};
    size_t count = strlen(name);
    char *attribute = malloc(count + ENDING_ROOM);
    bool is_added;

    if (!attribute)
        return hdf5_reply_refuse(reply, "out of memory");
    snprintf(attribute, count + ENDING_ROOM, "%s.info", name);
    is_added = read_info(group, attribute, &property, reply);
    if (is_added) {
        snprintf(attribute, count + ENDING_ROOM, "%s.smp0", name);
        property.has_sample = has_sample(group, attribute);
        hdf5_reply_add(reply, &property, sizeof property);
        hdf5_reply_add_text(reply, name, count);
        snprintf(attribute, count + ENDING_ROOM, "%s.meta", name);
        is_added = add_metadata(group, attribute, reply);
    }
    free(attribute);
    return is_added;
}

static bool add_properties(hid_t group, struct walk *walk)
{
    size_t at = 0;

    for (uint32_t i = 0; i < walk->count; i++) {
        const char *name = (const char *)walk->names.bytes + at;

        if (is_full(walk) || !add_property(group, name, walk->reply))
            return false;
        at += strlen(name) + 1;
    }
    return true;
}

static bool list_links(hid_t group, struct walk *walk)
{
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, take_link,
                   walk) < 0)
        return hdf5_reply_failed(walk->reply, "the links of a group");
    return true;
}

static bool list_properties(hid_t group, struct walk *walk)
{
    walk->count = 0;
    if (H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, take_attribute,
                    walk) < 0)
        return hdf5_reply_failed(walk->reply, "the attributes of a group");
    return add_properties(group, walk);
}

bool hdf5_list_group(hid_t group, struct hdf5_reply *reply)
{
    struct walk walk = {.reply = reply};
    struct hdf5_list counts = {0};
    bool is_listed;

    hdf5_reply_add(reply, &counts, sizeof counts);
    is_listed =
        add_metadata(group, ".prop.meta", reply) && list_links(group, &walk);
    counts.link_count = walk.count;
    is_listed = is_listed && list_properties(group, &walk);
    counts.property_count = walk.count;
    if (is_listed)
        memcpy(reply->bytes, &counts, sizeof counts);
    free(walk.names.bytes);
    return is_listed;
}
