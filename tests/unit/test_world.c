/* test_world.c
 *
 * Goal: nodes of a cache are where the Alembic library places them.
 * Method: compile every archive that has an oracle, read the cache, and
 *   multiply the transforms down the tree as the runtime does. Compare at the
 *   oracle's times that are frame times, and in all frames with nearest samples
 *   (which other tests compare with the oracles) where every transform above
 *   has a sample at that time, because the oracle never interpolates. Threads
 *   as in test_compile.c.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "cachefile/cache_reader.h"
#include "compile/compile.h"
#include "support/abc_files.h"
#include "support/abc_json.h"
#include "support/abc_world.h"
#include "support/clip_expect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the diagonal of the scene's box. */
#define WORLD_TOLERANCE 1e-5
#define SAME_TIME_S 1e-5

struct scene {
    struct cache_reader *reader;
    const struct cache_tables *tables;
    const struct abc_archive *archive;
    const double *seconds;
    uint32_t frame_count;
    double size;
};

static unsigned compiled;
static unsigned queries;
static unsigned worlds;
static double worst; /* relative to the scene's size */

static void node_world(const struct scene *scene, uint32_t frame, uint32_t node,
                       float out[12])
{
    const struct cache_reader_frame *f =
        cache_reader_frame(scene->reader, frame);

    CHECK(f != NULL);
    spn__transform_resolve(&f->transforms[node], out);
    for (uint32_t p = scene->tables->nodes[node].parent; p != CACHE_NONE;
         p = scene->tables->nodes[p].parent) {
        float parent[12];

        spn__transform_resolve(&f->transforms[p], parent);
        spn__transform_multiply(parent, out, out);
    }
}

/* The corners of the mesh's box, through both matrices. */
static void compare(const struct scene *scene, uint32_t frame, uint32_t node,
                    const double wanted[16])
{
    const struct cache_node *n = &scene->tables->nodes[node];
    const struct cache_mesh *mesh = &scene->tables->meshes[n->mesh];
    float found[12];

    node_world(scene, frame, node, found);
    for (int corner = 0; corner < 8; corner++) {
        double square = 0;
        double p[3];

        for (int c = 0; c < 3; c++)
            p[c] = (double)mesh->range[CHANNEL_POSITION].min[c] +
                   (corner >> c & 1) *
                       (double)mesh->range[CHANNEL_POSITION].size[c];
        for (int c = 0; c < 3; c++) {
            double off = (double)found[4 * c + 3] - wanted[12 + c];

            for (int k = 0; k < 3; k++)
                off += p[k] * ((double)found[4 * c + k] - wanted[4 * k + c]);
            square += off * off;
        }
        worst = fmax(worst, sqrt(square) / scene->size);
        if (!(sqrt(square) <= WORLD_TOLERANCE * scene->size))
            test_fail(__FILE__, __LINE__,
                      "%s, frame %u: a corner is off by %.9g of %.9g",
                      scene->tables->names + n->name, frame, sqrt(square),
                      scene->size);
    }
}

static uint32_t find_frame(const struct scene *scene, double time)
{
    for (uint32_t f = 0; f < scene->frame_count; f++)
        if (fabs(scene->seconds[f] - time) <= SAME_TIME_S)
            return f;
    return CACHE_NONE;
}

static void read_matrix(const cJSON *item, double m[16])
{
    const cJSON *number = item->child;

    for (int i = 0; i < 16; i++, number = number->next)
        m[i] = json_number(number);
}

static void validate_queries(const struct scene *scene, uint32_t node,
                             const struct abc_object *object, const cJSON *mesh,
                             const cJSON *times)
{
    const cJSON *world = json_get(mesh, "world");
    bool is_constant = cJSON_IsTrue(json_get(mesh, "world_constant"));
    const cJSON *matrix = world->child;
    const cJSON *time;
    double m[16];

    if (is_constant) {
        read_matrix(json_count(world) == 16 ? world : matrix, m);
        for (uint32_t f = 0; f < scene->frame_count; f++, queries++)
            compare(scene, f, node, m);
        return;
    }
    cJSON_ArrayForEach(time, times)
    {
        uint32_t f = find_frame(scene, json_number(time));

        CHECK(matrix != NULL);
        if (f != CACHE_NONE &&
            expect_is_sampled(scene->archive, object, scene->seconds[f])) {
            read_matrix(matrix, m);
            compare(scene, f, node, m);
            queries++;
        }
        matrix = matrix->next;
    }
}

