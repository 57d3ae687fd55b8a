/* drive_stats.c - subtract field by field. */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_stats.h"

void drive_stats_subtract(spn_emulator_stats *s,
                          const spn_emulator_stats *before)
{
    s->reads -= before->reads;
    s->bytes -= before->bytes;
    s->failed -= before->failed;
    s->seeks -= before->seeks;
    s->travel_um -= before->travel_um;
    s->buffer_hits -= before->buffer_hits;
    s->retries -= before->retries;
    s->busy_us -= before->busy_us;
    s->command_us -= before->command_us;
    s->seek_us -= before->seek_us;
    s->rotate_us -= before->rotate_us;
    s->gap_us -= before->gap_us;
    s->transfer_us -= before->transfer_us;
    s->retry_us -= before->retry_us;
    s->spin_us -= before->spin_us;
    s->wait_us -= before->wait_us;
    s->taken_late -= before->taken_late;
}
