/* workload_disc.c - draw file sizes from a fixed seed, and place them by the
 * layout.
 *
 * In random layouts files fill 92 % of the disc. In layouts by scene each scene
 * is packed, and the free space lies between the scenes.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/workload_disc.h"

#include "disc/drive_disc.h"
#include "disc/drive_math.h"
#include "simulate/chance.h"

#include <stdio.h>
#include <string.h>

#define DISC_SEED 7u
#define SECTOR 2048u
#define SECOND_US 1000000u

/* The kinds of files in a scene, in their order. */
enum kind { CLIP, SOUND, TEXTURE, STREAM, KINDS };
static const struct {
    const char *name;
    uint32_t first; /* index in the scene */
    uint32_t count;
    enum deadline_class class;
    uint32_t bytes_min; /* of a file; a stream has a rate and a length */
    uint32_t bytes_max;
} kinds[KINDS] = {
    {"clip", 0, WORKLOAD_CLIPS, DEADLINE_CLIP, 4096, 409600},
    {"sound", WORKLOAD_FIRST_SOUND, WORKLOAD_SOUNDS, DEADLINE_SOUND, 16384,
     131072},
    {"texture", WORKLOAD_FIRST_TEXTURE, WORKLOAD_TEXTURES, DEADLINE_BULK, 65536,
     1048576},
    {"stream", WORKLOAD_FIRST_STREAM, WORKLOAD_STREAMS, DEADLINE_STREAM, 0, 0},
};

static uint64_t sectors(uint64_t bytes)
{
    return (bytes + (SECTOR - 1)) / SECTOR * SECTOR;
}

static uint64_t disc_room(const spn_drive_profile *drive)
{
    return spn__mul_div(spn__drive_disc_bytes(drive), 92, 100);
}

/* -- contents -- */

static void add_file(struct workload_disc *disc, enum deadline_class class,
                     uint64_t bytes)
{
    struct workload_file *file = &disc->files[disc->file_count];

    file->offset = 0;
    file->bytes = (uint32_t)bytes;
    file->content = disc->file_count++;
    file->class = class;
}

static void add_drawn(struct workload_disc *disc, struct chance *chance,
                      enum kind kind)
{
    add_file(disc, kinds[kind].class,
             chance_size(chance, kinds[kind].bytes_min, kinds[kind].bytes_max));
}

static void add_scene(struct workload_disc *disc, struct chance *chance,
                      uint32_t scene)
{
    for (uint32_t k = CLIP; k < STREAM; k++)
        for (uint32_t i = 0; i < kinds[k].count; i++)
            add_drawn(disc, chance, (enum kind)k);
    for (uint32_t i = 0; i < WORKLOAD_STREAMS; i++) {
        uint64_t rate = chance_size(chance, 200000, 1000000);
        uint64_t us = 15 * SECOND_US + chance_below(chance, 30 * SECOND_US);

        disc->stream_rates[scene][i] = (uint32_t)rate;
        add_file(disc, DEADLINE_STREAM, spn__mul_div(rate, us, SECOND_US));
    }
}

static uint64_t bytes_of(const struct workload_disc *disc, uint32_t first,
                         uint32_t count)
{
    uint64_t bytes = 0;

    for (uint32_t i = first; i < first + count; i++)
        bytes += sectors(disc->files[i].bytes);
    return bytes;
}

/* Draw the shared files first: they are the same for any number of scenes. */
static bool make_files(struct workload_disc *disc, uint64_t room)
{
    struct chance shared;
    struct chance scenes;
    uint64_t shared_bytes;
    uint64_t bytes;

    chance_start(&shared, DISC_SEED, 0);
    chance_start(&scenes, DISC_SEED, 1);
    disc->file_count = 0;
    for (uint32_t i = 0; i < WORKLOAD_SHARED / 2; i++) {
        add_drawn(disc, &shared, CLIP);
        add_drawn(disc, &shared, SOUND);
    }
    shared_bytes = bytes_of(disc, 0, WORKLOAD_SHARED);
    bytes = shared_bytes;
    disc->scene_count = 0;
    while (disc->scene_count < WORKLOAD_SCENES) {
        uint32_t first = disc->file_count;

        add_scene(disc, &scenes, disc->scene_count);
        bytes += bytes_of(disc, first, WORKLOAD_SCENE_FILES) + shared_bytes;
        if (bytes > room) {
            disc->file_count = first;
            break;
        }
        disc->scene_count++;
    }
    return disc->scene_count > 0;
}

static void add_copies(struct workload_disc *disc)
{
    for (uint32_t s = 0; s < disc->scene_count; s++)
        for (uint32_t i = 0; i < WORKLOAD_SHARED; i++) {
            add_file(disc, disc->files[i].class, disc->files[i].bytes);
            disc->files[disc->file_count - 1].content = i;
        }
}

/* -- positions -- */

static uint64_t anywhere(struct chance *chance, uint64_t from, uint64_t room,
                         uint64_t bytes)
{
    return from + chance_below(chance, room > bytes ? room - bytes : 1) /
                      SECTOR * SECTOR;
}

static void scatter(struct workload_disc *disc, struct chance *chance,
                    uint64_t room)
{
    for (uint32_t i = 0; i < disc->file_count; i++)
        disc->files[i].offset = anywhere(chance, 0, room, disc->files[i].bytes);
}

static uint32_t kind_of(enum deadline_class class)
{
    uint32_t kind = CLIP;

    while (kinds[kind].class != class)
        kind++;
    return kind;
}

