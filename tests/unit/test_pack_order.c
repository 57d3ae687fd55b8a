/* test_pack_order.c
 *
 * Goal: contents are in the requested order; the files of a scene lie together,
 * small ones first, streams last; copies keep to their budget and go where they
 * save most.
 * Method: lists of files without bytes, and traces by hand, compared with the
 * order as a text; random traces against the promises.
 * One thread. */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "pack/pack_order_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 400u
#define KIB 1024u

static struct diag diag;
static struct arena arena;
static struct pack_files files;
static struct pack_contents contents;
static char shown[4096];

static void begin(void)
{
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
    arena_free(&arena);
    arena_init(&arena);
    files = (struct pack_files){.arena = &arena, .diag = &diag};
    files.files = ARENA_NEW(&arena, struct pack_file, FILES_MAX);
    contents =
        (struct pack_contents){.files = ARENA_NEW(&arena, uint32_t, FILES_MAX)};
}

static const struct pack_file *file_named(const char *name)
{
    uint32_t i = 0;

    while (strcmp(files.files[i].name, name) != 0)
        i++;
    return &files.files[i];
}

/* Files in order of their names. `same` is the name of a file with the same
 * bytes. */
static void add(const char *name, uint64_t bytes, const char *same)
{
    struct pack_file *file = &files.files[files.count];

    *file = (struct pack_file){.name = name, .path = name, .bytes = bytes};
    if (files.count > 0)
        CHECK(strcmp(files.files[files.count - 1].name, name) < 0);
    files.count++;
    if (same) {
        file->content = file_named(same)->content;
        return;
    }
    file->content = contents.count;
    contents.files[contents.count++] = files.count - 1;
}

/* The names of the entries, each the first name of its content. */
static const char *show(const struct pack_layout *layout)
{
    size_t used = 0;

    shown[0] = 0;
    for (uint32_t i = 0; i < layout->count; i++)
        used += (size_t)snprintf(
            shown + used, sizeof shown - used, "%s%s", i > 0 ? " " : "",
            files.files[contents.files[layout->contents[i]]].name);
    return shown;
}

static void orders_without_a_trace_are_of_one_key_and_the_name(void)
{
    struct pack_layout layout;

    begin();
    add("a.wav", 5, NULL);
    add("b", 9, NULL);
    add("b.d/c", 7, NULL);
    add("c.dds", 5, NULL);
    add("d.dds", 4, NULL);
    add("e.dds", 0, NULL);
    add("f.aaa", 5, "a.wav");
    pack_order_by(&files, &contents, PACK_BY_NAME, &layout);
    CHECK_STR(show(&layout), "a.wav b b.d/c c.dds d.dds");
    pack_order_by(&files, &contents, PACK_BY_TYPE, &layout);
    CHECK_STR(show(&layout), "b b.d/c a.wav c.dds d.dds");
    pack_order_by(&files, &contents, PACK_BY_SIZE, &layout);
    CHECK_STR(show(&layout), "d.dds a.wav c.dds b.d/c b");
    CHECK_EQ(layout.extra_count, 0);
}

/* -- traces by hand -- */

static struct read_trace parse(const char *json)
{
    struct read_trace trace;

    CHECK(
        read_trace_parse("t.json", json, strlen(json), &arena, &trace, &diag));
    return trace;
}

static const char *const paths[] = {"t.json", "u.json"};

static bool order(const struct read_trace *traces, uint32_t count,
                  double percent, struct pack_layout *layout)
{
    const struct pack_traces wish = {.traces = traces,
                                     .paths = paths,
                                     .count = count,
                                     .budget_percent = percent};

    return pack_order_by_traces(&files, &contents, &wish, PACK_BY_SCENE,
                                layout);
}

/* "name: a b c@; name: ...": reads of scenes; @ marks a read from within the
 * file. */
static struct read_trace scenes(const char *list)
{
    char json[8192];
    size_t used =
        (size_t)snprintf(json, sizeof json,
                         "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [");
    bool is_first = true;

