/* test_pak_index.c
 *
 * Goal: a good pak gives every file by its name. No bytes can make the reader
 * leave the file, assign a byte twice, or loop.
 * Method: a pak with all features; truncated at every byte; every byte changed,
 * with corrected checksums; each wrong value by itself, with the expected
 * fault; random damage.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/endian.h"
#include "base/hash64.h"
#include "pak/pak_name.h"
#include "pak/pak_validate.h"
#include "pak/pak_wire.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Two names with the same hash: the words of the first of four lanes are
 * chosen. */
static char twin_a[65];
static char twin_b[65];

static uint8_t noise[PAK_BLOCK_BYTES + 1];
static uint8_t text[PAK_BLOCK_BYTES * 2];

static void fill(void)
{
    struct test_random random = {7};

    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (uint8_t)test_random_u64(&random);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (uint8_t)(i / 100 % 7 + i % 5);
    memcpy(twin_a, "textures........................_level01", 40);
    memset(twin_a + 40, '.', 24);
    memcpy(twin_b, twin_a, sizeof twin_a);
    memcpy(twin_b, "sRb53FgT", 8);
    memcpy(twin_b + 32, "Qj_0zsnQ", 8);
    for (size_t i = 8; i < 64; i++)
        if (twin_a[i] == '.')
            twin_a[i] = twin_b[i] = (char)('a' + i % 23);
}

static const struct tiny_pak_file files[] = {
    {"objects/cube.cgf", noise, 3000, SPN_CODEC_STORE, 0, NULL},
    {"objects/empty", noise, 0, SPN_CODEC_STORE, 0, NULL},
    {"textures/sea.dds", text, PAK_BLOCK_BYTES * 2, SPN_CODEC_LZ4, 3, NULL},
    {"textures/noise.dds", noise, PAK_BLOCK_BYTES + 1, SPN_CODEC_ZSTD, 0, NULL},
    {"sounds/\xc3\xa4.ogg", text + 9, 5000, SPN_CODEC_ZSTD, 2, NULL},
    {"sounds/again.ogg", NULL, 0, 0, 0, "sounds/\xc3\xa4.ogg"},
    {"a", text, 1, SPN_CODEC_LZ4, 0, NULL},
    {twin_a, text, PAK_SECTOR_BYTES, SPN_CODEC_STORE, 0, NULL},
    {twin_b, noise, PAK_SECTOR_BYTES + 1, SPN_CODEC_STORE, 0, NULL},
};
#define FILES (sizeof files / sizeof files[0])

static void make(struct tiny_pak *pak)
{
    fill();
    tiny_pak_make(pak, files, FILES);
}

/* Small enough to be truncated at every byte. No two names share a content,
 * because an index may change that assignment without becoming invalid. */
static void make_small(struct tiny_pak *pak)
{
    static const struct tiny_pak_file some[] = {
        {"a/one", text, 900, SPN_CODEC_LZ4, 2, NULL},
        {"a/two", noise, 70, SPN_CODEC_STORE, 0, NULL},
        {"b", text + 4, 800, SPN_CODEC_ZSTD, 0, NULL},
        {"c", noise, 0, SPN_CODEC_STORE, 0, NULL},
    };

    fill();
    tiny_pak_make(pak, some, sizeof some / sizeof some[0]);
}

/* -- good ones -- */

static void paks_give_every_file_by_its_name(void)
{
    struct spn_fault fault = {0};
    struct tiny_pak pak;

    make(&pak);
    CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_OK);
    for (size_t i = 0; i < FILES; i++) {
        const struct tiny_pak_file *f = files[i].alias ? &files[4] : &files[i];

        test_context("%s", files[i].name);
        CHECK(tiny_pak_has(&pak, files[i].name, f->data, f->bytes));
    }
    CHECK(!tiny_pak_has(&pak, "b", "", 0));
    CHECK(!tiny_pak_has(&pak, "object", "", 0));
    CHECK(!tiny_pak_has(&pak, "objects/cube.cgf2", "", 0));
    CHECK(!tiny_pak_has(&pak, "objects/cube.cg", "", 0));
    CHECK(!tiny_pak_has(&pak, "", "", 0));
    tiny_pak_free(&pak);
}

