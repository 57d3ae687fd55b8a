/* character_state.c - ask the runtime, and the report. */
/* SPDX-License-Identifier: MIT */
#include "player/character_state.h"

void character_state_get(const struct play_clips *clips,
                         const struct character *character,
                         struct character_state *out)
{
    const struct played_clip *clip = play_clips_current(clips, character);
    spn_anim_play_state state = {0};

    (void)spn_anim_play_get_state(clips->rt, character->play, &state);
    *out = (struct character_state){
        .anim = state.anim,
        .name = clip->label,
        .bytes = clip->info.bytes,
        .first_bytes = clip->info.first_bytes,
        .frame_count = clip->info.frame_count,
        .frame = play_clips_frame(clips, character),
        .is_ready = state.is_ready != 0,
        .is_loaded = state.is_loaded != 0,
        .pose = character->pose.state,
        .has_skeleton = character->pose.skeleton != NULL,
        .glitches = clip->glitches,
        .held = clip->held,
        .status = character->pose.status,
    };
}

const char *character_state_text(const struct character_state *state)
{
    switch (state->pose) {
    case PLAY_POSE_PENDING:
        return "pending";
    case PLAY_POSE_SAMPLED:
        return "sampled";
    case PLAY_POSE_HELD:
        return "held";
    case PLAY_POSE_FAILED:
        break;
    }
    return state->has_skeleton ? "failed" : "no skeleton";
}
