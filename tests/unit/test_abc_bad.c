/* test_abc_bad.c
 *
 * Goal: no file makes the reader crash, hang or use more than 1 GiB of
 *   memory. A file that is refused gives one line with file, place and reason.
 * Method: each file of the collection of bad archives is read in its own
 *   process, with limits on memory and time. A good archive is damaged at every
 *   byte and cut at every length.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "harness.h"
#include "support/abc_files.h"

#include "abc/schema.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_LIMIT ((rlim_t)1 << 30)
#define SECONDS_LIMIT (TEST_IS_SANITIZED ? 240u : 60u)

/* -- one file, one process -- */

static void limit_process(void)
{
    struct rlimit limit = {MEMORY_LIMIT, MEMORY_LIMIT};

    if (!TEST_IS_SANITIZED)
        setrlimit(RLIMIT_AS, &limit);
    alarm(SECONDS_LIMIT);
}

/* The exit code of the tool for this result. */
static int read_archive(const char *path)
{
    struct abc_archive *archive;
    struct diag diag;
    int code;

    diag_init(&diag);
    archive = abc_open(path, &diag);
    if (archive)
        abc_check_scene(archive);
    abc_close(archive);
    code = (int)diag.code;
    diag_finish(&diag);
    return code;
}

/* Read a file in a child process. `text` receives its output on stderr. */
static int read_in_child(const char *path, char *text, size_t capacity)
{
    char words_path[512];
    FILE *words;
    int status;
    pid_t child;

    snprintf(words_path, sizeof words_path, "%s/words", test_temp());
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        limit_process();
        if (!freopen(words_path, "wb", stderr))
            _exit(99);
        status = read_archive(path);
        fflush(stderr);
        _exit(status);
    }
    CHECK(waitpid(child, &status, 0) == child);
    words = fopen(words_path, "rb");
    CHECK(words != NULL);
    text[fread(text, 1, capacity - 1, words)] = 0;
    fclose(words);
    if (WIFSIGNALED(status))
        test_fail(__FILE__, __LINE__, "ended by signal %d: %s",
                  WTERMSIG(status), text);
    return WEXITSTATUS(status);
}

/* True for one line of the form "spindle: FILE: [offset: ][place: ]reason". */
static void validate_words(const char *path, int code, const char *words)
{
    size_t path_length = strlen(path);
    size_t length = strlen(words);

    if (code == EXIT_DONE) {
        CHECK_STR(words, "");
        return;
    }
    if (code != EXIT_INPUT_REFUSED)
        test_fail(__FILE__, __LINE__, "exit code %d: %s", code, words);
    CHECK(strncmp(words, "spindle: ", 9) == 0);
    CHECK(strncmp(words + 9, path, path_length) == 0);
    CHECK(strncmp(words + 9 + path_length, ": ", 2) == 0);
    CHECK(length > 9 + path_length + 3);
    CHECK_EQ_U(strcspn(words, "\n"), length - 1);
}

static void bad_files_are_refused_or_read_completely(void)
{
    struct file_list list;
    unsigned refused = 0;
    char folder[1024];
    char words[4096];

    if (!test_assets())
        test_skip("the assets folder is missing");
    snprintf(folder, sizeof folder, "%s/bad-input", test_assets());
    file_list_open(&list, folder, ".abc");
    CHECK(list.count > 0);
    for (size_t i = 0; i < list.count; i++) {
        int code;

        test_context("%s", list.paths[i]);
        code = read_in_child(list.paths[i], words, sizeof words);
        validate_words(list.paths[i], code, words);
        refused += code == EXIT_INPUT_REFUSED;
        if (getenv("SPINDLE_TEST_VERBOSE"))
            printf("  %s", code ? words : "  accepted\n");
    }
    printf("  %zu files, %u refused\n", list.count, refused);
    file_list_close(&list);
}

