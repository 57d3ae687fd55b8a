/* fuzz_runtime.c - bytes as a script of calls of the whole runtime, in one
 * thread, on a slow disc with scripted faults.
 *
 * After each call spn_check holds. Each started read completes exactly once,
 * with a status that its history explains. Its valid bytes are those of the
 * file. Its memory is freed at the completion, so that a later access is
 * detected. At the end the runtime is shut down with reads in progress, or
 * faults stop, everything is closed, and soon the heap is empty.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "fuzz/script_disc.h"
#include "fuzz/script_query.h"
#include "fuzz/script_record.h"

#include <spindle/spindle.h>
#include <stdlib.h>
#include <string.h>

#define SHOTS 10u
#define FILES 4u
#define NODES 3u
#define PAKS 2u
#define BLOCKS 3u
#define STEPS_MAX 160u
#define CALM_TICKS_MAX 4000u

/* A read and its history. */
struct shot {
    spn_read read;
    uint8_t *buffer; /* of exactly its size; freed at the completion */
    uint64_t bytes;  /* expected bytes; 0: unknown */
    uint64_t offset;
    enum script_file file;
    bool is_started;
    bool is_aborted;
    bool is_refused; /* its storage callback refused */
    bool has_async;
    bool has_storage;
    bool is_into_heap;
    uint8_t reaction; /* operation of its callback */
    uint32_t async_count;
    uint32_t done_count;
};

static struct script_disc disc;
static spn_runtime *rt;
static spn_job_gate gate; /* without a runtime there is no job system */
static struct shot shots[SHOTS];
static spn_file files[FILES];
static spn_cache cache;
static spn_node nodes[NODES];
static spn_pak paks[PAKS];
static spn_block blocks[BLOCKS];
static struct script_record record;
static bool is_shut;
static bool is_calm; /* storage is always given, callbacks do nothing */
static struct fuzz_input in;
static uint32_t started_count;
static uint32_t
    notified_count; /* completions that the listener was notified of */
static uint32_t at_device;

static void hear(void *user, const spn_event *event)
{
    (void)user;
    if (event->kind == SPN_EVENT_COMPLETED && event->user)
        notified_count++;
    at_device += event->kind == SPN_EVENT_READ_BEGIN;
    at_device -= event->kind == SPN_EVENT_READ_END;
    CHECK(at_device <= SHOTS * SPN_MEDIUM_COUNT);
}

static const spn_listener listener = {.queued = hear,
                                      .read_begin = hear,
                                      .read_end = hear,
                                      .preempted = hear,
                                      .aborted = hear,
                                      .decompress_begin = hear,
                                      .decompress_end = hear,
                                      .callback_begin = hear,
                                      .callback_end = hear,
                                      .completed = hear,
                                      .invalid_wait = hear};

/* -- reads -- */

static bool is_explained(const struct shot *s, spn_status status)
{
    switch (status) {
    case SPN_OK:
    case SPN_ERR_RANGE:
    case SPN_ERR_NOT_FOUND:
    case SPN_ERR_IO:
    case SPN_ERR_SHORT_READ:
        return true;
    case SPN_ERR_CHECKSUM:
    case SPN_ERR_CODEC:
        return disc.has_flipped;
    case SPN_ERR_ABORTED:
        return s->is_aborted;
    case SPN_ERR_SHUTDOWN:
        return is_shut;
    case SPN_ERR_MEMORY:
        return s->is_refused || s->is_into_heap;
    default:
        return false;
    }
}

static void note_async(const spn_read_result *result)
{
    struct shot *s = result->user;

    CHECK_EQ_U(++s->async_count, 1);
    CHECK_EQ_U(s->done_count, 0);
    if (!is_calm && s->reaction % 8 == 1) {
        CHECK_EQ(spn_read_abort(rt, result->read), SPN_OK);
        s->is_aborted = true;
    }
}

static spn_status give(const spn_read_want *want, void **buffer)
{
    struct shot *s = want->user;
    const uint8_t mood = is_calm ? 0 : s->reaction % 5;

    CHECK(s->has_storage && !s->buffer && want->bytes > 0);
    if (mood == 3)
        return SPN_NO_MEMORY_NOW;
    s->is_refused = mood == 4;
    if (s->is_refused)
        return SPN_ERR_MEMORY;
    s->bytes = want->bytes;
    s->buffer = malloc((size_t)want->bytes);
    *buffer = s->buffer;
    return SPN_OK;
}

