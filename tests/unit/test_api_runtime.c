/* test_api_runtime.c
 *
 * Goal: every range that spindle.h states is enforced. Every function accepts
 *   the stated arguments and refuses others.
 * Method: for each field of the config, both ends of its range and the values
 *   beyond them. One wrong argument of each function at a time. A runtime with
 *   the extreme values.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "runtime.h"
#include "support/stage.h"

#include "host/host.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define KIB 1024u
#define MIB (1024u * 1024u)

static struct slow_platform disc;
static spn_platform table;

static spn_job_gate gate;

static void submit_nothing(void *user)
{
    (void)user;
}

static spn_config good(void)
{
    slow_platform_init(&disc);
    table = disc.table;
    return (spn_config){.platform = &table,
                        .heap_bytes = MIB,
                        .node_count = 2,
                        .cache_count = 2,
                        .stream_frame_count = 32};
}

struct field {
    const char *name;
    size_t at;
    uint32_t low;
    uint32_t high;
    uint32_t standard; /* 0: derived from other fields */
    uint32_t step;
};

#define FIELD(name, low, high, standard, step)                                 \
    {                                                                          \
#name, offsetof(spn_config, name), low, high, standard, step           \
    }
static const struct field fields[] = {
    FIELD(heap_bytes, 65536, 0xfffe0000u, 64 * MIB, 1),
    FIELD(heap_page_bytes, 4096, 65536, 4096, 4096),
    FIELD(heap_block_count, 16, 65534, 0, 1),
    FIELD(worker_stack_bytes, 16 * KIB, 64 * MIB, 65536, 1),
    FIELD(io_stack_bytes, 16 * KIB, 64 * MIB, 65536, 1),
    FIELD(read_count, 4, 32767, 64, 1),
    FIELD(file_count, 1, 32768, 64, 1),
    FIELD(wait_count, 1, 64, 4, 1),
    FIELD(unpack_bytes, 1, 1024 * MIB, MIB, 1),
    FIELD(job_count, 2, MIB, 1024, 1),
    FIELD(cache_count, 1, 65535, 64, 1),
    FIELD(node_count, 1, 65535, 64, 1),
    FIELD(stream_frame_count, 8, 65535, 512, 1),
    FIELD(piece_bytes, 4096, 64 * MIB, 0, 4096),
    FIELD(trace_count, 2, MIB, 1024, 1),
};

static void set(spn_config *config, const struct field *f, uint32_t value)
{
    memcpy((char *)config + f->at, &value, sizeof value);
}

static uint32_t get(const spn_config *config, const struct field *f)
{
    uint32_t value;

    memcpy(&value, (const char *)config + f->at, sizeof value);
    return value;
}

/* With 32-bit addresses the largest heap leaves no memory for the rest. */
static bool has_addresses(const spn_config *config)
{
    return sizeof(size_t) > 4 || config->heap_bytes < 0xfff00000u;
}

static void config_keeps_the_stated_ranges(void)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct field *f = &fields[i];
        const struct {
            uint32_t value;
            spn_status status;
        } rows[] = {{f->low, SPN_OK},
                    {f->high, SPN_OK},
                    {f->low - 1, f->low == 1 ? SPN_OK : SPN_ERR_ARG},
                    {f->low + f->step / 2, f->step > 1 ? SPN_ERR_ARG : SPN_OK},
                    {f->high + 1, SPN_ERR_ARG},
                    {UINT32_MAX, SPN_ERR_ARG},
                    {0, SPN_OK}};

        for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
            spn_config config = good();
            spn_config out;

            test_context("%s = %u", f->name, rows[k].value);
            if (f->at == offsetof(spn_config, heap_page_bytes))
                config.heap_bytes = 4 * MIB;
            set(&config, f, rows[k].value);
            memset(&out, 0x5a, sizeof out);
            CHECK_EQ(spn_config_resolve(&config, &out), rows[k].status);
            CHECK_EQ(spn_memory_needed(&config) != 0,
                     rows[k].status == SPN_OK && has_addresses(&config));
            if (rows[k].status != SPN_OK)
                CHECK_EQ_U(out.read_count, 0x5a5a5a5a);
            else if (rows[k].value)
                CHECK_EQ_U(get(&out, f), rows[k].value);
            else if (f->standard)
                CHECK_EQ_U(get(&out, f), f->standard);
        }
    }
}

