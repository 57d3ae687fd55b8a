/* fuzz_trace.c - a trace of reads as JSON, and its use by pack.
 *
 * An accepted trace has its times in order and its numbers in range. Its uses
 * name each of its reads once.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "pack/read_trace.h"

#include <spindle/record.h>
#include <stdlib.h>
#include <string.h>

static void check_trace(const struct read_trace *t, struct arena *arena)
{
    uint64_t at_us = 0;
    uint64_t reads = 0;
    uint32_t count;
    const struct traced_use *uses;

    for (uint32_t i = 0; i < t->read_count; i++) {
        const struct traced_read *r = &t->reads[i];

        CHECK(r->at_us >= at_us && r->at_us <= READ_TRACE_NUMBER_MAX);
        CHECK(r->file < t->file_count && r->scene < t->scene_count);
        CHECK(r->task <= READ_TRACE_TASK_MAX);
        CHECK(spn_record_priority_name(r->priority) != NULL);
        CHECK(r->deadline_us <= READ_TRACE_NUMBER_MAX); /* relative to at_us */
        at_us = r->at_us;
    }
    uses = read_trace_uses(t, arena, &count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(uses[i].scene < t->scene_count && uses[i].file < t->file_count);
        CHECK(uses[i].first_read < t->read_count);
        reads += uses[i].read_count;
    }
    CHECK_EQ_U(reads, t->read_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* The parser needs a zero byte after the text. */
    char *text = malloc(size + 1);
    struct read_trace trace;
    struct arena arena;
    struct diag diag;
    bool is_good;

    CHECK(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    memset(&trace, 0, sizeof trace);
    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
    is_good = read_trace_parse("fuzz.json", text, size, &arena, &trace, &diag);
    CHECK(is_good == (diag.code == EXIT_DONE));
    CHECK(is_good || diag.text[0]);
    if (is_good)
        check_trace(&trace, &arena);
    diag_finish(&diag);
    arena_free(&arena);
    free(text);
    return 0;
}
