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

/* Submit a command to the platform. The command is reported before, because the
 * call may take as long as the read. Returns false if the platform refused it.
 */
bool spn__device_submit(struct io *io, struct io_medium *medium,
                        spn_platform_file file, uint64_t offset,
                        const spn_extent *extents, uint32_t extent_count);
/* The command has the bytes from `begin` to `end` of the file of read `index`:
 * the read is active, and the head will be at `end`. */
void spn__device_move_head(struct io *io, struct io_medium *medium,
                           uint32_t index, uint64_t begin, uint64_t end);
/* The command came back with `bytes`, and the device is free.
 *
 * is_clean  all requested bytes arrived at the first try, so that the time can
 * be learnt */
void spn__device_free(struct io *io, struct io_medium *medium,
                      spn_status status, uint64_t bytes, bool is_clean);
/* Make bytes that a device wrote visible to the processor. */
void spn__device_invalidate(const struct io *io, const spn_extent *extents,
                            uint32_t extent_count);

/* Cancel the command, once. */
void spn__device_cancel(struct io *io, struct io_medium *medium);
/* Return whether no device has a command. */
bool spn__devices_are_free(const struct io *io);

#endif
