/* codec_deflate.c - raw deflate, by zlib's inflate: libspindle-deflate.a.
 *
 * The allocator of the zlib stream allocates from the workspace. No state is
 * kept between blocks, and none is shared by threads. A block is decoded by one
 * call to its destination, so inflate needs only its state. The workspace also
 * has room for the window, because a version of zlib may allocate it at once.
 */
/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <spindle/codec.h>
#include <stddef.h>

#define ZLIB_CONST
#include <zlib.h>

/* The state of inflate in zlib 1.2.13 has 7,160 bytes, a window 32 KiB. */
#define WORKSPACE_BYTES 65536u
#define WORKSPACE_ALIGN 16u
/* The largest window of deflate. The negative sign means: no header and no
 * checksum of zlib. */
#define WINDOW_BITS (-15)

struct workspace {
    uint8_t *next;
    size_t left;
};

static voidpf take(voidpf user, uInt count, uInt bytes)
{
    struct workspace *w = user;
    size_t wanted;
    void *taken = w->next;

    if (bytes != 0 && count > w->left / bytes)
        return Z_NULL;
    wanted = ((size_t)count * bytes + WORKSPACE_ALIGN - 1) / WORKSPACE_ALIGN *
             WORKSPACE_ALIGN;
    if (wanted > w->left)
        return Z_NULL;
    w->next += wanted;
    w->left -= wanted;
    return taken;
}

/* Frees nothing: the workspace is reused as a whole for the next block. */
static void give_back(voidpf user, voidpf taken)
{
    (void)user;
    (void)taken;
}

static spn_status decode(const void *source, uint32_t source_bytes,
                         void *target, uint32_t target_bytes, void *workspace)
{
    struct workspace rest = {workspace, WORKSPACE_BYTES};
    z_stream stream;
    int result;

    memset(&stream, 0, sizeof stream);
    stream.zalloc = take;
    stream.zfree = give_back;
    stream.opaque = &rest;
    if (inflateInit2(&stream, WINDOW_BITS) != Z_OK)
        return SPN_ERR_CODEC;
    stream.next_in = source;
    stream.avail_in = source_bytes;
    stream.next_out = target;
    stream.avail_out = target_bytes;
    result = inflate(&stream, Z_FINISH);
    (void)inflateEnd(&stream);
    if (result != Z_STREAM_END || stream.avail_in != 0 || stream.avail_out != 0)
        return SPN_ERR_CODEC;
    return SPN_OK;
}

const spn_codec spn_codec_deflate = {SPN_CODEC_DEFLATE, "deflate",
                                     WORKSPACE_BYTES, decode};
