/* view_tuning.h - the controls of the viewer that are tuning variables of the
 * runtime (spindle/tuning.h): `debug`, `debug_draw_mode`, `debug_filter` and
 * `interpolate`.
 *
 * So a game's console settings work in the viewer, and what the runtime itself
 * writes for the overlay follows the keys. One thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_VIEW_VIEW_TUNING_H
#define OFFLINE_VIEW_VIEW_TUNING_H

#include "view/view_controls.h"

#include <spindle/spindle.h>

/* Set the controls by the variables. */
void view_tuning_read(struct view_controls *controls, const spn_runtime *rt);

/* Set the variables that differ from the controls. */
void view_tuning_write(const struct view_controls *controls, spn_runtime *rt);

#endif
