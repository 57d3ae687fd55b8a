/* test_runtime.c
 *
 * Goal: a config is validated completely, the needed memory is exact, and
 *   runtimes share nothing.
 * Method: each value out of its range by itself; blocks with a guard after
 *   them; two runtimes at a time; threads that cannot be created.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "base/atomic.h"
#include "base/block_codec.h"

#include "host/host.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct slow_platform disc;
static spn_platform table;

static spn_config good(void)
{
    slow_platform_init(&disc);
    table = disc.table;
    return (spn_config){.platform = &table,
                        .heap_bytes = 1 << 20,
                        .node_count = 2,
                        .cache_count = 2,
                        .stream_frame_count = 32};
}

static void config_fills_in_defaults(void)
{
    spn_config config = good();
    spn_config out;

    config = (spn_config){.platform = config.platform};
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    CHECK_EQ(out.heap_bytes, 64 << 20);
    CHECK_EQ(out.heap_page_bytes, 4096);
    CHECK_EQ(out.heap_block_count, 16384);
    CHECK_EQ_U(out.worker_count, SPN_NO_WORKERS);
    CHECK_EQ(out.read_count, 64);
    CHECK_EQ(out.file_count, 64);
    CHECK_EQ(out.job_count, 1024);
    CHECK_EQ(out.cache_count, 64);
    CHECK_EQ(out.node_count, 64);
    CHECK_EQ(out.stream_frame_count, 512);
    CHECK_EQ(out.piece_bytes, 0); /* the best value for each medium */
    CHECK_EQ(out.trace_count, 1024);
    CHECK_EQ(out.wait_count, 4);
    CHECK_EQ(out.read_budget_bytes, 10 << 20);
    /* Resolving a resolved config changes nothing. */
    CHECK_EQ(spn_config_resolve(&out, &config), SPN_OK);
    CHECK_MEM(&config, &out, sizeof out);
    config = good();
    config.heap_bytes = 0xffffffffu;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    config.heap_bytes = 0xfff00000u;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    CHECK_EQ(out.heap_page_bytes, 65536);
}

static void refused(spn_config config, const char *what)
{
    spn_config out;

    test_context("%s", what);
    memset(&out, 0x5a, sizeof out);
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_ERR_ARG);
    CHECK_EQ(((const uint8_t *)&out)[0], 0x5a);
    CHECK_EQ_U(spn_memory_needed(&config), 0);
}

