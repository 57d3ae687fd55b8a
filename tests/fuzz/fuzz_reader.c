/* fuzz_reader.c - a whole cache through the tool's reader.
 *
 * The reader opens every cache that the decoder accepts as a whole. It decodes
 * every frame, forwards and backwards, and fills it, or refuses it with a
 * message.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "cachefile/cache_reader.h"
#include "fuzz/mutate_cache.h"
#include "support/cache_checksums.h"
#include "support/cache_walk.h"

#include <stdlib.h>

#define FRAMES_MAX 12u
/* Limit of decoded bytes of a frame, to bound time and memory of one input: the
 * reader keeps several frames. */
#define DECODED_BYTES_MAX ((uint64_t)1 << 21)

struct look {
    struct cache_reader *reader;
    struct diag *diag;
    struct arena arena;
};

static bool is_small(const uint8_t *data, size_t size)
{
    struct spn_fault fault = {0};
    struct cache_header h;

    if (size < CACHE_HEADER_BYTES ||
        spn__cache_header_read(data, size, &h, &fault) != SPN_OK)
        return true;
    return (uint64_t)h.block_count + h.blob_count <=
           DECODED_BYTES_MAX / BLOCK_RAW_BYTES_MAX;
}

static void look_at_mesh(struct look *look,
                         const struct cache_reader_frame *frame, uint32_t m)
{
    const struct cache_tables *tables = cache_reader_tables(look->reader);
    const struct cache_mesh *mesh = &tables->meshes[m];
    const uint32_t *indices = cache_reader_indices(look->reader, m);
    struct cache_reader_vertices vertices;

    for (uint32_t i = 0; i < mesh->index_count; i++)
        CHECK(indices[i] < mesh->vertex_count);
    if (!cache_reader_has_mesh(look->reader, frame, m))
        return;
    cache_reader_fill(look->reader, frame, m, &look->arena, &vertices);
    CHECK_EQ_U(vertices.count, mesh->vertex_count);
    arena_reset(&look->arena);
}

static void look_at_frame(struct look *look, uint32_t number)
{
    const struct cache_header *h = cache_reader_header(look->reader);
    const struct cache_reader_frame *frame =
        cache_reader_frame(look->reader, number);

    if (!frame) {
        CHECK(look->diag->code == EXIT_INPUT_REFUSED && look->diag->text[0]);
        return;
    }
    CHECK_EQ_U(frame->number, number);
    for (uint32_t m = 0; m < h->mesh_count && m < 4; m++)
        look_at_mesh(look, frame, m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);
    struct spn_fault fault = {0};
    struct look look = {0};
    struct diag diag;
    uint32_t count;

    if (!is_small(copy, size)) {
        free(copy);
        return 0;
    }
    diag_init(&diag);
    diag.is_silent = true;
    look.diag = &diag;
    arena_init(&look.arena);
    look.reader = cache_reader_open_memory("fuzz.sgc", copy, size, &diag);
    CHECK((look.reader != NULL) == (diag.code == EXIT_DONE));
    if (!look.reader)
        CHECK(cache_walk_all(copy, size, &fault) != SPN_OK);
    count = look.reader ? cache_reader_header(look.reader)->frame_count : 0;
    for (uint32_t i = 0; i < count && i < FRAMES_MAX; i++)
        look_at_frame(&look, i);
    for (uint32_t i = 0; i < count && i < FRAMES_MAX; i++)
        look_at_frame(&look, count - 1 - i);
    cache_reader_close(look.reader);
    arena_free(&look.arena);
    diag_finish(&diag);
    free(copy);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t size_max,
                               unsigned seed)
{
    return mutate_cache(data, size, size_max, seed);
}
