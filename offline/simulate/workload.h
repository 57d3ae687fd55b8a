/* workload.h - a generated game: which reads it starts, and when.
 *
 * A game enters scene after scene. While it is in a scene it reads sounds,
 * clips and textures of the scene at random times, and plays streams, which
 * read chunks ahead of playback. The caller owns the clock, and repeats:
 *
 *   wait until workload_due_us, or until a read ends
 *   workload_done for each read that has ended
 *   workload_advance to the present time
 *   workload_take until it returns false; start these reads
 *
 * The game follows from the config; everything is integers, so it is the same
 * on every machine. The files lie on a generated disc (workload_disc.h).
 *
 * Files. The disc has 24 scenes; a small disc has fewer. Each scene has 60
 * clips of 4 to 400 KiB, 40 sounds of 16 to 128 KiB, 80 textures of 64 KiB to 1
 * MiB (sizes log-uniform), and 12 streams of 0.2 to 1 MB/s and 15 to 45 s. All
 * scenes use 100 shared files, half of them sounds and half clips.
 *
 * Scenes. The first one lasts 45 s, others 30 to 60 s. The next scene is one of
 * the three that follow on the disc.
 *
 * Reads at random times. Each is of a whole file of the present scene; of
 * sounds and clips, 30 % are of a shared file instead. The deadline counts from
 * the request:
 *
 *   sound    0.4 s
 *   clip     0.7 s or 2.5 s, with equal chance
 *   texture  6 s
 *
 * Streams. The first stream of a scene begins 1.5 s after the scene, each
 * further one 0.5 s after the one before it. Those that play (see Load) do so
 * until the scene ends; the game then drops their reads. A stream requests its
 * next chunk when its last read has ended and less than 2 s of play time are
 * buffered. The chunk fills the buffer to 4 s, but has at most 1 MiB. Its
 * deadline is the moment when 0.4 s of play time are left in the buffer. A late
 * read makes playback pause. The pause is counted when the read has ended: it
 * is as long as the play time that the buffer then lacks to 0.4 s. A stream
 * that reaches the end of its file starts again.
 *
 * Load. At load 1000 the drive is saturated if it serves requests in order of
 * arrival from the scattered layout: for the requests of one second it needs
 * one second on average. Half of that time is for streams, a fifth each for
 * clips and textures, a tenth for sounds. For this estimate, a read takes a
 * seek between random positions, plus the transfer of the mean size of its
 * class (sound 54, clip 87, texture 354, stream 950 kB) at the mean rate of the
 * disc. The load determines the mean time between random reads, and how many of
 * a scene's streams play.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_WORKLOAD_H
#define OFFLINE_SIMULATE_WORKLOAD_H

#include "schedule/deadline.h"

#include <spindle/drive_profile.h>
#include <stdbool.h>
#include <stdint.h>

enum workload_layout {
    WORKLOAD_SCATTERED, /* every file at a random position */
    WORKLOAD_BY_TYPE,   /* a region for clips, sounds, textures, streams each;
                         * random positions within it */
    WORKLOAD_BY_SCENE,  /* the shared files, then scene by scene */
    WORKLOAD_COPIES,    /* as by scene, with a copy of each shared file beside
                         * the files of each scene */
    WORKLOAD_LAYOUTS
};
/* "scattered", "by-type", "by-scene", "copies" */
extern const char *const workload_layout_names[WORKLOAD_LAYOUTS];

struct workload_config {
    const spn_drive_profile *drive; /* must outlive the workload */
    enum workload_layout layout;
    uint32_t load; /* thousandths, 1..10000 */
    uint64_t seed; /* of the requests; the disc does not depend on it */
};

/* A file on the disc. Files have indices below workload_file_count. */
struct workload_file {
    uint64_t offset; /* on the disc, bytes */
    uint32_t bytes;
    uint32_t content; /* index of the file of which this is a copy; otherwise
                       * its own index */
    enum deadline_class class;
};

/* A read that the game requests. Times are on the caller's clock. */
struct workload_request {
    uint32_t file; /* index */
    uint32_t bytes;
    uint64_t offset;      /* in the file */
    uint64_t arrival_us;  /* time of the request */
    uint64_t deadline_us; /* when the read should have ended */
    enum deadline_class class;
    uint32_t scenes_before; /* number of scenes that the game had left when it
                             * made the request */
    /* Only for class DEADLINE_STREAM, otherwise 0. */
    uint32_t stream;  /* index of the stream in its scene */
    uint64_t play_us; /* play time of the requested bytes */
};

struct workload;
struct workload_disc;
/* Returns NULL if not even one scene fits on the disc, if the load is out of
 * range, or if memory runs out. */
struct workload *workload_create(const struct workload_config *config);
void workload_destroy(struct workload *workload);

uint32_t workload_file_count(const struct workload *workload);
/* The pointer is valid until workload_destroy. */
const struct workload_file *workload_file_at(const struct workload *workload,
                                             uint32_t file);
/* Store the name of a file: the same for all copies of one content, and in all
 * layouts. */
#define WORKLOAD_NAME_BYTES 36u
void workload_name(const struct workload *workload, uint32_t file,
                   char name[WORKLOAD_NAME_BYTES]);
/* Store the name of the scene with an index. */
void workload_scene_name(uint32_t scene, char name[WORKLOAD_NAME_BYTES]);
/* Return the index of the file with a name; WORKLOAD_NO_FILE: there is none. If
 * the file is shared and has copies, return the copy beside the scene with the
 * name `scene`, or beside the first scene if no scene has that name. */
#define WORKLOAD_NO_FILE UINT32_MAX
uint32_t workload_find(const struct workload *workload, const char *scene,
                       const char *name);
/* Index of the present scene. */
uint32_t workload_scene(const struct workload *workload);
/* The disc of the game (workload_disc.h). */
const struct workload_disc *workload_disc_of(const struct workload *workload);

/* Advance to `now_us`, which must not decrease. Returns true if a new scene has
 * begun: the caller then drops the requests that are no longer wanted. */
bool workload_advance(struct workload *workload, uint64_t now_us);
/* Take the next request that the game has made by the present time. Returns
 * false if there is none. */
bool workload_take(struct workload *workload, struct workload_request *out);
/* Return whether the game still wants the bytes: false for streams of a scene
 * that it has left. */
bool workload_is_wanted(const struct workload *workload,
                        const struct workload_request *request);
/* Report that the read of a request has ended: its stream may request more. */
void workload_done(struct workload *workload,
                   const struct workload_request *request);
/* Return the time at which the game makes its next request or enters the next
 * scene, if no read ends before. */
uint64_t workload_due_us(const struct workload *workload);

/* Time that playback has waited for data, summed over all streams. */
uint64_t workload_stalled_us(const struct workload *workload);
/* Time that streams should have played, summed over all streams, including the
 * time that they waited: the present time, times the mean number of streams. */
uint64_t workload_playing_us(const struct workload *workload);

#endif
