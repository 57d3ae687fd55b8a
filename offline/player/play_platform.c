/* play_platform.c - a platform over mapped files.
 *
 * Files stay mapped when they are closed: a clip that loops is opened often.
 */
/* SPDX-License-Identifier: MIT */
#include "player/play_platform.h"

#include "host/host.h"

#include <stdlib.h>
#include <string.h>

struct play_file {
    struct host_map map;
    char *path;
};

static struct play_file *find_file(struct play_platform *p, const char *path)
{
    for (uint32_t i = 0; i < p->file_count; i++)
        if (strcmp(p->files[i].path, path) == 0)
            return &p->files[i];
    return NULL;
}

static spn_status add_file(struct play_platform *p, const char *path,
                           struct play_file **out)
{
    struct play_file *file = &p->files[p->file_count];
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
    /* -fanalyzer: it is the platform's now, and goes with it. */
    p->file_count++;
    *out = file;
    return SPN_OK;
}

static spn_status on_file_open(void *user, const char *path,
                               spn_platform_file_info *info)
{
    struct play_platform *p = user;
    struct play_file *file = find_file(p, path);

    if (!file) {
        spn_status status = add_file(p, path, &file);

        if (status != SPN_OK)
            return status;
    }
    info->file = (spn_platform_file)(file - p->files);
    info->bytes = file->map.bytes;
    info->disc_offset = UINT64_MAX;
    info->align_bytes = 1;
    return SPN_OK;
}

static void on_file_close(void *user, spn_platform_file file)
{
    (void)user;
    (void)file;
}

static spn_status on_read_submit(void *user, spn_platform_file number,
                                 uint64_t offset, const spn_extent *extents,
                                 uint32_t extent_count, uint32_t tag)
{
    struct play_platform *p = user;
    const struct play_file *file = &p->files[number];
    uint64_t left = offset < file->map.bytes ? file->map.bytes - offset : 0;
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
    *out = p->completion;
    p->is_reading = false;
    return SPN_OK;
}

static uint64_t on_now_us(void *user)
{
    const struct play_platform *p = user;

    return p->clock_us;
}

static void on_log(void *user, spn_log_level level, const char *text)
{
    const struct play_platform *p = user;

    (void)level;
    diag_warn(p->diag, "platform", NULL, "%s", text);
}

void play_platform_init(struct play_platform *platform, uint32_t file_capacity,
                        struct diag *diag, spn_platform *table)
{
    memset(platform, 0, sizeof *platform);
    platform->diag = diag;
    platform->files = calloc(file_capacity, sizeof *platform->files);
    platform->file_capacity = platform->files ? file_capacity : 0;

    memset(table, 0, sizeof *table);
    table->user = platform;
    table->file_open = on_file_open;
    table->file_close = on_file_close;
    table->read_submit = on_read_submit;
    table->read_poll = on_read_poll;
    table->now_us = on_now_us;
    table->log = on_log;
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
