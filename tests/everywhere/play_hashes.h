/* play_hashes.h - play the same disc on any machine and print hashes of frames.
 *
 * The program runs on consoles_stub behind an emulated drive. Time is virtual.
 * No operating system or C library is called. The output is the same on every
 * machine, independent of byte order, word size and instruction set, and of the
 * place of the disc: linked into the program (play_inside.c) or behind a
 * controller (tests/riscv).
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
#define PLAY_FRAMES_MAX 128u    /* frames of a file */
#define PLAY_VERTICES_MAX 4096u /* vertices of a mesh */
#define PLAY_NODES_MAX 64u      /* nodes of a scene */
#define PLAY_BLOCK_BYTES (5u << 20)
#define PLAY_EMULATOR_BYTES 8192u
#define PLAY_SECTOR_BYTES 512u /* the sector size of every machine's disc */
#define PLAY_VERTEX_BYTES 76u  /* bytes of a vertex in the largest layout */

struct play_file {
    const char *name;
    spn_cache cache;
    spn_cache_info info;
    spn_node node;
    uint32_t shown_frame;
    uint64_t hashes[PLAY_FRAMES_MAX];
};

/* All memory of the program. `block` is for the runtime. The rest is what a
 * game would have: the platform, the drive, a vertex buffer. */
struct play_hashes {
    _Alignas(64) uint8_t block[PLAY_BLOCK_BYTES];
    _Alignas(64) uint8_t emulator_memory[PLAY_EMULATOR_BYTES];
    _Alignas(8) uint8_t vertices[PLAY_VERTICES_MAX * PLAY_VERTEX_BYTES];
    float matrices[PLAY_NODES_MAX * 12];
    spn_draw_item items[PLAY_NODES_MAX];
    spn_draw_group groups[PLAY_NODES_MAX];
    spn_platform_stub stub;
    spn_emulator *emulator;
    spn_runtime *rt;
    struct play_file files[PLAY_FILES];
    uint64_t pictures; /* over vertices, matrices and boxes */
    void (*say)(const char *line);
};

/* Play 10 s. `say` is called with each line of output, without its newline.
 * Returns 0, or the number of the step that failed. `play` need not be
 * initialised. */
int play_hashes(struct play_hashes *play, void (*say)(const char *line));

/* -- functions that each machine defines -- */

/* Set up the platform and insert the disc: find the files named in
 * `play->files`. The platform's clock is `play->stub.clock_us`. */
void play_machine_init(struct play_hashes *play, spn_platform *out);

/* Wait until the disc below the emulated drive has no read in progress. */
void play_machine_settle(struct play_hashes *play);

#endif
