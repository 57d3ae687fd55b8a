/* test_abc_archive.c
 *
 * Goal: metadata, names and stored samples of an archive are read as their
 *   headers promise.
 * Method: strings and properties made by hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "abc/archive.h"

#include <string.h>

static void metadata_is_found_by_whole_keys(void)
{
    const char *metadata = "geoScope=fvr;a=;schema=AbcGeom_Xform_v3;b;x=1=2";
    char value[17];

    CHECK(abc_metadata_get(metadata, "geoScope", value, sizeof value));
    CHECK_STR(value, "fvr");
    CHECK(abc_metadata_get(metadata, "a", value, sizeof value));
    CHECK_STR(value, "");
    CHECK(abc_metadata_get(metadata, "x", value, sizeof value));
    CHECK_STR(value, "1=2");
    CHECK(abc_metadata_get(metadata, "schema", value, 17));
    CHECK_STR(value, "AbcGeom_Xform_v3");
    /* Without room for the terminating zero, the buffer stays unchanged. */
    CHECK(!abc_metadata_get(metadata, "schema", value, 16));
    CHECK_STR(value, "AbcGeom_Xform_v3");
    CHECK(!abc_metadata_get(metadata, "geo", value, sizeof value));
    CHECK(!abc_metadata_get(metadata, "b", value, sizeof value));
    CHECK(!abc_metadata_get("", "b", value, sizeof value));
    CHECK(!abc_metadata_get(";;", "b", value, sizeof value));
    CHECK(abc_metadata_is(metadata, "geoScope", "fvr"));
    CHECK(!abc_metadata_is(metadata, "geoScope", "fv"));
    CHECK(!abc_metadata_is(metadata, "geoScope", "fvrx"));
    CHECK(!abc_metadata_is(metadata, "scope", ""));
    CHECK(abc_metadata_is(metadata, "a", ""));
    CHECK(abc_metadata_has(metadata, "a"));
    CHECK(!abc_metadata_has(metadata, "b"));
}

static void samples_map_to_stored_samples(void)
{
    static const uint32_t expected[] = {0, 0, 0, 1, 2, 3, 3, 3};
    struct abc_property property = {.kind = ABC_SCALAR,
                                    .sample_count = 8,
                                    .first_changed = 3,
                                    .last_changed = 5};
    uint32_t index = 0;

    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ(abc_stored_entry(&property, i), expected[i]);
    CHECK_EQ(abc_stored_count(&property), 4);
    for (uint32_t i = 0; i < 4; i++)
        CHECK_EQ(abc_stored_entry(&property, abc_stored_index(&property, i)),
                 i);
    index = abc_next_change(&property, index);
    CHECK_EQ(index, 3);
    index = abc_next_change(&property, index);
    CHECK_EQ(index, 4);
    index = abc_next_change(&property, index);
    CHECK_EQ(index, 5);
    CHECK_EQ_U(abc_next_change(&property, index), UINT32_MAX);
}

static void constant_property_stores_one_sample(void)
{
    struct abc_property property = {.kind = ABC_SCALAR, .sample_count = 9};

    CHECK_EQ(abc_stored_count(&property), 1);
    CHECK_EQ(abc_stored_entry(&property, 8), 0);
    CHECK_EQ_U(abc_next_change(&property, 0), UINT32_MAX);
    property.sample_count = 0;
    CHECK_EQ(abc_stored_count(&property), 0);
    CHECK_EQ_U(abc_next_change(&property, 0), UINT32_MAX);
}

static void property_paths_name_object_and_property(void)
{
    struct abc_property top = {.name = "/a/b"};
    struct abc_property geom = {.name = ".geom", .parent = &top};
    struct abc_property p = {.name = "P", .parent = &geom};
    struct abc_property visible = {.name = "visible", .parent = &top};
    struct arena arena;

    arena_init(&arena);
    CHECK_STR(abc_property_path(&top, &arena), "/a/b");
    CHECK_STR(abc_property_path(&geom, &arena), "/a/b.geom");
    CHECK_STR(abc_property_path(&p, &arena), "/a/b.geom/P");
    CHECK_STR(abc_property_path(&visible, &arena), "/a/b.visible");
    arena_free(&arena);
}

static void children_are_found_by_name_and_kind(void)
{
    const struct abc_property children[] = {
        {.name = "P", .kind = ABC_ARRAY}, {.name = "uv", .kind = ABC_COMPOUND}};
    const struct abc_property compound = {
        .name = "x", .child_count = 2, .children = children};

    CHECK(abc_find(&compound, "P", ABC_ARRAY) == &children[0]);
    CHECK(abc_find(&compound, "P", ABC_SCALAR) == NULL);
    CHECK(abc_find_any(&compound, "uv") == &children[1]);
    CHECK(abc_find_any(&compound, "u") == NULL);
    CHECK(abc_find_any(&children[1], "uv") == NULL);
}

static void pods_have_names_and_sizes(void)
{
    CHECK_EQ(abc_pod_bytes(ABC_F16), 2);
    CHECK_EQ(abc_pod_bytes(ABC_F64), 8);
    CHECK_EQ(abc_pod_bytes(ABC_STRING), 0);
    CHECK_EQ(abc_pod_bytes((enum abc_pod)99), 0);
    CHECK_STR(abc_pod_name(ABC_BOOL), "bool_t");
    CHECK_STR(abc_pod_name((enum abc_pod)99), "unknown");
}

TEST_MAIN(TEST(metadata_is_found_by_whole_keys),
          TEST(samples_map_to_stored_samples),
          TEST(constant_property_stores_one_sample),
          TEST(property_paths_name_object_and_property),
          TEST(children_are_found_by_name_and_kind),
          TEST(pods_have_names_and_sizes))
