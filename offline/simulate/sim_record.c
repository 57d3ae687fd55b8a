/* sim_record.c - growing lists of events. */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_record.h"

#include <math.h>
#include <string.h>

void sim_record_init(struct sim_record *record)
{
    memset(record, 0, sizeof *record);
    tally_init(&record->tally);
}

void sim_record_free(struct sim_record *record)
{
    tally_free(&record->tally);
    arena_free(&record->arena);
    sim_record_init(record);
}

void sim_record_piece(struct sim_record *record, const struct sim_move *piece)
{
    struct sim_move *last = NULL;

    if (record->move_count > 0)
        last = &record->moves[record->move_count - 1];
    if (last && last->end == piece->begin && last->end_us == piece->begin_us &&
        last->class == piece->class && last->file == piece->file &&
        !last->has_failed && !piece->has_failed) {
        last->end = piece->end;
        last->end_us = piece->end_us;
        return;
    }
    record->moves =
        arena_grow(&record->arena, record->moves, record->move_count,
                   &record->move_capacity, sizeof *record->moves);
    record->moves[record->move_count++] = *piece;
}

void sim_record_late(struct sim_record *record, const struct sim_late *late)
{
    record->lates =
        arena_grow(&record->arena, record->lates, record->late_count,
                   &record->late_capacity, sizeof *record->lates);
    record->lates[record->late_count++] = *late;
}

void sim_record_depth(struct sim_record *record, uint64_t now_us,
                      uint32_t depth)
{
    struct sim_depth *last = NULL;

    if (depth > record->depth_max)
        record->depth_max = depth;
    if (record->depth_count > 0)
        last = &record->depths[record->depth_count - 1];
    if (last && last->depth == depth)
        return;
    record->depths =
        arena_grow(&record->arena, record->depths, record->depth_count,
                   &record->depth_capacity, sizeof *record->depths);
    record->depths[record->depth_count++] =
        (struct sim_depth){.at_us = now_us, .depth = depth};
}

void sim_record_memory(struct sim_record *record, uint64_t now_us,
                       uint64_t bytes)
{
    if (record->memory_count > 0 &&
        record->memories[record->memory_count - 1].bytes == bytes)
        return;
    record->memories =
        arena_grow(&record->arena, record->memories, record->memory_count,
                   &record->memory_capacity, sizeof *record->memories);
    record->memories[record->memory_count++] =
        (struct sim_memory){.at_us = now_us, .bytes = bytes};
}

void sim_record_burst(struct sim_record *record, const struct sim_group *burst)
{
    record->bursts =
        arena_grow(&record->arena, record->bursts, record->burst_count,
                   &record->burst_capacity, sizeof *record->bursts);
    record->bursts[record->burst_count++] = *burst;
}

void sim_record_visit(struct sim_record *record, const struct sim_group *visit)
{
    record->visits =
        arena_grow(&record->arena, record->visits, record->visit_count,
                   &record->visit_capacity, sizeof *record->visits);
    record->visits[record->visit_count++] = *visit;
}

bool sim_visit_is_ready(const struct sim_group *visit, uint64_t *us)
{
    *us = visit->end_us - visit->at_us;
    return visit->reads > 0 && visit->ended == visit->reads;
}

double sim_visit_ready_s(const struct sim_group *visit)
{
    uint64_t us;

    return sim_visit_is_ready(visit, &us) ? (double)us / 1e6 : NAN;
}

bool sim_burst_is_over(const struct sim_group *burst)
{
    return burst->ended == burst->reads;
}
