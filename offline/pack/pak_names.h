/* pak_names.h - names that some host mistreats.
 *
 * A pak may hold them and is read, for the runtime only compares names. But a
 * file of such a name cannot be unpacked everywhere, or is not what it looks
 * like in a terminal: pack and verify refuse them.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_NAMES_H
#define OFFLINE_PACK_PAK_NAMES_H

#include "common/diag.h"

#include <stdint.h>

/* What is wrong with a name; NULL: nothing. */
const char *pak_name_flaw(const char *name);

/* Of `count` names: call `flawed` for each that has a flaw, that differs from
 * an earlier one only in the case of letters, or that is a folder of another
 * one; `why` lives for the call. Letters have the cases that Latin, Greek,
 * Cyrillic and Armenian have in Unicode, one to one. False when it was called.
 */
bool pak_names_check(const char *const *names, uint32_t count,
                     void (*flawed)(void *user, uint32_t name, const char *why),
                     void *user);

#endif
