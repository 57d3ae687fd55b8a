/* sim_inputs.h - open the traces, the paks and the drive of a simulation.
 *
 * Input: the options. Output: parsed traces, open paks with
 * their positions on the disc, the drive's profile. A layout is a set of paks
 * that lie on one disc; --compare has two layouts, otherwise there is one.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_INPUTS_H
#define OFFLINE_SIMULATE_SIM_INPUTS_H

#include "pack/pak_reader.h"
#include "simulate/clip_files.h"
#include "simulate/load.h"
#include "simulate/sim_options.h"

#include <stdbool.h>
#include <stdint.h>

#define SIM_LAYOUTS_MAX 2u
#define SIM_PAKS_MAX (OPTION_TEXTS_MAX + SIM_LAYOUTS_MAX)

/* The paks of one disc. */
struct sim_layout {
    char *name; /* the paths of all of them, for messages and reports */
    struct load_pak paks[SIM_PAKS_MAX];
    uint32_t count;
    struct clip_files clips; /* of the script, if there is one */
};

struct sim_inputs {
    struct arena *arena; /* the caller's; holds what is read */
    spn_drive_profile drive;
    const char *const *trace_paths;
    struct read_trace *traces;
    uint32_t trace_count;
    struct sim_layout layouts[SIM_LAYOUTS_MAX];
    uint32_t layout_count; /* 0: no paks */
    struct pak_reader paks[SIM_PAKS_MAX];
    uint32_t pak_count; /* open ones */
    struct clip_script script;
    bool has_script;
};

/* Open what the options name; an output must not be an input. Returns false
 * after a refusal; call sim_inputs_close in any case. */
bool sim_inputs_open(struct sim_inputs *in, const struct sim_options *options,
                     struct diag *diag);
void sim_inputs_close(struct sim_inputs *in);

/* Convert faults of files to faults of ranges of the disc. A fault names an
 * entry of a pak: ENTRY, or PAK:ENTRY. `layout` NULL: a generated disc, where
 * faults name no file. Returns false after a refusal. */
bool sim_inputs_place_faults(const struct sim_inputs *in,
                             const struct sim_layout *layout,
                             const struct fault_spec *specs, uint32_t count,
                             spn_emulator_fault *out, struct diag *diag);

#endif
