/* test_one_ring.c
 *
 * Goal: a predicted tangent frame is that of the surface, with the same bits on
 *   every instruction set for any positions. Validation refuses invalid
 *   one-rings. Learned weights make predictions fit.
 * Method: a tilted plane computed by hand; random and extreme one-rings
 *   compared with the scalar code; roots compared with their definition; a
 *   cloth encoded and decoded.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/lift_cloth.h"

#include "base/cpu.h"
#include "codec/lift/root.h"
#include "compile/encode/lift/lift_pyramid.h"
#include "support/lift_validate.h"
#include "support/pyramid_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SETS 4
static const uint32_t sets[SETS] = {0, SPN_CPU_SSE41,
                                    SPN_CPU_SSE41 | SPN_CPU_AVX2, SPN_CPU_NEON};

static bool has_set(uint32_t cpu)
{
    return cpu == 0 || (cpu & ~spn__cpu_detect()) == 0;
}

static void roots_are_correctly_rounded(void)
{
    struct test_random random = {1};

    for (uint32_t i = 0; i < 200000; i++) {
        const uint64_t x = test_random_u64(&random);
        /* exponents -120..120 */
        const uint32_t bits =
            ((uint32_t)(7 + x % 240) << 23) | ((uint32_t)(x >> 32) & 0x7fffff);
        float number;

        memcpy(&number, &bits, sizeof number);
        if (spn__float_root(number) != sqrtf(number))
            CHECK_EQ(bits, 0);
    }
    CHECK(spn__float_root(1.0f) == 1.0f);
    CHECK(spn__float_root(4.0f) == 2.0f);
    CHECK(spn__float_root(1e-20f) == 1e-10f);
}

#define SLOTS ONE_RING_SLOTS_MAX
#define BLOCKS 20u
#define VERTICES (ONE_RING_LANES * BLOCKS - 3u)

struct rig {
    struct one_rings rings;
    uint32_t first[BLOCKS + 1];
    struct one_ring_slot slots[BLOCKS * SLOTS];
    uint8_t vertex[ONE_RING_LANES * BLOCKS];
    int16_t positions[4 * ONE_RING_LANES * BLOCKS];
    int16_t guesses[SETS][4 * ONE_RING_LANES * BLOCKS];
};

static void make_rig(struct rig *r)
{
    memset(r, 0, sizeof *r);
    r->rings = (struct one_rings){.vertex_count = VERTICES,
                                  .first_slot = r->first,
                                  .slots = r->slots,
                                  .vertex = r->vertex,
                                  .scale = {32768, 32768, 32768}};
    for (uint32_t i = 0; i < ONE_RING_LANES * BLOCKS; i++)
        r->vertex[i] = (uint8_t)(i % ONE_RING_WINDOW);
}

static void guess(struct rig *r, int set)
{
    struct one_ring_ops ops;

    spn__one_ring_ops_init(&ops, sets[set]);
    ops.guess(&r->rings, r->positions, 0,
              one_ring_batch_count(r->rings.vertex_count), r->guesses[set]);
}

/* Vertex 0 between 1 (along x) and 2: the plane z = y, tangent along x. The
 * normal is (0, -1, 1) / sqrt(2): a turn by 45 degrees about x. */
static void tilted_plane_gives_a_rotated_frame(void)
{
    static const int16_t places[3][3] = {
        {1000, 1000, 1000}, {1100, 1000, 1000}, {1000, 1070, 1070}};
    struct rig r;

    make_rig(&r);
    r.rings.vertex_count = 8;
    r.first[1] = 2;
    for (uint32_t v = 0; v < 3; v++)
        memcpy(r.positions + 4 * v, places[v], sizeof places[v]);
    r.slots[0].neighbour[0] = 1;
    r.slots[1].neighbour[0] = 2;
    r.slots[1].sector_weight[0] = 5;
    r.slots[0].neighbour_weight[0] = 100;
    for (int s = 0; s < SETS; s++) {
        if (!has_set(sets[s]))
            continue;
        guess(&r, s);
        /* sin and cos of 22.5 degrees, times 511, in 64ths */
        CHECK_EQ(r.guesses[s][0], 12515);
        CHECK_EQ(r.guesses[s][1], 0);
        CHECK_EQ(r.guesses[s][2], 0);
        CHECK_EQ(r.guesses[s][3], 30215);
    }
}

