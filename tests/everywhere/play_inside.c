/* play_inside.c - the machine of play_hashes whose disc is linked into the
 * program.
 *
 * play_disc.S contains the caches. A read completes at once, so there is
 * nothing to wait for.
 */
/* SPDX-License-Identifier: MIT */
#include "everywhere/play_hashes.h"

extern const uint8_t play_disc_flag[];
extern const uint8_t play_disc_lifted[];
extern const uint8_t play_disc_flowing[];
extern const uint8_t play_disc_tiny[];
extern const uint8_t play_disc_end[];

void play_machine_init(struct play_hashes *play, spn_platform *out)
{
    const uint8_t *const first[PLAY_FILES + 1] = {
        play_disc_flag, play_disc_lifted, play_disc_flowing, play_disc_tiny,
        play_disc_end};

    for (uint32_t i = 0; i < PLAY_FILES; i++) {
        play->stub.files[i].path = play->files[i].name;
        play->stub.files[i].data = first[i];
        play->stub.files[i].bytes = (uint64_t)(first[i + 1] - first[i]);
    }
    play->stub.file_count = PLAY_FILES;
    play->stub.align_bytes = PLAY_SECTOR_BYTES;
    spn_platform_stub_init(&play->stub, out);
}

void play_machine_settle(struct play_hashes *play)
{
    (void)play;
}
