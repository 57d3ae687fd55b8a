/* emulator.h - a platform table that makes reads as slow as on a disc drive.
 *
 * The emulator wraps another platform table. A game on a PC gives the
 * emulator's table to the runtime, and its reads take as long as on the drive
 * of a drive profile (drive_profile.h):
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
 * The emulator is a tool for development. It is a library of its own,
 * libspindle-emulator.a, which is linked before libspindle.a.
 *
 * Terms. A *read* is one call of read_submit. An *ECC block* is the smallest
 * part of a disc that a drive can read. The *model* of a drive is the
 * arithmetic of drive_profile.h: it gives the time that each read takes. The
 * *I/O thread* is the thread of the runtime that submits reads (platform.h).
 *
 * The bytes of a read come from the wrapped platform. The emulator reports the
 * completion of a read when two conditions hold: the wrapped platform has
 * delivered the bytes; and the time that the model gives has passed on the
 * wrapped platform's clock, which may be real or simulated. No function of the
 * emulator sleeps: read_poll returns SPN_PENDING and the time at which to call
 * it again. So other media go on meanwhile, and a platform without threads
 * works, too. Functions that have nothing to do with files and reads are passed
 * on to the wrapped platform.
 *
 * At most one read is outstanding on each drive. For files that lie on no
 * drive, at most one is outstanding on each medium. read_submit returns
 * SPN_ERR_ARG for a second one. The wrapped platform gets one read at a time on
 * each of its own media, in the order in which the reads were submitted.
 *
 * A cancelled read ends at once, with SPN_ERR_IO unless the drive has delivered
 * all of it. A drive that has begun the read still finishes it, before it
 * begins the next one. If the drive has not begun the read, the read takes no
 * time and is not counted.
 *
 * The emulator allocates nothing; its state is in the caller's memory.
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

/* As spn_emulator_place.drive: the files lie on no drive, and are as fast as
 * the wrapped platform. Files that the wrapped platform has in memory are
 * always on no drive. */
#define SPN_EMULATOR_NO_DRIVE UINT32_MAX

typedef struct spn_emulator_drive {
    const spn_drive_profile *profile; /* copied; must pass
                                       * spn_drive_profile_check */
    uint32_t is_hard_disk; /* the medium of its files. 1: SPN_MEDIUM_HARD_DISK;
                            * 0: SPN_MEDIUM_OPTICAL */
    uint32_t is_stopped;   /* 1: at first the disc does not spin, and the first
                            * read waits for it; 0: it spins */
} spn_emulator_drive;

/* Where files lie. A file is at the first place whose pattern fits its path. If
 * no pattern fits, the file is at {"*", 0, 0}: on the first drive, from byte 0
 * on.
 *
 * A pattern fits a path that is equal to it, and a path that ends with a slash
 * and the pattern: "music/a.ogg" fits "game/music/a.ogg". If the last character
 * of the pattern is `*`, any characters may follow in the path: "music/"
 * followed by `*` fits "game/music/a.ogg", too.
 *
 * All files of a pattern with `*` lie one behind the other from `offset` on, in
 * the order in which they are opened for the first time, each at a multiple of
 * 2048 bytes. Places may overlap, because they only determine times. A file
 * that extends beyond the end of its disc cannot be opened: file_open returns
 * SPN_ERR_IO and writes a line to the log. */
typedef struct spn_emulator_place {
    const char *pattern; /* UTF-8, not empty */
    uint32_t drive;      /* index in spn_emulator_config.drives, or
                          * SPN_EMULATOR_NO_DRIVE */
    uint64_t offset;     /* position of the first byte on the drive's disc */
} spn_emulator_place;

/* Kinds of faults that the emulator injects.
 *
 * BAD_SECTORS and UNREADABLE concern a range of bytes on the disc. The drive
 * cannot read an ECC block (spn_drive_profile.ecc_bytes) that contains a byte
 * of the range, and tries it again. Each repetition takes
 * spn_drive_profile.retry_turns turns of the disc. After that, the drive reads
 * at a lower rate (slow_percent) for a while (slow_us).
 *
 * The other kinds concern the whole drive for a time. If a read is under way
 * when the fault begins, the drive starts it again when the fault ends. */
typedef enum spn_emulator_fault_kind {
    /* After `retries` repetitions the block is read successfully. */
    SPN_EMULATOR_BAD_SECTORS = 1,
    /* After `retries` repetitions of the first bad block, the read ends with
     * SPN_ERR_IO and delivers nothing. */
    SPN_EMULATOR_UNREADABLE = 2,
    /* The drive does not respond; the disc keeps spinning. */
    SPN_EMULATOR_STALL = 3,
    /* The tray is open. Reads wait until it is closed and the disc spins; with
     * `is_failing` they end with SPN_ERR_IO at once. */
    SPN_EMULATOR_TRAY_OPEN = 4,
    /* Another disc is in the drive. Reads end with SPN_ERR_IO after that disc
     * has spun up. At the end of the fault the right disc is in the drive
     * again, and spins up, too. */
    SPN_EMULATOR_DISC_SWAPPED = 5
} spn_emulator_fault_kind;

