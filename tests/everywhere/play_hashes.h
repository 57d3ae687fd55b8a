/* play_hashes.h - play the same disc on any machine and say what was seen.
 *
 * One program for all of them: the machine is consoles_stub behind an emulated
 * drive, time is virtual, and there is no call of an operating system or a C
 * library. What it says is the same on every machine, whatever its order of
 * bytes, word size and instruction set, and wherever its disc is: in the
 * program (play_inside.c), or at a controller (tests/riscv).
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_EVERYWHERE_PLAY_HASHES_H
#define TESTS_EVERYWHERE_PLAY_HASHES_H

#include "platform/consoles_stub/platform_stub.h"

#include <spindle/emulator.h>
#include <spindle/spindle.h>
#include <stddef.h>
#include <stdint.h>

#define PLAY_FILES 4u
#define PLAY_FRAMES_MAX 128u    /* of a file */
#define PLAY_VERTICES_MAX 4096u /* of a mesh */
#define PLAY_NODES_MAX 64u      /* of a scene */
#define PLAY_BLOCK_BYTES (5u << 20)
#define PLAY_EMULATOR_BYTES 8192u
#define PLAY_SECTOR_BYTES 512u /* what every machine's disc reads in */
#define PLAY_VERTEX_BYTES 76u  /* of the fattest layout */

struct play_file {
    const char *name;
    spn_cache cache;
    spn_cache_info info;
    spn_node node;
    uint32_t shown_frame;
    uint64_t hashes[PLAY_FRAMES_MAX];
};

/* All memory there is. `block` is the runtime's; the rest is what a game would
 * have: the machine, the drive, a vertex buffer. */
struct play_hashes {
    _Alignas(64) uint8_t block[PLAY_BLOCK_BYTES];
    _Alignas(64) uint8_t emulator_memory[PLAY_EMULATOR_BYTES];
    _Alignas(8) uint8_t vertices[PLAY_VERTICES_MAX * PLAY_VERTEX_BYTES];
    float matrices[PLAY_NODES_MAX * 12];
    spn_platform_stub stub;
    spn_emulator *emulator;
    spn_runtime *rt;
    struct play_file files[PLAY_FILES];
    uint64_t pictures; /* the sum over all that were drawn */
    void (*say)(const char *line);
};

/* Play 10 s and say every frame's hash, a line without its newline at a time.
 * 0, or the number of the step that failed. Any content of `play` will do. */
int play_hashes(struct play_hashes *play, void (*say)(const char *line));

/* -- each machine's own -- */

/* Put the disc in: the files of the names in `play->files`. The clock is
 * `play->stub.clock_us`. */
void play_machine_init(struct play_hashes *play, spn_platform *out);

/* Wait until no read is under way at the disc, below the emulated drive. */
void play_machine_settle(struct play_hashes *play);

#endif
