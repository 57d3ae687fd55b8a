/* play_platform.c - a virtual disc over mapped files.
 *
 * The bytes are copied when the read is submitted; only its completion waits
 * for the clock. A file keeps its place on the disc when it is opened again.
 */
/* SPDX-License-Identifier: MIT */
#include "play/play_platform.h"

#include "common/host.h"

#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 2048u

struct play_disc_file {
    struct host_map map;
    char *path;
    uint64_t disc_offset;
};

static struct play_disc_file *find_file(struct play_platform *p,
                                        const char *path)
{
    for (uint32_t i = 0; i < p->file_count; i++)
        if (strcmp(p->files[i].path, path) == 0)
            return &p->files[i];
    return NULL;
}

static spn_status add_file(struct play_platform *p, const char *path,
                           struct play_disc_file **out)
{
    struct play_disc_file *file = &p->files[p->file_count];
    struct diag diag;
    bool is_open;

    if (p->file_count == p->file_capacity)
        return SPN_ERR_IO;
    diag_init(&diag);
    diag.is_silent = true;
    is_open = host_map_open(&file->map, path, &diag);
    diag_finish(&diag);
    if (!is_open)
        return SPN_ERR_NOT_FOUND;
    file->path = malloc(strlen(path) + 1);
    if (!file->path) {
        host_map_close(&file->map);
        return SPN_ERR_IO;
    }
    memcpy(file->path, path, strlen(path) + 1);
    file->disc_offset = p->disc_bytes;
    p->disc_bytes +=
        (file->map.bytes + SECTOR_BYTES - 1) / SECTOR_BYTES * SECTOR_BYTES;
    p->file_count++;
    *out = file;
    return SPN_OK;
}

static spn_status on_file_open(void *user, const char *path,
                               spn_platform_file_info *info)
{
    struct play_platform *p = user;
    struct play_disc_file *file = find_file(p, path);

    if (!file) {
        spn_status status = add_file(p, path, &file);

        if (status != SPN_OK)
            return status;
    }
    info->file = (spn_platform_file)(file - p->files);
    info->bytes = file->map.bytes;
    info->disc_offset = file->disc_offset;
    info->align_bytes = 1;
    info->medium = SPN_MEDIUM_OPTICAL;
    return SPN_OK;
}

/* Files stay mapped: they keep their place on the disc. */
static void on_file_close(void *user, spn_platform_file file)
{
    (void)user;
    (void)file;
}

static uint64_t transfer_us(const struct play_platform *p, uint64_t bytes)
{
    /* Reads are far below 2^40 bytes: the product fits. */
    return (bytes * 1000000u + p->bytes_per_second - 1) / p->bytes_per_second;
}

static spn_status on_read_submit(void *user, spn_platform_file number,
                                 uint64_t offset, const spn_extent *extents,
                                 uint32_t extent_count, uint32_t tag)
{
    struct play_platform *p = user;
    const struct play_disc_file *file = &p->files[number];
    uint64_t left = offset < file->map.bytes ? file->map.bytes - offset : 0;
    uint64_t start = file->disc_offset + offset;
    uint64_t done = 0;

    for (uint32_t i = 0; i < extent_count && left > 0; i++) {
        uint64_t bytes = extents[i].bytes < left ? extents[i].bytes : left;

        memcpy(extents[i].data, file->map.data + offset + done, (size_t)bytes);
        done += bytes;
        left -= bytes;
    }
    p->completion.tag = tag;
    p->completion.status = SPN_OK;
    p->completion.bytes = done;
    p->due_us = p->clock_us + (start == p->head ? 0 : p->seek_us) +
                transfer_us(p, done);
    p->busy_us += p->due_us - p->clock_us;
    p->seek_count += start != p->head;
    p->head = start + done;
    p->is_reading = true;
    return SPN_OK;
}

static spn_status on_read_poll(void *user, spn_platform_completion *out,
                               uint64_t *due_us)
{
    struct play_platform *p = user;

    *due_us = UINT64_MAX;
    if (!p->is_reading)
        return SPN_PENDING;
    if (p->is_ending && p->clock_us < p->due_us)
        p->clock_us = p->due_us;
    if (p->clock_us < p->due_us) {
        *due_us = p->due_us;
        return SPN_PENDING;
    }
    *out = p->completion;
    p->is_reading = false;
    return SPN_OK;
}

static uint64_t on_now_us(void *user)
{
    const struct play_platform *p = user;

    return p->clock_us;
}

void play_platform_init(struct play_platform *platform, uint32_t file_capacity,
                        spn_platform *table)
{
    platform->files = calloc(file_capacity, sizeof *platform->files);
    platform->file_capacity = platform->files ? file_capacity : 0;
    platform->file_count = 0;
    platform->disc_bytes = 0;
    platform->busy_us = 0;
    platform->seek_count = 0;
    platform->head = UINT64_MAX;
    platform->is_reading = false;
    platform->is_ending = false;
    platform->clock_us = 0;

    memset(table, 0, sizeof *table);
    table->user = platform;
    table->file_open = on_file_open;
    table->file_close = on_file_close;
    table->read_submit = on_read_submit;
    table->read_poll = on_read_poll;
    table->now_us = on_now_us;
}

void play_platform_finish(struct play_platform *platform)
{
    for (uint32_t i = 0; i < platform->file_count; i++) {
        host_map_close(&platform->files[i].map);
        free(platform->files[i].path);
    }
    free(platform->files);
    platform->files = NULL;
    platform->file_count = 0;
}

void play_platform_end(struct play_platform *platform)
{
    platform->is_ending = true;
}

uint64_t play_platform_due_us(const struct play_platform *platform)
{
    return platform->is_reading ? platform->due_us : UINT64_MAX;
}
