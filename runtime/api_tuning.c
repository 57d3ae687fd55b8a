/* api_tuning.c - public functions for tuning variables (spindle/tuning.h). */
/* SPDX-License-Identifier: MIT */
#include "base/tuning_table.h"
#include "runtime.h"

static uint64_t bytes_of(const struct spn_runtime *rt, enum tuning_index index)
{
    return (uint64_t)rt->tuning->value[index] * 1024;
}

/* Pass on the variables that other threads use. The rest is read where it is
 * needed. */
static void apply(struct spn_runtime *rt, uint32_t index)
{
    if (index == TUNING_read_budget_kib)
        spn__io_set_budget(rt->io, bytes_of(rt, TUNING_read_budget_kib));
    if (index == TUNING_time_group_ms)
        spn__io_set_time_group(rt->io,
                               rt->tuning->value[TUNING_time_group_ms] * 1000);
}

spn_status spn_tuning_set(spn_runtime *rt, const char *name, const char *value)
{
    spn_status status;

    if (!has_runtime(rt) || !name || !value)
        return SPN_ERR_ARG;
    if (spn__tuning_find(name) == TUNING_use_anim_image)
        return SPN_ERR_STATE;
    status = spn__tuning_set(rt->tuning, name, value);
    if (status == SPN_OK)
        apply(rt, spn__tuning_find(name));
    return status;
}

spn_status spn_tuning_get(const spn_runtime *rt, uint32_t index,
                          spn_tuning *out)
{
    if (!has_runtime(rt) || !out)
        return SPN_ERR_ARG;
    return spn__tuning_get(rt->tuning, index, out);
}

spn_status spn_tuning_find(const char *name, uint32_t *index)
{
    uint32_t found;

    if (!name || !index)
        return SPN_ERR_ARG;
    found = spn__tuning_find(name);
    if (found == TUNING_COUNT)
        return SPN_ERR_NOT_FOUND;
    *index = found;
    return SPN_OK;
}
