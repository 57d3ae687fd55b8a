/* heap_fault.h - let allocations of the runtime's heap fail.
 *
 * The linker redirects the calls here: a program that uses this module is
 * linked with --wrap=spn__heap_alloc (LDFLAGS_test_x). The runtime contains no
 * code for it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_HEAP_FAULT_H
#define TESTS_SIM_HEAP_FAULT_H

#include <stdbool.h>
#include <stdint.h>

struct heap_fault {
    bool (*fails)(void *user); /* whether the next allocation fails; NULL:
                                  * none fails */
    void *user;
    uint64_t count; /* allocations, also failed ones */
    bool has_room;  /* whether the heap has enough pages for the next one */
};
extern struct heap_fault heap_fault;

#endif
