/* test_debug.c
 *
 * Goal: a snapshot says of each page whose it is, of each node what it shows,
 *   wants, has decoded and has read, and of each read and drive where it is,
 *   as the tables of the runtime do. Its text fits any buffer and has the lines
 *   that the filter lets through.
 * Method: two caches, nodes that play forward, backward and from two positions
 *   on a slow disc; at each update the snapshot against a search through the
 *   tables that knows nothing of the snapshot's.
 */
/* SPDX-License-Identifier: MIT */
#include "base/heap_view.h"
#include "harness.h"
#include "play/cache.h"
#include "play/frame_slot.h"
#include "play/group_read.h"
#include "play/group_table.h"
#include "play/node/node.h"
#include "play/node/update.h"
#include "runtime.h"
#include "support/stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct stage stage;
static struct tiny_cache *other;
static spn_cache other_cache;
static spn_node two_positions; /* the node that has a second one */

/* A snapshot in memory of exactly its size, with any alignment. */
struct shot {
    uint8_t *memory;
    spn_debug debug;
};

static struct shot take(void)
{
    static uint32_t turn;
    const uint64_t bytes = spn_debug_bytes_needed(stage.rt);
    const uint32_t skip = turn++ % 16;
    struct shot shot;

    shot.memory = malloc((size_t)bytes + skip);
    CHECK_EQ(
        spn_debug_snapshot(stage.rt, shot.memory + skip, bytes, &shot.debug),
        SPN_OK);
    return shot;
}

static void open_two(void)
{
    struct tiny_options a = {.frame_count = 121, .is_noisy = true};
    struct tiny_options b = {.frame_count = 61, .vertices = 900, .seed = 7};

    other = tiny_build(&b);
    stage_init(&stage, tiny_build(&a));
    slow_platform_add(&stage.disc, "sea/b", other->bytes, other->size);
    stage.disc.bytes_per_second = 1 << 20;
    stage.disc.seek_us = 30000;
    stage.config.heap_bytes = 4 << 20;
    stage_open(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "sea/b", &other_cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, other_cache, NULL) == SPN_PENDING)
        stage_tick(&stage, STAGE_TICK_US);
}

static void close_two(void)
{
    stage_close(&stage);
    tiny_free(other);
}

/* True if a block has the page. */
static bool has_page(heap_handle block, uint32_t page)
{
    const struct heap *heap = &stage.rt->heap;
    const uint32_t count = spn__heap_extent_count(heap, block);

    for (uint32_t i = 0; i < count; i++) {
        uint32_t bytes;
        const uint8_t *data = spn__heap_extent(heap, block, i, &bytes);
        const uint64_t first = (uint64_t)(data - heap->arena);
        const uint64_t at = (uint64_t)page << heap->page_shift;

        if (at >= first && at < first + bytes)
            return true;
    }
    return false;
}

/* The user does not know the handle of a second position. */
static spn_node known_handle(const struct account *a)
{
    const struct manager *m = &stage.rt->manager;
    const struct node *n = &m->nodes[a->index - 1];

    if (!n->cursor.is_second)
        return n->handle;
    return spn__manager_node(m, n->handle) ? two_positions : 0;
}

static void check_frame_extent(const struct cache *c, const spn_debug_extent *e)
{
    const struct frame_slot *slot = frame_slot_at(c, e->first);
    bool is_found = false;

    CHECK_EQ(e->first, e->last);
    CHECK(slot->frame);
    for (uint32_t u = 0; u < c->plan.unit_count; u++)
        is_found |= slot->frame->handles[u] != 0 &&
                    has_page(slot->frame->handles[u], e->first_page);
    CHECK(is_found);
    CHECK_EQ_U(e->age,
               stage.rt->manager.promises.keeper.stamp - slot->kept.stamp);
    if (slot->state == FRAME_RUNNING) {
        CHECK(e->is_busy);
        CHECK_EQ_U(e->node, known_handle(slot->frame->owner));
    }
}

