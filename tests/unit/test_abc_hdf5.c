/* test_abc_hdf5.c
 *
 * Goal: an HDF5 archive compiles to the same bytes as the Ogawa archive with
 *   the same content, with any number of threads. A damaged archive, or a file
 *   that is no archive, is refused with one line.
 * Method: archives of the test data are rewritten as several kinds of HDF5
 *   files. Both are compiled and the caches compared. HDF5 files are also
 *   damaged in ways that the format allows, cut, and changed by flipped bits.
 *   In a build without libhdf5 the message names the alternative.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/abc_files.h"
#include "support/hdf5_writer.h"

#include "abc/schema.h"
#include "compile/compile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *in_temp(const char *name)
{
    static char paths[4][512];
    static int count;
    char *path = paths[count++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", test_temp(), name);
    return path;
}

static const char *in_data(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", test_data(), name);
    return path;
}

static void need_hdf5(void)
{
    if (!abc_has_hdf5())
        test_skip("built without libhdf5");
}

static const char *write_twin(const char *original,
                              const struct hdf5_style *style)
{
    const char *twin = in_temp("twin.h5.abc");
    struct abc_archive *archive;
    struct diag diag;

    diag_init(&diag);
    archive = abc_open(original, &diag);
    CHECK(archive != NULL);
    hdf5_write(archive, twin, style);
    abc_close(archive);
    diag_finish(&diag);
    return twin;
}

static const struct hdf5_style plain = {.is_latest = false};

/* -- twins -- */

/* The bytes of the cache; NULL where the scene is refused. Caller frees. */
static char *compile(const char *path, size_t *bytes)
{
    const char *output = in_temp("twin.sgc");
    struct compile_options options;
    struct compile_report report;
    char *data = NULL;
    struct diag diag;

    compile_options_default(&options);
    options.input = path;
    options.output = output;
    options.no_b_frames = true; /* to save time */
    options.is_lifted = false;
    diag_init(&diag);
    diag.is_silent = true;
    if (compile_run(&options, &diag, NULL, NULL, &report))
        data = file_text(output, bytes);
    else
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    diag_finish(&diag);
    return data;
}

static void expect_same_bytes(const char *path, const char *twin)
{
    size_t bytes = 0;
    size_t twin_bytes = 0;
    char *data = compile(path, &bytes);
    char *twin_data = compile(twin, &twin_bytes);

    CHECK_EQ(data != NULL, twin_data != NULL);
    CHECK_EQ_U(bytes, twin_bytes);
    if (data)
        CHECK_MEM(data, twin_data, bytes);
    free(data);
    free(twin_data);
}

static void twins_compile_to_the_same_bytes(void)
{
    static const char *const names[] = {
        "colors.abc",    "fps-2997.abc", "inherits.abc",
        "instances.abc", "names.abc",    "ngons.abc",
        "subd.abc",      "tiny.abc",     "visibility.abc"};
    static const struct hdf5_style styles[] = {
        {.is_latest = false},
        {.is_latest = true, .is_compressed = true, .is_big_endian = true},
        {.is_old = true}};

    need_hdf5();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        test_context("%s", names[i]);
        expect_same_bytes(
            in_data(names[i]),
            write_twin(in_data(names[i]),
                       &styles[i % (sizeof styles / sizeof styles[0])]));
    }
}

/* "x.h5.abc" and "x-sb0.h5.abc" are twins of "x.abc", except one that comes
 * from another simulation. */
