/* play_platform.c - the platform table of sim_disc.h over mapped files.
 *
 * Files remain mapped when they are closed: a clip that loops is opened often.
 */
/* SPDX-License-Identifier: MIT */
#include "player/play_platform.h"

#include "host/host.h"

#include <string.h>

struct play_file {
    struct host_map map;
    const char *path;
};

static struct play_file *find_file(struct play_platform *p, const char *path)
{
    for (uint32_t i = 0; i < p->disc.file_count; i++)
        if (strcmp(p->files[i].path, path) == 0)
            return &p->files[i];
    return NULL;
}

static spn_status add_file(struct play_platform *p, const char *path,
                           struct play_file **out)
{
    struct play_file *file = &p->files[p->disc.file_count];
    struct diag diag;
    bool is_open;

    if (p->disc.file_count == p->file_capacity)
        return SPN_ERR_IO;
    diag_init(&diag);
    diag.is_silent = true;
    is_open = host_map_open(&file->map, path, &diag);
    diag_finish(&diag);
    if (!is_open)
        return SPN_ERR_NOT_FOUND;
    file->path = arena_string(p->arena, path, strlen(path));
    p->contents[p->disc.file_count] = (struct sim_disc_file){
        .data = file->map.data, .bytes = file->map.bytes};
    /* -fanalyzer: play_platform_finish closes it. */
    p->disc.file_count++;
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

static void on_log(void *user, spn_log_level level, const char *text)
{
    const struct play_platform *p = user;

    (void)level;
    diag_warn(p->diag, "platform", NULL, "%s", text);
}

void play_platform_init(struct play_platform *platform, uint32_t file_capacity,
                        struct arena *arena, struct diag *diag,
                        spn_platform *table)
{
    memset(platform, 0, sizeof *platform);
    platform->arena = arena;
    platform->diag = diag;
    platform->files = ARENA_NEW(arena, struct play_file, file_capacity);
    platform->contents = ARENA_NEW(arena, struct sim_disc_file, file_capacity);
    platform->file_capacity = file_capacity;
    sim_disc_init(&platform->disc, platform->contents, 0, table);
    table->file_open = on_file_open;
    table->log = on_log;
}

void play_platform_finish(struct play_platform *platform)
{
    for (uint32_t i = 0; i < platform->disc.file_count; i++)
        host_map_close(&platform->files[i].map);
    platform->disc.file_count = 0;
}
