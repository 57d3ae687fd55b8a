/* test_pack_calls_posix.c
 *
 * Goal: pack opens a small file once, although it is compared, tested for
 * compression and stored. unpack releases a mapped pak piece by piece, not file
 * by file.
 * Method: the linker redirects open and madvise to this file (--wrap), which
 * counts calls for inputs and all calls.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "harness.h"

#include "pack/pack.h"
#include "pack/unpack.h"

#include <fcntl.h>
#include <spindle/codec.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __real_madvise(void *memory, size_t bytes, int advice);
int __wrap_madvise(void *memory, size_t bytes, int advice);

#define FILES 12u
#define FILE_BYTES 3000u

static uint32_t opens;

int __wrap_open64(const char *path, int flags, ...)
{
    mode_t mode = 0;

    if (flags & O_CREAT) {
        va_list more;

        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    opens += strstr(path, "/in/file") != NULL;
    return __real_open64(path, flags, mode);
}

static uint32_t advices;

int __wrap_madvise(void *memory, size_t bytes, int advice)
{
    advices++;
    return __real_madvise(memory, bytes, advice);
}

static struct diag diag;
static struct arena arena;

static const char *path_of(const char *name)
{
    return arena_format(&arena, "%s/%s", test_temp(), name);
}

/* The last file has the bytes of the first. */
static void put_files(void)
{
    static char bytes[FILE_BYTES];

    CHECK(host_make_folders(path_of("in/file"), &diag));
    for (uint32_t i = 0; i < FILES; i++) {
        FILE *file =
            fopen(path_of(arena_format(&arena, "in/file%02u", i)), "wb");

        CHECK(file != NULL);
        memset(bytes, 'a' + (int)(i % (FILES - 1)), sizeof bytes);
        CHECK_EQ(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
        fclose(file);
    }
}

static void a_small_file_is_opened_once(void)
{
    static const uint32_t codecs[] = {SPN_CODEC_STORE, SPN_CODEC_ZSTD};
    const char *input;

    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
    put_files();
    input = path_of("in");
    for (uint32_t i = 0; i < 2; i++) {
        const struct pack_options wish = {.inputs = &input,
                                          .input_count = 1,
                                          .output = path_of("out.spk"),
                                          .codec = codecs[i],
                                          .jobs = 1};
        struct pack_report report;

        opens = 0;
        CHECK(pack_run(&wish, &arena, &diag, &report));
        CHECK_EQ(report.written.header.entry_count, FILES);
        CHECK_EQ(report.written.header.content_count, FILES - 1);
        CHECK_EQ(opens, FILES);
    }
    diag_finish(&diag);
    arena_free(&arena);
}

static void mapped_pak_is_released_piece_by_piece(void)
{
    static char large[(size_t)5 << 20];
    struct unpack_options wish = {.pak = NULL};
    struct unpack_report unpacked;
    struct pack_options packing;
    struct pack_report report;
    const char *input;
    FILE *file;

    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
    put_files();
    file = fopen(path_of("in/large"), "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(large, 1, sizeof large, file), sizeof large);
    fclose(file);
    input = path_of("in");
    packing = (struct pack_options){.inputs = &input,
                                    .input_count = 1,
                                    .output = path_of("out.spk"),
                                    .jobs = 1};
    CHECK(pack_run(&packing, &arena, &diag, &report));
    wish.pak = path_of("out.spk");
    wish.folder = path_of("out");
    advices = 0;
    CHECK(unpack_run(&wish, &arena, &diag, &unpacked));
    CHECK_EQ_U(unpacked.file_count, FILES + 1);
    /* At 2 MiB and at 4 MiB. */
    CHECK_EQ(advices, 2);
    CHECK_EQ(unlink(path_of("in/large")), 0);
    diag_finish(&diag);
    arena_free(&arena);
}

static void small_files_are_not_read_again(void)
{
    struct pack_files files = {.diag = &diag, .prefix = ""};
    struct pak_decoder decoder = {0};
    uint8_t byte = 0;
    const char *input;

    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
    files.arena = &arena;
    put_files();
    input = path_of("in");
    CHECK(pack_files_list(&files, &input, 1, path_of("out")));
    CHECK_EQ(files.count, FILES);
    CHECK(pack_file_load(&files.files[1], &diag));
    CHECK_EQ(unlink(files.files[1].path), 0);
    CHECK(pack_file_load(&files.files[1], &diag));
    CHECK(pack_file_read(&files.files[1], &decoder, 0, &byte, 1, &diag));
    CHECK_EQ(byte, 'b');
    /* A file that changed since it was listed is not kept in memory. */
    CHECK_EQ(truncate(files.files[2].path, 10), 0);
    CHECK(!pack_file_load(&files.files[2], &diag));
    CHECK(strstr(diag.text, "file02: has changed while it was read") != NULL);
    pack_files_free(&files);
    diag_finish(&diag);
    arena_free(&arena);
}

TEST_MAIN(TEST(a_small_file_is_opened_once),
          TEST(mapped_pak_is_released_piece_by_piece),
          TEST(small_files_are_not_read_again))
