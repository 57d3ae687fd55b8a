/* lz4_size.c - matches are found and counted, nothing is written.
 *
 * LZ4's block format: a sequence is a token of one byte, literals, a distance
 * of two bytes, and a match of at least 4 bytes. The token has four bits for
 * the number of literals and four for the length of the match minus 4; a value
 * of 15 or more takes one more byte, and another one for each 255 beyond. The
 * last 5 bytes of a block are literals, and no match starts in the last 12.
 */
/* SPDX-License-Identifier: MIT */
#include "compress/lz4_size.h"

#include "base/endian.h"

#include <stdbool.h>
#include <string.h>

#define MATCH_MIN 4u
#define LITERALS_LAST 5u
#define MATCH_START_LAST 12u /* bytes from the end */
#define FAST_BITS 13u
#define FAST_SKIP_SHIFT 6 /* misses after which the step grows */
#define CHAIN_BITS 15u
#define CHAIN_CANDIDATES 4

static uint32_t hash_of(uint32_t word, uint32_t bits)
{
    return word * 2654435761u >> (32 - bits);
}

/* Number of equal bytes at two places; the later one ends at `limit`. */
static uint32_t count_equal(const uint8_t *source, uint32_t earlier,
                            uint32_t later, uint32_t limit)
{
    const uint32_t first = later;

    for (; later + 8 <= limit; earlier += 8, later += 8)
        if (memcmp(source + earlier, source + later, 8) != 0)
            break;
    for (; later < limit && source[earlier] == source[later]; earlier++)
        later++;
    return later - first;
}

static uint32_t more_of(uint32_t length)
{
    return length < 15 ? 0 : 1 + (length - 15) / 255;
}

static uint32_t tail_of(uint32_t literals)
{
    return 1 + more_of(literals) + literals;
}

/* -- fast -- */

struct fast {
    const uint8_t *source;
    uint16_t *table; /* last position of each hash */
    uint32_t source_bytes;
    uint32_t literals; /* first literal that is not yet counted */
    uint32_t size;
};

/* Returns the previous position of the hash, and stores `at` in its place. */
static uint32_t exchange(const struct fast *f, uint32_t at)
{
    uint16_t *slot =
        &f->table[hash_of(spn_load_u32le(f->source + at), FAST_BITS)];
    const uint32_t before = *slot;

    *slot = (uint16_t)at;
    return before;
}

static bool is_match(const struct fast *f, uint32_t earlier, uint32_t later)
{
    return memcmp(f->source + earlier, f->source + later, MATCH_MIN) == 0;
}

/* Find the next match from *at on. Returns false when only literals remain. */
static bool find(const struct fast *f, uint32_t *earlier, uint32_t *at)
{
    const uint32_t limit = f->source_bytes - MATCH_START_LAST + 1;
    uint32_t misses = 1u << FAST_SKIP_SHIFT;
    uint32_t next = *at;
    uint32_t step = 1;

    do {
        *at = next;
        next += step;
        step = misses++ >> FAST_SKIP_SHIFT;
        if (next > limit)
            return false;
        *earlier = exchange(f, *at);
    } while (!is_match(f, *earlier, *at));
    while (*at > f->literals && *earlier > 0 &&
           f->source[*at - 1] == f->source[*earlier - 1]) {
        --*at;
        --*earlier;
    }
    return true;
}

/* The library stops when a few bytes more than it writes would not fit. */
static bool take_literals(struct fast *f, uint32_t at)
{
    const uint32_t count = at - f->literals;

    f->size++;
    if (f->size + count + 3 + LITERALS_LAST + count / 255 > f->source_bytes - 1)
        return false;
    f->size += more_of(count) + count;
    return true;
}

static bool take_match(struct fast *f, uint32_t earlier, uint32_t *at)
{
    const uint32_t code =
        count_equal(f->source, earlier + MATCH_MIN, *at + MATCH_MIN,
                    f->source_bytes - LITERALS_LAST);

    f->size += 2;
    if (f->size + 1 + LITERALS_LAST + (code + 240) / 255 > f->source_bytes - 1)
        return false;
    f->size += more_of(code);
    *at += code + MATCH_MIN;
    f->literals = *at;
    return true;
}

