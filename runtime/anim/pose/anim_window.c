/* anim_window.c - the memory of a window. */
/* SPDX-License-Identifier: MIT */
#include "anim/pose/anim_window.h"

size_t spn__anim_window_bytes(const struct anim_tracks *tracks,
                              uint32_t segment_frames)
{
    const size_t rows = (size_t)segment_frames * anim_row_length(tracks);
    const size_t bases = (size_t)3 * tracks->translations.count;
    const size_t wide =
        (size_t)segment_frames * 3 * tracks->wide_translations.count;
    const size_t bytes = (rows + bases) * sizeof(int16_t) +
                         wide * sizeof(int32_t) + ANIM_SLACK_BYTES;

    return (bytes + 3) / 4 * 4;
}

void spn__anim_window_place(struct anim_window *window,
                            const struct anim_tracks *tracks,
                            uint32_t segment_frames, void *memory)
{
    window->first_frame = 0;
    window->frame_count = 0;
    window->cuts = 0;
    window->wide = memory;
    window->base =
        (int16_t *)(void *)(window->wide + (size_t)segment_frames * 3 *
                                               tracks->wide_translations.count);
    window->rows = window->base + (size_t)3 * tracks->translations.count;
}