static spn_status abort_shot(struct shot *s)
{
    const spn_status status = spn_read_abort(rt, s->read);

    s->is_aborted = s->is_aborted || status == SPN_OK;
    return status;
}

static void start(uint8_t what);

/* Check the block of a read into the heap; keep it when a place is free. */
static void take_block(const struct shot *s, const spn_read_result *result)
{
    spn_extent extents[SPN_BLOCK_EXTENTS_MAX];
    const uint32_t count = spn_block_get_extents(rt, result->block, extents,
                                                 SPN_BLOCK_EXTENTS_MAX);
    spn_block *place = &blocks[s->reaction % BLOCKS];
    uint64_t done = 0;

    CHECK_EQ(result->block != 0, result->bytes > 0);
    CHECK(result->bytes == 0 || result->status == SPN_OK);
    CHECK_EQ(count > 0, result->block != 0);
    for (uint32_t i = 0; i < count; i++) {
        script_disc_compare(&disc, s->file, s->offset + done, extents[i].data,
                            extents[i].bytes);
        done += extents[i].bytes;
    }
    CHECK_EQ_U(done, result->bytes);
    if (!result->block)
        return;
    if (*place || is_calm || is_shut)
        CHECK_EQ(spn_block_free(rt, result->block), SPN_OK);
    else
        *place = result->block;
}

static void note_done(const spn_read_result *result)
{
    struct shot *s = result->user;

    CHECK_EQ_U(++s->done_count, 1);
    CHECK_EQ_U(s->async_count, s->has_async);
    CHECK_EQ_U(result->read, s->read);
    CHECK(result->buffer == s->buffer);
    CHECK(is_explained(s, result->status));
    CHECK(s->is_into_heap || result->block == 0);
    if (s->is_into_heap)
        take_block(s, result);
    if (s->bytes > 0) {
        CHECK(result->bytes <= s->bytes);
        CHECK(result->status != SPN_OK || result->bytes == s->bytes);
    }
    if (!s->is_into_heap)
        script_disc_compare(&disc, s->file, s->offset, s->buffer,
                            result->bytes);
    free(s->buffer);
    s->buffer = NULL;
    if (!is_calm && s->reaction / 32 == 1)
        start(s->reaction);
    else if (!is_calm && s->reaction / 32 == 2)
        abort_shot(&shots[s->reaction % SHOTS]);
}

static bool is_free(const struct shot *s)
{
    return !s->is_started || s->done_count > 0;
}

/* Choose what the slot reads, from the script; false: its read is in
 * progress. */
static bool describe(struct shot *s, uint8_t what, spn_read_desc *desc)
{
    static const uint16_t sizes[] = {1, 100, 4096, 9000, 20000};
    const uint8_t how = fuzz_u8(&in);

    if (!is_free(s))
        return false;
    memset(s, 0, sizeof *s);
    memset(desc, 0, sizeof *desc);
    s->file = (enum script_file)(how % SCRIPT_FILES);
    s->offset = fuzz_u16(&in) % 12000;
    s->bytes = how & 64 ? 0 : sizes[fuzz_u8(&in) % 5];
    s->reaction = fuzz_u8(&in);
    s->has_async = what & 1;
    s->has_storage = (what & 6) == 6;
    desc->path = script_disc_path(s->file);
    if (how & 128 && files[how % FILES]) {
        desc->file = files[how % FILES];
        s->file = SCRIPT_ANY;
    } else if (how & 32) {
        (void)spn_pak_find(rt, 0, desc->path, &desc->entry);
    }
    desc->offset = s->offset;
    desc->bytes = s->bytes;
    desc->on_done = note_done;
    desc->on_async = s->has_async ? note_async : NULL;
    desc->user = s;
    desc->priority = (spn_priority)(what / 8 % 7);
    desc->task = (spn_task)(fuzz_u8(&in) % SPN_TASK_COUNT);
    if (desc->task % 3 == 0)
        desc->deadline_us = disc.slow.clock_us + fuzz_u16(&in) * 16u;
    desc->flags = what & 128 ? SPN_READ_OVER_BUDGET : 0;
    if (s->has_storage) {
        desc->on_storage = give;
        return true;
    }
    desc->buffer_bytes = s->bytes > 0 ? s->bytes : fuzz_u16(&in);
    s->is_into_heap = (what & 6) == 4;
    if (s->is_into_heap) {
        desc->flags |= SPN_READ_INTO_HEAP;
        desc->heap_unit_bytes = (uint32_t)(desc->buffer_bytes % 3) * 4096u;
        desc->buffer_bytes = 0;
        return true;
    }
    s->buffer = malloc((size_t)(desc->buffer_bytes + !desc->buffer_bytes));
    desc->buffer = s->buffer;
    return true;
}

