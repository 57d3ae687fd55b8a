/* fuzz_clip_script.c - a script of `spindle simulate --clips`.
 *
 * An accepted script has its actions by time, its numbers in range, and names
 * that are not empty. Its counts are those of its actions.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "simulate/clip_script.h"

#include <stdlib.h>
#include <string.h>

static void check_names(const struct clip_name *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        CHECK(names[i].text[0] != 0 && names[i].line > 0);
}

static void check_action(const struct clip_action *a)
{
    CHECK(a->kind < CLIP_ACTIONS);
    CHECK(a->at_us <= CLIP_SCRIPT_SECONDS_MAX * UINT64_C(1000000));
    CHECK(a->for_us <= CLIP_SCRIPT_SECONDS_MAX * UINT64_C(1000000));
    CHECK(a->rate_permille != 0 && a->rate_permille <= CLIP_SCRIPT_RATE_MAX &&
          a->rate_permille >= -CLIP_SCRIPT_RATE_MAX);
    CHECK(a->loop <= SPN_ANIM_LOOP_NEVER);
    check_names(&a->name, 1);
}

static void check_script(const struct clip_script *s)
{
    uint32_t plays = 0;
    uint32_t streams = 0;
    uint64_t at_us = 0;

    CHECK(s->action_count > 0);
    CHECK(s->picture_rate >= 5 && s->picture_rate <= 240);
    check_names(s->clips, s->clip_count);
    check_names(s->skeletons, s->skeleton_count);
    check_names(s->settings, s->setting_count);
    CHECK(!s->image.text || s->image.text[0] != 0);
    for (uint32_t i = 0; i < s->action_count; i++) {
        const struct clip_action *a = &s->actions[i];

        check_action(a);
        CHECK(a->at_us >= at_us && a->at_us <= s->last_us);
        at_us = a->at_us;
        plays += a->kind == CLIP_PLAY || a->kind == CLIP_CUE;
        streams += a->kind == CLIP_STREAM;
    }
    CHECK_EQ_U(plays, s->play_count);
    CHECK_EQ_U(streams, s->stream_count);
    CHECK(plays <= CLIP_SCRIPT_PLAYS_MAX && streams <= CLIP_SCRIPT_STREAMS_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Of exactly its size, so that the parser may not look behind it. */
    uint8_t *text = fuzz_copy(data, size);
    struct clip_script script;
    struct arena arena;
    struct diag diag;
    bool is_good;

    memset(&script, 0, sizeof script);
    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
    is_good = clip_script_parse("fuzz.txt", (const char *)text, size, &arena,
                                &script, &diag);
    CHECK(is_good == (diag.code == EXIT_DONE));
    CHECK(is_good || diag.text[0]);
    if (is_good)
        check_script(&script);
    diag_finish(&diag);
    arena_free(&arena);
    free(text);
    return 0;
}
