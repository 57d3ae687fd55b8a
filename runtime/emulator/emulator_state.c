/* emulator_state.c - the invariants of an emulator. */
/* SPDX-License-Identifier: MIT */
#include "emulator/emulator_state.h"

#include "disc/drive_disc.h"

static bool is_file_good(const spn_emulator *e, const struct emulated_file *f)
{
    uint64_t disc;

    if (!f->is_open || f->drive == SPN_EMULATOR_NO_DRIVE)
        return true;
    if (f->drive >= e->drive_count)
        return false;
    disc = spn__drive_disc_bytes(&e->drives[f->drive].profile);
    return f->offset <= disc && f->bytes <= disc - f->offset;
}

bool spn__emulator_check(const spn_emulator *e)
{
    for (uint32_t i = 0; i < e->file_count; i++)
        if (!is_file_good(e, &e->files[i]))
            return false;
    for (uint32_t i = 0; i < e->drive_count; i++)
        if (!spn__emulated_drive_check(&e->drives[i]))
            return false;
    return spn__reads_check(&e->reads) &&
           e->places.file_count <= e->places.file_capacity;
}