static void refusal_is_one_line(void)
{
    char path[512];
    char words[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/no.abc", test_temp());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    fputs("this is no archive", file);
    fclose(file);
    CHECK_EQ(read_in_child(path, words, sizeof words), EXIT_INPUT_REFUSED);
    validate_words(path, EXIT_INPUT_REFUSED, words);
    CHECK(strstr(words, "not an Alembic archive") != NULL);
}

/* -- damage -- */

/* The child's current action, for the message if it dies. */
struct progress {
    size_t at;
    unsigned value;
    unsigned refused;
    unsigned accepted;
    char words[256];
};

static int create_file(const char *path, const char *bytes, size_t count)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);

    if (file < 0 || write(file, bytes, count) != (ssize_t)count)
        _exit(99);
    return file;
}

static void try_file(const char *path, struct progress *progress)
{
    struct abc_archive *archive;
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    if (archive && abc_check_scene(archive)) {
        if (diag.code != EXIT_DONE)
            _exit(98);
        progress->accepted++;
    } else {
        if (diag.code != EXIT_INPUT_REFUSED || !strstr(diag.text, path)) {
            snprintf(progress->words, sizeof progress->words, "%.250s",
                     diag.text);
            _exit(97);
        }
        progress->refused++;
    }
    abc_close(archive);
    diag_finish(&diag);
}

static void put_byte(int file, size_t at, unsigned value)
{
    uint8_t byte = (uint8_t)value;

    if (pwrite(file, &byte, 1, (off_t)at) != 1)
        _exit(99);
}

/* From the end, so that each cut only shortens the file. */
static void cut_everywhere(const char *path, const char *bytes, size_t count,
                           struct progress *progress)
{
    int file = create_file(path, bytes, count);

    for (size_t i = count; i-- > 0;) {
        progress->at = i;
        if (ftruncate(file, (off_t)i) != 0)
            _exit(99);
        try_file(path, progress);
    }
    if (progress->accepted > 0)
        _exit(96);
}

static void flip_everywhere(const char *path, const char *bytes, size_t count,
                            struct progress *progress)
{
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    int file = create_file(path, bytes, count);

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof masks; k++) {
            progress->at = i;
            progress->value = masks[k];
            put_byte(file, i, (uint8_t)bytes[i] ^ masks[k]);
            try_file(path, progress);
            put_byte(file, i, (uint8_t)bytes[i]);
        }
}

static void run_damage(const char *name,
                       void (*damage)(const char *, const char *, size_t,
                                      struct progress *))
{
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    char good[512];
    char path[512];
    size_t count = 0;
    char *bytes;
    int status;
    pid_t child;

    snprintf(good, sizeof good, "%s/%s", test_data(), name);
    snprintf(path, sizeof path, "%s/damaged.abc", test_temp());
    bytes = file_text(good, &count);
    CHECK(bytes != NULL);
    CHECK(progress != MAP_FAILED);
    fflush(NULL);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        limit_process();
        damage(path, bytes, count, progress);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    if (status != 0)
        test_fail(__FILE__, __LINE__, "%s, byte %zu ^ 0x%02x: status 0x%x %s",
                  name, progress->at, progress->value, (unsigned)status,
                  progress->words);
    printf("  %s: %u refused, %u accepted\n", name, progress->refused,
           progress->accepted);
    CHECK(progress->refused > 0);
    munmap(progress, sizeof *progress);
    free(bytes);
}

static void every_truncation_is_refused(void)
{
    run_damage("fps-2997.abc", cut_everywhere);
}

static void every_byte_flip_is_survived(void)
{
    run_damage("fps-2997.abc", flip_everywhere);
}

static void every_byte_flip_of_instances_is_survived(void)
{
    run_damage("instances.abc", flip_everywhere);
}

TEST_MAIN(TEST(refusal_is_one_line), TEST(every_truncation_is_refused),
          TEST(every_byte_flip_is_survived),
          TEST(every_byte_flip_of_instances_is_survived),
          TEST(bad_files_are_refused_or_read_completely))
