/* play_snapshot.c - a snapshot of the runtime during a run. */
/* SPDX-License-Identifier: MIT */
#include "player/play_snapshot.h"

#include <string.h>

static const char *copy_text(const char *text, struct arena *arena)
{
    return arena_string(arena, text, strlen(text));
}

/* Paths are the runtime's, and end with it. */
static void copy_paths(spn_debug *debug, struct arena *arena)
{
    spn_debug_cache *caches =
        ARENA_NEW(arena, spn_debug_cache, debug->cache_count);
    spn_debug_node *nodes = ARENA_NEW(arena, spn_debug_node, debug->node_count);
    spn_debug_read *reads = ARENA_NEW(arena, spn_debug_read, debug->read_count);

    for (uint32_t i = 0; i < debug->cache_count; i++) {
        caches[i] = debug->caches[i];
        caches[i].path = copy_text(caches[i].path, arena);
    }
    for (uint32_t i = 0; i < debug->node_count; i++) {
        nodes[i] = debug->nodes[i];
        nodes[i].path = copy_text(nodes[i].path, arena);
        /* The file of a fault is the runtime's as well, and is not printed. */
        nodes[i].state.fault.file = NULL;
    }
    for (uint32_t i = 0; i < debug->read_count; i++) {
        reads[i] = debug->reads[i];
        reads[i].path = copy_text(reads[i].path, arena);
    }
    debug->caches = caches;
    debug->nodes = nodes;
    debug->reads = reads;
}

static const char *memory_text(const struct character_state *clip)
{
    return clip->is_loaded  ? "loaded"
           : clip->is_ready ? "first part loaded"
                            : "not loaded";
}

/* Add a line for each character whose clip the filter lets through. */
static const char *add_clips(const struct play_snapshot *snapshot,
                             const char *text, struct arena *arena)
{
    for (uint32_t i = 0; i < snapshot->clip_count; i++) {
        const struct character_state *clip = &snapshot->clips[i];

        if (strstr(clip->name, snapshot->debug.filter))
            text = arena_format(
                arena,
                "%sclip %s: frame %u of %u, %s, %s; glitches %u, held %u\n",
                text, clip->name, clip->frame, clip->frame_count,
                memory_text(clip), character_state_text(clip), clip->glitches,
                clip->held);
    }
    return text;
}

void play_snapshot_take(struct play_snapshot *snapshot, const spn_runtime *rt,
                        const struct play_clips *clips, double seconds,
                        struct arena *arena)
{
    const uint64_t bytes = spn_debug_bytes_needed(rt);
    spn_debug *debug = &snapshot->debug;
    uint64_t length;
    char *text;

    if (spn_debug_snapshot(rt, arena_alloc(arena, (size_t)bytes, 1), bytes,
                           debug) != SPN_OK)
        return;
    length = spn_debug_text(debug, NULL, NULL, 0);
    text = arena_alloc(arena, (size_t)length + 1, 1);
    (void)spn_debug_text(debug, NULL, text, length + 1);
    copy_paths(debug, arena);
    snapshot->clip_count = clips->character_count;
    snapshot->clips =
        ARENA_NEW(arena, struct character_state, snapshot->clip_count);
    for (uint32_t i = 0; i < snapshot->clip_count; i++)
        character_state_get(clips, &clips->characters[i], &snapshot->clips[i]);
    snapshot->text = add_clips(snapshot, text, arena);
    snapshot->seconds = seconds;
    snapshot->is_taken = true;
}

/* -- JSON -- */

static double cache_index(const spn_debug *debug, spn_cache cache)
{
    for (uint32_t i = 0; i < debug->cache_count; i++)
        if (cache != 0 && debug->caches[i].cache == cache)
            return i;
    return -1;
}

static void add_extent(cJSON *array, const spn_debug *debug,
                       const spn_debug_extent *e)
{
    static const char *const kinds[SPN_DEBUG_KINDS] = {".", "s", "c", "d", "b"};
    cJSON *item = cJSON_CreateArray();

    report_add_number(item, e->first_page);
    report_add_number(item, e->page_count);
    report_add_text(item, kinds[e->kind]);
    report_add_number(item, cache_index(debug, e->cache));
    report_add_number(item, e->first);
    report_add_number(item, e->last);
    report_add_number(item, e->age == SPN_DEBUG_NO_AGE ? -1.0 : e->age);
    report_add_number(item, e->is_busy);
    cJSON_AddItemToArray(array, item);
}

static void add_heap(cJSON *json, const spn_debug *debug)
{
    const spn_debug_heap *h = &debug->heap;
    cJSON *heap = report_object(json, "heap");
    cJSON *extents;

    report_number(heap, "page_bytes", h->page_bytes);
    report_number(heap, "pages", h->page_count);
    report_number(heap, "pages_free", h->pages[SPN_DEBUG_FREE]);
    report_number(heap, "pages_static", h->pages[SPN_DEBUG_STATIC]);
    report_number(heap, "pages_compressed", h->pages[SPN_DEBUG_COMPRESSED]);
    report_number(heap, "pages_decoded", h->pages[SPN_DEBUG_DECODED]);
    report_number(heap, "pages_block", h->pages[SPN_DEBUG_BLOCK]);
    report_number(heap, "pages_promised", h->promised);
    report_number(heap, "pages_held", h->held);
    report_number(heap, "pages_limit", h->limit);
    report_number(heap, "evicted_frames", h->evicted_frames);
    report_number(heap, "evicted_reads", h->evicted_reads);
    report_number(heap, "failed_allocations",
                  (double)h->failed_no_memory + h->failed_fragmented +
                      h->failed_no_record);
    extents = report_array(heap, "extents");
    for (uint32_t i = 0; i < debug->extent_count; i++)
        add_extent(extents, debug, &debug->extents[i]);
}

