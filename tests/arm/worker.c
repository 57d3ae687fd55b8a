/* worker.c - an object whose size is the memory of a worker, for size.sh; it is
 * not linked. */
/* SPDX-License-Identifier: MIT */
#include "play/scratch.h"

/* One byte more, because an array must not be empty. */
char size_worker[SCRATCH_WORKSPACES + 1u];
