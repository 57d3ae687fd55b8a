/* pak_name.c - which names a pak may have.
 *
 * The rules are those of the strictest host that files are unpacked on and
 * paths are written for, so that a pak is good everywhere or nowhere.
 */
/* SPDX-License-Identifier: MIT */
#include "io/pak_index.h"

/* Bytes of the UTF-8 sequence at `text`, of which `left` bytes are there; 0
 * when it is none: too long, a surrogate, beyond U+10FFFF. */
static uint32_t sequence_bytes(const uint8_t *text, uint32_t left)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t bytes = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    uint32_t code;

    if (text[0] < 0x80)
        return 1;
    if (text[0] < 0xc2 || text[0] > 0xf4 || bytes > left)
        return 0;
    code = text[0] & (0x7fu >> bytes);
    for (uint32_t i = 1; i < bytes; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3fu);
    }
    if (code < smallest[bytes] || code > 0x10ffff ||
        (code >= 0xd800 && code <= 0xdfff))
        return 0;
    return bytes;
}

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
    const uint8_t *text = (const uint8_t *)name;
    uint32_t part = 0;
    uint32_t at = 0;

    if (name_bytes == 0 || name_bytes >= PAK_NAME_BYTES_MAX)
        return false;
    while (at < name_bytes) {
        uint32_t bytes = sequence_bytes(text + at, name_bytes - at);

        if (bytes == 0 || is_forbidden(text[at]))
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
