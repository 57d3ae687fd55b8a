/* codec_zstd.c - zstd frames, by libzstd: libspindle-zstd.a.
 *
 * A static context lies in the workspace, so libzstd allocates nothing, and no
 * state is shared by threads. The context is created once and used for every
 * block. Creating it detects the processor, which takes 12 us under a
 * hypervisor, longer than a small block. Each frame resets the context.
 *
 * A frame has no magic number. Its first byte is 0: no content size, no
 * dictionary, no checksum. Older formats and skippable frames do not begin with
 * 0. This matters because zstd 1.5.4 detects them even if frames without magic
 * numbers are selected.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/codec.h>
#include <stdalign.h>
#include <stddef.h>

/* Declares static contexts and frames without a magic number. */
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

/* The context of zstd 1.5.4 has 95,992 bytes; contexts before 1.5.2 have
 * another buffer of 64 KiB. */
#if ZSTD_VERSION_NUMBER >= 10502
#define CONTEXT_BYTES (128u * 1024u - 64u)
#else
#define CONTEXT_BYTES (192u * 1024u - 64u)
#endif

struct workspace {
    ZSTD_DCtx *context; /* NULL before the first call */
    alignas(64) uint8_t memory[CONTEXT_BYTES];
};

static ZSTD_DCtx *context_of(struct workspace *w)
{
    ZSTD_DCtx *context = w->context;

    if (context)
        return context;
    context = ZSTD_initStaticDCtx(w->memory, sizeof w->memory);
    if (!context || ZSTD_isError(ZSTD_DCtx_setParameter(
                        context, ZSTD_d_format, ZSTD_f_zstd1_magicless)))
        return NULL;
    w->context = context;
    return context;
}

static spn_status decode(const void *source, uint32_t source_bytes,
                         void *target, uint32_t target_bytes, void *workspace)
{
    ZSTD_DCtx *context = context_of(workspace);
    const uint8_t *descriptor = source;

    if (!context || source_bytes == 0 || *descriptor != 0)
        return SPN_ERR_CODEC;
    /* Errors are the largest values of size_t. */
    if (ZSTD_decompressDCtx(context, target, target_bytes, source,
                            source_bytes) != target_bytes)
        return SPN_ERR_CODEC;
    return SPN_OK;
}

const spn_codec spn_codec_zstd = {SPN_CODEC_ZSTD, "zstd",
                                  sizeof(struct workspace), decode};
