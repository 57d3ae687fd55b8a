/* game_faults.c - draw faults, one kind after the other. */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_faults.h"

#include "simulate/chance.h"

#include <string.h>

void game_faults_draw(const struct load *load, uint64_t us, uint64_t seed,
                      spn_emulator_fault *faults, uint32_t count)
{
    static const spn_emulator_fault_kind kinds[] = {
        SPN_EMULATOR_BAD_SECTORS, SPN_EMULATOR_UNREADABLE, SPN_EMULATOR_STALL,
        SPN_EMULATOR_TRAY_OPEN, SPN_EMULATOR_DISC_SWAPPED};
    struct chance chance;

    chance_start(&chance, seed, 100);
    for (uint32_t i = 0; i < count; i++) {
        spn_emulator_fault *f = &faults[i];

        memset(f, 0, sizeof *f);
        f->kind = kinds[i % 5];
        f->offset = load_any_position(load, chance_u64(&chance) >> 32);
        f->bytes = 1;
        f->retries = 1 + (uint32_t)chance_below(&chance, 6);
        f->times = 1 + (uint32_t)chance_below(&chance, 8);
        if (i % 5 < 2)
            continue;
        f->offset = 0;
        f->bytes = 0;
        f->retries = 0;
        f->times = 0;
        f->begin_us = chance_below(&chance, us > 0 ? us : 1);
        f->length_us = chance_size(&chance, 100000, 4000000);
        f->is_failing = (uint32_t)chance_below(&chance, 2);
    }
}
