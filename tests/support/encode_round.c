/* encode_round.c - see encode_round.h.
 */
/* SPDX-License-Identifier: MIT */
#include "support/encode_round.h"

#include "harness.h"

#include <string.h>

void round_encode(struct round *r, const struct synthetic_options *o,
                  enum lifting lifting, uint32_t distance, bool no_b_frames,
                  uint32_t jobs)
{
    const bool is_lifted = lifting != CLASSIC;

    memset(r, 0, sizeof *r);
    synthetic_make(&r->clip, o);
    compile_options_default(&r->options);
    r->options.is_lifted = is_lifted;
    r->options.lifts_all = is_lifted;
    r->options.guesses_all = lifting == LIFTED_BY_RINGS;
    r->options.is_fast = lifting == LIFTED;
    r->options.is_layered = lifting == LAYERED;
    r->options.index_distance = distance ? distance : 10;
    r->options.lifted_distance = distance;
    r->options.no_b_frames = no_b_frames;
    r->options.jobs = jobs;
    diag_init(&r->diag);
    r->diag.is_silent = true;
    if (!synthetic_encode(&r->clip, &r->options, &r->diag, &r->memory))
        test_fail(__FILE__, __LINE__, "refused: %s", r->diag.text);
}

void round_end(struct round *r)
{
    memory_sink_free(&r->memory);
    synthetic_free(&r->clip);
    diag_finish(&r->diag);
}