/* One fault. */
typedef struct spn_emulator_fault {
    spn_emulator_fault_kind kind;
    uint32_t drive;     /* index in spn_emulator_config.drives */
    uint64_t begin_us;  /* since spn_emulator_init */
    uint64_t length_us; /* 0: without end */
    /* Only BAD_SECTORS and UNREADABLE: */
    uint64_t offset; /* first byte of the range, on the disc or in `file` */
    uint64_t bytes; /* length of the range; 0: to the end of the disc or file */
    uint32_t retries; /* may be 0; then UNREADABLE fails at once */
    uint32_t times;   /* number of reads that meet the range before it becomes
                       * good; 0: it stays bad */
    /* Only TRAY_OPEN: */
    uint32_t is_failing; /* 1: reads fail instead of waiting */
    /* Only BAD_SECTORS and UNREADABLE: path of a file on the drive, as it is
     * given to file_open; the range is cut at the file's end. NULL: the range
     * is on the disc */
    const char *file;
} spn_emulator_fault;

typedef struct spn_emulator_config {
    const spn_platform *platform; /* to be wrapped; copied. Needs now_us and all
                                   * file and read functions but read_cancel */
    const spn_emulator_drive *drives;
    uint32_t drive_count;             /* 1..SPN_EMULATOR_DRIVES_MAX */
    const spn_emulator_place *places; /* must exist as long as the emulator */
    uint32_t place_count;
    const spn_emulator_fault *faults; /* must exist as long as the emulator, and
                                       * not change */
    uint32_t fault_count;
    uint32_t file_count; /* most different files that are ever opened; file_open
                          * returns SPN_ERR_IO for further ones. Each costs 56
                          * bytes. 0: 1024 */
} spn_emulator_config;

/* A completion that is taken more than this after its time is late, see
 * spn_emulator_stats.taken_late. */
#define SPN_EMULATOR_LATE_US 2000u

/* Statistics of a drive. Times are in microseconds of the drive's model. */
typedef struct spn_emulator_stats {
    uint64_t reads;
    uint64_t bytes;       /* delivered bytes. For a read that failed at a bad
                           * block: the bytes before it, or none */
    uint64_t failed;      /* reads that a fault ended */
    uint64_t seeks;       /* moves of the head */
    uint64_t travel_um;   /* length of these moves along the radius, in
                           * micrometres */
    uint64_t buffer_hits; /* reads that began in the read-ahead buffer */
    uint64_t retries;     /* repetitions of bad blocks */
    uint64_t busy_us;     /* the sum of the next seven fields */
    uint64_t command_us;  /* processing commands */
    uint64_t seek_us;     /* moving the head, changing the layer */
    uint64_t rotate_us;   /* waiting for the sector */
    uint64_t gap_us;      /* reading through a gap instead of seeking */
    uint64_t transfer_us; /* transferring bytes */
    uint64_t retry_us;    /* repeating bad blocks */
    uint64_t spin_us;     /* spinning up for a first read */
    uint64_t wait_us;     /* waiting for the end of stalls and open trays, with
                           * spinning up and starting reads again; not part of
                           * busy_us */
    uint64_t taken_late;  /* completions that were taken more than
                           * SPN_EMULATOR_LATE_US late, because the real machine
                           * was too slow */
    uint64_t latest_us;   /* the longest such delay */
} spn_emulator_stats;

/* The state of a drive's disc. The emulator's table also reports it by
 * medium_disc. */
typedef enum spn_emulator_disc {
    SPN_EMULATOR_DISC_IN = SPN_DISC_IN,
    SPN_EMULATOR_DISC_OUT = SPN_DISC_OUT,    /* SPN_EMULATOR_TRAY_OPEN */
    SPN_EMULATOR_DISC_OTHER = SPN_DISC_OTHER /* SPN_EMULATOR_DISC_SWAPPED */
} spn_emulator_disc;

/* The number of bytes that spn_emulator_init needs. 0 if the config is NULL or
 * invalid: a needed pointer is NULL, a count or index is out of its range, a
 * profile fails spn_drive_profile_check, a place or fault begins beyond its
 * disc, or a pattern is empty. Thread: any. */
size_t spn_emulator_bytes(const spn_emulator_config *config);

/* Create an emulator in a piece of memory.
 *
 * memory    `bytes` long, aligned to 64. It belongs to the emulator until the
 *           runtime that uses `table` has shut down
 * emulator  the result
 * table     is filled in, for spn_config.platform
 *
 * Returns SPN_ERR_ARG if the config is invalid, a pointer is NULL or the memory
 * is not aligned; SPN_ERR_MEMORY if `bytes` is less than spn_emulator_bytes.
 * Thread: any. */
SPN_NODISCARD spn_status spn_emulator_init(const spn_emulator_config *config,
                                           void *memory, size_t bytes,
                                           spn_emulator **emulator,
                                           spn_platform *table);

/* Get the time at which the next outstanding read will end, so that the owner
 * of a simulated clock can advance it. UINT64_MAX if there is none, or if it is
 * not known because the wrapped platform has not delivered the bytes. Bytes
 * that are available are collected by this call. Thread: the I/O thread. */
uint64_t spn_emulator_due_us(spn_emulator *emulator);

/* Get the statistics of a drive since spn_emulator_init. A read counts as soon
 * as it is submitted. SPN_ERR_ARG if there is no such drive, or a pointer is
 * NULL. Thread: any. */
spn_status spn_emulator_get_stats(const spn_emulator *emulator, uint32_t drive,
                                  spn_emulator_stats *out);
/* Get the state of a drive's disc. The same errors. Thread: any. */
spn_status spn_emulator_get_disc(const spn_emulator *emulator, uint32_t drive,
                                 spn_emulator_disc *out);

#ifdef __cplusplus
}
#endif
#endif
