/* view_skeletons.c - places, colours, and facts for the overlay. */
/* SPDX-License-Identifier: MIT */
#include "view/view_skeletons.h"

#include "view/view_colors.h"

#include <math.h>
#include <string.h>

/* Room for a character, in widths of the largest one. */
#define GAP 1.25f
/* Of a root's octahedron: share of the largest side of the pose's box. */
#define ROOT_SHARE 0.03f
/* Metres; smaller characters are placed as if they had this size. */
#define SIZE_MIN 1e-3f

/* -- poses -- */

/* The pose of a character now. Returns false if it has none. */
static bool get_pose(const struct view_skeletons *skeletons, uint32_t index,
                     struct bone_pose *out)
{
    const struct play_pose *pose = &skeletons->clips->characters[index].pose;

    if (!pose->skeleton ||
        spn_anim_pose_to_matrices(&pose->local, pose->skeleton->info.parents,
                                  skeletons->matrices) != SPN_OK)
        return false;
    *out = (struct bone_pose){skeletons->matrices, pose->skeleton->info.parents,
                              pose->local.joint_count};
    return true;
}

static void empty_box(float box_min[3], float box_max[3])
{
    for (int i = 0; i < 3; i++) {
        box_min[i] = INFINITY;
        box_max[i] = -INFINITY;
    }
}

/* Enlarge a box by another one that was moved. */
static void join(float box_min[3], float box_max[3], float other[2][3],
                 const float offset[3])
{
    for (int i = 0; i < 3; i++) {
        box_min[i] = fminf(box_min[i], other[0][i] + offset[i]);
        box_max[i] = fmaxf(box_max[i], other[1][i] + offset[i]);
    }
}

void view_skeletons_enlarge(const struct view_skeletons *skeletons,
                            float box_min[3], float box_max[3])
{
    for (uint32_t i = 0; i < skeletons->clips->character_count; i++) {
        struct bone_pose pose;
        float box[2][3];

        empty_box(box[0], box[1]);
        if (!get_pose(skeletons, i, &pose))
            continue;
        bones_enlarge(&pose, box[0], box[1]);
        if (box[0][0] <= box[1][0])
            join(box_min, box_max, box, skeletons->items[i].offset);
    }
}

/* -- places -- */

/* The grid of all characters. */
struct grid {
    float cell[3]; /* size of the largest character */
    float left;    /* where its first column begins */
    float middle;  /* of its first row, on the axis away from the viewer */
    uint32_t columns;
    int along;      /* that axis */
    float sign;     /* towards which rows follow */
    bool is_beside; /* caches decide where it is; else the first character */
};

static void place(struct view_skeleton *item, float box[2][3],
                  const struct grid *grid, uint32_t index)
{
    const float column = (float)(index % grid->columns);
    const float row = (float)(index / grid->columns);
    const int along = grid->along;
    float size = SIZE_MIN;

    for (int i = 0; i < 3; i++)
        size = fmaxf(size, box[1][i] - box[0][i]);
    item->radius = size * ROOT_SHARE;
    item->offset[0] = grid->left + column * grid->cell[0] * GAP - box[0][0];
    item->offset[along] = grid->middle +
                          grid->sign * row * grid->cell[along] * GAP -
                          (box[0][along] + box[1][along]) * 0.5f;
}

/* Room for all boxes. A character that does not move sideways has a share of
 * its height. */
static void measure(struct grid *grid, float (*boxes)[2][3], uint32_t count)
{
    float largest = SIZE_MIN;

    for (uint32_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            grid->cell[c] =
                fmaxf(grid->cell[c], boxes[i][1][c] - boxes[i][0][c]);
            largest = fmaxf(largest, grid->cell[c]);
        }
    for (int c = 0; c < 3; c++)
        grid->cell[c] = fmaxf(grid->cell[c], largest * 0.5f);
    grid->columns = 1;
    while (grid->columns * grid->columns < count)
        grid->columns++;
}

