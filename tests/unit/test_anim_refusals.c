/* test_anim_refusals.c
 *
 * Goal: each defect of a motion file is refused with its place and its value.
 * Method: one word of a good file is replaced by another; the message must name
 *   what is wrong.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/motion_check.h"
#include "support/motion_files.h"

#include "base/endian.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct defect {
    const char *good;
    const char *bad;
    const char *message; /* part of it */
};

static struct arena arena;
static struct motion_file files[MOTION_FILE_COUNT];

/* Replace the first place of `good` in a text file, and try it. */
static void try_defects(const struct motion_file *file,
                        const struct defect *defects, size_t count)
{
    char message[DIAG_TEXT_BYTES];

    for (size_t i = 0; i < count; i++) {
        const char *text = file->bytes;
        const char *at = strstr(text, defects[i].good);
        const char *changed;

        test_context("%s for %s", defects[i].bad, defects[i].good);
        CHECK(at != NULL);
        changed = arena_format(&arena, "%.*s%s%s", (int)(at - text), text,
                               defects[i].bad, at + strlen(defects[i].good));
        CHECK(!motion_try(file->name, changed, strlen(changed), message));
        if (!strstr(message, defects[i].message))
            test_fail(__FILE__, __LINE__, "\"%s\" is not in: %s",
                      defects[i].message, message);
    }
}
#define TRY_DEFECTS(file, defects)                                             \
    try_defects(file, defects, sizeof(defects) / sizeof(defects)[0])

static void defects_of_bvh_are_named(void)
{
    static const struct defect defects[] = {
        {"HIERARCHY", "HIERARCHX", "line 1, column 1: \"HIERARCHX\" where"},
        {"ROOT root", "JOINT root", "line 2, column 1: \"JOINT\" where"},
        {"OFFSET 0.0 1.0 0.0", "OFFSET 0.0 1.0",
         "line 5, column 2: OFFSET: "
         "\"CHANNELS\" is no number"},
        {"OFFSET 0.0 1.0 0.0", "", "a joint without OFFSET ends here"},
        {"OFFSET 0.0 1.0 0.0", "OFFSET 0 1 0 OFFSET 0 1 0",
         "a second OFFSET of a joint"},
        {"1.0", "0x1p3", "\"0x1p3\" is no number"},
        {"1.0", "1e999", "1e999 is too large"},
        {"1.0", "1.0.0", "\"1.0.0\" is no number"},
        {"CHANNELS 6", "CHANNELS 7", "7 CHANNELS of a joint, at most 6"},
        {"CHANNELS 6", "CHANNELS -1", "\"-1\" is no whole number"},
        {"CHANNELS 6", "CHANNELS 99999999999999999999",
         "99999999999999999999 is too large"},
        {"CHANNELS 6", "CHANNELS 0 CHANNELS 6", "a second CHANNELS of a joint"},
        {"Xposition", "Wposition", "unknown channel \"Wposition\""},
        {"JOINT upper arm\n\t{", "JOINT upper }", "\"}\" where \"{\""},
        {"End Site\n\t\t\t{\n\t\t\t\tOFFSET", "End Site {\n\t\t\t\tCHANNELS",
         "\"CHANNELS\" where \"OFFSET\" is expected"},
        {"0.25 0.0 0.0\n\t\t\t}", "0.25 0.0 0.0 0.0\n\t\t\t}",
         "\"0.0\" where \"}\" is expected"},
        {"JOINT still", "BONE still", "is expected here"},
        {"MOTION", "ACTION", "MOTION or ROOT is expected here"},
        {"Frames: 5", "Frames: 0", "0 frames of 10 numbers"},
        {"Frames: 5", "Frames: 4000000000", "4000000000 frames of 10 numbers"},
        {"Frames: 5", "Frames: 6", "the file ends here"},
        {"Frames: 5", "Frame: 5", "\"Frames:\" is expected here"},
        {"Time: 0.04", "Time: -0.04", "Frame Time: -0.04 s"},
        {"Time: 0.04", "Time: 1e-9", "Frame Time: 1e-09 s"},
        {"0.04\n0.5", "0.04\ninf",
         "line 32, column 1: Xposition: \"inf\" is no"},
    };

    arena_init(&arena);
    motion_files_make(&arena, files);
    TRY_DEFECTS(&files[MOTION_FILE_BVH], defects);
    arena_free(&arena);
}