static void config_counts_workers_as_stated(void)
{
    static const struct {
        uint32_t count;
        bool has_threads;
        bool has_submit;
        spn_status status;
        uint32_t resolved;
    } rows[] = {
        {0, false, false, SPN_OK, SPN_NO_WORKERS},
        {SPN_NO_WORKERS, false, false, SPN_OK, SPN_NO_WORKERS},
        {1, false, false, SPN_ERR_ARG, 0},
        {0, true, false, SPN_OK, 2},
        {1, true, false, SPN_OK, 1},
        {64, true, false, SPN_OK, 64},
        {65, true, false, SPN_ERR_ARG, 0},
        {SPN_NO_WORKERS, true, false, SPN_OK, SPN_NO_WORKERS},
        {0, false, true, SPN_OK, 2},
        {64, false, true, SPN_OK, 64},
        {65, false, true, SPN_ERR_ARG, 0},
        {SPN_NO_WORKERS, false, true, SPN_ERR_ARG, 0},
    };
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform posix;

    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &posix), SPN_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spn_config config = good();
        spn_config out;

        test_context("row %zu", i);
        if (rows[i].has_threads)
            config.platform = &posix;
        if (rows[i].has_submit) {
            config.job_submit = submit_nothing;
            config.job_gate = &gate;
        }
        config.worker_count = rows[i].count;
        CHECK_EQ(spn_config_resolve(&config, &out), rows[i].status);
        if (rows[i].status == SPN_OK)
            CHECK_EQ_U(out.worker_count, rows[i].resolved);
    }
    free(state);
}

/* A platform table has all six thread functions or none. */
static void config_needs_complete_threads(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform whole;
    spn_platform none = good().platform[0];
    spn_config out;

#define HALF(function)                                                         \
    do {                                                                       \
        spn_platform less = whole;                                             \
        spn_platform more = none;                                              \
        spn_config config = good();                                            \
                                                                               \
        test_context("%s", #function);                                         \
        less.function = NULL;                                                  \
        config.platform = &less;                                               \
        CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);              \
        more.function = whole.function;                                        \
        config.platform = &more;                                               \
        CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);              \
    } while (0)
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &whole), SPN_OK);
    HALF(thread_start);
    HALF(thread_join);
    HALF(event_create);
    HALF(event_destroy);
    HALF(event_signal);
    HALF(event_wait);
#undef HALF
    free(state);
}

/* Workers reserved for types of reads are the runtime's own threads. */
static void config_reserves_only_own_workers(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform posix;
    spn_config config = good();
    spn_config out;

    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &posix), SPN_OK);
    config.platform = &posix;
    config.reserved_tasks[SPN_RESERVED_WORKERS_MAX - 1] = 1u
                                                          << SPN_TASK_TEXTURE;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    config.job_submit = submit_nothing;
    config.job_gate = &gate;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    config.job_submit = NULL;
    config.worker_count = SPN_NO_WORKERS;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    config.worker_count = 0;
    config.reserved_tasks[0] = 1; /* no task type */
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    free(state);
}

/* Fields with neither a default nor a lower limit. */
static void config_keeps_the_stated_limits(void)
{
    spn_config config = good();
    spn_config out;

    config.pak_count = 255;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    config.pak_count = 256;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    config = good();
    config.has_loose_files_only = 1;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    config.has_loose_files_only = 2;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    config = good();
    config.codec_count = 65;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    config = good();
    config.platform = NULL;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
}

static void config_may_be_resolved_in_place(void)
{
    spn_config config = good();
    spn_config out;

    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    CHECK_EQ(spn_config_resolve(&config, &config), SPN_OK);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        CHECK_EQ_U(get(&config, &fields[i]), get(&out, &fields[i]));
    CHECK_EQ_U(config.worker_count, out.worker_count);
    CHECK_EQ(spn_config_resolve(NULL, &out), SPN_ERR_ARG);
    CHECK_EQ(spn_config_resolve(&config, NULL), SPN_ERR_ARG);
    CHECK_EQ_U(spn_memory_needed(NULL), 0);
}

