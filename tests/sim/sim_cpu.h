/* sim_cpu.h - which instruction sets the runtime finds.
 *
 * The linker leads its question here: a program that uses it is linked with
 * --wrap=spn__cpu_detect.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_SIM_CPU_H
#define TESTS_SIM_SIM_CPU_H

#include <stdint.h>

#define SIM_CPU_ALL UINT32_MAX

/* Of those that there are; SIM_CPU_ALL at first. */
extern uint32_t sim_cpu_mask;

#endif
