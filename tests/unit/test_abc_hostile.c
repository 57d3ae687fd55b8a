/* test_abc_hostile.c
 *
 * Goal: sharing, cycles, depth and counts that no honest writer produces use
 *   little memory and time, and are refused with their name.
 * Method: such archives are written and read completely under a time limit.
 *   Bounds that an honest archive may come near are tested on both sides.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/ogawa_writer.h"

#include "abc/schema.h"
#include "base/endian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_LIMIT 60u

static struct ogawa_writer writer;
static struct header_block headers;
static struct diag diag;

static void start(void)
{
    alarm(SECONDS_LIMIT);
    headers.count = 0;
    writer_open(&writer);
}

/* Close the file and read all of it. Return NULL if it was refused. */
static struct abc_archive *read_all(uint64_t top)
{
    static char path[512];
    struct abc_archive *archive;

    snprintf(path, sizeof path, "%s/hostile.abc", test_temp());
    writer_close(&writer, top, path);
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    if (archive && !abc_check_scene(archive)) {
        abc_close(archive);
        archive = NULL;
    }
    CHECK_EQ(archive != NULL, !diag_has_failed(&diag));
    return archive;
}

static void refuse_all(uint64_t top, const char *words)
{
    struct abc_archive *archive = read_all(top);

    if (archive || !strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "\"%s\" does not contain \"%s\"",
                  diag.text, words);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
}

static uint64_t leaf(void)
{
    return writer_object(&writer, WRITER_EMPTY_GROUP, NULL, 0, &headers);
}

/* `depth` nested objects. The `width` children of each are the same stored
 * object. */
static uint64_t nest(uint64_t inner, uint32_t depth, uint32_t width)
{
    for (uint32_t i = 0; i < depth; i++) {
        uint64_t children[16];

        for (uint32_t k = 0; k < width; k++) {
            char name[16];

            snprintf(name, sizeof name, "c%u", k);
            header_object(&headers, name, "");
            children[k] = inner;
        }
        inner = writer_object(&writer, WRITER_EMPTY_GROUP, children, width,
                              &headers);
    }
    return inner;
}

static void written_archive_is_read(void)
{
    struct abc_archive *archive;

    start();
    archive = read_all(nest(leaf(), 3, 1));
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    CHECK_EQ(archive->object_count, 4);
    CHECK_STR(archive->top->children[0]->children[0]->path, "/c0/c0");
    abc_close(archive);
}

/* Write samplings 0 and 1. The second has the given `per_cycle` and times. */
static void refuse_sampling(double per_cycle, const double *times,
                            uint32_t count, uint32_t claimed, const char *words)
{
    uint8_t bytes[128] = {1};
    size_t at = 40;

    start();
    spn_store_f64le(bytes + 4, 1);
    bytes[12] = 1;
    bytes[24] = 1;
    spn_store_f64le(bytes + 28, per_cycle);
    spn_store_u32le(bytes + 36, claimed);
    for (uint32_t i = 0; i < count; i++, at += 8)
        spn_store_f64le(bytes + at, times[i]);
    writer.samplings = writer_data(&writer, bytes, at);
    refuse_all(leaf(), words);
}

static void samplings_are_refused_with_their_numbers(void)
{
    static const double odd[] = {0, -INFINITY};
    static const double falling[] = {3, 2.5};
    static const double wide[] = {0, 4};
    static const double zero[] = {0};

    refuse_sampling(1, odd, 2, 2, "sampling 1: time 1 is -inf");
    refuse_sampling(1, falling, 2, 2, "sampling 1: time 1, 2.5, is before 3");
    refuse_sampling(1, wide, 2, 2,
                    "sampling 1: the times of a cycle last 4 seconds, longer "
                    "than the cycle, 1");
    refuse_sampling(NAN, zero, 1, 1, "sampling 1: nan seconds per cycle");
    refuse_sampling(-2, zero, 1, 1, "sampling 1: -2 seconds per cycle");
    refuse_sampling(1, wide, 2, 3, "sampling 1: 3 times, there is room for 2");
}

static void shared_objects_do_not_multiply(void)
{
    start();
    refuse_all(nest(leaf(), 40, 2), "groups share their headers");
}