static void names_with_the_same_hash_are_distinguished(void)
{
    struct tiny_pak_file three[3];
    struct tiny_pak pak;

    fill();
    CHECK_EQ_U(spn__hash64(twin_a, 64, 0), spn__hash64(twin_b, 64, 0));
    CHECK(strcmp(twin_a, twin_b) != 0);
    three[0] = (struct tiny_pak_file){"a", text, 5, 0, 0, NULL};
    three[1] = (struct tiny_pak_file){twin_a, text + 1, 6, 0, 0, NULL};
    three[2] = (struct tiny_pak_file){twin_b, text + 2, 7, 0, 0, NULL};
    tiny_pak_make(&pak, three, 3);
    CHECK(tiny_pak_has(&pak, twin_a, text + 1, 6));
    CHECK(tiny_pak_has(&pak, twin_b, text + 2, 7));
    tiny_pak_free(&pak);
    /* The hash exists, the name does not. */
    tiny_pak_make(&pak, three, 2);
    CHECK(tiny_pak_has(&pak, twin_a, text + 1, 6));
    CHECK(!tiny_pak_has(&pak, twin_b, text + 2, 7));
    tiny_pak_free(&pak);
}

static void a_pak_may_be_empty(void)
{
    struct spn_fault fault = {0};
    struct tiny_pak pak;

    tiny_pak_make(&pak, NULL, 0);
    CHECK_EQ(pak.size, PAK_SECTOR_BYTES);
    CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_OK);
    CHECK(!tiny_pak_has(&pak, "a", "", 0));
    tiny_pak_free(&pak);
}

/* A file cannot also be the folder of other files. */
static void a_file_is_no_folder_of_others(void)
{
    static const struct tiny_pak_file good[] = {
        {.name = "a/b", .data = "1", .bytes = 1},
        {.name = "ab", .data = "2", .bytes = 1},
        {.name = "a/bc", .data = "3", .bytes = 1}};
    static const struct tiny_pak_file bad[] = {
        {.name = "x/a", .data = "1", .bytes = 1},
        {.name = "x/a/b/c", .data = "2", .bytes = 1}};
    struct spn_fault fault = {0};
    struct tiny_pak pak;

    tiny_pak_make(&pak, good, 3);
    CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_OK);
    tiny_pak_free(&pak);
    tiny_pak_make(&pak, bad, 2);
    CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "name below a file");
    tiny_pak_free(&pak);
}

static void names_cannot_leave_the_folder(void)
{
    static const char *const good[] = {"a",       "a/b",         ".a",
                                       "..a/...", "a b/c.",      "\xc3\xa4",
                                       "a/..b",   "\xef\xbf\xbd"};
    static const char *const bad[] = {"",
                                      "/a",
                                      "a/",
                                      "a//b",
                                      ".",
                                      "..",
                                      "a/..",
                                      "../a",
                                      "a/./b",
                                      "a/../b",
                                      "a\\b",
                                      "c:a",
                                      "a\nb",
                                      "a\x7f",
                                      "\xc3",
                                      "a\xc0\xaf",
                                      "\xed\xa0\x80",
                                      "\xe0\x9f\xbf",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\x80",
                                      "\xe2\x82",
                                      "\xbf\xbf",
                                      "\xfc\x80\x80\x80",
                                      "\xc3("};
    char longest[PAK_NAME_BYTES_MAX + 1];

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        test_context("%s", good[i]);
        CHECK(spn__pak_name_is_good(good[i], (uint32_t)strlen(good[i])));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        test_context("%s", bad[i]);
        CHECK(!spn__pak_name_is_good(bad[i], (uint32_t)strlen(bad[i])));
    }
    CHECK(!spn__pak_name_is_good("a\0b", 3));
    CHECK(!spn__pak_name_is_good("\xc3\xa4", 1));
    memset(longest, 'n', sizeof longest);
    CHECK(spn__pak_name_is_good(longest, PAK_NAME_BYTES_MAX - 1));
    CHECK(!spn__pak_name_is_good(longest, PAK_NAME_BYTES_MAX));
}

