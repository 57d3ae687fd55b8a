/* test_status.c
 *
 * Goal: every status has its name and text, and unknown numbers are handled.
 * Method: walk the table; compare with a list written by hand, because the
 * numbers are part of the binary interface.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <spindle/status.h>
#include <string.h>

static const struct {
    spn_status status;
    int number;
    const char *name;
} known[] = {
    {SPN_OK, 0, "SPN_OK"},
    {SPN_PENDING, 1, "SPN_PENDING"},
    {SPN_NO_MEMORY_NOW, 2, "SPN_NO_MEMORY_NOW"},
    {SPN_EMPTY, 3, "SPN_EMPTY"},
    {SPN_FULL, 4, "SPN_FULL"},
    {SPN_NO_TIME_NOW, 5, "SPN_NO_TIME_NOW"},
    {SPN_ERR_ARG, -1, "SPN_ERR_ARG"},
    {SPN_ERR_HANDLE, -2, "SPN_ERR_HANDLE"},
    {SPN_ERR_MEMORY, -3, "SPN_ERR_MEMORY"},
    {SPN_ERR_TABLE_FULL, -4, "SPN_ERR_TABLE_FULL"},
    {SPN_ERR_NOT_FOUND, -5, "SPN_ERR_NOT_FOUND"},
    {SPN_ERR_IO, -6, "SPN_ERR_IO"},
    {SPN_ERR_RANGE, -7, "SPN_ERR_RANGE"},
    {SPN_ERR_SHORT_READ, -8, "SPN_ERR_SHORT_READ"},
    {SPN_ERR_ABORTED, -9, "SPN_ERR_ABORTED"},
    {SPN_ERR_SHUTDOWN, -10, "SPN_ERR_SHUTDOWN"},
    {SPN_ERR_FORMAT, -11, "SPN_ERR_FORMAT"},
    {SPN_ERR_VERSION, -12, "SPN_ERR_VERSION"},
    {SPN_ERR_CHECKSUM, -13, "SPN_ERR_CHECKSUM"},
    {SPN_ERR_CODEC, -14, "SPN_ERR_CODEC"},
    {SPN_ERR_STATE, -15, "SPN_ERR_STATE"},
    {SPN_ERR_TIMEOUT, -16, "SPN_ERR_TIMEOUT"},
    {SPN_ERR_PLATFORM, -17, "SPN_ERR_PLATFORM"},
    {SPN_ERR_NO_CODEC, -18, "SPN_ERR_NO_CODEC"},
    {SPN_ERR_NOT_BUILT, -19, "SPN_ERR_NOT_BUILT"},
    {SPN_ERR_FPU, -20, "SPN_ERR_FPU"},
    {SPN_ERR_SKELETON, -21, "SPN_ERR_SKELETON"},
    {SPN_ERR_REST_POSE, -22, "SPN_ERR_REST_POSE"},
};

static void status_numbers_and_names_never_change(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        CHECK_EQ(known[i].status, known[i].number);
        CHECK_STR(spn_status_name(known[i].status), known[i].name);
    }
#define ONE(name, number, text) +1
    CHECK_EQ(sizeof known / sizeof known[0], 0 SPN_STATUS_MAP(ONE));
#undef ONE
}

static void status_texts_are_phrases_that_differ(void)
{
    static const spn_status all[] = {
#define STATUS(name, number, text) name,
        SPN_STATUS_MAP(STATUS)
#undef STATUS
    };
    const size_t count = sizeof all / sizeof all[0];

    for (size_t i = 0; i < count; i++) {
        const char *text = spn_status_text(all[i]);

        test_context("status %d", (int)all[i]);
        CHECK(text[0] != 0 && text[strlen(text) - 1] != '.');
        CHECK(strcmp(text, spn_status_text((spn_status)-1000)) != 0);
        for (size_t k = 0; k < i; k++)
            CHECK(strcmp(text, spn_status_text(all[k])) != 0);
    }
}

static void status_of_an_unknown_number_has_a_name_and_a_text(void)
{
    CHECK_STR(spn_status_name((spn_status)-1000), "SPN_UNKNOWN");
    CHECK_STR(spn_status_name((spn_status)1000), "SPN_UNKNOWN");
    CHECK_STR(spn_status_text((spn_status)1000), "unknown status");
}

TEST_MAIN(TEST(status_numbers_and_names_never_change),
          TEST(status_texts_are_phrases_that_differ),
          TEST(status_of_an_unknown_number_has_a_name_and_a_text))
