/* test_materials.c
 *
 * Goal: ids are derived from names as documented, each face has one material,
 *   and triangles are ordered by material.
 * Method: names and face sets made by hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "compile/mesh/materials.h"

#include <stdio.h>

static void material_id_is_the_first_number_of_the_name(void)
{
    uint32_t number = 77;

    CHECK(material_number("mat_03_skin", &number));
    CHECK_EQ(number, 3);
    CHECK(material_number("m007x8", &number));
    CHECK_EQ(number, 7);
    CHECK(material_number("neg-4", &number));
    CHECK_EQ(number, 4);
    CHECK(material_number("65535", &number));
    CHECK_EQ(number, 65535);
    CHECK(material_number("mat_00000000000000000012", &number));
    CHECK_EQ(number, 12);
    CHECK(material_number("none_000", &number));
    CHECK_EQ(number, 0);
    number = 77;
    CHECK(!material_number("x65536", &number));
    CHECK(!material_number("mat_99999999999999", &number));
    CHECK(!material_number("no number", &number));
    CHECK(!material_number("", &number));
    CHECK_EQ(number, 77);
}

static void names_without_a_number_get_the_smallest_free_ids(void)
{
    static const struct {
        const char *name;
        uint32_t id;
    } given[] = {
        {"wood", 2},          {"mat_3", 3}, {"glass", 5},
        {"shop65535", 65535}, {"wood", 2},  {"mat_99999999999999", 6},
        {"x0001", 1},         {"y1", 1},    {"none_000", 0},
        {"x65536", 7},        {"x4", 4},    {"mat_003", 3},
    };
    struct material_names names;
    const char *unnumbered = NULL;
    struct arena arena;

    arena_init(&arena);
    material_names_begin(&names, &arena);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        material_names_add(&names, given[i].name);
    CHECK(material_names_finish(&names, &unnumbered));
    CHECK_EQ(names.count, 11);
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        test_context("%s", given[i].name);
        CHECK_EQ_U(material_names_id(&names, given[i].name), given[i].id);
    }
    arena_free(&arena);
}

static void ids_of_many_names_are_stable(void)
{
    struct material_names names;
    const char *unnumbered = NULL;
    struct arena arena;

    arena_init(&arena);
    material_names_begin(&names, &arena);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3000; i++)
            material_names_add(&names, arena_format(&arena, "set%d_", i));
    CHECK_EQ(names.count, 3000);
    CHECK(material_names_finish(&names, &unnumbered));
    for (int i = 0; i < 3000; i++)
        CHECK_EQ(material_names_id(&names, arena_format(&arena, "set%d_", i)),
                 i);
    arena_free(&arena);
}

/* The last free id lies between two others. 0 is not the id of any name. */
static void too_many_materials_are_refused(void)
{
    struct material_names names;
    const char *unnumbered = NULL;
    struct arena arena;

    arena_init(&arena);
    material_names_begin(&names, &arena);
    for (uint32_t i = 1; i <= MATERIAL_ID_MAX; i++)
        if (i != 700)
            material_names_add(&names, arena_format(&arena, "m%u", i));
    material_names_add(&names, "a");
    CHECK(material_names_finish(&names, &unnumbered));
    CHECK_EQ(material_names_id(&names, "a"), 700);
    material_names_add(&names, "b");
    material_names_add(&names, "c");
    CHECK(!material_names_finish(&names, &unnumbered));
    CHECK_STR(unnumbered, "b");
    arena_free(&arena);
}

static void a_face_belongs_to_its_first_face_set(void)
{
    static const int32_t first[3] = {0, 2, 4};
    static const int32_t second[5] = {2, 3, -1, 6, 3};
    static const struct material_set sets[2] = {{"a", 1, first, 3},
                                                {"b", 0, second, 5}};
    struct material_faces faces;
    struct arena arena;

    arena_init(&arena);
    materials_assign(sets, 2, 6, &arena, &faces);
    CHECK_EQ(faces.set_of[0], 0);
    CHECK_EQ(faces.set_of[1], MATERIAL_NONE);
    CHECK_EQ(faces.set_of[2], 0);
    CHECK_EQ(faces.set_of[3], 1);
    CHECK_EQ(faces.twice_count, 1);
    CHECK_EQ(faces.twice_face, 2);
    CHECK_EQ(faces.twice_set, 1);
    CHECK_EQ(faces.outside_count, 2);
    CHECK_EQ(faces.outside_face, -1);
    CHECK_EQ(faces.outside_set, 1);
    arena_free(&arena);
}

static void triangles_are_sorted_by_id_and_stable(void)
{
    static const struct material_set sets[3] = {
        {"m7", 7, NULL, 0}, {"m2", 2, NULL, 0}, {"n7", 7, NULL, 0}};
    static const uint32_t set_of_face[5] = {0, 1, MATERIAL_NONE, 2, 0};
    static const uint32_t face_of[7] = {3, 0, 0, 1, 2, 4, 1};
    static const uint32_t wanted[7] = {4, 3, 6, 1, 2, 5, 0};
    struct material_order order;
    struct arena arena;

    arena_init(&arena);
    materials_order(sets, 3, set_of_face, face_of, 7, &arena, &arena, &order);
    CHECK_MEM(order.triangles, wanted, sizeof wanted);
    CHECK_EQ(order.range_count, 4);
    CHECK_EQ(order.ranges[0].set, MATERIAL_NONE);
    CHECK_EQ(order.ranges[1].set, 1);
    CHECK_EQ(order.ranges[2].set, 0);
    CHECK_EQ(order.ranges[2].first_triangle, 3);
    CHECK_EQ(order.ranges[2].triangle_count, 3);
    CHECK_EQ(order.ranges[3].set, 2);
    arena_free(&arena);
}

static void empty_ranges_are_left_out(void)
{
    static const struct material_set sets[1] = {{"m1", 1, NULL, 0}};
    static const uint32_t set_of_face[1] = {MATERIAL_NONE};
    static const uint32_t face_of[1] = {0};
    struct material_order order;
    struct arena arena;

    arena_init(&arena);
    materials_order(sets, 1, set_of_face, face_of, 1, &arena, &arena, &order);
    CHECK_EQ(order.range_count, 1);
    CHECK_EQ(order.ranges[0].set, MATERIAL_NONE);
    arena_free(&arena);
}

TEST_MAIN(TEST(material_id_is_the_first_number_of_the_name),
          TEST(names_without_a_number_get_the_smallest_free_ids),
          TEST(ids_of_many_names_are_stable),
          TEST(too_many_materials_are_refused),
          TEST(a_face_belongs_to_its_first_face_set),
          TEST(triangles_are_sorted_by_id_and_stable),
          TEST(empty_ranges_are_left_out))
