/* script_record.c - begin, count, end and write records. */
/* SPDX-License-Identifier: MIT */
#include "fuzz/script_record.h"

#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES_MAX 256u

void script_record_drop(struct script_record *record)
{
    free(record->desc.events);
    free(record->desc.text);
    memset(record, 0, sizeof *record);
}

static void begin(struct script_record *record, spn_runtime *rt, uint32_t how)
{
    spn_record_desc *desc = &record->desc;

    desc->event_count_max = 1 + how * how;
    desc->text_bytes = 1 + how * 40;
    desc->events = malloc(desc->event_count_max * sizeof *desc->events);
    desc->text = malloc(desc->text_bytes);
    CHECK(desc->events != NULL && desc->text != NULL);
    CHECK_EQ(spn_record_start(rt, desc), SPN_OK);
    record->is_on = true;
}

/* The counted calls are complete. */
static void check_calls(struct script_record *record, uint32_t count)
{
    const spn_record_desc *desc = &record->desc;

    CHECK(count <= desc->event_count_max && count >= record->seen);
    record->seen = count;
    for (uint32_t i = 0; i < count; i++) {
        const spn_record_event *event = &desc->events[i];

        CHECK(event->path < desc->text_bytes);
        CHECK(memchr(desc->text + event->path, 0,
                     desc->text_bytes - event->path) != NULL);
        CHECK((uint32_t)event->task < SPN_TASK_COUNT);
        CHECK(spn_record_priority_name(event->priority) != NULL);
    }
}

static spn_status take(void *user, const char *text, uint32_t bytes)
{
    uint32_t *left = user;

    CHECK(bytes > 0 && bytes <= PIECE_BYTES_MAX);
    CHECK(memchr(text, 0, bytes) == NULL);
    return --*left > 0 ? SPN_OK : SPN_ERR_IO;
}

static void write_all(const struct script_record *record, uint32_t count,
                      uint32_t pieces_max)
{
    const spn_record_scene scenes[] = {{"a", 0}, {"b", count / 2}};
    const spn_record_list list = {
        record->desc.events, count, record->desc.text, scenes, 2, 0};
    uint32_t left = pieces_max;
    const spn_status status = spn_record_write(&list, take, &left);

    CHECK_EQ(status, left > 0 ? SPN_OK : SPN_ERR_IO);
}

void script_record_use(struct script_record *record, spn_runtime *rt,
                       uint32_t how)
{
    uint32_t count = 0;
    uint32_t lost = 0;
    spn_status status;

    if (!record->is_on) {
        CHECK_EQ(spn_record_get_count(rt, &count), SPN_ERR_STATE);
        begin(record, rt, how);
        return;
    }
    CHECK_EQ(spn_record_start(rt, &record->desc), SPN_ERR_STATE);
    if (how % 2 == 0) {
        CHECK_EQ(spn_record_get_count(rt, &count), SPN_OK);
        check_calls(record, count);
        return;
    }
    status = spn_record_stop(rt, &count, &lost);
    if (status == SPN_PENDING)
        return;
    CHECK_EQ(status, SPN_OK);
    check_calls(record, count);
    write_all(record, count, how < 2 ? 3 : UINT32_MAX);
    script_record_drop(record);
}