static void check_read_extent(const struct cache *c, const spn_debug_extent *e)
{
    const struct group_reads *reads = &stage.rt->manager.group_reads;
    bool is_found = false;

    for (uint32_t i = 0; i < reads->capacity; i++) {
        const struct group_read *r = &reads->table[i];

        if (r->state == READ_FREE || !has_page(r->block, e->first_page))
            continue;
        is_found = true;
        CHECK(r->cache == c);
        CHECK_EQ_U(e->first, r->first_group);
        CHECK_EQ_U(e->last, r->last_group);
        CHECK_EQ(e->is_busy, r->state != READ_DONE || r->pins > 0);
        if (r->state == READ_PENDING)
            CHECK_EQ_U(e->node, known_handle(r->owner));
    }
    CHECK(is_found);
}

/* It is a node of the user, if one needs the extent. */
static void check_node(const spn_debug_extent *e)
{
    const struct node *n = spn__manager_node(&stage.rt->manager, e->node);

    CHECK(!n || !n->cursor.is_second);
}

static void check_extents(const spn_debug *d)
{
    const struct heap *heap = &stage.rt->heap;
    uint32_t page = 0;
    uint32_t static_pages[2] = {0};
    uint64_t sum = 0;

    for (uint32_t i = 0; i < d->extent_count; i++) {
        const spn_debug_extent *e = &d->extents[i];
        const struct cache *c =
            e->cache ? spn__manager_cache(&stage.rt->manager, e->cache) : NULL;

        check_node(e);
        CHECK_EQ_U(e->first_page, page);
        CHECK(e->page_count > 0);
        page += e->page_count;
        CHECK_EQ(e->kind == SPN_DEBUG_FREE, heap->owner[e->first_page] == 0);
        if (e->kind == SPN_DEBUG_DECODED)
            check_frame_extent(c, e);
        else if (e->kind == SPN_DEBUG_COMPRESSED)
            check_read_extent(c, e);
        else
            CHECK_EQ_U(e->age, SPN_DEBUG_NO_AGE);
        if (e->kind == SPN_DEBUG_STATIC)
            static_pages[c != &stage.rt->manager.caches[0]] += e->page_count;
        if (e->kind == SPN_DEBUG_FREE || e->kind == SPN_DEBUG_BLOCK)
            CHECK_EQ(e->cache, 0);
    }
    CHECK_EQ_U(page, heap->page_count);
    CHECK_EQ_U(static_pages[0], stage.rt->manager.caches[0].pages);
    CHECK_EQ_U(static_pages[1], stage.rt->manager.caches[1].pages);
    for (uint32_t k = 0; k < SPN_DEBUG_KINDS; k++)
        sum += d->heap.pages[k];
    CHECK_EQ_U(sum, heap->page_count);
    CHECK_EQ_U(d->heap.pages[SPN_DEBUG_FREE], heap->stats.free_pages);
    CHECK_EQ_U(d->heap.pages[SPN_DEBUG_DECODED] +
                   d->heap.pages[SPN_DEBUG_COMPRESSED],
               stage.rt->manager.promises.keeper.kept_pages);
}

/* Frames of a clip that does not end in between, from the wanted one on. */
static void check_ranges(const spn_debug_node *n)
{
    const struct node *node = spn__manager_node(&stage.rt->manager, n->node);
    const struct cache *c = node->cache;
    const uint32_t count = c->header.frame_count;
    const uint32_t step = n->is_backward ? count - 1 : 1;
    uint32_t frame = n->wanted.first;

    for (uint32_t i = 0; i < n->decoded.count; i++, frame += step)
        CHECK_EQ(frame_slot_at(c, frame % count)->state, FRAME_READY);
    CHECK(n->decoded.count >= count ||
          frame_slot_at(c, frame % count)->state != FRAME_READY);
    frame = n->wanted.first;
    for (uint32_t i = 0; i < n->read.count; i++, frame += step)
        CHECK(frame_slot_at(c, frame % count)->state == FRAME_READY ||
              spn__group_table_read(c, frame % count));
    CHECK(n->read.count >= n->decoded.count);
    if (n->read.count > 0)
        CHECK_EQ_U(n->read.last,
                   (n->read.first + (n->read.count - 1) * step) % count);
}

