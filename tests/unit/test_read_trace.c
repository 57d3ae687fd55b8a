/* test_read_trace.c
 *
 * Goal: a trace gives its reads, or one line that says where it is wrong; a
 * written trace reads back.
 * Method: traces by hand; each wrong value; a random trace written and read;
 * every truncation of a good file.
 * One thread. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "pack/read_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct diag diag;
static struct arena arena;
static struct read_trace trace;

/* Free the memory of the previous claim. */
static void begin(void)
{
    arena_free(&arena);
    arena_init(&arena);
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
}

static bool parse(const char *text)
{
    begin();
    memset(&trace, 0xaa, sizeof trace);
    return read_trace_parse("t.json", text, strlen(text), &arena, &trace,
                            &diag);
}

#define TRACE(scenes)                                                          \
    "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [" scenes "]}"
#define SCENE(reads) TRACE("{\"name\": \"s\", \"reads\": [" reads "]}")

static void traces_are_parsed(void)
{
    CHECK(parse(TRACE(
        "{\"name\": \"sea\", \"reads\": [{\"path\": \"a\"}, {\"path\": \"b\", "
        "\"at_us\": 5, \"offset\": 7, \"bytes\": 9007199254740992, \"task\": "
        "\"geom_cache\", \"priority\": \"urgent\", \"deadline_us\": 11}]},"
        "{\"name\": \"sky\", \"reads\": [{\"path\": \"a\", \"task\": 200, "
        "\"more\": []}]}, {\"name\": \"none\", \"reads\": []},"
        "{\"name\": \"sea\", \"reads\": [{\"path\": \"c\"}]}")));
    CHECK_EQ(trace.read_count, 4);
    CHECK_EQ(trace.file_count, 3);
    CHECK_STR(trace.paths[0], "a");
    CHECK_STR(trace.paths[1], "b");
    CHECK_STR(trace.paths[2], "c");
    CHECK_EQ(trace.scene_count, 2);
    CHECK_STR(trace.scenes[0], "sea");
    CHECK_STR(trace.scenes[1], "sky");
    CHECK_EQ(trace.reads[0].task, SPN_TASK_USER);
    CHECK_EQ(trace.reads[0].priority, SPN_PRIORITY_NORMAL);
    CHECK_EQ(trace.reads[0].bytes, 0);
    CHECK_EQ(trace.reads[1].at_us, 5);
    CHECK_EQ(trace.reads[1].offset, 7);
    CHECK_EQ_U(trace.reads[1].bytes, READ_TRACE_NUMBER_MAX);
    CHECK_EQ(trace.reads[1].task, SPN_TASK_GEOM_CACHE);
    CHECK_EQ(trace.reads[1].priority, SPN_PRIORITY_URGENT);
    CHECK_EQ(trace.reads[1].deadline_us, 11);
    CHECK_EQ(trace.reads[2].file, 0);
    CHECK_EQ(trace.reads[2].scene, 1);
    CHECK_EQ(trace.reads[2].task, 200);
    CHECK_EQ(trace.reads[2].at_us, 5);
    CHECK_EQ(trace.reads[3].file, 2);
    CHECK_EQ(trace.reads[3].scene, 0);
    CHECK(parse(TRACE("")));
    CHECK_EQ(trace.read_count, 0);
}

struct wrong {
    const char *text;
    const char *says;
};

