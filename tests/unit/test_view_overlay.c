/* test_view_overlay.c
 *
 * Goal: the overlay stays in the picture, names what the filter lets through,
 *   and its time bar says which time a pixel means.
 * Method: write overlays for made facts, and look at the list of triangles.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "render/bitmap_font.h"
#include "view/view_overlay.h"
#include "view/view_snapshot.h"

#include <string.h>

#define WIDTH 960u
#define HEIGHT 720u

#define NODES 200u
#define PAGES 1000u
#define FRAMES 100u

static struct arena arena;
static struct overlay overlay;
static struct view_controls controls;
static spn_debug_node nodes[NODES];
static spn_debug_read reads[NODES];
static const spn_debug_cache cache = {
    .cache = 7, .path = "ship/Sail.sgc", .frame_count = FRAMES};
static const spn_debug_extent extents[] = {
    {.first_page = 0, .page_count = 100, .kind = SPN_DEBUG_STATIC, .cache = 7},
    {.first_page = 100, .page_count = 600, .kind = SPN_DEBUG_FREE},
    {.first_page = 700,
     .page_count = 300,
     .kind = SPN_DEBUG_DECODED,
     .cache = 7,
     .node = 5,
     .first = 42,
     .last = 42,
     .is_busy = 1},
};
static spn_debug debug;
static struct view_facts facts;
static struct character_state clips[NODES];

/* Characters, of which every second plays a run. */
static void add_clips(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        clips[i] = (struct character_state){
            .anim = i + 1,
            .name = i % 2 ? "hero/Run.sac" : "hero/walk.sac",
            .bytes = 1000,
            .first_bytes = 250,
            .frame_count = 160,
            .frame = 40,
            .has_skeleton = true,
        };
    facts.clips = clips;
    facts.clip_count = count;
}

static void start(float scale, uint32_t node_count)
{
    arena_free(&arena);
    arena_init(&arena);
    overlay_init(&overlay, scale, &arena);
    view_controls_init(&controls, 4, 0.25);
    for (uint32_t i = 0; i < node_count; i++) {
        nodes[i] = (spn_debug_node){
            .path = i % 2 ? "ship/Sail.sgc" : "ship/flag.sgc",
            .cache = 7,
            .is_playing = i < 3,
            .state = {.shown_frame = 7, .is_ready = 1},
        };
        reads[i] = (spn_debug_read){.path = nodes[i].path, .cache = 7};
    }
    debug = (spn_debug){
        .heap = {.page_bytes = 4096,
                 .page_count = PAGES,
                 .pages = {600, 100, 0, 300, 0}},
        .extents = extents,
        .extent_count = sizeof extents / sizeof extents[0],
        .caches = &cache,
        .cache_count = 1,
        .nodes = nodes,
        .node_count = node_count,
        .reads = reads,
        .read_count = node_count,
        .level = 1,
    };
    facts = (struct view_facts){.debug = &debug};
}

static uint64_t write_overlay(void)
{
    overlay.count = 0;
    view_overlay_write(&overlay, &facts, &controls, WIDTH, HEIGHT);
    return overlay.count;
}

/* Is there a box of a colour from pixel column `left` to `right`? */
static bool has_box(const uint8_t rgb[3], float left, float right)
{
    for (uint64_t i = 0; i + 5 < overlay.count; i += 6)
        if (memcmp(overlay.vertices[i].rgba, rgb, 3) == 0 &&
            overlay.vertices[i].position[0] > left - 1 &&
            overlay.vertices[i].position[0] < left + 1 &&
            overlay.vertices[i + 5].position[0] > right - 1 &&
            overlay.vertices[i + 5].position[0] < right + 1)
            return true;
    return false;
}

static bool is_inside(uint32_t width, uint32_t height)
{
    for (uint64_t i = 0; i < overlay.count; i++) {
        const float *p = overlay.vertices[i].position;

        if (!(p[0] >= 0 && p[0] <= (float)width && p[1] >= 0 &&
              p[1] <= (float)height))
            return false;
    }
    return true;
}

