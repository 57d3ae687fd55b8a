/* bitmap_font.h - a font for the printable characters of ASCII.
 *
 * Letters are 5 dots wide and 7 high, and two more rows have what hangs below
 * the line. raster.h writes labels with it, the viewer's overlay its texts. Any
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_BITMAP_FONT_H
#define OFFLINE_RENDER_BITMAP_FONT_H

#include <stdint.h>

#define BITMAP_FONT_COLUMNS 5
#define BITMAP_FONT_ROWS 9
/* Dots from one character to the next, and from one line to the next. */
#define BITMAP_FONT_ADVANCE 6
#define BITMAP_FONT_LINE 11

/* Get the rows of a character from the top: BITMAP_FONT_ROWS bytes, the
 * leftmost dot in bit 4. Characters beyond printable ASCII get a question mark.
 */
const uint8_t *bitmap_font_rows(char letter);

#endif
