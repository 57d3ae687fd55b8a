/* test_media_posix.c
 *
 * Goal: on POSIX, files below a folder of the user's choice belong to a drive
 * of their own. While that drive is slow or never answers, all other reads
 * continue. Its reads bring the right bytes, and leave nothing behind.
 * Method: the linker redirects preadv to this file (--wrap). Reads of such a
 * folder wait until the test releases them, after others have ended.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../platform/posix/platform_posix.h"
#include "base/atomic.h"
#include "harness.h"

#include <pthread.h>
#include <semaphore.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>

enum { FILE_BYTES = 300000, READS = 12 };

static sem_t slow_reads;
static struct atomic_u32 is_slow;    /* reads of the reader thread wait */
static struct atomic_u32 is_waiting; /* one of them is waiting */

static spn_platform table;
static void *state;
static spn_runtime *rt;
static void *memory;
static char folder[400];
static char paths[2][512]; /* on the hard disk, on the disc */
static uint8_t bytes_of[2][FILE_BYTES];
static uint8_t buffers[READS][FILE_BYTES];
static spn_status ended[READS];

ssize_t __real_preadv64(int descriptor, const struct iovec *vector, int count,
                        off64_t offset);
ssize_t __wrap_preadv64(int descriptor, const struct iovec *vector, int count,
                        off64_t offset);

/* The first byte of a file tells its medium. */
static bool is_on_disc(int descriptor)
{
    uint8_t first = 0;
    struct iovec one = {&first, 1};

    return __real_preadv64(descriptor, &one, 1, 0) == 1 &&
           first == bytes_of[1][0];
}

ssize_t __wrap_preadv64(int descriptor, const struct iovec *vector, int count,
                        off64_t offset)
{
    if (atomic_load_acquire(&is_slow) && is_on_disc(descriptor)) {
        atomic_store_release(&is_waiting, 1);
        while (sem_wait(&slow_reads) != 0) {
        }
    }
    return __real_preadv64(descriptor, vector, count, offset);
}

static void write_file(uint32_t which, const char *path)
{
    FILE *file = fopen(path, "wb");

    snprintf(paths[which], sizeof paths[which], "%s", path);
    for (uint32_t i = 0; i < FILE_BYTES; i++)
        bytes_of[which][i] = (uint8_t)(i * 7 + i / 251 + which);
    CHECK(file && fwrite(bytes_of[which], 1, FILE_BYTES, file) == FILE_BYTES);
    CHECK_EQ(fclose(file), 0);
}

static void open_table(void)
{
    char path[512];

    sem_init(&slow_reads, 0, 0);
    atomic_store_release(&is_slow, 0);
    atomic_store_release(&is_waiting, 0);
    snprintf(folder, sizeof folder, "%s/disc", test_temp());
    (void)mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/disc-like", test_temp());
    write_file(0, path);
    snprintf(path, sizeof path, "%s/a", folder);
    write_file(1, path);
    state = malloc(spn_platform_posix_bytes());
    CHECK_EQ(spn_platform_posix_init(state, spn_platform_posix_bytes(), &table),
             SPN_OK);
}

static void open_runtime(void)
{
    spn_config config = {.platform = &table, .heap_bytes = 65536};
    size_t bytes;

    open_table();
    CHECK_EQ(spn_platform_posix_add_optical(&table, folder), SPN_OK);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    for (uint32_t i = 0; i < READS; i++)
        ended[i] = SPN_PENDING;
}

static void close_table(void)
{
    spn_platform_posix_end(&table);
    spn_platform_posix_end(&table);
    free(state);
    sem_destroy(&slow_reads);
}

static void close_runtime(void)
{
    spn_shutdown(rt);
    free(memory);
    close_table();
}

static void note(const spn_read_result *result)
{
    *(spn_status *)result->user = result->status;
}

static spn_read begin(uint32_t i, uint32_t which)
{
    const spn_read_desc desc = {.path = paths[which],
                                .buffer = buffers[i],
                                .buffer_bytes = FILE_BYTES,
                                .priority = SPN_PRIORITY_NORMAL,
                                .on_done = note,
                                .user = &ended[i]};
    spn_read read;

    memset(buffers[i], 0, FILE_BYTES);
    CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
    return read;
}

static void finish(uint32_t i, uint32_t which)
{
    while (ended[i] == SPN_PENDING)
        spn_update(rt);
    CHECK_EQ(ended[i], SPN_OK);
    CHECK_MEM(buffers[i], bytes_of[which], FILE_BYTES);
}

