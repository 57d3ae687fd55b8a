/* test_encode.c
 *
 * Goal: a cache holds exactly the encoded clip, for every shape of clip.
 * Method: clips with known values are encoded to memory, read back through
 *   the runtime's validation and decoder, and compared bit for bit.
 *   test_encode_threads.c tests several threads.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "cachefile/cache_reader_state.h"
#include "compile/encode/classic/search.h"
#include "compile/encode/encode.h"
#include "compile/encode/lift/lift_parts.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "compile/encode/lift/lift_triangles.h"
#include "harness.h"
#include "support/encode_round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void encode(struct round *r, const struct synthetic_options *o,
                   uint32_t distance, bool no_b_frames)
{
    round_encode(r, o, CLASSIC, distance, no_b_frames, 1);
}

static struct cache_reader *open_round(struct round *r)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/encode.sgc", test_temp());
    file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ_U(fwrite(r->memory.bytes, 1, r->memory.size, file),
               r->memory.size);
    CHECK_EQ(fclose(file), 0);
    return cache_reader_open(path, &r->diag);
}

/* Cut meshes have their triangles part by part. */
static void order_parts(const struct round *r, uint32_t m, uint32_t *indices)
{
    const struct clip_mesh *source = &r->clip.clip.meshes[m];
    const uint32_t count = source->vertex_count;
    const uint32_t parts = lift_parts_count(count, CACHE_TILE_VERTICES_MAX);
    uint16_t *positions = malloc(3 * count * sizeof *positions);
    uint32_t *order = malloc(count * sizeof *order);

    synthetic_values(&r->clip.options, 0, m, CHANNEL_POSITION, positions);
    lift_parts_split(positions, count, parts, order);
    lift_triangles_order(source, parts, order, indices);
    for (uint32_t i = 0; i < source->index_count; i++)
        indices[i] = order[indices[i]];
    free(positions);
    free(order);
}

/* The number of each source vertex in the cache. Triangles keep their order, so
 * their corners determine the numbers. A vertex without triangles must keep its
 * number. */
static uint32_t *find_places(const struct round *r,
                             const struct cache_reader *reader, uint32_t m)
{
    const struct clip_mesh *source = &r->clip.clip.meshes[m];
    const uint32_t *indices = cache_reader_indices(reader, m);
    uint32_t *place = malloc(source->vertex_count * sizeof *place);

    uint32_t *corners = malloc(source->index_count * sizeof *corners);

    memcpy(corners, source->indices, source->index_count * sizeof *corners);
    if (r->options.is_lifted && source->vertex_count > CACHE_TILE_VERTICES_MAX)
        order_parts(r, m, corners);
    for (uint32_t v = 0; v < source->vertex_count; v++)
        place[v] = v;
    for (uint32_t i = 0; i < source->index_count; i++)
        place[corners[i]] = indices[i];
    for (uint32_t i = 0; i < source->index_count; i++)
        CHECK_EQ_U(place[corners[i]], indices[i]);
    free(corners);
    return place;
}

/* The same rotation, with either sign. */
static bool is_negative(const uint8_t *value, const uint8_t *truth)
{
    int16_t a[4];
    int16_t b[4];

    memcpy(a, value, sizeof a);
    memcpy(b, truth, sizeof b);
    for (int k = 0; k < 4; k++)
        if (a[k] != (int16_t)-b[k])
            return false;
    return true;
}

static void check_values(const uint8_t *values, const uint8_t *truth,
                         const uint32_t *place, uint32_t count, size_t bytes,
                         bool has_signs)
{
    for (uint32_t v = 0; v < count; v++)
        if (memcmp(values + place[v] * bytes, truth + v * bytes, bytes) != 0 &&
            (has_signs ||
             !is_negative(values + place[v] * bytes, truth + v * bytes)))
            test_fail(__FILE__, __LINE__, "vertex %u differs", v);
}

