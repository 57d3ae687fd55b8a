/* pak_name.h - which names of files a pak accepts.
 *
 * The rules are those of the strictest host, so a pak is valid on every host or
 * on none. A name is UTF-8 without control characters, backslashes and colons.
 * The parts between its slashes are neither empty nor "." nor "..", so no name
 * leads out of the folder into which a pak is unpacked. No state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PAK_PAK_NAME_H
#define SPN_PAK_PAK_NAME_H

#include <stdbool.h>
#include <stdint.h>

/* The longest name in bytes, its NUL included: as long as a path of a file. */
#define PAK_NAME_BYTES_MAX 512u

/* Whether a pak accepts the name. `name_bytes` does not count a NUL. */
bool spn__pak_name_is_good(const char *name, uint32_t name_bytes);

#endif
