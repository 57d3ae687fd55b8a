/* workload.c - generate requests over time.
 *
 * Sounds, clips and textures arrive at random times, each class from a random
 * sequence of its own; they do not depend on how reads are served. Streams
 * request more when their previous read has ended.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/workload.h"

#include "disc/drive_disc.h"
#include "disc/drive_math.h"
#include "simulate/chance.h"
#include "simulate/workload_disc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND_US 1000000u
#define LOAD_MAX 10000u
#define LOAD_ONE 1000u

#define SOUND_DUE_US 400000u
#define CLIP_DUE_US 700000u
#define CLIP_LATER_US 2500000u
#define TEXTURE_DUE_US 6000000u
#define SHARED_IN_TEN 3u

#define SCENE_FIRST_US 45000000u
#define SCENE_US_MIN 30000000u
#define SCENE_US_MORE 30000000u
#define SCENE_CHOICE 3u

#define STREAM_BEGIN_US 1500000u
#define STREAM_STAGGER_US 500000u
#define STREAM_LOW_US 2000000u
#define STREAM_HIGH_US 4000000u
#define STREAM_LEFT_US 400000u
#define STREAM_BYTES_MAX 1048576u

/* Share of each class in the drive's time at load 1000, in tenths, and mean
 * bytes of a read. */
#define SOUND_TENTHS 1u
#define SOUND_BYTES 54000u
#define CLIP_TENTHS 2u
#define CLIP_BYTES 87000u
#define TEXTURE_TENTHS 2u
#define TEXTURE_BYTES 354000u
/* A stream's chunk. Streams have the other half of the drive's time; each
 * requests half a chunk per second. */
#define CHUNK_BYTES 950000u

#define MEAN_PAIRS 20000u

/* Classes with random arrivals. */
enum source { SOURCE_SOUND, SOURCE_CLIP, SOURCE_TEXTURE, SOURCES };

struct stream {
    uint64_t start_us;
    uint64_t media_us; /* play time buffered */
    bool is_on;
    bool is_busy;
};

struct workload {
    struct workload_disc disc;
    struct chance chances[SOURCES];
    uint64_t mean_us[SOURCES];
    uint64_t next_us[SOURCES];
    struct chance scenes;
    uint64_t now_us;
    uint64_t scene_end_us;
    uint32_t scene;         /* index of the present scene on the disc */
    uint32_t scenes_before; /* scenes that the game has left */
    uint32_t stream_milli;
    uint32_t stream_count; /* of this scene */
    struct stream streams[WORKLOAD_STREAMS];
    bool has_begun;
    uint64_t stalled_us;
};

const char *const workload_layout_names[WORKLOAD_LAYOUTS] = {
    "scattered", "by-type", "by-scene", "copies"};

/* -- amounts -- */

/* Mean seek between random positions, with half a rotation. */
static uint64_t mean_position_us(const spn_drive_profile *drive)
{
    uint64_t room = spn__mul_div(spn__drive_disc_bytes(drive), 92, 100);
    struct chance chance;
    uint64_t sum = 0;

    chance_start(&chance, 999, 0);
    for (uint32_t i = 0; i < MEAN_PAIRS; i++) {
        uint64_t from = chance_below(&chance, room);
        uint64_t to = chance_below(&chance, room);

        sum += spn__drive_seek_us(drive, from, to);
        if (drive->motion != SPN_DRIVE_ZONES)
            sum += spn__drive_turn_us(drive, to) / 2;
    }
    return sum / MEAN_PAIRS;
}

static void make_rates(struct workload *w, const spn_drive_profile *drive,
                       uint32_t load)
{
    static const uint32_t tenths[SOURCES] = {SOUND_TENTHS, CLIP_TENTHS,
                                             TEXTURE_TENTHS};
    static const uint32_t bytes[SOURCES] = {SOUND_BYTES, CLIP_BYTES,
                                            TEXTURE_BYTES};
    uint64_t position_us = mean_position_us(drive);
    uint64_t rate = ((uint64_t)drive->rate_in + drive->rate_out) / 2;
    uint64_t chunk_us = position_us + (uint64_t)CHUNK_BYTES * SECOND_US / rate;

    for (uint32_t i = 0; i < SOURCES; i++) {
        uint64_t read_us = position_us + (uint64_t)bytes[i] * SECOND_US / rate;

        w->mean_us[i] = read_us * 10 * LOAD_ONE / (tenths[i] * load);
    }
    w->stream_milli = (uint32_t)((uint64_t)load * SECOND_US / chunk_us);
}

struct workload *workload_create(const struct workload_config *config)
{
    struct workload *w = calloc(1, sizeof *w);

