/* bvh_text.h - words and numbers of a BVH file. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_SOURCE_BVH_TEXT_H
#define OFFLINE_ANIM_SOURCE_BVH_TEXT_H

#include "common/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A position in the text. Words are separated by spaces; braces are words. */
struct bvh_text {
    const char *path;
    const char *text;
    size_t size;
    size_t at;    /* behind the word */
    size_t begin; /* of the word that was read last */
    size_t length;
    struct diag *diag;
};

/* Read the next word. Returns false at the end of the text, without a
 * refusal. */
bool bvh_next(struct bvh_text *text);
/* The same; at the end of the text it refuses: `expected` is missing. */
bool bvh_word(struct bvh_text *text, const char *expected);
/* Is the last word this one, in upper or lower case? */
bool bvh_is(const struct bvh_text *text, const char *word);
/* Read the next word and refuse any other than `word`. */
bool bvh_expect(struct bvh_text *text, const char *word);
/* Read a finite number; `what` names it in a refusal. */
bool bvh_number(struct bvh_text *text, const char *what, double *out);
/* Read a whole number of 0..high. */
bool bvh_whole(struct bvh_text *text, const char *what, uint64_t high,
               uint64_t *out);

/* Refuse the file at the last word. Always returns false. */
__attribute__((format(printf, 2, 3))) bool bvh_refuse(
    const struct bvh_text *text, const char *format, ...);

#endif