/* A region for each kind, in proportion to its bytes. */
static void lay_by_type(struct workload_disc *disc, struct chance *chance,
                        uint64_t room)
{
    uint64_t bytes[KINDS] = {0};
    uint64_t from[KINDS];
    uint64_t total = 0;
    uint64_t at = 0;

    for (uint32_t i = 0; i < disc->file_count; i++) {
        bytes[kind_of(disc->files[i].class)] += disc->files[i].bytes;
        total += disc->files[i].bytes;
    }
    for (uint32_t k = 0; k < KINDS; k++) {
        bytes[k] = spn__mul_div(room, bytes[k], total);
        bytes[k] -= bytes[k] % SECTOR;
        from[k] = at;
        at += bytes[k];
    }
    for (uint32_t i = 0; i < disc->file_count; i++) {
        uint32_t k = kind_of(disc->files[i].class);

        disc->files[i].offset =
            anywhere(chance, from[k], bytes[k], disc->files[i].bytes);
    }
}

static uint64_t lay(struct workload_disc *disc, uint32_t first, uint32_t count,
                    uint64_t at)
{
    for (uint32_t i = first; i < first + count; i++) {
        disc->files[i].offset = at;
        at += sectors(disc->files[i].bytes);
    }
    return at;
}

/* In each scene clips and sounds first, then its copies of shared files,
 * textures, streams. */
static void lay_by_scene(struct workload_disc *disc, uint64_t room)
{
    uint64_t bytes = bytes_of(disc, 0, disc->file_count);
    uint64_t gap = sectors((room - bytes) / disc->scene_count * 9 / 10);
    uint64_t at = lay(disc, 0, WORKLOAD_SHARED, 0);

    for (uint32_t s = 0; s < disc->scene_count; s++) {
        at = lay(disc, workload_disc_file(s, 0), WORKLOAD_FIRST_TEXTURE, at);
        if (disc->has_copies)
            at = lay(disc, workload_disc_shared(disc, s, 0), WORKLOAD_SHARED,
                     at);
        at = lay(disc, workload_disc_file(s, WORKLOAD_FIRST_TEXTURE),
                 WORKLOAD_TEXTURES + WORKLOAD_STREAMS, at);
        at += gap;
    }
}

/* -- outside -- */

bool workload_disc_make(struct workload_disc *disc,
                        const spn_drive_profile *drive,
                        enum workload_layout layout)
{
    uint64_t room = disc_room(drive);
    struct chance places;

    chance_start(&places, DISC_SEED, 2);
    if (!make_files(disc, room))
        return false;
    disc->has_copies = layout == WORKLOAD_COPIES;
    if (disc->has_copies)
        add_copies(disc);
    switch (layout) {
    case WORKLOAD_SCATTERED:
        scatter(disc, &places, room);
        break;
    case WORKLOAD_BY_TYPE:
        lay_by_type(disc, &places, room);
        break;
    case WORKLOAD_BY_SCENE:
    case WORKLOAD_COPIES:
    case WORKLOAD_LAYOUTS:
        lay_by_scene(disc, room);
        break;
    }
    return true;
}

uint32_t workload_disc_file(uint32_t scene, uint32_t index)
{
    return WORKLOAD_SHARED + scene * WORKLOAD_SCENE_FILES + index;
}

uint32_t workload_disc_shared(const struct workload_disc *disc, uint32_t scene,
                              uint32_t index)
{
    if (!disc->has_copies)
        return index;
    return WORKLOAD_SHARED + disc->scene_count * WORKLOAD_SCENE_FILES +
           scene * WORKLOAD_SHARED + index;
}

/* -- names -- */

void workload_disc_name(const struct workload_disc *disc, uint32_t file,
                        char name[WORKLOAD_NAME_BYTES])
{
    uint32_t content = disc->files[file].content;
    uint32_t index;
    uint32_t k = 0;

    if (content < WORKLOAD_SHARED) {
        snprintf(name, WORKLOAD_NAME_BYTES, "shared/%02u", (unsigned)content);
        return;
    }
    content -= WORKLOAD_SHARED;
    index = content % WORKLOAD_SCENE_FILES;
    while (index - kinds[k].first >= kinds[k].count)
        k++;
    snprintf(name, WORKLOAD_NAME_BYTES, "scene%02u/%s%02u",
             (unsigned)(content / WORKLOAD_SCENE_FILES), kinds[k].name,
             (unsigned)(index - kinds[k].first));
}

/* Return the file that a name denotes if it is a name; the caller compares. */
static uint32_t parse_name(const char *name)
{
    unsigned scene;
    unsigned index;
    char kind[8];

    /* NOLINTNEXTLINE(cert-err34-c): two digits at most. */
    if (sscanf(name, "shared/%2u", &index) == 1)
        return index;
    /* NOLINTNEXTLINE(cert-err34-c): two digits at most. */
    if (sscanf(name, "scene%2u/%7[a-z]%2u", &scene, kind, &index) == 3)
        for (uint32_t k = 0; k < KINDS; k++)
            if (strcmp(kind, kinds[k].name) == 0)
                return workload_disc_file(scene, kinds[k].first + index);
    return WORKLOAD_NO_FILE;
}

uint32_t workload_disc_find(const struct workload_disc *disc, uint32_t scene,
                            const char *name)
{
    uint32_t count = WORKLOAD_SHARED + disc->scene_count * WORKLOAD_SCENE_FILES;
    uint32_t file = parse_name(name);
    char own[WORKLOAD_NAME_BYTES];

    if (file >= count)
        return WORKLOAD_NO_FILE;
    workload_disc_name(disc, file, own);
    if (strcmp(own, name) != 0)
        return WORKLOAD_NO_FILE;
    return file < WORKLOAD_SHARED ? workload_disc_shared(disc, scene, file)
                                  : file;
}
