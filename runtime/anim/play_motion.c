/* play_motion.c - rigid transforms of one joint, and their products. */
/* SPDX-License-Identifier: MIT */
#include "anim/play_motion.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_system.h"
#include "anim/play_time.h"
#include "anim/pose/pose_sample.h"
#include "codec/lift/root.h"

/* A rotation, then a translation. */
struct rigid {
    float r[4]; /* unit quaternion x y z w */
    float t[3];
};

static const struct rigid identity = {.r = {0, 0, 0, 1}};

/* -- algebra -- */

static void rotate(const float q[4], const float v[3], float out[3])
{
    const float x = (q[1] * v[2] - q[2] * v[1]) + q[3] * v[0];
    const float y = (q[2] * v[0] - q[0] * v[2]) + q[3] * v[1];
    const float z = (q[0] * v[1] - q[1] * v[0]) + q[3] * v[2];
    const float cross[3] = {q[1] * z - q[2] * y, q[2] * x - q[0] * z,
                            q[0] * y - q[1] * x};

    for (int k = 0; k < 3; k++)
        out[k] = v[k] + (cross[k] + cross[k]);
}

/* First b, then a. */
static struct rigid multiply(const struct rigid *a, const struct rigid *b)
{
    struct rigid product;

    spn__anim_multiply(a->r, b->r, product.r);
    rotate(a->r, b->t, product.t);
    for (int k = 0; k < 3; k++)
        product.t[k] += a->t[k];
    return product;
}

static struct rigid invert(const struct rigid *a)
{
    struct rigid inverse = {.r = {-a->r[0], -a->r[1], -a->r[2], a->r[3]}};
    const float back[3] = {-a->t[0], -a->t[1], -a->t[2]};

    rotate(inverse.r, back, inverse.t);
    return inverse;
}

/* a^-1 b */
static struct rigid between(const struct rigid *a, const struct rigid *b)
{
    const struct rigid inverse = invert(a);

    return multiply(&inverse, b);
}

static struct rigid power(struct rigid base, uint64_t exponent)
{
    struct rigid result = identity;

    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = multiply(&result, &base);
        base = multiply(&base, &base);
    }
    return result;
}

/* -- the joint at a place of the clip -- */

struct tracker {
    const struct anim *a;
    const struct playing_clip *clip;
    const struct skeleton_record *skeleton;
    const spn_anim_pose *scratch;
    uint32_t joint;
    spn_status status; /* of the first place that is not there */
};

/* The joint in model space: its own transform, then those of its ancestors. */
static struct rigid joint_of(const struct tracker *t)
{
    const uint16_t *parent = t->skeleton->skeleton.parent;
    const spn_anim_pose *p = t->scratch;
    struct rigid m = identity;

    for (uint32_t j = t->joint; j != SPN_ANIM_NO_PARENT; j = parent[j]) {
        struct rigid local;

        for (uint32_t k = 0; k < 4; k++)
            local.r[k] = p->values[k * p->stride + j];
        for (uint32_t k = 0; k < 3; k++) {
            local.t[k] = p->values[(4 + k) * p->stride + j];
            m.t[k] *= p->values[(7 + k) * p->stride + j];
        }
        m = multiply(&local, &m);
    }
    return m;
}

static struct rigid joint_at(struct tracker *t, uint32_t frame, uint32_t next,
                             float u)
{
    struct play_frames f;
    const spn_status status =
        spn__playing_frames(t->a, t->clip, frame, next, u, &f);

    if (status != SPN_OK) {
        t->status = t->status == SPN_OK ? status : t->status;
        return identity;
    }
    spn__pose_sample(&t->clip->open.tracks, &t->skeleton->rest, f.from, f.to,
                     f.between, t->scratch, NULL);
    return joint_of(t);
}

/* -- motions -- */

static const struct anim_clip_header *header_of(const struct tracker *t)
{
    return &t->clip->open.header;
}

