/* emulator.h - a disc drive around the files of another platform.
 *
 * A game on a PC gives the runtime this table instead of its own, and its
 * reads take as long as they would on the drive:
 *
 *   const spn_emulator_drive drive = {
 *       .profile = spn_drive_profile_find("x360_dvd12x")};
 *   spn_emulator_config config = {
 *       .platform = &real, .drives = &drive, .drive_count = 1};
 *   size_t bytes = spn_emulator_bytes(&config);
 *   void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
 *   spn_emulator_init(&config, memory, bytes, &emulator, &platform);
 *   runtime_config.platform = &platform;
 *
 * The bytes are those of the wrapped platform. A read is handed on at once,
 * and completes when both the wrapped platform and the drive are done, on the
 * wrapped platform's clock, real or virtual. Nothing here sleeps: read_poll
 * answers SPN_PENDING and the time at which to ask again, so other media go on
 * meanwhile, and a platform without threads works as well. Everything but
 * files and reads is passed on.
 *
 * Each drive takes one read at a time, and so do the files that lie on none,
 * by their medium: read_submit is SPN_ERR_ARG for a second. The wrapped
 * platform is given one at a time on each of its own media, in order of
 * arrival: what it wants, whatever the drives are.
 *
 * A read that was cancelled ends at once, with SPN_ERR_IO where the drive had
 * not brought all of it. One that the drive had begun it finishes before it
 * begins the next; one that still waited for another costs it nothing, and does
 * not stand in the statistics.
 *
 * Nothing is allocated; all state lies in the caller's memory.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_EMULATOR_H
#define SPINDLE_EMULATOR_H

#include <spindle/drive_profile.h>
#include <spindle/platform.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spn_emulator spn_emulator;

#define SPN_EMULATOR_DRIVES_MAX 4u

/* As a place's drive: its files are read as fast as they are. So are, whatever
 * their place says, files that the wrapped platform has in memory. */
#define SPN_EMULATOR_NO_DRIVE UINT32_MAX

typedef struct spn_emulator_drive {
    const spn_drive_profile *profile; /* copied; spn_drive_profile_check */
    uint32_t is_hard_disk; /* the medium of its files is SPN_MEDIUM_HARD_DISK;
                            * 0: SPN_MEDIUM_OPTICAL */
    uint32_t is_stopped;   /* the first read waits for the disc to spin up; 0:
                            * it spins already */
} spn_emulator_drive;

/* Where files lie. The first place that fits a path counts; a path that none
 * fits is placed as if {"*", 0, 0} stood at the end.
 *
 * A pattern fits a path from its first byte on, or from the byte behind any
 * of its slashes: "music/a.ogg" fits "game/music/a.ogg". It fits to the
 * path's end, or, where it ends in `*`, up to there.
 *
 * A pattern with `*` stands for many files: they lie one behind the other from
 * `offset` on, in the order in which each is opened for the first time, at
 * multiples of 2048 bytes. Places may overlap: it is a matter of time only. A
 * file that reaches beyond the end of its disc cannot be opened: SPN_ERR_IO,
 * and a line in the log. */
typedef struct spn_emulator_place {
    const char *pattern; /* UTF-8, not empty */
    uint32_t drive;      /* index, or SPN_EMULATOR_NO_DRIVE */
    uint64_t offset;     /* first byte, on the drive's disc */
} spn_emulator_place;

/* What can go wrong.
 *
 * Two faults lie in a range of the disc. A read that touches a block (ECC
 * block of the profile) with a byte of the range has the drive try again, some
 * turns each time, and leaves it slow for a while, as the profile says.
 *
 * Three are spans of time. A read that is under way when one begins starts
 * over when it is over. */
typedef enum spn_emulator_fault_kind {
    /* Each such block takes `retries` tries more; then its bytes come. */
    SPN_EMULATOR_BAD_SECTORS = 1,
    /* After `retries` tries at the first such block the read ends with
     * SPN_ERR_IO, and without a byte. */
    SPN_EMULATOR_UNREADABLE = 2,
    /* The drive does nothing; the disc spins on. */
    SPN_EMULATOR_STALL = 3,
    /* Reads wait until the tray is closed and the disc has spun up; with
     * `is_failing` they end with SPN_ERR_IO at once. */
    SPN_EMULATOR_TRAY_OPEN = 4,
    /* Another disc lies in the drive: it spins up, is not the right one, and
     * reads end with SPN_ERR_IO. When the right one is back, it spins up. */
    SPN_EMULATOR_DISC_SWAPPED = 5
} spn_emulator_fault_kind;