/* -- cut and changed -- */

static void every_truncation_is_refused(void)
{
    struct spn_fault fault;
    struct tiny_pak pak;

    make_small(&pak);
    for (size_t size = 0; size < pak.size; size++) {
        test_context("%zu bytes", size);
        fault = (struct spn_fault){0};
        CHECK_EQ(tiny_pak_walk(pak.bytes, size, &fault), SPN_ERR_FORMAT);
        CHECK(fault.what != NULL);
        CHECK_STR(fault.what, "file size");
    }
    tiny_pak_free(&pak);
}

/* The same, with a header that states the truncated size. */
static void every_truncation_with_a_matching_header_is_refused(void)
{
    struct spn_fault fault;
    struct tiny_pak pak;

    make_small(&pak);
    for (size_t size = PAK_HEADER_BYTES; size < pak.size; size++) {
        struct pak_wire_header *wire = (void *)pak.bytes;

        test_context("%zu bytes", size);
        spn_store_u64le(wire->file_bytes, size);
        tiny_pak_correct_checksums(pak.bytes, pak.size);
        fault = (struct spn_fault){0};
        CHECK_EQ(tiny_pak_walk(pak.bytes, size, &fault), SPN_ERR_FORMAT);
        CHECK(fault.what != NULL);
    }
    tiny_pak_free(&pak);
}

/* Mark bytes that are in use: all but the padding of sectors. */
static void mark_used(const struct tiny_pak *pak, uint8_t *used)
{
    struct spn_fault fault;
    struct pak_header header;
    struct pak_index index;

    CHECK_EQ(spn__pak_validate_header(pak->bytes, pak->size, &header, &fault),
             SPN_OK);
    CHECK_EQ(spn__pak_validate_index(&header, pak->bytes + PAK_HEADER_BYTES,
                                     &index, &fault),
             SPN_OK);
    memset(used, 0, pak->size);
    memset(used, 1, PAK_HEADER_BYTES + header.index_bytes);
    for (uint32_t i = 0; i < header.copy_count; i++) {
        uint32_t content;
        uint64_t offset = spn__pak_copy_offset(&index, i, &content);

        memset(used + offset, 1,
               (size_t)spn__pak_content(&index, content).stored_bytes);
    }
}

static bool is_checksum_of_head(size_t at)
{
    size_t index = offsetof(struct pak_wire_header, index_checksum);
    size_t header = offsetof(struct pak_wire_header, checksum);

    return (at >= index && at < index + 4) || (at >= header && at < header + 4);
}

static void every_changed_byte_is_detected(void)
{
    static const uint8_t changes[] = {1, 2, 4, 8, 16, 32, 64, 128, 255};
    struct tiny_pak pak;
    uint8_t *damaged;
    uint8_t *used;

    make_small(&pak);
    damaged = malloc(pak.size);
    used = malloc(pak.size);
    mark_used(&pak, used);
    for (size_t at = 0; at < pak.size; at++)
        for (size_t i = 0; i < sizeof changes; i++) {
            struct spn_fault fault = {0};
            spn_status status;

            test_context("byte %zu ^ %u", at, changes[i]);
            memcpy(damaged, pak.bytes, pak.size);
            damaged[at] ^= changes[i];
            if (is_checksum_of_head(at)) {
                CHECK_EQ(tiny_pak_walk(damaged, pak.size, &fault),
                         SPN_ERR_CHECKSUM);
                continue;
            }
            tiny_pak_correct_checksums(damaged, pak.size);
            status = tiny_pak_walk(damaged, pak.size, &fault);
            CHECK_EQ(status != SPN_OK, used[at]);
            if (status == SPN_OK)
                continue;
            CHECK(fault.what != NULL);
            CHECK_EQ(fault.status, status);
            CHECK(fault.offset < pak.size);
        }
    free(used);
    free(damaged);
    tiny_pak_free(&pak);
}

