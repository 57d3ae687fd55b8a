/* dropped.h - what of an archive has no place in a cache, by name.
 *
 * Objects of other kinds than transforms, meshes and face sets; of
 * those the properties that are neither of their schema nor used. What is
 * shown through instances is named where it is stored.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_REPORT_DROPPED_H
#define OFFLINE_COMPILE_REPORT_DROPPED_H

#include "abc/schema.h"
#include "compile/report/refusals.h"

/* Warn of an object, or of what is dropped of it. False after a refusal:
 * geometry of a kind or version that nobody knows. */
bool dropped_warn(const struct abc_archive *archive,
                  const struct abc_object *object,
                  const struct compile_options *options,
                  struct warnings *warnings, struct arena *arena);

/* Is it, or what it shows as an instance, left out as a whole? Meshes that are
 * never visible or empty are not among them. */
bool dropped_is_whole(const struct abc_object *object);

/* What an archive without a mesh has, "; it has 1 transform, 2 cameras", of
 * what was warned of. "" where it has nothing. */
const char *dropped_describe(const struct warnings *warnings,
                             uint32_t transform_count, struct arena *arena);

#endif
