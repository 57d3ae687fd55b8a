/* check_tangents.c - compares directions and handedness of tangents. */
/* SPDX-License-Identifier: MIT */
#include "verify/check_tangents.h"

#include "render/surface.h"
#include "verify/check.h"

#include <string.h>

#define TANGENT_WORST_DEGREES 0.6

/* Mark the welds of all triangles with an area in UV space. */
static void mark_welds(const struct handedness *h, const uint8_t *orientations)
{
    for (uint32_t c = 0; c < 3 * h->mikkt.triangle_count; c++)
        if (orientations[c / 3] != MIKKT_NO_AREA)
            h->weld_seen[h->mikkt.welds[h->mikkt.corners[c]]] = 1;
}

bool check_tangents_open(struct check *check, struct check_mesh *m)
{
    uint32_t count = check->tables->meshes[m->mesh].index_count / 3;
    struct handedness *h = &m->handedness;

    if (!mikkt_open(&h->mikkt, &m->corners, check->archive,
                    check->options->flip_v, m->pairs.corner_of_index, count,
                    &check->run_arena))
        return false;
    h->first_orientation = ARENA_NEW(&check->run_arena, uint8_t, count);
    h->state = ARENA_NEW(&check->run_arena, uint8_t, count);
    h->weld_seen = ARENA_NEW(&check->run_arena, uint8_t, h->mikkt.weld_count);
    memcpy(h->first_orientation, h->mikkt.first.orientations, count);
    mark_welds(h, h->first_orientation);
    return true;
}

static bool has_marked_weld(const struct handedness *h, uint32_t triangle)
{
    const uint32_t *corners = h->mikkt.corners + 3 * (size_t)triangle;

    for (int k = 0; k < 3; k++)
        if (h->weld_seen[h->mikkt.welds[corners[k]]])
            return true;
    return false;
}

/* Compare the handedness of each triangle in the first frame in which it has an
 * area in UV space. A triangle without an area in the first frame may share
 * vertices with other triangles, which determine its handedness: it is not
 * compared. */
static void check_handedness(struct verify_report *report,
                             const struct handedness *h,
                             const struct surface *s,
                             const uint8_t *orientations)
{
    for (uint32_t t = 0; t < h->mikkt.triangle_count; t++) {
        if (orientations[t] == MIKKT_NO_AREA ||
            h->state[t] == HANDEDNESS_VARIES)
            continue;
        if (h->first_orientation[t] == MIKKT_NO_AREA) {
            h->first_orientation[t] = orientations[t];
            if (has_marked_weld(h, t))
                h->state[t] = HANDEDNESS_COMPARED;
        }
        if (h->first_orientation[t] != orientations[t]) {
            report->handedness_changes++;
            h->state[t] = HANDEDNESS_VARIES;
        }
        if (h->state[t] != HANDEDNESS_UNKNOWN)
            continue;
        h->state[t] = HANDEDNESS_COMPARED;
        for (uint32_t i = 3 * t; i < 3 * t + 3; i++)
            if ((s->tangents[s->indices[i]][3] < 0) !=
                (orientations[t] == MIKKT_MIRRORED))
                report->wrong_handedness++;
    }
    mark_welds(h, orientations);
}

void check_tangents_frame(struct check *check, const struct check_mesh *m,
                          uint32_t frame, const struct surface *s,
                          const struct corner_values *values,
                          const double (*normals)[3])
{
    const struct mikkt *mikkt = &m->handedness.mikkt;
    struct mikkt_frame sums;

    mikkt_frame(mikkt, &m->corners, values, normals, &check->mesh_arena, &sums);
    for (uint32_t i = 0; i < s->index_count; i++) {
        const float *t = s->tangents[s->indices[i]];
        double found[3] = {(double)t[0], (double)t[1], (double)t[2]};
        double degrees;

        if (mikkt_angle(&sums, i, found, &degrees))
            verify_add(&check->report->tangent, degrees, TANGENT_WORST_DEGREES,
                       frame, m->mesh, s->indices[i]);
    }
    check_handedness(check->report, &m->handedness, s,
                     sums.groups.orientations);
}
