/* features.h - which parts of the runtime are built.
 *
 * Each switch is 1 or 0. They hold for the runtime, the platform and the game
 * alike: change them here, or give every compiler -DSPN_WITH_PAKS=0 and so on.
 *
 * One rule for what is switched off: its public functions are not declared, so
 * a game that calls one does not compile. Types and configs stay as they are.
 * What asks for a missing part in another way, a config or a file, is refused
 * with SPN_ERR_NOT_BUILT. spn_memory_needed counts what is built.
 *
 * Linkers drop what a game does not call in any case (-ffunction-sections,
 * --gc-sections). The switches are for what they cannot know.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_FEATURES_H
#define SPINDLE_FEATURES_H

/* Geometry: geom.h, caches and nodes. Without it lifted meshes and frame
 * buffers are off, too, and spn_config's cache_count, node_count and
 * stream_frame_count mean nothing. */
#ifndef SPN_WITH_GEOMETRY
#define SPN_WITH_GEOMETRY 1
#endif

/* Lifted meshes, which `spindle compile` makes by default: the codec is
 * "spindle". Without: caches of --codec lz4hc or store, and of registered
 * codecs; the others are refused when they are opened. */
#ifndef SPN_WITH_LIFTED_MESHES
#define SPN_WITH_LIFTED_MESHES SPN_WITH_GEOMETRY
#endif

/* spn_node_set_frame_buffers and spn_node_get_frames. */
#ifndef SPN_WITH_FRAME_BUFFERS
#define SPN_WITH_FRAME_BUFFERS SPN_WITH_GEOMETRY
#endif

/* The deadline scheduler (SPN_ORDER_DEADLINE), and all that is computed from a
 * drive's profile. Without: no spn_medium_config.drive; the order is that of
 * the sort key. */
#ifndef SPN_WITH_DEADLINE_SCHEDULER
#define SPN_WITH_DEADLINE_SCHEDULER 1
#endif

/* Paks: pak.h, and reads of their entries. Without: spn_config.pak_count is
 * 0, and reads are of files. */
#ifndef SPN_WITH_PAKS
#define SPN_WITH_PAKS 1
#endif

/* Observers: spn_config's listener, what io_stats.h tells of a runtime, marks
 * and guards of guard.h, records of record.h, and spn_trace_hash. Without:
 * listener is NULL; trace_count and invalid_wait_us mean nothing. */
#ifndef SPN_WITH_OBSERVERS
#define SPN_WITH_OBSERVERS 1
#endif

#if !SPN_WITH_GEOMETRY && (SPN_WITH_LIFTED_MESHES || SPN_WITH_FRAME_BUFFERS)
#error "lifted meshes and frame buffers are parts of geometry"
#endif

#endif
