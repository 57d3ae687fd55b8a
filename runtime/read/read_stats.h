/* read_stats.h - the numbers of spindle/io_stats.h.
 *
 * They come from completed reads, which are counted here, and from the latest
 * report of the io thread (io_report.h). Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_READ_STATS_H
#define SPN_READ_READ_STATS_H

#include <spindle/io_stats.h>
#include <spindle/read.h>
#include <stdbool.h>
#include <stdint.h>

struct device_report;
struct io;
struct io_request;
struct pace;

/* Count a read that is being completed. */
void spn__io_count_completion(struct io *io, const struct io_request *request);

/* How fast reads of a medium are served, by the pieces that had come back
 * before the last call of spn__io_finish. */
const struct pace *spn__io_pace(const struct io *io, spn_medium medium);

/* What the io thread has reported last about a device. Valid until the next
 * call of a function of this header or of spn__io_finish. */
const struct device_report *spn__io_device_report(struct io *io,
                                                  spn_medium medium);

/* The functions of spindle/io_stats.h. */
void spn__io_get_stats(struct io *io, spn_io_stats *out);
void spn__io_get_medium_stats(struct io *io, spn_medium medium,
                              spn_medium_stats *out);
void spn__io_get_task_stats(struct io *io, spn_task task, spn_task_stats *out);
void spn__io_reset_stats(struct io *io);

#endif
