/* test_clip_index.c
 *
 * Goal: header images and databases have what was put into them, every clip is
 *   found by its name and no other name finds it, and no damaged file is
 *   accepted with a number that leads out of it.
 * Method: files of made-up clips from the tool's writer. Damage: every
 *   truncation, every byte, and random bytes with repaired checksums, whose
 *   accepted results are walked.
 *
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/clip_index_validate.h"
#include "anim/clip_index_wire.h"
#include "base/checksum.h"
#include "base/hash64.h"
#include "harness.h"
#include "support/clip_index_walk.h"
#include "support/tiny_clips.h"

#include <stdlib.h>
#include <string.h>

static uint32_t find(const struct clip_index *index, const char *name)
{
    return spn__clip_index_find(index, name, (uint32_t)strlen(name));
}

static void check_facts(const struct clip_index *index,
                        const struct clip_input *s)
{
    const uint32_t clip = find(index, s->name);
    struct clip_facts facts;

    CHECK(clip < index->header.clip_count);
    facts = spn__clip_index_clip(index, clip);
    CHECK_STR(facts.name, s->name);
    CHECK_EQ_U(facts.bytes, s->byte_count);
    CHECK_EQ_U(facts.first_bytes, s->byte_count);
    CHECK_EQ_U(facts.first_checksum,
               spn__checksum(s->bytes, s->byte_count, WIRE_SEED));
    CHECK_EQ_U(facts.rest_checksum, 0);
    CHECK_EQ_U(facts.skeleton, s->skeleton);
    CHECK_EQ_U(facts.rest_pose_hash, s->rest_pose_hash);
    CHECK_EQ_U(facts.flags, s->flags);
    CHECK_EQ_U(facts.frame_count, s->frame_count);
    CHECK_EQ_U(facts.joint_count, s->joint_count);
    CHECK_EQ_U(facts.rate_numerator, s->rate_numerator);
    CHECK_EQ_U(facts.rate_denominator, s->rate_denominator);
}

/* -- what files have -- */

static void clip_image_has_what_was_put_in(void)
{
    struct tiny_clips clips;
    struct clip_index_file image;

    tiny_clips_init(&clips, "a", 100, 200);
    for (uint32_t i = 0; i < 100; i++) {
        clips.sources[i].frame_count = 4 + i;
        clips.sources[i].rate_numerator = 24 + i % 3;
        clips.sources[i].skeleton += i % 2;
        clips.sources[i].rest_pose_hash = i % 4;
        clips.sources[i].flags = i % (CLIP_FLAGS + 1);
    }
    image = tiny_clips_image(&clips);
    CHECK_EQ_U(image.index.header.clip_count, 100);
    CHECK_EQ_U(image.index.header.kind_count, 12);
    for (uint32_t i = 0; i < 100; i++) {
        check_facts(&image.index, &clips.sources[i]);
        CHECK_EQ_U(spn__clip_index_file_of(&image.index, i), CLIP_INDEX_NONE);
    }
    CHECK_EQ_U(find(&image.index, "a/00100.sac"), CLIP_INDEX_NONE);
    CHECK_EQ_U(find(&image.index, "a/0000.sac"), CLIP_INDEX_NONE);
    CHECK_EQ_U(find(&image.index, ""), CLIP_INDEX_NONE);
    tiny_clips_free(&clips);
}

static void clip_image_does_not_depend_on_the_order_of_the_clips(void)
{
    struct tiny_clips clips;
    struct clip_index_file one;
    struct clip_index_file other;

    tiny_clips_init(&clips, "a", 50, 200);
    one = tiny_clips_image(&clips);
    for (uint32_t i = 0; i < 25; i++) {
        const struct clip_input s = clips.sources[i];

        clips.sources[i] = clips.sources[49 - i];
        clips.sources[49 - i] = s;
    }
    other = tiny_clips_image(&clips);
    CHECK_EQ_U(one.size, other.size);
    CHECK_MEM(one.bytes, other.bytes, one.size);
    tiny_clips_free(&clips);
}

