/* api_geom.c - the functions of the headers that spindle/geom.h includes:
 * validate handles and arguments, then call the manager (play/). */
/* SPDX-License-Identifier: MIT */
#include "api_geom.h"

#include "observe/listen.h"
#include "play/cache_info.h"
#include "play/cache_references.h"
#include "play/cursor_life.h"
#include "play/frame_buffer.h"
#include "play/node/fill_job.h"
#include "play/node/mesh_mask.h"
#include "play/node/node_fill.h"
#include "play/node/node_state.h"
#include "play/node/second_position.h"

#include <spindle/features.h>

#if SPN_WITH_GEOMETRY

/* -- caches -- */

spn_status spn_cache_open(spn_runtime *rt, const char *path, spn_cache *out)
{
    if (!has_runtime(rt) || !path || !out)
        return SPN_ERR_ARG;
    return spn__cache_open(&rt->manager, path, out);
}

spn_status spn__find_cache(const spn_runtime *rt, bool has_pointers,
                           spn_cache handle, const struct cache **out)
{
    const struct cache *c;

    if (!has_runtime(rt) || !has_pointers)
        return SPN_ERR_ARG;
    c = spn__manager_cache(&rt->manager, handle);
    if (!c)
        return SPN_ERR_HANDLE;
    *out = c;
    return c->status;
}

spn_status spn_cache_get_status(const spn_runtime *rt, spn_cache cache,
                                spn_fault *fault)
{
    const struct cache *c = NULL;
    spn_status status = spn__find_cache(rt, true, cache, &c);

    if (c && status < 0 && fault)
        *fault = c->fault;
    return status;
}

spn_status spn_cache_close(spn_runtime *rt, spn_cache cache)
{
    struct cache *c;

    if (!has_runtime(rt))
        return SPN_ERR_ARG;
    c = spn__manager_cache(&rt->manager, cache);
    return c ? spn__cache_release(c) : SPN_ERR_HANDLE;
}

spn_status spn_cache_get_info(const spn_runtime *rt, spn_cache cache,
                              spn_cache_info *out)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, out != NULL, cache, &c);

    if (status != SPN_OK)
        return status;
    spn__cache_get_info(c, out);
    return SPN_OK;
}

spn_status spn_cache_heap_needed(const spn_runtime *rt, spn_cache cache,
                                 uint32_t node_count, uint64_t *bytes)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, bytes != NULL, cache, &c);

    if (status != SPN_OK)
        return status;
    *bytes = spn__cache_heap_needed(c, node_count);
    return SPN_OK;
}

spn_status spn_cache_get_frame_time(const spn_runtime *rt, spn_cache cache,
                                    uint32_t frame, int64_t *time_us)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, time_us != NULL, cache, &c);

    if (status != SPN_OK)
        return status;
    if (frame >= c->header.frame_count)
        return SPN_ERR_ARG;
    *time_us = cache_frame_at(c, frame)->time_us;
    return SPN_OK;
}

spn_status spn_cache_get_mesh(const spn_runtime *rt, spn_cache cache,
                              uint32_t mesh, spn_mesh_info *out)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, out != NULL, cache, &c);

    if (status != SPN_OK)
        return status;
    if (mesh >= c->header.mesh_count)
        return SPN_ERR_ARG;
    spn__cache_get_mesh(c, mesh, out);
    return SPN_OK;
}

spn_status spn_cache_get_material(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t material,
                                  spn_material_range *out)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, out != NULL, cache, &c);

    if (status != SPN_OK)
        return status;
    if (mesh >= c->header.mesh_count ||
        material >= c->tables.meshes[mesh].material_count)
        return SPN_ERR_ARG;
    spn__cache_get_material(c, mesh, material, out);
    return SPN_OK;
}

spn_status spn_cache_copy_indices(const spn_runtime *rt, spn_cache cache,
                                  uint32_t mesh, uint32_t index_bytes,
                                  void *indices, uint32_t capacity)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, true, cache, &c);

    if (status != SPN_OK)
        return status;
    if (mesh >= c->header.mesh_count ||
        (index_bytes != 2 && index_bytes != 4) ||
        capacity < c->tables.meshes[mesh].index_count ||
        (!indices && c->tables.meshes[mesh].index_count > 0))
        return SPN_ERR_ARG;
    if (index_bytes == 2 && c->tables.meshes[mesh].vertex_count > 65536)
        return SPN_ERR_RANGE;
    if (c->load_status != SPN_OK)
        return SPN_PENDING;
    spn__cache_copy_indices(c, mesh, index_bytes, indices);
    return SPN_OK;
}

spn_status spn_cache_get_scene_node(const spn_runtime *rt, spn_cache cache,
                                    uint32_t index, spn_scene_node_info *out)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, out != NULL, cache, &c);

    if (status != SPN_OK)
        return status;
    if (index >= c->header.node_count)
        return SPN_ERR_ARG;
    spn__cache_get_node(c, index, out);
    return SPN_OK;
}

