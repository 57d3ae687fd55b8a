/* test_read_threads.c
 *
 * Goal: threads that wait for their own reads get the result of each read,
 *   however early the main thread completes it.
 * Method: threads that start reads without callbacks and wait for them on the
 *   POSIX platform, while the main thread only calls spn_update. Meant for the
 *   thread sanitizer.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/atomic.h"
#include "host/host.h"

#include <pthread.h>
#include <sched.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READERS 2u
#define READS 400u
#define BYTES 4096u

static spn_runtime *rt;
static spn_file file;
static struct atomic_u32 lost; /* reads with a missing or wrong result */
static struct atomic_u32 left; /* readers that have not ended */

static spn_status start(const spn_read_desc *desc, spn_read *read)
{
    spn_status status;

    while ((status = spn_read_start(rt, desc, read)) == SPN_FULL)
        sched_yield();
    return status;
}

static bool read_one(uint32_t i, uint8_t *buffer)
{
    const uint32_t bytes = 1 + i % BYTES;
    const spn_read_desc desc = {.file = file,
                                .bytes = bytes,
                                .buffer = buffer,
                                .buffer_bytes = BYTES,
                                .priority = SPN_PRIORITY_NORMAL,
                                .user = buffer};
    spn_read_result result;
    spn_read read;

    if (start(&desc, &read) != SPN_OK)
        return false;
    /* Vary the delay, so that the read may be completed before the wait. */
    for (uint32_t k = 0; k < i % 64; k++)
        sched_yield();
    return spn_read_wait(rt, read, UINT64_MAX, &result) == SPN_OK &&
           result.read == read && result.status == SPN_OK &&
           result.bytes == bytes && result.user == buffer;
}

static void *reader_main(void *unused)
{
    uint8_t buffer[BYTES];

    (void)unused;
    for (uint32_t i = 0; i < READS; i++)
        if (!read_one(i, buffer))
            atomic_add_acq_rel(&lost, 1);
    atomic_add_acq_rel(&left, UINT32_MAX);
    return NULL;
}

static void write_file(char *path, size_t capacity)
{
    static const uint8_t bytes[BYTES];
    FILE *out;

    snprintf(path, capacity, "%s/file", test_temp());
    out = fopen(path, "wb");
    CHECK(out && fwrite(bytes, 1, sizeof bytes, out) == sizeof bytes);
    CHECK_EQ(fclose(out), 0);
}

static void waiting_threads_learn_the_result_of_each_read(void)
{
    void *state = aligned_alloc(64, (host_platform_bytes() + 63) / 64 * 64);
    spn_platform platform;
    spn_config config = {.platform = &platform, .heap_bytes = 1 << 20};
    pthread_t threads[READERS];
    char path[512];
    size_t bytes;
    void *memory;

    write_file(path, sizeof path);
    CHECK_EQ(host_platform_init(state, host_platform_bytes(), &platform),
             SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    CHECK_EQ(spn_file_open(rt, path, &file), SPN_OK);
    atomic_store_release(&left, READERS);
    for (uint32_t i = 0; i < READERS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, reader_main, NULL), 0);
    while (atomic_load_acquire(&left) > 0)
        spn_update(rt);
    for (uint32_t i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ_U(atomic_load_acquire(&lost), 0);
    spn_shutdown(rt);
    free(memory);
    free(state);
}

TEST_MAIN(TEST(waiting_threads_learn_the_result_of_each_read))
