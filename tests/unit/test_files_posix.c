/* test_files_posix.c
 *
 * Goal: on POSIX a file has the place that its file system reports. It is
 *   opened as the options state, or as closely as the file system permits.
 * Method: the linker redirects open, ioctl and posix_fadvise to this file
 *   (--wrap), which answers for the file system. Then a runtime bypasses the
 *   system's cache of the real file system.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "../../platform/posix/platform_posix.h"
#include "harness.h"
#include "support/platform_table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <spindle/spindle.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __real_ioctl(int descriptor, unsigned long request, void *argument);
int __wrap_ioctl(int descriptor, unsigned long request, void *argument);
int __wrap_posix_fadvise64(int descriptor, off64_t offset, off64_t bytes,
                           int advice);

static bool is_faked;
static int direct_error; /* error of an open that bypasses the cache; 0: none */
static uint32_t direct_opens;
static uint32_t advices;
static int map_error;
static uint32_t map_count;
static struct fiemap_extent map_first;

int __wrap_open64(const char *path, int flags, ...)
{
    mode_t mode = 0;

    if (flags & O_CREAT) {
        va_list more;

        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    if (!is_faked || !(flags & O_DIRECT))
        return __real_open64(path, flags, mode);
    direct_opens++;
    if (direct_error) {
        errno = direct_error;
        return -1;
    }
    return __real_open64(path, flags & ~O_DIRECT);
}

int __wrap_ioctl(int descriptor, unsigned long request, void *argument)
{
    struct fiemap *map = argument;

    if (!is_faked || request != FS_IOC_FIEMAP)
        return __real_ioctl(descriptor, request, argument);
    CHECK_EQ_U(map->fm_start, 0);
    CHECK_EQ(map->fm_extent_count, 1);
    if (map_error) {
        errno = map_error;
        return -1;
    }
    map->fm_mapped_extents = map_count;
    map->fm_extents[0] = map_first;
    return 0;
}

int __wrap_posix_fadvise64(int descriptor, off64_t offset, off64_t bytes,
                           int advice)
{
    (void)descriptor;
    CHECK_EQ(offset, 0);
    CHECK_EQ(bytes, 0);
    CHECK_EQ(advice, POSIX_FADV_RANDOM);
    advices++;
    return 0;
}

static spn_platform_file_info open_with(uint32_t options)
{
    spn_platform_file_info info;

    open_table(0);
    CHECK_EQ(spn_platform_posix_set_options(&table, options), SPN_OK);
    is_faked = true;
    direct_opens = 0;
    advices = 0;
    info = open_file(write_file("a", 5000));
    is_faked = false;
    table.file_close(table.user, info.file);
    spn_platform_posix_end(&table);
    return info;
}

static void files_have_the_reported_place(void)
{
    static const uint32_t nowhere[] = {
        FIEMAP_EXTENT_UNKNOWN, FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC,
        FIEMAP_EXTENT_ENCODED, FIEMAP_EXTENT_DATA_INLINE};

    direct_error = 0;
    map_error = 0;
    map_count = 1;
    map_first = (struct fiemap_extent){.fe_physical = UINT64_C(5) << 32 | 4096,
                                       .fe_length = 8192};
    CHECK_EQ_U(open_with(0).disc_offset, UINT64_C(5) << 32 | 4096);
    map_first.fe_flags = FIEMAP_EXTENT_LAST | FIEMAP_EXTENT_UNWRITTEN;
    CHECK_EQ_U(open_with(0).disc_offset, UINT64_C(5) << 32 | 4096);
    for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        map_first.fe_flags = nowhere[i];
        CHECK_EQ_U(open_with(0).disc_offset, UINT64_MAX);
    }
    map_first.fe_flags = 0;
    map_first.fe_logical = 4096; /* the file begins with a hole */
    CHECK_EQ_U(open_with(0).disc_offset, UINT64_MAX);
    map_first.fe_logical = 0;
    map_count = 0;
    CHECK_EQ_U(open_with(0).disc_offset, UINT64_MAX);
    map_count = 1;
    map_error = EOPNOTSUPP;
    CHECK_EQ_U(open_with(0).disc_offset, UINT64_MAX);
}