static void check_mesh(const struct round *r, const struct cache_mesh *mesh,
                       const uint32_t *place,
                       const struct cache_reader_frame *f, uint32_t m)
{
    const struct synthetic_options *o = &r->clip.options;
    const struct clip_mesh *source = &r->clip.clip.meshes[m];
    bool is_hidden = synthetic_is_hidden(o, f->number, m);

    test_context("frame %u, mesh %u", f->number, m);
    CHECK_EQ(f->meshes[m].is_shown, !is_hidden);
    for (uint32_t c = 0; c < CHANNEL_COUNT; c++) {
        enum channel channel = (enum channel)c;
        size_t bytes =
            (size_t)mesh->vertex_count * channel_vertex_bytes(channel);
        const void *values = f->meshes[m].channel[c];
        uint8_t *truth;

        if (!((source->static_mask | source->animated_mask) & CHANNEL_BIT(c))) {
            CHECK(values == NULL);
            continue;
        }
        if (is_hidden && (!values || o->is_lazy))
            continue;
        CHECK(values != NULL);
        truth = malloc(bytes);
        synthetic_values(o, f->number, m, channel, truth);
        check_values(values, truth, place, mesh->vertex_count,
                     channel_vertex_bytes(channel),
                     channel != CHANNEL_QTANGENT || !r->options.guesses_all);
        free(truth);
    }
}

static void check_tables(const struct round *r,
                         const struct cache_reader *reader)
{
    const struct cache_header *h = cache_reader_header(reader);
    const struct cache_tables *t = cache_reader_tables(reader);
    const struct clip *clip = &r->clip.clip;

    CHECK_EQ_U(h->frame_count, clip->frame_count);
    CHECK_EQ_U(h->mesh_count, clip->mesh_count);
    CHECK_EQ_U(h->node_count, clip->node_count);
    CHECK_EQ_U(h->index_distance, r->options.index_distance);
    for (uint32_t i = 0; i < h->frame_count; i++)
        CHECK_NEAR(cache_reader_seconds(reader)[i], clip->frame_seconds[i], 0);
    for (uint32_t n = 0; n < h->node_count; n++)
        CHECK_STR(t->names + t->nodes[n].name, clip->nodes[n].path);
    for (uint32_t m = 0; m < h->mesh_count; m++) {
        const struct clip_mesh *mesh = &clip->meshes[m];
        const uint8_t *bits = reader->static_meshes[m].reflection;
        uint32_t *place = find_places(r, reader, m);

        CHECK_STR(t->names + t->meshes[m].name, mesh->path);
        CHECK_EQ_U(t->meshes[m].vertex_count, mesh->vertex_count);
        CHECK_EQ_U(t->meshes[m].index_count, mesh->index_count);
        if (mesh->index_count > 0 && !r->options.is_lifted)
            CHECK_MEM(cache_reader_indices(reader, m), mesh->indices,
                      mesh->index_count * sizeof *mesh->indices);
        CHECK_EQ(bits != NULL,
                 t->meshes[m].reflection == CACHE_REFLECTION_MIXED);
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            bool is_all = t->meshes[m].reflection == CACHE_REFLECTION_ALL;

            CHECK_EQ(bits ? bits[place[i] / 8] >> (place[i] % 8) & 1 : is_all,
                     mesh->reflection[i]);
        }
        free(place);
    }
}

static void check_round(struct round *r)
{
    struct cache_reader *reader = open_round(r);

    if (!reader)
        test_fail(__FILE__, __LINE__, "refused: %s", r->diag.text);
    check_tables(r, reader);
    for (uint32_t i = 0; i < r->clip.clip.frame_count; i++) {
        const struct cache_reader_frame *f = cache_reader_frame(reader, i);

        if (!f)
            test_fail(__FILE__, __LINE__, "frame %u: %s", i, r->diag.text);
        for (uint32_t m = 0; m < r->clip.clip.mesh_count; m++) {
            struct transform transform;
            uint32_t *place;

            synthetic_transform(&r->clip.options, i, m, &transform);
            CHECK_MEM(&f->transforms[m + 1], &transform, sizeof transform);
            place = find_places(r, reader, m);
            check_mesh(r, &cache_reader_tables(reader)->meshes[m], place, f, m);
            free(place);
        }
    }
    cache_reader_close(reader);
}

