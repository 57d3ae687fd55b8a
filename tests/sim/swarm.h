/* swarm.h - which faults a seed has, and when they occur.
 *
 * Each kind of fault is off, rare or common in a seed (FAULTS.md lists the
 * odds). All random numbers of a run come from one generator, so the seed
 * determines the run.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SWARM_H
#define TESTS_SIM_SWARM_H

#include "harness.h"

#include <stdbool.h>
#include <stdint.h>

/* X(name, text, rare, common): once in so many opportunities. 0: it is not
 * drawn here, only counted */
#define SWARM_MAP(X)                                                           \
    X(NO_MEMORY, "no memory", 200, 8)                                          \
    X(HARD_ERROR, "hard error", 400, 25)                                       \
    X(HEALING_ERROR, "healing error", 100, 8)                                  \
    X(REFUSED, "refused", 300, 20)                                             \
    X(SHORT_READ, "short read", 100, 8)                                        \
    X(BIT_FLIP, "bit flip", 300, 25)                                           \
    X(STALE_SECTOR, "stale sector", 300, 25)                                   \
    X(WRONG_PLACE, "wrong place", 300, 25)                                     \
    X(OPEN_ERROR, "open error", 50, 5)                                         \
    X(STALL, "stall", 200, 20)                                                 \
    X(TRAY_OPEN, "tray open", 2000, 200)                                       \
    X(DISC_SWAPPED, "disc swapped", 2000, 200)                                 \
    X(CLOCK_STOPPED, "clock stopped", 1000, 100)                               \
    X(CLOCK_JUMPS, "clock jumps", 1000, 150)                                   \
    X(CLOCK_COARSE, "coarse clock", 1, 1)                                      \
    X(CLOCK_RATE, "clock rate", 1, 1)                                          \
    X(IO_STALLED, "io stalled", 500, 40)                                       \
    X(WORKERS_STALLED, "workers stalled", 500, 40)                             \
    X(SPURIOUS_WAKE, "spurious wake", 500, 40)                                 \
    X(STOPS_UPDATING, "stops updating", 1000, 100)                             \
    X(ABORT, "abort", 40, 4)                                                   \
    X(ABORT_INSIDE, "abort inside", 20, 3)                                     \
    X(START_INSIDE, "start inside", 20, 3)                                     \
    X(CLOSE, "close", 100, 10)                                                 \
    X(SEEK, "seek", 50, 5)                                                     \
    X(STALE_HANDLE, "stale handle", 50, 5)                                     \
    X(PAUSE, "pause", 100, 10)                                                 \
    X(LOAD, "load", 100, 10)                                                   \
    X(BLOCK, "block", 50, 5)                                                   \
    X(STORAGE_REFUSAL, "storage refusal", 20, 2)                               \
    X(WAIT, "wait", 50, 8)                                                     \
    X(OUT_OF_RANGE, "out of range", 50, 8)                                     \
    X(SHUT_IN_FLIGHT, "shut in flight", 8, 2)                                  \
    X(HANG, "hang", 300, 30)                                                   \
    X(SLOW_JOBS, "slow jobs", 1, 1)                                            \
    X(RANGE, "range", 0, 0)                                                    \
    X(RATE, "rate", 0, 0)                                                      \
    X(REVERSE, "reverse", 0, 0)                                                \
    X(SECOND, "second position", 0, 0)                                         \
    X(CUT, "cut", 0, 0)                                                        \
    X(MASK, "mask", 0, 0)                                                      \
    X(FILL_JOB, "fill job", 0, 0)                                              \
    X(BUFFER, "frame buffer", 0, 0)                                            \
    X(NO_BUFFER, "no frame buffer", 0, 0)                                      \
    X(LEVEL, "level", 0, 0)                                                    \
    X(VIEW, "view", 0, 0)                                                      \
    X(HIDDEN, "hidden", 0, 0)                                                  \
    X(STAND_IN, "stand-in", 0, 0)                                              \
    X(UNLOADED, "unloaded", 0, 0)                                              \
    X(RELOADED, "loaded again", 0, 0)                                          \
    X(SHARED_MESH, "shared mesh", 0, 0)                                        \
    X(MESH_COPY, "mesh copy", 0, 0)                                            \
    X(GEOM_EVENT, "event", 0, 0)                                               \
    X(REACTION, "reaction", 0, 0)                                              \
    X(FROM_MEMORY, "from memory", 0, 0)                                        \
    X(DRAW_ITEM, "draw item", 0, 0)                                            \
    X(INSTANCES, "instances", 0, 0)                                            \
    X(RAY, "ray", 0, 0)                                                        \
    X(CLIP_LOADED, "clip loaded", 0, 0)                                        \
    X(CLIP_PACKED, "clip of a pak", 0, 0)                                      \
    X(PAK_LEFT, "clip's pak left", 0, 0)                                       \
    X(CLIP_FAILED, "clip failed", 0, 0)                                        \
    X(CLIP_ABORT, "clip aborted", 0, 0)                                        \
    X(CLIP_CUT, "clip read cut", 0, 0)                                         \
    X(CLIP_CANCEL, "clip cancelled", 0, 0)                                     \
    X(HEAD_CUT, "header read cut", 0, 0)                                       \
    X(CLIP_LEFT, "clip left", 0, 0)                                            \
    X(CLIP_AGAIN, "clip again", 0, 0)                                          \
    X(CLIP_WAITS, "clip waits", 0, 0)                                          \
    X(CLIP_EARLY, "clip evicted", 0, 0)                                        \
    X(CLIP_GRACE, "clip freed", 0, 0)                                          \
    X(DATABASE_HIDDEN, "database hidden", 0, 0)                                \
    X(GLITCH, "glitch", 0, 0)                                                  \
    X(POSE, "pose", 0, 0)                                                      \
    X(NO_POSE, "no pose", 0, 0)                                                \
    X(POSE_LOOP, "pose in a loop", 0, 0)                                       \
    X(POSE_END, "pose at the end", 0, 0)                                       \
    X(POSE_BACK, "pose backwards", 0, 0)                                       \
    X(POSE_TURN, "pose at a turn", 0, 0)                                       \
    X(POSE_SEEK, "pose at a jump", 0, 0)                                       \
    X(FLOATS, "float tracks", 0, 0)                                            \
    X(BLEND, "blend", 0, 0)                                                    \
    X(MASKED, "masked blend", 0, 0)                                            \
    X(ADDITIVE, "additive", 0, 0)                                              \
    X(MOTION, "root motion", 0, 0)                                             \
    X(MOTION_LOOP, "motion in a loop", 0, 0)                                   \
    X(CUE_HIT, "cue hit", 0, 0)                                                \
    X(CUE_MISS, "cue miss", 0, 0)                                              \
    X(LOAD_NOW, "load now", 0, 0)                                              \
    X(REF_THREAD, "thread's ref", 0, 0)                                        \
    X(IMAGE_FAILED, "image failed", 0, 0)                                      \
    X(LOOSE_HEADER, "loose header", 0, 0)