static void random_damage_does_no_harm(void)
{
    struct test_random random = {11};
    struct tiny_pak pak;
    struct pak_wire_header *wire;
    uint8_t *damaged;
    uint32_t index_bytes;

    make(&pak);
    wire = (void *)pak.bytes;
    index_bytes = spn_load_u32le(wire->index_bytes);
    damaged = malloc(pak.size);
    for (uint32_t round = 0; round < 4000; round++) {
        uint32_t count = 1 + test_random_below(&random, 6);
        struct spn_fault fault = {0};
        spn_status status;

        test_context("round %u", round);
        memcpy(damaged, pak.bytes, pak.size);
        for (uint32_t i = 0; i < count; i++) {
            size_t at = test_random_below(
                &random,
                round & 1 ? PAK_HEADER_BYTES : PAK_HEADER_BYTES + index_bytes);
            uint32_t how = test_random_below(&random, 4);

            damaged[at] = how == 0   ? 0
                          : how == 1 ? 0xff
                          : how == 2 ? (uint8_t)(damaged[at] + 1)
                                     : (uint8_t)test_random_u64(&random);
        }
        memcpy(damaged, PAK_SIGNATURE, 8);
        tiny_pak_correct_checksums(damaged, pak.size);
        status = tiny_pak_walk(damaged, pak.size, &fault);
        if (status != SPN_OK)
            CHECK(fault.what != NULL);
    }
    free(damaged);
    tiny_pak_free(&pak);
}

/* -- wrong values, one by one -- */

/* The tables of the small pak. */
struct tables {
    struct tiny_pak_tables at;
    struct pak_header header;
    struct pak_index index;
};

static void find_tables(const struct tiny_pak *pak, struct tables *t)
{
    struct spn_fault fault;

    CHECK_EQ(
        spn__pak_validate_header(pak->bytes, pak->size, &t->header, &fault),
        SPN_OK);
    CHECK_EQ(spn__pak_validate_index(&t->header, pak->bytes + PAK_HEADER_BYTES,
                                     &t->index, &fault),
             SPN_OK);
    CHECK(tiny_pak_find(pak->bytes, pak->size, &t->at));
    CHECK(t->index.entries == pak->bytes + t->at.entries);
    CHECK((const uint8_t *)t->index.names == pak->bytes + t->at.names);
}