/* The triangles of a text are those of its letters. */
static void text_has_two_triangles_for_each_letter(void)
{
    static const uint8_t white[4] = {255, 255, 255, 255};

    start(2, 0);
    overlay_text(&overlay, 10, 20, white, "a%c %d", 'b', 7);
    CHECK_EQ(overlay.count, 3 * 6);
    CHECK(overlay.vertices[0].position[0] == 10);
    CHECK(overlay.vertices[6].position[0] == 10 + 2 * BITMAP_FONT_ADVANCE);
    CHECK(overlay.vertices[12].position[0] == 10 + 6 * BITMAP_FONT_ADVANCE);
    start(1, 0);
    overlay_text(&overlay, 0, 0, white, "\xff\n");
    CHECK_EQ(overlay.count, 2 * 6);
}

static void the_atlas_has_the_glyphs_and_a_full_cell(void)
{
    uint8_t pixels[OVERLAY_ATLAS_HEIGHT][OVERLAY_ATLAS_WIDTH];
    static const uint8_t white[4] = {255, 255, 255, 255};
    const float *at;

    overlay_atlas(pixels);
    for (int letter = ' '; letter <= '~'; letter++)
        for (uint32_t row = 0; row < BITMAP_FONT_ROWS; row++)
            for (uint32_t column = 0; column < BITMAP_FONT_COLUMNS; column++) {
                uint32_t cell = (uint32_t)(letter - ' ');
                uint32_t x =
                    cell % OVERLAY_ATLAS_COLUMNS * OVERLAY_CELL_WIDTH + column;
                uint32_t y =
                    cell / OVERLAY_ATLAS_COLUMNS * OVERLAY_CELL_HEIGHT + row;
                bool is_set = bitmap_font_rows((char)letter)[row] >>
                                  (BITMAP_FONT_COLUMNS - 1 - column) &
                              1;

                CHECK_EQ(pixels[y][x], is_set ? 255 : 0);
            }
    start(1, 0);
    overlay_box(&overlay, 0, 0, 5, 5, white);
    CHECK_EQ(overlay.count, 6);
    at = overlay.vertices[0].atlas;
    CHECK_EQ(pixels[(uint32_t)at[1]][(uint32_t)at[0]], 255);
}

static void lines_end_where_their_room_ends(void)
{
    struct overlay_pen pen = {.overlay = &overlay};

    start(2, 0);
    pen.bottom = 2 * overlay_pen_height(&pen);
    pen.width = 7 * BITMAP_FONT_ADVANCE; /* 3.5 letters */
    overlay_pen_line(&pen, overlay_ink, "12345");
    CHECK_EQ(overlay.count, 3 * 6);
    /* The margins of a narrow window. */
    pen.width = -20;
    overlay_pen_line(&pen, overlay_ink, "12345");
    CHECK_EQ(overlay.count, 3 * 6);
    CHECK(pen.y == pen.bottom);
    pen.width = 100;
    overlay_pen_line(&pen, overlay_ink, "12345");
    overlay_pen_bar(&pen, 0, 100, 1, 0, 1, overlay_ink);
    overlay_pen_next(&pen);
    CHECK_EQ(overlay.count, 3 * 6);
    CHECK(pen.y == pen.bottom);
}

static void it_stays_in_the_picture(void)
{
    start(2, NODES);
    add_clips(NODES);
    controls.has_help = true;
    debug.with_reads = 1;
    facts.drive = spn_drive_profile_find("x360_dvd12x");
    debug.media[SPN_MEDIUM_OPTICAL] = (spn_debug_medium){
        .is_known = 1, .is_busy = 1, .target = 1 << 30, .head = UINT32_MAX};
    CHECK(write_overlay() > 1000);
    CHECK(is_inside(WIDTH, HEIGHT));
    /* In a small window, too, in which not all lines have room. */
    overlay.count = 0;
    view_overlay_write(&overlay, &facts, &controls, 600, 200);
    CHECK(overlay.count > 0);
    CHECK(is_inside(600, 200));
}

static void without_overlay_and_help_nothing_is_written(void)
{
    start(1, 2);
    controls.has_overlay = false;
    CHECK_EQ(write_overlay(), 0);
}

static void the_filter_leaves_out_nodes(void)
{
    uint64_t all;
    uint64_t sails;

    start(1, 6);
    all = write_overlay();
    strcpy(controls.filter, "sail");
    sails = write_overlay();
    strcpy(controls.filter, "none");
    CHECK(all > sails && sails > write_overlay());
    /* `debug` 2 lists those that play. */
    start(1, 6);
    debug.level = 2;
    CHECK(write_overlay() < all);
    debug.with_reads = 1;
    CHECK(write_overlay() > all);
}

