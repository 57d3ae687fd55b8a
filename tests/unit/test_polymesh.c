/* test_polymesh.c
 *
 * Goal: the first sample with another content is found, and none where samples
 *   hold the same.
 * Method: arrays of three samples, stored one by one.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "abc/schema.h"
#include "support/scene_writer.h"

#include <stdio.h>

enum { SAMPLES = 3 };

static void first_change_is_found_by_content(void)
{
    static const uint32_t none[SAMPLES] = {0, 0, 0};
    static const uint32_t more[SAMPLES] = {1, 2, 2};
    static const int32_t same[6] = {1, 2, 1, 2, 1, 2};
    static const int32_t late[6] = {1, 2, 1, 2, 1, 3};
    const struct written_property lists[] = {
        {"empty", ABC_ARRAY, ABC_I32, 1, 1, SAMPLES, 0, same, NULL, NULL, 0,
         none},
        WRITTEN_ARRAY("same", ABC_I32, 1, 1, SAMPLES, 2, same),
        WRITTEN_ARRAY("late", ABC_I32, 1, 1, SAMPLES, 2, late),
        {"grows", ABC_ARRAY, ABC_I32, 1, 1, SAMPLES, 0, same, NULL, NULL, 0,
         more}};
    static const uint32_t changes[] = {UINT32_MAX, UINT32_MAX, 2, 1};
    const struct written_object top[] = {
        WRITTEN_OBJECT("lists", WRITTEN_XFORM, lists)};
    static const struct written_sampling samplings[] = {{0, 0.5}};
    const struct written_scene scene = {samplings, 1, top, 1};
    struct abc_archive *archive;
    struct arena arena;
    struct diag diag;
    char path[512];

    snprintf(path, sizeof path, "%s/lists.abc", test_temp());
    scene_write(&scene, path);
    diag_init(&diag);
    arena_init(&arena);
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    for (uint32_t i = 0; i < WRITTEN_COUNT(lists); i++) {
        const struct abc_property *property = abc_find(
            archive->top->children[0]->properties, lists[i].name, ABC_ARRAY);
        uint32_t change = 0;

        test_context("%s", lists[i].name);
        CHECK(property != NULL);
        CHECK_EQ_U(abc_stored_count(property), SAMPLES);
        CHECK(abc_first_change(archive, property, &arena, &change));
        CHECK_EQ_U(change, changes[i]);
    }
    abc_close(archive);
    arena_free(&arena);
    diag_finish(&diag);
}

TEST_MAIN(TEST(first_change_is_found_by_content))
