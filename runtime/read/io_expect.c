/* io_expect.c - the expected time of a read, for the caller's thread.
 *
 * Computed from the profile of the drive, which is fixed, and from the
 * corrections that the io thread has learnt and reported. The forecast itself
 * belongs to the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "read/io_expect.h"

#include "disc/drive_disc.h"
#include "read/engine.h"
#include "read/io_deadline.h"
#include "read/io_report.h"

#define SECOND_US 1000000u
/* Bucket of the forecast that contains a typical seek, which is a third of the
 * longest distance. */
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
    struct file_facts facts;
    uint64_t transfer_us;
    int64_t seek_us;

    if (spn__files_facts(&io->files, file, &facts) != SPN_OK ||
        !io_drive_of(&io->media[facts.medium]))
        return false;
    drive = io->media[facts.medium].drive;
    report = &io->seen->media[facts.medium];
    if (bytes > BYTES_MAX)
        bytes = BYTES_MAX;
    transfer_us =
        bytes * SECOND_US / spn__drive_rate(&drive->profile, facts.place);
    if (report->rate_scale > 0)
        transfer_us = transfer_us * report->rate_scale / FORECAST_SCALE_ONE;
    seek_us = (int64_t)drive->typical_us + report->error_us[TYPICAL_BUCKET];
    *us = drive->profile.command_us + transfer_us +
          (seek_us > 0 ? (uint64_t)seek_us : 0);
    return true;
}
