/* test_abc_hdf5_child.c
 *
 * Goal: the tool survives any failure of the child process that runs libhdf5,
 *   and reports it in one line: a crash, an endless loop, unlimited memory, no
 *   answer, an early end, wrong answers.
 * Method: functions that fail in these ways replace the child's side, under
 *   small limits. Bits are flipped in the answers of a correct child.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/hdf5_writer.h"

#include "abc/hdf5_child.h"
#include "abc/hdf5_serve.h"
#include "abc/hdf5_wire.h"
#include "abc/schema.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* -- the child's side -- */

enum act { SERVE, CRASH, LOOP, EAT, SLEEP, LEAVE, HANG_UP, CLAIM };

static enum act act;     /* of the next child */
static uint64_t flip_at; /* number of the answer's byte that is flipped */
static uint64_t written; /* bytes written by this child */
/* The child's further output is dropped, and the parent receives the end of the
 * stream. */
static uint64_t write_limit;

int __real_hdf5_serve(int socket, const struct hdf5_source *source);
int __wrap_hdf5_serve(int socket, const struct hdf5_source *source);
bool __real_hdf5_child_start(struct hdf5_child *child,
                             const struct hdf5_source *source, int *error);
bool __wrap_hdf5_child_start(struct hdf5_child *child,
                             const struct hdf5_source *source, int *error);
bool __real_hdf5_child_write(int socket, const void *data, size_t bytes);
bool __wrap_hdf5_child_write(int socket, const void *data, size_t bytes);

static void loop(void)
{
    static volatile unsigned count;

    for (;;)
        count++;
}

