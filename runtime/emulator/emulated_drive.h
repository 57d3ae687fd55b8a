/* emulated_drive.h - a drive, what goes wrong with it, and what it did.
 *
 * Knows no platform: a read is charged when it is submitted, and the answer is
 * when it ends and how. Times are microseconds on the caller's clock.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_EMULATOR_EMULATED_DRIVE_H
#define SPN_EMULATOR_EMULATED_DRIVE_H

#include "base/snapshot.h"
#include "disc/drive.h"

#include <spindle/emulator.h>

#define EMULATED_DRIVE_STATS_WORDS (sizeof(spn_emulator_stats) / 4)

/* What is known of a fault of a range. */
struct emulated_fault {
    uint64_t first; /* byte of the disc; behind the last: it lies nowhere yet */
    uint64_t last;
    uint32_t hits;        /* reads */
    uint32_t hits_before; /* the last read */
};

struct emulated_drive {
    /* fixed after init */
    spn_drive_profile profile;
    const spn_emulator_fault *faults; /* of all drives */
    uint32_t fault_count;
    uint32_t index; /* which of them are its own */
    uint64_t origin_us;
    /* io thread */
    struct drive drive;
    struct emulated_fault *met; /* one for each fault, of all drives */
    spn_emulator_stats stats;
    /* as they were before the last read, and when the drive begins it; 0: it
     * was taken back, or there was none */
    struct drive drive_before;
    spn_emulator_stats stats_before;
    uint64_t begin_us;
    /* written by the io thread, read by any */
    struct snapshot published;
    struct atomic_u32 words[EMULATED_DRIVE_STATS_WORDS];
};

/* `met` are the caller's, one for each fault, and shared by all drives. The
 * profile is good. */
void spn__emulated_drive_init(struct emulated_drive *drive,
                              const spn_emulator_config *config, uint32_t index,
                              struct emulated_fault *met, uint64_t now_us);
/* A file is opened that lies on the disc from `offset` on: faults of its name
 * that lie nowhere yet lie there. */
void spn__emulated_drive_place(struct emulated_drive *drive, const char *path,
                               uint64_t offset, uint64_t bytes);
/* Charge a read that lies on the disc: *due_us is when it ends (UINT64_MAX:
 * never, for all that is known). SPN_OK; SPN_ERR_IO when it then ends with
 * that. */
SPN_NODISCARD spn_status spn__emulated_drive_read(struct emulated_drive *drive,
                                                  uint64_t offset,
                                                  uint64_t bytes,
                                                  uint64_t now_us,
                                                  uint64_t *due_us);
/* The last read is wanted no more: where it was still to begin, it never was.
 */
void spn__emulated_drive_take_back(struct emulated_drive *drive,
                                   uint64_t now_us);
/* The end of one was noticed so long after it. */
void spn__emulated_drive_note_taken(struct emulated_drive *drive,
                                    uint64_t late_us);
/* Any thread. */
void spn__emulated_drive_get_stats(const struct emulated_drive *drive,
                                   spn_emulator_stats *out);
spn_emulator_disc spn__emulated_drive_get_disc(
    const struct emulated_drive *drive, uint64_t now_us);

#endif