#define REFUSED(field, value)                                                  \
    do {                                                                       \
        spn_config bad = good();                                               \
        bad.field = (value);                                                   \
        refused(bad, #field " = " #value);                                     \
    } while (0)
#define REFUSED_WITHOUT(function)                                              \
    do {                                                                       \
        spn_config bad = good();                                               \
        table.function = NULL;                                                 \
        refused(bad, "no " #function);                                         \
    } while (0)

static spn_job_gate gate;

static void start_nothing(void *user)
{
    (void)user;
}

static void signal_nothing(void *user, uint64_t event)
{
    (void)user;
    (void)event;
}

static void config_refuses_each_bad_value(void)
{
    spn_config config = good();
    static const spn_codec no_decoder = {.id = 9, .name = "x"};
    static const spn_codec *const codecs[] = {&no_decoder};

    CHECK_EQ(spn_config_resolve(NULL, &config), SPN_ERR_ARG);
    CHECK_EQ(spn_config_resolve(&config, NULL), SPN_ERR_ARG);
    CHECK_EQ_U(spn_memory_needed(NULL), 0);
    REFUSED(platform, NULL);
    REFUSED(heap_bytes, 65535);
    REFUSED(heap_page_bytes, 2048);
    REFUSED(heap_page_bytes, 5000);
    REFUSED(heap_page_bytes, 131072);
    REFUSED(heap_block_count, 15);
    REFUSED(heap_block_count, 65535);
    REFUSED(worker_count, 1); /* this platform has no threads */
    REFUSED(worker_stack_bytes, 1);
    REFUSED(io_stack_bytes, 1);
    REFUSED(io_priority, (spn_thread_priority)4);
    REFUSED(worker_priority, (spn_thread_priority)-1);
    REFUSED(read_count, 1);
    REFUSED(read_count, 32769);
    REFUSED(file_count, 32769);
    REFUSED(job_count, 1);
    REFUSED(cache_count, 65536);
    REFUSED(node_count, 65536);
    REFUSED(stream_frame_count, 7);
    REFUSED(stream_frame_count, 65536);
    REFUSED(piece_bytes, 4095);
    REFUSED(piece_bytes, 5000);
    REFUSED(trace_count, 1);
    REFUSED(wait_count, 65);
    REFUSED(reserved_tasks[3], 2); /* this platform has no threads */
    REFUSED(codec_count, 1);       /* and no codecs */
    REFUSED_WITHOUT(file_open);
    REFUSED_WITHOUT(file_close);
    REFUSED_WITHOUT(read_submit);
    REFUSED_WITHOUT(read_poll);
    REFUSED_WITHOUT(now_us);
    config = good();
    table.event_signal = signal_nothing; /* all functions of threads, or none */
    refused(config, "half a thread");
    config = good();
    config.codecs = codecs;
    config.codec_count = 1;
    refused(config, "codec without a decoder");
    config = good();
    config.job_submit = start_nothing;
    refused(config, "a job system without a gate");
    config.job_gate = &gate;
    config.worker_count = 65;
    refused(config, "too many indices");
}

static void config_chooses_the_order_of_each_medium(void)
{
    spn_drive_profile broken = *spn_drive_profile_at(0);
    spn_config config = good();
    spn_config out;

    broken.rate_in = 0;
    for (uint32_t i = 0; i < SPN_MEDIUM_COUNT; i++) {
        REFUSED(media[i].order, (spn_order)3);
        REFUSED(media[i].order, SPN_ORDER_DEADLINE); /* unknown drive */
        REFUSED(media[i].drive, &broken);
        CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
        CHECK_EQ(out.media[i].order, SPN_ORDER_SORT_KEY);
        CHECK_EQ(out.media[i].silent_us, 3000000);
        CHECK_EQ(out.media[i].timeout_us, 0);
    }
    REFUSED(media[SPN_MEDIUM_MEMORY].drive, spn_drive_profile_at(0));
    config.media[SPN_MEDIUM_OPTICAL].drive = spn_drive_profile_at(0);
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    CHECK_EQ(out.media[SPN_MEDIUM_OPTICAL].order, SPN_ORDER_DEADLINE);
    config.media[SPN_MEDIUM_OPTICAL].order = SPN_ORDER_SORT_KEY;
    CHECK_EQ(spn_config_resolve(&config, &out), SPN_OK);
    CHECK_EQ(out.media[SPN_MEDIUM_OPTICAL].order, SPN_ORDER_SORT_KEY);
}

static spn_config with_drives(uint32_t count)
{
    spn_config config = good();

    for (uint32_t i = 0; i < count; i++)
        config.media[i].drive = spn_drive_profile_find("x360_dvd12x");
    return config;
}

static void runtime_counts_the_memory_of_schedulers(void)
{
    size_t needed[3];

    for (uint32_t i = 0; i < 3; i++) {
        spn_config config = with_drives(i);
        spn_medium_stats stats;
        spn_runtime *rt;
        uint8_t *memory;

        needed[i] = spn_memory_needed(&config);
        memory = aligned_alloc(64, (needed[i] + 63) / 64 * 64);
        CHECK_EQ(spn_init(&config, memory, needed[i], &rt), SPN_OK);
        CHECK_EQ(spn_io_get_medium_stats(rt, (spn_medium)1, &stats), SPN_OK);
        CHECK_EQ(stats.order, i > 1 ? SPN_ORDER_DEADLINE : SPN_ORDER_SORT_KEY);
        CHECK_EQ(stats.errors.transfer_permille, 0);
        spn_shutdown(rt);
        free(memory);
    }
    CHECK(spn_memory_needed(&(spn_config){.platform = &table}) > 0);
    /* The figure in spindle.h: 64 reads. */
    CHECK(needed[1] - needed[0] > 64 * 100 + 9 * 1024);
    CHECK(needed[1] - needed[0] < 64 * 320 + 160 * 1024);
    CHECK(needed[2] - needed[1] < 64 * 320 + 160 * 1024);
}

/* Every smaller size is refused, and no byte after the block is written. */
static void runtime_needs_exactly_what_it_says(void)
{
    spn_config config = good();
    size_t bytes = spn_memory_needed(&config);
    uint8_t *memory = aligned_alloc(64, (bytes + 127) / 64 * 64);
    spn_runtime *rt = NULL;

    CHECK(bytes > config.heap_bytes);
    memset(memory, 0xee, (bytes + 127) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes - 1, &rt), SPN_ERR_MEMORY);
    CHECK_EQ(spn_init(&config, memory, 0, &rt), SPN_ERR_MEMORY);
    CHECK_EQ(spn_init(&config, memory + 32, bytes, &rt), SPN_ERR_ARG);
    CHECK_EQ(spn_init(&config, NULL, bytes, &rt), SPN_ERR_ARG);
    CHECK_EQ(spn_init(&config, memory, bytes, NULL), SPN_ERR_ARG);
    CHECK(!rt);
    for (size_t i = 0; i < bytes; i++)
        CHECK_EQ(memory[i], 0xee);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    for (int i = 0; i < 10; i++)
        spn_update(rt);
    CHECK(spn_check(rt));
    spn_shutdown(rt);
    for (size_t i = bytes; i < (bytes + 127) / 64 * 64; i++)
        CHECK_EQ(memory[i], 0xee);
    free(memory);
}

static void two_runtimes_share_nothing(void)
{
    static struct stage a;
    static struct stage b;
    struct tiny_options o = {.seed = 5, .frame_count = 41};
    spn_node x;
    spn_node y;

    stage_init(&a, tiny_build(NULL));
    stage_init(&b, tiny_build(&o));
    stage_open(&a);
    stage_open(&b);
    x = stage_node(&a, false);
    y = stage_node(&b, false);
    for (uint32_t f = 0; f < 31; f++) {
        CHECK_EQ(spn_node_set_playback_time(a.rt, x, f * 33333), SPN_OK);
        CHECK_EQ(spn_node_set_playback_time(b.rt, y, (30 - f) * 33333), SPN_OK);
        stage_until_ready(&a, x);
        stage_until_ready(&b, y);
        stage_check_frame(&a, x, 0, f);
        stage_check_frame(&b, y, 0, 30 - f);
    }
    stage_close(&a);
    stage_until_ready(&b, y);
    stage_close(&b);
}

/* -- threads -- */

static spn_platform inner;
static int calls_left;

static spn_status start_some(void *user, const spn_thread_desc *desc,
                             uint64_t *thread)
{
    if (calls_left-- <= 0)
        return SPN_ERR_PLATFORM;
    return inner.thread_start(user, desc, thread);
}

static spn_status create_some(void *user, spn_event_use use, uint64_t *event)
{
    if (calls_left-- <= 0)
        return SPN_ERR_PLATFORM;
    return inner.event_create(user, use, event);
}

/* -- reserved workers -- */

static struct atomic_u32 is_held; /* the only common worker, held by a
                                   * callback */
static struct atomic_u32 is_let_go;
static uint32_t done_count;

static void hold_the_worker(const spn_read_result *result)
{
    (void)result;
    atomic_store_release(&is_held, 1);
    while (!atomic_load_acquire(&is_let_go)) {
    }
}

static void let_go(const spn_read_result *result)
{
    (void)result;
    atomic_store_release(&is_let_go, 1);
}

static void count_done(const spn_read_result *result)
{
    CHECK_EQ(result->status, SPN_OK);
    done_count++;
}

/* The first callback waits for the second, which comes after it. */
static void a_reserved_worker_waits_for_no_other(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform p;
    spn_config config = {.platform = &p,
                         .heap_bytes = 1 << 20,
                         .worker_count = 1,
                         .node_count = 1,
                         .reserved_tasks = {1u << SPN_TASK_TEXTURE}};
    char buffer[16];
    spn_read_desc desc = {.bytes = 1,
                          .buffer = buffer,
                          .buffer_bytes = 1,
                          .task = SPN_TASK_SOUND,
                          .on_async = hold_the_worker,
                          .on_done = count_done};
    spn_runtime *rt = NULL;
    char path[512];
    size_t bytes;
    void *memory;
    spn_read read;
    FILE *file;

    snprintf(path, sizeof path, "%s/one", test_temp());
    file = fopen(path, "wb");
    CHECK(file && fputc('x', file) == 'x' && fclose(file) == 0);
    desc.path = path;
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &p), SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
    while (!atomic_load_acquire(&is_held)) {
    }
    desc.task = SPN_TASK_TEXTURE;
    desc.on_async = let_go;
    CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
    while (done_count < 2)
        spn_update(rt);
    /* A callback that waits for a reserved worker ends with the runtime. */
    CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
    CHECK_EQ(spn_read_wait(rt, read, UINT64_MAX, NULL), SPN_OK);
    spn_shutdown(rt);
    CHECK_EQ(done_count, 3);
    free(memory);
    free(state);
}