static void wrong_traces_are_refused_with_their_place(void)
{
    static const struct wrong wrongs[] = {
        {"", "t.json: line 1, column 1: is not JSON"},
        {"{\"schema\": 1,}", "line 1, column 15: is not JSON"},
        {"{\r\n  \"schema\": 1\r\n  \"kind\": 2}",
         "line 3, column 3: is not JSON"},
        {"{\"\xc3\xa4\xc3\xb6\": x}", "line 1, column 8: is not JSON"},
        {TRACE("") "x", "is not JSON"},
        {"[]", "kind: is not \"trace\""},
        {"{\"kind\": \"tracks\", \"schema\": 1, \"scenes\": []}", "kind: "},
        {"{\"kind\": \"trace\", \"scenes\": []}", "schema: is not 1"},
        {"{\"kind\": \"trace\", \"schema\": 2, \"scenes\": []}", "schema: "},
        {"{\"kind\": \"trace\", \"schema\": 1}", "scenes: is not an array"},
        {TRACE("3"), "scenes[0]: is not an object"},
        {TRACE("{\"reads\": []}"), "scenes[0].name: is not a text"},
        {TRACE("{\"name\": \"\", \"reads\": []}"), "scenes[0].name: "},
        {TRACE("{\"name\": \"a\", \"reads\": []}, {\"name\": \"b\"}"),
         "scenes[1].reads: is not an array"},
        {SCENE("1"), "scenes[0].reads[0]: is not an object"},
        {SCENE("{\"path\": \"a\"}, {\"bytes\": 1}"),
         "scenes[0].reads[1].path: is missing"},
        {SCENE("{\"path\": 1}"), "path: is not a text"},
        {SCENE("{\"path\": \"\"}"), "path: is empty"},
        {SCENE("{\"path\": \"a\", \"bytes\": -3}"),
         "scenes[0].reads[0].bytes: found -3, expected a whole number"},
        {SCENE("{\"path\": \"a\", \"bytes\": 0.5}"), "bytes: found 0.5"},
        {SCENE("{\"path\": \"a\", \"offset\": 1e300}"), "offset: found 1"},
        {SCENE("{\"path\": \"a\", \"offset\": 9007199254740994}"),
         "offset: found 9007199254740994"},
        {SCENE("{\"path\": \"a\", \"deadline_us\": \"1\"}"),
         "deadline_us: is not a number"},
        {SCENE("{\"path\": \"a\", \"task\": \"sond\"}"),
         "task: unknown: \"sond\"; there are texture, "},
        {SCENE("{\"path\": \"a\", \"task\": 256}"), "task: is no name"},
        {SCENE("{\"path\": \"a\", \"task\": -1}"), "task: is no name"},
        {SCENE("{\"path\": \"a\", \"priority\": 2}"),
         "priority: is not a name"},
        {SCENE("{\"path\": \"a\", \"priority\": \"high\"}"),
         "priority: unknown: \"high\"; there are urgent, "},
        {SCENE("{\"path\": \"a\", \"at_us\": 2}, {\"path\": \"a\", \"at_us\": "
               "1}"),
         "reads[1].at_us: is before"},
        {SCENE("{\"path\": \"a\\u0000b\"}"),
         "line 1, column 78: a zero byte within a text"},
        {SCENE("{\"path\": \"a\\\\\\u0000b\"}"),
         "line 1, column 80: a zero byte"},
    };

    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        test_context("%s", wrongs[i].text);
        CHECK(!parse(wrongs[i].text));
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        if (!strstr(diag.text, wrongs[i].says))
            CHECK_STR(diag.text, wrongs[i].says);
        CHECK_EQ_U(trace.read_count, 0xaaaaaaaa);
    }
}

static void zero_bytes_are_refused_and_escapes_kept(void)
{
    static const char zero[] = SCENE("{\"path\": \"a\0b\"}");

    CHECK(parse(SCENE("{\"path\": \"a\\\\u0000b\\u0001\"}")));
    CHECK_STR(trace.paths[0], "a\\u0000b\001");
    begin();
    CHECK(!read_trace_parse("t.json", zero, sizeof zero - 1, &arena, &trace,
                            &diag));
    CHECK(strstr(diag.text, "a zero byte within a text") != NULL);
}

static void paths_have_a_limit(void)
{
    char text[1200];
    char path[600];

    memset(path, 'p', sizeof path);
    path[SPN_PATH_BYTES_MAX - 1] = 0;
    snprintf(text, sizeof text, SCENE("{\"path\": \"%s\"}"), path);
    CHECK(parse(text));
    CHECK_STR(trace.paths[0], path);
    snprintf(text, sizeof text, SCENE("{\"path\": \"%sp\"}"), path);
    CHECK(!parse(text));
    CHECK(strstr(diag.text, "path: has more than 511 bytes") != NULL);
    snprintf(text, sizeof text, TRACE("{\"name\": \"%sp\", \"reads\": []}"),
             path);
    CHECK(!parse(text));
    CHECK(strstr(diag.text, "name: has more than 511 bytes") != NULL);
}

static void every_truncation_is_refused(void)
{
    char text[] = SCENE("{\"path\": \"a\", \"at_us\": 12}, {\"path\": \"b\"}");

    for (size_t length = sizeof text - 2; length > 0; length--) {
        text[length] = 0;
        test_context("%s", text);
        CHECK(!parse(text));
    }
}

