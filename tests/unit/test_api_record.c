/* test_api_record.c
 *
 * Goal: a record of the runtime's reads is begun, counted and ended as
 *   record.h states. Wrong arguments and wrong orders of calls change nothing.
 * Method: one wrong argument at a time, and every state.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/stage.h"

#include <spindle/record.h>

#define EVENTS 8u
#define UNTOUCHED 99u

static struct stage stage;
static spn_record_event events[EVENTS];
static char text[64];
static const spn_record_desc desc = {events, EVENTS, text, sizeof text};

static void null_runtime_is_refused(void)
{
    uint32_t count = UNTOUCHED;
    uint32_t lost = UNTOUCHED;

    CHECK_EQ(spn_record_start(NULL, &desc), SPN_ERR_ARG);
    CHECK_EQ(spn_record_get_count(NULL, &count), SPN_ERR_ARG);
    CHECK_EQ(spn_record_stop(NULL, &count, &lost), SPN_ERR_ARG);
    CHECK_EQ(count, UNTOUCHED);
    CHECK_EQ(lost, UNTOUCHED);
}

static void record_is_begun_counted_and_ended(void)
{
    uint32_t count = UNTOUCHED;
    uint32_t lost = UNTOUCHED;
    spn_status status;

    stage_init(&stage, tiny_build(NULL));
    stage_start(&stage);
    CHECK_EQ(spn_record_start(stage.rt, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_record_get_count(stage.rt, &count), SPN_ERR_STATE);
    CHECK_EQ(spn_record_stop(stage.rt, &count, &lost), SPN_ERR_STATE);
    CHECK_EQ(count, UNTOUCHED);
    CHECK_EQ(spn_record_start(stage.rt, &desc), SPN_OK);
    CHECK_EQ(spn_record_start(stage.rt, &desc), SPN_ERR_STATE);
    CHECK_EQ(spn_cache_open(stage.rt, "a", &stage.cache), SPN_OK);
    while (spn_cache_get_status(stage.rt, stage.cache, NULL) == SPN_PENDING)
        stage_tick(&stage, STAGE_TICK_US);
    CHECK_EQ(spn_record_get_count(stage.rt, NULL), SPN_ERR_ARG);
    CHECK_EQ(spn_record_get_count(stage.rt, &count), SPN_OK);
    CHECK(count > 0 && count <= EVENTS);
    CHECK_STR(text + events[0].path, "a");
    CHECK_EQ(spn_record_stop(stage.rt, NULL, &lost), SPN_ERR_ARG);
    CHECK_EQ(spn_record_stop(stage.rt, &count, NULL), SPN_ERR_ARG);
    for (int i = 0;
         (status = spn_record_stop(stage.rt, &count, &lost)) == SPN_PENDING;
         i++) {
        CHECK(i < 100);
        stage_tick(&stage, STAGE_TICK_US);
    }
    CHECK_EQ(status, SPN_OK);
    CHECK_EQ(lost, 0);
    CHECK_EQ_U(count, stage.disc.reads);
    CHECK_EQ(spn_record_stop(stage.rt, &count, &lost), SPN_ERR_STATE);
    stage_close(&stage);
}

TEST_MAIN(TEST(null_runtime_is_refused),
          TEST(record_is_begun_counted_and_ended))
