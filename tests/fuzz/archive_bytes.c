/* archive_bytes.c - mutate and read Alembic archives in memory.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/archive_bytes.h"

#include "base/endian.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

void fuzz_archive_visit(const uint8_t *data, size_t size, uint32_t left,
                        void (*look_at)(struct fuzz_archive *look))
{
    uint8_t *copy = fuzz_copy(data, size);
    struct fuzz_archive look = {.left = left};
    struct abc_archive *archive;

    diag_init(&look.diag);
    look.diag.is_silent = true;
    archive = abc_open_memory("fuzz.abc", copy, size, &look.diag);
    CHECK((archive != NULL) == (look.diag.code == EXIT_DONE));
    CHECK(archive ||
          (look.diag.code == EXIT_INPUT_REFUSED && look.diag.text[0]));
    look.archive = archive;
    arena_init(&look.arena);
    if (archive)
        look_at(&look);
    arena_free(&look.arena);
    abc_close(archive);
    diag_finish(&look.diag);
    free(copy);
}

/* Copy a word that looks like a pointer over another such word, at offsets that
 * are multiples of eight. */
static void link_elsewhere(uint8_t *data, size_t size, unsigned *seed)
{
    const uint32_t count = (uint32_t)(size / 8);
    const uint32_t from = fuzz_pick(seed, count);
    const uint32_t to = fuzz_pick(seed, count);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t a = (from + i) % count;

        if ((spn_load_u64le(data + 8 * (size_t)a) & (UINT64_MAX >> 1)) < size)
            memcpy(data + 8 * (size_t)to, data + 8 * (size_t)a, 8);
        else
            continue;
        return;
    }
}

size_t fuzz_archive_mutate(uint8_t *data, size_t size, size_t size_max,
                           unsigned seed)
{
    const uint32_t way = fuzz_pick(&seed, 8);

    if (size < 16 || way == 0)
        return LLVMFuzzerMutate(data, size, size_max);
    if (way == 1) {
        link_elsewhere(data, size, &seed);
    } else if (way < 5) {
        const size_t first = fuzz_pick(&seed, (uint32_t)size);
        const size_t some = 1 + fuzz_pick(&seed, 32);

        fuzz_mutate_inside(data, first,
                           some < size - first ? first + some : size);
    } else {
        fuzz_mutate_inside(data, 0, size);
    }
    return size;
}
