/* features.h - switches for parts of the runtime that a game does not need.
 *
 * Each switch is 1 (the part is built) or 0. The runtime, the platform and the
 * game must be compiled with the same switches: change them here, or give every
 * compiler e.g. -DSPN_WITH_PAKS=0.
 *
 * The public functions of a part that is not built are not declared, so a game
 * that calls one does not compile. Types and spn_config do not change. A config
 * or a file that needs such a part is refused with SPN_ERR_NOT_BUILT.
 *
 * With -ffunction-sections and --gc-sections, a linker drops functions that
 * nothing calls. It cannot drop functions that the runtime calls but the game
 * does not need; the switches can.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_FEATURES_H
#define SPINDLE_FEATURES_H

/* Geometry caches and nodes (geom.h). If it is 0, lifted meshes, frame
 * buffers, views, events, fill jobs and ray casts must be 0 too, and
 * cache_count, node_count and stream_frame_count of spn_config have no
 * effect. */
#ifndef SPN_WITH_GEOMETRY
#define SPN_WITH_GEOMETRY 1
#endif

/* Lifted meshes: meshes that are compressed by prediction from coarse to fine
 * vertices. `spindle compile` makes them by default (--codec spindle). If it is
 * 0, only caches made with another --codec can be opened. */
#ifndef SPN_WITH_LIFTED_MESHES
#define SPN_WITH_LIFTED_MESHES SPN_WITH_GEOMETRY
#endif

/* Frame buffers: spn_cache_set_frame_buffers and spn_node_get_frames. */
#ifndef SPN_WITH_FRAME_BUFFERS
#define SPN_WITH_FRAME_BUFFERS SPN_WITH_GEOMETRY
#endif

/* Views of nodes: geom_view.h. If it is 0, nodes stream only as the game starts
 * and stops them, and no cache is unloaded. */
#ifndef SPN_WITH_VIEWS
#define SPN_WITH_VIEWS SPN_WITH_GEOMETRY
#endif

/* Events of caches and nodes: geom_event.h. */
#ifndef SPN_WITH_GEOM_EVENTS
#define SPN_WITH_GEOM_EVENTS SPN_WITH_GEOMETRY
#endif

/* Fills as jobs: spn_fill_start, spn_fill_wait and spn_fill_get_result. If it
 * is 0, spn_config.fill_count has no effect. */
#ifndef SPN_WITH_FILL_JOBS
#define SPN_WITH_FILL_JOBS SPN_WITH_GEOMETRY
#endif

/* Ray casts: geom_ray.h. */
#ifndef SPN_WITH_RAY_CASTS
#define SPN_WITH_RAY_CASTS SPN_WITH_GEOMETRY
#endif

/* The deadline scheduler (SPN_ORDER_DEADLINE), and everything that is computed
 * from a drive profile. If it is 0, spn_medium_config.drive must be NULL, and
 * all media are ordered by the sort key (medium.h). */
#ifndef SPN_WITH_DEADLINE_SCHEDULER
#define SPN_WITH_DEADLINE_SCHEDULER 1
#endif

/* Paks (pak.h), and reads of their entries. If it is 0, spn_config.pak_count
 * must be 0. */
#ifndef SPN_WITH_PAKS
#define SPN_WITH_PAKS 1
#endif

/* Observers: the listener (listener.h), statistics (io_stats.h), snapshots
 * (debug.h), guards (guard.h), recordings (record.h) and spn_trace_hash. If it
 * is 0,
 * spn_config.listener must be NULL, and trace_count and invalid_wait_us have no
 * effect. */
#ifndef SPN_WITH_OBSERVERS
#define SPN_WITH_OBSERVERS 1
#endif

/* Animation clips: anim.h. If it is 0, spn_config.anim_count must be 0. */
#ifndef SPN_WITH_ANIM
#define SPN_WITH_ANIM 1
#endif

#if !SPN_WITH_GEOMETRY && (SPN_WITH_LIFTED_MESHES || SPN_WITH_FRAME_BUFFERS)
#error "lifted meshes and frame buffers are parts of geometry"
#endif

#if !SPN_WITH_GEOMETRY && (SPN_WITH_VIEWS || SPN_WITH_GEOM_EVENTS ||           \
                           SPN_WITH_FILL_JOBS || SPN_WITH_RAY_CASTS)
#error "views, events, fill jobs and ray casts are parts of geometry"
#endif

#endif