static void options_select_how_files_are_opened(void)
{
    direct_error = 0;
    CHECK_EQ(open_with(0).align_bytes, 1);
    CHECK_EQ(direct_opens + advices, 0);
    CHECK_EQ(open_with(SPN_POSIX_NO_READ_AHEAD).align_bytes, 1);
    CHECK_EQ(direct_opens, 0);
    CHECK_EQ(advices, 1);
    /* If the bypass is refused, the file is opened without it and with
     * advice. */
    direct_error = EINVAL;
    CHECK_EQ(open_with(SPN_POSIX_DIRECT).align_bytes, 1);
    CHECK_EQ(direct_opens, 1);
    CHECK_EQ(advices, 1);
}

static void options_are_set_once_and_known(void)
{
    open_table(0);
    CHECK_EQ(spn_platform_posix_set_options(NULL, 0), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_posix_set_options(&table, 8), SPN_ERR_ARG);
    CHECK_EQ(spn_platform_posix_set_options(&table, SPN_POSIX_DIRECT |
                                                        SPN_POSIX_READ_THREAD),
             SPN_OK);
    CHECK_EQ(spn_platform_posix_set_options(&table, SPN_POSIX_DIRECT),
             SPN_ERR_STATE);
    spn_platform_posix_end(&table);
    CHECK_EQ(spn_platform_posix_set_options(&table, SPN_POSIX_DIRECT), SPN_OK);
}

/* The file system of the temporary folder may accept or refuse the bypass. */
static void bytes_are_right_without_the_cache(void)
{
    static const struct {
        uint64_t offset;
        uint32_t bytes;
    } ranges[] = {{0, TABLE_BYTES}, {1, 1}, {4095, 2}, {99000, 1000}};
    static uint8_t buffer[TABLE_BYTES + 1];
    spn_config config = {.platform = &table, .heap_bytes = 65536};
    const char *path = write_file("a", TABLE_BYTES);
    spn_platform_file_info info;
    spn_runtime *rt;
    size_t bytes;
    void *memory;

    open_table(0);
    CHECK_EQ(spn_platform_posix_set_options(&table, SPN_POSIX_DIRECT |
                                                        SPN_POSIX_READ_THREAD),
             SPN_OK);
    info = open_file(path);
    CHECK(info.align_bytes >= 1 && info.align_bytes <= 4096 &&
          (info.align_bytes & (info.align_bytes - 1)) == 0);
    table.file_close(table.user, info.file);
    bytes = spn_memory_needed(&config);
    memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK_EQ(spn_init(&config, memory, bytes, &rt), SPN_OK);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const spn_read_desc desc = {.path = path,
                                    .offset = ranges[i].offset,
                                    .bytes = ranges[i].bytes,
                                    .buffer = buffer + 1,
                                    .buffer_bytes = TABLE_BYTES};
        spn_read_result result;
        spn_read read;

        CHECK_EQ(spn_read_start(rt, &desc, &read), SPN_OK);
        CHECK_EQ(spn_read_wait(rt, read, UINT64_MAX, &result), SPN_OK);
        CHECK_EQ(result.status, SPN_OK);
        for (uint32_t k = 0; k < ranges[i].bytes; k++)
            CHECK_EQ(buffer[1 + k], byte_at(ranges[i].offset + k));
        spn_update(rt);
    }
    spn_shutdown(rt);
    spn_platform_posix_end(&table);
    free(memory);
}

TEST_MAIN(TEST(files_have_the_reported_place),
          TEST(options_select_how_files_are_opened),
          TEST(options_are_set_once_and_known),
          TEST(bytes_are_right_without_the_cache))
