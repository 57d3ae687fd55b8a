/* index_wire.c - reads the indices of triangles. */
/* SPDX-License-Identifier: MIT */
#include "codec/lift/index_wire.h"

#include "base/mem.h"

/* The model calls the functions of the coder, so the coder comes first. */
#include "codec/lift/model_reader.h"

#include "codec/lift/index_model.h"

void spn__wire_indices_begin(struct wire_indices *work, uint32_t index_bytes)
{
    memset(work, 0, sizeof *work);
    work->limit = index_bytes == 2 ? 0x10000u : UINT32_MAX;
    work->last_edge = INDEX_WIRE_NO_EDGE;
    for (uint32_t i = 0; i < INDEX_WIRE_RECENT; i++) {
        work->vertices[i] = UINT32_MAX;
        work->edges[i][0] = UINT32_MAX;
        work->edges[i][1] = UINT32_MAX;
    }
    number_models_reset(&work->models, sizeof work->models);
}

spn_status spn__index_wire_read(const uint8_t *bytes, size_t bytes_count,
                                uint32_t index_bytes, uint32_t count, void *out,
                                struct wire_indices *work,
                                struct spn_fault *fault)
{
    uint16_t *out16 = out;
    uint32_t *out32 = out;
    struct range_decoder decoder;
    bool is_good = true;

    spn__wire_indices_begin(work, index_bytes);
    range_decoder_begin(&decoder, bytes, bytes_count);
    code_indices_head(&decoder, work);
    for (uint32_t i = 0; is_good && i + 3 <= count; i += 3) {
        uint32_t corner[3] = {0, 0, 0};

        is_good = code_triangle(&decoder, work, corner);
        for (uint32_t k = 0; is_good && k < 3; k++)
            if (index_bytes == 2)
                out16[i + k] = (uint16_t)corner[k];
            else
                out32[i + k] = corner[k];
    }
    if (is_good && range_decoder_is_used_up(&decoder))
        return SPN_OK;
    *fault = (struct spn_fault){.what = "run of indices"};
    return SPN_ERR_FORMAT;
}
