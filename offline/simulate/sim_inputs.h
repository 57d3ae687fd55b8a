/* sim_inputs.h - traces, paks and where they lie, as a command line tells. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_INPUTS_H
#define OFFLINE_SIMULATE_SIM_INPUTS_H

#include "common/verb_options.h"
#include "drives/fault_spec.h"
#include "pack/pak_reader.h"
#include "simulate/load.h"

#include <stdbool.h>
#include <stdint.h>

#define SIM_LAYOUTS_MAX 2u
#define SIM_PAKS_MAX (OPTION_TEXTS_MAX + SIM_LAYOUTS_MAX)

struct sim_wish {
    const char *drive;
    const struct option_texts *traces;
    const struct option_texts *paks;
    const char *const *compared; /* a pak more for each layout, */
    uint32_t compared_count;     /* 0: none is compared; or SIM_LAYOUTS_MAX */
    const char *disc_layout;     /* NULL: one pak behind the other */
    const char *outputs[2];      /* that are none of the inputs; NULL: none */
};

/* Paks that lie on one disc. */
struct sim_layout {
    char *name; /* of all of them */
    struct load_pak paks[SIM_PAKS_MAX];
    uint32_t count;
};

struct sim_inputs {
    struct arena *arena; /* what is read lies here */
    spn_drive_profile drive;
    const char *const *trace_paths;
    struct read_trace *traces;
    uint32_t trace_count;
    struct sim_layout layouts[SIM_LAYOUTS_MAX]; /* one, or those compared */
    uint32_t layout_count;                      /* 0: no paks */
    struct pak_reader paks[SIM_PAKS_MAX];
    uint32_t pak_count; /* that are open */
};

/* False after a refusal; close them in any case. */
bool sim_inputs_open(struct sim_inputs *in, const struct sim_wish *wish,
                     struct diag *diag);
void sim_inputs_close(struct sim_inputs *in);

/* Faults become such of the disc. A file is named as a pak has it, by itself or
 * behind the pak's path and a colon. `layout` NULL: a made up disc. False after
 * a refusal. */
bool sim_inputs_place_faults(const struct sim_inputs *in,
                             const struct sim_layout *layout,
                             const struct fault_spec *specs, uint32_t count,
                             spn_emulator_fault *out, struct diag *diag);

#endif
