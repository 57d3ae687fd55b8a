/* test_anim_pack_order.c
 *
 * Goal: clips lie in a database in the order in which a game has used them, or
 *   in that of a list.
 * Method: clips are played in a runtime that records its reads; the trace, and
 *   others written by hand, order the clips. Lists are written by hand.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"
#include "support/anim_walk.h"
#include "support/packed_anims.h"

#include "anim/tool/index_file.h"
#include "host/host.h"

#include <spindle/anim.h>
#include <spindle/record.h>
#include <stdio.h>
#include <string.h>

static struct packed_anims anims;

/* Do the clips lie in a database in this order, without gaps? */
static void check_order(const char *path, const char *const *names,
                        uint32_t count)
{
    struct index_file file;
    uint64_t at;

    CHECK(index_file_open(&file, anims_path(&anims, path), CLIP_INDEX_DATABASE,
                          &anims.diag));
    CHECK_EQ_U(file.index.header.clip_count, count);
    at = file.index.header.data_offset;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t clip = spn__clip_index_find(&file.index, names[i],
                                                   (uint32_t)strlen(names[i]));
        struct clip_facts facts;

        test_context("%s", names[i]);
        CHECK(clip != CLIP_INDEX_NONE);
        facts = spn__clip_index_clip(&file.index, clip);
        CHECK_EQ_U(facts.offset, at);
        at += facts.bytes;
    }
    index_file_close(&file);
}

static spn_status append(void *user, const char *bytes, uint32_t count)
{
    FILE *file = user;

    return fwrite(bytes, 1, count, file) == count ? SPN_OK : SPN_ERR_IO;
}

/* Play a packed game, record its reads, and write them to a trace. */
static void record(const char *trace)
{
    static spn_record_event events[16];
    static char text[1024];
    const spn_record_desc desc = {events, 16, text, sizeof text};
    const spn_record_scene scene = {.name = "fight"};
    spn_record_list list = {
        .events = events, .text = text, .scenes = &scene, .scene_count = 1};
    FILE *file = fopen(anims_path(&anims, trace), "wb");
    uint32_t lost = 0;

    CHECK(file);
    anims_begin_stage(&anims);
    anims_put(&anims, "game", ANIM_PACK_IMAGE);
    anims_put(&anims, "game", "hero.sad");
    anims_put(&anims, "game", "prop.sad");
    stage_start(&anims.stage);
    CHECK_EQ(spn_record_start(anims.stage.rt, &desc), SPN_OK);
    anims_open_image(&anims);
    anims_play(&anims, "prop/arm.sac", 0, "prop.sad");
    anims_play(&anims, "hero/wave.sac", SPN_ANIM_HAS_SCALE, "hero.sad");
    anims_play(&anims, "hero/spline.sac", 0, "hero.sad");
    for (int i = 0; i < ANIMS_TICKS_MAX &&
                    spn_record_stop(anims.stage.rt, &list.event_count, &lost) ==
                        SPN_PENDING;
         i++)
        stage_tick(&anims.stage, STAGE_TICK_US);
    CHECK_EQ_U(list.event_count, 4);
    CHECK_EQ_U(lost, 0);
    CHECK_EQ(spn_record_write(&list, append, file), SPN_OK);
    CHECK_EQ(fclose(file), 0);
    stage_close(&anims.stage);
}

static void recorded_reads_order_clips(void)
{
    static const char *const hero[] = {"hero/wave.sac", "hero/spline.sac"};
    static const char *const names[] = {"hero/spline.sac", "hero/wave.sac"};
    const char *trace;
    const char *recorded[2];
    struct anim_pack_options options = {.by = ANIM_PACK_BY_SKELETON,
                                        .traces = &trace,
                                        .trace_count = 1,
                                        .recorded = recorded,
                                        .recorded_count = 2};
    struct anim_pack_report report;

    anims_start(&anims);
    anims_begin_diag(&anims);
    anims_pack_by(&anims, "game", 1, ANIM_PACK_BY_FOLDER);
    check_order("game/hero.sad", names, 2);
    record("play.json");
    trace = anims_path(&anims, "play.json");
    recorded[0] = anims_path(&anims, "game/hero.sad");
    recorded[1] = anims_path(&anims, "game/prop.sad");
    CHECK(anims_try(&anims, &options, "ordered", &report));
    CHECK_EQ_U(report.used_count, 3);
    CHECK_EQ_U(anims.diag.warning_count, 0);
    arena_free(&report.arena);
    check_order("ordered/hero/arm.sad", hero, 2);
    /* Without the recorded databases, nothing is known of their clips. */
    options.recorded_count = 0;
    CHECK(anims_try(&anims, &options, "unordered", &report));
    CHECK_EQ_U(report.used_count, 0);
    CHECK_EQ_U(anims.diag.warning_count, 1);
    arena_free(&report.arena);
    check_order("unordered/hero/arm.sad", names, 2);
    anims_finish(&anims);
}

