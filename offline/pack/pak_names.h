/* pak_names.h - find names that are unsafe on some host system.
 *
 * The runtime only compares names, so it reads a pak with any names. But a file
 * with an unsafe name cannot be unpacked on every system, or shows as another
 * name in a terminal. pack and verify refuse such names.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_NAMES_H
#define OFFLINE_PACK_PAK_NAMES_H

#include "common/diag.h"

#include <stdint.h>

/* Returns the flaw of a name as words for a message; NULL: none. */
const char *pak_name_flaw(const char *name);

/* Check `count` names. Calls `flawed` for each name that has a flaw, that
 * equals an earlier name but for the case of letters, or that is a folder of
 * another name. `why` is valid during the call. Case follows the one-to-one
 * mappings of Unicode for Latin, Greek, Cyrillic and Armenian. Returns whether
 * all names are safe. */
bool pak_names_check(const char *const *names, uint32_t count,
                     void (*flawed)(void *user, uint32_t name, const char *why),
                     void *user);

#endif
