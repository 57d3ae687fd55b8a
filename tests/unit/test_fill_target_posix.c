/* test_fill_target_posix.c
 *
 * Goal: a fill never reads the memory that it writes, in any layout and with
 *   any set of instructions.
 * Method: the pages of the target are inaccessible. At each access the
 *   processor says whether it is a read or a write; the access is then executed
 *   as a single step, and the pages are inaccessible again. On processors and
 *   systems other than x86-64 with Linux the claim is skipped.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "harness.h"

#include "base/cpu.h"
#include "fill/fill.h"
#include "support/fill_scene.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* The registers that a signal handler needs have names. */
#if defined(REG_ERR) && defined(REG_EFL) && !defined(__SANITIZE_THREAD__)

enum { TARGET_BYTES = 1 << 20, VERTICES = 70, SEEDS = 40 };

#define ERROR_IS_WRITE 2  /* a bit of the error code of a page fault */
#define SINGLE_STEP 0x100 /* a bit of the flags register */

static uint8_t *target;
static volatile uint32_t reads;
static volatile uint32_t writes;

static void protect(int protection)
{
    if (mprotect(target, TARGET_BYTES, protection) != 0)
        _exit(1);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const uint8_t *at = info->si_addr;

    (void)number;
    if (at < target || at >= target + TARGET_BYTES)
        _exit(2);
    if (registers[REG_ERR] & ERROR_IS_WRITE)
        writes = writes + 1;
    else
        reads = reads + 1;
    protect(PROT_READ | PROT_WRITE);
    registers[REG_EFL] |= SINGLE_STEP;
}

static void on_step(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;

    (void)number;
    (void)info;
    protect(PROT_NONE);
    registers[REG_EFL] &= ~(greg_t)SINGLE_STEP;
}

static void set_handlers(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO};

    action.sa_sigaction = on_fault;
    CHECK_EQ(sigaction(SIGSEGV, &action, NULL), 0);
    action.sa_sigaction = on_step;
    CHECK_EQ(sigaction(SIGTRAP, &action, NULL), 0);
    target =
        mmap(NULL, TARGET_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(target != MAP_FAILED);
}

static void fill(const struct fill_ops *ops, uint64_t seed)
{
    struct fill_scene scene;

    fill_scene_make(&scene, seed, VERTICES, true);
    CHECK((size_t)scene.layout.stride * VERTICES <= TARGET_BYTES);
    spn__fill_run(ops, &scene.constants, &scene.source, &scene.layout, target);
    fill_scene_free(&scene);
}

static void a_fill_never_reads_its_target(void)
{
    static const uint32_t sets[] = {0, SPN_CPU_SSE41,
                                    SPN_CPU_SSE41 | SPN_CPU_AVX2};
    const uint32_t cpu = spn__cpu_detect();

    if (sizeof(void *) != 8)
        test_skip("needs an x86-64 processor");
    set_handlers();
    /* A read is found. */
    CHECK_EQ(*(volatile uint8_t *)target, 0);
    CHECK_EQ_U(reads, 1);
    CHECK_EQ_U(writes, 0);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        struct fill_ops ops;

        if ((cpu & sets[i]) != sets[i])
            continue;
        spn__fill_ops_init(&ops, sets[i]);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            test_context("set %zu, seed %u", i, (unsigned)seed);
            writes = 0;
            fill(&ops, seed);
            CHECK(writes >= VERTICES);
            CHECK_EQ_U(reads, 1);
        }
    }
}

#else

static void a_fill_never_reads_its_target(void)
{
    test_skip("needs an x86-64 processor and Linux");
}

#endif

TEST_MAIN(TEST(a_fill_never_reads_its_target))
