/* view_rows.h - what the rows of the overlay share: a bar, and a name without
 * its folder. No state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_ROWS_H
#define OFFLINE_VIEW_VIEW_ROWS_H

#include <spindle/debug.h>
#include <stdint.h>

/* The bar of a row: its part of the line, and its height in lines. */
#define VIEW_ROW_BAR 0.34f
#define VIEW_ROW_HEIGHT 0.75f

/* The colour of a use of memory. */
const uint8_t *view_kind_rgba(spn_debug_kind kind);

/* The last part of a path. */
const char *view_base_name(const char *path);

#endif
