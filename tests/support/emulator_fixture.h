/* emulator_fixture.h - for tests of the emulator: a slow disc of four files,
 * wrapped by an emulated optical drive and a hard disk, and drive models with
 * the same profiles, to which a test charges reads itself. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_EMULATOR_FIXTURE_H
#define TESTS_SUPPORT_EMULATOR_FIXTURE_H

#include "disc/drive.h"
#include "support/slow_platform.h"

#include <spindle/emulator.h>

#define FILE_BYTES 500000u
#define FILES 4u
#define OFFSET_A 400000000u
#define OFFSET_B 4000000000u

extern struct slow_platform slow;
extern spn_platform emulated; /* the emulator's table */
extern spn_emulator *emulator;
extern void *emulator_memory;
extern uint8_t data[FILES][FILE_BYTES];
extern uint8_t buffer[FILES][FILE_BYTES];
extern struct drive models[2]; /* charged by the test */

extern const spn_emulator_place places[3];
extern spn_emulator_drive drives[2];

/* A valid config; drive 0 is optical, drive 1 a hard disk. */
spn_emulator_config good_config(void);

/* Add the files to the slow disc. */
void make_disc(void);

/* Start the emulator, and put discs into its drives and into the models. */
void make_emulator_with(const spn_emulator_config *config);

void make_emulator(void);

spn_platform_file_info open_emulated(const char *path);

/* Submit a read into buffer[f], in two extents. */
void submit(uint32_t f, spn_platform_file file, uint64_t offset, uint32_t bytes,
            uint32_t tag);

/* Charge a read to a model. Returns the time at which it ends. */
uint64_t model_read(uint32_t drive, uint64_t offset, uint64_t bytes);

/* Check that the next poll returns SPN_PENDING with this time. */
void expect_pending(uint64_t due_us);

/* Check that the next poll returns this completion. */
void expect_end(uint32_t tag, spn_status status, uint64_t bytes);

/* Check that the read ends at due_us, and not one microsecond earlier. */
void expect_end_at(uint64_t due_us, uint32_t tag, uint64_t bytes);

#endif
