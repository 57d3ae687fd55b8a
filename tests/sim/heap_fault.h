/* heap_fault.h - allocations of the runtime's heap that fail on order.
 *
 * The linker leads them here: a program that uses it is linked with
 * --wrap=spn__heap_alloc (LDFLAGS_test_x). The runtime knows nothing of it.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SIM_HEAP_FAULT_H
#define TESTS_SIM_HEAP_FAULT_H

#include <stdbool.h>
#include <stdint.h>

struct heap_fault {
    bool (*strikes)(void *user); /* the next one; NULL: never */
    void *user;
    uint64_t count; /* allocations, those that failed too */
    bool has_room;  /* for the next one there are pages enough */
};
extern struct heap_fault heap_fault;

#endif