static void clip_database_has_the_bytes_of_each_clip(void)
{
    struct tiny_clips clips;
    struct clip_index_file file;
    struct clip_index_file image;
    uint32_t database;

    tiny_clips_init(&clips, "a", 20, 300);
    file = tiny_clips_database(&clips);
    image = tiny_clips_image_of(&clips, "all.sad", &file);
    database = spn__clip_index_find_file(&image.index, "all.sad", 7);
    CHECK_EQ_U(database, 0);
    CHECK_EQ_U(spn__clip_index_find_file(&image.index, "all.sae", 7),
               CLIP_INDEX_NONE);
    CHECK_EQ_U(spn__clip_index_file(&image.index, 0).file_bytes, file.size);
    CHECK_EQ_U(file.index.header.data_offset % CLIP_INDEX_SECTOR_BYTES, 0);
    for (uint32_t i = 0; i < 20; i++) {
        const struct clip_input *s = &clips.sources[i];
        struct clip_facts facts;

        check_facts(&file.index, s);
        check_facts(&image.index, s);
        facts = spn__clip_index_clip(&image.index, find(&image.index, s->name));
        CHECK_EQ_U(facts.file, 0);
        /* In the order of the sources, without gaps. */
        CHECK_EQ_U(facts.offset, file.index.header.data_offset + i * 300);
        CHECK_MEM(file.bytes + facts.offset, s->bytes, facts.bytes);
    }
    tiny_clips_free(&clips);
}

static void clip_database_stores_equal_bytes_once(void)
{
    struct tiny_clips clips;
    struct clip_index_file file;
    struct clip_facts a;
    struct clip_facts b;

    tiny_clips_init(&clips, "a", 8, 300);
    for (uint32_t i = 2; i < 8; i += 2)
        clips.sources[i].bytes = clips.sources[0].bytes;
    file = tiny_clips_database(&clips);
    CHECK_EQ_U(file.size - file.index.header.data_offset, 5 * 300);
    a = spn__clip_index_clip(&file.index, find(&file.index, "a/00000.sac"));
    b = spn__clip_index_clip(&file.index, find(&file.index, "a/00006.sac"));
    CHECK_EQ_U(a.offset, b.offset);
    b = spn__clip_index_clip(&file.index, find(&file.index, "a/00007.sac"));
    CHECK_MEM(file.bytes + b.offset, clips.sources[7].bytes, 300);
    tiny_clips_free(&clips);
}

/* Of a clip of 200,024 bytes with segments of 50,000 bytes, the header and one
 * segment; of one with segments of 20,000 bytes, three; of one whose first
 * segment is too large, this segment; of small clips all. */
static void clip_first_parts_are_segments_of_at_most_64_kib(void)
{
    static const uint32_t equal[] = {50024, 100024, 150024, 200024};
    static const uint32_t small[] = {20024, 40024, 60024, 200024};
    static const uint32_t large[] = {90024, 100024, 150024, 200024};
    static const uint32_t *const ends[] = {equal, small, large};
    static const uint32_t expected[] = {50024, 60024, 90024};
    struct tiny_clips clips;
    struct clip_index_file file;

    tiny_clips_init(&clips, "a", 3, 200024);
    for (uint32_t i = 0; i < 3; i++)
        clips.sources[i].segment_ends = ends[i];
    file = tiny_clips_database(&clips);
    for (uint32_t i = 0; i < 3; i++) {
        const struct clip_input *s = &clips.sources[i];
        const struct clip_facts facts =
            spn__clip_index_clip(&file.index, find(&file.index, s->name));

        CHECK_EQ_U(facts.first_bytes, expected[i]);
        CHECK_EQ_U(facts.first_checksum,
                   spn__checksum(s->bytes, expected[i], WIRE_SEED));
        CHECK_EQ_U(facts.rest_checksum,
                   spn__checksum(s->bytes + expected[i], 200024 - expected[i],
                                 WIRE_SEED));
    }
    tiny_clips_free(&clips);
}