/* Both ends of the ranges: a runtime that starts, plays and ends. */
static void the_ends_of_the_ranges_work(void)
{
    static struct stage stage;

    for (int is_high = 0; is_high < 2; is_high++) {
        spn_node node;

        test_context("%s", is_high ? "high" : "low");
        stage_init(&stage, tiny_build(NULL));
        stage.config = (spn_config){
            .heap_bytes = 8 * MIB,
            .heap_block_count = is_high ? 65534 : 300,
            .read_count = is_high ? 32767 : 4,
            .file_count = is_high ? 32768 : 1,
            .job_count = is_high ? MIB : 2,
            .cache_count = is_high ? 65535 : 1,
            .node_count = is_high ? 3000 : 1,
            .stream_frame_count = is_high ? 512 : 20,
            .piece_bytes = is_high ? 64 * MIB : 4096,
            .trace_count = is_high ? MIB : 2,
        };
        stage_start(&stage);
        CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
        node = stage_node(&stage, true);
        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
        for (int i = 0; i < 400 && !stage_state(&stage, node).is_ready; i++) {
            stage.disc.clock_us += 1000;
            spn_update(stage.rt);
        }
        stage_check_frame(&stage, node, 0, 0);
        CHECK(spn_check(stage.rt));
        stage_close(&stage);
    }
}

static void as_many_workers_start_as_are_allowed(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform posix;
    spn_config config = {
        .platform = &posix, .heap_bytes = MIB, .worker_count = 64};
    spn_runtime *rt = NULL;
    size_t bytes;
    void *memory;

    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &posix), SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    spn_update(rt);
    spn_shutdown(rt);
    free(memory);
    free(state);
}

static void init_validates_each_argument(void)
{
    spn_config config = good();
    spn_config bad = good();
    size_t bytes = spn_memory_needed(&config);
    uint8_t *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    spn_runtime *rt = NULL;
    const struct {
        const char *what;
        spn_status status;
        spn_status got;
    } rows[] = {
        {"no config", SPN_ERR_ARG, spn_init(NULL, memory, bytes, &rt)},
        {"no memory", SPN_ERR_ARG, spn_init(&config, NULL, bytes, &rt)},
        {"no out", SPN_ERR_ARG, spn_init(&config, memory, bytes, NULL)},
        {"not aligned", SPN_ERR_ARG, spn_init(&config, memory + 8, bytes, &rt)},
        {"too small", SPN_ERR_MEMORY,
         spn_init(&config, memory, bytes - 1, &rt)},
        {"nothing", SPN_ERR_MEMORY, spn_init(&config, memory, 0, &rt)},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("%s", rows[i].what);
        CHECK_EQ(rows[i].got, rows[i].status);
    }
    bad.read_count = 1;
    CHECK_EQ(spn_init(&bad, memory, bytes, &rt), SPN_ERR_ARG);
    CHECK(!rt);
    free(memory);
}

