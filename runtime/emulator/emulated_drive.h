/* emulated_drive.h - a drive of the emulator: its model, its faults, its
 * statistics.
 *
 * The whole read is computed when it is submitted: when it ends, and with which
 * status. Platforms and files are not known here; emulator.c connects them.
 * Offsets are bytes on the disc. Times are microseconds on the caller's clock.
 *
 * Thread: the io thread, except for the two getters.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_EMULATOR_EMULATED_DRIVE_H
#define SPN_EMULATOR_EMULATED_DRIVE_H

#include "base/snapshot.h"
#include "disc/drive.h"

#include <spindle/emulator.h>

#define EMULATED_DRIVE_STATS_WORDS (sizeof(spn_emulator_stats) / 4)

/* State of a fault in a range of the disc. */
struct emulated_fault_state {
    /* Range on the disc: the first and the last byte. first > last: the range
     * is not known, because the file of the fault was not opened yet. */
    uint64_t first;
    uint64_t last;
    uint32_t hits;        /* reads that the fault has affected */
    uint32_t hits_before; /* the same before the last read */
};

struct emulated_drive {
    /* fixed after init */
    spn_drive_profile profile;
    const spn_emulator_fault *faults; /* those of all drives */
    uint32_t fault_count;
    uint32_t index;     /* spn_emulator_fault.drive of its own faults */
    uint64_t origin_us; /* time 0 of the faults */
    /* io thread */
    struct drive drive;
    struct emulated_fault_state *states; /* one for each of `faults` */
    spn_emulator_stats stats;
    /* Copies from before the last read, for spn__emulated_drive_withdraw. */
    struct drive drive_before;
    spn_emulator_stats stats_before;
    uint64_t begin_us; /* when the drive begins the last read; 0: there was
                          none, or it was withdrawn */
    /* `stats` for any thread; written by the io thread */
    struct snapshot published;
    struct atomic_u32 words[EMULATED_DRIVE_STATS_WORDS];
};

/* Set up the drive `index` of a valid config, at time now_us.
 *
 * states  one for each fault of the config, shared by all drives */
void spn__emulated_drive_init(struct emulated_drive *drive,
                              const spn_emulator_config *config, uint32_t index,
                              struct emulated_fault_state *states,
                              uint64_t now_us);
/* Set the place of the file `path` on the disc: offset..offset + bytes - 1.
 * Faults that name this file and have no range yet get their range in it. */
void spn__emulated_drive_place(struct emulated_drive *drive, const char *path,
                               uint64_t offset, uint64_t bytes);
/* Charge a read, which must be within the disc.
 *
 * due_us  output: when it ends; UINT64_MAX: never, because a fault does not end
 *
 * Returns the status with which it ends: SPN_OK or SPN_ERR_IO. */
SPN_NODISCARD spn_status spn__emulated_drive_read(struct emulated_drive *drive,
                                                  uint64_t offset,
                                                  uint64_t bytes,
                                                  uint64_t now_us,
                                                  uint64_t *due_us);
/* Cancel the last read. If the drive has not begun it at now_us, the state from
 * before the read is restored, with its statistics. Otherwise there is no
 * effect: the drive finishes the read. */
void spn__emulated_drive_withdraw(struct emulated_drive *drive,
                                  uint64_t now_us);
/* Count a read whose completion was polled late_us after its end. */
void spn__emulated_drive_note_late(struct emulated_drive *drive,
                                   uint64_t late_us);
/* Whether all invariants hold: the model (spn__drive_check), the ranges and
 * hits of its faults, and the published statistics. O(faults). */
bool spn__emulated_drive_check(const struct emulated_drive *drive);
/* Get the statistics. Any thread. */
void spn__emulated_drive_get_stats(const struct emulated_drive *drive,
                                   spn_emulator_stats *out);
/* State of the disc at now_us, which follows from the faults: in the drive,
 * tray open, or another disc in the drive. Any thread. */
spn_emulator_disc spn__emulated_drive_disc_state(
    const struct emulated_drive *drive, uint64_t now_us);

#endif