    while (*list) {
        size_t name = strcspn(list, ":");
        const char *comma = "";

        used += (size_t)snprintf(json + used, sizeof json - used,
                                 "%s{\"name\": \"%.*s\", \"reads\": [",
                                 is_first ? "" : ",", (int)name, list);
        is_first = false;
        for (list += name + 1; *list && *list != ';';) {
            size_t length;

            list += strspn(list, " ");
            length = strcspn(list, " @;");
            if (length == 0)
                break;
            used += (size_t)snprintf(
                json + used, sizeof json - used, "%s{\"path\": \"%.*s\"%s}",
                comma, (int)length, list,
                list[length] == '@' ? ", \"offset\": 1" : "");
            comma = ",";
            list += length + (list[length] == '@');
        }
        used += (size_t)snprintf(json + used, sizeof json - used, "]}");
        list += strspn(list, "; ");
    }
    snprintf(json + used, sizeof json - used, "]}");
    return parse(json);
}

static void add_some(void)
{
    add("big1", 100 * KIB, NULL);
    add("big2", 200 * KIB, NULL);
    add("empty", 0, NULL);
    add("rest", 10, NULL);
    add("small1", 10 * KIB, NULL);
    add("small2", 32 * KIB - 1, NULL);
    add("small3", 32 * KIB, NULL);
    add("stream", 900 * KIB, NULL);
}

static void a_scene_is_small_files_then_others_then_streams(void)
{
    struct pack_layout layout;
    struct read_trace trace;

    begin();
    add_some();
    trace = scenes("s: stream big2 small2 stream@ small3 small1 big1 empty");
    CHECK(order(&trace, 1, 0, &layout));
    CHECK_STR(show(&layout), "small2 small1 big2 small3 big1 stream rest");
    CHECK_EQ(layout.scene_count, 1);
    CHECK_EQ(layout.traced_files, 7);
    CHECK_EQ(layout.missing_files, 0);
}

/* Files that the scene reads later lie after, in the order of the recording. */
static void simultaneous_reads_are_grouped_by_class(void)
{
    struct pack_layout layout;
    struct read_trace traces[2];

    begin();
    add("bulk", 100 * KIB, NULL);
    add("bulk-small", KIB, NULL);
    add("clip", 100 * KIB, NULL);
    add("cut", 100 * KIB, NULL);
    add("later-bulk", 100 * KIB, NULL);
    add("later-small", KIB, NULL);
    add("later-sound", 100 * KIB, NULL);
    add("sound", 100 * KIB, NULL);
    add("sound-small", KIB, NULL);
    traces[0] = parse(
        "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [{\"name\": "
        "\"s\", \"reads\": ["
        "{\"at_us\": 7000000, \"path\": \"bulk\", \"task\": \"texture\"},"
        "{\"at_us\": 7000000, \"path\": \"bulk-small\"},"
        "{\"at_us\": 7000000, \"path\": \"clip\", \"task\": \"animation\"},"
        "{\"at_us\": 7050000, \"path\": \"sound\", \"task\": \"sound\"},"
        "{\"at_us\": 7050000, \"path\": \"cut\", \"task\": \"video\"},"
        "{\"at_us\": 7100000, \"path\": \"sound-small\", \"task\": "
        "\"sound\"},"
        "{\"at_us\": 7100001, \"path\": \"later-bulk\"},"
        "{\"at_us\": 7200000, \"path\": \"later-sound\", \"task\": "
        "\"sound\"},"
        "{\"at_us\": 7300000, \"path\": \"later-small\"}]}]}");
    CHECK(order(traces, 1, 0, &layout));
    CHECK_STR(show(&layout), "sound-small sound clip cut bulk-small bulk "
                             "later-small later-bulk later-sound");
    /* Another recording reads one of them at once, and another from within. */
    traces[1] = scenes("s: later-bulk cut@");
    CHECK(order(traces, 2, 0, &layout));
    CHECK_STR(show(&layout), "sound-small sound clip bulk-small bulk "
                             "later-bulk later-small later-sound cut");
}

static void scenes_follow_each_other(void)
{
    struct pack_layout layout;
    struct read_trace traces[2];

    begin();
    add_some();
    traces[0] = scenes("s: big2 small2; t: small1 big2; s: big1");
    CHECK(order(traces, 1, 0, &layout));
    CHECK_STR(show(&layout), "small2 big2 big1 small1 rest small3 stream");
    /* Another trace has the same scene and one more. */
    traces[1] = scenes("u: small3; s: rest big2");
    CHECK(order(traces, 2, 0, &layout));
    CHECK_STR(show(&layout), "small2 rest big2 big1 small1 small3 stream");
    CHECK_EQ(layout.scene_count, 3);
}

