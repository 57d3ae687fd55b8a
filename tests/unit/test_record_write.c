/* test_record_write.c
 *
 * Goal: a record is written as a trace that the tool can read, in pieces that
 * the sink may refuse.
 * Method: the whole text of one record with all features; the tool's parser; a
 * sink that fails at each piece; each wrong argument by itself.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "pack/read_trace.h"

#include <spindle/record.h>
#include <string.h>

#define TEXT_BYTES 65536u

static char written[TEXT_BYTES + 1];
static uint32_t used;
static uint32_t pieces;
static uint32_t refused_piece; /* 0: none */

static spn_status append(void *user, const char *text, uint32_t bytes)
{
    CHECK(user == written);
    CHECK(bytes > 0 && bytes <= 256 && bytes <= TEXT_BYTES - used);
    if (++pieces == refused_piece)
        return SPN_FULL;
    memcpy(written + used, text, bytes);
    used += bytes;
    written[used] = '\0';
    return SPN_OK;
}

static spn_status write_list(const spn_record_list *list)
{
    used = 0;
    pieces = 0;
    written[0] = '\0';
    return spn_record_write(list, append, written);
}

/* "a" at 0, odd bytes at 2. */
static const char text[] = "a\0q\"b\\s\tx\x7f\xc3\xa4\xff\xe2\x82";
static const spn_record_event events[] = {
    {.at_us = 1000,
     .path = 0,
     .task = SPN_TASK_USER,
     .priority = SPN_PRIORITY_NORMAL},
    {.at_us = 1500,
     .offset = 65536,
     .bytes = UINT64_C(9007199254740992),
     .deadline_us = 2500,
     .path = 2,
     .task = SPN_TASK_GEOM_CACHE,
     .priority = SPN_PRIORITY_URGENT},
    /* Older than the event before, and its deadline has passed. */
    {.at_us = 1400,
     .deadline_us = 1400,
     .path = 0,
     .task = (spn_task)31,
     .priority = SPN_PRIORITY_IDLE},
    /* Older than all, with a later deadline than it seems. */
    {.at_us = 900,
     .deadline_us = 2200,
     .path = 0,
     .task = SPN_TASK_MUSIC,
     .priority = SPN_PRIORITY_NORMAL},
};
static const spn_record_scene scenes[] = {
    {"one", 0}, {"none", 2}, {"\"two\"", 2}, {"one", 3}};

static spn_record_list good(void)
{
    return (spn_record_list){.events = events,
                             .event_count = 4,
                             .text = text,
                             .scenes = scenes,
                             .scene_count = 4,
                             .origin_us = 1000};
}

static void a_record_becomes_its_trace(void)
{
    const spn_record_list list = good();

    CHECK_EQ(write_list(&list), SPN_OK);
    CHECK_STR(
        written,
        "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [\n"
        "  {\"name\": \"one\", \"reads\": [\n"
        "    {\"at_us\": 0, \"path\": \"a\"},\n"
        "    {\"at_us\": 500, \"path\": \"q\\\"b\\\\s\\u0009x\x7f\xc3\xa4"
        "\\ufffd\\ufffd\\ufffd\", \"offset\": 65536, \"bytes\": "
        "9007199254740992, \"task\": \"geom_cache\", \"priority\": \"urgent\", "
        "\"deadline_us\": 1000}]},\n"
        "  {\"name\": \"none\", \"reads\": []},\n"
        "  {\"name\": \"\\\"two\\\"\", \"reads\": [\n"
        "    {\"at_us\": 500, \"path\": \"a\", \"task\": 31, \"priority\": "
        "\"idle\", \"deadline_us\": 1}]},\n"
        "  {\"name\": \"one\", \"reads\": [\n"
        "    {\"at_us\": 500, \"path\": \"a\", \"task\": \"music\", "
        "\"deadline_us\": 700}]}]}\n");
}

#define READ .task = SPN_TASK_USER, .priority = SPN_PRIORITY_NORMAL

/* `after` names the read that it waited for, unless that is the previous read
 * of the same thread, is not written, or is not before it. */
static void dependencies_of_reads_are_written(void)
{
    static const spn_record_event chain[] = {
        {READ, .think_us = 8},
        {READ, .at_us = 1},
        {READ, .at_us = 2, .after = 2},
        {READ, .at_us = 3, .after = 3, .think_us = 7, .thread = 4},
        {READ, .at_us = 4, .after = 2, .think_us = 6, .thread = 4},
        {READ, .at_us = 5, .after = 6}, /* itself */
        {READ, .at_us = 6, .after = 1}, /* not written */
        {READ, .at_us = 7, .after = 7, .think_us = 9},
    };
    static const spn_record_scene from_one = {"s", 1};
    const spn_record_list list = {chain, 8, "p", &from_one, 1, 0};

    CHECK_EQ(write_list(&list), SPN_OK);
    CHECK_STR(
        written,
        "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [\n"
        "  {\"name\": \"s\", \"reads\": [\n"
        "    {\"at_us\": 1, \"path\": \"p\"},\n"
        "    {\"at_us\": 2, \"path\": \"p\", \"think_us\": 0},\n"
        "    {\"at_us\": 3, \"path\": \"p\", \"thread\": 4, \"after\": 1, "
        "\"think_us\": 7},\n"
        "    {\"at_us\": 4, \"path\": \"p\", \"thread\": 4, \"after\": 0, "
        "\"think_us\": 6},\n"
        "    {\"at_us\": 5, \"path\": \"p\"},\n"
        "    {\"at_us\": 6, \"path\": \"p\"},\n"
        "    {\"at_us\": 7, \"path\": \"p\", \"think_us\": 9}]}]}\n");
}