static void check_nodes(const spn_debug *d)
{
    uint32_t seen = 0;

    for (uint32_t i = 0; i < d->node_count; i++) {
        const spn_debug_node *n = &d->nodes[i];
        spn_node_state state;

        CHECK(strcmp(n->path, n->cache == other_cache ? "sea/b" : "a") == 0);
        if (n->is_second) {
            CHECK_EQ_U(n->shown.count, 0);
            CHECK(n->node == two_positions || n->node == 0);
            continue;
        }
        seen++;
        /* It was destroyed, and its reads and jobs have not ended. */
        if (!spn__manager_node(&stage.rt->manager, n->node))
            continue;
        state = stage_state(&stage, n->node);
        CHECK_EQ_U(n->state.frames_late, state.frames_late);
        CHECK_EQ_U(n->state.shown_frame, state.shown_frame);
        CHECK(n->state.playback_us == state.playback_us);
        CHECK_EQ(n->shown.count > 0, state.shown_frame != UINT32_MAX);
        if (n->shown.count > 0)
            CHECK_EQ_U(n->shown.first, state.shown_frame);
        if (n->is_playing)
            check_ranges(n);
    }
    CHECK_EQ_U(seen, stage.rt->manager.node_pool.used - (d->node_count - seen));
    CHECK_EQ_U(d->totals.nodes, seen);
}

static void check_reads(const spn_debug *d)
{
    const struct manager *m = &stage.rt->manager;
    uint32_t pending = 0;

    for (uint32_t i = 0; i < m->group_reads.capacity; i++)
        pending += m->group_reads.table[i].state != READ_FREE &&
                   m->group_reads.table[i].state != READ_DONE;
    CHECK_EQ_U(d->read_count, pending);
    for (uint32_t i = 0; i < d->read_count; i++) {
        const spn_debug_read *r = &d->reads[i];
        const struct cache *c = spn__manager_cache(m, r->cache);
        const struct node *n = spn__manager_node(m, r->node);

        CHECK(c);
        CHECK(strcmp(r->path, c->path) == 0);
        CHECK(r->offset + r->bytes <= c->header.file_bytes);
        CHECK(r->first_group <= r->last_group);
        CHECK(r->last_group < c->header.group_count);
        CHECK(n && !n->cursor.is_second);
    }
    CHECK_EQ_U(d->media[SPN_MEDIUM_HARD_DISK].reads,
               m->pending[SPN_MEDIUM_HARD_DISK].reads);
}

/* The disc knows where its head will be after the command of now. */
static void check_head(const spn_debug *d)
{
    const spn_debug_medium *medium = &d->media[SPN_MEDIUM_HARD_DISK];
    const struct slow_drive *drive = &stage.disc.drives[SPN_MEDIUM_HARD_DISK];

    CHECK(medium->is_known);
    CHECK_EQ(d->media[SPN_MEDIUM_OPTICAL].is_known, 0);
    if (medium->is_busy)
        CHECK_EQ_U(medium->target + drive->bytes_most, drive->head);
    else
        CHECK_EQ_U(medium->head, drive->head);
}

/* The caches count the frames of each state. */
static void check_caches(const spn_debug *d)
{
    CHECK_EQ_U(d->cache_count, 2);
    for (uint32_t i = 0; i < d->cache_count; i++) {
        const spn_debug_cache *cache = &d->caches[i];
        const struct cache *c =
            spn__manager_cache(&stage.rt->manager, cache->cache);
        uint32_t counts[4] = {0};

        for (uint32_t f = 0; f < c->header.frame_count; f++)
            counts[frame_slot_at(c, f)->state]++;
        CHECK_EQ_U(cache->ready_count, counts[FRAME_READY]);
        CHECK_EQ_U(cache->running_count, counts[FRAME_RUNNING]);
        CHECK_EQ_U(cache->lost_count, counts[FRAME_FAILED]);
        CHECK_EQ_U(cache->node_count, c->node_count);
    }
}

static void check_all(void)
{
    struct shot shot = take();
    const spn_debug *d = &shot.debug;

    CHECK_EQ_U(d->now_us, stage.rt->manager.now_us);
    check_extents(d);
    check_caches(d);
    check_nodes(d);
    check_reads(d);
    check_head(d);
    free(shot.memory);
}

static spn_node node_of(spn_cache cache)
{
    spn_node_desc desc = {.is_looping = 1};
    spn_node node;

    CHECK_EQ(spn_node_create(stage.rt, cache, &desc, &node), SPN_OK);
    return node;
}

static void set_time(spn_node node, int64_t us)
{
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, us), SPN_OK);
}