/* The same plane. v increases along vertex 2, then along vertex 1: the tangent
 * is along 1, or opposite to 2. Then UVs are mirrored. */
static void tangent_follows_uvs(void)
{
    static const int16_t places[3][3] = {
        {1000, 1000, 1000}, {1100, 1000, 1000}, {1000, 1070, 1070}};
    static const int16_t v_of[2][3] = {{9, 9, 59}, {9, 59, 9}};
    static const int16_t wants[2][2][4] = {
        {{12515, 0, 0, 30215}, {0, -12515, 30215, 0}},
        {{8850, 8850, -21365, 21365}, {8850, -8850, 21365, 21365}}};

    for (uint32_t k = 0; k < 4; k++) {
        struct rig r;

        make_rig(&r);
        r.rings.vertex_count = 8;
        r.rings.by_uvs = true;
        r.first[1] = 2;
        for (uint32_t v = 0; v < 3; v++) {
            memcpy(r.positions + 4 * v, places[v], sizeof places[v]);
            r.positions[4 * v + 3] = v_of[k / 2][v];
        }
        r.slots[0].neighbour[0] = 1;
        r.slots[1].neighbour[0] = 2;
        r.slots[1].sector_weight[0] = 5;
        r.slots[0].neighbour_weight[0] = k % 2 ? -1 : 1;
        for (int s = 0; s < SETS; s++) {
            if (!has_set(sets[s]))
                continue;
            guess(&r, s);
            test_context("set %d, way %u", s, k);
            CHECK_MEM(r.guesses[s], wants[k / 2][k % 2], sizeof wants[0][0]);
        }
    }
}

/* With half the step along an axis, a steeper plane gives the same result. */
static void steps_of_axes_scale_the_ring(void)
{
    struct rig r;

    make_rig(&r);
    r.rings.vertex_count = 8;
    r.rings.scale[2] = 16384;
    r.first[1] = 2;
    r.positions[4] = 100;
    r.positions[9] = 70;
    r.positions[10] = 140;
    r.slots[0].neighbour[0] = 1;
    r.slots[1].neighbour[0] = 2;
    r.slots[1].sector_weight[0] = 5;
    r.slots[0].neighbour_weight[0] = 100;
    guess(&r, 0);
    CHECK_EQ(r.guesses[0][0], 12515);
    CHECK_EQ(r.guesses[0][3], 30215);
}

/* A ring of three around a tip. The sector between the last and the first slot
 * faces upward. Slots may be repeated with weights of 0, when the block has
 * longer rings. */
static void closed_ring_uses_its_last_sector(void)
{
    static const int16_t places[4][3] = {{1000, 1000, 1000},
                                         {900, 900, 1050},
                                         {1100, 900, 1050},
                                         {1100, 1100, 1050}};
    struct rig r;

    for (uint32_t unused = 0; unused < 2; unused++) {
        make_rig(&r);
        r.rings.vertex_count = 8;
        r.first[1] = 3 + unused;
        for (uint32_t v = 0; v < 4; v++)
            memcpy(r.positions + 4 * v, places[v], sizeof places[v]);
        for (uint32_t k = 0; k < 3 + unused; k++)
            r.slots[k].neighbour[0] = (uint16_t)(k < 3 ? k + 1 : 3);
        r.slots[0].sector_weight[0] = 7;
        r.slots[1].neighbour_weight[0] = 100;
        r.slots[0].neighbour_weight[0] = -100;
        for (int s = 0; s < SETS; s++) {
            if (!has_set(sets[s]))
                continue;
            guess(&r, s);
            test_context("set %d, %u unused", s, unused);
            /* N = 7 d2 x d0 is (10000, -10000, 0); T is along x, so B along
             * -z, t between x and y, u down and n between x and -y */
            CHECK_EQ(r.guesses[s][0], 21365);
            CHECK_EQ(r.guesses[s][1], 8850);
            CHECK_EQ(r.guesses[s][2], 8850);
            CHECK_EQ(r.guesses[s][3], 21365);
        }
    }
}