/* Scenes follow each other; in a scene, the first read counts. */
static void scenes_and_traces_order_clips(void)
{
    static const char first[] =
        "{\"schema\":1,\"kind\":\"trace\",\"scenes\":["
        "{\"name\":\"a\",\"reads\":[{\"path\":\"x/hero/3.sac\"},"
        "{\"path\":\"sea.wav\"},{\"path\":\"hero/1.sac\"}]},"
        "{\"name\":\"b\",\"reads\":[{\"path\":\"hero/4.sac\"}]},"
        "{\"name\":\"a\",\"reads\":[{\"path\":\"hero/0.sac\"},"
        "{\"path\":\"hero/3.sac\"}]}]}";
    static const char second[] =
        "{\"schema\":1,\"kind\":\"trace\",\"scenes\":["
        "{\"name\":\"c\",\"reads\":[{\"path\":\"hero/5.sac\"},"
        "{\"path\":\"hero/4.sac\"}]}]}";
    static const char *const order[] = {"hero/3.sac", "hero/1.sac",
                                        "hero/0.sac", "hero/4.sac",
                                        "hero/5.sac", "hero/2.sac"};
    const char *traces[2];
    struct anim_pack_options options = {.traces = traces, .trace_count = 2};
    struct anim_pack_report report;
    uint8_t *bytes;
    size_t size;

    anims_start(&anims);
    bytes =
        anims_read(&anims, anims_path(&anims, "anims/hero/wave.sac"), &size);
    CHECK_EQ(remove(anims_path(&anims, "anims/hero/wave.sac")), 0);
    CHECK_EQ(remove(anims_path(&anims, "anims/hero/spline.sac")), 0);
    for (int i = 0; i < 6; i++) {
        /* Other bytes: the frame rate. */
        bytes[20] = (uint8_t)(4 + i);
        anim_mend_clip(bytes, size);
        anims_write(&anims, arena_format(&anims.arena, "anims/hero/%d.sac", i),
                    bytes, size);
    }
    anims_write(&anims, "1.json", first, sizeof first - 1);
    anims_write(&anims, "2.json", second, sizeof second - 1);
    traces[0] = anims_path(&anims, "1.json");
    traces[1] = anims_path(&anims, "2.json");
    CHECK(anims_try(&anims, &options, "game", &report));
    CHECK_EQ_U(report.used_count, 5);
    arena_free(&report.arena);
    check_order("game/hero.sad", order, 6);
    anims_finish(&anims);
}

/* -- lists -- */

static bool try_list(const char *text, const char *out,
                     struct anim_pack_report *report)
{
    const char *list = anims_path(&anims, "moves.txt");
    struct anim_pack_options options = {
        .lists = &list, .list_count = 1, .by = ANIM_PACK_BY_FILE};

    anims_write(&anims, "moves.txt", text, strlen(text));
    return anims_try(&anims, &options, out, report);
}

static void lists_make_databases(void)
{
    static const char *const moves[] = {"hero/wave.sac", "hero/spline.sac"};
    static const char *const things[] = {"prop/arm.sac"};
    struct anim_pack_report report;

    anims_start(&anims);
    CHECK(try_list("# moves\r\n \thero/wave.sac \r\n\r\nhero/*\r\n"
                   "a/things.sad\r\narm.sac",
                   "one", &report));
    CHECK_EQ_U(report.database_count, 2);
    CHECK_EQ_U(report.file_count, 0);
    arena_free(&report.arena);
    check_order("one/moves.sad", moves, 2);
    check_order("one/a/things.sad", things, 1);
    /* The rest are files of their own. */
    CHECK(try_list("things.sad\n*/?rm.sac\n", "two", &report));
    CHECK_EQ_U(report.database_count, 1);
    CHECK_EQ_U(report.file_count, 2);
    arena_free(&report.arena);
    check_order("two/things.sad", things, 1);
    CHECK(host_exists(anims_path(&anims, "two/hero/wave.sac")));
    CHECK(!host_exists(anims_path(&anims, "two/prop/arm.sac")));
    anims_finish(&anims);
}

static void bad_lists_are_refused(void)
{
    static const struct {
        const char *text;
        const char *message;
    } rows[] = {
        {"hero/wave.sac\nhero/run.sac\n",
         "moves.txt: line 2: there is no clip \"hero/run.sac\""},
        {"\n# a\nrun*\n", "moves.txt: line 3: no clip matches \"run*\""},
        {"../x.sad\nhero/wave.sac\n", "../x.sad"},
        {"hero/wave.sac\nprop/arm.sac\n", "is not that of hero/wave.sac"},
    };
    struct anim_pack_report report;

    anims_start(&anims);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        anims_begin_diag(&anims);
        test_context("%s", rows[i].message);
        CHECK(!try_list(rows[i].text, "none", &report));
        arena_free(&report.arena);
        CHECK(strstr(anims.diag.text, rows[i].message) != NULL);
        CHECK(!host_exists(anims_path(&anims, "none")));
    }
    anims_finish(&anims);
}

TEST_MAIN(TEST(recorded_reads_order_clips), TEST(scenes_and_traces_order_clips),
          TEST(lists_make_databases), TEST(bad_lists_are_refused))
