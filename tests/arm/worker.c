/* worker.c - nothing that is linked: how much memory a worker has is the size
 * of an object, which size.sh reads. */
/* SPDX-License-Identifier: MIT */
#include "play/scratch.h"

/* One byte more, for no object may have none. */
char size_worker[SCRATCH_WORKSPACES + 1u];
