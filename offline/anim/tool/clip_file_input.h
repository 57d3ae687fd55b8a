/* clip_file_input.h - what the index of a database or an image says of a clip
 * file.
 *
 * The range of a clip (clip_index.h) is the whole clip file, or the bytes in a
 * database from which the clip was opened. Flags come from the header and
 * tracks. No state.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_CLIP_FILE_INPUT_H
#define OFFLINE_ANIM_TOOL_CLIP_FILE_INPUT_H

#include "anim/clip_index_writer.h"
#include "anim/tool/clip_file.h"

/* CLIP_... of clip_index.h, for an opened clip. */
uint32_t clip_file_flags(const struct anim_clip *clip);

/* Fill `input` for an opened clip.
 *
 * name   as the runtime finds the clip; must outlive `input`, as the bytes of
 *        the file
 * arena  owns the table of segments */
void clip_file_input(const struct clip_file *file, const char *name,
                     struct arena *arena, struct clip_input *input);

#endif
