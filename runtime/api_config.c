/* api_config.c - spn_config_resolve: validate a config, fill in the defaults.
 *
 * All ranges are validated here, so that no size computed by init overflows. No
 * state.
 */
/* SPDX-License-Identifier: MIT */
#include "base/block_codec.h"
#include "base/heap.h"
#include "read/files.h"
#include "runtime.h"

#include <spindle/features.h>
#include <spindle/spindle.h>
#include <stdbool.h>

#define MIB (1024u * 1024u)
#define TABLE_MAX 65535u
#define ANIM_COUNT_MAX (1u << 24)
#define SILENT_US_DEFAULT 3000000u /* time in which a drive spins up */

static bool has_all_files(const spn_platform *p)
{
    return p->file_open && p->file_close && p->read_submit && p->read_poll &&
           p->now_us;
}

static bool has_threads(const spn_platform *p)
{
    return p->thread_start && p->thread_join && p->event_create &&
           p->event_destroy && p->event_signal && p->event_wait;
}

static bool has_no_threads(const spn_platform *p)
{
    return !p->thread_start && !p->thread_join && !p->event_create &&
           !p->event_destroy && !p->event_signal && !p->event_wait;
}

/* Replace 0 by the default. False if the value is out of range. */
static bool resolve(uint32_t *value, uint32_t standard, uint32_t low,
                    uint32_t high)
{
    if (*value == 0)
        *value = standard;
    return *value >= low && *value <= high;
}

static bool resolve_priority(spn_thread_priority *priority,
                             spn_thread_priority standard)
{
    if (*priority == SPN_THREAD_DEFAULT)
        *priority = standard;
    return *priority >= SPN_THREAD_LOW && *priority <= SPN_THREAD_HIGH;
}

/* Whether a piece size is valid. 0 is replaced by a default for each medium. */
static bool is_piece(uint32_t bytes)
{
    return bytes == 0 ||
           (bytes >= 4096 && bytes <= 64 * MIB && bytes % 4096 == 0);
}

static bool resolve_heap(spn_config *c)
{
    uint32_t pages;

    if (!resolve(&c->heap_bytes, 64 * MIB, 65536, UINT32_MAX))
        return false;
    if (c->heap_page_bytes == 0)
        for (c->heap_page_bytes = 4096;
             c->heap_page_bytes < 65536 &&
             c->heap_bytes / c->heap_page_bytes >= HEAP_PAGES_MAX;)
            c->heap_page_bytes *= 2;
    if (c->heap_page_bytes < 4096 || c->heap_page_bytes > 65536 ||
        (c->heap_page_bytes & (c->heap_page_bytes - 1)) != 0)
        return false;
    pages = c->heap_bytes / c->heap_page_bytes;
    if (c->heap_bytes % c->heap_page_bytes != 0)
        pages++;
    if (pages > HEAP_PAGES_MAX)
        return false;
    /* The default is one block for each page, so that the table is never full
     * while pages are free. */
    return resolve(&c->heap_block_count, pages < 16 ? 16 : pages, 16, 65534);
}

static bool resolve_workers(spn_config *c)
{
    if (c->job_submit ||
        (has_threads(c->platform) && c->worker_count != SPN_NO_WORKERS))
        return (c->job_gate || !c->job_submit) &&
               resolve(&c->worker_count, 2, 1, RUNTIME_WORKERS_MAX);
    if (c->worker_count == 0)
        c->worker_count = SPN_NO_WORKERS;
    return c->worker_count == SPN_NO_WORKERS;
}

/* Whether the masks of reserved task types are valid. Bit 0 is no task type. */
static bool are_reserved_good(const spn_config *c)
{
    bool has_workers = has_threads(c->platform) && !c->job_submit &&
                       c->worker_count != SPN_NO_WORKERS;

    for (uint32_t i = 0; i < SPN_RESERVED_WORKERS_MAX; i++)
        if (c->reserved_tasks[i] & (has_workers ? 1u : UINT32_MAX))
            return false;
    return true;
}

static bool are_codecs_good(const spn_config *c)
{
    uint32_t left = 64 * MIB;

    if (c->codec_count > 64 || (c->codec_count != 0 && !c->codecs))
        return false;
    for (uint32_t i = 0; i < c->codec_count; i++) {
        const spn_codec *codec = c->codecs[i];

        /* Only the first codec with a number would be found. */
        if (!codec || !codec->decode || !codec->name ||
            codec->workspace_bytes > left ||
            spn__block_codec_find(codec->id, c->codecs, i))
            return false;
        left -= codec->workspace_bytes;
    }
    return true;
}

