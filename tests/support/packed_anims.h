/* packed_anims.h - a temporary folder with compiled clips, which a test packs
 * and gives to a runtime on a disc with a virtual clock.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_PACKED_ANIMS_H
#define TESTS_SUPPORT_PACKED_ANIMS_H

#include "anim/tool/anim_pack.h"
#include "support/stage.h"

#include <stddef.h>
#include <stdint.h>

#define ANIMS_TICKS_MAX 1000

struct packed_anims {
    struct diag diag; /* silent */
    struct arena arena;
    char folder[512];
    struct stage stage;
};

/* Make a folder. Its folder anims/hero has the clips spline and wave, and
 * anims/prop the clip arm, each with the skeleton arm. */
void anims_start(struct packed_anims *a);
void anims_finish(struct packed_anims *a);
/* Forget refusals and warnings. */
void anims_begin_diag(struct packed_anims *a);

/* The path of a name in the folder; valid until the end. */
const char *anims_path(struct packed_anims *a, const char *name);
void anims_write(struct packed_anims *a, const char *name, const void *bytes,
                 size_t size);
/* The bytes of a file; valid until the end. */
uint8_t *anims_read(struct packed_anims *a, const char *path, size_t *size);

/* Pack the folder anims to the folder `out` with one thread. Sets the other
 * fields of the options. */
bool anims_try(struct packed_anims *a, struct anim_pack_options *options,
               const char *out, struct anim_pack_report *report);
bool anims_try_by(struct packed_anims *a, const char *input, const char *out,
                  uint32_t jobs, enum anim_pack_by by,
                  struct anim_pack_report *report);
/* The same, and check that this works and packs three clips. */
void anims_pack_by(struct packed_anims *a, const char *out, uint32_t jobs,
                   enum anim_pack_by by);

/* An empty disc and a config for a runtime; then the test calls anims_put,
 * stage_start and anims_open_image. */
void anims_begin_stage(struct packed_anims *a);
/* Put a file of the folder `out` on the disc. */
void anims_put(struct packed_anims *a, const char *out, const char *name);
void anims_open_image(struct packed_anims *a);
/* Check what the image says of a clip, play it until it is in memory, and
 * compare its bytes with those of its file.
 *
 * database  NULL: it has a file of its own */
void anims_play(struct packed_anims *a, const char *name, uint32_t flags,
                const char *database);

#endif