static void clip_durations_end_where_the_clip_does(void)
{
    struct clip_facts clip = {
        .frame_count = 31, .rate_numerator = 30000, .rate_denominator = 1001};

    CHECK_EQ_U(spn__clip_duration_us(&clip), 1001000);
    clip.flags = CLIP_LOOPS;
    CHECK_EQ_U(spn__clip_duration_us(&clip), 1034366);
    clip.flags = CLIP_LOOPS | CLIP_LOOP_CLOSES;
    CHECK_EQ_U(spn__clip_duration_us(&clip), 1001000);
    clip.frame_count = 1;
    CHECK_EQ_U(spn__clip_duration_us(&clip), 0);
    clip = (struct clip_facts){.frame_count = ANIM_FRAMES_MAX,
                               .flags = CLIP_LOOPS,
                               .rate_numerator = 1,
                               .rate_denominator = ANIM_RATE_MAX};
    CHECK_EQ_U(spn__clip_duration_us(&clip),
               (uint64_t)ANIM_FRAMES_MAX * ANIM_RATE_MAX * 1000000);
}

/* -- names -- */

static void clip_image_finds_clips_behind_number_65535(void)
{
    enum { COUNT = 70000 };
    struct tiny_clips clips;
    struct clip_index_file image;
    uint32_t above = 0;

    tiny_clips_init(&clips, "a", COUNT, TINY_CLIPS_HEADER_BYTES + 65);
    image = tiny_clips_image(&clips);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t clip = find(&image.index, clips.sources[i].name);

        CHECK(clip < COUNT);
        CHECK_STR(spn__clip_index_clip(&image.index, clip).name,
                  clips.sources[i].name);
        above += clip > 65535;
    }
    CHECK_EQ_U(above, COUNT - 65536);
    tiny_clips_free(&clips);
}

#define PRIME_1 UINT64_C(0x9e3779b185ebca87)
#define PRIME_2 UINT64_C(0xc2b2ae3d27d4eb4f)

static uint64_t rotate31(uint64_t x)
{
    return x << 31 | x >> 33;
}

/* Find two names of 64 bytes with one hash: they differ in the first word of
 * both stripes, and after these the lane of XXH64 is the same. The word of the
 * second stripe follows from that of the first; about one in 10,000 has only
 * letters and digits. */
static void find_pair(char a[65], char b[65])
{
    /* The inverse of PRIME_2 modulo 2^64, by Newton's iteration. */
    uint64_t inverse = PRIME_2;
    struct test_random random = {5};
    uint64_t lane;

    for (int i = 0; i < 6; i++)
        inverse *= 2 - PRIME_2 * inverse;
    memset(a, 'x', 64);
    a[64] = 0;
    memcpy(b, a, 65);
    lane =
        rotate31(PRIME_1 + PRIME_2 + spn_load_u64le((uint8_t *)a) * PRIME_2) *
        PRIME_1;
    for (;;) {
        uint8_t word[8];
        uint64_t other;
        bool is_good = true;

        for (int i = 0; i < 8; i++)
            word[i] = (uint8_t)('a' + test_random_below(&random, 26));
        other = rotate31(PRIME_1 + PRIME_2 + spn_load_u64le(word) * PRIME_2) *
                PRIME_1;
        memcpy(b, word, 8);
        spn_store_u64le(word, spn_load_u64le((uint8_t *)a + 32) +
                                  (lane - other) * inverse);
        for (int i = 0; i < 8; i++)
            is_good &= word[i] > ' ' && word[i] < 0x7f && word[i] != '/' &&
                       word[i] != ':' && word[i] != '\\';
        memcpy(b + 32, word, 8);
        if (is_good)
            return;
    }
}

static void clip_image_tells_names_with_one_hash_apart(void)
{
    struct tiny_clips clips;
    struct clip_index_file image;
    char names[2][65];
    uint32_t found[2];

    find_pair(names[0], names[1]);
    CHECK(strcmp(names[0], names[1]) != 0);
    CHECK_EQ_U(spn__hash64(names[0], 64, NAME_HASH_SEED),
               spn__hash64(names[1], 64, NAME_HASH_SEED));
    tiny_clips_init(&clips, "a", 30, 200);
    clips.sources[3].name = names[1];
    image = tiny_clips_image(&clips);
    /* The name that is not there has the hash of one that is. */
    CHECK_EQ_U(find(&image.index, names[0]), CLIP_INDEX_NONE);
    clips.sources[7].name = names[0];
    image = tiny_clips_image(&clips);
    for (int i = 0; i < 2; i++) {
        found[i] = find(&image.index, names[i]);
        CHECK(found[i] < 30);
        CHECK_STR(spn__clip_index_clip(&image.index, found[i]).name, names[i]);
    }
    CHECK(found[0] != found[1]);
    tiny_clips_free(&clips);
}