static void place_all(struct view_skeletons *skeletons, float (*boxes)[2][3],
                      float box_min[3], float box_max[3], char up_axis)
{
    const uint32_t count = skeletons->clips->character_count;
    struct grid grid = {.along = up_axis == 'Z' ? 1 : 2,
                        .sign = up_axis == 'Z' ? 1.0f : -1.0f};
    const int along = grid.along;
    const bool is_beside = box_min[0] <= box_max[0];

    measure(&grid, boxes, count);
    /* Without caches the first character is where its clip puts it. */
    grid.left =
        is_beside ? box_max[0] + grid.cell[0] * (GAP - 1) : boxes[0][0][0];
    grid.middle = is_beside ? (box_min[along] + box_max[along]) * 0.5f
                            : (boxes[0][0][along] + boxes[0][1][along]) * 0.5f;
    for (uint32_t i = 0; i < count; i++) {
        place(&skeletons->items[i], boxes[i], &grid, i);
        join(box_min, box_max, boxes[i], skeletons->items[i].offset);
    }
}

void view_skeletons_open(struct view_skeletons *skeletons,
                         const struct play_clips *clips, float box_min[3],
                         float box_max[3], char up_axis, struct arena *arena)
{
    const uint32_t count = clips->character_count;
    float(*boxes)[2][3] = arena_alloc(arena, count, sizeof *boxes);
    uint32_t joint_count = 0;

    *skeletons = (struct view_skeletons){
        .clips = clips,
        .items = ARENA_NEW(arena, struct view_skeleton, count),
        .facts = ARENA_NEW(arena, struct character_state, count),
    };
    for (uint32_t i = 0; i < clips->skeletons.count; i++)
        if (clips->skeletons.items[i].info.joint_count > joint_count)
            joint_count = clips->skeletons.items[i].info.joint_count;
    skeletons->matrices = ARENA_NEW(arena, float, 12 * (uint64_t)joint_count);
    for (uint32_t i = 0; i < count; i++) {
        struct bone_pose pose;

        empty_box(boxes[i][0], boxes[i][1]);
        if (get_pose(skeletons, i, &pose))
            bones_enlarge(&pose, boxes[i][0], boxes[i][1]);
        if (!(boxes[i][0][0] <= boxes[i][1][0]))
            memset(boxes[i], 0, sizeof boxes[i]);
    }
    if (count > 0)
        place_all(skeletons, boxes, box_min, box_max, up_axis);
}

/* -- pictures -- */

bool view_skeletons_are_shown(const struct view_controls *controls)
{
    return controls->meshes != VIEW_MESHES_STATIC;
}

static void choose_color(const struct character *character,
                         const struct view_controls *controls, float rgb[3])
{
    if (controls->meshes == VIEW_MESHES_SAME_COLOR ||
        controls->colors == VIEW_COLORS_MATERIAL)
        view_color_of_number(character->clips[character->current], rgb);
    else
        view_color_of_pose(character->pose.state, rgb);
}

void view_skeletons_write(const struct view_skeletons *skeletons,
                          const struct view_controls *controls,
                          struct bones *bones)
{
    if (!view_skeletons_are_shown(controls))
        return;
    for (uint32_t i = 0; i < skeletons->clips->character_count; i++) {
        struct bone_pose pose;
        float rgb[3];

        if (!get_pose(skeletons, i, &pose))
            continue;
        choose_color(&skeletons->clips->characters[i], controls, rgb);
        bones_add(bones, &pose, skeletons->items[i].offset,
                  skeletons->items[i].radius, rgb);
    }
}

void view_skeletons_describe(struct view_skeletons *skeletons)
{
    const struct play_clips *clips = skeletons->clips;

    for (uint32_t i = 0; i < clips->character_count; i++)
        character_state_get(clips, &clips->characters[i], &skeletons->facts[i]);
}

bool view_skeletons_are_late(const struct view_skeletons *skeletons)
{
    for (uint32_t i = 0; i < skeletons->clips->character_count; i++) {
        const enum play_pose_state state =
            skeletons->clips->characters[i].pose.state;

        if (state == PLAY_POSE_PENDING || state == PLAY_POSE_HELD)
            return true;
    }
    return false;
}
