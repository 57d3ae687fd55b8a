/* test_cpu.c
 *
 * Goal: the runtime uses the best available kernel for this processor. Tests
 *   of results cannot show this, because all kernels give the same.
 * Method: the detected instruction sets are compared with those that the
 *   compiler's library detects. Every instruction set has a kernel of its own
 *   in each slot of each table, except for a few listed slots: such a kernel
 *   differs from the scalar one and from those of the other sets. A runtime
 *   uses the tables of the best detected set.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/cpu.h"
#include "codec/classic/predict.h"
#include "codec/lift/lift_kernels.h"
#include "fill/fill.h"
#include "runtime.h"
#include "support/cpu_oracle_sse41.h"
#include "support/stage.h"

#include <stddef.h>
#include <string.h>

/* In increasing order of capability. */
static const uint32_t sets[] = {SPN_CPU_SSE41, SPN_CPU_AVX2, SPN_CPU_NEON};
enum { SETS = sizeof sets / sizeof sets[0] };

typedef void (*kernel)(void);

/* All kernel tables. They consist of function pointers only. */
struct tables {
    struct predict_ops predict;
    struct lift_ops lift;
    struct fill_ops fill;
};
enum { KERNELS = sizeof(struct tables) / sizeof(kernel) };
_Static_assert(sizeof(struct tables) % sizeof(kernel) == 0, "kernels alone");

/* Kernels with a scalar version only. */
static const size_t scalar_only[] = {
    offsetof(struct tables, fill.pack[SPN_FORMAT_NONE]),
    offsetof(struct tables, fill.pack[SPN_FORMAT_F32X2]),
    offsetof(struct tables, fill.pack[SPN_FORMAT_F32X3]),
    offsetof(struct tables, fill.pack[SPN_FORMAT_F32X4]),
};

static bool has_vector_kernel(size_t place)
{
    for (size_t i = 0; i < sizeof scalar_only / sizeof scalar_only[0]; i++)
        if (scalar_only[i] == place * sizeof(kernel))
            return false;
    return true;
}

static void make_tables(struct tables *tables, uint32_t cpu)
{
    memset(tables, 0, sizeof *tables);
    spn__predict_ops_init(&tables->predict, cpu);
    spn__lift_ops_init(&tables->lift, cpu);
    spn__fill_ops_init(&tables->fill, cpu);
}

static kernel kernel_at(const struct tables *tables, size_t place)
{
    kernel found;

    memcpy(&found, (const char *)tables + place * sizeof found, sizeof found);
    return found;
}

static void detection_agrees_with_the_compilers_library(void)
{
    CHECK_EQ_U(spn__cpu_detect(), cpu_oracle());
}

static void every_set_has_kernels_of_its_own(void)
{
    struct tables tables[SETS + 1];
    uint32_t count = 1;

    make_tables(&tables[0], 0);
    for (uint32_t s = 0; s < SETS; s++)
        if (cpu_oracle() & sets[s])
            make_tables(&tables[count++], sets[s]);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++)
            for (size_t i = 0; i < KERNELS; i++) {
                test_context("tables %u and %u, kernel %zu", a, b, i);
                CHECK_EQ(kernel_at(&tables[a], i) != kernel_at(&tables[b], i),
                         has_vector_kernel(i));
            }
}

static void a_runtime_takes_the_best_set(void)
{
    static struct stage stage;
    struct tables expected;
    uint32_t best = 0;

    for (uint32_t s = 0; s < SETS; s++)
        if (cpu_oracle() & sets[s])
            best = sets[s];
    make_tables(&expected, best);
    stage_init(&stage, NULL);
    stage_start(&stage);
    CHECK_MEM(&stage.rt->manager.predict, &expected.predict,
              sizeof expected.predict);
    CHECK_MEM(stage.rt->manager.lift_ops, &expected.lift, sizeof expected.lift);
    CHECK_MEM(&stage.rt->manager.fill, &expected.fill, sizeof expected.fill);
    stage_close(&stage);
}

TEST_MAIN(TEST(detection_agrees_with_the_compilers_library),
          TEST(every_set_has_kernels_of_its_own),
          TEST(a_runtime_takes_the_best_set))
