/* test_golden_anim.c
 *
 * Goal: clips, skeletons, databases and header images that were compiled once
 *   mean the same for ever: every version of their formats, on every machine.
 * Method: small files of made motion lie in tests/data/golden. golden-anim.txt
 *   holds a hash of the bytes of each, and one of what is decoded from them.
 *
 * A version that was released is never generated again. While a version still
 * changes, GOLDEN=1 make unit-golden_anim generates all files and their lines.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "support/anim_walk.h"
#include "support/made_motion.h"

#include "anim/anim_wire.h"
#include "anim/clip_index_validate.h"
#include "anim/clip_packing.h"
#include "anim/encode/anim_encode.h"
#include "anim/tool/clip_file_input.h"
#include "base/checksum.h"
#include "base/endian.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX 16384u
#define VERSION_AT 8u /* offset of the version in all files, 16 bits */
#define GOLDEN_COUNT 4

static const char *const golden_names[GOLDEN_COUNT] = {
    "skeleton.sas", "clip.sac", "database.sad", "image.sai"};

struct golden {
    char name[32];
    uint32_t version;
    uint32_t bytes_hash;
    uint32_t content_hash;
};

static struct arena arena;
static struct diag diag;
static struct checksum sum; /* of the content that is read */

static const char *path_of(const char *name)
{
    static char path[2048];

    snprintf(path, sizeof path, "%s/golden/%.31s", test_data(), name);
    return path;
}

/* -- content -- */

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int bytes;

    va_start(arguments, format);
    bytes = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    CHECK(bytes >= 0 && (size_t)bytes < sizeof text);
    spn__checksum_add(&sum, text, (size_t)bytes);
}

static void add_opened(const struct clip_file *file, uint32_t windows)
{
    const struct anim_clip_header *h = &file->clip.header;
    const char **names;

    add("%u joints, %u frames, %u / %u, %016" PRIx64 " %08x, flags %x\n",
        h->joint_count, h->frame_count, h->rate_numerator, h->rate_denominator,
        h->skeleton, h->rest_pose_hash, clip_file_flags(&file->clip));
    names = clip_file_float_names(file, &arena);
    for (uint32_t i = 0; i < h->float_track_count; i++)
        add("%s\n", names[i]);
    add("windows %08x\n", windows);
}

static void add_clip(const uint8_t *bytes, size_t size)
{
    struct clip_file file;
    uint32_t windows;
    spn_fault fault;

    CHECK_EQ(anim_walk_clip(bytes, size, &windows, &fault), SPN_OK);
    CHECK(clip_file_read(&file, "clip", bytes, size, &arena, &diag));
    add_opened(&file, windows);
}

static void add_packed(const uint8_t *range, const struct clip_facts *facts)
{
    struct clip_file file;
    uint32_t windows;
    spn_fault fault;

    CHECK_EQ(anim_walk_packed(range, facts, &windows, &fault), SPN_OK);
    CHECK(clip_file_read_packed(&file, "clip", facts, range, &arena, &diag));
    add_opened(&file, windows);
}

static void add_skeleton(const uint8_t *bytes, size_t size)
{
    struct anim_skeleton_models *models =
        ARENA_NEW(&arena, struct anim_skeleton_models, 1);
    struct anim_skeleton_header header;
    struct anim_skeleton s;

    CHECK(size >= ANIM_SKELETON_HEADER_BYTES);
    CHECK_EQ(spn__anim_skeleton_read_header(bytes, &header, NULL), SPN_OK);
    CHECK_EQ_U(header.file_bytes, size);
    CHECK_EQ(spn__anim_skeleton_open(
                 &header, bytes, models,
                 arena_alloc(&arena, spn__anim_skeleton_bytes(&header), 1), &s,
                 NULL),
             SPN_OK);
    for (uint32_t j = 0; j < s.joint_count; j++)
        add("%s %u\n", s.names + s.name[j], s.parent[j]);
    add("%016" PRIx64 " %08x\n", s.hash, s.rest_pose_hash);
}

/* An image, or a database with its clips. */
static void add_index(const uint8_t *bytes, size_t size,
                      enum clip_index_type type)
{
    struct clip_index_header header;
    struct clip_index index;

    CHECK_EQ(spn__clip_index_validate_header(bytes, type, size, &header, NULL),
             SPN_OK);
    CHECK_EQ(spn__clip_index_validate(&header, bytes + CLIP_INDEX_HEADER_BYTES,
                                      &index, NULL),
             SPN_OK);
    for (uint32_t i = 0; i < header.clip_count; i++) {
        const struct clip_facts f = spn__clip_index_clip(&index, i);

        add("%s %016" PRIx64 " %08x %" PRIu64 " %u %u %08x %08x %u %x %u "
            "%u %u %u\n",
            f.name, f.skeleton, f.rest_pose_hash, f.offset, f.bytes,
            f.first_bytes, f.first_checksum, f.rest_checksum, f.file, f.flags,
            f.frame_count, f.joint_count, f.rate_numerator, f.rate_denominator);
        if (type == CLIP_INDEX_DATABASE)
            add_packed(bytes + f.offset, &f);
    }
    for (uint32_t i = 0; i < header.file_count; i++) {
        const struct clip_data_file f = spn__clip_index_file(&index, i);

        add("%s %" PRIu64 " %" PRIu64 " %08x\n", f.path, f.data_offset,
            f.file_bytes, f.data_checksum);
    }
}