static void check_all_distances(const struct synthetic_options *o)
{
    static const uint32_t distances[4] = {10, 1, 2, 255};

    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        for (int no_b_frames = 0; no_b_frames < 2; no_b_frames++) {
            struct round r;

            encode(&r, o, distances[i], no_b_frames != 0);
            check_round(&r);
            round_end(&r);
        }
}

static void encode_keeps_an_animated_clip(void)
{
    check_all_distances(&(struct synthetic_options){.mesh_count = 2,
                                                    .has_uvs = true,
                                                    .has_colors = true,
                                                    .has_second_uvs = true,
                                                    .has_velocities = true,
                                                    .is_mirrored = true});
}

static void encode_keeps_static_content(void)
{
    check_all_distances(&(struct synthetic_options){.mesh_count = 3,
                                                    .step = 5,
                                                    .is_static = true,
                                                    .has_uvs = true,
                                                    .has_colors = true,
                                                    .has_second_uvs = true,
                                                    .has_velocities = true,
                                                    .is_mirrored = true});
}

static void encode_keeps_one_frame_and_two(void)
{
    check_all_distances(&(struct synthetic_options){.frame_count = 1});
    check_all_distances(&(struct synthetic_options){.frame_count = 2});
}

static void encode_keeps_values_that_do_not_compress(void)
{
    check_all_distances(&(struct synthetic_options){
        .frame_count = 6, .is_noisy = true, .has_uvs = true, .mesh_count = 2});
}

/* Small tiles have few whole planes, large ones many. */
static void encode_keeps_clips_in_each_order(void)
{
    static const uint32_t counts[] = {5, 60, 2300};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (uint32_t orders = 1; orders <= ORDERS_ALL; orders++) {
            const struct synthetic_options o = {.vertices = counts[i],
                                                .mesh_count = 2,
                                                .frame_count = 12,
                                                .has_uvs = true,
                                                .has_colors = true,
                                                .has_second_uvs = true,
                                                .has_velocities = true};
            struct round r;

            memset(&r, 0, sizeof r);
            synthetic_make(&r.clip, &o);
            compile_options_default(&r.options);
            r.options.jobs = 1;
            r.options.orders = orders;
            diag_init(&r.diag);
            CHECK(synthetic_encode(&r.clip, &r.options, &r.diag, &r.memory));
            check_round(&r);
            round_end(&r);
        }
}

static void encode_lets_small_meshes_share_a_tile(void)
{
    const struct synthetic_options o = {
        .frame_count = 5, .mesh_count = 70, .vertices = 3, .step = 4};
    struct cache_reader *reader;
    struct round r;

    encode(&r, &o, 10, false);
    check_round(&r);
    reader = open_round(&r);
    CHECK_EQ_U(cache_reader_header(reader)->part_count, 70);
    CHECK(cache_reader_header(reader)->tile_count < 5);
    cache_reader_close(reader);
    round_end(&r);
}

static void encode_divides_large_meshes(void)
{
    static const uint32_t counts[] = {8191, 8192, 8193, 20000};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct synthetic_options o = {
            .frame_count = 4, .vertices = counts[i], .is_mirrored = true};
        struct cache_reader *reader;
        struct round r;

        encode(&r, &o, 3, false);
        check_round(&r);
        reader = open_round(&r);
        CHECK_EQ_U(cache_reader_header(reader)->tile_count,
                   (counts[i] + CACHE_TILE_VERTICES_MAX - 1) /
                       CACHE_TILE_VERTICES_MAX);
        cache_reader_close(reader);
        round_end(&r);
    }
}

static void encode_counts_indices_beyond_16_bits(void)
{
    static const uint32_t counts[] = {65536, 65537};

    for (size_t i = 0; i < 2; i++) {
        struct synthetic_options o = {
            .frame_count = 2, .vertices = counts[i], .is_static = true};
        struct round r;

        encode(&r, &o, 10, false);
        check_round(&r);
        round_end(&r);
    }
}

/* Number of absent blocks of a frame. */
static uint32_t absent_blocks(struct cache_reader *reader, uint32_t number)
{
    struct frame_decoder frame;
    struct frame_walk walk;
    uint32_t count = 0;

    CHECK(cache_reader_stored_frame(reader, number, &frame));
    walk = frame_walk_begin(&frame);
    while (spn__frame_walk_next(&walk))
        count += walk.entry.is_absent;
    return count;
}

