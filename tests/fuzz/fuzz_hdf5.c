/* fuzz_hdf5.c - answers of the process that runs libhdf5, as if a hostile file
 * had taken it over.
 *
 * The input is the child's answers, one after another; requests are discarded.
 * There is no process: the target defines the functions of hdf5_child.h. An
 * accepted archive has the guarantees of archive.h.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "abc/hdf5_child.h"
#include "abc/schema.h"

#include <stdio.h>
#include <string.h>

/* -- the child -- */

static struct fuzz_input speech;

bool hdf5_child_start(struct hdf5_child *child,
                      const struct hdf5_source *source, int *error)
{
    memset(child, 0, sizeof *child);
    child->pid = 1;
    child->limits = source->limits;
    *error = 0;
    return true;
}

void hdf5_child_abort(struct hdf5_child *child, const char *words)
{
    if (child->exit_reason[0] == 0)
        snprintf(child->exit_reason, sizeof child->exit_reason, "%s", words);
    child->pid = 0;
}

void hdf5_child_stop(struct hdf5_child *child)
{
    hdf5_child_abort(child, "it is closed");
}

bool hdf5_child_send(struct hdf5_child *child, const void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    return child->pid != 0;
}

bool hdf5_child_receive(struct hdf5_child *child, void *target, size_t bytes)
{
    if (child->pid == 0)
        return false;
    if (bytes > speech.left) {
        hdf5_child_abort(child, "it says no more");
        return false;
    }
    if (bytes > 0)
        memcpy(target, speech.data, bytes);
    speech.data += bytes;
    speech.left -= bytes;
    return true;
}

/* -- the archive -- */

static void look_at_property(const struct abc_property *property)
{
    CHECK(property->name && property->metadata);
    for (uint32_t i = 0; i < property->child_count; i++) {
        const struct abc_property *child = &property->children[i];

        CHECK(child->parent == property);
        CHECK(i == 0 ||
              strcmp(property->children[i - 1].name, child->name) <= 0);
        CHECK(child->kind == ABC_COMPOUND || child->extent > 0);
        CHECK(abc_stored_count(child) <= child->sample_count);
        look_at_property(child);
    }
}

static void look_at_object(const struct abc_object *object)
{
    look_at_property(object->properties);
    for (uint32_t i = 0; i < object->child_count; i++) {
        CHECK(object->children[i]->parent == object);
        look_at_object(object->children[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Large enough for the addresses in answers. */
    static const uint8_t file[1 << 17] = {0x89, 'H',  'D',  'F',
                                          '\r', '\n', 0x1a, '\n'};
    struct abc_archive *archive;
    struct diag diag;

    speech = (struct fuzz_input){data, size};
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open_memory("fuzz.abc", file, sizeof file, &diag);
    CHECK((archive != NULL) == (diag.code == EXIT_DONE));
    if (archive) {
        look_at_object(archive->top);
        CHECK(abc_check_scene(archive) == (diag.code == EXIT_DONE));
    }
    CHECK(diag.code == EXIT_DONE ||
          (diag.code == EXIT_INPUT_REFUSED && diag.text[0]));
    abc_close(archive);
    diag_finish(&diag);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    const uint32_t way = fuzz_pick(&seed, 4);

    if (size < 16 || way == 0)
        return LLVMFuzzerMutate(data, size, size_max);
    fuzz_mutate_inside(data, 0, size);
    return size;
}