/* Start one read, or several by one call. */
static void start(uint8_t what)
{
    const uint32_t requested = what % 7 == 0 ? 3 : 1;
    spn_read_desc descs[3];
    spn_read handles[3] = {0};
    struct shot *started[3];
    uint32_t count = 0;
    spn_status status;

    for (uint32_t i = 0; i < SHOTS && count < requested; i++)
        if (describe(&shots[i], what, &descs[count])) {
            /* Mark it now: described twice, it would be started twice. */
            shots[i].is_started = true;
            started[count++] = &shots[i];
        }
    if (count == 0)
        return;
    if (requested == 1)
        status = spn_read_start(rt, descs, handles);
    else
        status = spn_read_start_batch(rt, descs, count, handles);
    CHECK(status == SPN_OK || status == SPN_FULL || status < 0);
    for (uint32_t i = 0; i < count; i++) {
        started[i]->read = handles[i];
        started_count += status == SPN_OK;
        if (status == SPN_OK)
            continue;
        started[i]->is_started = false;
        free(started[i]->buffer);
        started[i]->buffer = NULL;
    }
}

static void look_at(struct shot *s, uint8_t what)
{
    spn_read_result result;
    spn_status status;

    if (what & 8) {
        status = abort_shot(s);
    } else if (what & 16) {
        script_disc_run(&disc, 200);
        status = spn_read_wait(rt, s->read, fuzz_u16(&in), &result);
        script_disc_run(&disc, 0);
    } else {
        status = spn_read_poll(rt, s->read);
    }
    if (s->is_started && s->done_count == 0)
        CHECK(status != SPN_ERR_HANDLE);
    else
        CHECK_EQ(status, SPN_ERR_HANDLE);
}

/* -- other calls -- */

static void swap_file(uint32_t i)
{
    if (files[i]) {
        CHECK_EQ(spn_file_close(rt, files[i]), SPN_OK);
        files[i] = 0;
        return;
    }
    if (spn_file_open(rt, script_disc_path((enum script_file)i), &files[i]) !=
        SPN_OK)
        files[i] = 0;
}

static void swap_cache(void)
{
    if (cache) {
        CHECK_EQ(spn_cache_close(rt, cache), SPN_OK);
        cache = 0;
    } else if (spn_cache_open(rt, script_disc_path(SCRIPT_CACHE), &cache) !=
               SPN_OK) {
        cache = 0;
    }
}

static void fill(spn_node node)
{
    static const spn_vertex_layout layout = {
        .stride = 28,
        .position = {0, SPN_FORMAT_F32X3},
        .qtangent = {12, SPN_FORMAT_F32X4}};
    const size_t bytes = SCRIPT_VERTICES * layout.stride;
    uint8_t *vertices = malloc(bytes);

    (void)spn_node_fill(rt, node, fuzz_u8(&in) % 3, &layout, vertices, bytes,
                        NULL);
    free(vertices);
}

static void use_node(uint32_t i, uint8_t what)
{
    const int64_t time_us = (int64_t)fuzz_u16(&in) * 40 - 200000;
    spn_node_desc desc = {.is_looping = what & 1,
                          .overload = (spn_overload)(what % 3)};
    spn_node_state state;

    if (!nodes[i]) {
        if (spn_node_create(rt, cache, &desc, &nodes[i]) != SPN_OK)
            nodes[i] = 0;
        return;
    }
    switch (what / 8 % 8) {
    case 0:
        CHECK_EQ(spn_node_destroy(rt, nodes[i]), SPN_OK);
        nodes[i] = 0;
        break;
    case 1:
        CHECK_EQ(spn_node_stop_streaming(rt, nodes[i]), SPN_OK);
        break;
    case 2:
        (void)spn_node_start_streaming(rt, nodes[i], time_us);
        break;
    case 3:
        CHECK_EQ(spn_node_get_state(rt, nodes[i], &state), SPN_OK);
        break;
    case 4:
        fill(nodes[i]);
        break;
    default:
        (void)spn_node_set_playback_time(rt, nodes[i], time_us);
        break;
    }
}

