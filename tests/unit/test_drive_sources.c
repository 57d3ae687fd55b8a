/* test_drive_sources.c
 *
 * Goal: the drives of the Wii, the GameCube and the PlayStation 2 take as
 *   long as the sources of their constants state, within 3 % of the mean.
 * Method: 40,000 cold reads of each size, anywhere on the disc or 2 to 22 MB
 *   from the head, on the drive and by the source's own formulas in floating
 *   point. Dolphin charges a seek that contains the first ECC block, the
 *   rotation until that block arrives, and each further block. PCSX2 charges
 *   100 or 30 ms, then each sector. A few means by these formulas are stated as
 *   numbers, so that an error in the test's formulas is also found.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive.h"
#include "disc/drive_disc.h"
#include "harness.h"

#include <math.h>

#define KIB 1024u
#define READS 40000u
#define BLOCK 32768u
#define SECTOR 2048u
#define TOLERANCE 0.03

static const uint32_t sizes[] = {2 * KIB, 32 * KIB, 512 * KIB, 4096 * KIB};
#define SIZES (sizeof sizes / sizeof sizes[0])

/* Seconds of a read from `head`, begun at `now`, by the source's formulas. */
typedef double (*source_fn)(const spn_drive_profile *p, uint64_t head,
                            uint64_t offset, uint32_t bytes, double now);

/* -- Dolphin -- */

static double dolphin_radius(const spn_drive_profile *p, uint64_t offset)
{
    double in = p->radius_in_um * 1e-6;
    double out = p->radius_out_um * 1e-6;
    double layer = (double)p->layer_bytes;
    double along = (double)offset;

    if (along > layer)
        along = 2 * layer - along;
    return sqrt(along / layer * (out * out - in * in) + in * in);
}

static double dolphin_rate(const spn_drive_profile *p, uint64_t offset)
{
    double in = p->radius_in_um * 1e-6;
    double out = p->radius_out_um * 1e-6;

    return (dolphin_radius(p, offset) - in) / (out - in) *
               ((double)p->rate_out - p->rate_in) +
           p->rate_in;
}

static double dolphin_s(const spn_drive_profile *p, uint64_t head,
                        uint64_t offset, uint32_t bytes, double now)
{
    double turns_per_s = p->turns_mhz / 1000.0;
    double radius = dolphin_radius(p, offset);
    double way = fabs(radius - dolphin_radius(p, head));
    double time = 0.0006;
    double angle;

    time += way < 0.001 ? 50 * way + 0.035 : 4.5 * way + 0.075;
    angle = radius / 0.00000074 - (now + time) * turns_per_s;
    time += (angle - floor(angle)) / turns_per_s;
    for (uint64_t at = offset / BLOCK + 1; at * BLOCK < offset + bytes; at++)
        time += BLOCK / dolphin_rate(p, at * BLOCK);
    return time;
}

/* -- PCSX2 -- */

static double pcsx2_s(const spn_drive_profile *p, uint64_t head,
                      uint64_t offset, uint32_t bytes, double now)
{
    uint64_t first = offset / SECTOR;
    uint64_t last = (offset + bytes - 1) / SECTOR;
    double part = (double)first / ((double)p->layer_bytes / SECTOR);
    uint64_t from = head / SECTOR;
    uint64_t way = from < first ? first - from : from - first;

    (void)now;
    return (way > 14764 ? 0.1 : 0.03) +
           (double)(last - first + 1) / (4 * 675 * (0.4 + 0.6 * part));
}

/* -- cold reads -- */

static struct test_random random_state;

static uint64_t draw(uint64_t limit)
{
    return test_random_u64(&random_state) % limit;
}

/* 2 to 22 MB from the head, a whole sector. */
static uint64_t draw_near(uint64_t head, uint64_t limit)
{
    uint64_t way = 2000000 + draw(20000000);
    bool is_behind = head >= limit - way || (head > way && draw(2) == 0);

    return (is_behind ? head - way : head + way) / SECTOR * SECTOR;
}

/* Mean milliseconds of the drive's reads and of the source's. */
static void run_reads(const spn_drive_profile *p, source_fn source,
                      uint32_t bytes, bool is_near, double *drive_ms,
                      double *source_ms)
{
    uint64_t limit = spn__drive_disc_bytes(p) - bytes - BLOCK;
    struct drive drive;
    struct drive_cost cost;
    uint64_t now_us = 0;
    double sum_us = 0;
    double sum_s = 0;

    random_state.state = 20 + bytes;
    spn__drive_init(&drive, p);
    CHECK_EQ(spn__drive_read(&drive, 0, 1, 0, &cost, &now_us), SPN_OK);
    for (uint32_t i = 0; i < READS; i++) {
        uint64_t offset = draw(limit / SECTOR) * SECTOR;
        uint64_t head = drive.head;
        uint64_t begin_us = now_us;

        if (is_near) {
            CHECK_EQ(
                spn__drive_read(&drive, offset, 1, now_us, &cost, &begin_us),
                SPN_OK);
            head = drive.head;
            offset = draw_near(head, limit);
        }
        CHECK_EQ(
            spn__drive_read(&drive, offset, bytes, begin_us, &cost, &now_us),
            SPN_OK);
        sum_us += (double)(now_us - begin_us);
        sum_s += source(p, head, offset, bytes, (double)begin_us * 1e-6);
    }
    *drive_ms = sum_us / READS / 1e3;
    *source_ms = sum_s / READS * 1e3;
}

/* `stated_ms` are the source's means for the first size: anywhere, and near the
 * head. */
static void check_source(const char *name, source_fn source,
                         const double stated_ms[2])
{
    const spn_drive_profile *p = spn_drive_profile_find(name);

    CHECK(p != NULL);
    for (uint32_t near = 0; near < 2; near++)
        for (size_t i = 0; i < SIZES; i++) {
            double drive_ms;
            double source_ms;

            run_reads(p, source, sizes[i], near == 1, &drive_ms, &source_ms);
            test_context("%s, %u bytes, %s: %.2f ms, source %.2f ms", name,
                         sizes[i], near ? "near" : "anywhere", drive_ms,
                         source_ms);
            if (i == 0)
                CHECK_NEAR(source_ms, stated_ms[near], stated_ms[near] * 0.01);
            CHECK_NEAR(drive_ms, source_ms, source_ms * TOLERANCE);
        }
}

static void wii_takes_as_long_as_dolphins(void)
{
    static const double stated_ms[] = {132.15, 48.76};

    check_source("wii_dvd6x", dolphin_s, stated_ms);
}

static void gamecube_takes_as_long_as_dolphins(void)
{
    static const double stated_ms[] = {111.22, 58.87};

    check_source("gc_dvd3x", dolphin_s, stated_ms);
}

static void ps2_takes_as_long_as_pcsx2s(void)
{
    static const double stated_ms[] = {99.2, 30.6};

    check_source("ps2_dvd4x", pcsx2_s, stated_ms);
}

TEST_MAIN(TEST(wii_takes_as_long_as_dolphins),
          TEST(gamecube_takes_as_long_as_dolphins),
          TEST(ps2_takes_as_long_as_pcsx2s))
