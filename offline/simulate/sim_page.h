/* sim_page.h - a simulation as one HTML page that needs nothing else. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_PAGE_H
#define OFFLINE_SIMULATE_SIM_PAGE_H

#include "host/host.h"
#include "simulate/sim_report.h"

/* False when the output refuses; said through its diag. */
bool sim_page_write(const struct sim_setting *setting, struct sim_run *runs,
                    uint32_t count, struct host_output *output);

#endif
