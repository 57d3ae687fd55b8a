/* test_faults.c
 *
 * Goal: a fault names the error, the file, the place in it, the value found
 *   and the value expected. The tool's reader and the runtime find the same
 *   fault, and the tool reports it in the same words.
 * Method: each part of a small cache is damaged in turn, with the old or with
 *   new checksums. Both readers open it or show the damaged frame.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "cache/cache_wire.h"
#include "cachefile/cache_reader.h"
#include "common/fault_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME 12u
#define HEADER(field) offsetof(struct wire_header, field)

static struct stage stage;
static const struct tiny_options options = {.has_colors = true};

static const char *write_file(const struct tiny_cache *t)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/fault.sgc", test_temp());
    tiny_write(t, path);
    return path;
}

/* The fault that the tool's reader reports for the file or for one frame. */
static void read_text(const struct tiny_cache *t, uint32_t frame,
                      char out[1024])
{
    struct cache_reader *reader;
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    reader = cache_reader_open(write_file(t), &diag);
    if (frame != FAULT_NO_FRAME) {
        CHECK(reader != NULL);
        CHECK(cache_reader_frame(reader, frame) == NULL);
    }
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    strcpy(out, diag.text);
    cache_reader_close(reader);
    diag_finish(&diag);
}

/* The tool's text for the runtime's fault. */
static void refuse_text(const spn_fault *fault, uint32_t frame, char out[1024])
{
    struct diag diag;
    char path[512];

    snprintf(path, sizeof path, "%s/fault.sgc", test_temp());
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!fault_refuse(&diag, path, frame, fault));
    strcpy(out, diag.text);
    diag_finish(&diag);
}

/* The fault that the runtime reports. The stage takes ownership of the
 * cache. */
static spn_fault play(struct tiny_cache *t, uint32_t frame)
{
    spn_fault fault = {0};
    spn_status status = SPN_PENDING;

    stage_init(&stage, t);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    for (int i = 0; i < 200 && status == SPN_PENDING; i++) {
        stage_tick(&stage, STAGE_TICK_US);
        status = spn_cache_get_status(stage.rt, stage.cache, &fault);
    }
    if (frame != FAULT_NO_FRAME) {
        spn_node node = stage_node(&stage, false);
        spn_node_state state;

        CHECK_EQ(status, SPN_OK);
        CHECK_EQ(
            spn_node_set_playback_time(stage.rt, node, (int64_t)frame * 33333),
            SPN_OK);
        for (int i = 0; i < 20; i++)
            stage_tick(&stage, STAGE_TICK_US);
        state = stage_state(&stage, node);
        CHECK(state.frames_dropped >= 1); /* and the frames that refer to it */
        CHECK_EQ(state.fault_frame, frame);
        CHECK_EQ(state.status, state.fault.status);
        fault = state.fault;
        status = state.status;
    }
    CHECK(status < 0);
    CHECK_EQ(fault.status, status);
    CHECK_STR(fault.file, "a");
    return fault;
}

struct expectation {
    const char *what;
    spn_status status;
    uint64_t offset;
    uint64_t value;
    uint64_t expected;
    uint32_t has_expected;
};

static void check_both_readers(struct tiny_cache *t, uint32_t frame,
                               const struct expectation *e)
{
    char reader[1024];
    char runtime[1024];
    spn_fault fault;

    test_context("%s", e->what);
    read_text(t, frame, reader);
    fault = play(t, frame);
    CHECK_STR(fault.what, e->what);
    CHECK_EQ(fault.status, e->status);
    CHECK_EQ_U(fault.offset, e->offset);
    CHECK_EQ_U(fault.value, e->value);
    CHECK_EQ_U(fault.has_expected, e->has_expected);
    if (e->has_expected)
        CHECK_EQ_U(fault.expected, e->expected);
    refuse_text(&fault, frame, runtime);
    CHECK_STR(runtime, reader);
    stage_close(&stage);
}

/* -- faults found by opening -- */