/* Fill in the configuration of all media. Afterwards no order is automatic. */
static bool resolve_media(spn_config *c)
{
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        spn_medium_config *medium = &c->media[i];
        const char *what;

        if (SPN_WITH_DEADLINE_SCHEDULER && medium->drive &&
            (i == SPN_MEDIUM_MEMORY ||
             spn_drive_profile_check(medium->drive, &what) != SPN_OK))
            return false;
        if ((uint32_t)medium->order > SPN_ORDER_DEADLINE ||
            (medium->order == SPN_ORDER_DEADLINE && !medium->drive))
            return false;
        if (medium->silent_us == 0)
            medium->silent_us = SILENT_US_DEFAULT;
        if (medium->order == SPN_ORDER_AUTOMATIC)
            medium->order =
                medium->drive ? SPN_ORDER_DEADLINE : SPN_ORDER_SORT_KEY;
    }
    return true;
}

/* Without clips the other counts have no effect, and take no memory. */
static bool resolve_anim(spn_config *c)
{
    const uint32_t loaded = c->anim_count < 1024 ? c->anim_count : 1024;

    if (c->anim_count == 0)
        return true;
    if (c->anim_reserve_bytes > c->heap_bytes / 2)
        return false;
    if (c->anim_reserve_bytes == 0)
        c->anim_reserve_bytes = c->heap_bytes / 4;
    return c->anim_count <= ANIM_COUNT_MAX &&
           resolve(&c->anim_loaded_count, loaded, 1, MIB) &&
           resolve(&c->anim_database_count, 64, 1, TABLE_MAX) &&
           resolve(&c->anim_play_count, 256, 1, TABLE_MAX) &&
           resolve(&c->anim_timeline_count, 16, 1, TABLE_MAX) &&
           resolve(&c->anim_skeleton_count, 16, 1, TABLE_MAX);
}

static bool wants_what_is_missing(const spn_config *c)
{
    if (!SPN_WITH_PAKS && c->pak_count > 0)
        return true;
    if (!SPN_WITH_ANIM && c->anim_count > 0)
        return true;
    if (!SPN_WITH_OBSERVERS && c->listener)
        return true;
    for (uint32_t i = 0; !SPN_WITH_DEADLINE_SCHEDULER && i < SPN_MEDIUM_COUNT;
         i++)
        if (c->media[i].drive || c->media[i].order == SPN_ORDER_DEADLINE)
            return true;
    return false;
}

spn_status spn_config_resolve(const spn_config *config, spn_config *out)
{
    spn_config c;

    if (!config || !out || !config->platform)
        return SPN_ERR_ARG;
    c = *config;
    if (!has_all_files(c.platform) ||
        !(has_threads(c.platform) || has_no_threads(c.platform)))
        return SPN_ERR_ARG;
    if (wants_what_is_missing(&c))
        return SPN_ERR_NOT_BUILT;
    if (!resolve_heap(&c) || !resolve_workers(&c) || !are_reserved_good(&c) ||
        !are_codecs_good(&c) || !resolve_media(&c) || !resolve_anim(&c))
        return SPN_ERR_ARG;
    if (!resolve(&c.worker_stack_bytes, 65536, 16384, 64 * MIB) ||
        !resolve(&c.io_stack_bytes, 65536, 16384, 64 * MIB) ||
        !resolve_priority(&c.worker_priority, SPN_THREAD_NORMAL) ||
        !resolve_priority(&c.io_priority, SPN_THREAD_HIGH) ||
        !resolve(&c.read_count, 64, 4, FILES_HOLDS_MAX) ||
        !resolve(&c.file_count, 64, 1, 32768) ||
        !resolve(&c.wait_count, 4, 1, 64) || c.pak_count > PAKS_COUNT_MAX ||
        c.has_loose_files_only > 1 || c.anim_has_loose_headers > 1 ||
        !resolve(&c.unpack_bytes, MIB, 1, 1024 * MIB) ||
        !resolve(&c.read_budget_bytes, 10 * MIB, 1, UINT32_MAX) ||
        !resolve(&c.job_count, 1024, 2, MIB) ||
        !resolve(&c.cache_count, 64, 1, TABLE_MAX) ||
        !resolve(&c.node_count, 64, 1, TABLE_MAX) ||
        !resolve(&c.fill_count, 64, 1, TABLE_MAX) ||
        !resolve(&c.stream_frame_count, 512, 8, SPN_STREAM_FRAMES_MAX) ||
        !is_piece(c.piece_bytes) || !resolve(&c.trace_count, 1024, 2, MIB))
        return SPN_ERR_ARG;
    *out = c;
    return SPN_OK;
}
