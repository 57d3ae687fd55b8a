/* bench_burst.c - the time of a scene's burst, by the layout of its files.
 *
 * Virtual time: the same figures on every machine. The first figure is the time
 * as a multiple of the pure transfer; the others are the drive's work.
 */
/* SPDX-License-Identifier: MIT */
#include "support/burst.h"

#include <stdio.h>

/* Every fourth scene, from the inside of the disc to its outside. */
#define SCENES 24u
#define SCENE_FIRST 2u
#define SCENE_STEP 4u

static double ms(uint64_t us)
{
    return (double)us / 1000;
}

static void add(struct burst *sum, const struct burst *b)
{
    sum->read_us += b->read_us;
    sum->transfer_us += b->transfer_us;
    sum->drive.reads += b->drive.reads;
    sum->drive.seeks += b->drive.seeks;
    sum->drive.command_us += b->drive.command_us;
    sum->drive.seek_us += b->drive.seek_us;
    sum->drive.rotate_us += b->drive.rotate_us;
    sum->drive.gap_us += b->drive.gap_us;
    sum->drive.transfer_us += b->drive.transfer_us;
    sum->medium.total.coalesced += b->medium.total.coalesced;
}

static void measure(struct burst_config config)
{
    struct burst b = {0};

    for (uint32_t scene = SCENE_FIRST; scene < SCENES; scene += SCENE_STEP) {
        struct burst one;

        config.scene = scene;
        burst_run(&config, &one);
        add(&b, &one);
    }
    printf("%s,%s,%s,%s,%s,%s,%s,%.3f,%.1f,%u,%u,%u,%.1f,%.1f,%.1f,%.1f,%.1f\n",
           burst_names[config.kind], config.is_typed ? "three" : "one",
           config.comes_from_outside ? "outside" : "inside",
           config.has_others ? "yes" : "no",
           config.has_neighbours ? "yes" : "no",
           config.is_packed_by_trace || config.has_neighbours ? "pack" : "game",
           config.has_deadlines ? "yes" : "no",
           (double)b.read_us / (double)b.transfer_us, ms(b.transfer_us),
           (unsigned)b.drive.reads, (unsigned)b.medium.total.coalesced,
           (unsigned)b.drive.seeks, ms(b.drive.command_us), ms(b.drive.seek_us),
           ms(b.drive.rotate_us), ms(b.drive.gap_us), ms(b.drive.transfer_us));
}

int main(void)
{
    printf("files,of types,from,others,neighbours,laid out by,deadlines,times "
           "transfer,transfer "
           "ms,reads,coalesced,seeks,"
           "command ms,seek ms,rotate ms,gap ms,moving ms\n");
    for (enum burst_kind kind = BURST_PLAIN; kind < BURST_KINDS; kind++) {
        struct burst_config config = {.kind = kind};

        measure(config);
        config.is_typed = true;
        config.comes_from_outside = true;
        measure(config);
        config.has_others = true;
        measure(config);
        config.is_packed_by_trace = true;
        measure(config);
        config.has_deadlines = true;
        measure(config);
        if (kind == BURST_LOOSE)
            continue;
        config.has_others = false;
        config.has_neighbours = true;
        measure(config);
        config.has_deadlines = false;
        measure(config);
        config.comes_from_outside = false;
        measure(config);
    }
    return 0;
}
