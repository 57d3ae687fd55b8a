/* sim_canaries.c - run a planted bug until a check fails. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_canaries.h"

#define CANARY_SEEDS 20u

static const struct {
    const char *name;
    enum sim_check check;
} canaries[CANARIES] = {
    [CANARY_NONE] = {"none", SIM_FINE},
    [CANARY_LOOSE_BYTE] = {"loose byte", SIM_BYTES},
    [CANARY_PAK_BYTE] = {"pak byte", SIM_BYTES},
    [CANARY_CLIP_BYTE] = {"clip byte", SIM_PICTURE},
    [CANARY_TWICE] = {"twice", SIM_ONCE},
    [CANARY_NEVER] = {"never", SIM_LIVENESS},
    [CANARY_STATUS] = {"status", SIM_STATUS},
    [CANARY_BEHIND] = {"behind", SIM_MEMORY},
    [CANARY_UNALIGNED] = {"unaligned", SIM_CONTRACT},
    [CANARY_SECOND] = {"second submit", SIM_CONTRACT},
    [CANARY_EVENTS] = {"swapped events", SIM_GRAMMAR},
    [CANARY_OTHER_TIME] = {"other time", SIM_PICTURE},
    [CANARY_FILL] = {"failing fill", SIM_STATUS},
    [CANARY_BLOCK] = {"block byte", SIM_MEMORY},
    [CANARY_LEAK] = {"leak", SIM_BASELINE},
    [CANARY_SMASH] = {"smash", SIM_STRUCTURE},
    [CANARY_CLOSURE] = {"closure", SIM_STRUCTURE},
    [CANARY_PROMISE] = {"promise", SIM_STRUCTURE},
    [CANARY_MESH] = {"mesh", SIM_SCENE},
    [CANARY_ANIM_BYTE] = {"byte of a clip", SIM_ANIM},
    [CANARY_ANIM_FREED] = {"freed clip", SIM_ANIM},
    [CANARY_ANIM_GLITCH] = {"glitch", SIM_ANIM},
    [CANARY_ANIM_ABORT] = {"abort of a clip", SIM_ANIM},
    [CANARY_ANIM_MOTION] = {"root motion", SIM_ANIM},
    [CANARY_GEOM_EVENT] = {"event of a cache", SIM_EVENT},
    [CANARY_BOX] = {"box", SIM_SCENE},
    [CANARY_UNLOAD] = {"unload", SIM_SCENE},
    [CANARY_LEVEL] = {"level", SIM_PICTURE},
    [CANARY_BUFFER] = {"buffer byte", SIM_PICTURE},
    [CANARY_FILL_JOB] = {"fill job", SIM_PICTURE},
    [CANARY_NO_WAKE] = {"no wake", SIM_LIVENESS},
    [CANARY_LATE_WRITE] = {"late write", SIM_MEMORY},
    [CANARY_VARIANT] = {"variant", SIM_REPEAT},
    [CANARY_NOT_THE_SEED] = {"not the seed", SIM_REPEAT},
};

const char *sim_canary_name(enum sim_canary canary)
{
    return canaries[canary].name;
}

/* The first seed with a failure must fail the check that the bug is planted
 * for. */
bool sim_canary_is_found(enum sim_canary canary, uint64_t steps,
                         struct sim_result *result)
{
    for (uint64_t seed = 1; seed <= CANARY_SEEDS; seed++) {
        const struct sim_options options = {
            .seed = seed, .steps = steps, .canary = canary};

        sim_run(&options, result);
        if (result->failed != SIM_FINE)
            return result->failed == canaries[canary].check;
    }
    return false;
}
