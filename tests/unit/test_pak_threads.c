/* test_pak_threads.c
 *
 * Goal: with readers on several real threads, while the main thread mounts,
 * loads, unloads and unmounts, every read of a pak brings the bytes of its
 * entry or a status that has a cause. There are no data races (thread
 * sanitizer).
 * Method: a runtime on POSIX; a pak in a file; readers that start a read by
 * entry, by path or by an open file, wait for it, and compare.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/tiny_pak.h"

#include "base/atomic.h"
#include "common/codecs.h"
#include "host/host.h"

#include <pthread.h>
#include <semaphore.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READERS 3u
#define ROUNDS 250u
#define ENTRIES 4u
#define DATA_BYTES 400000u
#define READ_BYTES_MAX 200000u

struct reader {
    struct test_random random;
    pthread_t thread;
    uint32_t good;
    const char *wrong;
    sem_t completion;
    spn_read_result result;
    uint8_t buffer[READ_BYTES_MAX];
};

static uint8_t data[DATA_BYTES];
static const struct tiny_pak_file files[ENTRIES] = {
    {.name = "lz", .data = data, .bytes = 300000, .codec = SPN_CODEC_LZ4},
    {.name = "zst",
     .data = data + 1,
     .bytes = 250000,
     .codec = SPN_CODEC_ZSTD,
     .copy_count = 2},
    {.name = "raw", .data = data + 2, .bytes = 280000},
    {.name = "one", .data = data + 3, .bytes = 900, .codec = SPN_CODEC_LZ4},
};
static char path[600];
static spn_runtime *rt;
static struct reader readers[READERS];
static struct atomic_u32 readers_left;
static spn_file open_file; /* open file "lz", while the readers run */

static void write_pak(void)
{
    struct test_random random = {9};
    struct tiny_pak pak;
    FILE *file;

    for (uint32_t i = 0; i < DATA_BYTES; i++)
        data[i] = i / 500 % 2 ? (uint8_t)test_random_below(&random, 256)
                              : (uint8_t)(i >> 8);
    tiny_pak_make(&pak, files, ENTRIES);
    snprintf(path, sizeof path, "%s/threads.spk", test_temp());
    file = fopen(path, "wb");
    CHECK(file && fwrite(pak.bytes, 1, pak.size, file) == pak.size);
    CHECK_EQ(fclose(file), 0);
    tiny_pak_free(&pak);
}

/* -- readers -- */

/* Choose what to read; false: not available now. */
static bool choose(struct reader *r, spn_read_desc *desc, uint32_t *file)
{
    *file = test_random_below(&r->random, ENTRIES);
    switch (test_random_below(&r->random, 3)) {
    case 0:
        desc->path = files[*file].name;
        return true;
    case 1:
        *file = 0;
        desc->file = open_file;
        return true;
    default:
        return spn_pak_find(rt, 0, files[*file].name, &desc->entry) == SPN_OK;
    }
}

static const char *fault_of(const struct reader *r, const spn_read_desc *desc,
                            uint32_t file, const spn_read_result *result)
{
    const uint8_t *expected = (const uint8_t *)files[file].data + desc->offset;

    /* By path the pak may not be mounted; then the file does not exist. */
    if (result->status == SPN_ERR_NOT_FOUND)
        return desc->path ? NULL : "not found";
    if (result->status == SPN_ERR_ABORTED)
        return NULL;
    if (result->status != SPN_OK)
        return spn_status_name(result->status);
    if (result->bytes != desc->bytes ||
        memcmp(r->buffer, expected, (size_t)desc->bytes) != 0)
        return "bytes";
    return NULL;
}

static void on_done(const spn_read_result *result)
{
    struct reader *r = result->user;

    r->result = *result;
    sem_post(&r->completion);
}

