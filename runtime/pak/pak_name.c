/* pak_name.c - which names a pak may have.
 *
 * The rules are those of the strictest host that files are unpacked on and
 * paths are written for, so that a pak is good everywhere or nowhere.
 */
/* SPDX-License-Identifier: MIT */
#include "pak/pak_index.h"

#include "base/text.h"

static bool is_forbidden(uint8_t byte)
{
    return byte < 0x20 || byte == 0x7f || byte == '\\' || byte == ':';
}

/* Not empty, ".", or "..". */
static bool is_good_part(const char *part, uint32_t bytes)
{
    if (bytes == 0)
        return false;
    return part[0] != '.' || (bytes > 1 && (part[1] != '.' || bytes > 2));
}

bool spn__pak_name_is_good(const char *name, uint32_t name_bytes)
{
    uint32_t part = 0;
    uint32_t at = 0;

    if (name_bytes == 0 || name_bytes >= PAK_NAME_BYTES_MAX)
        return false;
    while (at < name_bytes) {
        uint32_t bytes = spn__text_sequence(name + at, name_bytes - at);

        if (bytes == 0 || is_forbidden((uint8_t)name[at]))
            return false;
        if (name[at] == '/') {
            if (!is_good_part(name + part, at - part))
                return false;
            part = at + 1;
        }
        at += bytes;
    }
    return is_good_part(name + part, name_bytes - part);
}
