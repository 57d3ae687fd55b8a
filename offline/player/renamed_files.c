/* renamed_files.c - map names at file_open, and hand all other calls on. */
/* SPDX-License-Identifier: MIT */
#include "player/renamed_files.h"

#include <stdio.h>
#include <string.h>

/* -- names -- */

static bool is_pak(const struct play_paks *paks, const char *name)
{
    for (uint32_t i = 0; i < paks->count; i++)
        if (strcmp(paks->paths[i], name) == 0)
            return true;
    return false;
}

static const struct play_source *find_source(const struct play_paks *paks,
                                             const char *name)
{
    for (uint32_t i = 0; i < paks->source_count; i++)
        if (strcmp(paks->sources[i].name, name) == 0)
            return &paks->sources[i];
    return NULL;
}

static spn_status on_file_open(void *user, const char *name,
                               spn_platform_file_info *info)
{
    const struct renamed_files *files = user;
    const struct play_source *source = find_source(files->paks, name);
    char path[2 * SPN_PATH_BYTES_MAX];

    if (source)
        name = source->path;
    else if (files->folder[0] && !is_pak(files->paks, name)) {
        if (snprintf(path, sizeof path, "%s%s", files->folder, name) >=
            (int)sizeof path)
            return SPN_ERR_NOT_FOUND;
        name = path;
    }
    return files->inner.file_open(files->inner.user, name, info);
}

/* -- the rest -- */

static void on_file_close(void *user, spn_platform_file file)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    p->file_close(p->user, file);
}

static spn_status on_read_submit(void *user, spn_platform_file file,
                                 uint64_t offset, const spn_extent *extents,
                                 uint32_t extent_count, uint32_t tag)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    return p->read_submit(p->user, file, offset, extents, extent_count, tag);
}

static spn_status on_read_poll(void *user, spn_platform_completion *out,
                               uint64_t *due_us)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    return p->read_poll(p->user, out, due_us);
}

static void on_read_cancel(void *user, uint32_t tag)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    p->read_cancel(p->user, tag);
}

static uint64_t on_now_us(void *user)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    return p->now_us(p->user);
}

static spn_status on_thread_start(void *user, const spn_thread_desc *desc,
                                  uint64_t *thread)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    return p->thread_start(p->user, desc, thread);
}

static void on_thread_join(void *user, uint64_t thread)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    p->thread_join(p->user, thread);
}

static spn_status on_event_create(void *user, spn_event_use use,
                                  uint64_t *event)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    return p->event_create(p->user, use, event);
}

static void on_event_destroy(void *user, uint64_t event)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    p->event_destroy(p->user, event);
}

static void on_event_signal(void *user, uint64_t event)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    p->event_signal(p->user, event);
}

static void on_event_wait(void *user, uint64_t event, uint64_t due_us)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    p->event_wait(p->user, event, due_us);
}

static uint64_t on_thread_current(void *user)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    return p->thread_current(p->user);
}

static void on_log(void *user, spn_log_level level, const char *text)
{
    const spn_platform *p = &((struct renamed_files *)user)->inner;

    p->log(p->user, level, text);
}

/* -- setting up -- */

/* The folder of the first image that is no entry of a pak. */
static const char *image_folder(const struct play_paks *paks, bool *is_needed)
{
    const char *folder = "";

    for (uint32_t i = 0; i < paks->source_count; i++) {
        const struct play_source *source = &paks->sources[i];

        *is_needed |= strcmp(source->path, source->name) != 0;
        if (source->kind == OPERAND_IMAGE && source->pak == UINT32_MAX &&
            !folder[0])
            folder = operand_folder(source->path, paks->arena);
    }
    *is_needed |= folder[0] != 0;
    return folder;
}

/* Functions that the table below does not have are NULL here, too. Those of a
 * game machine's media and memory are not used by the tool. */
void renamed_files_wrap(struct renamed_files *files,
                        const struct play_paks *paks, spn_platform *table)
{
    const spn_platform inner = *table;
    bool is_needed = false;
    const char *folder = image_folder(paks, &is_needed);

    if (!is_needed)
        return;
    *files = (struct renamed_files){inner, paks, folder};
    *table = (spn_platform){
        .user = files,
        .file_open = on_file_open,
        .file_close = on_file_close,
        .read_submit = on_read_submit,
        .read_poll = on_read_poll,
        .read_cancel = inner.read_cancel ? on_read_cancel : NULL,
        .now_us = on_now_us,
        .thread_start = inner.thread_start ? on_thread_start : NULL,
        .thread_join = inner.thread_join ? on_thread_join : NULL,
        .event_create = inner.event_create ? on_event_create : NULL,
        .event_destroy = inner.event_destroy ? on_event_destroy : NULL,
        .event_signal = inner.event_signal ? on_event_signal : NULL,
        .event_wait = inner.event_wait ? on_event_wait : NULL,
        .thread_current = inner.thread_current ? on_thread_current : NULL,
        .log = inner.log ? on_log : NULL,
    };
}
