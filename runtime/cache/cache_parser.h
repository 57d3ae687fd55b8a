/* cache_parser.h - the state that the table parsers hand on.
 *
 * cache_tables.c parses the tables in the order of the file; cache_tiles.c has
 * the parsers of the last three.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_PARSER_H
#define SPN_CACHE_CACHE_PARSER_H

#include "cache/cache_tables.h"

#include <stddef.h>
#include <stdint.h>

struct cache_parser {
    const struct cache_header *header;
    const uint8_t *bytes;        /* of all tables */
    uint32_t at;                 /* where the table being parsed starts */
    struct cache_tables *tables; /* filled so far */
    struct spn_fault *fault;
};

/* Offset of element `index` of the table being parsed; elements have `bytes`
 * each. */
static inline uint32_t cache_parser_at(const struct cache_parser *parser,
                                       uint32_t index, size_t bytes)
{
    return parser->at + index * (uint32_t)bytes;
}

#endif
