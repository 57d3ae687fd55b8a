/* view_missing.c - replaces the window if the tool was built without SDL2. */
/* SPDX-License-Identifier: MIT */
#include "view/view.h"

bool view_run(const struct view_options *options, struct arena *arena,
              struct diag *diag, struct view_report *report)
{
    (void)options;
    (void)arena;
    (void)report;
    return diag_io(diag, "view", 0,
                   "this spindle was built without SDL2 (Debian: "
                   "libsdl2-dev): it cannot open a window");
}