static void defects_of_documents_are_named(void)
{
    static const struct defect defects[] = {
        {"\"asset\": {", "\"asset\": [", "not valid JSON"},
        {"\"2.0\"", "\"1.0\"", "asset.version: \"1.0\", not 2.0"},
        {"\"version\"", "\"x\"", "asset.version: missing"},
        {"\"buffers\": [", "\"buffers\": 3, \"x\": [", "buffers: not an array"},
        {"\"byteLength\": 696", "\"byteLength\": 697",
         "buffers[0].byteLength: 697 bytes promised, 696 are there"},
        {"\"byteLength\": 696", "\"byteLength\": -1",
         "buffers[0].byteLength: -1 is no whole number"},
        {"\"uri\": \"data", "\"url\": \"data", "a buffer without data"},
        {";base64,", ";base32,", "without \";base64,\""},
        {";base64,A", ";base64,!", "that is not base64"},
        {"\"byteLength\": 20", "\"byteLength\": 16",
         "accessors[0]: 20 bytes from 0 of buffer view 0, which has 16"},
        {"\"byteOffset\": 20", "\"byteOffset\": 2000",
         "bufferViews[1]: 80 bytes from 2000 of a buffer of 696"},
        {"\"bufferView\": 0,", "\"bufferView\": 99,",
         "accessors[0].bufferView: 99, but there are"},
        {"\"buffer\": 0,", "\"buffer\": 1,",
         "bufferViews[0].buffer: 1, but there are 1 buffers"},
        {"\"byteLength\": 20", "\"byteLength\": 20, \"byteStride\": 2",
         "bufferViews[0].byteStride: 2, but an element has 4 bytes"},
        {"\"count\": 5", "\"count\": 0", "accessors[0].count: 0 elements"},
        {"\"count\": 5", "\"count\": 2147483647", "2147483647 elements"},
        {"\"count\": 5", "\"count\": 1.5", "1.5 is no whole number"},
        {"\"count\": 5", "\"count\": \"5\"",
         "accessors[0].count: not a number"},
        {"\"count\": 5", "\"count\": null", "accessors[0].count: missing"},
        {"5126", "5124", "componentType: 5124 is no type of numbers"},
        {"5126", "5125", "an accessor of uint32 SCALAR, not float SCALAR"},
        {"\"SCALAR\"", "\"VEC5\"", "accessors[0].type: \"VEC5\" is no type"},
        {"\"SCALAR\"", "\"VEC2\"", "an accessor of float VEC2"},
        {"\"componentType\": 5122", "\"componentType\": 5125",
         "not allowed for 32-bit numbers"},
        {"\"sparse\": {\"count\": 2", "\"sparse\": {\"count\": 6",
         ".sparse.count: 6 is above 5"},
        {"\"componentType\": 5121", "\"componentType\": 5122",
         "5122 is no type of indices"},
        {"\"children\": [1, 4]", "\"children\": [1, 1]",
         "nodes[0].children[1]: node 1 is already a child of node 0"},
        {"\"children\": [1, 4]", "\"children\": [0, 4]",
         "nodes[0]: the node is below itself"},
        {"\"children\": [1, 4]", "\"children\": [1, 5]",
         "nodes[0].children[1]: 5, but there are 5 nodes"},
        {"\"translation\": [0, 1.5, 0]", "\"translation\": [0, 1.5]",
         "nodes[1].translation: 2 numbers, not 3"},
        {"\"translation\": [0, 1.5, 0]", "\"translation\": [0, 1e999, 0]",
         "nodes[1].translation[1]: inf is not finite"},
        {"\"rotation\": [0, 0, 0.6, 0.8]", "\"rotation\": [0, 0, 0, 0]",
         "nodes[2].rotation: the length of the quaternion is 0"},
        {"\"matrix\": [0, 2, 0, 0", "\"matrix\": [0, 2, 0, 1",
         "nodes[3].matrix: number 3 is 1: not affine"},
        {"\"joints\": [1, 2, 3]", "\"joints\": [1, 2, 99999]",
         "skins[0].joints[2]: 99999, but there are 5 nodes"},
        {"\"joints\": [1, 2, 3]", "\"joints\": [1, 2, 3, 4]",
         "skins[0].inverseBindMatrices: 3 matrices for 4 joints"},
        {"\"joints\": [1, 2, 3]", "\"joints\": []", "skins[0].joints: no"},
        {"\"input\": 0, \"output\": 1", "\"input\": 77, \"output\": 1",
         "animations[0].samplers[0].input: 77, but there are 12 accessors"},
        {"\"input\": 0, \"output\": 1", "\"input\": 5, \"output\": 1",
         "samplers[0].output: 5 elements, but 3 keys need 3"},
        {"\"interpolation\": \"STEP\"", "\"interpolation\": \"STAIR\"",
         "samplers[3].interpolation: \"STAIR\" is not STEP, LINEAR"},
        {"\"sampler\": 0,", "\"sampler\": 9,",
         "animations[0].channels[0].sampler: 9, but there are 4 samplers"},
        {"\"node\": 1, \"path\": \"rotation\"",
         "\"node\": 3, \"path\": \"rotation\"",
         "channels[0].target: node 3 has a matrix"},
        {"\"node\": 1, \"path\": \"rotation\"",
         "\"node\": 2, \"path\": \"rotation\"",
         "channels[1].target: a second channel for the rotation of node 2"},
        {"\"node\": 1, \"path\": \"rotation\"",
         "\"node\": 1, \"path\": \"scale\"", "an accessor of VEC4 for scale"},
        {"\"node\": 1, \"path\": \"rotation\"", "\"node\": 1",
         "channels[0].target.path: missing"},
    };

    arena_init(&arena);
    motion_files_make(&arena, files);
    TRY_DEFECTS(&files[MOTION_FILE_EMBEDDED], defects);
    arena_free(&arena);
}