static void copies_are_placed_where_they_save_most(void)
{
    struct pack_layout layout;
    struct read_trace trace;

    begin();
    add_some(); /* 1274 KiB and 9 bytes */
    trace = scenes("s: big1 small1 small2; "
                   "t: big1 big1 big1 small2 small1 small1; u: small1 rest");
    CHECK(order(&trace, 1, 0, &layout));
    CHECK_STR(show(&layout), "small1 small2 big1 rest big2 small3 stream");
    /* The best use of 10 KiB saves two reads; the next saves one. */
    CHECK(order(&trace, 1, 0.8, &layout));
    CHECK_EQ(layout.extra_count, 1);
    CHECK_EQ_U(layout.extra_bytes, 10 * KIB);
    CHECK_STR(show(&layout),
              "small1 small2 big1 small1 rest big2 small3 stream");
    CHECK(order(&trace, 1, 1.6, &layout));
    CHECK_EQ(layout.extra_count, 2);
    CHECK_STR(show(&layout),
              "small1 small2 big1 small1 small1 rest big2 small3 stream");
    /* A candidate that does not fit is skipped: small2 needs 2.5 %. */
    CHECK(order(&trace, 1, 4.09, &layout));
    CHECK_EQ(layout.extra_count, 3);
    CHECK(order(&trace, 1, 1000, &layout));
    CHECK_EQ(layout.extra_count, 4);
    CHECK_EQ_U(layout.extra_bytes, 20 * KIB + 32 * KIB - 1 + 100 * KIB);
    CHECK_STR(show(&layout), "small1 small2 big1 small2 small1 big1 small1 "
                             "rest big2 small3 stream");
}

/* -- the choice -- */

static bool choose(const struct read_trace *traces, uint32_t count,
                   double percent, enum pack_order wish,
                   struct pack_layout *layout)
{
    static spn_drive_profile drives[2];
    const struct pack_traces with = {.traces = traces,
                                     .paths = paths,
                                     .count = count,
                                     .budget_percent = percent,
                                     .drives = drives,
                                     .drive_count = 2};

    drives[0] = *spn_drive_profile_find("x360_dvd12x");
    drives[1] = *spn_drive_profile_find("ps2_dvd4x");
    return pack_order_by_traces(&files, &contents, &with, wish, layout);
}

/* Files a0 ... b0 ... of a generated game; "a0 b3 ..." are consecutive
 * reads. */
#define MADE_FILES 24u

static void add_made(void)
{
    static char names[2 * MADE_FILES][8];

    for (uint32_t i = 0; i < 2 * MADE_FILES; i++) {
        snprintf(names[i], sizeof names[i], "%c%02u",
                 i < MADE_FILES ? 'a' : 'b', (unsigned)(i % MADE_FILES));
        add(names[i], (i % 2 ? 200 : 20) * KIB, NULL);
    }
}

/* Reads of all files of a letter, in an order that is neither by name nor by
 * size. Each read waits for the one before, unless `is_at_once`. */
static struct read_trace made_trace(const char *scene, char letter,
                                    bool is_at_once)
{
    char json[8192];
    size_t used = (size_t)snprintf(
        json, sizeof json,
        "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [{\"name\": \"%s\", "
        "\"reads\": [",
        scene);

    for (uint32_t i = 0; i < MADE_FILES; i++)
        used +=
            (size_t)snprintf(json + used, sizeof json - used,
                             "%s{\"at_us\": %u, \"path\": \"%c%02u\"%s}",
                             i ? ", " : "", is_at_once ? 0 : (unsigned)i * 1000,
                             letter, (unsigned)(i * 7 % MADE_FILES),
                             is_at_once ? "" : ", \"think_us\": 900");
    snprintf(json + used, sizeof json - used, "]}]}");
    return parse(json);
}

