/* clip_disc.c - see clip_disc.h. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_disc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICKS_MAX 10000

void clip_disc_fail(const char *what)
{
    fprintf(stderr, "clip_disc: %s\n", what);
    exit(1);
}

static void *aligned(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 63) / 64 * 64);

    if (!block)
        clip_disc_fail("out of memory");
    return block;
}

void clip_disc_init(struct clip_disc *disc)
{
    memset(disc, 0, sizeof *disc);
    slow_platform_init(&disc->disc);
}

void clip_disc_tick(struct clip_disc *disc, uint32_t us)
{
    disc->disc.clock_us += us;
    spn_update(disc->rt);
}

static void open_drive(struct clip_disc *disc)
{
    spn_emulator_drive drive = {.profile =
                                    spn_drive_profile_find(CLIP_DISC_DRIVE)};
    const spn_emulator_config config = {
        .platform = &disc->disc.table, .drives = &drive, .drive_count = 1};
    const size_t bytes = spn_emulator_bytes(&config);

    disc->emulator_memory = aligned(bytes);
    if (spn_emulator_init(&config, disc->emulator_memory, bytes,
                          &disc->emulator, &disc->platform) != SPN_OK)
        clip_disc_fail("no emulator");
    disc->config.media[SPN_MEDIUM_OPTICAL].drive = drive.profile;
}

void clip_disc_open(struct clip_disc *disc, uint32_t clips, const char *image)
{
    spn_config *config = &disc->config;
    size_t bytes;

    *config = (spn_config){.platform = &disc->platform,
                           .heap_bytes = 64u << 20,
                           .anim_count = clips,
                           .cache_count = 1,
                           .node_count = 1};
    open_drive(disc);
    bytes = spn_memory_needed(config);
    disc->memory = aligned(bytes);
    if (spn_init(config, disc->memory, bytes, &disc->rt) != SPN_OK)
        clip_disc_fail("no runtime");
    if (spn_anim_open_image(disc->rt, image) != SPN_OK)
        clip_disc_fail("no image");
    for (int i = 0; i < TICKS_MAX &&
                    spn_anim_get_image_status(disc->rt, NULL) == SPN_PENDING;
         i++)
        clip_disc_tick(disc, CLIP_DISC_TICK_US);
    if (spn_anim_get_image_status(disc->rt, NULL) != SPN_OK)
        clip_disc_fail("the image was refused");
}

void clip_disc_close(struct clip_disc *disc)
{
    spn_shutdown(disc->rt);
    free(disc->memory);
    free(disc->emulator_memory);
}

spn_anim_skeleton clip_disc_skeleton(struct clip_disc *disc, const char *path)
{
    spn_anim_skeleton skeleton = 0;

    if (spn_anim_skeleton_open(disc->rt, path, &skeleton) != SPN_OK)
        clip_disc_fail("no skeleton");
    for (int i = 0;
         i < TICKS_MAX &&
         spn_anim_skeleton_get_status(disc->rt, skeleton, NULL) == SPN_PENDING;
         i++)
        clip_disc_tick(disc, CLIP_DISC_TICK_US);
    if (spn_anim_skeleton_get_status(disc->rt, skeleton, NULL) != SPN_OK)
        clip_disc_fail("the skeleton was refused");
    return skeleton;
}
