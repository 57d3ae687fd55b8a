/* visible.c - evaluates visibility along the path to the root.
 *
 * The state of an object changes only at stored samples of its own visibility
 * property or of that of an ancestor.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/mesh/visible.h"

static double stored_time(const struct abc_archive *archive,
                          const struct abc_property *property, uint32_t entry)
{
    return abc_sample_time(&archive->samplings[property->time_sampling],
                           abc_stored_index(property, entry));
}

bool visible_at(const struct abc_archive *archive,
                const struct abc_object *object, double time, bool *is_visible)
{
    *is_visible = true;
    for (; object; object = object->parent) {
        enum abc_visibility visibility;

        if (!abc_visibility_at(archive, object, time, &visibility))
            return false;
        if (visibility != ABC_DEFERRED) {
            *is_visible = visibility == ABC_VISIBLE;
            return true;
        }
    }
    return true;
}

bool visible_ever(const struct abc_archive *archive,
                  const struct abc_object *object, bool *is_visible)
{
    if (!visible_at(archive, object, -1e300, is_visible))
        return false;
    for (const struct abc_object *at = object; at && !*is_visible;
         at = at->parent) {
        const struct abc_property *property = abc_visibility(at);
        uint32_t stored = property ? abc_stored_count(property) : 0;

        for (uint32_t i = 0; i < stored && !*is_visible; i++) {
            double time = stored_time(archive, property, i);
            if (!visible_at(archive, object, time, is_visible))
                return false;
        }
    }
    return true;
}

bool visible_changes(const struct abc_archive *archive,
                     const struct abc_object *object, bool *changes)
{
    const struct abc_property *property = abc_visibility(object);
    uint32_t stored = property ? abc_stored_count(property) : 0;
    enum abc_visibility first = ABC_DEFERRED;

    *changes = false;
    for (uint32_t i = 0; i < stored && !*changes; i++) {
        double time = stored_time(archive, property, i);
        enum abc_visibility now;

        if (!abc_visibility_at(archive, object, time, &now))
            return false;
        if (i == 0)
            first = now;
        *changes = now != first;
    }
    return true;
}