/* Store `value` of `width` bytes at `at`; this must be the fault. */
static void expect(const struct tiny_pak *pak, size_t at, uint32_t width,
                   uint64_t value, const char *what, uint64_t fault_at)
{
    uint8_t *damaged = malloc(pak->size);
    struct spn_fault fault = {0};

    memcpy(damaged, pak->bytes, pak->size);
    for (uint32_t i = 0; i < width; i++)
        damaged[at + i] = (uint8_t)(value >> (8 * i));
    tiny_pak_correct_checksums(damaged, pak->size);
    test_context("%s: %llu at %zu", what, (unsigned long long)value, at);
    CHECK_EQ(tiny_pak_walk(damaged, pak->size, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, what);
    CHECK_EQ_U(fault.offset, fault_at);
    free(damaged);
}

static void wrong_header_fields_are_refused_by_name(void)
{
#define HEAD(field) offsetof(struct pak_wire_header, field)
    static const struct {
        const char *what;
        size_t at;
    } counts[] = {
        {"size of the index", HEAD(entry_count)},
        {"size of the index", HEAD(content_count)},
        {"size of the index", HEAD(copy_count)},
        {"size of the index", HEAD(block_count)},
        {"size of the index", HEAD(name_bytes)},
        {"size of the index", HEAD(index_bytes)},
    };
    struct tiny_pak pak;

    make_small(&pak);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        expect(&pak, counts[i].at, 4, 0, counts[i].what, HEAD(index_bytes));
        expect(&pak, counts[i].at, 4, UINT32_MAX, counts[i].what,
               HEAD(index_bytes));
    }
    expect(&pak, HEAD(file_bytes), 8, UINT64_MAX, "file size",
           HEAD(file_bytes));
    expect(&pak, HEAD(data_offset), 8, 0, "offset of the data",
           HEAD(data_offset));
    expect(&pak, HEAD(data_offset), 8, UINT64_MAX, "offset of the data",
           HEAD(data_offset));
    expect(&pak, HEAD(reserved) + 67, 1, 1, "reserved bytes", HEAD(reserved));
    expect(&pak, 0, 8, 0, "signature of an unfinished file", 0);
    tiny_pak_free(&pak);
}

static void other_versions_are_refused_by_name(void)
{
    struct spn_fault fault = {0};
    struct tiny_pak pak;

    make_small(&pak);
    spn_store_u32le(pak.bytes + HEAD(version), PAK_VERSION + 1);
    CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_ERR_VERSION);
    CHECK_EQ_U(fault.value, PAK_VERSION + 1);
    CHECK_EQ_U(fault.expected, PAK_VERSION);
    tiny_pak_free(&pak);
}

/* A content with two copies, and its offset. */
static uint32_t content_with_copies(const struct tables *t)
{
    for (uint32_t i = 0; i < t->header.content_count; i++)
        if (spn__pak_content(&t->index, i).copy_count == 2)
            return i;
    return PAK_NONE;
}

static void wrong_entries_and_contents_are_refused_by_name(void)
{
    struct tiny_pak pak;
    struct tables t;
    struct pak_content c;
    size_t content;
    size_t last;
    uint32_t number;

    make_small(&pak);
    find_tables(&pak, &t);
    last = t.at.entries + (t.header.entry_count - 1) * 16;
    expect(&pak, t.at.entries, 8, 0, "hash of a name", t.at.entries);
    expect(&pak, t.at.entries + 8, 4, 1, "place of a name", t.at.entries + 8);
    expect(&pak, last + 8, 4, UINT32_MAX, "place of a name", last + 8);
    expect(&pak, t.at.entries + 12, 4, 1, "content of an entry",
           t.at.entries + 12);
    expect(&pak, last + 12, 4, UINT32_MAX, "content of an entry", last + 12);
    expect(&pak, t.at.names, 1, '/', "name", t.at.names);
    /* Two names become one, and the last has no end. */
    expect(&pak, t.at.names + t.header.name_bytes - 1, 1, 'x', "end of a name",
           t.at.names + spn_load_u32le(pak.bytes + last + 8));

    number = content_with_copies(&t);
    CHECK(number != PAK_NONE);
    content = t.at.contents + (size_t)number * 32;
    c = spn__pak_content(&t.index, number);
    expect(&pak, content, 8, UINT64_MAX, "size of a content", content);
    expect(&pak, content, 8, UINT64_C(1) << 47, "size of a content", content);
    expect(&pak, content, 8, 0, "stored size of a content", content + 8);
    expect(&pak, content, 8, 1, "stored size of a content", content + 8);
    expect(&pak, content + 8, 8, 0, "stored size of a content", content + 8);
    expect(&pak, content + 8, 8, UINT64_MAX, "stored size of a content",
           content + 8);
    expect(&pak, content + 8, 8, c.bytes, "codec of a content", content + 28);
    expect(&pak, content + 8, 8, c.stored_bytes - 1, "end of the last block",
           t.at.blocks + (size_t)c.first_block * 10);
    expect(&pak, content + 16, 4, c.first_block + 1, "first block of a content",
           content + 16);
    expect(&pak, content + 20, 4, c.first_copy + 1, "first copy of a content",
           content + 20);
    expect(&pak, content + 24, 4, 0, "copies of a content", content + 24);
    expect(&pak, content + 24, 4, UINT32_MAX, "copies of a content",
           content + 24);
    expect(&pak, content + 28, 1, SPN_CODEC_STORE, "codec of a content",
           content + 28);
    expect(&pak, content + 31, 1, 1, "reserved bytes", content + 29);
    tiny_pak_free(&pak);
}

