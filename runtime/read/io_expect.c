/* io_expect.c - what a read takes, for who plans ahead. Caller's thread.
 *
 * From what is fixed (the profile) and what the io thread has reported (what it
 * has learnt of the drive); the forecast itself is the io thread's.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_expect.h"

#include "disc/drive_disc.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_report.h"

#define SECOND_US 1000000u
/* A third of the longest way, the measure of a typical seek: its bucket. */
#define TYPICAL_BUCKET 4u
#define BYTES_MAX ((uint64_t)1 << 32)

bool spn__io_has_deadline_order(const struct io *io, spn_medium medium)
{
    return io_deadline_of(&io->media[medium]) != NULL;
}

bool spn__io_expect(const struct io *io, spn_file file, uint64_t bytes,
                    uint64_t *us)
{
    const struct device_report *report;
    const struct io_drive *drive;
    spn_medium medium;
    uint64_t place;
    uint64_t transfer_us;
    int64_t seek_us;

    if (spn__files_medium(&io->files, file, &medium) != SPN_OK ||
        spn__files_place(&io->files, file, &place) != SPN_OK ||
        !io_drive_of(&io->media[medium]))
        return false;
    drive = io->media[medium].drive;
    report = &io->seen->media[medium];
    if (bytes > BYTES_MAX)
        bytes = BYTES_MAX;
    transfer_us = bytes * SECOND_US / spn__drive_rate(&drive->profile, place);
    if (report->rate_scale > 0)
        transfer_us = transfer_us * report->rate_scale / FORECAST_SCALE_ONE;
    seek_us = (int64_t)drive->typical_us + report->error_us[TYPICAL_BUCKET];
    *us = drive->profile.command_us + transfer_us +
          (seek_us > 0 ? (uint64_t)seek_us : 0);
    return true;
}
