/* cache_tiles.h - parsers of the tables of parts, tiles and blobs. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_TILES_H
#define SPN_CACHE_CACHE_TILES_H

#include "cache/cache_parser.h"

#include <spindle/status.h>

/* In this order, after the meshes. Each moves parser->table_offset behind its
 * table. */
SPN_NODISCARD spn_status spn__cache_parse_parts(struct cache_parser *parser);
SPN_NODISCARD spn_status spn__cache_parse_tiles(struct cache_parser *parser);
SPN_NODISCARD spn_status spn__cache_parse_blobs(struct cache_parser *parser);

#endif
