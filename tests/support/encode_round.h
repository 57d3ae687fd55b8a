/* encode_round.h - a synthetic clip encoded to memory, for tests of the
 * encoder.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_TESTS_ENCODE_ROUND_H
#define SPN_TESTS_ENCODE_ROUND_H

#include "support/synthetic_clip.h"

struct round {
    struct synthetic_clip clip;
    struct compile_options options;
    struct memory_sink memory;
    struct diag diag;
};

enum lifting { CLASSIC, LIFTED, LIFTED_BY_RINGS, LAYERED };

/* Fails the claim when the encoder refuses the clip. */
void round_encode(struct round *r, const struct synthetic_options *o,
                  enum lifting lifting, uint32_t distance, bool no_b_frames,
                  uint32_t jobs);
void round_end(struct round *r);

#endif