static void a_snapshot_is_what_the_tables_say(void)
{
    spn_node nodes[3];
    spn_block block;

    open_two();
    for (int i = 0; i < 3; i++)
        nodes[i] = node_of(i == 2 ? other_cache : stage.cache);
    two_positions = nodes[0];
    CHECK_EQ(spn_block_alloc(stage.rt, 50000, 0, &block), SPN_OK);
    check_all();
    for (int i = 0; i < 240; i++) {
        const int64_t us = i * (int64_t)STAGE_TICK_US;

        set_time(nodes[0], us);
        set_time(nodes[1], 3900000 - us);
        if (i >= 60)
            set_time(nodes[2], i % 60 == 0 ? i * 31000 : us);
        if (i == 100)
            CHECK_EQ(spn_node_set_streaming_time(stage.rt, nodes[0], 200000),
                     SPN_OK);
        if (i == 200) {
            CHECK_EQ(spn_node_destroy(stage.rt, nodes[1]), SPN_OK);
            nodes[1] = nodes[2];
        }
        stage_tick(&stage, STAGE_TICK_US);
        check_all();
    }
    close_two();
}

static void bad_arguments_and_little_memory_are_refused(void)
{
    uint8_t *memory;
    uint64_t bytes;
    spn_debug d;

    open_two();
    bytes = spn_debug_bytes_needed(stage.rt);
    memory = malloc((size_t)bytes);
    memset(&d, 0x5a, sizeof d);
    CHECK_EQ_U(spn_debug_bytes_needed(NULL), 0);
    CHECK_EQ(spn_debug_snapshot(NULL, memory, bytes, &d), SPN_ERR_ARG);
    CHECK_EQ(spn_debug_snapshot(stage.rt, NULL, bytes, &d), SPN_ERR_ARG);
    CHECK_EQ(spn_debug_snapshot(stage.rt, memory, bytes, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_debug_snapshot(stage.rt, memory, bytes - 1, &d),
             SPN_ERR_MEMORY);
    CHECK_EQ(spn_debug_snapshot(stage.rt, memory, 0, &d), SPN_ERR_MEMORY);
    for (size_t i = 0; i < sizeof d; i++)
        CHECK_EQ(((uint8_t *)&d)[i], 0x5a);
    CHECK_EQ(spn_debug_snapshot(stage.rt, memory, bytes, &d), SPN_OK);
    CHECK_EQ_U(spn_debug_text(NULL, "", (char *)memory, bytes), 0);
    CHECK_EQ_U(spn_debug_text(&d, "", NULL, 1), 0);
    free(memory);
    close_two();
}

static char text[16384];

/* Number of lines that begin with a word. */
static uint32_t lines_of(const char *word)
{
    uint32_t count = 0;

    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        count += strncmp(at, word, strlen(word)) == 0;
    }
    return count;
}

static void print(const spn_debug *d, const char *filter)
{
    const uint64_t length = spn_debug_text(d, filter, text, sizeof text);

    CHECK(length > 0 && length < sizeof text);
    CHECK_EQ_U(length, strlen(text));
    CHECK_EQ(text[length - 1], '\n');
    for (uint64_t i = 0; i < length; i++)
        CHECK(text[i] == '\n' || (text[i] >= ' ' && text[i] <= '~'));
}

static void set(const char *name, const char *value)
{
    CHECK_EQ(spn_tuning_set(stage.rt, name, value), SPN_OK);
}