static void medium_depends_on_the_folder(void)
{
    spn_platform_file_info info = {0};
    char slashed[420];

    open_table();
    CHECK_EQ(table.file_open(table.user, paths[1], &info), SPN_OK);
    CHECK_EQ(info.medium, SPN_MEDIUM_HARD_DISK);
    table.file_close(table.user, info.file);
    for (int has_slash = 0; has_slash < 2; has_slash++) {
        snprintf(slashed, sizeof slashed, "%s%s", folder, has_slash ? "/" : "");
        CHECK_EQ(spn_platform_posix_add_optical(&table, slashed), SPN_OK);
        CHECK_EQ(spn_platform_posix_add_optical(&table, folder), SPN_ERR_STATE);
        for (uint32_t which = 0; which < 2; which++) {
            info = (spn_platform_file_info){0};
            CHECK_EQ(table.file_open(table.user, paths[which], &info), SPN_OK);
            CHECK_EQ(info.medium,
                     which ? SPN_MEDIUM_OPTICAL : SPN_MEDIUM_HARD_DISK);
            CHECK_EQ_U(info.bytes, FILE_BYTES);
            table.file_close(table.user, info.file);
        }
        spn_platform_posix_end(&table);
    }
    CHECK_EQ(spn_platform_posix_add_optical(NULL, folder), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_posix_add_optical(&table, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_posix_add_optical(&table, ""), SPN_ERR_ARG);
    spn_platform_posix_end(NULL);
    close_table();
}

/* A read is cancelled between two reads of the reader. It may still be in
 * progress. */
static void cancelled_reads_end_early(void)
{
    static const spn_extent extents[2] = {{buffers[0], 100000},
                                          {buffers[1], FILE_BYTES - 100000}};

    for (int has_folder = 0; has_folder < 2; has_folder++) {
        spn_platform_completion end = {0};
        spn_platform_file_info info = {0};
        uint64_t event;
        uint64_t due_us;

        open_table();
        if (has_folder)
            CHECK_EQ(spn_platform_posix_add_optical(&table, folder), SPN_OK);
        else
            CHECK_EQ(
                spn_platform_posix_set_options(&table, SPN_POSIX_READ_THREAD),
                SPN_OK);
        CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_IO, &event),
                 SPN_OK);
        CHECK_EQ(table.file_open(table.user, paths[1], &info), SPN_OK);
        for (uint32_t is_mine = 0; is_mine < 2; is_mine++) {
            atomic_store_release(&is_waiting, 0);
            atomic_store_release(&is_slow, 1);
            CHECK_EQ(table.read_submit(table.user, info.file, 0, extents, 2, 1),
                     SPN_OK);
            /* The reader may be waiting before the first poll. */
            do {
                CHECK_EQ(table.read_poll(table.user, &end, &due_us),
                         SPN_PENDING);
                CHECK_EQ_U(due_us, UINT64_MAX);
            } while (!atomic_load_acquire(&is_waiting));
            table.read_cancel(table.user, 2 - is_mine);
            atomic_store_release(&is_slow, 0);
            sem_post(&slow_reads);
            while (table.read_poll(table.user, &end, &due_us) != SPN_OK)
                /* Must return, because the read ends. */
                table.event_wait(table.user, event, due_us);
            CHECK_EQ(end.tag, 1);
            CHECK_EQ(end.status, SPN_OK);
            CHECK_EQ_U(end.bytes, is_mine ? 256 * 1024 : FILE_BYTES);
            CHECK_MEM(buffers[0], bytes_of[1], 100000);
            CHECK_MEM(buffers[1], bytes_of[1] + 100000, end.bytes - 100000);
        }
        table.file_close(table.user, info.file);
        table.event_destroy(table.user, event);
        close_table();
    }
}

static void slow_disc_does_not_delay_other_media(void)
{
    open_runtime();
    atomic_store_release(&is_slow, 1);
    (void)begin(0, 1);
    while (!atomic_load_acquire(&is_waiting))
        spn_update(rt);
    for (uint32_t i = 1; i < READS; i++)
        (void)begin(i, 0);
    for (uint32_t i = 1; i < READS; i++)
        finish(i, 0);
    CHECK_EQ(ended[0], SPN_PENDING);
    atomic_store_release(&is_slow, 0);
    sem_post(&slow_reads);
    finish(0, 1);
    close_runtime();
}

/* No update is made: the reader itself wakes the io thread. */
static void end_of_a_read_wakes_the_io_thread(void)
{
    open_runtime();
    for (uint32_t i = 0; i < READS; i++) {
        spn_read_result result;
        spn_read read = begin(i, i % 3 != 0);

        CHECK_EQ(spn_read_wait(rt, read, UINT64_MAX, &result), SPN_OK);
        CHECK_EQ(result.status, SPN_OK);
        CHECK_MEM(buffers[i], bytes_of[i % 3 != 0], FILE_BYTES);
    }
    close_runtime();
}

static void *let_go(void *argument)
{
    (void)argument;
    atomic_store_release(&is_slow, 0);
    sem_post(&slow_reads);
    return NULL;
}

/* The memory of a read in progress belongs to the device until the read
 * completes. */
static void shutdown_waits_for_the_disc(void)
{
    pthread_t helper;

    open_runtime();
    atomic_store_release(&is_slow, 1);
    (void)begin(0, 1);
    while (!atomic_load_acquire(&is_waiting))
        spn_update(rt);
    CHECK_EQ(pthread_create(&helper, NULL, let_go, NULL), 0);
    close_runtime();
    CHECK_EQ(pthread_join(helper, NULL), 0);
    CHECK(ended[0] == SPN_OK || ended[0] == SPN_ERR_SHUTDOWN);
}

TEST_MAIN(TEST(medium_depends_on_the_folder),
          TEST(slow_disc_does_not_delay_other_media),
          TEST(cancelled_reads_end_early),
          TEST(end_of_a_read_wakes_the_io_thread),
          TEST(shutdown_waits_for_the_disc))