/* -- nodes -- */

static bool is_good_desc(const spn_node_desc *desc)
{
    return !desc || ((uint32_t)desc->priority <= SPN_PRIORITY_IDLE &&
                     desc->priority != SPN_PRIORITY_PREEMPTED &&
                     (uint32_t)desc->overload <= SPN_OVERLOAD_IGNORE);
}

spn_status spn_node_create(spn_runtime *rt, spn_cache cache,
                           const spn_node_desc *desc, spn_node *out)
{
    struct manager *m;
    struct cache *c;
    spn_status status;
    spn_node handle;

    if (!has_runtime(rt) || !out || !is_good_desc(desc))
        return SPN_ERR_ARG;
    m = &rt->manager;
    c = spn__manager_cache(m, cache);
    if (!c)
        return SPN_ERR_HANDLE;
    status = spn__pool_take(&m->node_pool, &handle);
    if (status != SPN_OK)
        return status;
    spn__node_open(&m->nodes[spn__pool_index(&m->node_pool, handle)], c, handle,
                   desc);
    *out = handle;
    return SPN_OK;
}

struct node *spn__find_node(const spn_runtime *rt, bool has_pointers,
                            spn_node handle, spn_status *status)
{
    struct node *n = NULL;

    *status = SPN_ERR_ARG;
    if (!has_runtime(rt) || !has_pointers)
        return NULL;
    n = spn__manager_node(&rt->manager, handle);
    if (n && n->cursor.is_second)
        n = NULL;
    *status = n ? SPN_OK : SPN_ERR_HANDLE;
    return n;
}

spn_status spn_node_destroy(spn_runtime *rt, spn_node node)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (n) {
        spn__second_end(n);
        spn__node_destroy(n);
    }
    return status;
}

spn_status spn_node_start_streaming(spn_runtime *rt, spn_node node,
                                    int64_t time_us)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (n)
        spn__node_start(n, time_us);
    return status;
}

spn_status spn_node_stop_streaming(spn_runtime *rt, spn_node node)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (n) {
        spn__second_end(n);
        spn__node_stop(n);
    }
    return status;
}

spn_status spn_node_set_playback_time(spn_runtime *rt, spn_node node,
                                      int64_t time_us)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (n) {
        spn__node_set_time(n, time_us);
        spn__second_follow(n);
    }
    return status;
}

spn_status spn_node_set_streaming_time(spn_runtime *rt, spn_node node,
                                       int64_t time_us)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    return n ? spn__second_set(n, time_us) : status;
}

spn_status spn_node_set_mesh_mask(spn_runtime *rt, spn_node node,
                                  const uint32_t *words, uint32_t count)
{
    spn_status status;
    struct node *n =
        spn__find_node(rt, (words || count == 0) && count <= SPN_MASK_WORDS_MAX,
                       node, &status);

    if (n) {
        spn__mesh_mask_set(n, words, count);
        spn__second_copy(n);
    }
    return status;
}

spn_status spn_node_set_importance(spn_runtime *rt, spn_node node,
                                   uint32_t importance)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (n) {
        n->importance = importance;
        spn__view_rank(rt->views, n);
    }
    return status;
}

spn_status spn_node_set_rate(spn_runtime *rt, spn_node node,
                             int32_t rate_permille)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (!n)
        return status;
    if (rate_permille < -SPN_RATE_MAX || rate_permille > SPN_RATE_MAX)
        return SPN_ERR_ARG;
    spn__cursor_set_rate(&n->cursor, rate_permille);
    spn__second_copy(n);
    return SPN_OK;
}

spn_status spn_node_set_range(spn_runtime *rt, spn_node node, int64_t first_us,
                              int64_t last_us, spn_range_mode mode)
{
    spn_status status;
    struct node *n = spn__find_node(rt, true, node, &status);

    if (!n)
        return status;
    if (first_us < 0 || last_us < first_us ||
        (unsigned)mode > (unsigned)SPN_PING_PONG)
        return SPN_ERR_ARG;
    spn__node_set_range(n, &(struct node_range){first_us, last_us, mode});
    spn__second_copy(n);
    return SPN_OK;
}

spn_status spn_node_get_state(const spn_runtime *rt, spn_node node,
                              spn_node_state *out)
{
    spn_status status;
    const struct node *n = spn__find_node(rt, out != NULL, node, &status);

    if (n) {
        spn__node_get_state(n, out);
        spn__second_report(n, out);
    }
    return status;
}

const struct node *spn__find_shown_node(const spn_runtime *rt,
                                        bool has_pointers, spn_node handle,
                                        spn_status *status)
{
    const struct node *n = spn__find_node(rt, has_pointers, handle, status);

    if (n)
        *status = n->cache->status;
    if (*status == SPN_OK)
        *status = spn__node_refusal(n);
    return *status == SPN_OK ? n : NULL;
}