    if (!w || config->load < 1 || config->load > LOAD_MAX ||
        !workload_disc_make(&w->disc, config->drive, config->layout)) {
        free(w);
        return NULL;
    }
    make_rates(w, config->drive, config->load);
    for (uint32_t i = 0; i < SOURCES; i++) {
        chance_start(&w->chances[i], config->seed, i);
        w->next_us[i] = chance_wait(&w->chances[i], w->mean_us[i]);
    }
    chance_start(&w->scenes, config->seed, SOURCES);
    w->scene_end_us = SCENE_FIRST_US;
    return w;
}

void workload_destroy(struct workload *w)
{
    free(w);
}

uint32_t workload_file_count(const struct workload *w)
{
    return w->disc.file_count;
}

const struct workload_file *workload_file_at(const struct workload *w,
                                             uint32_t file)
{
    return &w->disc.files[file];
}

void workload_name(const struct workload *w, uint32_t file,
                   char name[WORKLOAD_NAME_BYTES])
{
    workload_disc_name(&w->disc, file, name);
}

void workload_scene_name(uint32_t scene, char name[WORKLOAD_NAME_BYTES])
{
    snprintf(name, WORKLOAD_NAME_BYTES, "scene%02u", (unsigned)scene);
}

uint32_t workload_find(const struct workload *w, const char *scene,
                       const char *name)
{
    char own[WORKLOAD_NAME_BYTES];
    uint32_t number = 0;

    for (uint32_t i = 0; i < w->disc.scene_count; i++) {
        workload_scene_name(i, own);
        if (strcmp(own, scene) == 0)
            number = i;
    }
    return workload_disc_find(&w->disc, number, name);
}

uint32_t workload_scene(const struct workload *w)
{
    return w->scene;
}

const struct workload_disc *workload_disc_of(const struct workload *w)
{
    return &w->disc;
}

/* -- time -- */

static uint64_t played_us(const struct workload *w, const struct stream *s)
{
    return w->now_us > s->start_us ? w->now_us - s->start_us : 0;
}

/* The load allows a fraction of a stream: the last stream plays in some scenes
 * only. */
static uint32_t streams_of_scene(const struct workload *w)
{
    uint32_t count = w->stream_milli / 1000;

    count += w->scene * 7919 % 1000 < w->stream_milli % 1000;
    return count < WORKLOAD_STREAMS ? count : WORKLOAD_STREAMS;
}

static void begin_streams(struct workload *w)
{
    w->stream_count = streams_of_scene(w);
    for (uint32_t i = 0; i < WORKLOAD_STREAMS; i++) {
        struct stream *s = &w->streams[i];

        s->is_on = i < w->stream_count;
        s->is_busy = false;
        s->media_us = 0;
        s->start_us = w->now_us + STREAM_BEGIN_US + i * STREAM_STAGGER_US;
    }
}

/* Count the pauses of playback (workload.h). */
static void count_pauses(struct workload *w)
{
    for (uint32_t i = 0; i < w->stream_count; i++) {
        struct stream *s = &w->streams[i];
        uint64_t wanted_us = played_us(w, s) + STREAM_LEFT_US;

        if (s->is_busy || w->now_us <= s->start_us || s->media_us >= wanted_us)
            continue;
        w->stalled_us += wanted_us - s->media_us;
        s->media_us = wanted_us;
    }
}

bool workload_advance(struct workload *w, uint64_t now_us)
{
    bool is_first = !w->has_begun;
    bool has_changed = now_us >= w->scene_end_us;

    w->now_us = now_us;
    w->has_begun = true;
    if (has_changed) {
        w->scenes_before++;
        w->scene =
            (w->scene + 1 + (uint32_t)chance_below(&w->scenes, SCENE_CHOICE)) %
            w->disc.scene_count;
        w->scene_end_us +=
            SCENE_US_MIN + chance_below(&w->scenes, SCENE_US_MORE);
    }
    if (has_changed || is_first)
        begin_streams(w);
    count_pauses(w);
    return has_changed;
}

/* -- requests -- */

/* File `index` of the scene, or with some probability a shared file. */
static uint32_t choose_file(struct workload *w, enum source source)
{
    static const uint32_t first[SOURCES] = {WORKLOAD_FIRST_SOUND, 0,
                                            WORKLOAD_FIRST_TEXTURE};
    static const uint32_t count[SOURCES] = {WORKLOAD_SOUNDS, WORKLOAD_CLIPS,
                                            WORKLOAD_TEXTURES};
    struct chance *chance = &w->chances[source];

    if (source != SOURCE_TEXTURE && chance_below(chance, 10) < SHARED_IN_TEN) {
        uint32_t pair = (uint32_t)chance_below(chance, WORKLOAD_SHARED / 2);

        return workload_disc_shared(&w->disc, w->scene,
                                    2 * pair + (source == SOURCE_SOUND));
    }
    return workload_disc_file(
        w->scene,
        first[source] + (uint32_t)chance_below(chance, count[source]));
}

