/* png.h - a picture as PNG, through an output that appears whole. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_RENDER_PNG_H
#define OFFLINE_RENDER_PNG_H

#include "host/host.h"
#include "render/raster.h"

/* Write `raster` as 8-bit RGB. False after a refusal; the output still has to
 * be committed or abandoned. The same picture gives the same bytes (of one
 * version of libpng and zlib). */
bool png_write(struct host_output *output, const struct raster *raster,
               struct diag *diag);

#endif