static void eat(void)
{
    static const size_t bytes = (size_t)1 << 20;

    while (mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
        ;
    _exit(HDF5_CHILD_EXIT_NO_MEMORY);
}

int __wrap_hdf5_serve(int socket, const struct hdf5_source *source)
{
    const struct hdf5_answer claim = {HDF5_REFUSED, 0, UINT64_MAX};

    written = 0;
    switch (act) {
    case SERVE:
        return __real_hdf5_serve(socket, source);
    case CRASH:
        raise(SIGSEGV);
        break;
    case LOOP:
        loop();
        break;
    case EAT:
        eat();
        break;
    case SLEEP:
        pause();
        break;
    case LEAVE:
        break;
    case HANG_UP:
        close(socket);
        pause();
        break;
    case CLAIM:
        __real_hdf5_child_write(socket, &claim, sizeof claim);
        pause();
        break;
    }
    return 0;
}

/* The parent also writes its requests with this function. Its process number
 * distinguishes it. */
static pid_t parent;

bool __wrap_hdf5_child_write(int socket, const void *data, size_t bytes)
{
    uint8_t copy[1 << 16];

    if (getpid() == parent || bytes == 0 || bytes > sizeof copy)
        return __real_hdf5_child_write(socket, data, bytes);
    memcpy(copy, data, bytes);
    if (flip_at >= written && flip_at - written < bytes)
        copy[flip_at - written] ^= 0xff;
    written += bytes;
    if (written > write_limit)
        _exit(0);
    return __real_hdf5_child_write(socket, copy, bytes);
}

/* The parent waits for the end of a child whose answer is too short. */
static uint32_t answer_timeout_ms;

bool __wrap_hdf5_child_start(struct hdf5_child *child,
                             const struct hdf5_source *source, int *error)
{
    struct hdf5_source other = *source;

    if (answer_timeout_ms > 0)
        other.limits.answer_timeout_ms = answer_timeout_ms;
    return __real_hdf5_child_start(child, &other, error);
}

/* -- ends -- */

static const char *end_of(enum act how)
{
    static struct hdf5_child child;
    struct hdf5_source source = {
        .path = "none",
        .limits = {.seconds = 0.02,
                   .memory_bytes = (uint64_t)16 << 20,
                   .answer_timeout_ms = how == SLEEP ? 100 : 60000}};
    uint8_t byte;
    int error;

    act = how;
    CHECK(hdf5_child_start(&child, &source, &error));
    CHECK(!hdf5_child_receive(&child, &byte, 1));
    /* The child is reaped. Later sends and receives fail. */
    CHECK_EQ(child.pid, 0);
    CHECK(!hdf5_child_send(&child, &byte, 1));
    CHECK(!hdf5_child_receive(&child, &byte, 1));
    hdf5_child_stop(&child);
    return child.exit_reason;
}

static void each_end_of_the_child_has_its_message(void)
{
    CHECK_STR(end_of(CRASH), "the HDF5 library crashes on it (signal 11)");
    CHECK_STR(end_of(LOOP), "the HDF5 library does not finish reading it");
    CHECK_STR(end_of(EAT), "the HDF5 library needs more than 16 MiB for it");
    CHECK_STR(end_of(SLEEP), "the HDF5 library does not answer");
    CHECK_STR(end_of(LEAVE), "the process of the HDF5 library has ended");
    /* The child closed its end of the socket but runs on, so it is killed. */
    CHECK_STR(end_of(HANG_UP), "the process of the HDF5 library was killed");
}

static void a_child_that_never_started_can_be_stopped(void)
{
    struct hdf5_child child = {0};

    hdf5_child_stop(&child);
    CHECK_EQ(child.pid, 0);
}

/* -- archives -- */

static char archive_path[512];

static void write_archive(void)
{
    const struct hdf5_style plain = {.is_latest = false};
    struct abc_archive *archive;
    char original[512];
    struct diag diag;

    act = SERVE;
    flip_at = write_limit = UINT64_MAX;
    parent = getpid();
    snprintf(original, sizeof original, "%s/fps-2997.abc", test_data());
    snprintf(archive_path, sizeof archive_path, "%s/twin.abc", test_temp());
    diag_init(&diag);
    archive = abc_open(original, &diag);
    CHECK(archive != NULL);
    hdf5_write(archive, archive_path, &plain);
    abc_close(archive);
    diag_finish(&diag);
}

/* Return true if the archive was accepted. */
static bool read_archive(const char *words)
{
    struct abc_archive *archive;
    struct diag diag;
    bool is_good;

    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(archive_path, &diag);
    is_good = archive && abc_check_scene(archive);
    abc_close(archive);
    CHECK_EQ(diag.code, is_good ? EXIT_DONE : EXIT_INPUT_REFUSED);
    if (words && !strstr(diag.text, words))
        test_fail(__FILE__, __LINE__, "\"%s\" lacks \"%s\"", diag.text, words);
    diag_finish(&diag);
    return is_good;
}

static void an_archive_whose_child_dies_is_refused(void)
{
    write_archive();
    CHECK(read_archive(""));
    act = CRASH;
    CHECK(!read_archive("twin.abc: the HDF5 library crashes on it"));
    act = CLAIM;
    CHECK(!read_archive("does not keep to the protocol"));
}

/* More bytes than a correct child writes about this archive. */
#define SAID_MAX 100000u

/* The child stops after any number of bytes, also between samples. */
static void a_child_that_dies_early_loses_only_its_archive(void)
{
    unsigned refused = 0;

    write_archive();
    for (write_limit = 0; write_limit < SAID_MAX && !read_archive(NULL);
         write_limit += 997)
        refused++;
    printf("  %u refused\n", refused);
    CHECK(refused > 5 && write_limit < SAID_MAX);
}

#define LIES (TEST_IS_SANITIZED ? 40u : 100u)

static void wrong_answers_of_a_child_are_refused_or_harmless(void)
{
    struct test_random random = {20260102};
    unsigned refused = 0;

    write_archive();
    answer_timeout_ms = 100;
    for (unsigned i = 0; i < LIES; i++) {
        flip_at = test_random_below(&random, 26000);
        test_context("byte %u", (unsigned)flip_at);
        refused += !read_archive(NULL);
    }
    answer_timeout_ms = 0;
    printf("  %u of %u refused\n", refused, LIES);
    CHECK(refused > LIES / 20 && refused < LIES);
}

TEST_MAIN(TEST(each_end_of_the_child_has_its_message),
          TEST(a_child_that_never_started_can_be_stopped),
          TEST(an_archive_whose_child_dies_is_refused),
          TEST(a_child_that_dies_early_loses_only_its_archive),
          TEST(wrong_answers_of_a_child_are_refused_or_harmless))