static void faults_of_the_header_name_field_and_value(void)
{
    static const struct {
        size_t at;
        uint64_t set; /* value of 32 or 64 bits */
        bool is_wide;
        struct expectation e;
    } rows[] = {
        {HEADER(version),
         77,
         false,
         {"version", SPN_ERR_VERSION, HEADER(version), 77, CACHE_VERSION, 1}},
        /* The versions before this one. */
        {HEADER(version),
         2,
         false,
         {"version", SPN_ERR_VERSION, HEADER(version), 2, CACHE_VERSION, 1}},
        {HEADER(version),
         8,
         false,
         {"version", SPN_ERR_VERSION, HEADER(version), 8, CACHE_VERSION, 1}},
        {HEADER(codec),
         77,
         false,
         {"block codec", SPN_ERR_NO_CODEC, HEADER(codec), 77, 0, 0}},
        {HEADER(frame_count),
         0,
         false,
         {"frame count", SPN_ERR_FORMAT, HEADER(frame_count), 0, 0, 0}},
        {HEADER(frame_table_offset),
         300,
         true,
         {"frame table offset", SPN_ERR_FORMAT, HEADER(frame_table_offset), 300,
          CACHE_HEADER_BYTES, 1}},
        {HEADER(duration_us),
         UINT64_C(1) << 61,
         true,
         {"duration", SPN_ERR_FORMAT, HEADER(duration_us), UINT64_C(1) << 61, 0,
          0}},
        {HEADER(tile_count),
         0x1000000,
         false,
         {"tile count", SPN_ERR_FORMAT, HEADER(tile_count), 0x1000000, 0, 0}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tiny_cache *t = tiny_build(&options);
        struct wire_header *head = (void *)t->bytes;

        /* The greatest number of parts that tiles can have. */
        if (rows[i].at == HEADER(tile_count))
            spn_store_u32le(head->part_count, 0x1000000);
        if (rows[i].is_wide)
            spn_store_u64le(t->bytes + rows[i].at, rows[i].set);
        else
            spn_store_u32le(t->bytes + rows[i].at, (uint32_t)rows[i].set);
        tiny_correct_checksums(t);
        check_both_readers(t, FAULT_NO_FRAME, &rows[i].e);
    }
}

static void faults_of_a_size_name_it(void)
{
    struct tiny_cache *t = tiny_build(&options);
    struct expectation e = {"file size", SPN_ERR_FORMAT,     0,
                            100,         CACHE_HEADER_BYTES, 1};

    t->size = 100;
    check_both_readers(t, FAULT_NO_FRAME, &e);
    t = tiny_build(&options);
    e.offset = HEADER(file_bytes);
    e.expected = t->size;
    e.has_expected = 1;
    t->size--;
    e.value = t->size;
    check_both_readers(t, FAULT_NO_FRAME, &e);
}

/* Flip one bit and keep the old checksum. */
static void check_checksum(struct tiny_cache *t, uint32_t frame,
                           const char *what, uint64_t flipped, uint64_t first,
                           uint64_t limit, uint32_t stored)
{
    struct expectation e = {what, SPN_ERR_CHECKSUM, first, 0, stored, 1};

    t->bytes[flipped] ^= 0x10;
    e.value =
        spn__checksum(t->bytes + first, (size_t)(limit - first), WIRE_SEED);
    check_both_readers(t, frame, &e);
}

static void faults_of_checksums_state_both_sums(void)
{
    struct tiny_cache *t = tiny_build(&options);
    const struct wire_header *head = (const void *)t->bytes;

    check_checksum(t, FAULT_NO_FRAME, "checksum of the header", 20, 0,
                   HEADER(checksum), spn_load_u32le(head->checksum));
    t = tiny_build(&options);
    head = (const void *)t->bytes;
    check_checksum(t, FAULT_NO_FRAME, "checksum of the frame table",
                   t->frame_table_offset + 100, t->frame_table_offset,
                   t->tables_offset,
                   spn_load_u32le(head->frame_table_checksum));
    t = tiny_build(&options);
    head = (const void *)t->bytes;
    check_checksum(t, FAULT_NO_FRAME, "checksum of the tables",
                   t->tables_offset + 30, t->tables_offset, t->blobs_offset,
                   spn_load_u32le(head->tables_checksum));
}

static void faults_of_static_data_lie_in_the_file(void)
{
    struct tiny_cache *t = tiny_build(&options);
    const struct wire_header *head = (const void *)t->bytes;
    uint32_t count = spn_load_u32le(head->blob_count);
    const struct wire_blob *blobs =
        (const void *)(t->bytes + t->blobs_offset -
                       count * sizeof(struct wire_blob));
    uint32_t skipped = spn_load_u32le(blobs[0].stored) & ~WIRE_RAW_BIT;
    uint32_t bytes = spn_load_u32le(blobs[1].stored) & ~WIRE_RAW_BIT;
    uint64_t first = t->blobs_offset + skipped;

    CHECK(count > 1);
    check_checksum(t, FAULT_NO_FRAME, "checksum of a block", first + bytes / 2,
                   first, first + bytes, spn_load_u32le(blobs[1].checksum));
}

static void faults_of_tables_lie_in_the_file(void)
{
    struct tiny_cache *t = tiny_build(&options);
    uint64_t at = t->frame_table_offset + 5 * CACHE_FRAME_ENTRY_BYTES +
                  offsetof(struct wire_frame, type);
    struct expectation e = {"frame type", SPN_ERR_FORMAT, at, 7, 0, 0};
    const struct wire_header *head;

    t->bytes[at] = 7;
    tiny_correct_checksums(t);
    check_both_readers(t, FAULT_NO_FRAME, &e);
    /* The second node, which follows the names. */
    t = tiny_build(&options);
    head = (const void *)t->bytes;
    at = t->tables_offset + spn_load_u32le(head->name_bytes) +
         sizeof(struct wire_node) + offsetof(struct wire_node, parent);
    e = (struct expectation){"node parent", SPN_ERR_FORMAT, at, 9, 0, 0};
    spn_store_u32le(t->bytes + at, 9);
    tiny_correct_checksums(t);
    check_both_readers(t, FAULT_NO_FRAME, &e);
}

/* -- faults found in playback -- */

static void faults_of_frames_lie_in_the_file(void)
{
    struct tiny_cache *t = tiny_build(&options);
    const struct wire_header *head = (const void *)t->bytes;
    uint32_t blocks = spn_load_u32le(head->block_count);
    uint64_t first = t->frame_offset[FRAME];
    uint64_t entries = first + CACHE_DIRECTORY_HEAD_BYTES;
    uint64_t limit = entries + (uint64_t)blocks * CACHE_DIRECTORY_ENTRY_BYTES;
    const struct wire_directory_entry *last;
    uint64_t at = limit + spn_load_u32le(head->box_bytes);

    check_checksum(t, FRAME, "checksum of a directory", entries + 3, first + 4,
                   at, spn_load_u32le(t->bytes + first));
    t = tiny_build(&options);
    for (uint32_t b = 0; b + 1 < blocks; b++)
        at += spn_load_u32le(t->bytes + entries +
                             b * CACHE_DIRECTORY_ENTRY_BYTES) &
              ~WIRE_RAW_BIT;
    last = (const void *)(t->bytes + limit - CACHE_DIRECTORY_ENTRY_BYTES);
    CHECK(at < first + t->frame_bytes[FRAME]);
    check_checksum(
        t, FRAME, "checksum of a block", first + t->frame_bytes[FRAME] - 1, at,
        first + t->frame_bytes[FRAME], spn_load_u32le(last->checksum));
}

/* Failures of the device also have a place. */
static void faults_of_the_device_state_the_bytes_read(void)
{
    struct slow_fault error = {.kind = SLOW_ERROR, .path = "a"};
    struct tiny_cache *t = tiny_build(&options);
    spn_fault fault = {0};
    uint64_t first = t->frame_offset[FRAME];

    stage_init(&stage, t);
    error.offset = t->frame_table_offset + 10;
    error.bytes = 1;
    slow_platform_fault(&stage.disc, &error);
    stage_start(&stage);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    for (int i = 0; i < 20; i++)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_cache_get_status(stage.rt, stage.cache, &fault), SPN_ERR_IO);
    CHECK_EQ(fault.status, SPN_ERR_IO);
    CHECK(fault.what != NULL);
    CHECK_EQ_U(fault.value, 0);
    CHECK(fault.has_expected && fault.expected > 0);
    stage_close(&stage);

    stage_init(&stage, tiny_build(&options));
    stage_open(&stage);
    error.offset = first;
    slow_platform_fault(&stage.disc, &error);
    {
        spn_node node = stage_node(&stage, false);

        CHECK_EQ(spn_node_set_playback_time(stage.rt, node, FRAME * 33333),
                 SPN_OK);
        for (int i = 0; i < 40; i++)
            stage_tick(&stage, STAGE_TICK_US);
        fault = stage_state(&stage, node).fault;
    }
    CHECK_EQ(fault.status, SPN_ERR_IO);
    CHECK_STR(fault.what, "unreadable frame");
    CHECK_STR(fault.file, "a");
    stage_close(&stage);
}