static int16_t any(struct test_random *random, uint32_t kind)
{
    static const uint16_t ends[4] = {0, 65535, 32768, 32767};
    const uint64_t x = test_random_u64(random);

    if (kind % 3 == 0)
        return (int16_t)x;
    if (kind % 3 == 1)
        return (int16_t)ends[x % 4];
    return (int16_t)(30000 + x % 5);
}

/* Any lane may have any vertex of its window. */
static void shuffle_windows(struct rig *r, struct test_random *random)
{
    for (uint32_t first = 0; first < ONE_RING_LANES * BLOCKS;
         first += ONE_RING_WINDOW) {
        const uint32_t left = ONE_RING_LANES * BLOCKS - first;

        for (uint32_t i = left < ONE_RING_WINDOW ? left : ONE_RING_WINDOW;
             i-- > 1;) {
            const uint32_t k = (uint32_t)test_random_below(random, i + 1);
            const uint8_t vertex = r->vertex[first + i];

            r->vertex[first + i] = r->vertex[first + k];
            r->vertex[first + k] = vertex;
        }
    }
}

static void instruction_sets_agree_on_any_rings(void)
{
    struct test_random random = {2};
    struct rig *r = malloc(sizeof *r);
    struct spn_fault fault;

    for (uint32_t round = 0; round < 300; round++) {
        make_rig(r);
        for (uint32_t b = 0; b < BLOCKS; b++)
            r->first[b + 1] =
                r->first[b] + test_random_below(&random, SLOTS + 1);
        for (uint32_t i = 0; i < ONE_RING_LANES * r->first[BLOCKS]; i++) {
            struct one_ring_slot *slot = r->slots + i / ONE_RING_LANES;
            const uint32_t lane = i % ONE_RING_LANES;

            slot->neighbour[lane] =
                (uint16_t)test_random_below(&random, VERTICES);
            slot->sector_weight[lane] = (int8_t)test_random_u64(&random);
            slot->neighbour_weight[lane] = (int8_t)test_random_u64(&random);
            /* Sums of the largest possible size. */
            if (round % 7 == 0)
                slot->sector_weight[lane] = slot->neighbour_weight[lane] = 127;
        }
        r->rings.by_uvs = round % 2 == 0;
        for (uint32_t b = 0; r->rings.by_uvs && b < BLOCKS; b++)
            for (uint32_t i = 0; i < ONE_RING_LANES; i++)
                r->slots[r->first[b]].neighbour_weight[i] =
                    (int8_t)((int)test_random_below(&random, 3) - 1);
        shuffle_windows(r, &random);
        for (uint32_t i = 0; i < 3; i++)
            r->rings.scale[i] =
                (uint16_t)(round % 5 == 4 ? 0
                                          : test_random_below(&random, 32769));
        for (uint32_t i = 0; i < 4 * ONE_RING_LANES * BLOCKS; i++)
            r->positions[i] = any(&random, round);
        CHECK_EQ(one_rings_validate(&r->rings, &fault), SPN_OK);
        for (int s = 0; s < SETS; s++) {
            if (!has_set(sets[s]))
                continue;
            guess(r, s);
            test_context("round %u, set %d", round, s);
            CHECK_MEM(r->guesses[s], r->guesses[0],
                      4 * VERTICES * sizeof(int16_t));
        }
    }
    free(r);
}

