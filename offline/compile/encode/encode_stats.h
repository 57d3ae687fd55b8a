/* encode_stats.h - statistics of the encoder for the report.
 *
 * The functions fill compile_options.stats, and do nothing if that is NULL.
 * Call them from one thread at a time, in the order below and in the order of
 * frames.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_STATS_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_STATS_H

#include "compile/encode/encode_stream.h"

/* Before the first frame: make e->block_sums. */
void encoder_stats_begin(struct encoder *e);
/* After a frame is produced: add the quantization errors of its values. */
void encoder_stats_add_errors(const struct encoder *e,
                              const struct clip_frame *frame);
/* After a frame is encoded: add its size in the file, `bytes`, and the sizes
 * and codings of its blocks. */
void encoder_stats_add_frame(const struct encoder *e, uint32_t number,
                             enum cache_frame_type type, uint64_t bytes,
                             const struct stream_result *results);
/* After the last frame. */
void encoder_stats_end(const struct encoder *e);

#endif