static void faults_of_sizes_name_the_limit(void)
{
    struct tiny_options o = {.frame_count = 21, .vertices = 8192};
    spn_node_state state;
    spn_node node;

    for (int is_table = 0; is_table < 2; is_table++) {
        stage_init(&stage, tiny_build(&o));
        stage.config.heap_bytes = is_table ? 8 << 20 : 1 << 20;
        stage.config.stream_frame_count = is_table ? 8 : 0;
        stage_open(&stage);
        node = stage_node(&stage, true);
        CHECK_EQ(spn_node_start_streaming(stage.rt, node, 0), SPN_OK);
        stage_tick(&stage, STAGE_TICK_US);
        state = stage_state(&stage, node);
        CHECK_EQ(state.fault.status, state.status);
        CHECK(state.fault.has_expected);
        CHECK_EQ_U(state.fault.value, is_table ? 8 : 1 << 20);
        CHECK(state.fault.expected > state.fault.value);
        stage_close(&stage);
    }
}

/* -- messages -- */

static void faults_have_one_wording(void)
{
    static const struct {
        spn_fault fault;
        const char *text;
    } rows[] = {
        {{.what = "checksum of a block",
          .value = 0x1234,
          .expected = 0xabcdef01,
          .has_expected = 1,
          .status = SPN_ERR_CHECKSUM},
         "checksum of a block: found 0x00001234, expected 0xabcdef01 (checksum "
         "mismatch)"},
        {{.what = "frame type", .value = 7, .status = SPN_ERR_FORMAT},
         "frame type: found 7 (the file is damaged or not of this format)"},
        {{.what = "signature",
          .value = UINT64_C(0x4142434445464748),
          .status = SPN_ERR_FORMAT},
         "signature: found 0x4142434445464748 (the file is damaged or not of "
         "this format)"},
        {{.what = "signature",
          .value = UINT64_C(0x4b41504c444e5053),
          .status = SPN_ERR_FORMAT},
         "signature: found 0x4b41504c444e5053 (this is a pak: its files are "
         "FILE.spk:NAME)"},
        {{.status = SPN_ERR_FORMAT},
         "data: found 0 (the file is damaged or not of this format)"},
    };
    char text[400];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fault_text(&rows[i].fault, text, sizeof text);
        CHECK_STR(text, rows[i].text);
        fault_text(&rows[i].fault, text, 10);
        CHECK_EQ_U(strlen(text), 9);
    }
}

