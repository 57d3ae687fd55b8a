/* sim_cpu.c - wraps the detection of instruction sets. */
/* SPDX-License-Identifier: MIT */
#include "sim/sim_cpu.h"

#include "base/cpu.h"

uint32_t sim_cpu_mask = SIM_CPU_ALL;

uint32_t __real_spn__cpu_detect(void);
uint32_t __wrap_spn__cpu_detect(void);
uint32_t __wrap_spn__cpu_detect(void)
{
    return __real_spn__cpu_detect() & sim_cpu_mask;
}