static void rings_are_validated(void)
{
    struct rig *r = malloc(sizeof *r);
    struct spn_fault fault = {0};

#define REFUSED(change)                                                        \
    make_rig(r);                                                               \
    for (uint32_t b = 0; b <= BLOCKS; b++)                                     \
        r->first[b] = b * 3;                                                   \
    CHECK_EQ(one_rings_validate(&r->rings, &fault), SPN_OK);                   \
    change;                                                                    \
    fault.what = NULL;                                                         \
    CHECK_EQ(one_rings_validate(&r->rings, &fault), SPN_ERR_FORMAT);           \
    CHECK(fault.what != NULL);

    REFUSED(r->rings.vertex_count = 0)
    REFUSED(r->rings.vertex_count = ONE_RING_VERTICES_MAX + 1)
    REFUSED(r->rings.scale[1] = 32769)
    REFUSED(r->first[0] = 1)
    REFUSED(r->first[4] = 8)
    REFUSED(r->first[3] = r->first[2] + ONE_RING_SLOTS_MAX + 1)
    REFUSED(r->slots[BLOCKS * 3 - 1].neighbour[7] = VERTICES)
    REFUSED(r->rings.by_uvs = true; r->slots[6].neighbour_weight[7] = 2)
    REFUSED(r->rings.by_uvs = true; r->slots[6].neighbour_weight[7] = -128)
    make_rig(r);
    r->first[BLOCKS] = 1;
    r->rings.by_uvs = true;
    r->slots[0].neighbour_weight[7] = -1;
    r->slots[1].neighbour_weight[7] = 2;
    CHECK_EQ(one_rings_validate(&r->rings, &fault), SPN_OK);
#undef REFUSED
    free(r);
}

/* -- a cloth -- */

/* Rotate about y by x, then about the new x by -y; before that about z. */
static void put_axes(double x, double y, double z, int16_t *q)
{
    const double turn[4] = {-cos(x / 2) * sin(y / 2), sin(x / 2) * cos(y / 2),
                            sin(x / 2) * sin(y / 2), cos(x / 2) * cos(y / 2)};
    const double s = 511 * sin(z / 2);
    const double c = 511 * cos(z / 2);

    q[0] = (int16_t)lrint(turn[0] * c + turn[1] * s);
    q[1] = (int16_t)lrint(turn[1] * c - turn[0] * s);
    q[2] = (int16_t)lrint(turn[2] * c + turn[3] * s);
    q[3] = (int16_t)lrint(turn[3] * c - turn[2] * s);
}

/* The axes of a sphere's points: normals outward, tangents eastward. */
static void put_sphere(struct lift_rig *rig, uint32_t side)
{
    for (uint32_t f = 0; f < rig->frame_count; f++)
        for (uint32_t v = 0; v < rig->vertex_count; v++) {
            const double x = (v % (side + 1)) * 0.03 + 0.02 * f;
            const double y = (v / (side + 1)) * 0.03 - 0.4;
            const double n[3] = {sin(x) * cos(y), sin(y), cos(x) * cos(y)};
            uint16_t *p = (uint16_t *)rig->frames[CHANNEL_POSITION][f] + 3 * v;
            int16_t *q = (int16_t *)rig->frames[CHANNEL_QTANGENT][f] + 4 * v;

            for (int i = 0; i < 3; i++)
                p[i] = (uint16_t)(32768 + 30000 * n[i]);
            put_axes(x, y, 0, q);
        }
}

/* All frames, in an order in which references are decoded first. */
static void decode(const struct lift_rig *rig, const struct lift_ops *ops)
{
    const struct lift_rig_part *part = rig->parts;
    const size_t bytes = 8 * (size_t)part->vertex_count;
    void *workspace = aligned_alloc(
        64, LIFT_WORKSPACE_BYTES(part->vertex_count) / 64 * 64 + 64);
    uint32_t *order = malloc(rig->frame_count * sizeof *order);
    void **values = malloc(rig->frame_count * sizeof *values);

    pyramid_order(rig->frame_count, rig->distance, order);
    for (uint32_t f = 0; f < rig->frame_count; f++)
        values[f] = malloc(bytes);
    for (uint32_t i = 0; i < rig->frame_count; i++) {
        const uint32_t f = order[i];

        CHECK_EQ(lift_rig_decode(rig, ops, part, CHANNEL_QTANGENT, f, values,
                                 workspace, values[f]),
                 SPN_OK);
        CHECK_MEM(values[f], part->values[CHANNEL_QTANGENT][f], bytes);
    }
    for (uint32_t f = 0; f < rig->frame_count; f++)
        free(values[f]);
    free(values);
    free(order);
    free(workspace);
}