/* The mesh is hidden in frames 5 to 24, in groups of 5 frames. The groups [5,
 * 10] to [15, 20] lie within. Frame 5 is needed by the group before. Frame 20
 * is needed by the group after, which shows frame 25. */
static void encode_leaves_hidden_tiles_out(void)
{
    for (int k = 0; k < 4; k++) {
        const struct synthetic_options o = {.frame_count = 31,
                                            .mesh_count = 2,
                                            .has_uvs = true,
                                            .hidden_first = 5,
                                            .hidden_limit = 25,
                                            .is_lazy = k % 2 == 1};
        struct cache_reader *reader;
        struct round r;

        encode(&r, &o, 5, k >= 2);
        check_round(&r);
        reader = open_round(&r);
        for (uint32_t i = 0; i < o.frame_count; i++) {
            test_context("frame %u, variant %d", i, k);
            CHECK_EQ(absent_blocks(reader, i) > 0, i > 5 && i < 20);
        }
        cache_reader_close(reader);
        round_end(&r);
    }
}

/* -- lifted meshes -- */

static uint32_t count_lifted(struct round *r)
{
    struct cache_reader *reader = open_round(r);
    uint32_t count = 0;

    for (uint32_t t = 0; t < cache_reader_header(reader)->tile_count; t++)
        count += cache_tile_is_lifted(&cache_reader_tables(reader)->tiles[t]);
    cache_reader_close(reader);
    return count;
}

static void check_lifted_distances(const struct synthetic_options *o,
                                   enum lifting lifting, uint32_t tiles)
{
    static const uint32_t distances[4] = {8, 1, 2, 128};

    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++)
        for (int no_b_frames = 0; no_b_frames < 2; no_b_frames++) {
            struct round r;

            round_encode(&r, o, lifting, distances[i], no_b_frames != 0, 1);
            check_round(&r);
            CHECK_EQ_U(count_lifted(&r), tiles);
            round_end(&r);
        }
}

static void encode_keeps_lifted_meshes(void)
{
    check_lifted_distances(&(struct synthetic_options){.mesh_count = 2,
                                                       .vertices = 700,
                                                       .step = 90,
                                                       .has_uvs = true,
                                                       .has_colors = true,
                                                       .has_second_uvs = true,
                                                       .has_velocities = true,
                                                       .is_mirrored = true},
                           LIFTED, 2);
}

/* The distance of index frames that the compiler chooses for a clip. */
static uint32_t found_distance(const struct synthetic_options *o,
                               bool no_b_frames)
{
    struct cache_reader *reader;
    uint32_t found;
    struct round r;

    round_encode(&r, o, LIFTED, 0, no_b_frames, 1);
    reader = open_round(&r);
    found = cache_reader_header(reader)->index_distance;
    cache_reader_close(reader);
    r.options.index_distance = found;
    check_round(&r);
    round_end(&r);
    return found;
}

static void encode_finds_the_distance_of_index_frames(void)
{
    struct synthetic_options o = {
        .vertices = 700, .frame_count = 40, .is_calm = true};

    CHECK_EQ_U(found_distance(&o, false), 16u);
    CHECK_EQ_U(found_distance(&o, true), 8u);
    /* The mesh is hidden in a part of every long group. */
    o.hidden_first = 10;
    o.hidden_limit = 20;
    CHECK_EQ_U(found_distance(&o, false), 8u);
    o = (struct synthetic_options){
        .vertices = 700, .frame_count = 16, .is_calm = true};
    CHECK_EQ_U(found_distance(&o, false), 8u);
    /* Content without prediction costs the same in every frame. */
    o = (struct synthetic_options){
        .vertices = 700, .frame_count = 40, .is_noisy = true};
    CHECK_EQ_U(found_distance(&o, false), 8u);
}

