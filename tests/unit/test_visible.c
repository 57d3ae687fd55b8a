/* test_visible.c
 *
 * Goal: the nearest object with a visibility property decides visibility at
 *   every time. Constant visibility is recognised.
 * Method: write chains of objects with visibilities from tables.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/visible.h"
#include "support/scene_writer.h"

#include <stdio.h>
#include <string.h>

static const int8_t hidden[] = {0};
static const int8_t shown[] = {1};
static const int8_t deferred[] = {-1};
static const int8_t blinks[] = {0, 1, 0};
static const int8_t always_hidden[] = {0, 0, 0};
static const int8_t defers_late[] = {0, 0, -1};

/* At 2, 3, 4 seconds. */
#define VISIBLE(values)                                                        \
    {                                                                          \
        WRITTEN_SCALAR("visible", ABC_I8, 1, 1, WRITTEN_COUNT(values), values) \
    }
static const struct written_property is_hidden[] = VISIBLE(hidden);
static const struct written_property is_shown[] = VISIBLE(shown);
static const struct written_property is_deferred[] = VISIBLE(deferred);
static const struct written_property is_blinking[] = VISIBLE(blinks);
static const struct written_property is_never_shown[] = VISIBLE(always_hidden);
static const struct written_property is_late[] = VISIBLE(defers_late);

static struct abc_archive *archive;
static struct diag diag;

/* /a/b/c with these visibilities; NULL: no property. */
static const struct abc_object *open_chain(const struct written_property *a,
                                           const struct written_property *b,
                                           const struct written_property *c)
{
    static const struct written_sampling samplings[] = {{2, 1}};
    const struct written_object third = {"c",       WRITTEN_XFORM, c,
                                         c != NULL, NULL,          0};
    const struct written_object second = {"b",       WRITTEN_XFORM, b,
                                          b != NULL, &third,        1};
    const struct written_object first = {"a",       WRITTEN_XFORM, a,
                                         a != NULL, &second,       1};
    const struct written_scene scene = {samplings, 1, &first, 1};
    char path[512];

    snprintf(path, sizeof path, "%s/visible.abc", test_temp());
    scene_write(&scene, path);
    diag_init(&diag);
    diag.is_silent = true;
    archive = abc_open(path, &diag);
    CHECK(archive != NULL);
    return archive->top->children[0]->children[0]->children[0];
}

static void close_chain(void)
{
    abc_close(archive);
    CHECK_EQ(diag.code, EXIT_DONE);
    diag_finish(&diag);
}

static bool at(const struct abc_object *object, double time)
{
    bool is_visible;

    CHECK(visible_at(archive, object, time, &is_visible));
    return is_visible;
}

static bool ever(const struct abc_object *object)
{
    bool is_visible;

    CHECK(visible_ever(archive, object, &is_visible));
    return is_visible;
}

static bool changes(const struct abc_object *object)
{
    bool is_changing;

    CHECK(visible_changes(archive, object, &is_changing));
    return is_changing;
}

static void objects_without_visibility_are_visible(void)
{
    const struct abc_object *c = open_chain(NULL, NULL, NULL);

    CHECK(at(c, 0) && ever(c) && !changes(c));
    close_chain();
    c = open_chain(NULL, is_deferred, is_deferred);
    CHECK(at(c, 0) && ever(c) && !changes(c));
    close_chain();
}

static void nearest_deciding_object_determines_visibility(void)
{
    static const struct {
        const struct written_property *a;
        const struct written_property *b;
        const struct written_property *c;
        bool is_visible;
    } cases[] = {
        {is_hidden, NULL, NULL, false},
        {is_hidden, is_deferred, is_deferred, false},
        {is_hidden, is_shown, NULL, true},
        {is_hidden, is_shown, is_deferred, true},
        {is_hidden, NULL, is_shown, true},
        {is_shown, is_hidden, NULL, false},
        {is_shown, NULL, is_hidden, false},
        {NULL, NULL, is_hidden, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct abc_object *c =
            open_chain(cases[i].a, cases[i].b, cases[i].c);

        test_context("case %zu", i);
        CHECK_EQ(at(c, 0), cases[i].is_visible);
        CHECK_EQ(ever(c), cases[i].is_visible);
        CHECK(!changes(c));
        close_chain();
    }
}

static void visibility_holds_the_earlier_sample(void)
{
    const struct abc_object *c = open_chain(NULL, is_blinking, NULL);
    static const double times[] = {-1e300, 0, 2, 2.9, 3, 3.9, 4, 5, 1e300};
    static const bool wanted[] = {0, 0, 0, 0, 1, 1, 0, 0, 0};

    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        test_context("at %g", times[i]);
        CHECK_EQ(at(c, times[i]), wanted[i]);
    }
    close_chain();
}

static void visibility_of_a_single_time_is_found(void)
{
    const struct abc_object *c = open_chain(NULL, is_blinking, NULL);

    CHECK(ever(c));
    /* The object's own property is constant; that of the object above
     * changes. */
    CHECK(!changes(c));
    CHECK(changes(c->parent));
    close_chain();
    c = open_chain(is_blinking, NULL, is_hidden);
    CHECK(!ever(c));
    close_chain();
    /* Objects above count only while the object itself defers. */
    c = open_chain(NULL, is_blinking, is_late);
    CHECK(!at(c, 3.5));
    CHECK(!at(c, 4.5));
    CHECK(!ever(c));
    CHECK(changes(c));
    close_chain();
    c = open_chain(NULL, is_shown, is_late);
    CHECK(!at(c, 3.5));
    CHECK(at(c, 4));
    CHECK(ever(c));
    close_chain();
}

static void repeated_visibility_is_constant(void)
{
    const struct abc_object *c = open_chain(NULL, NULL, is_never_shown);

    CHECK(!changes(c));
    CHECK(!ever(c));
    close_chain();
}

TEST_MAIN(TEST(objects_without_visibility_are_visible),
          TEST(nearest_deciding_object_determines_visibility),
          TEST(visibility_holds_the_earlier_sample),
          TEST(visibility_of_a_single_time_is_found),
          TEST(repeated_visibility_is_constant))
