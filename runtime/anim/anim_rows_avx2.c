/* anim_rows_avx2.c - the decoder of rows for AVX2 and BMI2.
 *
 * The code is that of anim_rows.c; the compiler's flags differ. In builds
 * without AVX2 the table stays as it is.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_rows.h"

#if defined(__AVX2__)

#include "anim/anim_rows_passes.h"

static uint32_t decode(const struct anim_clip *clip,
                       const struct anim_decoder_tables *tables,
                       struct anim_reader *reader, void *workspace,
                       struct anim_window *window)
{
    return decode_rows(clip, tables, reader, workspace, window);
}

void spn__anim_rows_avx2(struct anim_decoder_tables *tables)
{
    tables->decode_rows = decode;
}

#else

void spn__anim_rows_avx2(struct anim_decoder_tables *tables)
{
    (void)tables;
}

#endif