/* The panel begins at 24 pixels; at scale 1 a line has 96 letters of 6. */
#define LEFT 24.0f
#define BAR (96.0f * 6)

static void the_heap_bar_shows_extents_where_they_are(void)
{
    static const uint8_t decoded[3] = {90, 150, 230};
    static const uint8_t unchanging[3] = {130, 140, 155};

    start(1, 0);
    (void)write_overlay();
    CHECK(has_box(unchanging, LEFT, LEFT + 0.1f * BAR));
    CHECK(has_box(decoded, LEFT + 0.7f * BAR, LEFT + BAR));
    CHECK(!has_box(decoded, LEFT, LEFT + 0.1f * BAR));
}

static void the_heap_has_an_owner_under_the_mouse(void)
{
    char text[100];
    uint64_t count;

    start(1, 2);
    nodes[1].node = 5;
    view_snapshot_owner(&facts, 0.05, text, sizeof text);
    CHECK_STR(text, "400 KiB static data of Sail.sgc");
    view_snapshot_owner(&facts, 0.5, text, sizeof text);
    CHECK_STR(text, "2400 KiB free");
    view_snapshot_owner(&facts, 0.999, text, sizeof text);
    CHECK_STR(text, "1200 KiB of Sail.sgc, frame 42, node 1, in use");
    view_snapshot_owner(&facts, -0.1, text, sizeof text);
    CHECK_STR(text, "");
    view_snapshot_owner(&facts, 1, text, sizeof text);
    CHECK_STR(text, "");
    /* The bar lies below three lines and its own. */
    count = write_overlay();
    controls.mouse[0] = LEFT + 0.5f * BAR;
    controls.mouse[1] = LEFT + 4.5f * BITMAP_FONT_LINE;
    CHECK(write_overlay() > count);
    controls.mouse[1] = LEFT + 3.5f * BITMAP_FONT_LINE;
    CHECK_EQ(write_overlay(), count);
}

static void ranges_of_frames_go_round_the_end_of_the_clip(void)
{
    static const uint8_t decoded[3] = {90, 150, 230};
    static const uint8_t compressed[3] = {230, 170, 70};
    const float bar = BAR * 0.34f;

    start(1, 1);
    nodes[0].decoded = (spn_debug_range){.first = 80, .last = 9, .count = 30};
    nodes[0].read = (spn_debug_range){.first = 20, .last = 29, .count = 10};
    (void)write_overlay();
    CHECK(has_box(decoded, LEFT + 0.8f * bar, LEFT + bar));
    CHECK(has_box(decoded, LEFT, LEFT + 0.1f * bar));
    CHECK(has_box(compressed, LEFT + 0.2f * bar, LEFT + 0.3f * bar));
    /* Backward the same frames are listed from the last to the first. */
    nodes[0].is_backward = 1;
    nodes[0].read = (spn_debug_range){.first = 29, .last = 20, .count = 10};
    (void)write_overlay();
    CHECK(has_box(compressed, LEFT + 0.2f * bar, LEFT + 0.3f * bar));
}

static void clips_have_rows_that_the_filter_lets_through(void)
{
    uint64_t none;
    uint64_t all;
    uint64_t runs;

    start(1, 0);
    none = write_overlay();
    add_clips(4);
    all = write_overlay();
    strcpy(controls.filter, "run");
    runs = write_overlay();
    strcpy(controls.filter, "nobody");
    CHECK(all > runs && runs > write_overlay() && write_overlay() > none);
}

static void the_bar_of_a_clip_shows_what_is_in_memory(void)
{
    static const uint8_t bytes[3] = {130, 140, 155};
    static const uint8_t window[3] = {90, 150, 230};
    static const uint8_t now[3] = {255, 255, 255};
    const float bar = BAR * 0.34f;

    start(1, 0);
    debug.extent_count = 0;
    add_clips(1);
    (void)write_overlay();
    CHECK(!has_box(bytes, LEFT, LEFT + bar * 0.25f));
    CHECK(has_box(now, LEFT + bar * 40 / 160, LEFT + bar * 41 / 160));
    clips[0].is_ready = true;
    (void)write_overlay();
    CHECK(has_box(bytes, LEFT, LEFT + bar * 0.25f));
    CHECK(!has_box(window, LEFT + bar * 32 / 160, LEFT + bar * 48 / 160));
    clips[0].pose = PLAY_POSE_SAMPLED;
    clips[0].is_loaded = true;
    (void)write_overlay();
    CHECK(has_box(bytes, LEFT, LEFT + bar));
    CHECK(has_box(window, LEFT + bar * 32 / 160, LEFT + bar * 48 / 160));
    /* The last window has the frames that are left. */
    clips[0].frame_count = 165;
    clips[0].frame = 164;
    (void)write_overlay();
    CHECK(has_box(window, LEFT + bar * 160 / 165, LEFT + bar));
}