uint32_t lz4_size_fast(const void *source, uint32_t source_bytes,
                       void *workspace)
{
    struct fast f = {source, workspace, source_bytes, 0, 0};
    uint32_t earlier;
    uint32_t at = 1;

    if (source_bytes <= MATCH_START_LAST)
        return source_bytes;
    memset(f.table, 0, sizeof *f.table << FAST_BITS);
    (void)exchange(&f, 0);
    while (find(&f, &earlier, &at)) {
        if (!take_literals(&f, at))
            return source_bytes;
        do {
            if (!take_match(&f, earlier, &at))
                return source_bytes;
            if (at > source_bytes - MATCH_START_LAST)
                break;
            (void)exchange(&f, at - 2);
            earlier = exchange(&f, at);
            if (!is_match(&f, earlier, at))
                break;
            f.size++;
        } while (true);
        if (at > source_bytes - MATCH_START_LAST)
            break;
        at++;
    }
    f.size += tail_of(source_bytes - f.literals);
    return f.size < source_bytes ? f.size : source_bytes;
}

/* -- chain -- */

struct chain {
    const uint8_t *source;
    uint16_t *newest;   /* last position of each hash; 0 at first */
    uint16_t *distance; /* distance to the previous position of the same hash;
                           0: none */
    uint32_t source_bytes;
    uint32_t next; /* first position that is not in the chains yet */
};

static void link_until(struct chain *c, uint32_t limit)
{
    for (; c->next < limit; c->next++) {
        uint16_t *newest = &c->newest[hash_of(
            spn_load_u32le(c->source + c->next), CHAIN_BITS)];
        const uint32_t before = *newest;

        c->distance[c->next] = (uint16_t)(c->next - before);
        *newest = (uint16_t)c->next;
    }
}

/* Find the longest match at a position; length 0: none. */
static uint32_t longest_at(struct chain *c, uint32_t at)
{
    const uint32_t limit = c->source_bytes - LITERALS_LAST;
    const uint8_t *here = c->source + at;
    uint32_t longest = MATCH_MIN - 1;
    uint32_t place;

    link_until(c, at);
    place = c->newest[hash_of(spn_load_u32le(here), CHAIN_BITS)];
    for (int k = 0; k < CHAIN_CANDIDATES && place < at; k++) {
        const uint8_t *there = c->source + place;

        if (at + longest < limit && there[longest] == here[longest] &&
            memcmp(there, here, MATCH_MIN) == 0) {
            const uint32_t length = count_equal(c->source, place, at, limit);

            longest = length > longest ? length : longest;
        }
        if (c->distance[place] == 0)
            break;
        place -= c->distance[place];
    }
    return longest < MATCH_MIN ? 0 : longest;
}

uint32_t lz4_size_chain(const void *source, uint32_t source_bytes,
                        void *workspace)
{
    struct chain c = {source, workspace, NULL, source_bytes, 0};
    uint32_t literals = 0;
    uint32_t size = 0;
    uint32_t at = 1;

    c.distance = c.newest + ((size_t)1 << CHAIN_BITS);
    memset(c.newest, 0, sizeof *c.newest << CHAIN_BITS);
    while (at + MATCH_START_LAST <= source_bytes) {
        uint32_t length = longest_at(&c, at);

        if (length == 0) {
            at++;
            continue;
        }
        /* A longer match may begin one byte later. */
        while (at + 1 + MATCH_START_LAST <= source_bytes) {
            const uint32_t later = longest_at(&c, at + 1);

            if (later <= length)
                break;
            length = later;
            at++;
        }
        size += 1 + more_of(at - literals) + (at - literals) + 2 +
                more_of(length - MATCH_MIN);
        at += length;
        literals = at;
    }
    size += tail_of(source_bytes - literals);
    return size < source_bytes ? size : source_bytes;
}
