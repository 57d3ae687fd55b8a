/* test_tuning.c
 *
 * Goal: a tuning variable accepts exactly the numbers of its range, as decimal
 * text.
 * Method: for every variable the limits and one beyond them; texts that are not
 * numbers. After each refusal the whole table must be unchanged.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/tuning.h"

#include <stdio.h>
#include <string.h>

static void tuning_starts_with_the_described_defaults(void)
{
    struct tuning tuning;
    const char *name;
    const char *text;
    uint32_t value;
    uint32_t low;
    uint32_t high;
    uint32_t count = 0;

    spn__tuning_init(&tuning);
    while (spn__tuning_describe(count, &name, &text, &value, &low, &high)) {
        CHECK_EQ_U(tuning.value[count], value);
        CHECK(low <= value && value <= high);
        CHECK(name[0] && text[0]);
        count++;
    }
    CHECK_EQ_U(count, TUNING_COUNT);
    CHECK(!spn__tuning_describe(UINT32_MAX, &name, &text, &value, &low, &high));
    CHECK_EQ_U(tuning.value[TUNING_request_kib], 1024);
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
    for (uint32_t i = 0; i < TUNING_COUNT; i++) {
        const char *name;
        const char *about;
        uint32_t value;
        uint32_t low;
        uint32_t high;
        char text[32];

        CHECK(spn__tuning_describe(i, &name, &about, &value, &low, &high));
        snprintf(text, sizeof text, "%u", low);
        check_set(name, i, text, SPN_OK, low);
        snprintf(text, sizeof text, "000%u", high);
        check_set(name, i, text, SPN_OK, high);
        snprintf(text, sizeof text, "%u", high + 1);
        check_set(name, i, text, SPN_ERR_ARG, 0);
        snprintf(text, sizeof text, "%llu", low + (1ull << 32));
        check_set(name, i, text, SPN_ERR_ARG, 0);
        if (low > 0) {
            snprintf(text, sizeof text, "%u", low - 1);
            check_set(name, i, text, SPN_ERR_ARG, 0);
        }
    }
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
                                        " interpolate"};

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
          TEST(tuning_accepts_exactly_its_range),
          TEST(tuning_refuses_texts_that_are_no_number),
          TEST(tuning_refuses_unknown_names), TEST(tuning_refuses_null))