static void decode_on_all_sets(const struct lift_rig *rig)
{
    for (int s = 0; s < SETS; s++) {
        struct lift_ops ops;

        if (!has_set(sets[s]))
            continue;
        spn__lift_ops_init(&ops, sets[s]);
        decode(rig, &ops);
    }
}

/* v increases, decreases, or decreases up to a row of vertices and then
 * increases. */
enum fold { RISING, FALLING, FOLDED };

/* UVs that rotate on the sphere, unless folded, and tangents along their first
 * axis. */
static void turn_uvs(struct lift_rig *rig, uint32_t side, enum fold fold)
{
    const double turn = fold == FOLDED ? 0 : 1;

    for (uint32_t f = 0; f < rig->frame_count; f++)
        for (uint32_t v = 0; v < rig->vertex_count; v++) {
            const double x = (v % (side + 1)) * 0.03 + 0.02 * f;
            const double y = (v / (side + 1)) * 0.03 - 0.4;
            const double c = cos(turn * (0.7 + 0.2 * f));
            const double s = sin(turn * (0.7 + 0.2 * f));
            const double rise = c * y - s * x;
            uint16_t *uv = (uint16_t *)rig->frames[CHANNEL_UV][f] + 2 * v;
            int16_t *q = (int16_t *)rig->frames[CHANNEL_QTANGENT][f] + 4 * v;

            uv[0] = (uint16_t)lrint(30000 + 25000 * (c * x + s * y));
            uv[1] = (uint16_t)lrint(30000 + 25000 * (fold == RISING ? rise
                                                     : fold == FALLING
                                                         ? -rise
                                                         : fabs(rise + 0.01)));
            put_axes(x, y, atan2(s, c * cos(y)), q);
        }
}

/* The number of frames whose payloads begin with this byte, ignoring the
 * fraction. */
static uint32_t count_heads(const struct lift_rig *rig, uint8_t head)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < rig->frame_count; f++)
        count += (rig->parts[0].payload[CHANNEL_QTANGENT][f].bytes[0] & 0x8f) ==
                 head;
    return count;
}

/* The mean error of predictions, in steps of QTangents. */
static double mean_error(const struct lift_rig *rig)
{
    const struct lift_rig_part *part = rig->parts;
    const uint32_t count = part->vertex_count;
    const size_t numbers = 4 * ((size_t)count + ONE_RING_LANES);
    int16_t *positions = calloc(numbers, sizeof *positions);
    int16_t *guesses = calloc(numbers, sizeof *guesses);
    struct one_ring_ops ops;
    double sum = 0;

    spn__one_ring_ops_init(&ops, 0);
    for (uint32_t f = 0; f < rig->frame_count; f++) {
        const uint16_t *p = part->values[CHANNEL_POSITION][f];
        const uint16_t *uv = part->values[CHANNEL_UV][f];
        const int16_t *q = part->values[CHANNEL_QTANGENT][f];

        for (uint32_t v = 0; v < count; v++) {
            memcpy(positions + 4 * v, p + 3 * v, 3 * sizeof *p);
            positions[4 * v + 3] = (int16_t)uv[2 * v + 1];
        }
        ops.guess(part->rings, positions, 0, one_ring_batch_count(count),
                  guesses);
        for (uint32_t v = 0; v < count; v++) {
            double dot = 0;
            double squares[2] = {0, 0};
            double cosine;

            for (uint32_t k = 4 * v; k < 4 * v + 4; k++) {
                dot += (double)q[k] * guesses[k];
                squares[0] += (double)q[k] * q[k];
                squares[1] += (double)guesses[k] * guesses[k];
            }
            cosine = dot / sqrt(squares[0] * squares[1]);
            sum += cosine * cosine < 1 ? 511 * sqrt(1 - cosine * cosine) : 0;
        }
    }
    free(positions);
    free(guesses);
    return sum / rig->frame_count / count;
}

