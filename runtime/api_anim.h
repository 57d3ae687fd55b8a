/* api_anim.h - what the public functions of clips and databases have in common:
 * the errors that spindle/anim.h lists, in its order. Caller's thread. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_API_ANIM_H
#define SPN_API_ANIM_H

#include "anim/anim_plays.h"
#include "anim/anim_system.h"
#include "runtime.h"

#include <spindle/anim.h>
#include <stdbool.h>
#include <stdint.h>

static inline spn_status anim_find_system(const spn_runtime *rt,
                                          bool has_pointers, struct anim **out)
{
    if (!has_runtime(rt) || !has_pointers)
        return SPN_ERR_ARG;
    *out = rt->anim;
    return rt->anim ? SPN_OK : SPN_ERR_STATE;
}

static inline spn_status anim_find_clip(const spn_runtime *rt,
                                        bool has_pointers, spn_anim anim,
                                        struct anim **out)
{
    spn_status status = anim_find_system(rt, has_pointers, out);

    if (status == SPN_OK &&
        (anim == 0 || anim > (*out)->image.index.header.clip_count))
        status = SPN_ERR_HANDLE;
    return status;
}

static inline spn_status anim_find_play(const spn_runtime *rt,
                                        bool has_pointers, spn_anim_play play,
                                        struct anim **out,
                                        struct anim_play **out_play)
{
    spn_status status = anim_find_system(rt, has_pointers, out);
    uint32_t i;

    if (status != SPN_OK)
        return status;
    i = spn__pool_index(&(*out)->play_pool, play);
    if (i == POOL_NONE)
        return SPN_ERR_HANDLE;
    *out_play = &(*out)->plays[i];
    return SPN_OK;
}

/* Calls between updates happen now. */
static inline void anim_set_now(const spn_runtime *rt, struct anim *a)
{
    a->now_us = rt->platform.now_us(rt->platform.user);
}

/* The bytes of a text; at most one more than any path has. */
static inline uint32_t anim_text_bytes(const char *text)
{
    uint32_t bytes = 0;

    while (bytes < SPN_PATH_BYTES_MAX && text[bytes] != 0)
        bytes++;
    return bytes;
}

#endif
