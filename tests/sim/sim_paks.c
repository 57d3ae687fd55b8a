/* sim_paks.c - a caller that mounts, loads and unmounts paks. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_paks.h"

#include "sim/sim.h"
#include "sim/sim_damage.h"

bool sim_paks_is_legal(const struct sim *sim, spn_status status)
{
    switch (status) {
    case SPN_ERR_IO:
    case SPN_ERR_NOT_FOUND:
    case SPN_ERR_SHORT_READ:
    case SPN_ERR_FORMAT:
    case SPN_ERR_VERSION:
    case SPN_ERR_CHECKSUM:
    case SPN_ERR_RANGE:
        return true;
    case SPN_ERR_TIMEOUT:
        return sim_drive_times_out(sim);
    case SPN_ERR_MEMORY:
        /* A damaged header may claim a huge index; blocks of the caller and
         * loaded paks may have had nearly all of the heap. */
        return sim->is_poor || sim->drive.taint_count > 0 ||
               sim->blocks.held_max + sim->paks.held_max +
                       sim->disc->pak_heap_bytes >
                   sim->config.heap_bytes;
    default:
        return false;
    }
}

static void mount(struct sim *sim, uint32_t i)
{
    spn_pak *pak = &sim->paks.paks[i];
    spn_status status =
        spn_pak_mount(sim->rt, sim->disc->files[MADE_PAK + i].path, pak);

    sim_note(sim, "mount", i, *pak, status);
    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_ERR_TABLE_FULL);
}

static void unmount(struct sim *sim, uint32_t i)
{
    spn_pak *pak = &sim->paks.paks[i];

    sim_note(sim, "unmount", i, *pak, 0);
    SIM_MUST(sim, SIM_STATUS, spn_pak_unmount(sim->rt, *pak) == SPN_OK);
    sim->paks.unmounted++;
    sim->paks.old_paks[i] = *pak;
    *pak = 0;
}

/* Check the status of a mount. A failed pak is unmounted. */
static spn_status look(struct sim *sim, uint32_t i)
{
    spn_pak pak = sim->paks.paks[i];
    spn_fault fault = {0};
    spn_status status = spn_pak_get_status(sim->rt, pak, &fault);

    if (status == SPN_OK || status == SPN_PENDING)
        return status;
    if (!sim_paks_is_legal(sim, status))
        sim_fail(sim, SIM_STATUS, "pak %u: %s, %s", i, spn_status_name(status),
                 fault.what ? fault.what : "no fault given");
    sim_note(sim, "pak failed", i, pak, status);
    unmount(sim, i);
    return status;
}

static void use_stale(struct sim *sim)
{
    spn_pak pak = sim->paks.old_paks[swarm_below(&sim->swarm, MADE_PAKS)];
    spn_pak_entry entry;

    if (!pak)
        return;
    swarm_hit(&sim->swarm, SWARM_STALE_HANDLE);
    SIM_MUST(sim, SIM_STATUS, spn_pak_unmount(sim->rt, pak) == SPN_ERR_HANDLE);
    SIM_MUST(sim, SIM_STATUS, spn_pak_unload(sim->rt, pak) == SPN_ERR_HANDLE);
    SIM_MUST(sim, SIM_STATUS,
             spn_pak_find(sim->rt, pak, "lz", &entry) == SPN_ERR_HANDLE);
}

static void load_or_unload(struct sim *sim, uint32_t i)
{
    spn_pak pak = sim->paks.paks[i];
    spn_status before = spn_pak_get_load_status(sim->rt, pak);
    bool was_loaded = before == SPN_OK || before == SPN_PENDING;
    bool is_loading = swarm_below(&sim->swarm, 2);
    spn_status status = is_loading
                            ? spn_pak_load(sim->rt, pak, SPN_PRIORITY_NORMAL)
                            : spn_pak_unload(sim->rt, pak);

    if (status == SPN_OK && is_loading != was_loaded)
        swarm_hit(&sim->swarm, SWARM_LOAD);
    sim_note(sim, is_loading ? "load" : "unload", i, pak, status);
    SIM_MUST(sim, SIM_STATUS,
             status == SPN_OK || (is_loading && status == SPN_ERR_STATE));
}

void sim_paks_frame(struct sim *sim)
{
    uint32_t i = swarm_below(&sim->swarm, MADE_PAKS);

    if (swarm_draws(&sim->swarm, SWARM_STALE_HANDLE))
        use_stale(sim);
    if (!sim->paks.paks[i]) {
        if (swarm_below(&sim->swarm, 8) == 0)
            mount(sim, i);
        return;
    }
    if (look(sim, i) != SPN_OK)
        return;
    if (swarm_draws(&sim->swarm, SWARM_LOAD))
        load_or_unload(sim, i);
    if (swarm_occurs(&sim->swarm, SWARM_CLOSE))
        unmount(sim, i);
}

bool sim_paks_recover(struct sim *sim)
{
    bool are_there = true;

    for (uint32_t i = 0; i < MADE_PAKS; i++) {
        spn_status status;

        if (!sim->paks.paks[i])
            mount(sim, i);
        if (!sim->paks.paks[i] || look(sim, i) != SPN_OK) {
            are_there = false;
            continue;
        }
        SIM_MUST(sim, SIM_STATUS,
                 spn_pak_unload(sim->rt, sim->paks.paks[i]) == SPN_OK);
        /* The load status has the error of the last load. */
        status = spn_pak_get_load_status(sim->rt, sim->paks.paks[i]);
        if (status == SPN_OK || status == SPN_PENDING)
            are_there = false;
    }
    return are_there || sim->is_poor;
}

void sim_paks_close(struct sim *sim)
{
    for (uint32_t i = 0; i < MADE_PAKS; i++)
        if (sim->paks.paks[i])
            unmount(sim, i);
}