/* -- waits of the runtime's own threads -- */

static spn_runtime *own_rt;
static spn_read own_inner; /* callbacks on other threads, one at a time */
static spn_status own_status[3];
static spn_read_desc own_desc;
static char own_byte;

/* The read that it waits for would end on this thread. */
static void wait_in_callback(const spn_read_result *result)
{
    (void)result;
    CHECK_EQ(spn_read_start(own_rt, &own_desc, &own_inner), SPN_OK);
    own_status[0] = spn_read_wait(own_rt, own_inner, UINT64_MAX, NULL);
    own_status[1] = spn_read_wait(own_rt, own_inner, 0, NULL);
}

static spn_status wait_in_storage(const spn_read_want *want, void **buffer)
{
    (void)want;
    *buffer = &own_byte;
    own_status[2] = spn_read_wait(own_rt, own_inner, 60000000, NULL);
    return SPN_OK;
}

static void a_wait_on_a_thread_of_the_runtime_is_refused(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform p;
    spn_config config = {.platform = &p,
                         .heap_bytes = 1 << 20,
                         .worker_count = 1,
                         .node_count = 1};
    char path[512];
    char buffer;
    spn_read_desc desc = {.path = path,
                          .bytes = 1,
                          .buffer = &buffer,
                          .buffer_bytes = 1,
                          .on_done = count_done};
    size_t bytes;
    void *memory;
    spn_read read;
    FILE *file;

    done_count = 0;
    snprintf(path, sizeof path, "%s/one", test_temp());
    file = fopen(path, "wb");
    CHECK(file && fputc('x', file) == 'x' && fclose(file) == 0);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &p), SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &own_rt), SPN_OK);
    own_desc = desc;
    CHECK_EQ(spn_task_pause(own_rt, SPN_TASK_TEXTURE), SPN_OK);
    own_desc.task = SPN_TASK_TEXTURE;
    desc.on_async = wait_in_callback;
    CHECK_EQ(spn_read_start(own_rt, &desc, &read), SPN_OK);
    while (done_count < 1)
        spn_update(own_rt);
    CHECK_EQ(own_status[0], SPN_ERR_STATE);
    CHECK_EQ(own_status[1], SPN_ERR_TIMEOUT);
    desc.on_async = NULL;
    desc.on_storage = wait_in_storage;
    desc.buffer = NULL;
    desc.buffer_bytes = 0;
    CHECK_EQ(spn_read_start(own_rt, &desc, &read), SPN_OK);
    while (done_count < 2)
        spn_update(own_rt);
    CHECK_EQ(own_status[2], SPN_ERR_STATE);
    CHECK_EQ(spn_task_resume(own_rt, SPN_TASK_TEXTURE), SPN_OK);
    /* This thread may wait. */
    CHECK_EQ(spn_read_wait(own_rt, own_inner, UINT64_MAX, NULL), SPN_OK);
    spn_shutdown(own_rt);
    CHECK_EQ(done_count, 3);
    free(memory);
    free(state);
}