static void encode_keeps_tangents_by_positions(void)
{
    check_lifted_distances(&(struct synthetic_options){.mesh_count = 2,
                                                       .vertices = 700,
                                                       .step = 90,
                                                       .frame_count = 12,
                                                       .has_colors = true,
                                                       .is_mirrored = true},
                           LIFTED_BY_RINGS, 2);
    /* The second mesh has one-rings by UVs. */
    check_lifted_distances(&(struct synthetic_options){.mesh_count = 2,
                                                       .vertices = 700,
                                                       .step = 90,
                                                       .frame_count = 12,
                                                       .has_uvs = true,
                                                       .has_colors = true,
                                                       .is_mirrored = true},
                           LIFTED_BY_RINGS, 2);
    /* The slots form two runs. */
    check_lifted_distances(
        &(struct synthetic_options){.vertices = 8192, .frame_count = 3},
        LIFTED_BY_RINGS, 1);
}

static void encode_keeps_lifted_clips_of_any_length(void)
{
    for (uint32_t frames = 1; frames <= 20; frames++) {
        struct round r;

        test_context("%u frames", frames);
        round_encode(
            &r,
            &(struct synthetic_options){.frame_count = frames, .vertices = 400},
            true, 8, false, 1);
        check_round(&r);
        round_end(&r);
    }
}

/* Small meshes in shared tiles, and content that does not compress. */
static void encode_keeps_meshes_beside_lifted_ones(void)
{
    check_lifted_distances(
        &(struct synthetic_options){
            .mesh_count = 4, .vertices = 20, .step = 150, .has_uvs = true},
        LIFTED, 2);
    check_lifted_distances(&(struct synthetic_options){.mesh_count = 2,
                                                       .vertices = 500,
                                                       .frame_count = 6,
                                                       .is_static = true},
                           LIFTED, 0);
    check_lifted_distances(&(struct synthetic_options){.mesh_count = 2,
                                                       .vertices = 500,
                                                       .frame_count = 6,
                                                       .is_noisy = true,
                                                       .has_colors = true},
                           LIFTED, 2);
}

/* The references that any block of the frame is decoded with. */
static uint32_t count_used(struct cache_reader *reader, uint32_t frame,
                           uint32_t offered)
{
    struct frame_decoder d;
    struct frame_walk walk;
    uint32_t used = 0;

    CHECK(cache_reader_stored_frame(reader, frame, &d));
    walk = frame_walk_begin(&d);
    while (spn__frame_walk_next(&walk)) {
        uint32_t count = 0;

        if (walk.entry.is_absent)
            continue;
        if (walk.entry.coding == CODING_TEMPORAL)
            count = offered;
        else if (walk.entry.coding == CODING_LIFTED)
            count = spn__cache_lifted_references(
                d.directory + walk.entry.offset, walk.entry.stored_bytes);
        used = count > used ? count : used;
    }
    return used;
}

/* Each B frame lists, and waits for, the references that it uses. Count the
 * frames that list all references of a pyramid, if more than two, and those
 * that list fewer. */
static void check_references(struct round *r, uint32_t *whole, uint32_t *fewer)
{
    struct cache_reader *reader;

    check_round(r);
    reader = open_round(r);
    for (uint32_t i = 0; i < r->clip.clip.frame_count; i++) {
        const struct cache_frame *f = &cache_reader_frames(reader)[i];
        uint32_t references[LIFT_FRAMES_MAX];
        const uint32_t offered =
            lift_pyramid_references(i, r->clip.clip.frame_count,
                                    r->options.lifted_distance, references);
        uint32_t used = count_used(reader, i, offered);

        test_context("frame %u uses %u of %u", i, used, offered);
        if (offered > 0 && used < CACHE_REFERENCES_MIN)
            used = CACHE_REFERENCES_MIN;
        CHECK_EQ_U(f->reference_count, used);
        CHECK_EQ_U(f->wait_mask, (1u << used) - 1);
        for (uint32_t k = 0; k < used; k++)
            CHECK_EQ((int64_t)i + f->reference[k], references[k]);
        *whole += offered > 2 && used == offered;
        *fewer += used < offered;
    }
    cache_reader_close(reader);
}

