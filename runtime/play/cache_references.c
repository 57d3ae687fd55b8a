/* cache_references.c - open by path, and close when unused. */
/* SPDX-License-Identifier: MIT */
#include "play/cache_references.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/text.h"
#include "play/cache_load.h"

static void close_if_unused(struct cache *c)
{
    if (c->reference_count != 0 || c->node_count != 0)
        return;
    c->state = CACHE_CLOSING;
    spn__cache_finish_loading(c);
    if (c->read)
        (void)spn__io_abort(c->manager->config.io, c->read);
}

static struct cache *find_path(struct manager *m, const char *path)
{
    for (uint32_t i = 0; i < m->cache_pool.capacity; i++) {
        struct cache *c = &m->caches[i];

        if (spn__pool_is_used(&m->cache_pool, i) && c->state != CACHE_CLOSING &&
            c->state != CACHE_FAILED && spn__text_is_same(c->path, path))
            return c;
    }
    return NULL;
}

static size_t path_length(const char *path)
{
    size_t length = 0;

    while (length < SPN_PATH_BYTES_MAX && path[length])
        length++;
    return length;
}

spn_status spn__cache_open(struct manager *m, const char *path, spn_cache *out)
{
    size_t length = path_length(path);
    struct cache *c = find_path(m, path);
    spn_status status;
    spn_cache handle;
    spn_file file;

    if (length == 0 || length >= SPN_PATH_BYTES_MAX)
        return SPN_ERR_ARG;
    if (c) {
        c->reference_count++;
        *out = c->handle;
        return SPN_OK;
    }
    status = spn__pool_take(&m->cache_pool, &handle);
    if (status != SPN_OK)
        return status;
    status = spn__io_file_open(m->config.io, path, &file);
    if (status != SPN_OK) {
        (void)spn__pool_give(&m->cache_pool, handle);
        return status;
    }
    c = &m->caches[spn__pool_index(&m->cache_pool, handle)];
    memset(c, 0, sizeof *c);
    c->manager = m;
    memcpy(c->path, path, length + 1);
    c->handle = handle;
    c->status = SPN_PENDING;
    c->serial = m->next_serial++;
    c->reference_count = 1;
    c->file = file;
    *out = handle;
    return SPN_OK;
}

spn_status spn__cache_release(struct cache *c)
{
    SPN_ASSERT(c->reference_count > 0);
    c->reference_count--;
    if (c->reference_count == 0)
        c->handle = spn__pool_renew(&c->manager->cache_pool, c->handle);
    close_if_unused(c);
    return SPN_OK;
}

void spn__cache_attach_node(struct cache *c)
{
    c->node_count++;
}

void spn__cache_detach_node(struct cache *c)
{
    SPN_ASSERT(c->node_count > 0);
    c->node_count--;
    close_if_unused(c);
}

void spn__cache_force_close(struct cache *c)
{
    c->reference_count = 0;
    if (c->state != CACHE_CLOSING)
        close_if_unused(c);
}