static void tuning_variables_keep_their_ranges(void)
{
    static const struct {
        const char *name;
        const char *value;
        spn_status status;
    } rows[] = {
        {"request_kib", "16", SPN_OK},
        {"request_kib", "8192", SPN_OK},
        {"request_kib", "15", SPN_ERR_ARG},
        {"request_kib", "8193", SPN_ERR_ARG},
        {"request_kib", "", SPN_ERR_ARG},
        {"request_kib", "x", SPN_ERR_ARG},
        {"request_kib", "-16", SPN_ERR_ARG},
        {"request_kib", "64 ", SPN_ERR_ARG},
        {"request_kib", NULL, SPN_ERR_ARG},
        {NULL, "64", SPN_ERR_ARG},
        {"", "64", SPN_ERR_NOT_FOUND},
        {"no_such_variable", "64", SPN_ERR_NOT_FOUND},
        {"no_such_variable", "x", SPN_ERR_NOT_FOUND},
    };
    static struct stage stage;
    uint32_t count = 0;
    uint32_t index = 99;
    spn_tuning out;

    stage_init(&stage, NULL);
    stage_start(&stage);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_context("row %zu", i);
        CHECK_EQ(spn_tuning_set(stage.rt, rows[i].name, rows[i].value),
                 rows[i].status);
    }
    CHECK_EQ(spn_tuning_set(NULL, "request_kib", "64"), SPN_ERR_ARG);
    while (spn_tuning_get(stage.rt, count, &out) == SPN_OK) {
        CHECK(out.name[0] && out.text[0]);
        if (strcmp(out.name, "request_kib") == 0)
            CHECK_EQ_U(out.value, 8192); /* a refused value changed nothing */
        count++;
    }
    CHECK(count > 5);
    CHECK_EQ(spn_tuning_get(stage.rt, 0, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_tuning_get(stage.rt, count, &out), SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_tuning_get(stage.rt, UINT32_MAX, &out), SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn_tuning_get(NULL, 0, &out), SPN_ERR_ARG);
    CHECK_EQ(spn_tuning_find(NULL, &index), SPN_ERR_ARG);
    CHECK_EQ(spn_tuning_find("request_kib", NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_tuning_find("no_such_variable", &index), SPN_ERR_NOT_FOUND);
    CHECK_EQ_U(index, 99);
    CHECK_EQ(spn_tuning_find("request_kib", &index), SPN_OK);
    CHECK_EQ(spn_tuning_get(stage.rt, index, &out), SPN_OK);
    CHECK(strcmp(out.name, "request_kib") == 0);
    stage_close(&stage);
}

/* Reads end at the larger of the two limits. */
static void reading_ahead_ends_at_its_limit(void)
{
    struct tiny_options o = {.frame_count = 901, .vertices = 20};
    static struct stage stage;
    spn_node node;

    stage_init(&stage, tiny_build(&o));
    stage_open(&stage);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_min_ms", "20000"), SPN_OK);
    CHECK_EQ(spn_tuning_set(stage.rt, "buffer_ahead_max_ms", "1000"), SPN_OK);
    node = stage_node(&stage, false);
    CHECK_EQ(spn_node_set_playback_time(stage.rt, node, 0), SPN_OK);
    for (int i = 0; i < 50; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK(stage_state(&stage, node).buffered_us >= 1000000);
    /* One group of ten frames, and the gap to the frame before, may be buffered
     * in addition. */
    CHECK(stage_state(&stage, node).buffered_us <= 1000000 + 11 * 33333);
    stage_close(&stage);
}

static void null_runtime_is_refused(void)
{
    static struct stage stage;
    spn_heap_stats heap;

    stage_init(&stage, NULL);
    stage_start(&stage);
    memset(&heap, 0x5a, sizeof heap);
    spn_update(NULL);
    spn_shutdown(NULL);
    spn_heap_get_stats(NULL, &heap);
    CHECK_EQ_U(heap.failed_no_memory, 0x5a5a5a5a);
    spn_heap_get_stats(stage.rt, NULL);
    spn_heap_get_stats(stage.rt, &heap);
    CHECK_EQ_U(heap.bytes, 8 * MIB);
    CHECK_EQ(spn_check(NULL), 0);
    CHECK_EQ(spn_check(stage.rt), 1);
    CHECK_EQ_U(spn_trace_hash(NULL), 0);
    CHECK_EQ(spn_job_step(NULL, 0), 0);
    CHECK_EQ(spn_job_step(&gate, 0), 0); /* with a null runtime */
    CHECK_EQ(spn_job_step(&gate, UINT32_MAX), 0);
    stage_close(&stage);
}

static void check_finds_a_runtime_that_was_moved(void)
{
    static struct stage stage;
    struct spn_runtime *moved = malloc(sizeof *moved);
    struct spn_runtime *rt;

    stage_init(&stage, NULL);
    stage_start(&stage);
    rt = stage.rt;
    CHECK(spn__runtime_check(rt));
    *moved = *rt;
    CHECK(!spn__runtime_check(moved));
    moved->config.platform = &moved->platform;
    CHECK(spn__runtime_check(moved));
    moved->io = NULL;
    CHECK(!spn__runtime_check(moved));
    moved->io = rt->io;
    moved->own_worker = moved->jobs.worker_count;
    CHECK(!spn__runtime_check(moved));
    moved->own_worker = rt->own_worker;
    moved->thread_count = moved->thread_max + 1;
    CHECK(!spn__runtime_check(moved));
    free(moved);
    stage_close(&stage);
}

TEST_MAIN(TEST(config_keeps_the_stated_ranges),
          TEST(config_counts_workers_as_stated),
          TEST(config_needs_complete_threads),
          TEST(config_reserves_only_own_workers),
          TEST(config_keeps_the_stated_limits),
          TEST(config_may_be_resolved_in_place),
          TEST(the_ends_of_the_ranges_work),
          TEST(as_many_workers_start_as_are_allowed),
          TEST(init_validates_each_argument),
          TEST(tuning_variables_keep_their_ranges),
          TEST(reading_ahead_ends_at_its_limit), TEST(null_runtime_is_refused),
          TEST(check_finds_a_runtime_that_was_moved))