/* What is zero fits everything. */
typedef struct spn_emulator_fault {
    spn_emulator_fault_kind kind;
    uint32_t drive;     /* index */
    uint64_t begin_us;  /* since spn_emulator_init */
    uint64_t length_us; /* 0: for ever */
    /* the two of a range */
    uint64_t offset;  /* on the disc, or in `file` */
    uint64_t bytes;   /* 0: to its end */
    uint32_t retries; /* 0 costs no time, but for UNREADABLE the read */
    uint32_t times;   /* so many reads are hit, then it is healed; 0: all */
    /* an open tray */
    uint32_t is_failing; /* 1: see above */
    /* the two of a range: the path of a file of the drive, as it is opened,
     * in which the range then lies; it ends with it at the latest. NULL: on
     * the disc */
    const char *file;
} spn_emulator_fault;

typedef struct spn_emulator_config {
    const spn_platform *platform; /* wrapped; the table is copied. All file
                                   * functions but read_cancel, and now_us */
    const spn_emulator_drive *drives;
    uint32_t drive_count;             /* 1..SPN_EMULATOR_DRIVES_MAX */
    const spn_emulator_place *places; /* live as long as the emulator */
    uint32_t place_count;
    const spn_emulator_fault *faults; /* the same, and do not change */
    uint32_t fault_count;
    uint32_t file_count; /* different files that are ever opened: more are
                          * SPN_ERR_IO. 56 bytes each; 0: 1024 */
} spn_emulator_config;

/* From when on the end of a read was noticed late: see taken_late. */
#define SPN_EMULATOR_LATE_US 2000u

/* What a drive did. Times are microseconds. */
typedef struct spn_emulator_stats {
    uint64_t reads;
    uint64_t bytes;       /* moved for reads: of one that failed those before
                           * the bad block, or none */
    uint64_t failed;      /* reads ended by a fault */
    uint64_t seeks;       /* moves of the head */
    uint64_t travel_um;   /* its way along the radius, in micrometres */
    uint64_t buffer_hits; /* reads whose first block had been read ahead */
    uint64_t retries;     /* of bad blocks */
    uint64_t busy_us;     /* the sum of the next seven */
    uint64_t command_us;  /* until it begins */
    uint64_t seek_us;     /* head, layer */
    uint64_t rotate_us;   /* until the sector comes round */
    uint64_t gap_us;      /* reading through what lies before it */
    uint64_t transfer_us; /* moving bytes */
    uint64_t retry_us;    /* bad blocks */
    uint64_t spin_us;     /* spinning up at a first read */
    uint64_t wait_us;     /* for stalls and trays that ended, starting over
                           * and spinning up included */
    uint64_t taken_late;  /* reads whose end was noticed more than
                           * SPN_EMULATOR_LATE_US after the drive was done with
                           * them: the real machine was too slow */
    uint64_t latest_us;   /* the longest of all such delays */
} spn_emulator_stats;

/* What lies in a drive at this moment. The table tells it as the disc of the
 * medium, too. */
typedef enum spn_emulator_disc {
    SPN_EMULATOR_DISC_IN = SPN_DISC_IN,
    SPN_EMULATOR_DISC_OUT = SPN_DISC_OUT,    /* the tray is open */
    SPN_EMULATOR_DISC_OTHER = SPN_DISC_OTHER /* it was swapped */
} spn_emulator_disc;

/* Bytes that spn_emulator_init needs; 0 when the config is NULL or invalid: a
 * pointer that must be there is NULL, a count or index out of its range, a
 * profile that spn_drive_profile_check refuses, a place or fault that begins
 * beyond its disc, an empty pattern. Thread: any. */
size_t spn_emulator_bytes(const spn_emulator_config *config);

/* Start an emulator in `memory`, aligned to 64, which is the emulator's until
 * the runtime that uses `table` has shut down. SPN_ERR_ARG, as above;
 * SPN_ERR_MEMORY. Thread: any. */
SPN_NODISCARD spn_status spn_emulator_init(const spn_emulator_config *config,
                                           void *memory, size_t bytes,
                                           spn_emulator **emulator,
                                           spn_platform *table);

/* When the next read under way will end, as far as is known; UINT64_MAX: none
 * is, or nobody knows. A read of which the wrapped platform has the bytes
 * already is known from this call on, without an update in between. For whoever
 * moves a virtual clock. Thread: the io thread's. */
uint64_t spn_emulator_due_us(spn_emulator *emulator);

/* Since init; a read counts from when it was submitted. SPN_ERR_ARG for a
 * drive that is none. Thread: any. */
spn_status spn_emulator_get_stats(const spn_emulator *emulator, uint32_t drive,
                                  spn_emulator_stats *out);
/* The same errors. Thread: any. */
spn_status spn_emulator_get_disc(const spn_emulator *emulator, uint32_t drive,
                                 spn_emulator_disc *out);

#ifdef __cplusplus
}
#endif
#endif