static void buffer_paths_stay_in_the_folder(void)
{
    static const struct defect defects[] = {
        {"\"uri\": \"arm.bin\"", "\"uri\": \"../arm.bin\"",
         "buffers[0].uri: \"../arm.bin\" has a part \"..\""},
        {"\"uri\": \"arm.bin\"", "\"uri\": \"a/%2e%2E/arm.bin\"",
         "has a part \"..\""},
        {"\"uri\": \"arm.bin\"", "\"uri\": \"/arm.bin\"", "begins with \"/\""},
        {"\"uri\": \"arm.bin\"", "\"uri\": \"c:arm.bin\"", "has a \":\""},
        {"\"uri\": \"arm.bin\"", "\"uri\": \"a%5Carm.bin\"", "has a \"\\\""},
        {"\"uri\": \"arm.bin\"", "\"uri\": \"\"", "is empty"},
        {"\"uri\": \"arm.bin\"", "\"uri\": \"arm.bin%00\"", "has a wrong"},
        {"\"uri\": \"arm.bin\"", "\"uri\": \"arm.bin%4\"", "has a wrong"},
        {"\"uri\": \"arm.bin\"", "\"uri\": 7", "buffers[0].uri: not a text"},
        /* A file in memory has no folder. */
        {"\"uri\": \"arm.bin\"", "\"uri\": \"arm.bin\"", "are not read"},
    };

    arena_init(&arena);
    motion_files_make(&arena, files);
    TRY_DEFECTS(&files[MOTION_FILE_BESIDE], defects);
    arena_free(&arena);
}

/* Replace bytes of the binary chunk and try the file. */
static void try_bytes(size_t offset, uint32_t value, const char *expected)
{
    const struct motion_file *file = &files[MOTION_FILE_GLB];
    uint8_t *copy = (uint8_t *)arena_string(&arena, file->bytes, file->size);
    char message[DIAG_TEXT_BYTES];

    test_context("%s", expected);
    spn_store_u32le(copy + offset, value);
    CHECK(!motion_try(file->name, copy, file->size, message));
    if (!strstr(message, expected))
        test_fail(__FILE__, __LINE__, "\"%s\" is not in: %s", expected,
                  message);
}

