/* sim_blocks.c - a caller that takes blocks of the heap. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_blocks.h"

#include "sim/sim.h"

#include <string.h>

/* Share of the heap that is taken at most; some requests exceed the heap. */
#define PART 4u

static bool is_all(const uint8_t *data, size_t bytes, uint8_t value)
{
    return data[0] == value && memcmp(data, data + 1, bytes - 1) == 0;
}

static void check_block(struct sim *sim, const struct sim_block *b)
{
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    uint32_t count = spn_block_get_extents(sim->rt, b->block, extents,
                                           SPN_BLOCK_EXTENTS_MAX);

    SIM_MUST(sim, SIM_MEMORY, count > 0);
    for (uint32_t i = 0; i < count; i++)
        if (!is_all(extents[i].data, extents[i].bytes, b->value))
            sim_fail(sim, SIM_MEMORY, "block %08x of the caller was written",
                     (unsigned)b->block);
}

void sim_blocks_check(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_BLOCKS; i++)
        if (sim->blocks.blocks[i].block)
            check_block(sim, &sim->blocks.blocks[i]);
}

/* The block has extents of the requested size, and keeps its content. */
static void fill_block(struct sim *sim, struct sim_block *b,
                       uint32_t unit_bytes)
{
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    uint32_t count = spn_block_get_extents(sim->rt, b->block, extents,
                                           SPN_BLOCK_EXTENTS_MAX);
    uint64_t bytes = 0;

    SIM_MUST(sim, SIM_BYTES, count > 0 && count <= SPN_BLOCK_EXTENTS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        SIM_MUST(sim, SIM_BYTES,
                 i + 1 == count || extents[i].bytes >= unit_bytes);
        memset(extents[i].data, b->value, extents[i].bytes);
        bytes += extents[i].bytes;
    }
    SIM_MUST(sim, SIM_BYTES, bytes == b->bytes);
    if (sim->options.canary == CANARY_BLOCK)
        ((uint8_t *)extents[0]
             .data)[swarm_below(&sim->swarm, (uint32_t)extents[0].bytes)] ^= 1;
}

static void take(struct sim *sim, struct sim_block *b)
{
    uint32_t heap_bytes = sim->config.heap_bytes;
    uint64_t bytes = 1 + swarm_below(&sim->swarm, heap_bytes / PART);
    uint32_t unit_bytes = 0;
    const uint64_t reserve = (uint64_t)sim_anim_reserve_pages(sim)
                             << sim->rt->heap.page_shift;
    spn_heap_stats stats;
    spn_status status;

    if (swarm_below(&sim->swarm, 8) == 0)
        bytes += heap_bytes;
    if (swarm_below(&sim->swarm, 2))
        unit_bytes = 1 + swarm_below(&sim->swarm, 65536);
    spn_heap_get_stats(sim->rt, &stats);
    status = spn_block_alloc(sim->rt, bytes, unit_bytes, &b->block);
    sim_note(sim, "block", bytes, unit_bytes, status);
    SIM_MUST(
        sim, SIM_STATUS,
        status == SPN_OK || status == SPN_NO_MEMORY_NOW ||
            (status == SPN_ERR_MEMORY && bytes + reserve > stats.free_bytes));
    SIM_MUST(sim, SIM_STATUS, bytes <= stats.bytes || status == SPN_ERR_MEMORY);
    if (status != SPN_OK) {
        b->block = 0;
        return;
    }
    swarm_hit(&sim->swarm, SWARM_BLOCK);
    sim->blocks.has_taken = true;
    b->bytes = bytes;
    sim->blocks.held_bytes += bytes;
    if (sim->blocks.held_bytes > sim->blocks.held_max)
        sim->blocks.held_max = sim->blocks.held_bytes;
    b->value = (uint8_t)swarm_below(&sim->swarm, 256);
    fill_block(sim, b, unit_bytes);
}

static void give(struct sim *sim, struct sim_block *b)
{
    check_block(sim, b);
    sim_note(sim, "block given", b->block, b->bytes, 0);
    SIM_MUST(sim, SIM_STATUS, spn_block_free(sim->rt, b->block) == SPN_OK);
    sim->blocks.held_bytes -= b->bytes;
    b->old_block = b->block;
    b->block = 0;
}

void sim_blocks_frame(struct sim *sim)
{
    struct sim_block *b =
        &sim->blocks.blocks[swarm_below(&sim->swarm, SIM_BLOCKS)];

    if (!swarm_draws(&sim->swarm, SWARM_BLOCK))
        return;
    if (b->old_block) {
        SIM_MUST(sim, SIM_STATUS,
                 spn_block_free(sim->rt, b->old_block) == SPN_ERR_HANDLE);
        SIM_MUST(sim, SIM_STATUS,
                 spn_block_get_extents(sim->rt, b->old_block, NULL, 0) == 0);
        b->old_block = 0;
    }
    if (b->block)
        give(sim, b);
    else
        take(sim, b);
}

void sim_blocks_end_faults(struct sim *sim)
{
    for (uint32_t i = 0; i < SIM_BLOCKS; i++)
        if (sim->blocks.blocks[i].block)
            give(sim, &sim->blocks.blocks[i]);
}