static void text_has_the_lines_of_the_filter(void)
{
    spn_node nodes[3];
    struct shot shot;

    open_two();
    for (int i = 0; i < 3; i++)
        nodes[i] = node_of(i == 2 ? other_cache : stage.cache);
    for (int i = 0; i < 30; i++) {
        set_time(nodes[0], i * (int64_t)STAGE_TICK_US);
        set_time(nodes[2], i * (int64_t)STAGE_TICK_US);
        stage_tick(&stage, STAGE_TICK_US);
    }
    shot = take();
    print(&shot.debug, NULL);
    CHECK_EQ_U(lines_of("hard disk"), 1);
    CHECK_EQ_U(lines_of("cache"), 2);
    CHECK_EQ_U(lines_of("node"), 3);
    CHECK_EQ_U(lines_of("read"), 0);
    CHECK_EQ_U(lines_of("total"), 1);
    CHECK(strstr(text, "total: 3 nodes, 2 play"));
    CHECK(strstr(text, "decoded 14-30, read all;"));
    CHECK(strstr(text, "decoded none, read none"));
    CHECK(strstr(text, " of 3.999 s loop"));
    print(&shot.debug, "sea");
    CHECK_EQ_U(lines_of("node"), 1);
    CHECK_EQ_U(lines_of("cache"), 1);
    print(&shot.debug, "b/");
    CHECK_EQ_U(lines_of("node"), 0);
    free(shot.memory);

    set("debug", "2");
    set("debug_reads", "1");
    shot = take();
    print(&shot.debug, "");
    CHECK_EQ_U(lines_of("node"), 2);
    CHECK(shot.debug.read_count > 0);
    CHECK_EQ_U(lines_of("read"), shot.debug.read_count);
    free(shot.memory);

    set("debug_filter", "sea/b");
    set("geometry", "0");
    stage_tick(&stage, STAGE_TICK_US);
    shot = take();
    print(&shot.debug, NULL);
    CHECK_EQ_U(lines_of("node"), 1);
    CHECK(strstr(text, "geometry is off"));
    print(&shot.debug, "");
    CHECK_EQ_U(lines_of("node"), 2);
    free(shot.memory);
    close_two();
}

/* The bar has a letter for each 64th of the heap. */
static void text_shows_the_heap_as_a_bar(void)
{
    const char *bar;
    struct shot shot;
    spn_block block;
    uint32_t free_cells = 0;

    open_two();
    CHECK_EQ(spn_block_alloc(stage.rt, 2 << 20, UINT32_MAX, &block), SPN_OK);
    shot = take();
    print(&shot.debug, NULL);
    bar = strstr(text, "heap [") + 6;
    CHECK_EQ(bar[64], ']');
    CHECK_EQ(bar[0], 's');
    for (int i = 0; i < 64; i++)
        free_cells += bar[i] == '.';
    CHECK(free_cells >= 28 && free_cells <= 31);
    CHECK(strspn(strchr(bar, 'b'), "b") >= 31);
    free(shot.memory);
    close_two();
}

/* No cell is without a page. */
static void a_small_heap_has_a_short_bar(void)
{
    const spn_debug_extent extents[] = {
        {.page_count = 3, .kind = SPN_DEBUG_STATIC},
        {.first_page = 3, .page_count = 4},
        {.first_page = 7, .page_count = 3, .kind = SPN_DEBUG_DECODED}};
    const spn_debug d = {.heap = {.page_bytes = 4096, .page_count = 10},
                         .extents = extents,
                         .extent_count = 3};

    print(&d, "");
    CHECK(strstr(text, "heap [sss....ddd]\n"));
}

/* Its first command is under way. */
static void a_drive_without_a_known_head_has_no_line(void)
{
    const spn_debug_extent all = {.page_count = 64};
    spn_debug d = {.heap = {.page_bytes = 4096, .page_count = 64},
                   .media = {[SPN_MEDIUM_HARD_DISK] = {.is_busy = 1}},
                   .extents = &all,
                   .extent_count = 1};

    print(&d, "");
    CHECK_EQ_U(lines_of("hard disk"), 0);
    d.media[SPN_MEDIUM_HARD_DISK].is_known = 1;
    print(&d, "");
    CHECK_EQ_U(lines_of("hard disk"), 1);
}

static void text_fits_every_buffer(void)
{
    static char small[sizeof text];
    struct shot shot;
    uint64_t length;

    open_two();
    set_time(node_of(stage.cache), 0);
    stage_tick(&stage, STAGE_TICK_US);
    shot = take();
    print(&shot.debug, NULL);
    length = strlen(text);
    CHECK_EQ_U(spn_debug_text(&shot.debug, NULL, NULL, 0), length);
    for (uint64_t bytes = 1; bytes <= length + 1; bytes++) {
        memset(small, '#', sizeof small);
        CHECK_EQ_U(spn_debug_text(&shot.debug, NULL, small, bytes), length);
        CHECK_EQ_U(strlen(small), bytes - 1);
        CHECK(memcmp(small, text, (size_t)bytes - 1) == 0);
        CHECK_EQ(small[bytes], '#');
    }
    free(shot.memory);
    close_two();
}