static void wrong_copies_order_and_blocks_are_refused_by_name(void)
{
    struct tiny_pak pak;
    struct tables t;
    struct pak_content c;
    uint64_t first;
    uint64_t second;
    uint32_t number;
    size_t copy;

    make_small(&pak);
    find_tables(&pak, &t);
    number = content_with_copies(&t);
    c = spn__pak_content(&t.index, number);
    copy = t.at.copies + (size_t)c.first_copy * 12;
    first = spn__pak_copy_offset(&t.index, c.first_copy, NULL);
    second = spn__pak_copy_offset(&t.index, c.first_copy + 1, NULL);
    /* The same offset twice; in the wrong order; within a sector; in the index;
     * after the end. */
    expect(&pak, copy + 12, 8, first, "order of the copies", copy + 12);
    expect(&pak, copy, 8, second + PAK_SECTOR_BYTES, "order of the copies",
           copy + 12);
    expect(&pak, copy, 8, first + 1, "offset of a copy", copy);
    expect(&pak, copy, 8, 0, "order of the copies", copy);
    expect(&pak, copy, 8, PAK_HEADER_BYTES, "offset of a copy", copy);
    expect(&pak, copy + 12, 8, UINT64_MAX, "offset of a copy", copy + 12);
    expect(&pak, copy + 12, 8, second + PAK_SECTOR_BYTES, "offset of a copy",
           copy + 12);
    expect(&pak, copy + 8, 4, number + 1, "content of a copy", copy + 8);
    expect(&pak, copy + 8, 4, UINT32_MAX, "content of a copy", copy + 8);
    /* The offset order has one copy twice, and lacks another. */
    expect(&pak, t.at.offset_order + 4, 4,
           spn_load_u32le(pak.bytes + t.at.offset_order), "offset of a copy",
           t.at.copies + spn_load_u32le(pak.bytes + t.at.offset_order) * 12);
    expect(&pak, t.at.offset_order, 4, t.header.copy_count,
           "copy in the offset order", t.at.offset_order);
    expect(&pak, t.at.offset_order, 4, UINT32_MAX, "copy in the offset order",
           t.at.offset_order);
    /* An empty block, and one larger than raw. */
    expect(&pak, t.at.blocks, 6, 0, "end of a block", t.at.blocks);
    expect(&pak, t.at.blocks, 6, (UINT64_C(1) << 48) - 1, "end of a block",
           t.at.blocks);
    tiny_pak_free(&pak);
}

/* A content that claims fewer bytes leaves bytes without owner; one that claims
 * more shares bytes. */