static void dependent_reads_are_ordered_by_first_use(void)
{
    struct pack_layout layout;
    struct read_trace trace;
    const struct pack_choice *choice = &layout.choice;

    begin();
    add_made();
    trace = made_trace("s", 'a', false);
    CHECK(choose(&trace, 1, 0, PACK_BY_TRIAL, &layout));
    CHECK_EQ(choice->order, PACK_BY_FIRST_USE);
    CHECK_EQ(choice->drive_count, 2);
    for (uint32_t d = 0; d < 2; d++)
        for (uint32_t i = PACK_BY_NAME; i < PACK_BY_FIRST_USE; i++)
            CHECK(choice->estimate_us[i][d] >
                  choice->estimate_us[PACK_BY_FIRST_USE][d]);
    CHECK(strncmp(show(&layout), "a00 a07 a14 a21 a04", 19) == 0);
    /* The time computed by hand. */
    CHECK(choose(&trace, 1, 0, PACK_BY_SCENE, &layout));
    CHECK(strncmp(show(&layout), "a00 a14 a04 a18 a08", 19) == 0);
    CHECK_EQ(choice->order, PACK_BY_SCENE);
    CHECK_EQ(choice->drive_count, 0);
    CHECK(choose(&trace, 1, 0, PACK_BY_FIRST_USE, &layout));
    CHECK(strncmp(show(&layout), "a00 a07 a14 a21 a04", 19) == 0);
}

/* 48 reads, of which 32 form a sequence. */
static void small_files_of_a_sequence_come_first(void)
{
    char json[8192];
    size_t used = (size_t)snprintf(
        json, sizeof json,
        "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [{\"name\": \"s\", "
        "\"reads\": [");
    struct pack_layout layout;
    struct read_trace trace;

    begin();
    add_made();
    for (uint32_t i = 0; i < 2 * MADE_FILES; i++)
        used += (size_t)snprintf(json + used, sizeof json - used,
                                 "%s{\"path\": \"%c%02u\"}", i ? ", " : "",
                                 i < MADE_FILES ? 'b' : 'a',
                                 (unsigned)(i % MADE_FILES));
    snprintf(json + used, sizeof json - used, "]}]}");
    trace = parse(json);
    CHECK(choose(&trace, 1, 0, PACK_BY_WINDOW, &layout));
    CHECK_STR(show(&layout),
              "b00 b02 b04 b06 b08 b10 b12 b14 b16 b18 b20 b22 a00 a02 a04 a06 "
              "b01 b03 b05 b07 b09 b11 b13 b15 b17 b19 b21 b23 a01 a03 a05 a07 "
              "a08 a10 a12 a14 a16 a18 a20 a22 "
              "a09 a11 a13 a15 a17 a19 a21 a23");
}

static void simultaneous_reads_choose_the_order_by_scene(void)
{
    struct pack_layout layout;
    struct read_trace trace;

    begin();
    add_made();
    trace = made_trace("s", 'a', true);
    CHECK(choose(&trace, 1, 0, PACK_BY_TRIAL, &layout));
    CHECK_EQ(layout.choice.order, PACK_BY_SCENE);
    CHECK(strncmp(show(&layout), "a00 a14 a04 a18 a08", 19) == 0);
}

/* Small files at once, and after each of them a read from within a large file.
 * By first use, the large files lie between the small ones. */
static struct read_trace streaming_trace(void)
{
    char json[8192];
    size_t used = (size_t)snprintf(
        json, sizeof json,
        "{\"schema\": 1, \"kind\": \"trace\", \"scenes\": [{\"name\": \"t\", "
        "\"reads\": [");

    for (uint32_t i = 0; i < MADE_FILES; i++)
        used += (size_t)snprintf(json + used, sizeof json - used,
                                 "%s{\"path\": \"a%02u\"}, {\"path\": "
                                 "\"c%02u\", \"offset\": 1000000, "
                                 "\"bytes\": 4096}",
                                 i ? ", " : "", (unsigned)i, (unsigned)i);
    snprintf(json + used, sizeof json - used, "]}]}");
    return parse(json);
}