static void inspect(const char *name, const uint8_t *bytes, size_t size,
                    struct golden *out)
{
    CHECK(size > VERSION_AT + 2);
    spn__checksum_begin(&sum, 0);
    if (memcmp(bytes, ANIM_CLIP_SIGNATURE, 8) == 0)
        add_clip(bytes, size);
    else if (memcmp(bytes, ANIM_SKELETON_SIGNATURE, 8) == 0)
        add_skeleton(bytes, size);
    else if (memcmp(bytes, CLIP_INDEX_DATABASE_SIGNATURE, 8) == 0)
        add_index(bytes, size, CLIP_INDEX_DATABASE);
    else
        add_index(bytes, size, CLIP_INDEX_IMAGE);
    *out = (struct golden){
        .version = spn_load_u16le(bytes + VERSION_AT),
        .bytes_hash = spn__checksum(bytes, size, 0),
        .content_hash = spn__checksum_end(&sum),
    };
    snprintf(out->name, sizeof out->name, "%s", name);
}

/* -- generated files -- */

static FILE *list;

static void write_golden(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(path_of(name), "wb");
    struct golden g;

    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(bytes, 1, size, file), size);
    CHECK_EQ(fclose(file), 0);
    inspect(name, bytes, size, &g);
    fprintf(list, "%s %" PRIu32 " %08" PRIx32 " %08" PRIx32 "\n", g.name,
            g.version, g.bytes_hash, g.content_hash);
}

static struct anim_file encode(const struct made_motion *made,
                               struct dense_clip *clip)
{
    const struct anim_encode_options options = {ANIM_PRECISION,
                                                ANIM_FLOAT_PRECISION};
    struct anim_file file;

    made_motion(made, &arena, clip);
    clip->loops = made->has_scale;
    anim_encode_clip(clip, &options, &arena, &file);
    return file;
}

/* A clip with tracks of all kinds, one with wide translations and one with
 * segments of 8 frames, all in a database, and the image of the database. */
static void make_anew(void)
{
    enum { CLIPS = 3 };
    struct made_motion made = {.joints = 9,
                               .frames = 24,
                               .float_tracks = 3,
                               .swing = 0.6,
                               .travel = 0.01,
                               .has_scale = true,
                               .has_steps = true,
                               .has_cuts = true};
    static const char *const names[CLIPS] = {"hero/kinds.sac", "hero/fly.sac",
                                             "hero/face.sac"};
    struct anim_file files[CLIPS];
    struct anim_file skeleton;
    struct clip_input inputs[CLIPS];
    struct clip_index_file database;
    struct clip_index_file image;
    struct clip_database_source source = {"hero.sad", &database.index};
    struct dense_clip clip;

    list = fopen(path_of("golden-anim.txt"), "w");
    CHECK(list != NULL);
    files[0] = encode(&made, &clip);
    anim_encode_skeleton(&clip, &arena, &skeleton);
    made.travel = 5;
    made.has_scale = false;
    files[1] = encode(&made, &clip);
    made.travel = 0;
    made.frames = 12;
    made.float_tracks = 400;
    files[2] = encode(&made, &clip);
    for (int i = 0; i < CLIPS; i++) {
        struct clip_file *file = ARENA_NEW(&arena, struct clip_file, 1);
        struct clip_input input;

        CHECK(clip_file_read(file, "made", files[i].bytes, files[i].size,
                             &arena, &diag));
        clip_file_input(file, names[i], &arena, &input);
        clip_packing_make(&input, &arena, &inputs[i]);
    }
    CHECK(clip_database_make(&arena, &diag, "hero.sad", inputs, CLIPS,
                             &database));
    CHECK(
        clip_image_make(&arena, &diag, "all.sai", &source, 1, NULL, 0, &image));
    write_golden(golden_names[0], skeleton.bytes, skeleton.size);
    write_golden(golden_names[1], files[0].bytes, files[0].size);
    write_golden(golden_names[2], database.bytes, database.size);
    write_golden(golden_names[3], image.bytes, image.size);
    CHECK_EQ(fclose(list), 0);
}

/* -- claims -- */

static size_t read_file(const char *name, uint8_t *bytes)
{
    FILE *file = fopen(path_of(name), "rb");
    size_t size;

    CHECK(file != NULL);
    size = fread(bytes, 1, FILE_BYTES_MAX, file);
    CHECK_EQ(fclose(file), 0);
    CHECK(size < FILE_BYTES_MAX);
    return size;
}

/* A database and an image have the version of the index. */
static uint32_t current_version(const char *name)
{
    return strstr(name, ".sad") || strstr(name, ".sai") ? CLIP_INDEX_VERSION
                                                        : ANIM_VERSION;
}

static void golden_files_mean_the_same(void)
{
    static uint8_t bytes[FILE_BYTES_MAX];
    struct golden g;
    uint32_t current = 0;
    FILE *file;

    arena_init(&arena);
    diag_init(&diag);
    if (getenv("GOLDEN"))
        make_anew();
    file = fopen(path_of("golden-anim.txt"), "r");
    CHECK(file != NULL);
    while (fscanf(file, "%31s %" SCNu32 " %" SCNx32 " %" SCNx32, g.name,
                  &g.version, &g.bytes_hash, &g.content_hash) == 4) {
        struct golden now;

        test_context("%s", g.name);
        inspect(g.name, bytes, read_file(g.name, bytes), &now);
        CHECK_EQ_U(now.version, g.version);
        CHECK_EQ_U(now.bytes_hash, g.bytes_hash);
        CHECK_EQ_U(now.content_hash, g.content_hash);
        current += g.version == current_version(g.name);
    }
    CHECK(feof(file));
    CHECK_EQ(fclose(file), 0);
    /* One of each kind has the present version. */
    CHECK_EQ_U(current, GOLDEN_COUNT);
    diag_finish(&diag);
    arena_free(&arena);
}

TEST_MAIN(TEST(golden_files_mean_the_same))
