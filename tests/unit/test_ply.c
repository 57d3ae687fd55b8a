/* test_ply.c
 *
 * Goal: the PLY file holds the vertices and triangles that it was given, in its
 *   own byte order, for meshes with and without UVs and colours.
 * Method: write two surfaces, read the bytes back by hand.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/endian.h"
#include "render/ply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float positions[3][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8.5f}};
static float normals[3][3] = {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
static float uvs[3][2] = {{0, 0.25f}, {0.5f, 1}, {2, -3}};
static uint8_t colors[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 255}};
static const uint32_t indices[] = {0, 1, 2, 2, 1, 0};

static struct surface plain_surface(void)
{
    return (struct surface){.vertex_count = 3,
                            .positions = positions,
                            .normals = normals,
                            .index_count = 6,
                            .indices = indices};
}

/* The file's bytes; `*body` is what follows the header. */
static uint8_t *write_file(const struct surface_list *list, size_t *bytes,
                           const uint8_t **body)
{
    static const char end[] = "end_header\n";
    struct host_output *output;
    struct diag diag;
    char path[512];
    void *data = NULL;

    snprintf(path, sizeof path, "%s/a.ply", test_temp());
    diag_init(&diag);
    output = host_output_open(path, &diag);
    CHECK(output != NULL);
    CHECK(ply_write(output, list, "a comment", &diag));
    CHECK(host_output_commit(output));
    CHECK(host_read_file(path, &data, bytes, &diag));
    diag_finish(&diag);
    *body = (const uint8_t *)strstr(data, end) + strlen(end);
    return data;
}

static bool has_line(const void *data, const char *line)
{
    return strstr(data, line) != NULL;
}

static void ply_holds_positions_normals_and_triangles(void)
{
    struct surface surface = plain_surface();
    struct surface_list list = {&surface, 1};
    const uint8_t *body;
    size_t bytes;
    uint8_t *data = write_file(&list, &bytes, &body);

    CHECK(has_line(data, "\nformat binary_little_endian 1.0\n"));
    CHECK(has_line(data, "\ncomment a comment\n"));
    CHECK(has_line(data, "\nelement vertex 3\n"));
    CHECK(has_line(data, "\nelement face 2\n"));
    CHECK(!has_line(data, "property float s"));
    CHECK(!has_line(data, "property uchar red"));
    CHECK_EQ((size_t)(data + bytes - body), 3 * 24 + 2 * 13);
    for (uint32_t v = 0; v < 3; v++)
        for (uint32_t c = 0; c < 3; c++) {
            CHECK(spn_load_f32le(body + v * 24 + c * 4) == positions[v][c]);
            CHECK(spn_load_f32le(body + v * 24 + 12 + c * 4) == normals[v][c]);
        }
    for (uint32_t t = 0; t < 2; t++) {
        CHECK_EQ(body[72 + t * 13], 3);
        for (uint32_t c = 0; c < 3; c++)
            CHECK_EQ(spn_load_u32le(body + 72 + t * 13 + 1 + c * 4),
                     indices[t * 3 + c]);
    }
    free(data);
}

static void ply_fills_in_what_one_surface_lacks(void)
{
    struct surface both[2] = {plain_surface(), plain_surface()};
    struct surface_list list = {both, 2};
    const uint8_t *body;
    size_t bytes;
    uint8_t *data;

    both[1].uvs = uvs;
    both[1].colors = colors;
    data = write_file(&list, &bytes, &body);
    CHECK(has_line(data, "\nelement vertex 6\n"));
    CHECK_EQ((size_t)(data + bytes - body), 6 * 36 + 4 * 13);
    CHECK(spn_load_f32le(body + 24) == 0);
    CHECK_EQ(spn_load_u32le(body + 32), 0xffffffffu);
    for (uint32_t v = 0; v < 3; v++) {
        const uint8_t *at = body + (3 + v) * 36;

        CHECK(spn_load_f32le(at + 24) == uvs[v][0]);
        CHECK(spn_load_f32le(at + 28) == uvs[v][1]);
        CHECK_MEM(at + 32, colors[v], 4);
    }
    /* The second surface's triangles count on from the first's vertices. */
    CHECK_EQ(spn_load_u32le(body + 6 * 36 + 2 * 13 + 1), 3);
    CHECK_EQ(spn_load_u32le(body + 6 * 36 + 3 * 13 + 1), 5);
    free(data);
}

static void ply_without_surfaces_is_a_header(void)
{
    struct surface_list list = {NULL, 0};
    const uint8_t *body;
    size_t bytes;
    uint8_t *data = write_file(&list, &bytes, &body);

    CHECK(has_line(data, "\nelement vertex 0\n"));
    CHECK_EQ((size_t)(data + bytes - body), 0);
    free(data);
}

static void ply_is_larger_than_its_buffer(void)
{
    enum { COUNT = 5000 };
    static float many[COUNT][3];
    struct surface surface = plain_surface();
    struct surface_list list = {&surface, 1};
    const uint8_t *body;
    size_t bytes;
    uint8_t *data;

    for (int v = 0; v < COUNT; v++)
        many[v][0] = (float)v;
    surface.vertex_count = COUNT;
    surface.positions = many;
    surface.normals = many;
    data = write_file(&list, &bytes, &body);
    for (uint32_t v = 0; v < COUNT; v++)
        CHECK(spn_load_f32le(body + v * 24) == (float)v);
    free(data);
}

/* One of two surfaces has them. */
static void ply_holds_second_uvs_and_velocities(void)
{
    static float second[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    static float velocities[3][3] = {{7, 8, 9}, {1, 0, -1}, {2, 3, 4}};
    struct surface surfaces[2] = {plain_surface(), plain_surface()};
    struct surface_list list = {surfaces, 2};
    const uint8_t *body;
    uint8_t *data;
    size_t bytes;

    surfaces[1].second_uvs = second;
    surfaces[1].velocities = velocities;
    data = write_file(&list, &bytes, &body);
    CHECK(has_line(data, "property float nz\nproperty float s2\n"
                         "property float t2\nproperty float vx\n"
                         "property float vy\nproperty float vz\n"));
    CHECK_EQ((size_t)(data + bytes - body), 6 * 44 + 4 * 13);
    for (uint32_t v = 0; v < 6; v++)
        for (uint32_t c = 0; c < 5; c++) {
            const float wanted = v < 3   ? 0
                                 : c < 2 ? second[v - 3][c]
                                         : velocities[v - 3][c - 2];

            CHECK(spn_load_f32le(body + v * 44 + 24 + c * 4) == wanted);
        }
    free(data);
}

TEST_MAIN(TEST(ply_holds_second_uvs_and_velocities),
          TEST(ply_holds_positions_normals_and_triangles),
          TEST(ply_fills_in_what_one_surface_lacks),
          TEST(ply_without_surfaces_is_a_header),
          TEST(ply_is_larger_than_its_buffer))