static void each_trace_has_its_own_order(void)
{
    static char names[MADE_FILES][8];
    struct pack_layout layout;
    struct read_trace traces[2];

    begin();
    add_made();
    for (uint32_t i = 0; i < MADE_FILES; i++) {
        snprintf(names[i], sizeof names[i], "c%02u", (unsigned)i);
        add(names[i], 3000 * KIB, NULL);
    }
    traces[0] = made_trace("s", 'b', false);
    traces[1] = streaming_trace();
    CHECK(choose(traces, 2, 0, PACK_BY_TRIAL, &layout));
    CHECK_EQ(layout.choice.order, PACK_BY_TRIAL);
    CHECK(strncmp(show(&layout), "b00 b07 b14 b21 b04", 19) == 0);
    CHECK(strstr(show(&layout), " a00 a02 a04 a06 a08"));
    /* The orders by name, type and size have no copies. */
    CHECK(choose(traces, 2, 10, PACK_BY_TRIAL, &layout));
    CHECK(layout.choice.estimate_us[PACK_BY_SCENE][0] > 0);
    CHECK_EQ(layout.extra_count, 0);
    traces[1] = made_trace("t", 'b', false);
    CHECK(choose(traces, 2, 10, PACK_BY_TRIAL, &layout));
    CHECK(layout.extra_count > 0);
    CHECK_EQ_U(layout.choice.estimate_us[PACK_BY_NAME][0], 0);
    CHECK(layout.choice.estimate_us[PACK_BY_FIRST_USE][0] > 0);
}

static void a_scene_gets_no_second_copy(void)
{
    struct pack_layout layout;
    struct read_trace traces[2];

    begin();
    add("a", 10, NULL);
    add("b", 10, "a");
    traces[0] = scenes("s: a b a; s: b");
    traces[1] = scenes("s: b");
    CHECK(order(traces, 2, 1000, &layout));
    CHECK_STR(show(&layout), "a");
    CHECK_EQ(layout.extra_count, 0);
    CHECK_EQ(layout.traced_files, 2);
}

static void missing_files_of_a_trace_are_reported(void)
{
    struct pack_layout layout;
    struct read_trace trace;

    begin();
    add("a", 10, NULL);
    trace = scenes("s: none a nor; t: none");
    CHECK(order(&trace, 1, 0, &layout));
    CHECK_STR(show(&layout), "a");
    CHECK_EQ(layout.missing_files, 2);
    CHECK_EQ(diag.warning_count, 1);
    files.is_strict = true;
    CHECK(!order(&trace, 1, 0, &layout));
    CHECK_STR(diag.text, "t.json: none: is not among the inputs (2 of 3 files "
                         "of the trace)");
}

/* Paths as recorded, from a parent folder, and from a subfolder. */
static void names_of_a_trace_may_be_longer_or_shorter(void)
{
    struct pack_layout layout;
    struct read_trace trace;

    begin();
    add("a/1", 10, NULL);
    add("a/2", 10, NULL);
    add("b/2", 10, NULL);
    add("c", 10, NULL);
    trace = scenes("s: data/c data/b/2 1");
    CHECK(order(&trace, 1, 0, &layout));
    CHECK_STR(show(&layout), "c b/2 a/1 a/2");
    CHECK_EQ(layout.traced_files, 3);
    CHECK_EQ(layout.missing_files, 0);
    CHECK_EQ(diag.warning_count, 0);
    trace = scenes("s: c 2");
    CHECK(!order(&trace, 1, 0, &layout));
    CHECK_STR(diag.text, "t.json: 2: may be either of: a/2, b/2");
    CHECK_EQ(pack_order_keep_traced(&files, &trace, 1), 1);
    trace = scenes("s: data/c b/2");
    CHECK_EQ(pack_order_keep_traced(&files, &trace, 1), 1);
    CHECK_STR(files.files[0].name, "b/2");
    CHECK_STR(files.files[1].name, "c");
}

static void traced_only_keeps_only_traced_files(void)
{
    struct read_trace trace;

    begin();
    add_some();
    trace = scenes("s: small1 stream none; t: small1 big2");
    CHECK_EQ(pack_order_keep_traced(&files, &trace, 1), 5);
    CHECK_EQ(files.count, 3);
    CHECK_STR(files.files[0].name, "big2");
    CHECK_STR(files.files[1].name, "small1");
    CHECK_STR(files.files[2].name, "stream");
}

/* As many scenes as in a long game: no step may take time for each pair. */
static void many_scenes_are_ordered_quickly(void)
{
    const uint32_t count = 50000;
    struct pack_layout layout;
    struct read_trace traces[2];

    begin();
    add("a", 5, NULL);
    add("b", 5, NULL);
    for (uint32_t t = 0; t < 2; t++) {
        traces[t] = (struct read_trace){
            .file_count = 1, .scene_count = count, .read_count = count};
        traces[t].paths = ARENA_NEW(&arena, const char *, 1);
        traces[t].paths[0] = t == 0 ? "b" : "a";
        traces[t].scenes = ARENA_NEW(&arena, const char *, count);
        traces[t].reads = ARENA_NEW(&arena, struct traced_read, count);
        for (uint32_t i = 0; i < count; i++) {
            traces[t].scenes[i] = arena_format(&arena, "s%u", i + t * 7);
            traces[t].reads[i] = (struct traced_read){.scene = i};
        }
    }
    CHECK(order(traces, 2, 100, &layout));
    CHECK_EQ(layout.scene_count, count + 7);
    CHECK_EQ(layout.traced_files, 2);
    CHECK_EQ(layout.extra_count, 2);
    CHECK_EQ_U(layout.extra_bytes, 10);
}

