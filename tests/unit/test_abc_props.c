/* test_abc_props.c
 *
 * Goal: every object, property and sample is read as the reference library
 *   reads it.
 * Method: each archive is printed in the format of the reference's dump, and
 *   all lines are compared. If the folder of large archives is missing, the
 *   small ones of the test data are still compared, also after they were
 *   rewritten as several kinds of HDF5 files.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/abc_files.h"
#include "support/hdf5_writer.h"

#include "abc/archive.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct text {
    char *data;
    size_t length;
    size_t capacity;
};

static void add_bytes(struct text *text, const char *bytes, size_t count)
{
    if (text->capacity - text->length < count + 1) {
        text->capacity = 2 * (text->length + count + 1);
        text->data = realloc(text->data, text->capacity);
    }
    /* -fanalyzer: a test without memory ends here. */
    memcpy(text->data + text->length, bytes, count);
    text->length += count;
    text->data[text->length] = 0;
}

__attribute__((format(printf, 2, 3))) static void add(struct text *text,
                                                      const char *format, ...)
{
    va_list arguments;
    char line[256];
    int length;

    va_start(arguments, format);
    length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    add_bytes(text, line, (size_t)length);
}

static void add_escaped(struct text *text, const char *name, size_t count)
{
    if (count == 0)
        add(text, "-");
    for (size_t i = 0; i < count; i++) {
        unsigned char c = (unsigned char)name[i];

        if (c <= 0x20 || c > 0x7e || c == '%' || c == '|')
            add(text, "%%%02X", c);
        else
            add_bytes(text, name + i, 1);
    }
}

static void add_name(struct text *text, const char *name)
{
    add_escaped(text, name, strlen(name));
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* key=value;key=value, sorted, without empty values. */
static void add_metadata(struct text *text, const char *metadata)
{
    char *copy = malloc(strlen(metadata) + 1);
    struct text sorted = {0};
    char *pairs[256] = {NULL};
    size_t count = 0;

    strcpy(copy, metadata);
    for (char *pair = strtok(copy, ";"); pair && count < 256;
         pair = strtok(NULL, ";"))
        if (strchr(pair, '=') && strchr(pair, '=')[1] != 0)
            pairs[count++] = pair;
    qsort(pairs, count, sizeof pairs[0], compare_lines);
    for (size_t i = 0; i < count; i++) {
        add_bytes(&sorted, ";", i > 0);
        add_bytes(&sorted, pairs[i], strlen(pairs[i]));
    }
    add(text, " md=");
    add_escaped(text, sorted.data ? sorted.data : "", sorted.length);
    free(sorted.data);
    free(copy);
}

static void add_sample(struct text *text, const struct abc_archive *archive,
                       const struct abc_property *property, uint32_t index)
{
    struct abc_sample sample;
    struct arena arena;

    arena_init(&arena);
    if (!abc_read(archive, property, index, &arena, &sample))
        test_fail(__FILE__, __LINE__, "%s", archive->diag->text);
    add(text, " %u:", index);
    if (property->kind == ABC_ARRAY) {
        for (uint32_t i = 0; i < sample.rank; i++)
            add(text, "%s%" PRIu64, i > 0 ? "x" : "", sample.dimensions[i]);
        add(text, ":");
    }
    add(text, "%016" PRIx64, (uint64_t)XXH64(sample.data, sample.bytes, 0));
    if (property->kind == ABC_ARRAY) {
        add(text, ":");
        for (int i = 0; i < 16; i++)
            add(text, "%02x", sample.key[i]);
    } else if (abc_pod_bytes(property->pod) != 0 && sample.bytes <= 8) {
        add(text, "(");
        for (size_t i = 0; i < sample.bytes; i++)
            add(text, "%02x", sample.data[i]);
        add(text, ")");
    }
    arena_free(&arena);
}

static void add_samples(struct text *text, const struct abc_archive *archive,
                        const struct abc_property *property)
{
    uint32_t count = property->sample_count;

    add(text, " %s[%u] n=%u ts=%u const=%d", abc_pod_name(property->pod),
        property->extent, count, property->time_sampling,
        property->is_constant);
    if (property->kind == ABC_ARRAY)
        add(text, " scalarlike=%d", property->is_scalar_like);
    add_metadata(text, property->metadata);
    add(text, " |");
    if (count <= 4) {
        for (uint32_t i = 0; i < count; i++)
            add_sample(text, archive, property, i);
    } else {
        add_sample(text, archive, property, 0);
        add_sample(text, archive, property, count / 2);
        add_sample(text, archive, property, count - 1);
    }
    add(text, "\n");
}

static void add_properties(struct text *text, const struct abc_archive *archive,
                           const char *object_path, const char *prefix,
                           const struct abc_property *compound)
{
    for (uint32_t i = 0; i < compound->child_count; i++) {
        const struct abc_property *property = &compound->children[i];
        struct text path = {0};

        add_bytes(&path, prefix, strlen(prefix));
        add_bytes(&path, "/", *prefix != 0);
        add_bytes(&path, property->name, strlen(property->name));
        add(text, "%c ", "CSA"[property->kind]);
        add_name(text, object_path);
        add(text, " ");
        add_name(text, path.data);
        if (property->kind == ABC_COMPOUND) {
            add(text, " n=%u", property->child_count);
            add_metadata(text, property->metadata);
            add(text, "\n");
            add_properties(text, archive, object_path, path.data, property);
        } else {
            add_samples(text, archive, property);
        }
        free(path.data);
    }
}

static void add_object(struct text *text, const struct abc_archive *archive,
                       const struct abc_object *object)
{
    add(text, "O ");
    add_name(text, object->path);
    add(text, " children=%u", object->child_count);
    add_metadata(text, object->metadata);
    add(text, "\n");
    add_properties(text, archive, object->path, "", object->properties);
    for (uint32_t i = 0; i < object->child_count; i++)
        add_object(text, archive, object->children[i]);
}

/* Split the text into lines, without trailing spaces, and sort them. */
static size_t sort_lines(char *text, char ***lines)
{
    size_t count = 0;

    *lines = NULL;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        size_t length = strlen(line);

        while (length > 0 && line[length - 1] == ' ')
            line[--length] = 0;
        if (count % 1024 == 0)
            *lines = realloc(*lines, (count + 1024) * sizeof **lines);
        (*lines)[count++] = line;
    }
    if (count > 0)
        qsort(*lines, count, sizeof **lines, compare_lines);
    return count;
}