static void add_range(cJSON *json, const char *name,
                      const spn_debug_range *range)
{
    cJSON *array = report_array(json, name);

    if (range->count == 0)
        return;
    report_add_number(array, range->first);
    report_add_number(array, range->last);
    report_add_number(array, range->count);
}

static void add_node(cJSON *array, const spn_debug *debug,
                     const spn_debug_node *node)
{
    const spn_node_state *state = &node->state;
    cJSON *item = report_item(array);

    report_number(item, "cache", cache_index(debug, node->cache));
    report_bool(item, "is_second", node->is_second);
    report_bool(item, "is_playing", node->is_playing);
    report_bool(item, "is_backward", node->is_backward);
    report_text(item, "status", spn_status_name(state->status));
    report_number(item, "playback_ms", (double)state->playback_us * 1e-3);
    report_number(item, "rate_permille", node->rate_permille);
    add_range(item, "shown", &node->shown);
    add_range(item, "wanted", &node->wanted);
    add_range(item, "decoded", &node->decoded);
    add_range(item, "read", &node->read);
    report_number(item, "frames_late", state->frames_late);
    report_number(item, "frames_left_out", state->frames_left_out);
    report_number(item, "level", state->level);
    report_number(item, "pages_promised", node->promised_pages);
    report_number(item, "pages_charged", node->charged_pages);
    report_number(item, "frames_running", node->running_count);
    report_number(item, "reads_pending", node->pending_count);
}

static void add_cache(cJSON *array, const spn_debug_cache *cache)
{
    cJSON *item = report_item(array);

    report_text(item, "file", cache->path);
    report_number(item, "nodes", cache->node_count);
    report_number(item, "pages_static", cache->static_pages);
    report_number(item, "frames", cache->frame_count);
    report_number(item, "frames_decoded", cache->ready_count);
    report_number(item, "frames_running", cache->running_count);
    report_number(item, "frames_lost", cache->lost_count);
}

static void add_read(cJSON *array, const spn_debug *debug,
                     const spn_debug_read *read)
{
    static const char *const states[] = {"pending", "retry", "aborted"};
    cJSON *item = report_item(array);

    report_number(item, "cache", cache_index(debug, read->cache));
    report_text(item, "state", states[read->state]);
    report_number(item, "first_group", read->first_group);
    report_number(item, "last_group", read->last_group);
    report_number(item, "offset", (double)read->offset);
    report_number(item, "bytes", read->bytes);
    report_number(item, "age", read->age);
}

static void add_drives(cJSON *json, const spn_debug *debug)
{
    static const char *const names[SPN_MEDIUM_COUNT] = {"hard_disk", "optical",
                                                        "memory"};
    cJSON *array = report_array(json, "media");

    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        const spn_debug_medium *medium = &debug->media[i];
        cJSON *item;

        if (!medium->is_known && !medium->is_busy)
            continue;
        item = report_item(array);
        report_text(item, "name", names[i]);
        report_bool(item, "is_busy", medium->is_busy);
        report_number(item, "head", (double)medium->head);
        report_number(item, "target", (double)medium->target);
        report_number(item, "waiting", medium->waiting);
        report_number(item, "stream_reads", medium->reads);
        report_number(item, "stream_bytes", (double)medium->bytes);
    }
}

static void add_clip(cJSON *array, const struct character_state *clip)
{
    cJSON *item = report_item(array);

    report_text(item, "clip", clip->name);
    report_number(item, "frame", clip->frame);
    report_number(item, "frames", clip->frame_count);
    report_bool(item, "is_ready", clip->is_ready);
    report_bool(item, "is_loaded", clip->is_loaded);
    report_text(item, "pose", character_state_text(clip));
    report_number(item, "glitches", clip->glitches);
    report_number(item, "held", clip->held);
}

/* Nothing without clips. */
static void add_clips_json(cJSON *json, const struct play_snapshot *snapshot)
{
    const spn_debug_anim *anim = &snapshot->debug.anim;
    cJSON *array;
    cJSON *memory;

    if (snapshot->clip_count == 0)
        return;
    array = report_array(json, "clips");
    for (uint32_t i = 0; i < snapshot->clip_count; i++)
        add_clip(array, &snapshot->clips[i]);
    memory = report_object(json, "clip_memory");
    report_number(memory, "pages", anim->pages);
    report_number(memory, "pages_idle", anim->idle_pages);
    report_number(memory, "pages_image", anim->image_pages);
    report_number(memory, "pages_reserve", anim->reserve_pages);
    report_number(memory, "loaded", anim->loaded);
    report_number(memory, "loading", anim->loading);
}

void play_snapshot_json(const struct play_snapshot *snapshot, cJSON *json)
{
    const spn_debug *debug = &snapshot->debug;
    cJSON *object = report_object(json, "snapshot");
    cJSON *array;

    report_number(object, "seconds", snapshot->seconds);
    array = report_array(object, "caches");
    for (uint32_t i = 0; i < debug->cache_count; i++)
        add_cache(array, &debug->caches[i]);
    array = report_array(object, "nodes");
    for (uint32_t i = 0; i < debug->node_count; i++)
        add_node(array, debug, &debug->nodes[i]);
    array = report_array(object, "reads");
    for (uint32_t i = 0; i < debug->read_count; i++)
        add_read(array, debug, &debug->reads[i]);
    add_clips_json(object, snapshot);
    add_drives(object, debug);
    add_heap(object, debug);
    report_text(object, "text", snapshot->text);
}
