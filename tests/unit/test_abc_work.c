/* test_abc_work.c
 *
 * Goal: data that a small file shares or names a million times does not cost
 *   a million times the work.
 * Method: for each place where the reader reads or searches data per object,
 *   an archive of a few megabytes is written in which this data is large and
 *   shared. It is read completely under a time limit.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/ogawa_writer.h"

#include "abc/schema.h"
#include "base/endian.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_LIMIT 30u

static struct ogawa_writer writer;
static struct header_block headers;
static struct diag diag;

static void start(void)
{
    alarm(SECONDS_LIMIT);
    headers.count = 0;
    writer_open(&writer);
}

/* Close the file and read all of it, if it can be opened. */
static void read_all(uint64_t top)
{
    static char path[512];
    struct abc_archive *archive;

    snprintf(path, sizeof path, "%s/work.abc", test_temp());
    writer_close(&writer, top, path);
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    if (archive)
        abc_check_scene(archive);
    abc_close(archive);
    diag_finish(&diag);
    alarm(0);
}

static void accept_all(uint64_t top)
{
    read_all(top);
    if (diag.code != EXIT_DONE)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
}

/* A compound of the properties in `headers`. */
static uint64_t compound(const uint64_t *children, size_t count)
{
    uint64_t *all = malloc((count + 1) * sizeof *all);
    uint64_t group;

    CHECK(all != NULL);
    memcpy(all, children, count * sizeof *all);
    all[count] = writer_data(&writer, headers.bytes, headers.count);
    headers.count = 0;
    group = writer_group(&writer, all, count + 1);
    free(all);
    return group;
}

/* The top compound of an object, with one compound in it. */
static uint64_t top_compound(const char *name, uint64_t inner)
{
    header_property(&headers, 0, NULL, 0, name);
    return compound(&inner, 1);
}

/* `count` children that are the same stored object. */
static uint64_t same_objects(uint32_t count, const char *metadata,
                             uint64_t properties)
{
    uint64_t object = writer_object(&writer, properties, NULL, 0, &headers);
    uint64_t *children = malloc(count * sizeof *children);
    uint64_t top;

    CHECK(children != NULL);
    for (uint32_t i = 0; i < count; i++) {
        char name[16];

        snprintf(name, sizeof name, "%u", i);
        header_object(&headers, name, metadata);
        children[i] = object;
    }
    top = writer_object(&writer, WRITER_EMPTY_GROUP, children, count, &headers);
    free(children);
    return top;
}

/* A group of one array sample of zeros. */
static uint64_t zeroes(size_t bytes)
{
    uint8_t *values = calloc(1, bytes);
    uint64_t blocks[2];

    CHECK(values != NULL);
    blocks[0] = writer_sample(&writer, values, bytes);
    blocks[1] = WRITER_EMPTY_DATA;
    free(values);
    return writer_group(&writer, blocks, 2);
}

static void visibility_is_not_searched_for_every_sample(void)
{
    enum { COUNT = 200000 };
    uint64_t *pointers = calloc(COUNT + 1, sizeof *pointers);
    uint64_t visible;
    uint64_t sample;

    CHECK(pointers != NULL);
    start();
    sample = writer_sample(&writer, "\1", 1);
    for (int i = 0; i < COUNT; i++)
        pointers[i] = sample;
    visible = writer_group(&writer, pointers, COUNT);
    for (int i = 0; i < COUNT; i++) {
        header_property(&headers, INFO_SCALAR | INFO_EXTENT(1),
                        (const uint32_t[]){0}, 1, "p");
        pointers[i] = WRITER_EMPTY_GROUP;
    }
    header_property(&headers, INFO_SCALAR | INFO_POD(ABC_I8) | INFO_EXTENT(1),
                    (const uint32_t[]){COUNT}, 1, "visible");
    pointers[COUNT] = visible;
    accept_all(writer_object(&writer, compound(pointers, COUNT + 1), NULL, 0,
                             &headers));
    free(pointers);
}

static void shared_face_sets_are_not_copied_endlessly(void)
{
    uint64_t faces;

    start();
    faces = zeroes((size_t)8 << 20);
    header_property(&headers,
                    INFO_ARRAY | INFO_POD(ABC_I32) | INFO_CONSTANT |
                        INFO_EXTENT(1),
                    (const uint32_t[]){1}, 1, ".faces");
    faces = top_compound(".faceset", compound(&faces, 1));
    accept_all(same_objects(40000, "schema=AbcGeom_FaceSet_v1", faces));
}