static void encode_lists_the_references_that_are_used(void)
{
    static const struct synthetic_options clips[] = {
        {.frame_count = 35, .vertices = 700, .has_uvs = true},
        {.frame_count = 35, .vertices = 700, .is_calm = true},
        {.frame_count = 35, .vertices = 300, .is_noisy = true},
    };
    uint32_t whole = 0;
    uint32_t fewer = 0;
    struct round r;

    for (uint32_t distance = 8; distance <= 16; distance *= 2)
        for (size_t i = 0; i < sizeof clips / sizeof clips[0]; i++) {
            round_encode(&r, &clips[i], LIFTED, distance, false, 1);
            check_references(&r, &whole, &fewer);
            round_end(&r);
        }
    CHECK(whole > 20 && fewer > 20);
    /* A small mesh in the same clip uses all references, as it uses four in a
     * classic file. */
    whole = fewer = 0;
    round_encode(&r,
                 &(struct synthetic_options){.frame_count = 35,
                                             .mesh_count = 2,
                                             .vertices = 100,
                                             .step = 600,
                                             .is_calm = true},
                 LIFTED, 8, false, 1);
    CHECK_EQ_U(count_lifted(&r), 1);
    check_references(&r, &whole, &fewer);
    round_end(&r);
    CHECK(whole > 10);
    CHECK_EQ_U(fewer, 0);
}

static void encode_lifts_large_meshes_in_parts(void)
{
    static const uint32_t counts[] = {8192, 8193, 20000};

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct round r;

        round_encode(&r,
                     &(struct synthetic_options){.frame_count = 4,
                                                 .vertices = counts[i],
                                                 .is_mirrored = true},
                     LIFTED, 2, false, 1);
        check_round(&r);
        CHECK_EQ_U(count_lifted(&r), (counts[i] - 1) / 8192 + 1);
        round_end(&r);
    }
}

/* The numbers of the first triangle's three vertices. */
static bool is_by_first_use(struct round *r)
{
    struct cache_reader *reader = open_round(r);
    const uint32_t *indices = cache_reader_indices(reader, 0);
    const bool is_so = indices[0] == 0 && indices[1] == 1 && indices[2] == 2;

    cache_reader_close(reader);
    return is_so;
}

static void encode_numbers_vertices_as_the_option_states(void)
{
    for (int k = 0; k < 4; k++) {
        const bool is_layered = k % 2 == 1;
        struct round r;

        round_encode(&r,
                     &(struct synthetic_options){.frame_count = 4,
                                                 .vertices = k < 2 ? 400 : 9000,
                                                 .is_mirrored = true},
                     is_layered ? LAYERED : LIFTED_BY_RINGS, 2, false, 1);
        test_context("variant %d", k);
        r.options.guesses_all = true; /* tangents may have either sign */
        check_round(&r);
        CHECK_EQ(is_by_first_use(&r), !is_layered);
        round_end(&r);
    }
}

static void encode_leaves_hidden_lifted_tiles_out(void)
{
    for (int k = 0; k < 4; k++) {
        const struct synthetic_options o = {.frame_count = 33,
                                            .mesh_count = 2,
                                            .vertices = 300,
                                            .hidden_first = 4,
                                            .hidden_limit = 24,
                                            .is_lazy = k % 2 == 1};
        struct cache_reader *reader;
        struct round r;

        round_encode(&r, &o, LIFTED, 4, k >= 2, 1);
        check_round(&r);
        reader = open_round(&r);
        for (uint32_t i = 0; i < o.frame_count; i++) {
            test_context("frame %u, variant %d", i, k);
            CHECK_EQ(absent_blocks(reader, i) > 0, i > 4 && i < 20);
        }
        cache_reader_close(reader);
        round_end(&r);
    }
}

static void encode_lifts_only_meshes_that_become_smaller(void)
{
    struct synthetic_options o = {
        .frame_count = 2, .vertices = 600, .has_uvs = true};

    for (uint32_t k = 0; k < 2; k++, o.frame_count = 60, o.vertices = 4000) {
        struct round classic;
        struct round lifted;
        struct round chosen;
        size_t least;

        encode(&classic, &o, 10, false);
        round_encode(&lifted, &o, LIFTED, 8, false, 1);
        memset(&chosen, 0, sizeof chosen);
        synthetic_make(&chosen.clip, &o);
        compile_options_default(&chosen.options);
        chosen.options.jobs = 1;
        chosen.options.is_lifted = true;
        diag_init(&chosen.diag);
        CHECK(synthetic_encode(&chosen.clip, &chosen.options, &chosen.diag,
                               &chosen.memory));
        least = lifted.memory.size < classic.memory.size ? lifted.memory.size
                                                         : classic.memory.size;
        test_context("%u frames: classic %zu, lifted %zu", o.frame_count,
                     classic.memory.size, lifted.memory.size);
        CHECK_EQ_U(chosen.memory.size, least);
        round_end(&classic);
        round_end(&lifted);
        round_end(&chosen);
    }
}

