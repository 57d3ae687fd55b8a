/* play_paks.h - the paks from which `spindle play` plays caches and clips.
 *
 * An operand is the path of a file, PAK.spk:NAME, or with --pak the name of an
 * entry of that pak; if the pak has no such entry, the operand is a path. An
 * image can be followed by the name of one of its clips (operand_kind.h).
 * This module splits the operands, lists the paks to mount, and checks that the
 * runtime opens what the operands mean.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_PLAY_PAKS_H
#define OFFLINE_PLAYER_PLAY_PAKS_H

#include "cache/cache_header.h"
#include "common/arena.h"
#include "common/diag.h"
#include "player/operand_kind.h"

#include <spindle/spindle.h>
#include <stdbool.h>
#include <stdint.h>

/* An operand, split. */
struct play_source {
    const char *operand;
    const char *name; /* under which the runtime opens it */
    const char *path; /* of a file; that of a single clip outside of the folder
                       * is not its name, which must be good in a pak */
    const char *clip; /* of an image; NULL: all */
    enum operand_kind kind;
    uint32_t pak; /* index of the pak in `paths`; UINT32_MAX: a file */
};

struct play_paks {
    struct arena *arena;
    const char **paths; /* distinct, in the order of mounting */
    spn_pak *mounts;
    uint32_t count;
    struct play_source *sources; /* one an operand */
    uint32_t source_count;
};

/* `pak` is the value of --pak, or NULL. */
void play_paks_init(struct play_paks *paks, struct arena *arena,
                    const char *pak, const char *const *operands,
                    uint32_t count);

/* Read the first bytes of the file of a source: at most `capacity` bytes;
 * the rest of `block` is zero. Returns false after a refusal. */
bool play_paks_begin(const struct play_paks *paks,
                     const struct play_source *source, uint8_t *block,
                     size_t capacity, uint64_t *file_bytes, struct diag *diag);

/* Call `found` for each file in a folder of a pak, without those of folders in
 * it, until it returns false; in no order.
 *
 * pak     index of the pak in `paths`
 * folder  with its slash; "": files without a folder
 * name    without the folder; valid during the call
 *
 * Returns false if `found` did, or after a refusal. */
bool play_paks_list(const struct play_paks *paks, uint32_t pak,
                    const char *folder,
                    bool (*found)(void *user, const char *name), void *user,
                    struct diag *diag);

/* Read the header of the cache of a source. Returns false after a refusal. */
bool play_paks_header(const struct play_paks *paks, uint32_t source,
                      struct cache_header *header, struct diag *diag);

/* Check, after all paks are mounted, that the runtime finds each source under
 * its name. When two paks have the name, the runtime takes the one mounted
 * last: a source of another pak is refused. Returns false after a refusal. */
bool play_paks_check(const struct play_paks *paks, spn_runtime *rt,
                     struct diag *diag);

#endif