#define RECORDED_MAX 32

static spn_event_use uses[RECORDED_MAX];
static uint32_t use_count;
static spn_thread_desc descs[RECORDED_MAX];
static uint32_t desc_count;
static bool has_io_event_before; /* all threads */

static spn_status create_recorded(void *user, spn_event_use use,
                                  uint64_t *event)
{
    uses[use_count++ % RECORDED_MAX] = use;
    return inner.event_create(user, use, event);
}

static spn_status start_as_described(void *user, const spn_thread_desc *desc,
                                     uint64_t *thread)
{
    has_io_event_before =
        has_io_event_before && use_count > 0 && uses[0] == SPN_EVENT_FOR_IO;
    descs[desc_count++ % RECORDED_MAX] = *desc;
    return inner.thread_start(user, desc, thread);
}

static uint32_t count_uses(spn_event_use use)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < use_count && i < RECORDED_MAX; i++)
        count += uses[i] == use;
    return count;
}

static void check_desc(const spn_thread_desc *desc, spn_thread_role role,
                       spn_thread_priority priority, uint32_t stack_bytes)
{
    CHECK_EQ(desc->role, role);
    CHECK_EQ(desc->priority, priority);
    CHECK_EQ(desc->stack_bytes, stack_bytes);
    CHECK(desc->name && desc->run);
}

