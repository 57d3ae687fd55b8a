/* clip_windows.c - see clip_windows.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/encode/clip_windows.h"

#include "anim/anim_segment.h"
#include "base/cpu.h"

spn_status clip_windows_open(const struct anim_clip_header *header,
                             const uint8_t *file, struct arena *arena,
                             struct anim_clip *clip, size_t *memory,
                             spn_fault *fault)
{
    struct anim_head_models *models =
        ARENA_NEW(arena, struct anim_head_models, 1);
    const spn_status status =
        spn__anim_clip_measure(header, file, models, memory, fault);

    if (status == SPN_OK)
        spn__anim_clip_open(header, file, models,
                            arena_alloc(arena, *memory, 1), clip);
    return status;
}

spn_status clip_windows_decode(const struct anim_clip *clip,
                               const uint8_t *file, struct arena *arena,
                               struct clip_windows *windows, spn_fault *fault)
{
    const struct anim_tracks *tracks = &clip->tracks;
    const uint32_t count = clip->header.segment_count;
    const uint32_t frames = clip->header.segment_frames;
    const size_t window_bytes = spn__anim_window_bytes(tracks, frames);
    struct anim_decoder_tables *tables =
        ARENA_NEW(arena, struct anim_decoder_tables, 1);
    void *workspace =
        arena_alloc(arena, spn__anim_segment_workspace(tracks), 1);
    struct anim_window *all =
        ARENA_NEW(arena, struct anim_window, (uint64_t)count + 1);

    *windows = (struct clip_windows){.windows = all, .segment_frames = frames};
    spn__anim_decoder_tables_init(tables, spn__cpu_detect());
    spn__anim_window_place(&all[0], tracks, frames,
                           arena_alloc(arena, window_bytes, 1));
    for (uint32_t s = 0; s < count; s++) {
        const struct anim_segment_place place = spn__anim_clip_segment(clip, s);
        spn_status status;

        if (s > 0)
            spn__anim_window_place(&all[s], tracks, frames,
                                   arena_alloc(arena, window_bytes, 1));
        if (place.bytes > windows->segment_bytes_max)
            windows->segment_bytes_max = place.bytes;
        windows->segment_count = s;
        status = spn__anim_segment_decode(clip, tables, s, file + place.offset,
                                          workspace, &all[s], fault);
        if (status != SPN_OK) {
            fault->offset += place.offset;
            return status;
        }
    }
    windows->segment_count = count;
    return SPN_OK;
}

struct anim_frame clip_windows_frame(const struct clip_windows *windows,
                                     uint32_t frame)
{
    if (windows->segment_count == 0)
        return (struct anim_frame){&windows->windows[0], 0};
    return (struct anim_frame){
        &windows->windows[frame / windows->segment_frames],
        frame % windows->segment_frames};
}