static spn_status fill_and_notify(const struct listen *listen,
                                  const struct node *n, uint32_t mesh,
                                  const spn_vertex_layout *layout,
                                  void *vertices, spn_fill_result *result)
{
    spn_event event = {.node = n->handle,
                       .cache = n->cursor.account.cache,
                       .frame = UINT32_MAX,
                       .part = mesh,
                       .task = SPN_TASK_GEOM_CACHE,
                       .task_class = SPN_CLASS_STREAM,
                       .medium = SPN_MEDIUM_COUNT};

    spn__listen_notify(listen, SPN_EVENT_FILL_BEGIN, &event);
    event.status = spn__node_fill(n, mesh, layout, vertices, result);
    if (event.status == SPN_OK)
        event.frame = result->floor_frame;
    spn__listen_notify(listen, SPN_EVENT_FILL_END, &event);
    return event.status;
}

static bool is_fill_good(const struct node *n, uint32_t mesh,
                         const spn_vertex_layout *layout, uint64_t bytes)
{
    return mesh < n->cache->header.mesh_count &&
           spn_layout_check(layout) == SPN_OK &&
           bytes / layout->stride >= n->cache->tables.meshes[mesh].vertex_count;
}

spn_status spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                         const spn_vertex_layout *layout, void *vertices,
                         uint64_t bytes, spn_fill_result *out)
{
    spn_status status;
    spn_fill_result result;
    const struct listen *listen;
    const struct node *n =
        spn__find_shown_node(rt, layout && vertices, node, &status);

    if (!n)
        return status;
    if (!is_fill_good(n, mesh, layout, bytes))
        return SPN_ERR_ARG;
    listen = spn__io_listen(rt->io);
    status = listen_is_there(listen)
                 ? fill_and_notify(listen, n, mesh, layout, vertices, &result)
                 : spn__node_fill(n, mesh, layout, vertices, &result);
    if (status == SPN_OK && out)
        *out = result;
    return status;
}

#if SPN_WITH_FILL_JOBS

spn_status spn_fill_start(spn_runtime *rt, spn_node node, uint32_t mesh,
                          const spn_vertex_layout *layout, void *vertices,
                          uint64_t bytes, spn_fill *out)
{
    spn_status status;
    const struct node *n =
        spn__find_shown_node(rt, layout && vertices && out, node, &status);

    if (!n)
        return status;
    if (!is_fill_good(n, mesh, layout, bytes))
        return SPN_ERR_ARG;
    return spn__fill_job_start(n, mesh, layout, vertices, out);
}

spn_status spn_fill_get_result(const spn_runtime *rt, spn_fill fill,
                               spn_fill_result *out)
{
    if (!rt || !out)
        return SPN_ERR_ARG;
    return spn__fill_job_result(&rt->manager, fill, out);
}

spn_status spn_fill_wait(spn_runtime *rt, spn_fill fill, uint64_t timeout_us)
{
    uint64_t due_us = UINT64_MAX;

    if (!rt)
        return SPN_ERR_ARG;
    if (timeout_us != UINT64_MAX) {
        const uint64_t now_us = rt->platform.now_us(rt->platform.user);

        if (timeout_us < UINT64_MAX - now_us)
            due_us = now_us + timeout_us;
    }
    return spn__fill_job_wait(&rt->manager, fill, due_us);
}

#endif

#if SPN_WITH_FRAME_BUFFERS

spn_status spn_cache_frame_buffers_needed(const spn_runtime *rt,
                                          spn_cache cache, uint32_t node_count,
                                          uint32_t *out)
{
    const struct cache *c;
    spn_status status = spn__find_cache(rt, out != NULL, cache, &c);

    if (status == SPN_OK)
        *out = spn__frame_buffers_needed(c, node_count);
    return status;
}

spn_status spn_cache_set_frame_buffers(spn_runtime *rt, spn_cache cache,
                                       const spn_frame_buffers *buffers)
{
    struct cache *c;

    if (!rt)
        return SPN_ERR_ARG;
    c = spn__manager_cache(&rt->manager, cache);
    if (!c)
        return SPN_ERR_HANDLE;
    if (buffers &&
        (!buffers->acquire || !buffers->release ||
         spn_layout_check(&buffers->layout) != SPN_OK ||
         buffers->layout.previous_position.format != SPN_FORMAT_NONE))
        return SPN_ERR_ARG;
    return spn__frame_buffers_set(c, cache, buffers);
}

spn_status spn_node_get_frames(spn_runtime *rt, spn_node node, uint32_t mesh,
                               spn_frame_pair *out)
{
    spn_status status;
    const struct node *n = spn__find_shown_node(rt, out != NULL, node, &status);

    if (!n)
        return status;
    if (mesh >= n->cache->header.mesh_count)
        return SPN_ERR_ARG;
    return spn__node_get_frames(n, mesh, out);
}

#endif

#endif
