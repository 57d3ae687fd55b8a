/* encode_tangents.h - how the QTangents of each lifted mesh are predicted.
 *
 * Four modes exist. Two of them compute a guess of each QTangent from the
 * positions of the same frame, by weighted sums over the one-ring of the
 * vertex (codec/lift/one_ring.h). The guess needs no other frame, but it is
 * slow to decode and its weights are stored once for each part. Which mode is
 * smallest depends on the motion, so the encoder tries them on samples, before
 * it trains the Huffman tables of the channel. The steps, in this order:
 *
 *   1. List jobs: on one or two sample parts of each mesh, each candidate. A
 *      candidate is a mode and, if the mode has a guess, a quality: how precise
 *      the weights of the rings are, and how many bytes they take
 *      (one_ring_train.h).
 *   2. Evaluate all jobs on the worker threads. A job trains its candidate's
 *      weights for the part, searches predictions for a few frames, and
 *      estimates the bytes of all frames from the entropy of their residuals.
 *      Two modes with a guess of the same quality train the same rings, so
 *      these two candidates share a job.
 *   3. Choose for each mesh, from the sums over its sample parts, the candidate
 *      with the least frame_bytes + 0.4 static_bytes. Static bytes count less
 *      because they are read once, not each time the clip plays. A candidate
 *      with a guess must also be better than the best one without: its frames
 *      must be 7 % smaller, since it is slow to decode, and the file must not
 *      be larger.
 *   4. Train the chosen candidate for every part of every mesh, on the worker
 *      threads. The results go to the plan (lift_plan.h).
 *
 * The result does not depend on the number of threads. A job reads the clip,
 * the training frames and the plan, which nobody changes during step 2, and
 * writes only its own costs. A part is trained by one thread, which writes only
 * that part's entries of the plan. Step 3 runs on the calling thread, and adds
 * costs in the order of the list.
 *
 * Rings of a mesh whose UVs move take the tangent from the gradient of the UVs
 * (one_rings.by_uvs). All other rings take it from the directions to the
 * neighbours.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_TANGENTS_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_TANGENTS_H

#include "compile/encode/encoder.h"
#include "compile/encode/lift/one_ring_train.h"

enum tangent_mode {
    /* Like any other channel: from other frames and from the coarser vertices
     * that the hierarchy refers to, with the weights that were trained for
     * positions. */
    TANGENT_SHARED_WEIGHTS,
    /* The same with weights of the channel's own (lift_hierarchy's
     * channel_weights). They cost static bytes, but no time to decode. */
    TANGENT_CHANNEL_WEIGHTS,
    /* Each frame takes the guess, other frames, or both. Signs are continuous
     * in time: a QTangent q and -q are the same rotation. */
    TANGENT_GUESS,
    /* Each frame takes the guess alone, and stores either q or -q, whichever is
     * closer to it. Smaller where motion is so wild that other frames do not
     * help. */
    TANGENT_GUESS_SIGNS,
};

struct tangent_candidate {
    enum tangent_mode mode;
    struct one_ring_quality quality; /* only for modes with a guess */
};

/* Estimated bytes of QTangents for the sample parts of a mesh. */
struct tangent_cost {
    double frame_bytes;  /* in all frames of the clip together */
    double static_bytes; /* hierarchies and rings, stored once */
};

/* Candidates that are evaluated together on a part, because they have the same
 * rings. */
#define TANGENT_JOB_CANDIDATES_MAX 2u
struct tangent_job {
    uint32_t mesh;
    uint32_t part;
    const struct tangent_candidate *candidates;
    uint32_t candidate_count; /* 1..TANGENT_JOB_CANDIDATES_MAX */
    /* of each candidate; written by the thread that runs the job */
    struct tangent_cost costs[TANGENT_JOB_CANDIDATES_MAX];
};

/* What the steps share; constant while jobs run, apart from their costs. */
struct tangent_search {
    struct encoder *e;
    const struct lift_frames *frames; /* the training frames */
    /* Frames from one index frame (a frame without references) to the next. */
    uint32_t index_distance;
    struct tangent_job *jobs;
    uint32_t job_count;
};

static inline bool tangent_has_guess(const struct tangent_candidate *candidate)
{
    return candidate->mode == TANGENT_GUESS ||
           candidate->mode == TANGENT_GUESS_SIGNS;
}

/* -- encode_tangents.c -- */

/* Choose for each lifted mesh how its QTangents are predicted, and train the
 * rings and the channel's weights of all its parts. The results go to e->plan.
 * Huffman tables are trained later.
 *
 * frames    the training frames
 * distance  frames from one index frame to the next */
void encoder_choose_tangents(struct encoder *e,
                             const struct lift_frames *frames,
                             uint32_t distance);

/* -- tangent_cost.c -- */

/* Estimate the bytes of a sample part by one candidate. `hierarchy` has the
 * candidate's weights; `rings`: NULL for modes without a guess. Uses the memory
 * of `thread`. */
struct tangent_cost tangent_estimate(const struct tangent_search *search,
                                     const struct tangent_job *job,
                                     const struct tangent_candidate *candidate,
                                     const struct lift_hierarchy *hierarchy,
                                     const struct one_rings *rings,
                                     struct encoder_thread *thread);

#endif
