/* device.h - commands of a medium's device, for pieces and runs.
 *
 * Submits bytes to the platform, keeps the position of the head, and learns
 * from completions: the pace of the medium, and the errors of the drive's
 * forecast. Thread: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_DEVICE_H
#define SPN_READ_DEVICE_H

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

struct io;
struct io_medium;

/* A command: bytes of the file of medium->chosen that the device reads at once.
 * Offsets are in the file. */
struct device_command {
    uint64_t offset; /* of the first byte */
    uint64_t end;    /* where the head will be */
    uint32_t bytes;  /* sum of the extents */
    const spn_extent *extents;
    uint32_t extent_count;
};

/* Number and indices of the reads of the command of a medium. */
uint32_t spn__device_count(const struct io_medium *medium);
uint32_t spn__device_read(const struct io_medium *medium, uint32_t i);
/* The command of a medium: its run, or its planned piece. */
struct device_command spn__device_command(const struct io *io,
                                          const struct io_medium *medium);

/* Submit a command to the platform. The command is reported before, because the
 * call may take as long as the read. Returns false if the platform refused it.
 */
bool spn__device_submit(struct io *io, struct io_medium *medium,
                        const struct device_command *command);
/* The device has the command: medium->chosen is active, and the head will be at
 * the end of the command. */
void spn__device_move_head(struct io *io, struct io_medium *medium,
                           const struct device_command *command);
/* The command came back with `bytes`, and the device is free.
 *
 * is_clean  all requested bytes arrived at the first try, so that the time can
 * be learnt */
void spn__device_free(struct io *io, struct io_medium *medium,
                      spn_status status, uint64_t bytes, bool is_clean);
/* Make the bytes that the device wrote visible to the processor. */
void spn__device_invalidate(const struct io *io,
                            const struct device_command *command);

/* Cancel the command, once. */
void spn__device_cancel(struct io *io, struct io_medium *medium);
/* Return whether no device has a command. */
bool spn__devices_are_free(const struct io *io);

#endif