static void faults_give_the_exit_code_of_their_kind(void)
{
    static const struct {
        spn_status status;
        enum exit_code code;
    } rows[] = {{SPN_ERR_FORMAT, EXIT_INPUT_REFUSED},
                {SPN_ERR_CHECKSUM, EXIT_INPUT_REFUSED},
                {SPN_ERR_MEMORY, EXIT_INPUT_REFUSED},
                {SPN_ERR_IO, EXIT_IO_FAILED},
                {SPN_ERR_NOT_FOUND, EXIT_IO_FAILED}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        spn_fault fault = {.what = "x", .status = rows[i].status};
        struct diag diag;

        diag_init(&diag);
        diag.is_silent = true;
        CHECK(!fault_refuse(&diag, "f", FAULT_NO_FRAME, &fault));
        CHECK_EQ(diag.code, rows[i].code);
        CHECK_EQ(diag.refusal.fault.status, rows[i].status);
        diag_finish(&diag);
    }
}

static void faults_state_their_consequence(void)
{
    spn_fault fault = {.what = "x", .offset = 16, .status = SPN_ERR_FORMAT};
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!fault_refuse_with(&diag, "f", 3, &fault, "; 4 frames"));
    CHECK_STR(diag.text, "f: offset 0x10: frame 3: x: found 0 (the file is "
                         "damaged or not of this format); 4 frames");
    diag_finish(&diag);
    fault.status = SPN_ERR_IO;
    diag_init(&diag);
    diag.is_silent = true;
    CHECK(!fault_refuse_with(&diag, "f", 3, &fault, "; 4 frames"));
    CHECK_STR(diag.text,
              "f: offset 0x10: frame 3: the device failed; 4 frames");
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    diag_finish(&diag);
}

TEST_MAIN(TEST(faults_of_the_header_name_field_and_value),
          TEST(faults_of_a_size_name_it),
          TEST(faults_of_checksums_state_both_sums),
          TEST(faults_of_static_data_lie_in_the_file),
          TEST(faults_of_tables_lie_in_the_file),
          TEST(faults_of_frames_lie_in_the_file),
          TEST(faults_of_the_device_state_the_bytes_read),
          TEST(faults_of_sizes_name_the_limit), TEST(faults_have_one_wording),
          TEST(faults_give_the_exit_code_of_their_kind),
          TEST(faults_state_their_consequence))