static void encode_makes_b_frames_that_pay(void)
{
    const struct synthetic_options o = {.frame_count = 41, .vertices = 2000};
    struct round with;
    struct round without;

    encode(&with, &o, 10, false);
    encode(&without, &o, 10, true);
    CHECK(with.memory.size < without.memory.size);
    round_end(&with);
    round_end(&without);
}

static void encode_stores_without_a_compressor(void)
{
    struct round r = {0};

    synthetic_make(&r.clip, &(struct synthetic_options){.has_colors = true});
    compile_options_default(&r.options);
    r.options.jobs = 1;
    r.options.codec = BLOCK_CODEC_STORE;
    diag_init(&r.diag);
    CHECK(synthetic_encode(&r.clip, &r.options, &r.diag, &r.memory));
    check_round(&r);
    round_end(&r);
}

static void check_refused(struct round *r, enum exit_code code)
{
    diag_init(&r->diag);
    r->diag.is_silent = true;
    CHECK(!synthetic_encode(&r->clip, &r->options, &r->diag, &r->memory));
    CHECK_EQ(r->diag.code, code);
    CHECK(r->diag.text[0] != 0);
    memory_sink_free(&r->memory);
    diag_finish(&r->diag);
}

static void encode_refuses_bad_options_and_clips(void)
{
    struct round r = {0};
    double seconds[3] = {0, 1, 1.0000001};

    synthetic_make(&r.clip, &(struct synthetic_options){.frame_count = 3});
    compile_options_default(&r.options);
    r.options.jobs = 1;
    r.options.index_distance = 0;
    check_refused(&r, EXIT_INPUT_REFUSED);
    r.options.index_distance = 256;
    check_refused(&r, EXIT_INPUT_REFUSED);
    r.options.index_distance = 10;
    r.options.codec = 77;
    check_refused(&r, EXIT_INPUT_REFUSED);
    r.options.codec = BLOCK_CODEC_LZ4;
    r.clip.clip.frame_seconds = seconds;
    check_refused(&r, EXIT_INPUT_REFUSED);
    seconds[2] = 0.5;
    check_refused(&r, EXIT_INPUT_REFUSED);
    seconds[2] = 2;
    r.clip.options.bad_frame = 2;
    check_refused(&r, EXIT_INTERNAL);
    synthetic_free(&r.clip);
}

TEST_MAIN(TEST(encode_keeps_an_animated_clip),
          TEST(encode_keeps_static_content),
          TEST(encode_keeps_one_frame_and_two),
          TEST(encode_keeps_values_that_do_not_compress),
          TEST(encode_keeps_clips_in_each_order),
          TEST(encode_lets_small_meshes_share_a_tile),
          TEST(encode_divides_large_meshes),
          TEST(encode_counts_indices_beyond_16_bits),
          TEST(encode_leaves_hidden_tiles_out),
          TEST(encode_keeps_lifted_meshes),
          TEST(encode_finds_the_distance_of_index_frames),
          TEST(encode_keeps_tangents_by_positions),
          TEST(encode_lifts_only_meshes_that_become_smaller),
          TEST(encode_keeps_lifted_clips_of_any_length),
          TEST(encode_keeps_meshes_beside_lifted_ones),
          TEST(encode_lists_the_references_that_are_used),
          TEST(encode_lifts_large_meshes_in_parts),
          TEST(encode_numbers_vertices_as_the_option_states),
          TEST(encode_leaves_hidden_lifted_tiles_out),
          TEST(encode_makes_b_frames_that_pay),
          TEST(encode_stores_without_a_compressor),
          TEST(encode_refuses_bad_options_and_clips))