static void the_tool_reads_it_back(void)
{
    const spn_record_list list = good();
    struct read_trace trace;
    struct arena arena;
    struct diag diag;

    arena_init(&arena);
    diag_init(&diag);
    CHECK_EQ(write_list(&list), SPN_OK);
    CHECK(read_trace_parse("t", written, used, &arena, &trace, &diag));
    CHECK_EQ_U(trace.read_count, 4);
    CHECK_EQ_U(trace.scene_count, 2);
    CHECK_EQ_U(trace.reads[3].scene, 0);
    CHECK_EQ_U(trace.reads[1].bytes, UINT64_C(1) << 53);
    CHECK_EQ_U(trace.reads[1].deadline_us, 1000);
    CHECK_EQ_U(trace.reads[2].deadline_us, 1);
    CHECK_EQ_U(trace.reads[2].task, 31);
    CHECK_EQ_U(trace.reads[2].priority, SPN_PRIORITY_IDLE);
    CHECK_STR(trace.paths[1], "q\"b\\s\tx\x7f\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd"
                              "\xef\xbf\xbd");
    diag_finish(&diag);
    arena_free(&arena);
}

static void a_scene_has_its_part_of_the_record(void)
{
    const spn_record_scene last = {"last", 3};
    spn_record_list list = good();

    list.scenes = &last;
    list.scene_count = 1;
    list.origin_us = 0;
    CHECK_EQ(write_list(&list), SPN_OK);
    CHECK_STR(written,
              "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [\n"
              "  {\"name\": \"last\", \"reads\": [\n"
              "    {\"at_us\": 900, \"path\": \"a\", \"task\": \"music\", "
              "\"deadline_us\": 1300}]}]}"
              "\n");
    list.scene_count = 0;
    CHECK_EQ(write_list(&list), SPN_OK);
    CHECK_STR(written,
              "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": []}\n");
    list = (spn_record_list){0};
    CHECK_EQ(write_list(&list), SPN_OK);
}

static void no_piece_is_written_after_a_refusal(void)
{
    const spn_record_list list = good();
    uint32_t all;

    CHECK_EQ(write_list(&list), SPN_OK);
    all = pieces;
    CHECK(all > 1);
    for (refused_piece = 1; refused_piece <= all; refused_piece++) {
        CHECK_EQ(write_list(&list), SPN_FULL);
        CHECK_EQ_U(pieces, refused_piece);
    }
    refused_piece = 0;
}

#define REFUSE(change)                                                         \
    do {                                                                       \
        spn_record_list list = good();                                         \
        spn_record_scene scene = {"s", 0};                                     \
                                                                               \
        change;                                                                \
        test_context("%s", #change);                                           \
        CHECK_EQ(write_list(&list), SPN_ERR_ARG);                              \
        CHECK_EQ_U(pieces, 0);                                                 \
        (void)scene;                                                           \
    } while (0)

static void wrong_arguments_are_refused(void)
{
    static char long_name[SPN_PATH_BYTES_MAX + 1];
    const spn_record_list good_list = good();

    memset(long_name, 'x', SPN_PATH_BYTES_MAX);
    CHECK_EQ(spn_record_write(NULL, append, written), SPN_ERR_ARG);
    CHECK_EQ(spn_record_write(&good_list, NULL, written), SPN_ERR_ARG);
    REFUSE(list.events = NULL);
    REFUSE(list.text = NULL);
    REFUSE(list.scenes = NULL);
    REFUSE(list.event_count = 2);
    REFUSE((scene.name = NULL, list.scenes = &scene, list.scene_count = 1));
    REFUSE((scene.name = "", list.scenes = &scene, list.scene_count = 1));
    REFUSE(
        (scene.name = long_name, list.scenes = &scene, list.scene_count = 1));
    REFUSE((scene.first = 5, list.scenes = &scene, list.scene_count = 1));
    long_name[SPN_PATH_BYTES_MAX - 1] = '\0';
    {
        spn_record_list longest = good();
        const spn_record_scene scene = {long_name, 0};

        longest.scenes = &scene;
        longest.scene_count = 1;
        CHECK_EQ(write_list(&longest), SPN_OK);
    }
}

static void types_and_priorities_have_their_words(void)
{
    CHECK_STR(spn_record_task_name(SPN_TASK_TEXTURE), "texture");
    CHECK_STR(spn_record_task_name(SPN_TASK_USER), "user");
    CHECK(spn_record_task_name(0) == NULL);
    CHECK(spn_record_task_name(SPN_TASK_OWN) == NULL);
    CHECK_STR(spn_record_priority_name(SPN_PRIORITY_BELOW_NORMAL),
              "below_normal");
    CHECK(spn_record_priority_name(SPN_PRIORITY_PREEMPTED) == NULL);
    CHECK(spn_record_priority_name(7) == NULL);
}

TEST_MAIN(TEST(a_record_becomes_its_trace),
          TEST(dependencies_of_reads_are_written), TEST(the_tool_reads_it_back),
          TEST(a_scene_has_its_part_of_the_record),
          TEST(no_piece_is_written_after_a_refusal),
          TEST(wrong_arguments_are_refused),
          TEST(types_and_priorities_have_their_words))