/* -- any trace -- */

static void make_random(struct read_trace *trace, struct test_random *random)
{
    begin();
    for (uint32_t i = 0; i < 200; i++) {
        bool is_same = i > 0 && test_random_below(random, 10) == 0;

        add(arena_format(&arena, "f%03u", i),
            is_same ? files.files[0].bytes
                    : test_random_below(random, 100) * 1000u,
            is_same ? "f000" : NULL);
    }
    *trace = (struct read_trace){.file_count = 250, .scene_count = 9};
    trace->paths = ARENA_NEW(&arena, const char *, trace->file_count);
    trace->scenes = ARENA_NEW(&arena, const char *, trace->scene_count);
    trace->read_count = 1500;
    trace->reads = ARENA_NEW(&arena, struct traced_read, trace->read_count);
    for (uint32_t i = 0; i < trace->file_count; i++)
        trace->paths[i] = arena_format(&arena, "f%03u", i);
    for (uint32_t i = 0; i < trace->scene_count; i++)
        trace->scenes[i] = arena_format(&arena, "s%u", i);
    for (uint32_t i = 0; i < trace->read_count; i++)
        trace->reads[i] = (struct traced_read){
            .file = test_random_below(random, trace->file_count),
            .scene = i / 200 % trace->scene_count,
            .offset = test_random_below(random, 8) == 0};
}

static void every_content_has_a_copy_and_extra_copies_their_budget(void)
{
    struct test_random random = {5};

    for (uint32_t round = 0; round < 40; round++) {
        double percent = test_random_below(&random, 80);
        uint32_t places[FILES_MAX] = {0};
        struct pack_layout layout;
        struct read_trace trace;
        uint64_t all_bytes = 0;
        uint64_t copy_bytes = 0;
        uint32_t copies = 0;

        test_context("round %u, %g %%", round, percent);
        make_random(&trace, &random);
        CHECK(order(&trace, 1, percent, &layout));
        for (uint32_t i = 0; i < layout.count; i++) {
            uint32_t content = layout.contents[i];
            uint64_t bytes = files.files[contents.files[content]].bytes;

            CHECK(content < contents.count);
            copies += places[content] > 0;
            copy_bytes += places[content] > 0 ? bytes : 0;
            places[content]++;
        }
        for (uint32_t i = 0; i < contents.count; i++) {
            uint64_t bytes = files.files[contents.files[i]].bytes;

            CHECK_EQ(places[i] > 0, bytes > 0);
            CHECK(places[i] <= trace.scene_count);
            all_bytes += bytes;
        }
        CHECK_EQ(layout.extra_count, copies);
        CHECK_EQ_U(layout.extra_bytes, copy_bytes);
        CHECK((double)copy_bytes <= (double)all_bytes * percent / 100);
    }
}

TEST_MAIN(TEST(orders_without_a_trace_are_of_one_key_and_the_name),
          TEST(a_scene_is_small_files_then_others_then_streams),
          TEST(simultaneous_reads_are_grouped_by_class),
          TEST(scenes_follow_each_other),
          TEST(copies_are_placed_where_they_save_most),
          TEST(dependent_reads_are_ordered_by_first_use),
          TEST(small_files_of_a_sequence_come_first),
          TEST(simultaneous_reads_choose_the_order_by_scene),
          TEST(each_trace_has_its_own_order), TEST(a_scene_gets_no_second_copy),
          TEST(missing_files_of_a_trace_are_reported),
          TEST(names_of_a_trace_may_be_longer_or_shorter),
          TEST(traced_only_keeps_only_traced_files),
          TEST(many_scenes_are_ordered_quickly),
          TEST(every_content_has_a_copy_and_extra_copies_their_budget))