static void places_cover_each_byte_once(void)
{
    struct tiny_pak pak;
    struct tables t;
    struct tiny_pak_file two[2];
    size_t first;
    size_t after;

    fill();
    two[0] =
        (struct tiny_pak_file){"a", noise, PAK_SECTOR_BYTES * 2, 0, 0, NULL};
    two[1] = (struct tiny_pak_file){"b", noise + 1, 1000, 0, 0, NULL};
    tiny_pak_make(&pak, two, 2);
    find_tables(&pak, &t);
    first = spn__pak_content(&t.index, 0).bytes == 1000;
    after = t.at.copies + (first == 0 ? 12u : 0u);
    /* Both sizes and the end of the block, changed consistently. */
    for (uint64_t size = PAK_SECTOR_BYTES; size <= PAK_SECTOR_BYTES * 3;
         size += PAK_SECTOR_BYTES * 2) {
        size_t content = t.at.contents + first * 32;
        size_t block = t.at.blocks + first * 10;

        spn_store_u64le(pak.bytes + content, size);
        spn_store_u64le(pak.bytes + content + 8, size);
        spn_store_u32le(pak.bytes + block, (uint32_t)size);
        expect(&pak, block, 4, size, "offset of a copy", after);
    }
    tiny_pak_free(&pak);
}

/* Every count may be larger, with space for the additional entries. */
static void surplus_table_entries_are_refused_by_name(void)
{
    static const struct {
        const char *what;
        size_t at;
        uint32_t bytes;
    } tables[] = {
        {"size of the names", HEAD(name_bytes), 1},
        {"blocks of all contents", HEAD(block_count), 10},
    };
    struct tiny_pak pak;
    struct tables t;

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        uint8_t *count;

        make_small(&pak);
        find_tables(&pak, &t);
        count = pak.bytes + tables[i].at;
        spn_store_u32le(count, spn_load_u32le(count) + 1);
        /* Blocks come before the names. */
        if (i == 1)
            memmove(pak.bytes + t.at.names + 10, pak.bytes + t.at.names,
                    t.header.name_bytes);
        expect(&pak, HEAD(index_bytes), 4,
               t.header.index_bytes + tables[i].bytes, tables[i].what,
               tables[i].at);
        tiny_pak_free(&pak);
    }
}

/* An additional copy, also in the offset order, that belongs to no content. */
static void unused_copies_are_refused(void)
{
    struct tiny_pak pak;
    struct tables t;
    uint8_t *order;

    make_small(&pak);
    find_tables(&pak, &t);
    order = pak.bytes + t.at.offset_order;
    memmove(order + 16, order,
            t.header.index_bytes - (t.at.offset_order - PAK_HEADER_BYTES));
    /* The new copy follows the others; its number follows theirs. */
    memmove(order + 12, order + 16, t.header.copy_count * 4);
    memset(order, 0, 12);
    spn_store_u32le(pak.bytes + HEAD(copy_count), t.header.copy_count + 1);
    expect(&pak, HEAD(index_bytes), 4, t.header.index_bytes + 16,
           "copies of all contents", HEAD(copy_count));
    tiny_pak_free(&pak);
}

static void unused_sectors_are_refused(void)
{
    struct spn_fault fault = {0};
    struct tiny_pak pak;

    make_small(&pak);
    pak.bytes = realloc(pak.bytes, pak.size + PAK_SECTOR_BYTES);
    memset(pak.bytes + pak.size, 0, PAK_SECTOR_BYTES);
    pak.size += PAK_SECTOR_BYTES;
    spn_store_u64le(pak.bytes + HEAD(file_bytes), pak.size);
    tiny_pak_correct_checksums(pak.bytes, pak.size);
    CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_ERR_FORMAT);
    CHECK_STR(fault.what, "end of the last copy");
    CHECK_EQ_U(fault.value, pak.size);
    CHECK_EQ_U(fault.expected, pak.size - PAK_SECTOR_BYTES);
    tiny_pak_free(&pak);
}

