/* test_abc_limits.c
 *
 * Goal: an archive that reaches every bound of a tree at once fits into 1
 *   GiB. An archive beyond a bound is refused before memory is allocated for
 *   it.
 * Method: such archives are written, then read completely in a process of
 *   their own, whose peak memory is measured.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "harness.h"
#include "support/ogawa_writer.h"

#include "abc/backend.h"
#include "abc/schema.h"
#include "base/endian.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS_LIMIT 60u
/* The rest of the 1 GiB is reserved for layouts worse than those of the
 * test. */
#define MEMORY_LIMIT ((uint64_t)900 << 20)

static struct ogawa_writer writer;
static struct header_block headers;

static void start(void)
{
    headers.count = 0;
    writer_open(&writer);
}

static const char *finish(uint64_t top)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/limits.abc", test_temp());
    writer_close(&writer, top, path);
    return path;
}

/* Write samplings of one time each. */
static uint64_t many_samplings(uint32_t count)
{
    uint8_t *bytes = calloc(count, 24);
    uint64_t block;

    CHECK(bytes != NULL);
    for (uint32_t i = 0; i < count; i++) {
        spn_store_f64le(bytes + 24 * (size_t)i + 4, 1.0);
        bytes[24 * (size_t)i + 12] = 1;
    }
    block = writer_data(&writer, bytes, 24 * (size_t)count);
    free(bytes);
    return block;
}

/* Write one acyclic sampling. */
static uint64_t many_times(uint32_t count)
{
    uint8_t *bytes = calloc(1, 16 + 8 * (size_t)count);
    uint64_t block;

    CHECK(bytes != NULL);
    spn_store_f64le(bytes + 4, DBL_MAX / 32.0);
    spn_store_u32le(bytes + 12, count);
    block = writer_data(&writer, bytes, 16 + 8 * (size_t)count);
    free(bytes);
    return block;
}

/* Nested compounds with headers of their own, so that nothing is shared. */
static uint64_t chain_of_compounds(uint32_t count)
{
    uint64_t inner = WRITER_EMPTY_GROUP;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t children[2];

        header_property(&headers, 0, NULL, 0, "p");
        children[0] = inner;
        children[1] = writer_data(&writer, headers.bytes, headers.count);
        headers.count = 0;
        inner = writer_group(&writer, children, 2);
    }
    return inner;
}

/* Compounds around `inner` with so much metadata that the bound of text is
 * reached. */
static uint64_t compounds_with_metadata(uint64_t inner, uint64_t bytes)
{
    enum { LONGEST = 12 << 20 };
    char *text = malloc(LONGEST + 1);

    CHECK(text != NULL);
    memset(text, 'x', LONGEST + 1);
    while (bytes > 100) {
        size_t length = bytes < LONGEST ? (size_t)bytes - 100 : LONGEST;
        uint64_t children[2];

        text[length] = 0;
        header_property(&headers, INFO_METADATA_HERE, NULL, 0, "p");
        header_metadata(&headers, text);
        text[length] = 'x';
        children[0] = inner;
        children[1] = writer_data(&writer, headers.bytes, headers.count);
        headers.count = 0;
        inner = writer_group(&writer, children, 2);
        bytes -= length;
    }
    free(text);
    return inner;
}

/* The top object has `pairs` children with one child each. Each of these
 * objects has so many compounds that all of them together reach the bound. */
static uint64_t wide_and_deep(uint32_t pairs, uint32_t properties,
                              uint64_t text_bytes)
{
    uint64_t *children = calloc(pairs, sizeof *children);
    uint64_t wordy = compounds_with_metadata(WRITER_EMPTY_GROUP, text_bytes);
    uint64_t left = properties;
    uint64_t top;

    CHECK(children != NULL);
    for (uint32_t i = 0; i < pairs; i++) {
        uint64_t share = left / (2 * (uint64_t)(pairs - i));
        uint64_t inner = writer_object(
            &writer, chain_of_compounds((uint32_t)share), NULL, 0, &headers);
        uint64_t own = chain_of_compounds((uint32_t)share);

        header_object(&headers, "c", "");
        children[i] = writer_object(&writer, own, &inner, 1, &headers);
        left -= 2 * share;
    }
    for (uint32_t i = 0; i < pairs; i++) {
        char name[16];

        snprintf(name, sizeof name, "%u", i);
        header_object(&headers, name, "");
    }
    top = writer_object(&writer, wordy, children, pairs, &headers);
    free(children);
    return top;
}

struct outcome {
    int code;
    uint64_t peak_bytes;
};

static struct outcome read_in_child(const char *path)
{
    struct rusage usage;
    struct outcome outcome;
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        struct abc_archive *archive;
        struct diag diag;

        alarm(SECONDS_LIMIT);
        diag_init(&diag);
        diag.is_silent = true;
        archive = abc_open(path, &diag);
        if (archive)
            abc_check_scene(archive);
        abc_close(archive);
        _exit((int)diag.code);
    }
    CHECK(wait4(child, &status, 0, &usage) == child);
    CHECK(WIFEXITED(status));
    outcome.code = WEXITSTATUS(status);
    outcome.peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
    return outcome;
}

/* The text that the names of the other objects and properties use. */
#define OTHER_TEXT ((uint64_t)20 << 20)

static void largest_tree_fits_into_one_gibibyte(void)
{
    struct outcome outcome;

    start();
    writer.samplings = many_times(ABC_TIMES_MAX);
    outcome = read_in_child(
        finish(wide_and_deep((ABC_OBJECTS_MAX - 1) / 2, ABC_PROPERTIES_MAX - 20,
                             ABC_TEXT_BYTES_MAX - OTHER_TEXT)));
    printf("  %llu MiB\n", (unsigned long long)(outcome.peak_bytes >> 20));
    CHECK_EQ(outcome.code, EXIT_DONE);
    if (!TEST_IS_SANITIZED)
        CHECK(outcome.peak_bytes < MEMORY_LIMIT);
}

static void samplings_and_times_are_bounded(void)
{
    start();
    writer.samplings = many_samplings(ABC_SAMPLINGS_MAX);
    CHECK_EQ(read_in_child(finish(WRITER_EMPTY_GROUP)).code, EXIT_DONE);
    start();
    writer.samplings = many_samplings(ABC_SAMPLINGS_MAX + 1);
    CHECK_EQ(read_in_child(finish(WRITER_EMPTY_GROUP)).code,
             EXIT_INPUT_REFUSED);
    start();
    writer.samplings = many_times(ABC_TIMES_MAX + 1);
    CHECK_EQ(read_in_child(finish(WRITER_EMPTY_GROUP)).code,
             EXIT_INPUT_REFUSED);
}

TEST_MAIN(TEST(largest_tree_fits_into_one_gibibyte),
          TEST(samplings_and_times_are_bounded))
