/* sim_anim_pak.c - see sim_anim_pak.h. */
/* SPDX-License-Identifier: MIT */
#include "sim/anim/sim_anim_pak.h"

#include "anim/anim_system.h"
#include "sim/sim.h"

#define SEEDS 3u     /* one seed of so many with an image has the pak */
#define UNMOUNTS 50u /* once in so many frames */
#define INDEX_BYTES 65536u
/* The one that is mounted, and one that is still being freed. */
#define PAKS 2u

void sim_anim_pak_init(struct sim *sim)
{
    struct sim_anim_pak *p = &sim->anim.pak;

    p->random.state = sim->options.seed ^ UINT64_C(0x70616b0000000011);
    p->is_on = !sim->anim.is_loose && test_random_below(&p->random, SEEDS) == 0;
}

void sim_anim_pak_add_sizes(const struct sim *sim, spn_config *config)
{
    if (!sim->anim.pak.is_on)
        return;
    config->pak_count += PAKS;
    config->file_count += PAKS;
    config->heap_bytes += PAKS * INDEX_BYTES;
}

static void mount(struct sim *sim)
{
    struct sim_anim_pak *p = &sim->anim.pak;
    const spn_status status =
        spn_pak_mount(sim->rt, sim->disc->files[MADE_ANIM_PAK].path, &p->pak);

    sim_note(sim, "pak of clips: mount", p->pak, 0, status);
    SIM_MUST(sim, SIM_STATUS, status == SPN_OK || status == SPN_ERR_TABLE_FULL);
}

static void unmount(struct sim *sim)
{
    struct sim_anim_pak *p = &sim->anim.pak;

    sim_note(sim, "pak of clips: unmount", p->pak, 0, 0);
    SIM_MUST(sim, SIM_STATUS, spn_pak_unmount(sim->rt, p->pak) == SPN_OK);
    p->pak = 0;
    p->unmounts++;
    sim->paks.unmounted++;
}

static bool is_mounted(struct sim *sim)
{
    const spn_status status =
        spn_pak_get_status(sim->rt, sim->anim.pak.pak, NULL);

    if (status >= SPN_OK)
        return status == SPN_OK;
    sim_note(sim, "pak of clips failed", 0, 0, status);
    SIM_MUST(sim, SIM_STATUS, sim_paks_is_legal(sim, status));
    unmount(sim);
    return false;
}

bool sim_anim_pak_frame(struct sim *sim)
{
    struct sim_anim_pak *p = &sim->anim.pak;

    if (!p->is_on)
        return true;
    if (p->pak == 0)
        mount(sim);
    if (p->pak == 0 || !is_mounted(sim))
        return false;
    if (sim->swarm.is_over || test_random_below(&p->random, UNMOUNTS) != 0)
        return true;
    if (sim->rt->anim->reads_out > 0)
        swarm_hit(&sim->swarm, SWARM_PAK_LEFT);
    unmount(sim);
    return false;
}

void sim_anim_pak_close(struct sim *sim)
{
    if (sim->anim.pak.pak != 0)
        unmount(sim);
}

bool sim_anim_pak_has(const struct sim *sim, uint32_t file)
{
    return sim->anim.pak.is_on && file >= MADE_ANIM && file != MADE_ANIM_PAK;
}