static bool find_twin(const char *path, char *twin, size_t capacity)
{
    static const char other[] = "/rigid-debris-small.h5.abc";
    size_t stem = strlen(path) - strlen(".h5.abc");
    FILE *file;

    if (strcmp(path + strlen(path) - strlen(other), other) == 0)
        return false;
    if (memcmp(path + stem - 4, "-sb0", 4) == 0)
        stem -= 4;
    snprintf(twin, capacity, "%.*s.abc", (int)stem, path);
    file = fopen(twin, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static void twins_of_the_assets_compile_to_the_same_bytes(void)
{
    static const char *const folders[] = {"edge", "synthetic"};
    unsigned count = 0;

    need_hdf5();
    if (!test_assets())
        test_skip("the assets folder is missing");
    for (size_t i = 0; i < 2; i++) {
        struct file_list list;
        char folder[1024];
        char twin[1024];

        snprintf(folder, sizeof folder, "%s/%s", test_assets(), folders[i]);
        file_list_open(&list, folder, ".h5.abc");
        for (size_t k = 0; k < list.count; k++) {
            if (!find_twin(list.paths[k], twin, sizeof twin))
                continue;
            test_context("%s", list.paths[k]);
            expect_same_bytes(twin, list.paths[k]);
            count++;
        }
        file_list_close(&list);
    }
    CHECK_EQ(count, 18);
}

/* -- threads -- */

struct reader {
    const struct abc_archive *archive;
    const struct abc_archive *original;
    pthread_t thread;
    bool is_same;
};

static bool is_same_property(const struct reader *reader,
                             const struct abc_property *property,
                             const struct abc_property *other)
{
    struct arena arena;
    bool is_same = true;

    for (uint32_t i = 0; i < property->child_count; i++)
        is_same = is_same && is_same_property(reader, &property->children[i],
                                              &other->children[i]);
    arena_init(&arena);
    for (uint32_t i = 0; i < property->sample_count; i++) {
        struct abc_sample a;
        struct abc_sample b;

        arena_reset(&arena);
        is_same = is_same &&
                  abc_read(reader->archive, property, i, &arena, &a) &&
                  abc_read(reader->original, other, i, &arena, &b) &&
                  a.bytes == b.bytes &&
                  (a.bytes == 0 || memcmp(a.data, b.data, a.bytes) == 0);
    }
    arena_free(&arena);
    return is_same;
}

static bool is_same_object(const struct reader *reader,
                           const struct abc_object *object,
                           const struct abc_object *other)
{
    bool is_same =
        is_same_property(reader, object->properties, other->properties);

    for (uint32_t i = 0; i < object->child_count; i++)
        is_same = is_same && is_same_object(reader, object->children[i],
                                            other->children[i]);
    return is_same;
}

static void *run_reader(void *user)
{
    struct reader *reader = user;

    reader->is_same =
        is_same_object(reader, reader->archive->top, reader->original->top);
    return NULL;
}

static void any_number_of_threads_reads_the_same(void)
{
    struct reader readers[4];
    struct abc_archive *original;
    struct abc_archive *archive;
    struct diag diag;

    need_hdf5();
    diag_init(&diag);
    original = abc_open(in_data("instances.abc"), &diag);
    archive = abc_open(write_twin(in_data("instances.abc"), &plain), &diag);
    CHECK(original && archive);
    for (size_t i = 0; i < 4; i++) {
        readers[i] = (struct reader){.archive = archive, .original = original};
        CHECK(pthread_create(&readers[i].thread, NULL, run_reader,
                             &readers[i]) == 0);
    }
    for (size_t i = 0; i < 4; i++) {
        CHECK(pthread_join(readers[i].thread, NULL) == 0);
        CHECK(readers[i].is_same);
    }
    abc_close(archive);
    abc_close(original);
    diag_finish(&diag);
}

/* -- refusals -- */

/* The refusal of the file, or "" if it is accepted. */
static const char *fault_of(const char *path)
{
    static char text[DIAG_TEXT_BYTES];
    struct abc_archive *archive;
    struct diag diag;
    bool is_good;

    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    is_good = archive && abc_check_scene(archive);
    abc_close(archive);
    CHECK_EQ(diag.code, is_good ? EXIT_DONE : EXIT_INPUT_REFUSED);
    snprintf(text, sizeof text, "%s", diag.text);
    diag_finish(&diag);
    CHECK(is_good || strstr(text, path) == text);
    return text;
}

static void expect_words(const char *path, const char *words)
{
    const char *text = fault_of(path);

    if (!strstr(text, words))
        test_fail(__FILE__, __LINE__, "\"%s\" lacks \"%s\"", text, words);
}

static void a_build_without_hdf5_names_the_alternative(void)
{
    static const uint8_t magic[] = {0x89, 'H',  'D',  'F',
                                    '\r', '\n', 0x1a, '\n'};
    const char *path = in_temp("magic.abc");
    FILE *file = fopen(path, "wb");

    CHECK(file && fwrite(magic, sizeof magic, 1, file) == 1);
    fclose(file);
    expect_words(path, abc_has_hdf5() ? "cannot be opened: HDF5 library: "
                                      : "abcconvert -toOgawa");
}

static void other_versions_are_refused_by_name(void)
{
    struct hdf5_style style = {.version = -7};

    need_hdf5();
    expect_words(write_twin(in_data("ngons.abc"), &style),
                 "abc_version: -7: a beta of Alembic wrote this archive");
    style = (struct hdf5_style){.has_no_version = true};
    expect_words(write_twin(in_data("ngons.abc"), &style),
                 "HDF5 without abc_version: not an Alembic archive");
}

static void old_archives_have_no_version_of_the_library(void)
{
    const struct hdf5_style style = {.is_old = true};
    struct abc_archive *archive;
    struct diag diag;

    need_hdf5();
    diag_init(&diag);
    archive = abc_open(write_twin(in_data("fps-2997.abc"), &style), &diag);
    CHECK(archive != NULL);
    CHECK_EQ(archive->library_version, 9999);
    CHECK_EQ(archive->sampling_count, 2);
    CHECK_EQ(archive->samplings[1].max_samples, -1);
    abc_close(archive);
    diag_finish(&diag);
}

static void memory_is_read_like_a_file(void)
{
    struct abc_archive *archive;
    struct diag diag;
    size_t bytes = 0;
    char *data;

    need_hdf5();
    data = file_text(write_twin(in_data("fps-2997.abc"), &plain), &bytes);
    diag_init(&diag);
    archive = abc_open_memory("lent", data, bytes, &diag);
    CHECK(archive && abc_check_scene(archive));
    CHECK_EQ(archive->object_count, 3);
    abc_close(archive);
    diag_finish(&diag);
    free(data);
}

static void links_out_of_the_file_are_refused(void)
{
    static const struct {
        const char *path;
        enum hdf5_spoil spoil;
        const char *target;
        const char *words;
    } spoils[] = {
        {"ABC/grp/again", HDF5_SPOIL_HARD, "/ABC", "a group contains itself"},
        {"ABC/again", HDF5_SPOIL_SOFT, "/ABC/grp",
         "link again does not lead to a group"},
        {"ABC/again", HDF5_SPOIL_EXTERNAL, "other.h5",
         "link again does not lead to a group"},
        {"ABC/grp/.prop", HDF5_SPOIL_EXTERNAL, "other.h5",
         "link .prop does not lead to a group"},
        {"ABC/again", HDF5_SPOIL_CLAIM, NULL, "is where a group must be"},
        {"ABC/grp/shape/.prop/.geom/P.smp0", HDF5_SPOIL_CLAIM, NULL,
         "sample 0 (33.4000333 s): P.smp0 claims 4398046511104 bytes"},
        {"ABC/grp/shape/.prop/.geom/P.smp0", HDF5_SPOIL_STORAGE, "other.raw",
         "P.smp0 lies outside of the file"},
        {"ABC/grp/shape/.prop/.geom/P.smpi", HDF5_SPOIL_EXTERNAL, "other.h5",
         "P: sample 1 (33.43"},
        {"ABC/grp/shape/.prop/.geom/P.smp0", HDF5_SPOIL_HARD,
         "/ABC/grp/shape/.prop/.geom/.faceIndices.smp0",
         "P.smp0 holds something else than float32_t"},
    };

    need_hdf5();
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++) {
        const char *path = write_twin(in_data("fps-2997.abc"), &plain);

        test_context("%s", spoils[i].words);
        hdf5_spoil(path, spoils[i].path, spoils[i].spoil, spoils[i].target);
        expect_words(path, spoils[i].words);
    }
}

/* The library would wait for the other file for ever. */
static void no_other_file_is_opened(void)
{
    static const char sample[] = "ABC/grp/shape/.prop/.geom/P.smp0";
    char pipe[512];
    const char *path;

    need_hdf5();
    snprintf(pipe, sizeof pipe, "%s", in_temp("pipe.h5"));
    path = write_twin(in_data("fps-2997.abc"), &plain);
    hdf5_spoil(path, sample, HDF5_SPOIL_VIRTUAL, pipe);
    expect_words(path, "P.smp0 lies outside of the file");
    CHECK(remove(pipe) == 0);
}

/* -- damage -- */

#define FLIPS (TEST_IS_SANITIZED ? 60u : 200u)
#define CUTS (TEST_IS_SANITIZED ? 10u : 30u)

static void write_bytes(const char *path, const char *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");

    CHECK(file && fwrite(data, 1, bytes, file) == bytes);
    CHECK(fclose(file) == 0);
}

static void damage_is_survived(void)
{
    static const struct hdf5_style styles[] = {
        {.is_latest = false}, {.is_latest = true, .is_compressed = true}};
    struct test_random random = {20260101};
    unsigned refused = 0;

    need_hdf5();
    for (unsigned i = 0; i < FLIPS + CUTS; i++) {
        const char *path = in_temp("damaged.abc");
        static char *data;
        static size_t bytes;
        uint32_t at;

        if (i % (FLIPS / 2) == 0 && i < FLIPS) {
            free(data);
            data = file_text(
                write_twin(in_data("fps-2997.abc"), &styles[i / (FLIPS / 2)]),
                &bytes);
        }
        at = test_random_below(&random, (uint32_t)bytes);
        test_context("%s byte %u, damage %u", i < FLIPS ? "flipped" : "cut at",
                     at, i);
        data[at] = (char)(data[at] ^ (i < FLIPS ? 0xff : 0));
        write_bytes(path, data, i < FLIPS ? bytes : at);
        refused += fault_of(path)[0] != 0;
        data[at] = (char)(data[at] ^ (i < FLIPS ? 0xff : 0));
    }
    printf("  %u of %u refused\n", refused, FLIPS + CUTS);
    CHECK(refused >= CUTS && refused < FLIPS + CUTS);
}

TEST_MAIN(TEST(a_build_without_hdf5_names_the_alternative),
          TEST(twins_compile_to_the_same_bytes),
          TEST(twins_of_the_assets_compile_to_the_same_bytes),
          TEST(any_number_of_threads_reads_the_same),
          TEST(other_versions_are_refused_by_name),
          TEST(old_archives_have_no_version_of_the_library),
          TEST(memory_is_read_like_a_file),
          TEST(links_out_of_the_file_are_refused),
          TEST(no_other_file_is_opened), TEST(damage_is_survived))