enum swarm_kind {
#define SWARM_ENUM(name, text, rare, common) SWARM_##name,
    SWARM_MAP(SWARM_ENUM)
#undef SWARM_ENUM
        SWARM_KINDS
};

enum swarm_level { SWARM_OFF, SWARM_RARE, SWARM_COMMON };

struct swarm {
    struct test_random random;
    struct test_random hangs; /* only for hangs, so that older seeds without
                               * hangs run as before */
    enum swarm_level level[SWARM_KINDS];
    uint32_t hits[SWARM_KINDS]; /* occurrences with an effect */
    bool is_over;               /* faults are over: none occurs any more */
};

const char *swarm_name(enum swarm_kind kind);

void swarm_init(struct swarm *swarm, uint64_t seed);
/* Whether the fault occurs now. The caller counts it in `hits` when it has an
 * effect. */
bool swarm_draws(struct swarm *swarm, enum swarm_kind kind);
void swarm_hit(struct swarm *swarm, enum swarm_kind kind);
/* Whether the fault occurs now, with a certain effect. Counts it. */
bool swarm_occurs(struct swarm *swarm, enum swarm_kind kind);

/* Random number in [0, limit), or in [low, high]. */
uint32_t swarm_below(struct swarm *swarm, uint32_t limit);
uint32_t swarm_between(struct swarm *swarm, uint32_t low, uint32_t high);

#endif