static void validate_frames(const struct scene *scene, uint32_t node,
                            const struct abc_object *object)
{
    for (uint32_t f = 0; f < scene->frame_count; f++) {
        double wanted[16];

        if (!expect_is_sampled(scene->archive, object, scene->seconds[f]))
            continue;
        CHECK(world_matrix(scene->archive, object, scene->seconds[f], wanted));
        compare(scene, f, node, wanted);
        worlds++;
    }
}

/* The oracles take each byte of a name for a character. */
static void widen(const char *path, char *out, size_t bytes)
{
    for (; *path && bytes > 2; path++) {
        uint8_t byte = (uint8_t)*path;

        if (byte >= 0x80) {
            *out++ = (char)(0xc0 | byte >> 6);
            bytes--;
            byte = 0x80 | (byte & 0x3f);
        }
        *out++ = (char)byte;
        bytes--;
    }
    *out = 0;
}

static const cJSON *find_object(const cJSON *oracle, const char *path)
{
    char wide[4096];
    const cJSON *item;

    widen(path, wide, sizeof wide);
    cJSON_ArrayForEach(item, json_get(oracle, "objects"))
    {
        if (strcmp(json_get(item, "path")->valuestring, wide) == 0)
            return item;
    }
    return NULL;
}

static void compare_with_oracle(const struct scene *scene, const cJSON *oracle)
{
    uint32_t count = cache_reader_header(scene->reader)->node_count;

    for (uint32_t n = 0; n < count; n++) {
        const char *path = scene->tables->names + scene->tables->nodes[n].name;
        const struct abc_object *object = expect_find(scene->archive, path);
        const cJSON *mesh = find_object(oracle, path);

        if (scene->tables->nodes[n].mesh == CACHE_NONE)
            continue;
        CHECK(object != NULL && mesh != NULL);
        json_place(path);
        validate_queries(scene, n, object, mesh,
                         json_get(oracle, "query_times"));
        validate_frames(scene, n, object);
    }
}

static bool compile(const char *path, const char *output, struct diag *diag)
{
    struct compile_options options;
    struct compile_report report;

    compile_options_default(&options);
    options.input = path;
    options.output = output;
    options.jobs = 2;
    options.no_b_frames = true;
    options.codec = BLOCK_CODEC_STORE;
    return compile_run(&options, diag, NULL, NULL, &report);
}

static void compile_and_compare(const char *path)
{
    char *json_path = oracle_path(path, ".oracle.json");
    const struct cache_header *header;
    struct scene scene = {0};
    struct abc_archive *archive;
    struct diag diag;
    char output[512];
    size_t bytes;
    char *text = file_text(json_path, &bytes);
    cJSON *oracle = cJSON_Parse(text);
    double square = 0;

    diag_init(&diag);
    diag.is_silent = true;
    test_context("%s", path);
    CHECK(oracle != NULL);
    snprintf(output, sizeof output, "%s/world.sgc", test_temp());
    /* Other tests check whether a refusal is right. */
    if (compile(path, output, &diag)) {
        archive = abc_open(path, &diag);
        CHECK(archive != NULL);
        scene.archive = archive;
        scene.reader = cache_reader_open(output, &diag);
        CHECK(scene.reader != NULL);
        scene.tables = cache_reader_tables(scene.reader);
        scene.seconds = cache_reader_seconds(scene.reader);
        header = cache_reader_header(scene.reader);
        scene.frame_count = header->frame_count;
        for (int c = 0; c < 3; c++) {
            double side = (double)header->box_max[c] - header->box_min[c];

            square += side * side;
        }
        scene.size = sqrt(square);
        compare_with_oracle(&scene, oracle);
        cache_reader_close(scene.reader);
        abc_close(archive);
        compiled++;
    }
    diag_finish(&diag);
    cJSON_Delete(oracle);
    free(text);
    free(json_path);
}

static void worlds_of_caches_agree_with_the_oracles(void)
{
    unsigned visited = visit_archives(compile_and_compare);

    CHECK(compiled >= 40);
    CHECK(queries > 500);
    printf("  %u of %u archives: %u worlds of the oracles, %u of all frames; "
           "worst %.3g of the scene's size\n",
           compiled, visited, queries, worlds, worst);
}

static void worlds_of_the_test_data_agree(void)
{
    CHECK(visit_test_data(compile_and_compare) >= 4);
}

TEST_MAIN(TEST(worlds_of_caches_agree_with_the_oracles),
          TEST(worlds_of_the_test_data_agree))