static void a_clip_without_its_pose_has_an_alarm(void)
{
    static const enum play_pose_state states[] = {
        PLAY_POSE_PENDING, PLAY_POSE_HELD, PLAY_POSE_FAILED};

    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        uint64_t alarms = 0;

        start(1, 0);
        add_clips(1);
        clips[0].pose = states[i];
        (void)write_overlay();
        for (uint64_t k = 0; k < overlay.count; k++)
            alarms += memcmp(overlay.vertices[k].rgba, overlay_alarm, 4) == 0;
        CHECK(alarms > 0);
        clips[0].pose = PLAY_POSE_SAMPLED;
        (void)write_overlay();
        for (uint64_t k = 0; k < overlay.count; k++)
            CHECK(memcmp(overlay.vertices[k].rgba, overlay_alarm, 4) != 0);
    }
}

static void the_heap_names_clips_under_the_mouse(void)
{
    static spn_debug_extent extent = {.page_count = 10,
                                      .kind = SPN_DEBUG_STATIC};
    char text[100];

    start(1, 0);
    debug.extents = &extent;
    debug.extent_count = 1;
    add_clips(2);
    extent.anim = 2;
    view_snapshot_owner(&facts, 0, text, sizeof text);
    CHECK_STR(text, "40 KiB clip Run.sac");
    extent.anim = 7;
    view_snapshot_owner(&facts, 0, text, sizeof text);
    CHECK_STR(text, "40 KiB clip number 7");
    extent.is_decoded = 1;
    view_snapshot_owner(&facts, 0, text, sizeof text);
    CHECK_STR(text, "40 KiB clip number 7, decoded");
    extent.is_decoded = 0;
    extent.anim = 0;
    extent.skeleton = 5;
    view_snapshot_owner(&facts, 0, text, sizeof text);
    CHECK_STR(text, "40 KiB skeleton");
    extent.skeleton = 0;
    extent.database = 3;
    view_snapshot_owner(&facts, 0, text, sizeof text);
    CHECK_STR(text, "40 KiB database number 3");
    extent.database = 0;
}

static void the_time_bar_knows_its_times(void)
{
    double share = -1;
    float y = (float)HEIGHT - 20;

    CHECK(view_overlay_time_at(WIDTH, HEIGHT, (float)WIDTH / 2, y, &share));
    CHECK_NEAR(share, 0.5, 1e-6);
    /* A drag that leaves the bar still means a time. */
    CHECK(!view_overlay_time_at(WIDTH, HEIGHT, -50, 0, &share));
    CHECK_NEAR(share, 0, 1e-6);
    CHECK(!view_overlay_time_at(WIDTH, HEIGHT, 2 * WIDTH, y, &share));
    CHECK_NEAR(share, 1, 1e-6);
}

TEST_MAIN(TEST(text_has_two_triangles_for_each_letter),
          TEST(the_atlas_has_the_glyphs_and_a_full_cell),
          TEST(lines_end_where_their_room_ends), TEST(it_stays_in_the_picture),
          TEST(without_overlay_and_help_nothing_is_written),
          TEST(the_filter_leaves_out_nodes),
          TEST(the_heap_bar_shows_extents_where_they_are),
          TEST(the_heap_has_an_owner_under_the_mouse),
          TEST(ranges_of_frames_go_round_the_end_of_the_clip),
          TEST(clips_have_rows_that_the_filter_lets_through),
          TEST(the_bar_of_a_clip_shows_what_is_in_memory),
          TEST(a_clip_without_its_pose_has_an_alarm),
          TEST(the_heap_names_clips_under_the_mouse),
          TEST(the_time_bar_knows_its_times))
