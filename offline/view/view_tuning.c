/* view_tuning.c - compare, then set. */
/* SPDX-License-Identifier: MIT */
#include "view/view_tuning.h"

#include <stdio.h>
#include <string.h>

/* The value of a variable that exists. */
static spn_tuning get(const spn_runtime *rt, const char *name)
{
    spn_tuning tuning = {.value_text = ""};
    uint32_t index;

    if (spn_tuning_find(name, &index) == SPN_OK)
        (void)spn_tuning_get(rt, index, &tuning);
    return tuning;
}

void view_tuning_read(struct view_controls *controls, const spn_runtime *rt)
{
    controls->has_overlay = get(rt, "debug").value > 0;
    controls->meshes = (enum view_meshes)get(rt, "debug_draw_mode").value;
    controls->is_interpolated = get(rt, "interpolate").value != 0;
    snprintf(controls->filter, sizeof controls->filter, "%s",
             get(rt, "debug_filter").value_text);
}

static void set(spn_runtime *rt, const char *name, uint32_t value)
{
    char text[16];

    if (get(rt, name).value == value)
        return;
    snprintf(text, sizeof text, "%u", (unsigned)value);
    (void)spn_tuning_set(rt, name, text);
}

void view_tuning_write(const struct view_controls *controls, spn_runtime *rt)
{
    /* 2 is an overlay, too. */
    if (controls->has_overlay != (get(rt, "debug").value > 0))
        set(rt, "debug", controls->has_overlay);
    set(rt, "debug_draw_mode", (uint32_t)controls->meshes);
    set(rt, "interpolate", controls->is_interpolated);
    if (strcmp(get(rt, "debug_filter").value_text, controls->filter) != 0)
        (void)spn_tuning_set(rt, "debug_filter", controls->filter);
}