static void objects_may_be_nested_deeply_but_not_endlessly(void)
{
    struct abc_archive *archive;

    start();
    archive = read_all(nest(leaf(), 200, 1));
    CHECK(archive != NULL);
    abc_close(archive);
    start();
    refuse_all(nest(leaf(), 100000, 1), "nested deeper than 256");
}

static void object_that_contains_itself_is_refused(void)
{
    uint64_t children[1];
    uint64_t object;

    start();
    header_object(&headers, "a", "");
    children[0] = WRITER_EMPTY_GROUP;
    object = writer_object(&writer, WRITER_EMPTY_GROUP, children, 1, &headers);
    spn_store_u64le(writer.bytes + object + 16, object);
    refuse_all(object, "a group contains itself");
}

static void compound_that_contains_itself_is_refused(void)
{
    uint64_t children[2] = {0};
    uint64_t compound;

    start();
    header_property(&headers, 0, NULL, 0, "p");
    children[1] = writer_data(&writer, headers.bytes, headers.count);
    headers.count = 0;
    compound = writer_group(&writer, children, 2);
    spn_store_u64le(writer.bytes + compound + 8, compound);
    refuse_all(writer_object(&writer, compound, NULL, 0, &headers),
               "a group contains itself");
}

static void shared_compounds_do_not_multiply(void)
{
    uint64_t compound = WRITER_EMPTY_GROUP;

    start();
    for (int i = 0; i < 40; i++) {
        uint64_t children[3] = {compound, compound, 0};

        header_property(&headers, 0, NULL, 0, "p");
        header_property(&headers, 0, NULL, 0, "q");
        children[2] = writer_data(&writer, headers.bytes, headers.count);
        headers.count = 0;
        compound = writer_group(&writer, children, 3);
    }
    refuse_all(writer_object(&writer, compound, NULL, 0, &headers),
               "groups share their headers");
}

/* /l0 is a leaf, /lN has `width` instances of /l(N-1). */
static uint64_t instances_of_instances(uint32_t depth, uint32_t width)
{
    static struct header_block top_headers;
    uint64_t tops[32];

    top_headers.count = 0;
    for (uint32_t i = 0; i < depth; i++) {
        uint64_t children[16];
        char name[16];

        for (uint32_t k = 0; i > 0 && k < width; k++) {
            snprintf(name, sizeof name, "/l%u", i - 1);
            children[k] = writer_instance(&writer, name);
        }
        for (uint32_t k = 0; i > 0 && k < width; k++) {
            snprintf(name, sizeof name, "i%u", k);
            header_object(&headers, name, "isInstance=1");
        }
        tops[i] = writer_object(&writer, WRITER_EMPTY_GROUP, children,
                                i > 0 ? width : 0, &headers);
        snprintf(name, sizeof name, "l%u", i);
        header_object(&top_headers, name, "");
    }
    return writer_object(&writer, WRITER_EMPTY_GROUP, tops, depth,
                         &top_headers);
}

static void instances_of_instances_are_shown(void)
{
    struct abc_archive *archive;
    const struct abc_object *l2;

    start();
    archive = read_all(instances_of_instances(3, 2));
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    l2 = archive->top->children[2];
    CHECK_STR(l2->children[1]->path, "/l2/i1");
    CHECK_STR(l2->children[1]->instance_source, "/l1");
    CHECK(l2->children[1]->source == archive->top->children[1]);
    CHECK(!l2->children[1]->is_inside_instance);
    CHECK_STR(l2->children[1]->children[0]->path, "/l2/i1/i0");
    CHECK(l2->children[1]->children[0]->is_inside_instance);
    CHECK(l2->children[1]->children[0]->source == archive->top->children[0]);
    abc_close(archive);
}

static void instances_do_not_multiply_endlessly(void)
{
    start();
    refuse_all(instances_of_instances(12, 10), "objects, instances included");
}

/* One object "/a" with one child, an instance. */
static uint64_t one_instance(const char *source, const char *metadata)
{
    uint64_t child[1];

    child[0] = writer_instance(&writer, source);
    header_object(&headers, "b", metadata);
    child[0] = writer_object(&writer, WRITER_EMPTY_GROUP, child, 1, &headers);
    header_object(&headers, "a", "");
    return writer_object(&writer, WRITER_EMPTY_GROUP, child, 1, &headers);
}