/* Caches that open, that failed, and a heap of which nothing is known. */
static void a_snapshot_can_be_taken_at_any_time(void)
{
    spn_cache bad;
    struct shot shot;
    spn_node node;

    stage_init(&stage, tiny_build(NULL));
    stage_start(&stage);
    shot = take();
    CHECK_EQ_U(shot.debug.extent_count, 1);
    CHECK_EQ_U(shot.debug.node_count, 0);
    print(&shot.debug, NULL);
    free(shot.memory);
    CHECK_EQ(spn_cache_open(stage.rt, "missing", &bad), SPN_OK);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    node = stage_node(&stage, false);
    set_time(node, 100000);
    for (int i = 0; i < 60; i++) {
        shot = take();
        print(&shot.debug, NULL);
        CHECK_EQ_U(shot.debug.node_count, 1);
        free(shot.memory);
        stage_tick(&stage, 1000);
    }
    CHECK(strstr(text, "cache missing: failed"));
    CHECK_EQ(spn_cache_close(stage.rt, stage.cache), SPN_OK);
    shot = take();
    print(&shot.debug, NULL);
    CHECK(strstr(text, "node "));
    free(shot.memory);
    stage_close(&stage);
}

/* So do those of its nodes. */
/* The later one of two shown frames is not in the heap any more. */
static void a_frame_that_is_gone_is_not_shown(void)
{
    struct node *n;
    struct shot shot;
    spn_node node;

    stage_init(&stage, tiny_build(&(struct tiny_options){.frame_count = 61}));
    stage_open(&stage);
    node = stage_node(&stage, false);
    stage_stream(&stage, node, 40000);
    shot = take();
    CHECK_EQ_U(shot.debug.nodes[0].shown.count, 2);
    CHECK_EQ_U(shot.debug.nodes[0].shown.last, 2);
    free(shot.memory);
    n = spn__manager_node(&stage.rt->manager, node);
    n->shown.ceil += 50;
    shot = take();
    CHECK_EQ_U(shot.debug.nodes[0].shown.count, 1);
    CHECK_EQ_U(shot.debug.nodes[0].shown.last, 1);
    free(shot.memory);
    stage_close(&stage);
}

static void an_unloaded_cache_keeps_its_numbers(void)
{
    struct shot before;
    struct shot shot;
    spn_node node;

    stage_init(&stage, tiny_build(&(struct tiny_options){.frame_count = 31}));
    stage_open(&stage);
    set("unload_after_ms", "100");
    node = stage_node(&stage, true);
    stage_stream(&stage, node, 0);
    before = take();
    CHECK_EQ(spn_node_set_view(stage.rt, node, &(spn_view){.is_visible = 0}),
             SPN_OK);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(stage_state(&stage, node).status, SPN_PENDING);
    shot = take();
    CHECK_EQ(shot.debug.caches[0].status, SPN_OK);
    CHECK_EQ_U(shot.debug.caches[0].frame_count, 31);
    CHECK_EQ_U(shot.debug.caches[0].ready_count, 0);
    CHECK_EQ(shot.debug.caches[0].duration_us,
             before.debug.caches[0].duration_us);
    CHECK_EQ_U(shot.debug.caches[0].bytes_per_second,
               before.debug.caches[0].bytes_per_second);
    CHECK_EQ_U(shot.debug.nodes[0].frame_count, 31);
    CHECK_EQ(shot.debug.nodes[0].duration_us,
             before.debug.nodes[0].duration_us);
    print(&shot.debug, NULL);
    CHECK(strstr(text, "cache a: 31 frames"));
    free(before.memory);
    free(shot.memory);
    stage_close(&stage);
}

TEST_MAIN(TEST(a_snapshot_is_what_the_tables_say),
          TEST(bad_arguments_and_little_memory_are_refused),
          TEST(text_has_the_lines_of_the_filter),
          TEST(text_shows_the_heap_as_a_bar),
          TEST(a_small_heap_has_a_short_bar),
          TEST(a_drive_without_a_known_head_has_no_line),
          TEST(text_fits_every_buffer),
          TEST(a_snapshot_can_be_taken_at_any_time),
          TEST(a_frame_that_is_gone_is_not_shown),
          TEST(an_unloaded_cache_keeps_its_numbers))
