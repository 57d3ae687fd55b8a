/* play_paks.h - the paks that a run plays caches out of.
 *
 * An operand is a file, PAK.spk:NAME, or with --pak a name in that pak (or,
 * where it has none of that name, a file).
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_PAKS_H
#define OFFLINE_PLAYER_PLAY_PAKS_H

#include "cache/cache_header.h"
#include "common/arena.h"
#include "common/diag.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* An operand, taken apart. */
struct play_source {
    const char *operand;
    const char *name; /* as the runtime shall open it */
    uint32_t pak;     /* among the paks; UINT32_MAX: none that is told */
};

struct play_paks {
    struct arena arena;
    const char **paths; /* distinct, in the order of mounting */
    spn_pak *mounts;
    uint32_t count;
    struct play_source *sources; /* one an operand */
    uint32_t source_count;
};

/* `pak`: of --pak, or NULL. */
void play_paks_init(struct play_paks *paks, const char *pak,
                    const char *const *operands, uint32_t count);
void play_paks_finish(struct play_paks *paks);

/* The header of the cache that a source is. False after a refusal. */
bool play_paks_header(const struct play_paks *paks, uint32_t source,
                      struct cache_header *header, struct diag *diag);

/* Each source is what the runtime finds by its name: a name in two mounted
 * paks is refused, unless it is wanted from the one that counts. All paks are
 * mounted. */
bool play_paks_check(const struct play_paks *paks, spn_runtime *rt,
                     struct diag *diag);

#endif