static void instances_of_their_own_parents_are_refused(void)
{
    static const char *const sources[] = {"/a", "/", "/a/b", "a"};

    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        test_context("source %s", sources[i]);
        start();
        refuse_all(one_instance(sources[i], "isInstance=1"), "/a/b: ");
    }
}

static void instances_of_nothing_are_refused(void)
{
    static const char *const sources[] = {"/x", "", "/a/b/c", "/a/", "//"};

    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        test_context("source %s", sources[i]);
        start();
        refuse_all(one_instance(sources[i], "isInstance=1"), "/a/b: ");
    }
}

static void two_children_of_one_name_are_refused(void)
{
    uint64_t children[2];

    start();
    children[0] = leaf();
    children[1] = leaf();
    header_object(&headers, "a", "");
    header_object(&headers, "a", "");
    refuse_all(
        writer_object(&writer, WRITER_EMPTY_GROUP, children, 2, &headers),
        "two objects have this path");
}

static void odd_object_names_are_refused(void)
{
    static const char *const names[] = {"", "a/b", "/"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint64_t child[1];

        start();
        child[0] = leaf();
        header_object(&headers, names[i], "");
        refuse_all(
            writer_object(&writer, WRITER_EMPTY_GROUP, child, 1, &headers),
            "name");
    }
}

/* One property "p" with these numbers and children. */
static uint64_t one_property(uint32_t info, const uint32_t *numbers,
                             size_t number_count, uint64_t group)
{
    uint64_t children[2];

    headers.count = 0;
    header_property(&headers, info, numbers, number_count, "p");
    children[0] = group;
    children[1] = writer_data(&writer, headers.bytes, headers.count);
    headers.count = 0;
    return writer_object(&writer, writer_group(&writer, children, 2), NULL, 0,
                         &headers);
}

static void four_billion_equal_samples_are_one(void)
{
    const uint32_t count[] = {UINT32_MAX};
    struct abc_archive *archive;
    uint64_t sample[1];

    start();
    sample[0] = writer_sample(&writer, "\1\2\3\4", 4);
    archive = read_all(one_property(
        INFO_SCALAR | INFO_POD(ABC_U32) | INFO_CONSTANT | INFO_EXTENT(1), count,
        1, writer_group(&writer, sample, 1)));
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    CHECK_EQ_U(archive->top->properties->children[0].sample_count, UINT32_MAX);
    abc_close(archive);
}

static void more_samples_than_blocks_are_refused(void)
{
    uint64_t sample[1];

    start();
    sample[0] = writer_sample(&writer, "\1\2\3\4", 4);
    refuse_all(one_property(INFO_SCALAR | INFO_POD(ABC_U32) | INFO_EXTENT(1),
                            (const uint32_t[]){UINT32_MAX}, 1,
                            writer_group(&writer, sample, 1)),
               "blocks for samples");
}

