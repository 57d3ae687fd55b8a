/* encode_tangents.h - chooses how the QTangents of each lifted mesh are
 * predicted.
 *
 * A QTangent is the rotation of a vertex, a quaternion. A lifted mesh can
 * predict it in four modes (enum tangent_mode). Two of them use a guess: a
 * QTangent computed from the positions of the same frame, by weighted sums over
 * the one-ring of the vertex (codec/lift/one_ring.h). The guess needs no other
 * frame. But it is slow to decode, and its weights must be stored. Which mode
 * makes the file smallest depends on the motion, so the encoder tries them.
 *
 * A candidate is a mode and, for modes with a guess, a quality: how precise the
 * weights of the one-rings are, and so how many bytes they take
 * (one_ring_train.h). A mesh is encoded in parts, which are runs of its
 * vertices. The candidates are tried on one or two sample parts of each mesh.
 *
 * encoder_choose_tangents() takes four steps, before the Huffman tables of the
 * channel are trained:
 *
 *   1. List jobs: each candidate on each sample part. Two candidates that have
 *      a guess of the same quality have the same one-rings, so they share a
 *      job.
 *   2. Evaluate the jobs. A job trains the weights of its candidates for its
 *      part, and predicts a few frames. From the entropy of the residuals it
 *      estimates the bytes of all frames (tangent_cost.c).
 *   3. Choose a candidate for each mesh by the sums over its sample parts: the
 *      one with the least frame_bytes + 0.4 static_bytes. Static bytes count
 *      less, because they are read once, not each time that the clip plays. A
 *      candidate with a guess must also be clearly better than the best one
 *      without, because it is slow to decode: its frames must be 7 % smaller,
 *      and its frame_bytes + 0.85 static_bytes must be smaller.
 *   4. Train the chosen candidate for every part of every mesh. The results go
 *      to the plan (lift_plan.h).
 *
 * Threads: steps 1 and 3 run on the calling thread, jobs of steps 2 and 4 on
 * the worker threads. A job of step 2 reads the clip, the training frames and
 * the plan, and writes only its own costs. A job of step 4 writes only the
 * entries of its part in the plan. Costs are added in the order of the list, so
 * the result does not depend on the number of threads.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENCODE_TANGENTS_H
#define OFFLINE_COMPILE_ENCODE_ENCODE_TANGENTS_H

#include "compile/encode/encoder.h"
#include "compile/encode/lift/one_ring_train.h"

enum tangent_mode {
    /* Predict as any other channel: from other frames, and from coarser
     * vertices with the weights that were trained for positions. */
    TANGENT_SHARED_WEIGHTS,
    /* The same with weights that were trained for QTangents
     * (lift_hierarchy.channel_weights). They take static bytes, but no time to
     * decode. */
    TANGENT_CHANNEL_WEIGHTS,
    /* Each frame is predicted from the guess, from other frames, or from both.
     * A quaternion q and its negative -q are the same rotation; the sign of a
     * QTangent is kept continuous in time. */
    TANGENT_GUESS,
    /* Each frame is predicted from the guess alone. Each QTangent is stored as
     * q or -q, whichever is closer to the guess. This is smaller if motion is
     * so wild that other frames do not help. */
    TANGENT_GUESS_SIGNS,
};

struct tangent_candidate {
    enum tangent_mode mode;
    struct one_ring_quality quality; /* only of modes with a guess */
};

static inline bool tangent_has_guess(const struct tangent_candidate *candidate)
{
    return candidate->mode == TANGENT_GUESS ||
           candidate->mode == TANGENT_GUESS_SIGNS;
}

/* Estimated bytes of the QTangents of one sample part. */
struct tangent_cost {
    double frame_bytes;  /* of all frames of the clip together */
    double static_bytes; /* of the hierarchy and the one-rings, stored once */
};

/* A job: in step 2 up to two candidates on a sample part, in step 4 the chosen
 * candidate on any part. */
#define TANGENT_JOB_CANDIDATES_MAX 2u
struct tangent_job {
    uint32_t mesh;
    uint32_t part; /* counted from the mesh's first part */
    const struct tangent_candidate *candidates; /* an array */
    uint32_t candidate_count; /* 1..TANGENT_JOB_CANDIDATES_MAX */
    /* One for each candidate. Written in step 2, by the thread that runs the
     * job. */
    struct tangent_cost costs[TANGENT_JOB_CANDIDATES_MAX];
};

/* What the steps share. While jobs run, only their costs change. */
struct tangent_search {
    struct encoder *e;
    const struct lift_frames *frames; /* the training frames */
    /* Frames from one index frame to the next. An index frame is decoded
     * without other frames. */
    uint32_t index_distance;
    struct tangent_job *jobs; /* the list of the current step */
    uint32_t job_count;
};

/* -- encode_tangents.c -- */

/* Choose the prediction of the QTangents of each lifted mesh, and train the
 * one-rings and channel weights of all its parts. The results go to e->plan.
 *
 * frames          the training frames
 * index_distance  frames from one index frame to the next */
void encoder_choose_tangents(struct encoder *e,
                             const struct lift_frames *frames,
                             uint32_t index_distance);

/* -- tangent_cost.c -- */

/* Estimate the cost of one candidate of a job.
 *
 * hierarchy  of the part, with the weights of the candidate
 * rings      the one-rings of the part; NULL for modes without a guess
 * thread     the memory of the calling thread */
struct tangent_cost tangent_estimate(const struct tangent_search *search,
                                     const struct tangent_job *job,
                                     const struct tangent_candidate *candidate,
                                     const struct lift_hierarchy *hierarchy,
                                     const struct one_rings *rings,
                                     struct encoder_thread *thread);

#endif
