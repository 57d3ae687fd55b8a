/* phases.c - read two clocks of a thread when its phase changes. */
/* SPDX-License-Identifier: MIT */
#include "common/phases.h"

#include "common/system.h"

struct thread_phase {
    struct phases *phases;
    enum phase phase;
    double clock;
    double processor;
};

static _Thread_local struct thread_phase mine;

void phases_init(struct phases *phases)
{
    for (int i = 0; i < PHASE_COUNT; i++) {
        atomic_init(&phases->clock_ns[i], 0);
        atomic_init(&phases->processor_ns[i], 0);
    }
}

static void add(atomic_uint_fast64_t *sum, double seconds)
{
    if (seconds > 0)
        atomic_fetch_add(sum, (uint_fast64_t)(seconds * 1e9));
}

/* Add the time since the last change to the current phase of the thread. */
static void charge(void)
{
    double clock = system_seconds();
    double processor = system_thread_cpu_seconds();

    if (mine.phases) {
        add(&mine.phases->clock_ns[mine.phase], clock - mine.clock);
        add(&mine.phases->processor_ns[mine.phase], processor - mine.processor);
    }
    mine.clock = clock;
    mine.processor = processor;
}

void phases_bind(struct phases *phases)
{
    charge();
    mine.phases = phases;
    mine.phase = PHASE_OTHER;
}

struct phases *phases_bound(void)
{
    return mine.phases;
}

enum phase phases_enter(enum phase phase)
{
    enum phase before = mine.phase;

    if (mine.phases && phase != before)
        charge();
    mine.phase = phase;
    return before;
}

const char *phases_name(enum phase phase)
{
    static const char *const names[PHASE_COUNT] = {
        [PHASE_OTHER] = "other",
        [PHASE_READ] = "read",
        [PHASE_NODES] = "transforms",
        [PHASE_SPLIT] = "split",
        [PHASE_SHADE] = "normals and tangents",
        [PHASE_QUANTIZE] = "quantize",
        [PHASE_SEARCH] = "search",
        [PHASE_COMPRESS] = "compress",
        [PHASE_CHECK] = "check",
        [PHASE_WRITE] = "write",
    };

    return names[phase];
}

double phases_clock_seconds(struct phases *phases, enum phase phase)
{
    return (double)atomic_load(&phases->clock_ns[phase]) * 1e-9;
}

double phases_processor_seconds(struct phases *phases, enum phase phase)
{
    return (double)atomic_load(&phases->processor_ns[phase]) * 1e-9;
}