static uint64_t due_after_us(struct workload *w, enum source source)
{
    switch (source) {
    case SOURCE_SOUND:
        return SOUND_DUE_US;
    case SOURCE_CLIP:
        return chance_below(&w->chances[source], 2) ? CLIP_DUE_US
                                                    : CLIP_LATER_US;
    case SOURCE_TEXTURE:
    case SOURCES:
        break;
    }
    return TEXTURE_DUE_US;
}

static void take_from(struct workload *w, enum source source,
                      struct workload_request *out)
{
    out->file = choose_file(w, source);
    out->bytes = w->disc.files[out->file].bytes;
    out->offset = 0;
    out->arrival_us = w->next_us[source];
    out->deadline_us = out->arrival_us + due_after_us(w, source);
    out->class = w->disc.files[out->file].class;
    out->stream = 0;
    out->scenes_before = w->scenes_before;
    out->play_us = 0;
    w->next_us[source] += chance_wait(&w->chances[source], w->mean_us[source]);
}

static bool needs_data(const struct workload *w, const struct stream *s)
{
    uint64_t played = played_us(w, s);

    return s->is_on && !s->is_busy && s->media_us < played + STREAM_LOW_US;
}

static void take_chunk(struct workload *w, uint32_t index,
                       struct workload_request *out)
{
    struct stream *s = &w->streams[index];
    uint32_t rate = w->disc.stream_rates[w->scene][index];
    uint64_t play_us = STREAM_HIGH_US - (s->media_us - played_us(w, s));
    uint64_t end_us = s->start_us + s->media_us;
    uint64_t at;

    if (play_us * rate > (uint64_t)STREAM_BYTES_MAX * SECOND_US)
        play_us = (uint64_t)STREAM_BYTES_MAX * SECOND_US / rate;
    out->file = workload_disc_file(w->scene, WORKLOAD_FIRST_STREAM + index);
    out->bytes = (uint32_t)(play_us * rate / SECOND_US);
    at = spn__mul_div(s->media_us, rate, SECOND_US);
    at %= w->disc.files[out->file].bytes - out->bytes;
    out->offset = at - at % 2048;
    out->arrival_us = w->now_us;
    out->deadline_us = end_us > STREAM_LEFT_US ? end_us - STREAM_LEFT_US : 0;
    out->class = DEADLINE_STREAM;
    out->stream = index;
    out->scenes_before = w->scenes_before;
    out->play_us = play_us;
    s->is_busy = true;
}

bool workload_take(struct workload *w, struct workload_request *out)
{
    enum source first = SOURCE_SOUND;

    for (enum source i = SOURCE_CLIP; i < SOURCES; i++)
        if (w->next_us[i] < w->next_us[first])
            first = i;
    if (w->next_us[first] <= w->now_us) {
        take_from(w, first, out);
        return true;
    }
    for (uint32_t i = 0; i < w->stream_count; i++)
        if (needs_data(w, &w->streams[i])) {
            take_chunk(w, i, out);
            return true;
        }
    return false;
}

bool workload_is_wanted(const struct workload *w,
                        const struct workload_request *request)
{
    return request->class != DEADLINE_STREAM ||
           request->scenes_before == w->scenes_before;
}

void workload_done(struct workload *w, const struct workload_request *request)
{
    struct stream *s = &w->streams[request->stream];

    if (request->class != DEADLINE_STREAM || !workload_is_wanted(w, request))
        return;
    s->is_busy = false;
    s->media_us += request->play_us;
}

uint64_t workload_due_us(const struct workload *w)
{
    uint64_t due_us = w->has_begun ? w->scene_end_us : w->now_us;

    for (uint32_t i = 0; i < SOURCES; i++)
        if (w->next_us[i] < due_us)
            due_us = w->next_us[i];
    for (uint32_t i = 0; i < w->stream_count; i++) {
        const struct stream *s = &w->streams[i];
        /* One microsecond after less than LOW is buffered. */
        uint64_t end_us = s->start_us + s->media_us + 1;

        if (s->is_on && !s->is_busy && end_us < due_us + STREAM_LOW_US)
            due_us = end_us > STREAM_LOW_US ? end_us - STREAM_LOW_US : 0;
    }
    return due_us > w->now_us ? due_us : w->now_us;
}

uint64_t workload_stalled_us(const struct workload *w)
{
    return w->stalled_us;
}

uint64_t workload_playing_us(const struct workload *w)
{
    return spn__mul_div(w->now_us, w->stream_milli, 1000);
}