static void headers_out_of_range_are_refused(void)
{
    static const struct {
        uint32_t info;
        uint32_t numbers[4];
        size_t count;
        const char *words;
    } cases[] = {
        {INFO_SCALAR | INFO_POD(14) | INFO_EXTENT(1), {1}, 1, "type is 14"},
        {INFO_SCALAR | INFO_POD(ABC_U8), {1}, 1, "extent is 0"},
        {INFO_SCALAR | INFO_EXTENT(1) | INFO_FIRST_LAST,
         {4, 3, 2},
         3,
         "change from 3 to 2, there are 4"},
        {INFO_SCALAR | INFO_EXTENT(1) | INFO_FIRST_LAST,
         {4, 0, 2},
         3,
         "change from 0 to 2, there are 4"},
        {INFO_SCALAR | INFO_EXTENT(1) | INFO_FIRST_LAST,
         {4, 1, 4},
         3,
         "change from 1 to 4, there are 4"},
        {INFO_SCALAR | INFO_EXTENT(1) | INFO_CONSTANT | 1u << 8,
         {1, 1},
         2,
         "sampling is 1, there are 1"},
        {INFO_SCALAR | INFO_EXTENT(1) | 3u << 2, {1}, 1, "size hint is 3"},
        {INFO_SCALAR | INFO_EXTENT(1) | 1u << 20,
         {1},
         1,
         "metadata number 1, there are 1"},
        {INFO_SCALAR | INFO_EXTENT(1) | INFO_METADATA_HERE, {1}, 1, "cut off"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_context("case %zu", i);
        start();
        refuse_all(one_property(cases[i].info, cases[i].numbers, cases[i].count,
                                WRITER_EMPTY_GROUP),
                   cases[i].words);
    }
}

/* One array sample with these bytes and dimensions. */
static uint64_t one_array(enum abc_pod pod, uint32_t extent, const void *bytes,
                          size_t count, const uint64_t *dimensions, size_t rank)
{
    uint64_t blocks[2];

    blocks[0] = writer_sample(&writer, bytes, count);
    blocks[1] = rank > 0 ? writer_numbers(&writer, dimensions, rank)
                         : WRITER_EMPTY_DATA;
    return one_property(
        INFO_ARRAY | INFO_POD(pod) | INFO_CONSTANT | INFO_EXTENT(extent),
        (const uint32_t[]){1}, 1, writer_group(&writer, blocks, 2));
}

static void partial_samples_are_refused(void)
{
    static const uint8_t bytes[64];
    const uint64_t wrap[] = {(uint64_t)1 << 32, (uint64_t)1 << 32, 1};
    const uint64_t five[] = {1, 1, 1, 1, 1};
    const uint64_t wrong[] = {5};

    start();
    refuse_all(one_array(ABC_F32, 3, bytes, 13, NULL, 0), "whole elements");
    start();
    refuse_all(one_array(ABC_F32, 3, bytes, 48, wrong, 1), "4 elements, not 5");
    start();
    refuse_all(one_array(ABC_F32, 1, bytes, 0, wrap, 3), "dimension");
    start();
    refuse_all(one_array(ABC_F32, 1, bytes, 4, five, 5), "dimensions");
    start();
    refuse_all(one_array(ABC_STRING, 1, "a\0b\0", 4, wrong, 1),
               "2 elements, not 5");
    start();
    refuse_all(one_array(ABC_WSTRING, 1, bytes, 6, NULL, 0), "strings");
}

/* Sampling 1 has the times 10, 10.5, 11, ... seconds. */
static void write_times(void)
{
    uint8_t bytes[48] = {1};

    spn_store_f64le(bytes + 4, 1);
    bytes[12] = 1;
    bytes[24] = 9;
    spn_store_f64le(bytes + 28, 0.5);
    bytes[36] = 1;
    spn_store_f64le(bytes + 40, 10);
    writer.samplings = writer_data(&writer, bytes, sizeof bytes);
}

/* The last of three stored samples is wrong. It is sample 6 of nine, after
 * samples 0 and 5. */
static void refuse_block(uint64_t values, uint64_t dimensions,
                         const char *words)
{
    const uint32_t numbers[] = {9, 5, 6, 1};
    uint64_t good = writer_sample(&writer, "\1\2\3\4", 4);
    uint64_t blocks[6] = {good,   WRITER_EMPTY_DATA, good, WRITER_EMPTY_DATA,
                          values, dimensions};

    write_times();
    refuse_all(one_property(INFO_ARRAY | INFO_POD(ABC_U32) | INFO_EXTENT(1) |
                                INFO_FIRST_LAST | INFO_HAS_SAMPLING,
                            numbers, 4, writer_group(&writer, blocks, 6)),
               words);
}

static void damaged_blocks_are_named_by_their_sample(void)
{
    const uint64_t far = WRITER_EMPTY_DATA | (uint64_t)1 << 40;
    const uint64_t two[] = {2};
    char words[128];
    uint64_t at;

    start();
    at = writer.count;
    writer_claim(&writer, (uint64_t)1 << 40, "ab", 2);
    snprintf(words, sizeof words,
             "offset 0x%llx: /.p: sample 6 (13 s): a data block of "
             "1099511627776 bytes leaves the file of ",
             (unsigned long long)at);
    refuse_block(WRITER_EMPTY_DATA | at, WRITER_EMPTY_DATA, words);
    start();
    at = writer.count;
    writer_claim(&writer, (uint64_t)1 << 40, "ab", 2);
    refuse_block(WRITER_EMPTY_DATA, WRITER_EMPTY_DATA | at, words);
    start();
    refuse_block(far, WRITER_EMPTY_DATA,
                 "offset 0x10000000000: /.p: sample 6 (13 s): a data block "
                 "lies outside of the file of ");
    start();
    refuse_block(16, WRITER_EMPTY_DATA,
                 "/.p: sample 6 (13 s): a group is where a data block must "
                 "be");
    start();
    refuse_block(writer_data(&writer, "ab", 2), WRITER_EMPTY_DATA,
                 "/.p: sample 6 (13 s): 2 bytes, its key alone has 16");
    start();
    refuse_block(writer_sample(&writer, "ab", 2), WRITER_EMPTY_DATA,
                 "/.p: sample 6 (13 s): 2 bytes are not whole elements of 4");
    start();
    refuse_block(writer_sample(&writer, "abcd", 4),
                 writer_numbers(&writer, two, 1),
                 "/.p: sample 6 (13 s): 1 elements, not 2");
}

static void strings_are_counted(void)
{
    const uint64_t two[] = {2};
    struct abc_archive *archive;
    struct abc_sample sample;
    struct arena arena;

    start();
    archive = read_all(one_array(ABC_STRING, 1, "ab\0c\0", 5, two, 1));
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    arena_init(&arena);
    CHECK(abc_read(archive, &archive->top->properties->children[0], 7, &arena,
                   &sample));
    CHECK_EQ_U(sample.element_count, 2);
    CHECK_EQ_U(sample.bytes, 5);
    arena_free(&arena);
    abc_close(archive);
}

/* A mesh of many samples, which refer to the same large blocks in turn. */
static void shared_samples_are_not_read_a_million_times(void)
{
    enum { SAMPLES = 100000, CORNERS = 300000 };
    static uint64_t blocks[2 * SAMPLES];
    uint32_t *corners = calloc(CORNERS, 4);
    const uint32_t number[] = {SAMPLES};
    struct abc_archive *archive;
    uint64_t children[3];
    uint64_t shared[2];

    CHECK(corners != NULL);
    start();
    for (int i = 0; i < 2; i++) {
        corners[0] = (uint32_t)i;
        shared[i] = writer_words(&writer, corners, CORNERS);
    }
    for (int i = 0; i < SAMPLES; i++) {
        blocks[2 * i] = shared[i % 2];
        blocks[2 * i + 1] = WRITER_EMPTY_DATA;
    }
    children[1] = writer_group(&writer, blocks, 2 * (size_t)SAMPLES);
    for (uint32_t i = 0; i < CORNERS; i++)
        corners[i] = 1;
    blocks[0] = writer_words(&writer, corners, CORNERS);
    children[0] = writer_group(&writer, blocks, 2);
    blocks[0] = writer_sample(&writer, corners, 24);
    children[2] = writer_group(&writer, blocks, 2);
    free(corners);
    header_property(&headers,
                    INFO_ARRAY | INFO_POD(ABC_I32) | INFO_CONSTANT |
                        INFO_EXTENT(1),
                    number, 1, ".faceCounts");
    header_property(&headers, INFO_ARRAY | INFO_POD(ABC_I32) | INFO_EXTENT(1),
                    number, 1, ".faceIndices");
    header_property(&headers,
                    INFO_ARRAY | INFO_POD(ABC_F32) | INFO_CONSTANT |
                        INFO_EXTENT(3),
                    number, 1, "P");
    archive = read_all(writer_one_mesh(&writer, children, &headers));
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    abc_close(archive);
}

TEST_MAIN(TEST(written_archive_is_read),
          TEST(samplings_are_refused_with_their_numbers),
          TEST(shared_objects_do_not_multiply),
          TEST(objects_may_be_nested_deeply_but_not_endlessly),
          TEST(object_that_contains_itself_is_refused),
          TEST(compound_that_contains_itself_is_refused),
          TEST(shared_compounds_do_not_multiply),
          TEST(instances_of_instances_are_shown),
          TEST(instances_do_not_multiply_endlessly),
          TEST(instances_of_their_own_parents_are_refused),
          TEST(instances_of_nothing_are_refused),
          TEST(two_children_of_one_name_are_refused),
          TEST(odd_object_names_are_refused),
          TEST(four_billion_equal_samples_are_one),
          TEST(more_samples_than_blocks_are_refused),
          TEST(headers_out_of_range_are_refused),
          TEST(partial_samples_are_refused),
          TEST(damaged_blocks_are_named_by_their_sample),
          TEST(strings_are_counted),
          TEST(shared_samples_are_not_read_a_million_times))