/* Start and end a runtime on a table that records its calls. */
static void run_on_recording_table(spn_config *config)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform p;
    size_t bytes;
    void *memory;
    spn_runtime *rt = NULL;

    use_count = 0;
    desc_count = 0;
    has_io_event_before = true;
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &inner), SPN_OK);
    p = inner;
    p.event_create = create_recorded;
    p.thread_start = start_as_described;
    config->platform = &p;
    bytes = spn_memory_needed(config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(config, memory, bytes, &rt), SPN_OK);
    spn_shutdown(rt);
    free(memory);
    free(state);
}

static void platform_gets_the_use_of_threads_and_events(void)
{
    spn_config config = {.heap_bytes = 1 << 20,
                         .worker_count = 3,
                         .wait_count = 5,
                         .reserved_tasks = {0, 2, 0, 4},
                         .worker_stack_bytes = 32768};

    run_on_recording_table(&config);
    CHECK(has_io_event_before);
    CHECK_EQ(use_count, 1 + 1 + 2 + 5 + 1);
    CHECK_EQ(count_uses(SPN_EVENT_FOR_IO), 1);
    CHECK_EQ(count_uses(SPN_EVENT_FOR_WORKER), 1 + 2);
    CHECK_EQ(count_uses(SPN_EVENT_FOR_WAITER), 5 + 1);
    CHECK_EQ(desc_count, 1 + 3 + 2);
    check_desc(&descs[0], SPN_THREAD_IO, SPN_THREAD_HIGH, 65536);
    for (uint32_t i = 1; i < desc_count; i++)
        check_desc(&descs[i], SPN_THREAD_WORKER, SPN_THREAD_NORMAL, 32768);
    config.io_priority = SPN_THREAD_NORMAL;
    config.worker_priority = SPN_THREAD_LOW;
    run_on_recording_table(&config);
    check_desc(&descs[0], SPN_THREAD_IO, SPN_THREAD_NORMAL, 65536);
    check_desc(&descs[1], SPN_THREAD_WORKER, SPN_THREAD_LOW, 32768);
}

static void failed_threads_leave_nothing_behind(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform p;
    spn_config config = {.platform = &p,
                         .heap_bytes = 1 << 20,
                         .worker_count = 3,
                         .reserved_tasks = {0, 2, 0, 4},
                         .node_count = 1};
    size_t bytes;
    void *memory;
    spn_runtime *rt = NULL;

    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &inner), SPN_OK);
    p = inner;
    p.thread_start = start_some;
    p.event_create = create_some;
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    /* Two events, two of reserved workers, four for waiting threads, the
     * caller's, and six threads. */
    for (int n = 0; n < 15; n++) {
        calls_left = n;
        CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_ERR_PLATFORM);
    }
    calls_left = 15;
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    spn_update(rt);
    spn_shutdown(rt);
    free(memory);
    free(state);
}

TEST_MAIN(TEST(config_fills_in_defaults), TEST(config_refuses_each_bad_value),
          TEST(config_chooses_the_order_of_each_medium),
          TEST(runtime_counts_the_memory_of_schedulers),
          TEST(runtime_needs_exactly_what_it_says),
          TEST(two_runtimes_share_nothing),
          TEST(a_reserved_worker_waits_for_no_other),
          TEST(a_wait_on_a_thread_of_the_runtime_is_refused),
          TEST(platform_gets_the_use_of_threads_and_events),
          TEST(failed_threads_leave_nothing_behind))
