/* screenshot.h - write the window's picture to a file.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_WINDOW_SCREENSHOT_H
#define OFFLINE_VIEW_WINDOW_SCREENSHOT_H

#include "view/window/window.h"

/* Write the picture that was drawn and not yet swapped as a PNG file. Returns
 * false after a refusal. */
bool screenshot_write(const struct window *window, const char *path,
                      struct diag *diag);

#endif
