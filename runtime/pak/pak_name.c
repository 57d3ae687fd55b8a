/* pak_name.c - checks a name part by part. */
/* SPDX-License-Identifier: MIT */
#include "pak/pak_name.h"

#include "base/text.h"

static bool is_forbidden(uint8_t byte)
{
    return byte < 0x20 || byte == 0x7f || byte == '\\' || byte == ':';
}

/* Whether a part between slashes is not empty, "." or "..". */
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