/* -- what the writer refuses -- */

static void refuses(struct tiny_clips *clips, const char *text)
{
    struct clip_index_file out;

    diag_finish(&clips->diag);
    diag_init(&clips->diag);
    clips->diag.is_silent = true;
    CHECK(!clip_database_make(&clips->arena, &clips->diag, "d.sad",
                              clips->sources, clips->count, &out));
    if (!strstr(clips->diag.text, text))
        test_fail(__FILE__, __LINE__, "%s: not: %s", clips->diag.text, text);
}

static void clip_writer_refuses_what_the_runtime_would(void)
{
    struct tiny_clips clips;
    struct clip_input good;

    tiny_clips_init(&clips, "a", 3, 200);
    good = clips.sources[1];
#define REFUSES(field, value, text)                                            \
    do {                                                                       \
        clips.sources[1].field = (value);                                      \
        refuses(&clips, text);                                                 \
        clips.sources[1] = good;                                               \
    } while (0)
    REFUSES(name, "a/00000.sac", "a/00000.sac: the name occurs twice");
    REFUSES(name, "a/../b", "not a good name");
    REFUSES(name, "", "not a good name");
    REFUSES(skeleton, 5, "a/00001.sac: its skeleton is not that of");
    REFUSES(frame_count, 0, "number of frames");
    REFUSES(frame_count, ANIM_FRAMES_MAX + 1, "number of frames");
    REFUSES(joint_count, 0, "number of joints");
    REFUSES(joint_count, ANIM_JOINTS_MAX + 1, "number of joints");
    REFUSES(rate_numerator, 0, "frame rate");
    REFUSES(rate_denominator, ANIM_RATE_MAX + 1, "frame rate");
    REFUSES(flags, CLIP_FLAGS + 1, "flags");
    REFUSES(byte_count, 0, "size of a clip");
#undef REFUSES
    tiny_clips_free(&clips);
}

/* -- damage -- */

/* Validate a copy in memory of its own size, so that an access beyond it is
 * found by the address sanitizer. */
static spn_status try_copy(const uint8_t *bytes, size_t size,
                           enum clip_index_type type, struct spn_fault *fault)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    struct clip_index index;
    spn_status status;

    CHECK(copy);
    if (size > 0)
        memcpy(copy, bytes, size);
    *fault = (struct spn_fault){0};
    status = clip_index_validate(copy, size, type, &index, fault);
    if (status == SPN_OK)
        clip_index_walk(&index, size);
    free(copy);
    return status;
}

static void check_damage(const struct clip_index_file *file,
                         enum clip_index_type type, uint64_t seed)
{
    /* The data is not validated here: its checksums are, when it is read. */
    const size_t checked =
        CLIP_INDEX_HEADER_BYTES + file->index.header.index_bytes;
    struct test_random random = {seed};
    struct spn_fault fault;
    uint8_t *bytes = malloc(file->size);
    uint32_t refused = 0;

    CHECK(bytes);
    memcpy(bytes, file->bytes, file->size);
    CHECK_EQ(try_copy(bytes, file->size, type, &fault), SPN_OK);
    for (size_t size = 0; size < file->size; size++)
        CHECK(try_copy(bytes, size, type, &fault) != SPN_OK);
    for (size_t at = 0; at < checked; at++) {
        bytes[at] ^= (uint8_t)(1u << test_random_below(&random, 8));
        CHECK(try_copy(bytes, file->size, type, &fault) != SPN_OK);
        CHECK(fault.what != NULL && fault.offset <= checked);
        bytes[at] = file->bytes[at];
    }
    for (uint32_t round = 0; round < 4 * checked; round++) {
        const size_t at = round / 4;

        test_context("seed %u, round %u", (unsigned)seed, round);
        bytes[at] = (uint8_t)(round % 4 == 0   ? 0xffu
                              : round % 4 == 1 ? bytes[at] + 1u
                                               : test_random_u64(&random));
        if (round % 4 == 3)
            bytes[test_random_below(&random, (uint32_t)checked)] ^= 0x80;
        tiny_clips_correct(bytes, file->size);
        if (try_copy(bytes, file->size, type, &fault) != SPN_OK) {
            CHECK(fault.what != NULL && fault.offset <= file->size);
            refused++;
        }
        memcpy(bytes, file->bytes, checked);
    }
    CHECK(refused > checked);
    free(bytes);
}

