/* workload.h - a generated game: which reads it starts, and when.
 *
 * The game is generated from a seed; everything is integers, so the same config
 * gives the same game on every machine. Reads go to a generated disc
 * (workload_disc.h). The caller owns the clock and repeats:
 *
 *   wait until workload_due_us, or until a read ends
 *   workload_done for each read that has ended
 *   workload_advance to the present time
 *   workload_take until it returns false; start the reads
 *
 * The disc has 24 scenes; a small disc has fewer. Each scene has 60 animation
 * clips of 4 to 400 KiB, 40 sounds of 16 to 128 KiB, 80 textures of 64 KiB to 1
 * MiB (sizes log-uniform), and 12 streams of 0.2 to 1 MB/s and 15 to 45 s. 100
 * shared files, half sounds and half clips, are used by all scenes.
 *
 *   sound    starts at random times, deadline 0.4 s; 30 % are shared files
 *   clip     starts at random times, deadline 0.7 or 2.5 s with equal chance;
 *            30 % are shared files
 *   texture  starts at random times, deadline 6 s
 *   stream   plays from 1.5 s after the scene begins; the next one from 0.5 s
 *            after the last one ended. It requests its next chunk when less
 *            than 2 s are buffered, enough to buffer 4 s, at most 1 MiB. The
 *            deadline is the moment when 0.4 s are left. When the buffer runs
 *            empty, playback of the stream pauses.
 *
 * The first scene lasts 45 s, others 30 to 60 s. The next scene is one of the
 * three that follow. When a scene ends, the game no longer wants its stream
 * reads.
 *
 * The unit of load: at load 1000 a drive that reads everything in order of
 * arrival, on the scattered layout, is busy all the time. Half of its time is
 * for streams, a fifth each for clips and textures, a tenth for sounds. The
 * time of a read is that of a seek between random positions, plus the transfer
 * of the mean size (sound 54, clip 87, texture 354, stream 950 kB) at the mean
 * rate of the disc.
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

struct workload_file {
    uint64_t offset; /* on the disc */
    uint32_t bytes;
    uint32_t content; /* the file of which this is a copy; else its own index */
    enum deadline_class class;
};

struct workload_request {
    uint32_t file;
    uint32_t bytes;
    uint64_t offset; /* in the file */
    uint64_t arrival_us;
    uint64_t deadline_us;
    enum deadline_class class;
    /* Only for class DEADLINE_STREAM. */
    uint32_t stream;   /* index of the stream in its scene */
    uint32_t stay;     /* number of scenes that were entered before */
    uint64_t ahead_us; /* of a stream: play time of the requested bytes, which
                        * it reads ahead of playback; otherwise 0 */
};

struct workload;
/* Returns NULL when not even one scene fits on the disc, or when the load is
 * out of range. Ends the process when memory runs out. */
struct workload *workload_create(const struct workload_config *config);
void workload_destroy(struct workload *workload);

uint32_t workload_file_count(const struct workload *workload);
const struct workload_file *workload_file_at(const struct workload *workload,
                                             uint32_t file);
/* Store the name of a file's content, and of a scene. A content has the same
 * name in every layout, and so have its copies. */
#define WORKLOAD_NAME_BYTES 36u
void workload_name(const struct workload *workload, uint32_t file,
                   char name[WORKLOAD_NAME_BYTES]);
void workload_scene_name(uint32_t scene, char name[WORKLOAD_NAME_BYTES]);
/* Find the file with this name. Of a shared file with copies this is the copy
 * of the scene with the name `scene`, or of the first scene when no scene has
 * that name. WORKLOAD_NO_FILE: no file has the name. */
#define WORKLOAD_NO_FILE UINT32_MAX
uint32_t workload_find(const struct workload *workload, const char *scene,
                       const char *name);
/* Index of the scene that is played now. */
uint32_t workload_scene(const struct workload *workload);
/* List the files that a scene loads when it is entered: all its files but the
 * streams, and 40 shared ones; in no particular order. Returns false when there
 * is no such scene. */
#define WORKLOAD_BURST 220u
bool workload_burst(const struct workload *workload, uint32_t scene,
                    uint32_t files[WORKLOAD_BURST]);

/* Advance to `now_us`, which must not decrease. Returns true when a new scene
 * has begun: the caller then drops the requests for which workload_is_wanted
 * returns false. */
bool workload_advance(struct workload *workload, uint64_t now_us);
/* Take the next request made by now. Returns false when there is none. */
bool workload_take(struct workload *workload, struct workload_request *out);
/* Does the game still want the bytes? */
bool workload_is_wanted(const struct workload *workload,
                        const struct workload_request *request);
/* Report that the read of a request has ended: its stream may request more. */
void workload_done(struct workload *workload,
                   const struct workload_request *request);
/* Return the time at which the game makes its next request or enters the next
 * scene, if no read ends before. */
uint64_t workload_due_us(const struct workload *workload);

/* Sums over all streams: time that playback waited for data, and time that it
 * was due. */
uint64_t workload_stalled_us(const struct workload *workload);
uint64_t workload_playing_us(const struct workload *workload);

#endif
