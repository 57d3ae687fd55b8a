/* sim_cpu.h - limit the instruction sets that the runtime detects.
 *
 * The linker redirects the call here: a program that uses this module is linked
 * with --wrap=spn__cpu_detect.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_CPU_H
#define TESTS_SIM_SIM_CPU_H

#include <stdint.h>

#define SIM_CPU_ALL UINT32_MAX

/* Mask of the detected instruction sets; initially SIM_CPU_ALL. */
extern uint32_t sim_cpu_mask;

#endif
