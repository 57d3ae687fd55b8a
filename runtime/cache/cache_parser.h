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

#include <stdint.h>

struct cache_parser {
    const struct cache_header *header;
    const uint8_t *bytes;        /* of all tables */
    struct cache_tables *tables; /* filled so far */
    struct spn_fault *fault;     /* on an error: its cause, offset and value */
    /* Offset from `bytes` of the element that is being parsed; after the last
     * one, of the table. */
    uint32_t at;
    /* Sums of all elements so far. */
    uint32_t rows[2];  /* nodes: the next row, and the next affine row */
    uint64_t vertices; /* meshes: this and the next three */
    uint32_t index16;
    uint32_t index32;
    uint32_t materials;
    uint32_t parts;      /* of tiles */
    uint64_t blob_bytes; /* of blobs */
};

#endif
