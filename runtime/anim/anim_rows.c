/* anim_rows.c - the decoder of rows for any processor: the specification. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_rows.h"

#include "anim/anim_rows_passes.h"

uint32_t spn__anim_rows_decode(const struct anim_clip *clip,
                               const struct anim_decoder_tables *tables,
                               struct anim_reader *reader, void *workspace,
                               struct anim_window *window)
{
    return decode_rows(clip, tables, reader, workspace, window);
}
