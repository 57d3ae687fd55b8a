/* anim_sample.c - plays two animation clips at once, as a game does: one for
 * the whole body, which moves the character, and one for some joints, over it.
 *
 *   anim_sample game/animations.sai game/hero.sas walk.sac wave.sac ROOT JOINT
 *
 * Each frame it sets the times of both plays, updates the runtime, samples both
 * poses, blends them by masks, moves the character by the motion of the joint
 * ROOT, and makes matrices for skinning. */
/* SPDX-License-Identifier: MIT */
#include <spindle/platform_posix.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAME_US 50000

/* A clip that plays, with its own pose and its share in each joint. */
struct layer {
    spn_anim_play play;
    spn_anim_pose pose;
    float *mask; /* [joint] */
};

struct game {
    spn_platform platform;
    spn_runtime *rt;
    spn_anim_skeleton skeleton;
    spn_anim_skeleton_info info;
    struct layer layers[2];
    spn_anim_pose blended;
    float *matrices; /* 3 rows of 4 for each joint */
    uint32_t root, joint;
    spn_anim_transform character; /* in the world */
};

static void check(const char *what, spn_status status)
{
    if (status != SPN_OK) {
        fprintf(stderr, "anim_sample: %s: %s\n", what, spn_status_text(status));
        exit(1);
    }
}

static void *allocate(size_t bytes, size_t align)
{
    void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);

    check("memory", memory ? SPN_OK : SPN_ERR_MEMORY);
    return memory;
}

static void start_runtime(struct game *g)
{
    spn_config config = {.platform = &g->platform,
                         .heap_bytes = 16u << 20,
                         .anim_count = 64, /* at least the clips of the image */
                         .anim_database_count = 16,
                         .anim_skeleton_count = 1,
                         .anim_play_count = 2};
    size_t bytes = spn_platform_posix_bytes();
    void *memory = allocate(bytes, 64);

    check("platform", spn_platform_posix_init(memory, bytes, &g->platform));
    bytes = spn_memory_needed(&config);
    memory = allocate(bytes, SPN_MEMORY_ALIGN);
    check("runtime", spn_init(&config, memory, bytes, &g->rt));
}

/* A game goes on drawing meanwhile; this program only waits. */
static void open_files(struct game *g, const char *image, const char *skeleton)
{
    spn_status status;

    check(image, spn_anim_open_image(g->rt, image));
    check(skeleton, spn_anim_skeleton_open(g->rt, skeleton, &g->skeleton));
    do {
        spn_update(g->rt);
        status = spn_anim_get_image_status(g->rt, NULL);
        if (status == SPN_OK)
            status = spn_anim_skeleton_get_status(g->rt, g->skeleton, NULL);
    } while (status == SPN_PENDING);
    check("opening", status);
    check(skeleton, spn_anim_skeleton_get_info(g->rt, g->skeleton, &g->info));
}

static void make_pose(struct game *g, spn_anim_pose *pose)
{
    const size_t bytes = SPN_ANIM_POSE_BYTES(g->info.joint_count);
    float *memory = allocate(bytes, SPN_ANIM_POSE_ALIGN);

    check("pose",
          spn_anim_skeleton_make_pose(g->rt, g->skeleton, memory, bytes, pose));
    pose->cpu = spn_anim_detect_cpu();
}

static void start_layer(struct game *g, struct layer *layer, const char *clip)
{
    spn_anim anim;

    check(clip, spn_anim_find(g->rt, clip, &anim));
    check(clip, spn_anim_skeleton_check_clip(g->rt, g->skeleton, anim));
    check(clip, spn_anim_play_start(g->rt, anim, &layer->play));
    make_pose(g, &layer->pose);
    layer->mask = allocate(g->info.joint_count * sizeof(float), 64);
}

/* The second layer has the parent of JOINT and all below. Parents come before
 * their children. */
static void make_masks(struct game *g)
{
    const uint16_t first = g->info.parents[g->joint];

    for (uint32_t j = 0; j < g->info.joint_count; j++) {
        const uint16_t parent = g->info.parents[j];

        g->layers[1].mask[j] =
            j == first || (parent < j && g->layers[1].mask[parent] > 0) ? 1 : 0;
        g->layers[0].mask[j] = 1 - g->layers[1].mask[j];
    }
}

/* Returns whether the pose is not there yet. Then it is still the last one. */
static int is_pending(const struct game *g, const struct layer *layer,
                      int64_t time_us)
{
    const spn_status status = spn_anim_play_sample(
        g->rt, layer->play, time_us, g->skeleton, &layer->pose, NULL, 0);

    if (status != SPN_PENDING)
        check("sample", status);
    return status == SPN_PENDING;
}

static void move_character(struct game *g, int64_t before_us, int64_t now_us)
{
    spn_anim_transform motion;

    check("motion",
          spn_anim_play_get_motion(g->rt, g->layers[0].play, before_us, now_us,
                                   g->skeleton, g->root, &g->blended, &motion));
    check("move",
          spn_anim_transform_multiply(&g->character, &motion, &g->character));
}

static void show(const struct game *g, int64_t now_us)
{
    const float *at = g->character.translation;
    const float *m = g->matrices + 12 * g->joint;
    printf("%.2f s: character %.4f %.4f %.4f, ", 1e-6 * (double)now_us, at[0],
           at[1], at[2]);
    printf("joint in the model %.4f %.4f %.4f\n", m[3], m[7], m[11]);
}

static void play_frame(struct game *g, int64_t before_us, int64_t now_us)
{
    const spn_anim_pose *const poses[2] = {&g->layers[0].pose,
                                           &g->layers[1].pose};
    const float *const masks[2] = {g->layers[0].mask, g->layers[1].mask};
    const float weights[2] = {1, 1};

    for (int i = 0; i < 2; i++)
        check("time", spn_anim_play_set_time(g->rt, g->layers[i].play, now_us));
    /* A game draws the last poses meanwhile. */
    do
        spn_update(g->rt);
    while (is_pending(g, &g->layers[0], now_us) ||
           is_pending(g, &g->layers[1], now_us));
    move_character(g, before_us, now_us);
    check("blend",
          spn_anim_pose_blend_masked(poses, weights, masks, 2, &g->blended));
    check("remove", spn_anim_pose_remove_motion(&g->blended, g->info.parents,
                                                g->root, NULL, &g->blended));
    check("matrices",
          spn_anim_pose_to_matrices(&g->blended, g->info.parents, g->matrices));
    show(g, now_us);
}

int main(int argc, char **argv)
{
    static struct game g = {
        .character = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}}};

    if (argc != 7)
        return 2;
    start_runtime(&g);
    open_files(&g, argv[1], argv[2]);
    start_layer(&g, &g.layers[0], argv[3]);
    start_layer(&g, &g.layers[1], argv[4]);
    check(argv[5],
          spn_anim_skeleton_find_joint(g.rt, g.skeleton, argv[5], &g.root));
    check(argv[6],
          spn_anim_skeleton_find_joint(g.rt, g.skeleton, argv[6], &g.joint));
    make_masks(&g);
    make_pose(&g, &g.blended);
    g.matrices = allocate(12 * g.info.joint_count * sizeof(float), 64);
    for (int64_t us = 0; us <= 1000000; us += FRAME_US)
        play_frame(&g, us > 0 ? us - FRAME_US : 0, us);
    spn_shutdown(g.rt);
    return 0; /* the system takes the memory back */
}
