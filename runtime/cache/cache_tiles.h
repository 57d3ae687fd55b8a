/* cache_tiles.h - parsers of the tables of parts, tiles and blobs. */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_TILES_H
#define SPN_CACHE_CACHE_TILES_H

#include "cache/cache_parser.h"

#include <spindle/status.h>

/* Parse element `index`. The elements of a table are parsed in order. */
SPN_NODISCARD spn_status spn__cache_parse_part(struct cache_parser *parser,
                                               uint32_t index);
SPN_NODISCARD spn_status spn__cache_parse_tile(struct cache_parser *parser,
                                               uint32_t index);
SPN_NODISCARD spn_status spn__cache_parse_blob(struct cache_parser *parser,
                                               uint32_t index);

/* Validate all elements of a table together, when the last one is parsed. After
 * the tiles, the blocks and blobs that follow from them are known. */
SPN_NODISCARD spn_status spn__cache_finish_parts(struct cache_parser *parser);
SPN_NODISCARD spn_status spn__cache_finish_tiles(struct cache_parser *parser);
SPN_NODISCARD spn_status spn__cache_finish_blobs(struct cache_parser *parser);

#endif