static void uses_are_by_scene_and_first_use(void)
{
    struct traced_use *uses;
    uint32_t count;

    CHECK(parse(TRACE(
        "{\"name\": \"x\", \"reads\": [{\"path\": \"b\"}, {\"path\": \"a\"}, "
        "{\"path\": \"b\", \"offset\": 4}]}, {\"name\": \"y\", \"reads\": "
        "[{\"path\": \"c\"}, {\"path\": \"b\"}]}, {\"name\": \"x\", "
        "\"reads\": [{\"path\": \"c\"}, {\"path\": \"a\"}]}")));
    uses = read_trace_uses(&trace, &arena, &count);
    CHECK_EQ(count, 5);
    CHECK_STR(trace.paths[uses[0].file], "b");
    CHECK_EQ(uses[0].read_count, 2);
    CHECK_EQ(uses[0].first_read, 0);
    CHECK(uses[0].is_streamed);
    CHECK_STR(trace.paths[uses[1].file], "a");
    CHECK_EQ(uses[1].read_count, 2);
    CHECK(!uses[1].is_streamed);
    CHECK_STR(trace.paths[uses[2].file], "c");
    CHECK_EQ(uses[2].scene, 0);
    CHECK_EQ(uses[2].first_read, 5);
    CHECK_STR(trace.paths[uses[3].file], "c");
    CHECK_EQ(uses[3].scene, 1);
    CHECK_STR(trace.paths[uses[4].file], "b");
    CHECK(!uses[4].is_streamed);
    CHECK(uses[4].is_at_once);
    CHECK_EQ(uses[4].task, SPN_TASK_USER);
    /* The time counts from the beginning of the scene, also when the scene is
     * repeated. */
    CHECK(parse(
        TRACE("{\"name\": \"x\", \"reads\": [{\"path\": \"a\", \"at_us\": 50}, "
              "{\"path\": \"b\", \"at_us\": 100050, \"task\": \"sound\"}, "
              "{\"path\": \"c\", \"at_us\": 100051, \"task\": 200}]}, "
              "{\"name\": \"y\", \"reads\": [{\"path\": \"a\", \"at_us\": "
              "300000}]}, {\"name\": \"x\", \"reads\": [{\"path\": \"d\", "
              "\"at_us\": 400000}]}")));
    uses = read_trace_uses(&trace, &arena, &count);
    CHECK_EQ(count, 5);
    for (uint32_t i = 0; i < count; i++)
        CHECK_EQ(uses[i].is_at_once, i != 2 && i != 3);
    CHECK_EQ(uses[1].task, SPN_TASK_SOUND);
    CHECK_EQ(uses[2].task, SPN_TASK_USER);
    CHECK(parse(TRACE("")));
    (void)read_trace_uses(&trace, &arena, &count);
    CHECK_EQ(count, 0);
}

/* -- dependent reads -- */

static void reads_wait_for_the_previous_read_of_their_thread(void)
{
    static const struct {
        uint32_t after;
        uint32_t think_us;
    } expected[] = {
        {READ_TRACE_NO_READ, 0}, /* the first read of its thread */
        {READ_TRACE_NO_READ, 0}, /* the same default */
        {0, 5},                  /* after the last read of a scene */
        {1, 0},                  /* by `after` only */
        {READ_TRACE_NO_READ, 0}, /* no such read: starts at its own time */
        {4, 7},                  /* still the previous read of its thread */
        {2, 9},                  /* by `after`, of another thread */
    };

    CHECK(parse(TRACE(
        "{\"name\": \"a\", \"reads\": [{\"path\": \"p\"}, {\"path\": \"p\", "
        "\"thread\": 65535, \"think_us\": 3}]}, {\"name\": \"b\", \"reads\": ["
        "{\"path\": \"p\", \"think_us\": 5}, "
        "{\"path\": \"p\", \"thread\": 65535, \"after\": 1}, "
        "{\"path\": \"p\", \"thread\": 65535}, "
        "{\"path\": \"p\", \"thread\": 65535, \"think_us\": 7}, "
        "{\"path\": \"p\", \"thread\": 7, \"after\": 2, \"think_us\": 9}]}")));
    CHECK_EQ(trace.read_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        test_context("read %u", (unsigned)i);
        CHECK_EQ_U(trace.reads[i].after, expected[i].after);
        CHECK_EQ_U(trace.reads[i].think_us, expected[i].think_us);
    }
    CHECK_EQ(trace.reads[1].thread, 65535);
    CHECK_EQ(read_trace_chained(&trace), 4);
    CHECK(parse(SCENE("{\"path\": \"p\"}, {\"path\": \"p\", \"thread\": 0}")));
    CHECK_EQ(read_trace_chained(&trace), 0);
}

static void wrong_chains_are_refused_with_their_place(void)
{
    static const struct {
        const char *second;
        const char *text;
    } cases[] = {
        {"\"thread\": 65536", "scenes[0].reads[1].thread"},
        {"\"thread\": \"main\"", "scenes[0].reads[1].thread"},
        {"\"after\": 1", "scenes[0].reads[1].after"},
        {"\"after\": 4294967295", "scenes[0].reads[1].after"},
        {"\"after\": -1", "scenes[0].reads[1].after"},
        {"\"after\": null", "scenes[0].reads[1].after"},
        {"\"think_us\": 0.5", "scenes[0].reads[1].think_us"},
        /* The first read starts at 1: the sums of a chain are also limited. */
        {"\"think_us\": 9007199254740992", "scenes[0].reads[1].think_us"},
    };

    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];

        snprintf(text, sizeof text,
                 SCENE("{\"path\": \"a\", \"at_us\": 1}, "
                       "{\"path\": \"b\", %s}"),
                 cases[i].second);
        test_context("%s", cases[i].second);
        CHECK(!parse(text));
        CHECK(diag_has_failed(&diag));
        CHECK(strstr(diag.text, cases[i].text) != NULL);
    }
}