static void shared_colors_are_not_expanded_endlessly(void)
{
    enum { COUNT = 40000 };
    uint64_t *pointers = calloc(COUNT, sizeof *pointers);
    const uint32_t one[] = {1};
    const uint32_t none[] = {0};
    uint64_t geometry[4] = {0};
    uint64_t colors;

    CHECK(pointers != NULL);
    start();
    colors = zeroes((size_t)12 << 20);
    for (int i = 0; i < COUNT; i++) {
        header_property(&headers,
                        INFO_ARRAY | INFO_POD(ABC_F32) | INFO_CONSTANT |
                            INFO_EXTENT(3) | INFO_METADATA_HERE,
                        one, 1, "c");
        header_metadata(&headers, "interpretation=rgb");
        pointers[i] = colors;
    }
    geometry[3] = compound(pointers, COUNT);
    free(pointers);
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_F32) | INFO_EXTENT(3),
                    none, 1, "P");
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1),
                    none, 1, ".faceCounts");
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1),
                    none, 1, ".faceIndices");
    header_property(&headers, 0, NULL, 0, ".arbGeomParams");
    accept_all(same_objects(1, "schema=AbcGeom_PolyMesh_v1",
                            top_compound(".geom", compound(geometry, 4))));
}

/* Overlapping blocks: each begins 24 bytes after the one before, and all have
 * the same content. */
static uint64_t overlapping_samples(uint32_t count, size_t bytes)
{
    uint64_t *pointers = calloc(2 * (size_t)count, sizeof *pointers);
    size_t all = bytes / 24 + count;
    uint64_t group;

    CHECK(pointers != NULL && bytes % 24 == 0);
    for (uint32_t i = 0; i < count; i++) {
        pointers[2 * (size_t)i] =
            (writer.count + 24 * (uint64_t)i) | WRITER_EMPTY_DATA;
        pointers[2 * (size_t)i + 1] = WRITER_EMPTY_DATA;
    }
    for (size_t i = 0; i < all; i++) {
        static const uint8_t key[16];

        writer_claim(&writer, bytes + sizeof key, key, sizeof key);
    }
    group = writer_group(&writer, pointers, 2 * (size_t)count);
    free(pointers);
    return group;
}

static void restated_topologies_are_not_compared_endlessly(void)
{
    enum { SAMPLES = 65 };
    const uint32_t samples[] = {SAMPLES};
    const uint32_t none[] = {0};
    uint64_t geometry[3] = {0};

    start();
    geometry[0] = overlapping_samples(SAMPLES, (size_t)6 << 20);
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1),
                    samples, 1, ".faceCounts");
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1),
                    none, 1, ".faceIndices");
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_F32) | INFO_EXTENT(3),
                    none, 1, "P");
    accept_all(same_objects(8000, "schema=AbcGeom_PolyMesh_v1",
                            top_compound(".geom", compound(geometry, 3))));
}

/* The longest existing path is found without a search of all paths that do not
 * exist. */
static void long_instance_paths_are_searched_once(void)
{
    enum { LENGTH = 2000000 };
    char *source = malloc(2 * LENGTH + 2);
    static struct header_block names;
    uint64_t children[2];

    CHECK(source != NULL);
    start();
    names.count = 0;
    memset(source, 'a', LENGTH);
    memcpy(source + LENGTH, "b", 2);
    header_object(&names, source, "");
    header_object(&names, "i", "isInstance=1");
    source[0] = '/';
    for (int i = 0; i < LENGTH; i += 2)
        memcpy(source + LENGTH + 1 + i, "/x", 2);
    source[LENGTH] = 'a';
    source[2 * LENGTH + 1] = 0;
    children[0] = WRITER_EMPTY_GROUP;
    children[1] = writer_instance(&writer, source);
    read_all(writer_object(&writer, WRITER_EMPTY_GROUP, children, 2, &names));
    free(source);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK(strstr(diag.text, "does not exist") != NULL);
}

TEST_MAIN(TEST(visibility_is_not_searched_for_every_sample),
          TEST(shared_face_sets_are_not_copied_endlessly),
          TEST(shared_colors_are_not_expanded_endlessly),
          TEST(restated_topologies_are_not_compared_endlessly),
          TEST(long_instance_paths_are_searched_once))
