/* test_tuning_table.c
 *
 * Goal: a tuning variable accepts exactly the numbers of its range, as decimal
 * text, under its name and, in the unit of the alias, under its alias.
 * Method: for every variable the limits and one beyond them; texts that are not
 * numbers. After each refusal the whole table must be unchanged.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/tuning_table.h"

#include <stdio.h>
#include <string.h>

static spn_tuning variable(const struct tuning *tuning, uint32_t index)
{
    spn_tuning out = {0};

    CHECK_EQ(spn__tuning_get(tuning, index, &out), SPN_OK);
    return out;
}

static void tuning_starts_with_the_described_defaults(void)
{
    struct tuning tuning;
    spn_tuning out;

    spn__tuning_init(&tuning);
    for (uint32_t i = 0; i < TUNING_COUNT; i++) {
        out = variable(&tuning, i);
        CHECK(out.name[0] && out.text[0]);
        CHECK_EQ_U(spn__tuning_find(out.name), i);
        CHECK_EQ(out.is_text, i >= TUNING_NUMBERS);
        CHECK_EQ_U(out.value, out.initial);
        CHECK(out.low <= out.value && out.value <= out.high);
        CHECK_EQ_U(out.value_text[0], 0);
        if (out.alias[0])
            CHECK_EQ_U(spn__tuning_find(out.alias), i);
    }
    CHECK_EQ(spn__tuning_get(&tuning, TUNING_COUNT, &out), SPN_ERR_NOT_FOUND);
    CHECK_EQ(spn__tuning_get(&tuning, UINT32_MAX, &out), SPN_ERR_NOT_FOUND);
    CHECK_EQ_U(tuning.value[TUNING_request_kib], 1024);
}

/* What the runtime was configured with is the default. */
static void tuning_begins_with_values_within_the_range(void)
{
    struct tuning tuning;

    spn__tuning_init(&tuning);
    spn__tuning_begin(&tuning, TUNING_read_budget_kib, 77);
    CHECK_EQ_U(variable(&tuning, TUNING_read_budget_kib).initial, 77);
    CHECK_EQ_U(variable(&tuning, TUNING_read_budget_kib).value, 77);
    spn__tuning_begin(&tuning, TUNING_read_budget_kib, UINT64_MAX);
    CHECK_EQ_U(variable(&tuning, TUNING_read_budget_kib).value, 4194304);
    spn__tuning_begin(&tuning, TUNING_stream_memory_kib, 1);
    CHECK_EQ_U(variable(&tuning, TUNING_stream_memory_kib).value, 64);
}

static void check_set(const char *name, uint32_t index, const char *text,
                      spn_status expected, uint32_t value)
{
    struct tuning tuning;
    struct tuning wanted;

    test_context("%s = \"%s\"", name, text);
    spn__tuning_init(&tuning);
    wanted = tuning;
    if (expected == SPN_OK)
        wanted.value[index] = value;
    CHECK_EQ(spn__tuning_set(&tuning, name, text), expected);
    CHECK_MEM(&tuning, &wanted, sizeof tuning);
}

static void tuning_accepts_exactly_its_range(void)
{
    struct tuning tuning;

    spn__tuning_init(&tuning);
    for (uint32_t i = 0; i < TUNING_NUMBERS; i++) {
        const spn_tuning v = variable(&tuning, i);
        char text[32];

        snprintf(text, sizeof text, "%u", v.low);
        check_set(v.name, i, text, SPN_OK, v.low);
        snprintf(text, sizeof text, "000%u", v.high);
        check_set(v.name, i, text, SPN_OK, v.high);
        snprintf(text, sizeof text, "%u", v.high + 1);
        check_set(v.name, i, text, SPN_ERR_ARG, 0);
        snprintf(text, sizeof text, "%llu", v.low + (1ull << 32));
        check_set(v.name, i, text, SPN_ERR_ARG, 0);
        if (v.low > 0) {
            snprintf(text, sizeof text, "%u", v.low - 1);
            check_set(v.name, i, text, SPN_ERR_ARG, 0);
        }
    }
}

/* The console variables of CryENGINE that its pages about geometry caches and
 * the stream engine name. */
