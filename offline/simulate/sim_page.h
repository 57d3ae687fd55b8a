/* sim_page.h - write a simulation as one HTML page.
 *
 * Input: the results of all runs. Output: page.html with the results in it as
 * JSON. The page loads nothing else; its script draws the charts.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_SIM_PAGE_H
#define OFFLINE_SIMULATE_SIM_PAGE_H

#include "host/host.h"
#include "simulate/sim_report.h"

/* Append the page to `output`. Sorts the waits of the tallies. Returns false
 * when a write fails; the output's diag has the message. */
bool sim_page_write(const struct sim_setting *setting, struct sim_run *runs,
                    uint32_t count, struct host_output *output);

#endif
