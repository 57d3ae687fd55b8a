/* view_rows.c - see view_rows.h. */
/* SPDX-License-Identifier: MIT */
#include "view/view_rows.h"

#include <string.h>

static const uint8_t kind_colors[SPN_DEBUG_KINDS][4] = {
    [SPN_DEBUG_FREE] = {60, 66, 75, 255},
    [SPN_DEBUG_STATIC] = {130, 140, 155, 255},
    [SPN_DEBUG_COMPRESSED] = {230, 170, 70, 255},
    [SPN_DEBUG_DECODED] = {90, 150, 230, 255},
    [SPN_DEBUG_BLOCK] = {150, 110, 200, 255},
};

const uint8_t *view_kind_rgba(spn_debug_kind kind)
{
    return kind_colors[kind];
}

const char *view_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}
