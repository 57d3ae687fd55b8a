/* test_abc_lifetime.c
 *
 * Goal: samples are used only while the arena that they were read into
 *   exists. A container may have to unpack samples into the arena. Ogawa
 *   returns pointers into the file, which would hide a use after that time.
 * Method: a backend on top of Ogawa's copies every sample into the arena.
 *   Each archive is then validated as without that backend. A sample that is
 *   used too long has other values, and a sanitizer reports it.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/abc_files.h"
#include "support/ogawa_writer.h"

#include "abc/backend.h"
#include "abc/schema.h"

#include <stdio.h>
#include <string.h>

static size_t xform_count;

static const struct abc_backend *original;

static bool read_copy(const struct abc_store *store,
                      const struct abc_property *property, uint32_t entry,
                      struct arena *arena, struct abc_sample *sample)
{
    if (!original->read(store, property, entry, arena, sample))
        return false;
    sample->data = (const uint8_t *)arena_string(
        arena, (const char *)sample->data, sample->bytes);
    return true;
}

static struct abc_archive *open_copying(const char *path, struct diag *diag,
                                        struct abc_backend *backend)
{
    struct abc_archive *archive;

    diag_init(diag);
    diag->is_silent = true;
    archive = abc_open(path, diag);
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag->text);
    original = ((struct abc_store *)archive)->calls;
    *backend = *original;
    backend->read = read_copy;
    ((struct abc_store *)archive)->calls = backend;
    return archive;
}

static void compare_xforms(const struct abc_archive *copying,
                           const struct abc_archive *mapped,
                           const struct abc_object *object)
{
    struct abc_xform xform;
    struct arena arena;

    arena_init(&arena);
    if (abc_object_type(object) == ABC_TYPE_XFORM) {
        CHECK(abc_xform_open(copying, object, &arena, &xform));
        for (uint32_t i = 0; i < 3; i++) {
            double a[16];
            double b[16];
            bool first;
            bool second;

            CHECK(abc_xform_inherits(copying, &xform, i, &first));
            CHECK(abc_xform_inherits(mapped, &xform, i, &second));
            CHECK_EQ(first, second);
            CHECK(abc_xform_local(copying, &xform, i, &arena, a));
            CHECK(abc_xform_local(mapped, &xform, i, &arena, b));
            CHECK_MEM(a, b, sizeof a);
        }
        xform_count++;
    }
    arena_free(&arena);
    for (uint32_t i = 0; i < object->child_count; i++)
        compare_xforms(copying, mapped, object->children[i]);
}

static void compare_archive(const char *path)
{
    struct abc_backend backend;
    struct diag copying_diag;
    struct diag diag;
    struct abc_archive *copying = open_copying(path, &copying_diag, &backend);
    struct abc_archive *mapped;

    diag_init(&diag);
    diag.is_silent = true;
    mapped = abc_open(path, &diag);
    CHECK(mapped != NULL);
    compare_xforms(copying, mapped, copying->top);
    CHECK_EQ(abc_check_scene(copying), abc_check_scene(mapped));
    CHECK_STR(copying_diag.text, diag.text);
    abc_close(copying);
    abc_close(mapped);
    diag_finish(&copying_diag);
    diag_finish(&diag);
}

static void copied_samples_have_the_same_values(void)
{
    xform_count = 0;
    CHECK(visit_test_data(compare_archive) > 0);
    CHECK(xform_count > 0);
}

static void copied_samples_of_the_assets_have_the_same_values(void)
{
    xform_count = 0;
    CHECK(visit_archives(compare_archive) > 0);
    printf("  %zu transforms are equal\n", xform_count);
}

/* The group of an array with two samples of three numbers. */
static uint64_t two_samples(struct ogawa_writer *writer, const void *first,
                            const void *second)
{
    uint64_t blocks[4];

    blocks[0] = writer_sample(writer, first, 12);
    blocks[1] = WRITER_EMPTY_DATA;
    blocks[2] = writer_sample(writer, second, 12);
    blocks[3] = WRITER_EMPTY_DATA;
    return writer_group(writer, blocks, 4);
}

/* A mesh of one point. Its second sample names a point that does not exist. */
static void write_two_topologies(char *path, size_t capacity)
{
    static const uint32_t info = INFO_ARRAY | INFO_EXTENT(1);
    static const uint32_t two[] = {2};
    static const uint8_t zero[12];
    static const uint8_t three[12] = {3};
    static const uint8_t wrong[12] = {0, 0, 0, 0, 9};
    static struct header_block headers;
    struct ogawa_writer writer;
    uint64_t children[3];

    snprintf(path, capacity, "%s/two.abc", test_temp());
    writer_open(&writer);
    headers.count = 0;
    children[0] = two_samples(&writer, three, three);
    children[1] = two_samples(&writer, zero, wrong);
    children[2] = two_samples(&writer, zero, zero);
    header_property(&headers, info | INFO_POD(ABC_I32), two, 1, ".faceCounts");
    header_property(&headers, info | INFO_POD(ABC_I32), two, 1, ".faceIndices");
    header_property(&headers, INFO_ARRAY | INFO_EXTENT(3) | INFO_POD(ABC_F32),
                    two, 1, "P");
    writer_close(&writer, writer_one_mesh(&writer, children, &headers), path);
}

/* The samples of these topologies have equal sizes, so that the copies of two
 * of them lie at the same address. The second one is wrong, which must be
 * detected. */
static void samples_at_one_address_are_validated_separately(void)
{
    struct abc_backend backend;
    struct abc_archive *archive;
    struct diag diag;
    char path[512];

    write_two_topologies(path, sizeof path);
    archive = open_copying(path, &diag, &backend);
    CHECK(!abc_check_scene(archive));
    CHECK(strstr(diag.text, "sample 1 (1 s): corner") != NULL);
    abc_close(archive);
    diag_finish(&diag);
}

TEST_MAIN(TEST(copied_samples_have_the_same_values),
          TEST(copied_samples_of_the_assets_have_the_same_values),
          TEST(samples_at_one_address_are_validated_separately))
