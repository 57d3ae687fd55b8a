/* device.h - what pieces and runs have in common at the device of a medium.
 *
 * Submits bytes to the platform, keeps track of the head, and learns from what
 * comes back: the pace of the medium, and how far the forecast of a known drive
 * was off. Owner: the io thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_DEVICE_H
#define SPN_READ_DEVICE_H

#include <spindle/platform.h>
#include <stdbool.h>
#include <stdint.h>

struct io;
struct io_medium;

/* Give bytes of a file to the platform. It is reported before, for the call may
 * take as long as the read. False: the platform refused them. */
bool spn__device_submit(struct io *io, struct io_medium *medium,
                        spn_platform_file file, uint64_t offset,
                        const spn_extent *extents, uint32_t extent_count);
/* Bytes from `begin` to `end` of the file of read `index` are at the device: it
 * is active, and the head will be at `end`. */
void spn__device_move_head(struct io *io, struct io_medium *medium,
                           uint32_t index, uint64_t begin, uint64_t end);
/* `bytes` came back: the device is free. `is_clean`: all that was asked for, at
 * the first try, so that its time tells about the drive. */
void spn__device_free(struct io *io, struct io_medium *medium,
                      spn_status status, uint64_t bytes, bool is_clean);
/* Make bytes that a device wrote visible to the processor. */
void spn__device_invalidate(const struct io *io, const spn_extent *extents,
                            uint32_t extent_count);

/* Ask the device once to end what it has early. */
void spn__device_cancel(struct io *io, struct io_medium *medium);
/* Is nothing at any device? */
bool spn__devices_are_free(const struct io *io);

#endif