static void clip_index_survives_any_damage(void)
{
    struct tiny_clips clips;
    struct clip_index_file file;
    struct clip_index_file image;

    tiny_clips_init(&clips, "a", 5, TINY_CLIPS_HEADER_BYTES + 65);
    file = tiny_clips_database(&clips);
    check_damage(&file, CLIP_INDEX_DATABASE, 1);
    image = tiny_clips_image_of(&clips, "all.sad", &file);
    check_damage(&image, CLIP_INDEX_IMAGE, 2);
    image = tiny_clips_image(&clips);
    check_damage(&image, CLIP_INDEX_IMAGE, 3);
    tiny_clips_free(&clips);
}

/* An own value for each field that has a rule of its own. */
static void clip_index_names_what_is_wrong(void)
{
    static const struct {
        const char *what;
        uint32_t at;
        uint32_t value;
        spn_status status;
    } cases[] = {
        {"signature", 0, 0, SPN_ERR_FORMAT},
        {"version", 8, 2, SPN_ERR_VERSION},
        {"size of the index", 12, 6, SPN_ERR_FORMAT},
        {"size of the index", 28, 0xffffffff, SPN_ERR_FORMAT},
        {"checksum of the data", 36, 1, SPN_ERR_FORMAT},
        {"offset of the data", 40, 2048, SPN_ERR_FORMAT},
        {"file size", 48, 1, SPN_ERR_FORMAT},
        {"reserved bytes", 60, 1, SPN_ERR_FORMAT},
        {"hash of a name", 128, 1, SPN_ERR_FORMAT},
        {"place of a name", 136, 1, SPN_ERR_FORMAT},
        {"file of a clip", 140, 1, SPN_ERR_FORMAT},
        {"kind of a clip", 144, 1, SPN_ERR_FORMAT},
        {"offset of a clip", 148, 1, SPN_ERR_FORMAT},
        {"size of a clip", 156, 0, SPN_ERR_FORMAT},
        {"size of a first part", 160, 0, SPN_ERR_FORMAT},
        {"checksum of nothing", 168, 1, SPN_ERR_FORMAT},
        {"number of frames", 172, 0, SPN_ERR_FORMAT},
    };
    struct tiny_clips clips;
    struct clip_index_file file;
    struct clip_index_file image;

    tiny_clips_init(&clips, "a", 5, 200);
    file = tiny_clips_database(&clips);
    image = tiny_clips_image_of(&clips, "all.sad", &file);
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *bytes = malloc(image.size);
        struct clip_index index;
        struct spn_fault fault = {0};

        test_context("%s", cases[i].what);
        CHECK(bytes);
        memcpy(bytes, image.bytes, image.size);
        spn_store_u32le(bytes + cases[i].at, cases[i].value);
        tiny_clips_correct(bytes, image.size);
        CHECK_EQ(clip_index_validate(bytes, image.size, CLIP_INDEX_IMAGE,
                                     &index, &fault),
                 cases[i].status);
        CHECK_STR(fault.what, cases[i].what);
        /* The signature is named as a whole. */
        if (i > 0 && cases[i].at != 12)
            CHECK_EQ_U(fault.offset, cases[i].at == 60 ? 56 : cases[i].at);
        free(bytes);
    }
    tiny_clips_free(&clips);
}

TEST_MAIN(TEST(clip_image_has_what_was_put_in),
          TEST(clip_image_does_not_depend_on_the_order_of_the_clips),
          TEST(clip_database_has_the_bytes_of_each_clip),
          TEST(clip_database_stores_equal_bytes_once),
          TEST(clip_first_parts_are_segments_of_at_most_64_kib),
          TEST(clip_durations_end_where_the_clip_does),
          TEST(clip_image_finds_clips_behind_number_65535),
          TEST(clip_image_tells_names_with_one_hash_apart),
          TEST(clip_writer_refuses_what_the_runtime_would),
          TEST(clip_index_survives_any_damage),
          TEST(clip_index_names_what_is_wrong))
