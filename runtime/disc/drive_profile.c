/* drive_profile.c - validation of profiles, and the built-in ones, whose
 * constants are in drive_constants.h.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/drive_profile.h>

#include "base/text.h"
#include "disc/drive_zones.h"

#include <stdbool.h>
#include <stddef.h>

#define SECOND_US 1000000u

#define DRIVE(drive_name, drive_about, ...)                                    \
    {.name = drive_name, .about = drive_about, __VA_ARGS__},
#define FACT(field, source, ...) .field = __VA_ARGS__
#define ASSUMED FACT

static const spn_drive_profile profiles[] = {
#include "disc/drive_constants.h"
};

static bool is_within(uint64_t value, uint64_t low, uint64_t high)
{
    return value >= low && value <= high;
}

/* Not empty, and with a NUL within its array. */
static bool is_text(const char *text, uint32_t capacity)
{
    for (uint32_t i = 0; i < capacity; i++)
        if (text[i] == '\0')
            return i > 0;
    return false;
}

static bool is_piece(const spn_drive_piece *piece)
{
    return piece->base_us <= 60 * SECOND_US;
}

static const char *find_disc_fault(const spn_drive_profile *p)
{
    if (!is_within(p->layers, 1, 2))
        return "layers";
    if (!is_within(p->layer_bytes, 65536, (uint64_t)1 << 46))
        return "layer_bytes";
    if (!is_within(p->radius_in_um, 100, 500000))
        return "radius_in_um";
    if (!is_within(p->radius_out_um, p->radius_in_um + 1, 500000))
        return "radius_out_um";
    if (!is_within(p->pitch_nm, 1, 1000000))
        return "pitch_nm";
    if (!is_within(p->ecc_bytes, 1, 1u << 20) || p->ecc_bytes > p->layer_bytes)
        return "ecc_bytes";
    if (p->motion == SPN_DRIVE_ZONES &&
        (p->layers != 1 || p->layer_bytes > DRIVE_ZONES_BYTES))
        return "layer_bytes";
    return NULL;
}

static const char *find_motion_fault(const spn_drive_profile *p)
{
    if ((uint32_t)p->motion > SPN_DRIVE_ZONES)
        return "motion";
    if (p->rate_in < 1000)
        return "rate_in";
    if (p->rate_out < p->rate_in)
        return "rate_out";
    if (p->motion != SPN_DRIVE_CAV && p->rate_out != p->rate_in)
        return "rate_out";
    if (p->turns_mhz != 0 && !is_within(p->turns_mhz, 1000, 10000000))
        return "turns_mhz";
    if (p->interface_rate < 1000)
        return "interface_rate";
    return NULL;
}

static const char *find_time_fault(const spn_drive_profile *p)
{
    if ((uint32_t)p->distance > SPN_DRIVE_BY_BYTES)
        return "distance";
    if (p->seek.unit == 0)
        return "seek.unit";
    if (!is_piece(&p->seek.near_piece))
        return "seek.near_piece";
    if (!is_piece(&p->seek.far_piece))
        return "seek.far_piece";
    if (p->seek_blocks > 1)
        return "seek_blocks";
    if (p->layer_us > 60 * SECOND_US)
        return "layer_us";
    if (p->command_us > SECOND_US)
        return "command_us";
    if (p->spin_up_us > 60 * SECOND_US)
        return "spin_up_us";
    if (p->retry_turns > 1000)
        return "retry_turns";
    if (!is_within(p->slow_percent, 1, 100))
        return "slow_percent";
    return NULL;
}

spn_status spn_drive_profile_check(const spn_drive_profile *profile,
                                   const char **what)
{
    const char *fault = NULL;

    if (!is_text(profile->name, SPN_DRIVE_NAME_BYTES))
        fault = "name";
    else if (!is_text(profile->about, SPN_DRIVE_ABOUT_BYTES))
        fault = "about";
    if (!fault)
        fault = find_motion_fault(profile);
    if (!fault)
        fault = find_disc_fault(profile);
    if (!fault)
        fault = find_time_fault(profile);
    if (!fault)
        return SPN_OK;
    *what = fault;
    return SPN_ERR_ARG;
}

const spn_drive_profile *spn_drive_profile_at(uint32_t index)
{
    return index < sizeof profiles / sizeof profiles[0] ? &profiles[index]
                                                        : NULL;
}

const spn_drive_profile *spn_drive_profile_find(const char *name)
{
    const spn_drive_profile *profile;

    for (uint32_t i = 0; (profile = spn_drive_profile_at(i)) != NULL; i++)
        if (spn__text_is_same(profile->name, name))
            return profile;
    return NULL;
}