static void an_index_has_a_checksum_and_a_limit(void)
{
    struct spn_fault fault = {0};
    struct pak_header header;
    struct tiny_pak pak;

    make_small(&pak);
    pak.bytes[PAK_HEADER_BYTES + 3] ^= 1;
    CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_ERR_CHECKSUM);
    CHECK_STR(fault.what, "checksum of the index");
    CHECK_EQ_U(fault.offset, PAK_HEADER_BYTES);
    tiny_pak_free(&pak);

    tiny_pak_make(&pak, NULL, 0);
    for (uint32_t more = 0; more < 2; more++) {
        uint32_t names = PAK_INDEX_BYTES_MAX + more;

        spn_store_u32le(pak.bytes + HEAD(name_bytes), names);
        spn_store_u32le(pak.bytes + HEAD(index_bytes), names);
        spn_store_u64le(pak.bytes + HEAD(data_offset),
                        pak_sector_ceil(PAK_HEADER_BYTES + (uint64_t)names));
        spn_store_u64le(pak.bytes + HEAD(file_bytes), UINT64_C(1) << 40);
        tiny_pak_correct_checksums(pak.bytes, pak.size);
        CHECK_EQ(spn__pak_validate_header(pak.bytes, UINT64_C(1) << 40, &header,
                                          &fault),
                 more ? SPN_ERR_FORMAT : SPN_OK);
    }
    CHECK_STR(fault.what, "size of the index");
    tiny_pak_free(&pak);
}

static void swap(uint8_t *a, uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t kept = a[i];

        a[i] = b[i];
        b[i] = kept;
    }
}

/* Three names of 64 bytes, two with the same hash: exchanged, or equal.
 */
static void names_are_sorted_and_unique(void)
{
    static char other[65];
    struct tiny_pak_file three[3];

    fill();
    memset(other, 'o', 64);
    three[0] = (struct tiny_pak_file){other, noise, 5, 0, 0, NULL};
    three[1] = (struct tiny_pak_file){twin_a, noise + 1, 5, 0, 0, NULL};
    three[2] = (struct tiny_pak_file){twin_b, noise + 2, 5, 0, 0, NULL};
    for (uint32_t round = 0; round < 4; round++) {
        struct spn_fault fault = {0};
        struct tiny_pak pak;
        struct tables t;
        uint8_t *entry;
        uint8_t *name;

        tiny_pak_make(&pak, three, 3);
        find_tables(&pak, &t);
        for (uint32_t i = 0; i < 2; i++) {
            entry = pak.bytes + t.at.entries + (size_t)i * 16;
            name = pak.bytes + t.at.names + (size_t)i * 65;
            if (round == i) {
                swap(entry, entry + 16, 8);
                swap(name, name + 65, 65);
            } else if (round == i + 2) {
                memcpy(entry + 16, entry, 8);
                memcpy(name + 65, name, 65);
            }
        }
        tiny_pak_correct_checksums(pak.bytes, pak.size);
        test_context("round %u", round);
        CHECK_EQ(tiny_pak_walk(pak.bytes, pak.size, &fault), SPN_ERR_FORMAT);
        CHECK_STR(fault.what, "order of the names");
        CHECK_EQ_U(fault.offset, t.at.entries + (round % 2 + 1) * 16);
        tiny_pak_free(&pak);
    }
}

TEST_MAIN(TEST(paks_give_every_file_by_its_name),
          TEST(names_with_the_same_hash_are_distinguished),
          TEST(a_pak_may_be_empty), TEST(names_cannot_leave_the_folder),
          TEST(a_file_is_no_folder_of_others),
          TEST(every_truncation_is_refused),
          TEST(every_truncation_with_a_matching_header_is_refused),
          TEST(every_changed_byte_is_detected),
          TEST(random_damage_does_no_harm),
          TEST(wrong_header_fields_are_refused_by_name),
          TEST(other_versions_are_refused_by_name),
          TEST(wrong_entries_and_contents_are_refused_by_name),
          TEST(wrong_copies_order_and_blocks_are_refused_by_name),
          TEST(places_cover_each_byte_once),
          TEST(surplus_table_entries_are_refused_by_name),
          TEST(unused_copies_are_refused), TEST(unused_sectors_are_refused),
          TEST(an_index_has_a_checksum_and_a_limit),
          TEST(names_are_sorted_and_unique))
