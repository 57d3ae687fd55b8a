/* fuzz_ogawa.c - the container: the tree, the samplings, every stored sample.
 *
 * An accepted archive has the guarantees of archive.h: names, parents, counts,
 * and samples whose bytes lie in the file.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/archive_bytes.h"
#include "fuzz/fuzz.h"

#include "abc/sampling.h"

#include <stdlib.h>
#include <string.h>

/* Limit of objects, properties and samples that are read: a small file may
 * share its blocks a million times. The unit tests cover that. */
#define LOOKS_MAX 4000u

/* Read each byte once, so that a sanitizer sees invalid addresses. */
static void touch(const uint8_t *data, size_t bytes)
{
    static volatile uint8_t sum;

    for (size_t i = 0; i < bytes; i++)
        sum = (uint8_t)(sum + data[i]);
}

static bool look_at_sample(struct fuzz_archive *look,
                           const struct abc_property *property, uint32_t entry)
{
    const uint32_t index = abc_stored_index(property, entry);
    struct abc_sample sample = {0};
    uint64_t count = 1;

    CHECK_EQ_U(abc_stored_entry(property, index), entry);
    CHECK(index < property->sample_count);
    if (!abc_read(look->archive, property, index, &look->arena, &sample))
        return false;
    CHECK(sample.rank >= 1 && sample.rank <= 4);
    for (uint32_t i = 0; i < sample.rank; i++)
        count *= sample.dimensions[i];
    CHECK_EQ_U(count, sample.element_count);
    if (abc_pod_bytes(property->pod) > 0)
        CHECK_EQ_U(sample.bytes, sample.element_count * property->extent *
                                     abc_pod_bytes(property->pod));
    touch(sample.data, sample.bytes);
    abc_release(look->archive, &sample);
    return true;
}

static void look_at_property(struct fuzz_archive *look,
                             const struct abc_property *property)
{
    const uint32_t stored = abc_stored_count(property);
    char text[ABC_SAMPLE_TEXT_BYTES];

    if (look->left == 0)
        return;
    look->left--;
    CHECK(property->name && property->metadata);
    for (uint32_t i = 0; i < property->child_count; i++) {
        const struct abc_property *child = &property->children[i];

        CHECK(child->parent == property);
        CHECK(abc_find_any(property, child->name) != NULL);
        look_at_property(look, child);
    }
    if (property->kind == ABC_COMPOUND)
        return;
    CHECK(property->extent >= 1 && property->pod < ABC_POD_COUNT);
    CHECK(property->time_sampling < look->archive->sampling_count);
    CHECK(stored <= property->sample_count);
    for (uint32_t i = 0; i < stored && look->left > 0; i++) {
        look->left--;
        (void)abc_sample_text(look->archive, property, i, text);
        if (!look_at_sample(look, property, i))
            break;
        arena_reset(&look->arena);
    }
}

static void look_at_object(struct fuzz_archive *look,
                           const struct abc_object *object)
{
    if (look->left == 0)
        return;
    look->left--;
    CHECK(object->name && object->path && object->metadata);
    CHECK(object->properties && object->source);
    look_at_property(look, object->properties);
    for (uint32_t i = 0; i < object->child_count; i++) {
        CHECK(object->children[i]->parent == object);
        look_at_object(look, object->children[i]);
    }
}

static void look_at_tree(struct fuzz_archive *look)
{
    const struct abc_archive *archive = look->archive;

    CHECK(archive->sampling_count >= 1);
    for (uint32_t i = 0; i < archive->sampling_count && i < 64; i++)
        (void)abc_bracket_at(&archive->samplings[i], 3, 0.5);
    look_at_object(look, archive->top);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_archive_visit(data, size, LOOKS_MAX, look_at_tree);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    return fuzz_archive_mutate(data, size, size_max, seed);
}
