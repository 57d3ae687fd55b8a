/* operand_kind.h - what an operand of `play` or `view` names.
 *
 * The end of a name decides: .sac is an animation clip, .sas a skeleton, .sai a
 * header image, and everything else a cache. IMAGE.sai:CLIP is one clip of an
 * image. No state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PLAYER_OPERAND_KIND_H
#define OFFLINE_PLAYER_OPERAND_KIND_H

#include "common/arena.h"

enum operand_kind {
    OPERAND_CACHE,
    OPERAND_CLIP,
    OPERAND_SKELETON,
    OPERAND_IMAGE
};

/* The kind of an operand, without or with its pak. */
enum operand_kind operand_kind(const char *operand);

/* The place of the colon of IMAGE.sai:CLIP; NULL: there is none. */
const char *operand_clip(const char *operand);

/* The folder of a path, with its slash; "" if it has none. The arena owns the
 * result. */
const char *operand_folder(const char *path, struct arena *arena);

/* Make the name of a file in a pak from a path: without a drive, an initial
 * slash and the parts "." and "..". The arena owns the result. */
const char *operand_pak_name(const char *path, struct arena *arena);

#endif
