/* test_view_controls.c
 *
 * Goal: each key of the viewer does what the help says, time stays in the clip
 *   where it must, and the filter finds names.
 * Method: press keys and let time pass, without a window.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "view/view_controls.h"

#include <math.h>
#include <string.h>

#define DURATION_S 4.0
#define FRAME_S 0.25

static struct view_controls fresh(void)
{
    struct view_controls c;

    view_controls_init(&c, DURATION_S, FRAME_S);
    return c;
}

static bool is_equal(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void press_all(struct view_controls *c, const char *keys)
{
    for (; *keys; keys++)
        CHECK(view_controls_press(c, *keys));
}

static void time_passes_at_the_rate(void)
{
    struct view_controls c = fresh();

    view_controls_advance(&c, 1);
    CHECK(is_equal(c.time_s, 1));
    CHECK(view_controls_press(&c, VIEW_KEY_UP));
    view_controls_advance(&c, 1);
    CHECK(is_equal(c.time_s, 3));
    CHECK_EQ(view_controls_rate_permille(&c), 2000);
    press_all(&c, "r");
    CHECK_EQ(view_controls_rate_permille(&c), -2000);
    view_controls_advance(&c, 2.5);
    CHECK(is_equal(c.time_s, -2));
    press_all(&c, " ");
    view_controls_advance(&c, 100);
    CHECK(is_equal(c.time_s, -2));
}

static void the_rate_stays_in_its_range(void)
{
    struct view_controls c = fresh();

    for (int i = 0; i < 20; i++)
        CHECK(view_controls_press(&c, VIEW_KEY_UP));
    CHECK(is_equal(c.rate, VIEW_RATE_MAX));
    for (int i = 0; i < 20; i++)
        CHECK(view_controls_press(&c, VIEW_KEY_DOWN));
    CHECK(is_equal(c.rate, VIEW_RATE_MIN));
}

static void without_loop_playback_stops_at_both_ends(void)
{
    struct view_controls c = fresh();

    c.time_s = 9;
    press_all(&c, "l");
    CHECK(is_equal(c.time_s, DURATION_S));
    c.time_s = 3;
    view_controls_advance(&c, 1.5);
    CHECK(is_equal(c.time_s, DURATION_S));
    CHECK(!c.is_playing);
    /* From the end it starts again. */
    press_all(&c, " ");
    CHECK(c.is_playing && is_equal(c.time_s, 0));
    press_all(&c, "r");
    view_controls_advance(&c, 1);
    CHECK(!c.is_playing && is_equal(c.time_s, 0));
    press_all(&c, " ");
    CHECK(c.is_playing && is_equal(c.time_s, DURATION_S));
}

static void steps_and_jumps_pause(void)
{
    struct view_controls c = fresh();

    CHECK(view_controls_press(&c, VIEW_KEY_RIGHT));
    CHECK(!c.is_playing && is_equal(c.time_s, FRAME_S));
    CHECK(view_controls_press(&c, VIEW_KEY_LEFT));
    CHECK(view_controls_press(&c, VIEW_KEY_LEFT));
    CHECK(is_equal(c.time_s, -FRAME_S));
    press_all(&c, "l");
    CHECK(view_controls_press(&c, VIEW_KEY_LEFT));
    CHECK(is_equal(c.time_s, 0));
    CHECK(view_controls_press(&c, VIEW_KEY_END));
    CHECK(is_equal(c.time_s, DURATION_S));
    CHECK(view_controls_press(&c, VIEW_KEY_HOME));
    CHECK(is_equal(c.time_s, 0));
    c.is_playing = true;
    view_controls_scrub(&c, 0.5);
    CHECK(!c.is_playing && is_equal(c.time_s, DURATION_S / 2));
    view_controls_scrub(&c, 7);
    CHECK(is_equal(c.time_s, DURATION_S));
    view_controls_scrub(&c, -1);
    CHECK(is_equal(c.time_s, 0));
}

static void modes_go_round(void)
{
    struct view_controls c = fresh();

    press_all(&c, "wcfnio");
    CHECK_EQ(c.wire, VIEW_WIRE_OVER);
    CHECK_EQ(c.colors, VIEW_COLORS_MATERIAL);
    CHECK_EQ(c.path, VIEW_PATH_FRAMES);
    CHECK(c.has_normals && !c.is_interpolated && !c.has_overlay);
    press_all(&c, "wwcccfnio");
    CHECK_EQ(c.wire, VIEW_WIRE_OFF);
    CHECK_EQ(c.colors, VIEW_COLORS_OWN);
    CHECK_EQ(c.path, VIEW_PATH_FILL);
    CHECK(!c.has_normals && c.is_interpolated && c.has_overlay);
    press_all(&c, "1");
    CHECK_EQ(c.meshes, VIEW_MESHES_ANIMATED);
    press_all(&c, "2");
    CHECK_EQ(c.meshes, VIEW_MESHES_STATIC);
    press_all(&c, "3");
    CHECK_EQ(c.meshes, VIEW_MESHES_SAME_COLOR);
    press_all(&c, "0");
    CHECK_EQ(c.meshes, VIEW_MESHES_ALL);
    press_all(&c, "ha");
    CHECK(c.has_help && c.wants_camera && !c.wants_end);
    CHECK(!view_controls_press(&c, '%'));
    CHECK(view_controls_press(&c, VIEW_KEY_ESCAPE));
    CHECK(c.wants_end);
}

static void the_filter_is_typed_and_found(void)
{
    struct view_controls c = fresh();

    CHECK(view_controls_passes(&c, "anything"));
    press_all(&c, "/Sailq");
    CHECK(c.is_typing && !c.wants_end);
    CHECK(strcmp(c.filter, "Sailq") == 0);
    CHECK(view_controls_press(&c, VIEW_KEY_BACKSPACE));
    CHECK(view_controls_press(&c, VIEW_KEY_ENTER));
    CHECK(!c.is_typing);
    CHECK(view_controls_passes(&c, "ship/mainsail.sgc"));
    CHECK(view_controls_passes(&c, "SAIL"));
    CHECK(!view_controls_passes(&c, "sai"));
    CHECK(!view_controls_passes(&c, ""));
    for (uint32_t i = 0; i < 2 * VIEW_FILTER_BYTES; i++) {
        if (i == 0)
            press_all(&c, "/");
        (void)view_controls_press(&c, 'x');
    }
    CHECK_EQ(strlen(c.filter), VIEW_FILTER_BYTES - 1);
    CHECK(view_controls_press(&c, VIEW_KEY_ESCAPE));
    CHECK(!c.is_typing && !c.filter[0] && !c.wants_end);
}

/* The help has a name and a text of each key, and no name twice. */
static void the_help_names_every_key(void)
{
    uint32_t count = 0;

    for (; view_controls_help(count).name; count++) {
        struct view_key_help key = view_controls_help(count);

        CHECK(key.name[0] && key.effect[0]);
        for (uint32_t i = 0; i < count; i++)
            CHECK(strcmp(view_controls_help(i).name, key.name) != 0);
    }
    CHECK(count > 20);
}

TEST_MAIN(TEST(time_passes_at_the_rate), TEST(the_rate_stays_in_its_range),
          TEST(without_loop_playback_stops_at_both_ends),
          TEST(steps_and_jumps_pause), TEST(modes_go_round),
          TEST(the_filter_is_typed_and_found), TEST(the_help_names_every_key))
