/* sim_damage.c - the bytes that a read delivers: true ones, or recorded
 * damage. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_damage.h"

#include "sim/sim.h"

#include <string.h>

#define SCRIBBLE 0xeb

/* Replace a part of a read by the file's other bytes, and record the damage. */
static void taint(struct sim *sim, uint32_t file, uint64_t first,
                  uint64_t limit)
{
    struct sim_drive *drive = &sim->drive;

    drive->taints[drive->taint_count++ % SIM_TAINTS] =
        (struct sim_place){.file = file, .first = first, .limit = limit};
    sim_note(sim, "damage", file, first, (int64_t)(limit - first));
}

bool sim_drive_has_failed(const struct sim *sim)
{
    static const enum swarm_kind kinds[] = {
        SWARM_HARD_ERROR, SWARM_HEALING_ERROR, SWARM_REFUSED,
        SWARM_OPEN_ERROR, SWARM_TRAY_OPEN,     SWARM_DISC_SWAPPED};

    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (sim->swarm.hits[kinds[i]] > 0)
            return true;
    return false;
}

bool sim_drive_times_out(const struct sim *sim)
{
    return sim->config.media[SPN_MEDIUM_OPTICAL].timeout_us > 0;
}

uint64_t sim_drive_taint_end(const struct sim *sim, uint32_t file, uint64_t at,
                             uint64_t since)
{
    const struct sim_drive *drive = &sim->drive;
    uint64_t first = since;

    /* More damage occurred than is recorded, so assume that this was it. */
    if (drive->taint_count - since > SIM_TAINTS)
        return UINT64_MAX;
    for (; first < drive->taint_count; first++) {
        const struct sim_place *t = &drive->taints[first % SIM_TAINTS];

        if (t->file == file && at >= t->first && at < t->limit)
            return t->limit;
    }
    return 0;
}

/* Where a misdirected drive reads. */
static uint64_t wrong_place(const struct sim *sim, const struct sim_device *d)
{
    uint64_t room = sim->disc->files[d->file].bytes - d->bytes_most;
    uint64_t place = d->offset + SIM_SECTOR * (1 + d->damage_at % 8);

    return place <= room ? place : room / 2;
}

/* Damage one part, which begins at `at` of the file. */
static void damage(const struct sim_device *d, uint8_t *data, uint64_t at,
                   uint64_t bytes)
{
    uint64_t target = d->offset + d->damage_at;
    uint64_t sector = target - target % SIM_SECTOR;

    for (uint64_t i = 0; i < bytes; i++) {
        bool is_hit = d->damage == DAMAGE_DISC ||
                      (d->damage == DAMAGE_FLIP && at + i == target) ||
                      (d->damage == DAMAGE_STALE && at + i >= sector &&
                       at + i < sector + SIM_SECTOR);

        if (is_hit)
            data[i] ^= d->damage == DAMAGE_FLIP ? 0x10 : 0x5a;
    }
}

static void taint_sector(struct sim *sim, const struct sim_device *d,
                         uint64_t sector)
{
    uint64_t limit = d->offset + d->bytes_most;

    taint(sim, d->file, sector > d->offset ? sector : d->offset,
          sector + SIM_SECTOR < limit ? sector + SIM_SECTOR : limit);
}

/* Damage drawn for bytes that do not arrive does not count. */
static void note_damage(struct sim *sim, struct sim_device *d)
{
    static const enum swarm_kind kinds[] = {[DAMAGE_FLIP] = SWARM_BIT_FLIP,
                                            [DAMAGE_STALE] = SWARM_STALE_SECTOR,
                                            [DAMAGE_PLACE] = SWARM_WRONG_PLACE};
    uint64_t target = d->offset + d->damage_at;

    if (((d->damage == DAMAGE_FLIP || d->damage == DAMAGE_STALE) &&
         d->damage_at >= d->bytes_most) ||
        (d->damage == DAMAGE_PLACE && wrong_place(sim, d) == d->offset))
        d->damage = DAMAGE_NONE;
    if (d->damage == DAMAGE_NONE)
        return;
    if (d->damage == DAMAGE_FLIP)
        taint(sim, d->file, target, target + 1);
    else if (d->damage == DAMAGE_STALE)
        taint_sector(sim, d, target - target % SIM_SECTOR);
    else
        taint(sim, d->file, d->offset, d->offset + d->bytes_most);
    if (d->damage != DAMAGE_DISC)
        swarm_hit(&sim->swarm, kinds[d->damage]);
}

static bool is_planted_in(const struct sim *sim, uint32_t file)
{
    return (sim->options.canary == CANARY_PAK_BYTE && file >= MADE_PAK &&
            file < MADE_CLIP) ||
           (sim->options.canary == CANARY_CLIP_BYTE && file >= MADE_CLIP);
}

void sim_damage_deliver(struct sim *sim, struct sim_device *d)
{
    uint64_t left = d->status == SPN_OK ? d->bytes_most : 0;
    uint64_t at = d->offset;
    uint64_t from;

    if (left > 0)
        note_damage(sim, d);
    from = d->damage == DAMAGE_PLACE ? wrong_place(sim, d) : at;
    for (uint32_t i = 0; i < d->extent_count; i++) {
        uint8_t *data = d->extents[i].data;
        uint64_t part = d->extents[i].bytes < left ? d->extents[i].bytes : left;

        made_disc_read(d->file, from, part, is_planted_in(sim, d->file), data);
        if (d->damage != DAMAGE_NONE && d->damage != DAMAGE_PLACE)
            damage(d, data, at, part);
        memset(data + part, SCRIBBLE, d->extents[i].bytes - (size_t)part);
        if (sim->options.canary == CANARY_LOOSE_BYTE && d->file < MADE_RAW &&
            part > 0)
            data[part / 2] ^= 1;
        at += part;
        from += part;
        left -= part;
    }
}
