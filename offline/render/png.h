/* png.h - writes a picture as a PNG file, for render. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_PNG_H
#define OFFLINE_RENDER_PNG_H

#include "host/host.h"
#include "render/raster.h"

/* Write a picture as 8-bit RGB. The same picture gives the same bytes with the
 * same versions of libpng and zlib. Returns false after a refusal. The caller
 * commits or abandons the output. */
bool png_write(struct host_output *output, const struct raster *raster,
               struct diag *diag);

#endif