/* -- there and back -- */

#define READS 600u

/* A read of one of four threads, which mostly waits for the read before. */
static void make_random_chain(struct traced_read *r, uint32_t i,
                              struct test_random *random)
{
    uint32_t dice = test_random_below(random, 4);

    r->thread = test_random_below(random, 4) * 21845;
    r->after = READ_TRACE_NO_READ;
    if (i == 0 || dice == 0)
        return;
    r->after = dice < 3 ? i - 1 : test_random_below(random, i);
    r->think_us = dice == 2 ? test_random_u64(random) >> 21 : 0;
}

static void make_random(struct read_trace *out, struct test_random *random)
{
    static const char *const odd[] = {"a \"b\"", "back\\slash", "tab\tnew\n",
                                      "\xc3\xa4\xe2\x82\xac/\xf0\x9f\x8e\xb2"};
    uint64_t at_us = 0;

    *out = (struct read_trace){.file_count = 40, .scene_count = 7};
    out->paths = ARENA_NEW(&arena, const char *, out->file_count);
    out->scenes = ARENA_NEW(&arena, const char *, out->scene_count);
    out->reads = ARENA_NEW(&arena, struct traced_read, READS);
    out->read_count = READS;
    for (uint32_t i = 0; i < out->file_count; i++)
        out->paths[i] = i < 4 ? odd[i] : arena_format(&arena, "f/%u", i);
    for (uint32_t i = 0; i < out->scene_count; i++)
        out->scenes[i] = i < 4 ? odd[i] : arena_format(&arena, "s%u", i);
    for (uint32_t i = 0; i < READS; i++) {
        struct traced_read *r = &out->reads[i];
        uint32_t dice = test_random_below(random, 40);

        at_us += test_random_u64(random) >> 30;
        r->at_us = at_us;
        r->offset = dice & 1 ? test_random_u64(random) >> 11 : 0;
        r->bytes = dice & 2 ? test_random_u64(random) >> 11 : 0;
        r->deadline_us = dice & 4 ? test_random_u64(random) >> 11 : 0;
        /* In the order of their first use. */
        r->file = i < 40 ? i : dice;
        r->scene = i < 7 ? i : i > 500 ? 3 : dice % 7;
        r->task = 1 + test_random_below(random, 255);
        r->priority =
            (uint32_t)(dice % 5 == 0 ? SPN_PRIORITY_URGENT
                                     : SPN_PRIORITY_PREEMPTED + dice % 5);
        make_random_chain(r, i, random);
    }
}

static void written_traces_are_read_back(void)
{
    char path[512];
    struct test_random random = {1};
    struct read_trace made;
    struct read_trace back;
    struct host_output *output;

    begin();
    snprintf(path, sizeof path, "%s/trace.json", test_temp());
    make_random(&made, &random);
    output = host_output_open(path, &diag);
    CHECK(output != NULL);
    CHECK(read_trace_write(&made, output));
    CHECK(host_output_commit(output));
    CHECK(read_trace_load(path, &arena, &back, &diag));
    CHECK_EQ(back.read_count, made.read_count);
    CHECK_EQ(back.file_count, made.file_count);
    CHECK_EQ(back.scene_count, made.scene_count);
    for (uint32_t i = 0; i < made.file_count; i++)
        CHECK_STR(back.paths[i], made.paths[i]);
    for (uint32_t i = 0; i < made.scene_count; i++)
        CHECK_STR(back.scenes[i], made.scenes[i]);
    CHECK_MEM(back.reads, made.reads, READS * sizeof *made.reads);
}

static void empty_trace_is_read_back(void)
{
    char path[512];
    struct read_trace none = {0};
    struct read_trace back;
    struct host_output *output;

    begin();
    snprintf(path, sizeof path, "%s/none.json", test_temp());
    output = host_output_open(path, &diag);
    CHECK(output != NULL && read_trace_write(&none, output));
    CHECK(host_output_commit(output));
    CHECK(read_trace_load(path, &arena, &back, &diag));
    CHECK_EQ(back.read_count, 0);
}

TEST_MAIN(TEST(traces_are_parsed),
          TEST(wrong_traces_are_refused_with_their_place),
          TEST(zero_bytes_are_refused_and_escapes_kept),
          TEST(paths_have_a_limit), TEST(every_truncation_is_refused),
          TEST(reads_wait_for_the_previous_read_of_their_thread),
          TEST(wrong_chains_are_refused_with_their_place),
          TEST(uses_are_by_scene_and_first_use),
          TEST(written_traces_are_read_back), TEST(empty_trace_is_read_back))