static void use_pak(uint32_t i, uint8_t what)
{
    spn_pak_entry entry;

    if (!paks[i]) {
        if (spn_pak_mount(rt, script_disc_path(SCRIPT_PAK), &paks[i]) != SPN_OK)
            paks[i] = 0;
        return;
    }
    switch (what / 8 % 4) {
    case 0:
        CHECK_EQ(spn_pak_unmount(rt, paks[i]), SPN_OK);
        paks[i] = 0;
        break;
    case 1:
        (void)spn_pak_load(rt, paks[i], SPN_PRIORITY_NORMAL);
        break;
    case 2:
        CHECK_EQ(spn_pak_unload(rt, paks[i]), SPN_OK);
        break;
    default:
        (void)spn_pak_find(rt, paks[i], script_disc_path(SCRIPT_PACKED),
                           &entry);
        break;
    }
}

static void set_tuning(void)
{
    static const char *const values[] = {"0", "1", "7", "100", "2000", "90000"};
    const uint32_t index = fuzz_u8(&in);
    spn_tuning variable;

    if (spn_tuning_get(rt, index, &variable) == SPN_OK)
        (void)spn_tuning_set(rt, variable.name, values[fuzz_u8(&in) % 6]);
}

static void set_task(uint8_t what)
{
    const spn_task task = (spn_task)(fuzz_u8(&in) % SPN_TASK_COUNT);

    if (what & 8)
        (void)spn_task_pause(rt, task);
    else if (what & 16)
        (void)spn_task_resume(rt, task);
    else
        (void)spn_task_set_class(rt, task, (spn_task_class)(what / 32 % 4));
}

static void guard(uint8_t what)
{
    const uint32_t roles = what & 8 ? SPN_ROLE_MAIN : 0;

    if (what & 16)
        (void)spn_guard_thread(rt, roles);
    else if (what & 32)
        (void)spn_guard_medium(rt, (spn_medium)(what % 4), roles);
    else
        (void)spn_guard_file(rt, files[what % FILES],
                             what & 64 ? SPN_GUARD_AS_MEDIUM : roles);
}

static void query(uint8_t what)
{
    const uint32_t number = fuzz_u8(&in);

    switch (what % 4) {
    case 0:
        script_query_cache(rt, cache, number);
        break;
    case 1:
        script_query_node(rt, nodes[number % NODES], 1 + what / 4);
        break;
    case 2:
        script_query_pak(rt, paks[number % PAKS], what / 4);
        break;
    default:
        if (what / 4 < 4)
            script_query_io(rt, number);
        else
            script_record_use(&record, rt, what / 4 - 4);
        break;
    }
}

/* Take a block of the heap, or release one. */
static void swap_block(uint8_t what)
{
    spn_block *block = &blocks[what % BLOCKS];
    spn_status status;

    if (*block) {
        CHECK_EQ(spn_block_free(rt, *block), SPN_OK);
        CHECK_EQ(spn_block_free(rt, *block), SPN_ERR_HANDLE);
        *block = 0;
        return;
    }
    status = spn_block_alloc(rt, what * 512u, what % 4 * 4096u, block);
    CHECK(status == SPN_OK || *block == 0);
    CHECK(status == SPN_OK || status == SPN_NO_MEMORY_NOW ||
          status == (what ? SPN_ERR_MEMORY : SPN_ERR_ARG));
}

static void tick(uint32_t us)
{
    disc.slow.clock_us += us;
    spn_update(rt);
}

static void step(void)
{
    const uint8_t call = fuzz_u8(&in);
    const uint8_t what = fuzz_u8(&in);

    switch (call % 16) {
    case 0:
    case 1:
    case 2:
        start(what);
        break;
    case 3:
        look_at(&shots[call / 16 % SHOTS], what);
        break;
    case 4:
        swap_file(what % FILES);
        break;
    case 5:
        swap_cache();
        break;
    case 6:
    case 7:
        use_node(call / 16 % NODES, what);
        break;
    case 8:
        use_pak(call / 16 % PAKS, what);
        break;
    case 9:
        script_disc_break(&disc, call / 16, what, fuzz_u16(&in));
        break;
    case 10:
        set_task(what);
        break;
    case 11:
        set_tuning();
        break;
    case 12:
        if ((what & 3) == 3)
            swap_block(what / 4);
        else if (what & 1)
            spn_read_retry_storage(rt);
        else if (what & 2)
            (void)spn_job_step(&gate, 0);
        else if (what & 4)
            guard(what);
        else
            query(what / 8);
        break;
    case 13:
        script_disc_slow(&disc, what);
        break;
    default:
        tick(what < 128 ? what * 64u : what * 4096u);
        break;
    }
    CHECK(spn_check(rt));
}

