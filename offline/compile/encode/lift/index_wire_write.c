/* index_wire_write.c - codes indices triangle by triangle, as the reader does.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/lift/index_wire_write.h"

#include "base/endian.h"

/* The coder comes before the model, which calls it. */
#include "compile/encode/entropy/model_writer.h"

#include "codec/lift/index_model.h"

struct wire_bytes index_wire_write(const uint8_t *indices, uint32_t index_bytes,
                                   uint32_t count, struct arena *arena)
{
    struct range_encoder encoder;
    struct wire_indices *work;
    struct arena scratch;
    uint32_t first = UINT32_MAX;

    arena_init(&scratch);
    work = ARENA_NEW(&scratch, struct wire_indices, 1);
    spn__wire_indices_begin(work, index_bytes);
    range_encoder_begin(&encoder, arena);
    if (count > 0)
        first = index_bytes == 2 ? spn_load_u16le(indices)
                                 : spn_load_u32le(indices);
    work->next = first;
    code_indices_head(&encoder, work);
    for (uint32_t i = 0; i < count; i += 3) {
        uint32_t corner[3];

        for (uint32_t k = 0; k < 3; k++) {
            const uint8_t *at = indices + (size_t)(i + k) * index_bytes;

            corner[k] =
                index_bytes == 2 ? spn_load_u16le(at) : spn_load_u32le(at);
        }
        (void)code_triangle(&encoder, work, corner);
    }
    range_encoder_end(&encoder);
    arena_free(&scratch);
    return (struct wire_bytes){encoder.bytes, encoder.count};
}