static void defects_of_numbers_are_named(void)
{
    size_t chunk;

    arena_init(&arena);
    motion_files_make(&arena, files);
    chunk = files[MOTION_FILE_GLB].size - files[MOTION_FILE_BUFFER].size;
    try_bytes(0x04, 3, "offset 0x4: GLB version, not 2: 3");
    try_bytes(0x08, 0xFFFFFFF0, "offset 0x8: length");
    try_bytes(0x0C, 0xFFFFFFF0, "offset 0xc: length of a chunk");
    try_bytes(0x10, 7, "offset 0x10: first chunk is no JSON, but: 7");
    try_bytes(chunk - 4, 7, "a buffer without data");
    try_bytes(chunk, 0x7FC00000, "accessors[0]: element 0, number 0: nan");
    try_bytes(chunk, 0x7F800000, "accessors[0]: element 0, number 0: inf");
    try_bytes(chunk, 0xBF800000, "the time of key 0 is -1 s: negative");
    try_bytes(chunk + 4, 0, "the time of key 1 is 0 s, not above");
    try_bytes(chunk + 32, 0, "the rotation of key 0 is 0, 0, 0, 0");
    try_bytes(chunk + 140, 0x0909, "index 0 is 9, but there are 5 elements");
    try_bytes(chunk + 140, 0x0202, "index 1 is 2, not above the one before");
    arena_free(&arena);
}

/* -- depth and size -- */

static void deep_trees_are_read(void)
{
    enum { DEPTH = 20000 };
    char *text;
    size_t at = 0;

    arena_init(&arena);
    text = arena_alloc(&arena, (uint64_t)DEPTH * 64, 1);
    at += (size_t)sprintf(text, "HIERARCHY ROOT a");
    for (int i = 0; i < DEPTH; i++)
        at += (size_t)sprintf(text + at, "%s { OFFSET 0 1 0%s",
                              i ? " JOINT b" : "",
                              i ? "" : " CHANNELS 1 Zrotation");
    for (int i = 0; i < DEPTH; i++)
        at += (size_t)sprintf(text + at, "}");
    at += (size_t)sprintf(text + at, " MOTION Frames: 1 Frame Time: 1 90");
    CHECK(motion_try("deep.bvh", text, at, NULL));
    at = (size_t)sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    /* Children before their parents. */
    for (int i = 0; i < DEPTH; i++)
        at += i ? (size_t)sprintf(text + at, ",{\"children\":[%d]}", i - 1)
                : (size_t)sprintf(text + at, "{}");
    at += (size_t)sprintf(text + at, "]}");
    CHECK(motion_try("deep.gltf", text, at, NULL));
    /* JSON itself may not nest that deep. */
    memset(text, '[', DEPTH);
    CHECK(!motion_try("deep.gltf", text, DEPTH, NULL));
    arena_free(&arena);
}

/* An accessor without data has zeros; many of them are small in a file and
 * would be large in memory. */
static void numbers_without_data_are_limited(void)
{
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\"skins\":"
        "[{\"joints\":[0],\"inverseBindMatrices\":0}],\"accessors\":[{\"type\":"
        "\"MAT4\",\"componentType\":5126,\"count\":1048577}]}";
    char message[DIAG_TEXT_BYTES];

    CHECK(!motion_try("zeros.gltf", text, sizeof text - 1, message));
    CHECK(strstr(message, "accessors[0]: 1048577 elements without a buffer "
                          "view, more than 1048576") != NULL);
}

TEST_MAIN(TEST(defects_of_bvh_are_named), TEST(defects_of_documents_are_named),
          TEST(buffer_paths_stay_in_the_folder),
          TEST(defects_of_numbers_are_named), TEST(deep_trees_are_read),
          TEST(numbers_without_data_are_limited))
