/* carve.c - division of one block, or computation of its size.
 *
 * Both modes compute the same sums: every piece begins at a multiple of 64 from
 * the base. A stricter alignment adds its worst case, because the address
 * modulo that alignment is not known while counting. Pieces are never freed.
 */
/* SPDX-License-Identifier: MIT */
#include "base/carve.h"

#include "base/assert.h"
#include "base/mem.h"

#define BASE_ALIGN 64u
#define ALIGN_MAX 65536u
#define RING_MAX (1u << 30)

static void *refuse(struct carve *carve)
{
    carve->is_over = 1;
    return NULL;
}

void *spn__carve_raw(struct carve *carve, size_t count, size_t bytes,
                     size_t align)
{
    size_t at = carve->used;
    size_t size;
    size_t reserve;
    uint8_t *piece;

    SPN_ASSERT(align > 0 && (align & (align - 1)) == 0);
    SPN_ASSERT(align <= ALIGN_MAX);
    SPN_ASSERT(((uintptr_t)carve->base & (BASE_ALIGN - 1)) == 0);
    if (carve->is_over || count == 0 || bytes == 0)
        return NULL;
    if (count > SIZE_MAX / bytes)
        return refuse(carve);
    size = count * bytes;
    reserve = align > BASE_ALIGN ? align - BASE_ALIGN : 0;

    if (at > SIZE_MAX - (BASE_ALIGN - 1))
        return refuse(carve);
    at = (at + (BASE_ALIGN - 1)) & ~(size_t)(BASE_ALIGN - 1);
    if (at > carve->limit || reserve > carve->limit - at ||
        size > carve->limit - at - reserve)
        return refuse(carve);
    if (carve->tally)
        carve->tally[carve->purpose] += at + reserve + size - carve->used;
    carve->used = at + reserve + size;
    if (!carve->base)
        return NULL;

    piece = carve->base + at;
    /* Both are multiples of 64, so the padding is within the worst case. */
    return piece + ((align - ((uintptr_t)piece & (align - 1))) & (align - 1));
}

void *spn__carve(struct carve *carve, size_t count, size_t bytes, size_t align)
{
    void *piece = spn__carve_raw(carve, count, bytes, align);

    if (piece)
        memset(piece, 0, count * bytes);
    return piece;
}

void *spn__carve_table(struct carve *carve, size_t count, size_t bytes)
{
    return spn__carve(carve, count, bytes, BASE_ALIGN);
}

uint32_t spn__carve_ring_size(uint32_t capacity)
{
    uint32_t size = 2;

    SPN_ASSERT(capacity <= RING_MAX);
    while (size < capacity)
        size *= 2;
    return size;
}
