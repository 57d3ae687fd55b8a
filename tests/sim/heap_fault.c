/* heap_fault.c - wraps the allocation of the heap. */
/* SPDX-License-Identifier: MIT */
#include "sim/heap_fault.h"

#include "base/heap.h"

struct heap_fault heap_fault;

spn_status __real_spn__heap_alloc(struct heap *heap, uint32_t bytes,
                                  uint32_t unit_bytes, enum heap_tag tag,
                                  heap_handle *out);
spn_status __wrap_spn__heap_alloc(struct heap *heap, uint32_t bytes,
                                  uint32_t unit_bytes, enum heap_tag tag,
                                  heap_handle *out);
spn_status __wrap_spn__heap_alloc(struct heap *heap, uint32_t bytes,
                                  uint32_t unit_bytes, enum heap_tag tag,
                                  heap_handle *out)
{
    heap_fault.count++;
    heap_fault.has_room =
        (uint64_t)heap->stats.free_pages * heap->stats.page_bytes >= bytes;
    if (heap_fault.fails && heap_fault.fails(heap_fault.user)) {
        heap->stats.failed_no_memory++;
        return SPN_NO_MEMORY_NOW;
    }
    return __real_spn__heap_alloc(heap, bytes, unit_bytes, tag, out);
}