static double error_by(bool by_uvs, enum fold fold)
{
    struct lift_rig rig;
    struct arena arena;
    double error;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 30, 9);
    put_sphere(&rig, 30);
    turn_uvs(&rig, 30, fold);
    for (int i = 0; i < 3; i++)
        rig.step[i] = 0.5;
    rig.holds_guesses = true;
    rig.has_rings_by_uvs = by_uvs;
    lift_rig_encode(&rig, 65536);
    lift_rig_use_one_rings(&rig);
    CHECK_EQ_U(count_heads(&rig, 0x81), rig.frame_count);
    decode_on_all_sets(&rig);
    error = mean_error(&rig);
    arena_free(&arena);
    return error;
}

static void learned_predictions_fit_uvs(void)
{
    /* With normals only the error would be 1.95. */
    CHECK_NEAR(error_by(true, RISING), 0, 1.9);
    CHECK_NEAR(error_by(true, FALLING), 0, 1.9);
    CHECK(error_by(false, RISING) > 50);
    /* One row of 31 has gradients in both directions. */
    CHECK_NEAR(error_by(true, FOLDED), 0, 3.7);
}

static void learned_predictions_fit_normals(void)
{
    struct lift_rig rig;
    struct arena arena;
    double bits = 0;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 30, 9);
    put_sphere(&rig, 30);
    for (int i = 0; i < 3; i++)
        rig.step[i] = 0.5;
    lift_rig_encode(&rig, 65536);
    lift_rig_use_one_rings(&rig);
    for (uint32_t f = 0; f < rig.frame_count; f++)
        bits += (double)rig.parts[0].payload[CHANNEL_QTANGENT][f].entropy_bits;
    /* Only rounding and the border cost bits: little more than one each. */
    CHECK_NEAR(bits / rig.frame_count / rig.vertex_count, 0, 5);
    arena_free(&arena);
}

/* A frame is refused when its references are missing. */
static void check_too_few_frames(struct lift_rig *rig)
{
    struct lift_rig_part *part = rig->parts;
    struct lift_payload *payload = part->payload[CHANNEL_QTANGENT];
    void *workspace = aligned_alloc(
        64, LIFT_WORKSPACE_BYTES(part->vertex_count) / 64 * 64 + 64);
    uint8_t *values = malloc(8 * (size_t)part->vertex_count);
    struct lift_ops ops;
    uint32_t f = 0;

    while ((payload[f].bytes[0] & 0x8f) != 0x8c)
        f++;
    payload[0] = payload[f];
    spn__lift_ops_init(&ops, 0);
    CHECK_EQ(lift_rig_decode(rig, &ops, part, CHANNEL_QTANGENT, 0, NULL,
                             workspace, values),
             SPN_ERR_FORMAT);
    free(values);
    free(workspace);
}

static void ring_predictions_are_combined_with_references(void)
{
    struct lift_rig rig;
    struct arena arena;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 40, 19);
    put_sphere(&rig, 40);
    /* Predictions have a positive largest component, so the signs of all frames
     * must be aligned. */
    for (uint32_t f = 0; f < rig.frame_count; f++)
        for (uint32_t i = 0; i < 4 * rig.vertex_count; i++)
            ((int16_t *)rig.frames[CHANNEL_QTANGENT][f])[i] *= -1;
    for (int i = 0; i < 3; i++)
        rig.step[i] = 0.5;
    lift_rig_encode(&rig, 65536);
    lift_rig_use_one_rings(&rig);
    /* Alone, and with two and three other references. */
    CHECK(count_heads(&rig, 0x89) > 0);
    CHECK(count_heads(&rig, 0x8b) > 0);
    CHECK(count_heads(&rig, 0x8c) > 0);
    decode_on_all_sets(&rig);
    check_too_few_frames(&rig);
    arena_free(&arena);
}

/* Sign-aligned to references that do not determine the sign of one vertex:
 * there the prediction is orthogonal to all of them. */
