/* test_info_cache.c
 *
 * Goal: info prints the contents of a cache: counts, bytes, times, as text
 *   and JSON. It refuses other files.
 * Method: a small cache with known bytes; stdout is redirected to a file.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/abc_files.h"
#include "support/tiny_cache.h"

#include "info/info.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES 23u
#define VERTICES 9000u

static struct tiny_cache *tiny;
static char path[512];
static struct diag diag;

static void write_cache(size_t bytes)
{
    FILE *out;

    snprintf(path, sizeof path, "%s/info.sgc", test_temp());
    out = fopen(path, "wb");
    CHECK(out != NULL);
    CHECK_EQ_U(fwrite(tiny->bytes, 1, bytes, out), bytes);
    fclose(out);
}

static void build(void)
{
    struct tiny_options o = {.frame_count = FRAMES,
                             .mesh_count = 2,
                             .vertices = VERTICES,
                             .has_uvs = true,
                             .has_static_mesh = true};

    tiny = tiny_build(&o);
    write_cache(tiny->size);
    diag_init(&diag);
    diag.is_silent = true;
}

static void finish(void)
{
    tiny_free(tiny);
    diag_finish(&diag);
}

/* Return the output of info. The caller frees it. */
static char *caught(bool is_json, bool is_tree, bool *is_good)
{
    const struct info_options options = {.is_json = is_json,
                                         .is_tree = is_tree};
    char name[520];
    int kept = dup(1);
    size_t bytes;
    char *text;

    snprintf(name, sizeof name, "%s/stdout", test_temp());
    fflush(stdout);
    CHECK(kept >= 0 && freopen(name, "w", stdout) != NULL);
    *is_good = info_cache(path, &options, &diag);
    fflush(stdout);
    dup2(kept, 1);
    close(kept);
    text = file_text(name, &bytes);
    CHECK(text != NULL);
    return text;
}

static double number(const cJSON *json, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(json, name);

    test_context("%s", name);
    CHECK(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void validate_frames(const cJSON *json)
{
    const cJSON *bytes = cJSON_GetObjectItem(json, "frame_bytes");
    const cJSON *types = cJSON_GetObjectItem(json, "frame_types");
    const cJSON *times = cJSON_GetObjectItem(json, "frame_times_s");
    uint32_t index_frames = 0;
    double sum = 0;

    CHECK_EQ(cJSON_GetArraySize(bytes), FRAMES);
    CHECK_EQ(cJSON_GetArraySize(types), FRAMES);
    CHECK_EQ(cJSON_GetArraySize(times), FRAMES);
    for (uint32_t f = 0; f < FRAMES; f++) {
        test_context("frame %u", f);
        CHECK_EQ_U(cJSON_GetArrayItem(bytes, (int)f)->valuedouble,
                   tiny->frame_bytes[f]);
        CHECK_NEAR(cJSON_GetArrayItem(times, (int)f)->valuedouble -
                       cJSON_GetArrayItem(times, 0)->valuedouble,
                   f * 0.033333, 1e-6);
        sum += tiny->frame_bytes[f];
        index_frames += cJSON_GetArrayItem(types, (int)f)->valuedouble == 0;
    }
    CHECK_NEAR(number(json, "frames_bytes"), sum, 0);
    CHECK_NEAR(number(json, "frame_bytes_mean"), sum / FRAMES, 1e-6);
    CHECK_NEAR(number(json, "static_bytes"), (double)tiny->size - sum, 0);
    CHECK_NEAR(number(json, "file_bytes"), (double)tiny->size, 0);
    /* Index frames 0, 10, 20, and the last one. */
    CHECK_EQ(index_frames, 4);
    CHECK_EQ(number(json, "index_frames"), 4);
    CHECK_EQ(number(json, "b_frames"), FRAMES - 4);
}

static void info_prints_the_file_as_json(void)
{
    bool is_good;
    const cJSON *meshes;
    const cJSON *channels;
    cJSON *json;
    char *text;

    build();
    text = caught(true, false, &is_good);
    CHECK(is_good);
    json = cJSON_Parse(text);
    CHECK(json != NULL);
    CHECK_EQ(number(json, "schema"), 1);
    CHECK_EQ(number(json, "frames"), FRAMES);
    CHECK_EQ(number(json, "groups"), tiny->group_count);
    CHECK_EQ(number(json, "index_distance"), 10);
    CHECK_EQ(number(json, "vertices"), 3 * VERTICES);
    validate_frames(json);
    meshes = cJSON_GetObjectItem(json, "meshes");
    CHECK_EQ(cJSON_GetArraySize(meshes), 3);
    channels = cJSON_GetObjectItem(cJSON_GetArrayItem(meshes, 0), "channels");
    CHECK(cJSON_IsTrue(cJSON_GetObjectItem(
        cJSON_GetObjectItem(channels, "position"), "is_animated")));
    CHECK(cJSON_GetObjectItem(channels, "uv") != NULL);
    CHECK(cJSON_GetObjectItem(channels, "color") == NULL);
    channels = cJSON_GetObjectItem(cJSON_GetArrayItem(meshes, 2), "channels");
    CHECK(cJSON_IsFalse(cJSON_GetObjectItem(
        cJSON_GetObjectItem(channels, "position"), "is_animated")));
    CHECK(cJSON_GetArraySize(cJSON_GetObjectItem(json, "nodes")) >= 3);
    cJSON_Delete(json);
    free(text);
    finish();
}

static void info_prints_text(void)
{
    bool is_good;
    char *text;
    char line[64];

    build();
    text = caught(false, false, &is_good);
    CHECK(is_good);
    CHECK(strstr(text, "codec lz4hc\n") != NULL);
    CHECK(strstr(text, "23: 4 index, 19 B; ") != NULL);
    snprintf(line, sizeof line, "3 meshes, %u vertices, ", 3 * VERTICES);
    CHECK(strstr(text, line) != NULL);
    CHECK(strstr(text, "position animated") != NULL);
    CHECK(strstr(text, "position static") != NULL);
    CHECK(strstr(text, "\n  nodes\n") == NULL);
    free(text);
    text = caught(false, true, &is_good);
    CHECK(is_good);
    CHECK(strstr(text, "\n  nodes\n") != NULL);
    CHECK(strstr(text, "  mesh 2\n") != NULL);
    free(text);
    finish();
}

static void info_refuses_every_truncation(void)
{
    bool is_good;
    char *text;

    build();
    for (size_t bytes = 0; bytes < tiny->size; bytes += tiny->size / 37) {
        test_context("%zu bytes", bytes);
        write_cache(bytes);
        text = caught(true, true, &is_good);
        CHECK(!is_good);
        CHECK_STR(text, "");
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        free(text);
    }
    finish();
}

static void info_detects_caches(void)
{
    build();
    CHECK(info_is_cache(path, &diag));
    tiny->bytes[0] ^= 1;
    write_cache(tiny->size);
    CHECK(!info_is_cache(path, &diag));
    write_cache(3);
    CHECK(!info_is_cache(path, &diag));
    CHECK_EQ(diag.code, EXIT_DONE);
    snprintf(path, sizeof path, "%s/none", test_temp());
    CHECK(!info_is_cache(path, &diag));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    finish();
}

TEST_MAIN(TEST(info_prints_the_file_as_json), TEST(info_prints_text),
          TEST(info_refuses_every_truncation), TEST(info_detects_caches))
