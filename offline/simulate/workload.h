/* workload.h - what a game asks of its disc, made up from a seed.
 *
 * 24 scenes, each with 60 animation clips of 4 to 400 KiB, 40 sounds of 16 to
 * 128 KiB, 80 textures of 64 KiB to 1 MiB (sizes log-uniform) and 12 streams of
 * 0.2 to 1 MB/s and 15 to 45 s; and 100 files that every scene wants: half
 * sounds, half clips. A small disc holds fewer scenes.
 *
 *   sound    at random times, due after 0.4 s; three in ten from the 100
 *   clip     at random times, due after 0.7 or 2.5 s; three in ten from them
 *   texture  at random times, due after 6 s
 *   stream   plays from 1.5 s after the scene begins, the next from half a
 *            second later; asks for its next chunk when less than 2 s are
 *            buffered, for as much as makes 4 s, 1 MiB at most; due when 0.4 s
 *            are left. What is late by then makes the stream stand still.
 *
 * The first scene lasts 45 s, others 30 to 60; the next is one of the three
 * that follow. Streams of the last scene are not wanted any more.
 *
 * The load. A drive that serves everything in order of arrival, on a disc
 * where everything lies anywhere, is just busy at load 1000: half of its time
 * for streams, a fifth each for clips and textures, a tenth for sounds. Its
 * time for a read is that of going from anywhere to anywhere, and of 54, 87,
 * 354 and 950 kB at its mean rate.
 *
 * Everything is integers and follows from the config: the same everywhere. A
 * seed means a game of this generator alone.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_WORKLOAD_H
#define OFFLINE_SIMULATE_WORKLOAD_H

#include "disc/drive.h"
#include "schedule/sweep.h"

#include <stdbool.h>
#include <stdint.h>

enum workload_layout {
    WORKLOAD_SCATTERED, /* every file anywhere */
    WORKLOAD_BY_TYPE,   /* clips, sounds, textures, streams; anywhere there */
    WORKLOAD_BY_SCENE,  /* in order of first use, what all want in front */
    WORKLOAD_COPIES,    /* the same, with copies of it in every scene */
    WORKLOAD_LAYOUTS
};
/* "scattered", "by-type", "by-scene", "copies" */
extern const char *const workload_layout_names[WORKLOAD_LAYOUTS];

struct workload_config {
    const spn_drive_profile *drive;
    enum workload_layout layout;
    uint32_t load; /* thousandths, 1..10000 */
    uint64_t seed; /* of what is asked; the disc is always the same */
};

struct workload_file {
    uint64_t offset; /* on the disc */
    uint32_t bytes;
    uint32_t content; /* the file that this is a copy of, or itself */
    enum sweep_class class;
};

struct workload_request {
    uint32_t file;
    uint32_t bytes;
    uint64_t offset; /* in the file */
    uint64_t arrival_us;
    uint64_t deadline_us;
    enum sweep_class class;
    uint32_t stream; /* of a stream: which, */
    uint32_t scene;  /* and in the how many-th scene */
    uint64_t ahead_us;
};

struct workload;
/* NULL when not even one scene fits the disc, or the load is out of range. The
 * drive must outlive it. */
struct workload *workload_create(const struct workload_config *config);
void workload_destroy(struct workload *workload);

uint32_t workload_file_count(const struct workload *workload);
const struct workload_file *workload_file_at(const struct workload *workload,
                                             uint32_t file);
/* Names of a file, whichever copy it is, and of a scene, for a trace: those of
 * the same disc in other layouts are the same. */
#define WORKLOAD_NAME_BYTES 36u
void workload_name(const struct workload *workload, uint32_t file,
                   char name[WORKLOAD_NAME_BYTES]);
void workload_scene_name(uint32_t scene, char name[WORKLOAD_NAME_BYTES]);
/* The file of a name, as it lies for the scene of a name (any other: for the
 * first); WORKLOAD_NO_FILE: there is none. */
#define WORKLOAD_NO_FILE UINT32_MAX
uint32_t workload_find(const struct workload *workload, const char *scene,
                       const char *name);
/* The scene that is played now. */
uint32_t workload_scene(const struct workload *workload);
/* All files of a scene that are read whole, and 40 of the 100: 220, in no
 * order. False when there is no such scene. */
#define WORKLOAD_BURST 220u
bool workload_burst(const struct workload *workload, uint32_t scene,
                    uint32_t files[WORKLOAD_BURST]);

/* Time goes on, and never back. True when another scene began: look at what
 * waits with workload_is_wanted. */
bool workload_advance(struct workload *workload, uint64_t now_us);
/* Take the next request that has been made by now; false: none. */
bool workload_take(struct workload *workload, struct workload_request *out);
bool workload_is_wanted(const struct workload *workload,
                        const struct workload_request *request);
/* It has arrived: its stream may ask for more. */
void workload_done(struct workload *workload,
                   const struct workload_request *request);
/* When to call workload_advance next, if nothing arrives before. */
uint64_t workload_due_us(const struct workload *workload);

/* How long streams stood still, and how long they were to play. */
uint64_t workload_still_us(const struct workload *workload);
uint64_t workload_playing_us(const struct workload *workload);

#endif