static void orthogonal_predictions_are_not_sign_aligned(void)
{
    struct lift_rig rig;
    struct arena arena;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 40, 19);
    put_sphere(&rig, 40);
    for (uint32_t f = 0; f < rig.frame_count; f++) {
        int16_t *q = rig.frames[CHANNEL_QTANGENT][f];

        for (uint32_t i = 0; i < 4 * rig.vertex_count; i++)
            q[i] = (int16_t)(f % 2 == 0 && i / 4 == 700 ? 0 : -q[i]);
    }
    for (int i = 0; i < 3; i++)
        rig.step[i] = 0.5;
    lift_rig_encode(&rig, 65536);
    lift_rig_use_one_rings(&rig);
    CHECK(count_heads(&rig, 0x8b) > 0);
    CHECK(count_heads(&rig, 0x8c) > 0);
    decode_on_all_sets(&rig);
    arena_free(&arena);
}

/* Signs alternate: all frames store the signs of the predictions. */
static void frames_store_the_signs_of_predictions(void)
{
    struct lift_rig rig;
    struct arena arena;

    arena_init(&arena);
    lift_cloth_make(&rig, &arena, 30, 9);
    put_sphere(&rig, 30);
    for (int i = 0; i < 3; i++)
        rig.step[i] = 0.5;
    for (uint32_t f = 0; f < rig.frame_count; f++) {
        int16_t *q = rig.frames[CHANNEL_QTANGENT][f];

        for (uint32_t i = 0; i < 4 * rig.vertex_count; i++)
            q[i] = (int16_t)((i / 4 + f) % 3 == 0 ? -q[i] : q[i]);
    }
    rig.holds_guesses = true;
    lift_rig_encode(&rig, 65536);
    lift_rig_use_one_rings(&rig);
    CHECK_EQ_U(count_heads(&rig, 0x81), rig.frame_count);
    decode_on_all_sets(&rig);
    arena_free(&arena);
}

static void frames_predicted_by_rings_are_restored(void)
{
    struct lift_rig rig;
    struct arena arena;
    const struct one_rings *rings;

    arena_init(&arena);
    /* Every frame is an index frame, without references. */
    lift_cloth_make(&rig, &arena, 20, 5);
    rig.distance = 1;
    for (int i = 0; i < 3; i++)
        rig.step[i] = 1;
    lift_rig_encode(&rig, 65536);
    rig.holds_guesses = true;
    lift_rig_use_one_rings(&rig);
    decode_on_all_sets(&rig);
    /* Without one-rings, with those of another part, or by missing UVs,
     * decoding is refused. */
    rings = rig.parts[0].rings;
    for (int i = 0; i < 3; i++) {
        struct one_rings other = *rings;
        struct lift_ops ops;
        void *workspace = aligned_alloc(
            64, LIFT_WORKSPACE_BYTES(rig.vertex_count) / 64 * 64 + 64);
        uint8_t *values = malloc(8 * (size_t)rig.vertex_count);

        other.vertex_count -= i == 1;
        other.by_uvs = i == 2;
        if (i == 2)
            rig.parts[0].values[CHANNEL_UV][0] = NULL;
        rig.parts[0].rings = i == 0 ? NULL : &other;
        spn__lift_ops_init(&ops, 0);
        CHECK_EQ(lift_rig_decode(&rig, &ops, rig.parts, CHANNEL_QTANGENT, 0,
                                 NULL, workspace, values),
                 SPN_ERR_FORMAT);
        free(values);
        free(workspace);
    }
    arena_free(&arena);
}

TEST_MAIN(TEST(roots_are_correctly_rounded),
          TEST(tilted_plane_gives_a_rotated_frame), TEST(tangent_follows_uvs),
          TEST(steps_of_axes_scale_the_ring),
          TEST(closed_ring_uses_its_last_sector),
          TEST(instruction_sets_agree_on_any_rings), TEST(rings_are_validated),
          TEST(learned_predictions_fit_normals),
          TEST(learned_predictions_fit_uvs),
          TEST(frames_predicted_by_rings_are_restored),
          TEST(ring_predictions_are_combined_with_references),
          TEST(orthogonal_predictions_are_not_sign_aligned),
          TEST(frames_store_the_signs_of_predictions))