static void tuning_has_the_aliases(void)
{
    static const struct {
        const char *alias;
        uint32_t index;
        const char *text;
        uint32_t value;
    } rows[] = {
        {"e_GeomCaches", TUNING_geometry, "0", 0},
        {"e_GeomCacheBufferSize", TUNING_stream_memory_kib, "128", 131072},
        {"e_GeomCacheMaxPlaybackFromMemorySize", TUNING_memory_play_kib, "8",
         8192},
        {"e_GeomCachePreferredDiskRequestSize", TUNING_request_kib, "512", 512},
        {"e_GeomCacheMinBufferAheadTime", TUNING_buffer_ahead_min_ms, "2.5",
         2500},
        {"e_GeomCacheMaxBufferAheadTime", TUNING_buffer_ahead_max_ms, "5.0",
         5000},
        {"e_GeomCacheDecodeAheadTime", TUNING_decode_ahead_ms, "0.0337", 33},
        {"e_GeomCacheLerpBetweenFrames", TUNING_interpolate, "0", 0},
        {"e_GeomCacheDebug", TUNING_debug, "2", 2},
        {"e_GeomCacheDebugDrawMode", TUNING_debug_draw_mode, "3", 3},
        {"e_streamCGF", TUNING_unload_hidden, "0", 0},
        {"e_StreamCgf", TUNING_unload_hidden, "0", 0},
        {"E_GEOMCACHES", TUNING_geometry, "0", 0},
        {"sys_streaming_memory_budget", TUNING_read_budget_kib, "10240", 10240},
        {"sys_streaming_requests_grouping_time_period", TUNING_time_group_ms,
         "1", 1000},
        {"r_GeomCacheInstanceThreshold", TUNING_instance_min, "16", 16},
        {"sys_streaming_debug", TUNING_debug_reads, "1", 1},
        {"e_GeomCacheBufferSize", TUNING_stream_memory_kib, "0.3", 307},
        {"e_GeomCacheBufferSize", TUNING_stream_memory_kib, "4096", 4194304},
        {"e_GeomCacheBufferSize", TUNING_stream_memory_kib, "4095.9999999",
         4194303},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_set(rows[i].alias, rows[i].index, rows[i].text, SPN_OK,
                  rows[i].value);
    CHECK_EQ_U(spn__tuning_find("e_GeomCacheDebugFilter"), TUNING_debug_filter);
}

static void tuning_refuses_bad_values_under_an_alias(void)
{
    static const char *const rows[][2] = {
        {"e_GeomCacheBufferSize", "4096.1"},
        {"e_GeomCacheBufferSize", "4194305"},
        {"e_GeomCacheBufferSize", "0.06"},
        {"e_GeomCacheBufferSize", "99999999999999999999"},
        {"e_GeomCacheBufferSize", ""},
        {"e_GeomCacheBufferSize", "."},
        {"e_GeomCacheBufferSize", ".5"},
        {"e_GeomCacheBufferSize", "5."},
        {"e_GeomCacheBufferSize", "5.0.0"},
        {"e_GeomCacheBufferSize", "5.x"},
        {"e_GeomCacheBufferSize", "-5"},
        {"e_GeomCaches", "1.0"}, /* a switch has no fraction */
        {"e_GeomCachePreferredDiskRequestSize", "512.5"},
        {"stream_memory_kib", "512.5"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_set(rows[i][0], 0, rows[i][1], SPN_ERR_ARG, 0);
}

static void tuning_keeps_texts(void)
{
    char text[SPN_TUNING_TEXT_BYTES_MAX + 1];
    struct tuning tuning;

    spn__tuning_init(&tuning);
    memset(text, 'x', sizeof text);
    text[SPN_TUNING_TEXT_BYTES_MAX] = 0;
    CHECK_EQ(spn__tuning_set(&tuning, "debug_filter", text), SPN_ERR_ARG);
    CHECK_EQ_U(variable(&tuning, TUNING_debug_filter).value_text[0], 0);
    text[SPN_TUNING_TEXT_BYTES_MAX - 1] = 0;
    CHECK_EQ(spn__tuning_set(&tuning, "debug_filter", text), SPN_OK);
    CHECK(strcmp(variable(&tuning, TUNING_debug_filter).value_text, text) == 0);
    CHECK_EQ(spn__tuning_set(&tuning, "e_GeomCacheDebugFilter", ""), SPN_OK);
    CHECK_EQ_U(variable(&tuning, TUNING_debug_filter).value_text[0], 0);
}

static void tuning_refuses_texts_that_are_no_number(void)
{
    static const char *const texts[] = {"",
                                        " ",
                                        "+100",
                                        "-100",
                                        " 500",
                                        "500 ",
                                        "0x64",
                                        "1e3",
                                        "5.0",
                                        "500ms",
                                        "/",
                                        ":",
                                        "1000000000000000000000000000000000",
                                        "18446744073709552116",
                                        "\xB2"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        check_set("decode_ahead_ms", 0, texts[i], SPN_ERR_ARG, 0);
}

static void tuning_refuses_unknown_names(void)
{
    static const char *const names[] = {"",
                                        "decode_ahead_m",
                                        "value",
                                        "decode_ahead_ms2",
                                        "Interpolate",
                                        " interpolate",
                                        "DECODE_AHEAD_MS",
                                        "e_GeomCache",
                                        "e_GeomCachess"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        check_set(names[i], 0, "1", SPN_ERR_NOT_FOUND, 0);
}

static void tuning_refuses_null(void)
{
    struct tuning tuning;

    spn__tuning_init(&tuning);
    CHECK_EQ(spn__tuning_set(&tuning, NULL, "1"), SPN_ERR_ARG);
    CHECK_EQ(spn__tuning_set(&tuning, "interpolate", NULL), SPN_ERR_ARG);
}

TEST_MAIN(TEST(tuning_starts_with_the_described_defaults),
          TEST(tuning_begins_with_values_within_the_range),
          TEST(tuning_accepts_exactly_its_range), TEST(tuning_has_the_aliases),
          TEST(tuning_refuses_bad_values_under_an_alias),
          TEST(tuning_keeps_texts),
          TEST(tuning_refuses_texts_that_are_no_number),
          TEST(tuning_refuses_unknown_names), TEST(tuning_refuses_null))
