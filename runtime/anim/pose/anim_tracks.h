/* anim_tracks.h - what a clip animates, and what is constant.
 *
 * Each joint of a clip has a rotation, a translation and a scale. Each of these
 * has one of three forms:
 *
 *   rest      equal to the joint's rest pose in the skeleton: in no list here
 *   constant  one value for the whole clip: in a list of constants
 *   animated  a track: in a list of tracks; its values change and are in the
 *             windows of decoded frames (anim_window.h)
 *
 * Float tracks, such as morph weights, are numbers without a joint. They have
 * the same three forms; one that rests is 0.
 *
 * spn__anim_clip_open (anim_clip.h) fills these structures once from the head
 * of a clip; afterwards they are only read, by any thread. All arrays are in
 * the memory that its caller gave, which owns them. Behind each array of
 * numbers are at least ANIM_SLACK_BYTES readable bytes, so that a vector of
 * eight elements may be read at any index, also where it extends beyond the
 * end.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_POSE_ANIM_TRACKS_H
#define SPN_ANIM_POSE_ANIM_TRACKS_H

#include <stdbool.h>
#include <stdint.h>

#define ANIM_SLACK_BYTES 32u

/* Tracks of one kind. Tracks that are interpolated between frames come first,
 * then step tracks, which hold the value of a frame until the next frame. Both
 * are in increasing order of joints. Arrays have an element for each track. */
struct anim_list {
    uint32_t count;        /* of tracks */
    uint32_t linear_count; /* tracks before the step tracks */
    const uint16_t *joint; /* joint, or number of the float track */
    const float *step;     /* value of 1 in a window; > 0 */
};

/* Constants, in increasing order of joints. */
struct anim_constants {
    uint32_t rotation_count;
    uint32_t translation_count;
    uint32_t scale_count;
    uint32_t float_count;
    const uint16_t *rotation_joint;
    const uint16_t *translation_joint;
    const uint16_t *scale_joint;
    const uint16_t *float_track;
    const float *rotation;    /* [4 i + 0..3]: unit quaternion x y z w */
    const float *translation; /* [3 i + 0..2]: metres */
    const float *scale;       /* [3 i + 0..2]: factors */
    const float *number;      /* [i]: value of a float track */
};

struct anim_tracks {
    uint32_t joint_count;       /* of the skeleton */
    uint32_t float_track_count; /* resting and constant ones included */
    struct anim_list rotations;
    struct anim_list translations;
    struct anim_list scales;
    struct anim_list floats;
    /* Translations that move too far within a segment for 16 bits. */
    struct anim_list wide_translations;
    /* The centre C of each rotation track, a unit quaternion: four arrays, x y
     * z w. */
    const float *center[4];
    /* Value of each float track at 0 in a window. */
    const float *float_center;
    struct anim_constants constants;
    /* Names of all float tracks, in their order, each with its NUL. */
    const char *float_names;
    uint32_t float_name_bytes;

    /* Of the decoder only. */
    const int32_t *translation_center[3]; /* in units of `step` */
    const int32_t *wide_center[3];        /* the same of wide translations */
    const uint8_t *coding;                /* [place]: anim_activity.h */
    uint32_t level_factor[6]; /* [level of a frame]: anim_activity.h */
};

/* The name after a name of a float track. */
static inline const char *anim_next_name(const char *name)
{
    while (*name != 0)
        name++;
    return name + 1;
}

/* Whether a scale does not rest. */
static inline bool anim_tracks_have_scale(const struct anim_tracks *tracks)
{
    return tracks->scales.count > 0 || tracks->constants.scale_count > 0;
}

/* Number of 16-bit values of one frame of a window. */
static inline uint32_t anim_row_length(const struct anim_tracks *tracks)
{
    return 3 * (tracks->rotations.count + tracks->translations.count +
                tracks->scales.count) +
           tracks->floats.count;
}

/* The same, with the 32-bit values of wide translations. */
static inline uint32_t anim_place_count(const struct anim_tracks *tracks)
{
    return anim_row_length(tracks) + 3 * tracks->wide_translations.count;
}

#endif