/* After the last frame, in a loop that does not close. */
static bool is_in_gap(const struct tracker *t, const struct play_time *at)
{
    return at->frame == header_of(t)->frame_count - 1 && at->between > 0;
}

/* From the start of a pass to a place; after the last frame as after the first
 * one. */
static struct rigid from_start(struct tracker *t, const struct play_time *at)
{
    const uint32_t last = header_of(t)->frame_count - 1;
    const uint32_t second = last > 0 ? 1 : 0;
    const struct rigid start = joint_at(t, 0, 0, 0);
    struct rigid place;
    struct rigid motion;
    struct rigid gap;

    if (!is_in_gap(t, at)) {
        place = joint_at(t, at->frame, at->next, at->between);
        return between(&start, &place);
    }
    place = joint_at(t, last, last, 0);
    motion = between(&start, &place);
    place = joint_at(t, 0, second, at->between);
    gap = between(&start, &place);
    return multiply(&motion, &gap);
}

/* A whole pass. */
static struct rigid whole(struct tracker *t)
{
    const uint32_t last = header_of(t)->frame_count - 1;
    const struct play_time end = {.frame = last, .next = last};
    struct rigid motion = from_start(t, &end);
    struct rigid start;
    struct rigid second;
    struct rigid gap;

    if (header_of(t)->loop_closes || last == 0)
        return motion;
    start = joint_at(t, 0, 0, 0);
    second = joint_at(t, 1, 1, 0);
    gap = between(&start, &second);
    return multiply(&motion, &gap);
}

/* Between two places of a pass. Within the frames the start is not needed. */
static struct rigid within(struct tracker *t, const struct play_time *from,
                           const struct play_time *to)
{
    struct rigid a;
    struct rigid b;

    if (is_in_gap(t, from) || is_in_gap(t, to)) {
        a = from_start(t, from);
        b = from_start(t, to);
    } else {
        a = joint_at(t, from->frame, from->next, from->between);
        b = joint_at(t, to->frame, to->next, to->between);
    }
    return between(&a, &b);
}

static struct rigid motion_of(struct tracker *t, const struct play_time *from,
                              const struct play_time *to)
{
    struct rigid before;
    struct rigid after;
    struct rigid pass;

    if (from->pass == to->pass)
        return within(t, from, to);
    pass = whole(t);
    before = from_start(t, from);
    before = between(&before, &pass);
    pass = power(pass, (uint64_t)(to->pass - from->pass - 1));
    before = multiply(&before, &pass);
    after = from_start(t, to);
    return multiply(&before, &after);
}

spn_status spn__play_motion(const struct anim *a, const struct anim_play *play,
                            const struct skeleton_record *skeleton,
                            uint32_t joint, int64_t from_us, int64_t to_us,
                            const spn_anim_pose *scratch,
                            spn_anim_transform *out)
{
    const bool is_back = to_us < from_us;
    struct tracker t = {
        .a = a, .skeleton = skeleton, .scratch = scratch, .joint = joint};
    const bool loops = spn__play_loops(a, play);
    spn_status status = spn__play_find_clip(a, play, &t.clip);
    struct play_time from;
    struct play_time to;
    struct rigid m;
    float length;

    if (status != SPN_OK)
        return status;
    from = spn__play_time(header_of(&t), loops, is_back ? to_us : from_us);
    to = spn__play_time(header_of(&t), loops, is_back ? from_us : to_us);
    m = motion_of(&t, &from, &to);
    if (t.status != SPN_OK)
        return t.status;
    if (is_back)
        m = invert(&m);
    length = spn__float_root(
        ((m.r[0] * m.r[0] + m.r[1] * m.r[1]) + m.r[2] * m.r[2]) +
        m.r[3] * m.r[3]);
    for (int k = 0; k < 4; k++)
        out->rotation[k] = m.r[k] / length;
    for (int k = 0; k < 3; k++) {
        out->translation[k] = m.t[k];
        out->scale[k] = 1;
    }
    return SPN_OK;
}

#endif
