/* cache_parser.h - the state of the parser of a cache's tables.
 *
 * cache_tables.c parses the tables in the order of the file. cache_tiles.c has
 * the parsers of the last three: parts, tiles and blobs. The header has been
 * validated, so all tables lie within the bytes, and offsets fit 32 bits.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_CACHE_CACHE_PARSER_H
#define SPN_CACHE_CACHE_PARSER_H

#include "cache/cache_tables.h"

#include <stddef.h>
#include <stdint.h>

struct cache_parser {
    const struct cache_header *header;
    const uint8_t *bytes; /* of all tables */
    /* Start of the table being parsed, from `bytes`. The function that parses a
     * table moves it to the end of the table. */
    uint32_t table_offset;
    struct cache_tables *tables; /* filled so far */
    struct spn_fault *fault;     /* on an error: its cause, offset and value */
};

/* Offset from cache_parser.bytes of element `index` of the table being parsed.
 */
static inline uint32_t cache_parser_offset(const struct cache_parser *parser,
                                           uint32_t index, size_t element_bytes)
{
    return parser->table_offset + index * (uint32_t)element_bytes;
}

#endif