/* -- begin and end -- */

static void begin(void)
{
    static void *memory;
    static size_t held;
    spn_config config;
    size_t bytes;

    memset(shots, 0, sizeof shots);
    memset(files, 0, sizeof files);
    memset(nodes, 0, sizeof nodes);
    memset(paks, 0, sizeof paks);
    memset(blocks, 0, sizeof blocks);
    cache = 0;
    is_shut = false;
    is_calm = false;
    script_disc_open(&disc, fuzz_u8(&in), &config);
    config.heap_bytes = 65536u * (1 + fuzz_u8(&in) % 12);
    config.read_count = 4 + fuzz_u8(&in) % 8;
    config.pak_count = fuzz_u8(&in) % (PAKS + 1);
    config.piece_bytes = 4096u * (1 + fuzz_u8(&in) % 3);
    config.node_count = NODES - 1;
    config.cache_count = 2;
    config.file_count = FILES + 1;
    config.job_count = 32;
    config.stream_frame_count = 24;
    config.trace_count = 16;
    config.listener = &listener;
    started_count = 0;
    notified_count = 0;
    at_device = 0;
    bytes = spn_memory_needed(&config);
    CHECK(bytes > 0);
    if (bytes > held) {
        free(memory);
        held = (bytes + 63) / 64 * 64;
        memory = aligned_alloc(64, held);
        CHECK(memory != NULL);
    }
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
}

static void close_all(void)
{
    for (uint32_t i = 0; i < NODES; i++)
        if (nodes[i])
            CHECK_EQ(spn_node_destroy(rt, nodes[i]), SPN_OK);
    for (uint32_t i = 0; i < FILES; i++)
        if (files[i])
            CHECK_EQ(spn_file_close(rt, files[i]), SPN_OK);
    for (uint32_t i = 0; i < PAKS; i++)
        if (paks[i])
            CHECK_EQ(spn_pak_unmount(rt, paks[i]), SPN_OK);
    for (uint32_t i = 0; i < BLOCKS; i++)
        if (blocks[i])
            CHECK_EQ(spn_block_free(rt, blocks[i]), SPN_OK);
    if (cache)
        CHECK_EQ(spn_cache_close(rt, cache), SPN_OK);
    for (uint32_t i = 0; i < SPN_TASK_COUNT; i++)
        (void)spn_task_resume(rt, (spn_task)i);
}

static bool is_over(void)
{
    spn_heap_stats stats;

    for (uint32_t i = 0; i < SHOTS; i++)
        if (!is_free(&shots[i]))
            return false;
    spn_heap_get_stats(rt, &stats);
    return stats.live_bytes == 0;
}

/* Faults stop: all reads end by themselves. */
static void come_to_rest(void)
{
    is_calm = true;
    slow_platform_clear_faults(&disc.slow);
    script_disc_slow(&disc, 0);
    close_all();
    for (uint32_t i = 0; i < CALM_TICKS_MAX && !is_over(); i++)
        tick(50000);
    CHECK(is_over());
    CHECK(spn_check(rt));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);
    bool comes_to_rest;

    in = (struct fuzz_input){copy, size};
    begin();
    comes_to_rest = fuzz_u8(&in) & 1;
    for (uint32_t i = 0; i < STEPS_MAX && in.left > 0; i++)
        step();
    if (comes_to_rest)
        come_to_rest();
    is_shut = true;
    script_disc_run(&disc, 1000);
    spn_shutdown(rt);
    script_record_drop(&record);
    for (uint32_t i = 0; i < SHOTS; i++)
        CHECK(is_free(&shots[i]));
    CHECK_EQ_U(notified_count, started_count);
    CHECK_EQ_U(disc.slow.opens, disc.slow.closes);
    free(copy);
    return 0;
}