static void read_once(struct reader *r)
{
    spn_read_desc desc = {.buffer = r->buffer,
                          .buffer_bytes = READ_BYTES_MAX,
                          .priority = SPN_PRIORITY_NORMAL,
                          .on_done = on_done,
                          .user = r};
    spn_read_result result;
    uint32_t file;
    spn_read read;
    spn_status status;

    if (!choose(r, &desc, &file))
        return;
    desc.offset =
        test_random_below(&r->random, (uint32_t)files[file].bytes - 1);
    desc.bytes = 1 + test_random_below(&r->random, READ_BYTES_MAX);
    if (desc.bytes > files[file].bytes - desc.offset)
        desc.bytes = files[file].bytes - desc.offset;
    status = spn_read_start(rt, &desc, &read);
    /* The table is full, or the pak was just unmounted. */
    if (status != SPN_OK)
        return;
    if (test_random_below(&r->random, 8) == 0)
        (void)spn_read_abort(rt, read);
    /* Unless the main thread has completed it. */
    status = spn_read_wait(rt, read, 100000, &result);
    if (status == SPN_OK && fault_of(r, &desc, file, &result))
        r->wrong = fault_of(r, &desc, file, &result);
    sem_wait(&r->completion);
    if (fault_of(r, &desc, file, &r->result))
        r->wrong = fault_of(r, &desc, file, &r->result);
    r->good += r->result.status == SPN_OK;
}

static void *run_reader(void *argument)
{
    struct reader *r = argument;

    for (uint32_t i = 0; i < ROUNDS; i++)
        read_once(r);
    atomic_add_acq_rel(&readers_left, UINT32_MAX);
    return NULL;
}

/* -- the main thread -- */

static spn_pak mount(void)
{
    spn_pak pak = 0;

    CHECK_EQ(spn_pak_mount(rt, path, &pak), SPN_OK);
    while (spn_pak_get_status(rt, pak, NULL) == SPN_PENDING)
        spn_update(rt);
    CHECK_EQ(spn_pak_get_status(rt, pak, NULL), SPN_OK);
    return pak;
}

static void meddle(struct test_random *random, spn_pak *pak)
{
    spn_status status = spn_pak_get_status(rt, *pak, NULL);
    spn_file file;

    switch (test_random_below(random, 16)) {
    case 0:
        (void)spn_pak_load(rt, *pak, SPN_PRIORITY_NORMAL);
        break;
    case 1:
        (void)spn_pak_unload(rt, *pak);
        break;
    case 2:
        (void)spn_pak_unmount(rt, *pak);
        break;
    case 3:
    case 4:
        if (status == SPN_ERR_HANDLE && spn_pak_mount(rt, path, pak) != SPN_OK)
            *pak = 0;
        break;
    case 5:
    case 6:
    case 7:
        /* The io thread releases it at any time later. */
        if (spn_file_open(rt, "raw", &file) == SPN_OK)
            CHECK_EQ(spn_file_close(rt, file), SPN_OK);
        break;
    default:
        break;
    }
}

static void run(uint32_t seed, bool is_cut_short)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 4 << 20,
                         .worker_count = 2,
                         .read_count = 16,
                         .piece_bytes = 16384,
                         .job_count = 8,
                         .pak_count = 3,
                         .unpack_bytes = 200000,
                         .codecs = codecs_extra,
                         .codec_count = CODECS_EXTRA_COUNT};
    struct test_random random = {seed};
    uint32_t good = 0;
    spn_pak pak;
    size_t bytes;
    void *memory;

    test_context("seed %u", seed);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    pak = mount();
    CHECK_EQ(spn_file_open(rt, "lz", &open_file), SPN_OK);
    atomic_store_relaxed(&readers_left, READERS);
    for (uint32_t i = 0; i < READERS; i++) {
        readers[i].random.state = seed * 10 + i;
        readers[i].good = 0;
        readers[i].wrong = NULL;
        sem_init(&readers[i].completion, 0, 0);
        CHECK_EQ(
            pthread_create(&readers[i].thread, NULL, run_reader, &readers[i]),
            0);
    }
    while (atomic_load_acquire(&readers_left) > 0) {
        meddle(&random, &pak);
        spn_update(rt);
        CHECK(spn_check(rt));
    }
    for (uint32_t i = 0; i < READERS; i++) {
        CHECK_EQ(pthread_join(readers[i].thread, NULL), 0);
        CHECK(readers[i].wrong == NULL);
        good += readers[i].good;
    }
    CHECK(good > ROUNDS / 10);
    if (is_cut_short)
        (void)spn_pak_load(rt, pak, SPN_PRIORITY_NORMAL);
    spn_shutdown(rt);
    free(memory);
    free(state);
}

static void paks_are_read_by_many_threads(void)
{
    write_pak();
    for (uint32_t seed = 1; seed <= 8; seed++)
        run(seed, seed % 2);
}

TEST_MAIN(TEST(paks_are_read_by_many_threads))
