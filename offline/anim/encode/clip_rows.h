/* clip_rows.h - the rows of a clip, and their prediction errors: what the
 * segment writer takes.
 *
 * Places in a row are in the order of anim_window.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_ENCODE_CLIP_ROWS_H
#define OFFLINE_ANIM_ENCODE_CLIP_ROWS_H

#include "anim/anim_schedule.h"
#include "anim/encode/lattice.h"
#include "anim/encode/residual_cost.h"
#include "common/arena.h"

#include <stdint.h>

/* A track of a joint, or a float track, that is animated. */
struct row_track {
    uint32_t number; /* joint or float track */
    uint32_t kind;   /* enum anim_kind, up to ANIM_FLOAT */
    bool is_wide;    /* a translation of 32 bits */
    uint32_t place;  /* of its first component */
    uint32_t stride; /* from there to the next component */
};

/* A float track on its lattice. */
struct float_lattice {
    enum anim_form form;
    float center;
    uint32_t step_code;
    int32_t *values; /* [frame]; animated only */
};

struct clip_rows {
    const struct residual_code *code;
    uint32_t frame_count;
    uint32_t segment_frames;
    uint32_t length; /* places of a row and of wide translations */
    uint32_t track_count;
    struct row_track *tracks; /* in the order of places */
    uint32_t *track_of;       /* [joint or float track][kind]; kind is 0..3 */
    /* [frame][place]: of the first frame of a segment the value to be coded;
     * of others the prediction error. */
    int32_t *residuals;
    /* The parameters of anim_activity.h. */
    uint8_t *coding; /* [place] */
    uint32_t level_code[ANIM_LEVELS];
};

/* Bring float tracks onto lattices; errors are at most about `precision`, or
 * larger for ranges of more than 2^16 times it. */
struct float_lattice *clip_rows_floats(const struct dense_clip *clip,
                                       double precision, struct arena *arena);

/* Make the rows of a clip: residuals and parameters. */
void clip_rows_make(struct clip_rows *rows, const struct lattice *lattice,
                    const struct float_lattice *floats, uint32_t segment_frames,
                    struct arena *arena);

#endif