static size_t line_count;

/* The same dump is expected for every container. */
static void compare_with(const char *path, char *expected)
{
    struct abc_archive *archive;
    struct text text = {0};
    struct diag diag;
    char **expected_lines;
    char **lines;
    size_t expected_count;
    size_t count;

    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    if (!archive)
        test_fail(__FILE__, __LINE__, "%s", diag.text);
    add_object(&text, archive, archive->top);
    abc_close(archive);
    expected_count = sort_lines(expected, &expected_lines);
    count = sort_lines(text.data, &lines);
    for (size_t i = 0; i < count && i < expected_count; i++)
        if (strcmp(lines[i], expected_lines[i]) != 0)
            test_fail(__FILE__, __LINE__,
                      "line %zu\n  ours:     %s\n"
                      "  expected: %s",
                      i, lines[i], expected_lines[i]);
    CHECK_EQ_U(count, expected_count);
    line_count += count;
    free(lines);
    free(expected_lines);
    free(text.data);
    diag_finish(&diag);
}

/* Caller frees. */
static char *read_oracle(const char *path)
{
    char *oracle = oracle_path(path, ".oracle.props");
    size_t bytes;
    char *text = file_text(oracle, &bytes);

    CHECK(text != NULL);
    free(oracle);
    return text;
}

static void compare_archive(const char *path)
{
    char *expected = read_oracle(path);

    compare_with(path, expected);
    free(expected);
}

static void compare_twins(const char *path)
{
    static const struct hdf5_style styles[] = {
        {.is_latest = false},
        {.is_latest = true, .is_compressed = true},
        {.is_latest = true, .is_big_endian = true}};

    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        char *expected = read_oracle(path);
        struct abc_archive *archive;
        char twin[512];
        struct diag diag;

        test_context("%s, twin %zu", path, i);
        snprintf(twin, sizeof twin, "%s/twin.abc", test_temp());
        diag_init(&diag);
        archive = abc_open(path, &diag);
        CHECK(archive != NULL);
        hdf5_write(archive, twin, &styles[i]);
        abc_close(archive);
        diag_finish(&diag);
        compare_with(twin, expected);
        free(expected);
    }
}

static void properties_are_those_of_the_reference(void)
{
    line_count = 0;
    CHECK(visit_archives(compare_archive) > 0);
    printf("  %zu lines are equal\n", line_count);
}

static void properties_of_the_test_data_are_those_of_the_reference(void)
{
    CHECK(visit_test_data(compare_archive) > 0);
}

static void properties_of_hdf5_twins_are_those_of_the_reference(void)
{
    if (!abc_has_hdf5())
        test_skip("built without libhdf5");
    CHECK(visit_test_data(compare_twins) > 0);
}

TEST_MAIN(TEST(properties_of_hdf5_twins_are_those_of_the_reference),
          TEST(properties_of_the_test_data_are_those_of_the_reference),
          TEST(properties_are_those_of_the_reference))
