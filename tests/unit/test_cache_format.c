/* test_cache_format.c
 *
 * Goal: runtime/cache/FORMAT.md states the real offset and size of each
 *   stored field.
 * Method: the rows of its tables are compared with the structs that reader
 *   and writer use. A struct with a field that is not listed fails.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_wire.h"
#include "cache/cache_wire_tables.h"
#include "harness.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct field {
    const char *name;
    size_t offset;
    size_t bytes;
};

#define FIELD(type, name)                                                      \
    {                                                                          \
#name, offsetof(struct type, name), sizeof(((struct type *)0)->name)   \
    }

static char *text;

/* The document lies beside the folder of the test data. */
static bool load(void)
{
    char path[2048];
    FILE *file;
    long bytes;

    snprintf(path, sizeof path, "%s/../../runtime/cache/FORMAT.md",
             test_data());
    file = fopen(path, "rb");
    if (!file)
        return false;
    CHECK_EQ(fseek(file, 0, SEEK_END), 0);
    bytes = ftell(file);
    rewind(file);
    text = calloc(1, (size_t)bytes + 1);
    CHECK_EQ_U(fread(text, 1, (size_t)bytes, file), (size_t)bytes);
    fclose(file);
    return true;
}

/* The table of a struct begins with its name. Its rows name all fields in
 * order, up to `size`. */
static void check_table(const char *type, const struct field *fields,
                        size_t count, size_t size)
{
    char head[128];
    const char *row;
    size_t at = 0;

    test_context("%s", type);
    snprintf(head, sizeof head, "| offset | bytes | `%s` | |\n", type);
    row = strstr(text, head);
    CHECK(row != NULL);
    CHECK(strstr(row + 1, head) == NULL);
    row = strchr(row, '\n') + 1;
    for (size_t i = 0; i < count; i++) {
        const struct field *f = &fields[i];
        char start[128];

        row = strchr(row, '\n') + 1;
        snprintf(start, sizeof start, "| %u | %u | `%s` |", (unsigned)f->offset,
                 (unsigned)f->bytes, f->name);
        CHECK_EQ_U(f->offset, at);
        CHECK(strncmp(row, start, strlen(start)) == 0);
        at += f->bytes;
    }
    CHECK_EQ_U(at, size);
    CHECK(*(strchr(row, '\n') + 1) != '|');
}

#define CHECK_TABLE(type, ...)                                                 \
    do {                                                                       \
        static const struct field fields[] = {__VA_ARGS__};                    \
        check_table(#type, fields, sizeof fields / sizeof fields[0],           \
                    sizeof(struct type));                                      \
    } while (0)

#define H(name) FIELD(wire_header, name)
#define F(name) FIELD(wire_frame, name)
#define N(name) FIELD(wire_node, name)
#define M(name) FIELD(wire_mesh, name)
#define A(name) FIELD(wire_attribute, name)
#define T(name) FIELD(wire_tile, name)
#define E(name) FIELD(wire_directory_entry, name)

static void document_has_all_fields(void)
{
    if (!load())
        test_skip("no FORMAT.md beside the test data");
    CHECK_TABLE(wire_header, H(signature), H(version), H(codec), H(frame_count),
                H(group_count), H(index_distance), H(node_count),
                H(animated_node_count), H(mesh_count), H(material_count),
                H(part_count), H(tile_count), H(block_count), H(blob_count),
                H(name_bytes), H(index16_count), H(index32_count),
                H(largest_frame_bytes), H(largest_group_bytes), H(tables_bytes),
                H(tables_checksum), H(frame_table_checksum), H(up_axis),
                H(reserved_a), H(file_bytes), H(frame_table_offset),
                H(tables_offset), H(blobs_offset), H(blobs_bytes),
                H(frames_offset), H(duration_us), H(start_s), H(unit_metres),
                H(precision_mm), H(box_min), H(box_max),
                H(animated_affine_count), H(attribute_count), H(box_bytes),
                H(flags), H(reserved_b), H(checksum));
    CHECK_TABLE(wire_frame, F(offset), F(seconds), F(time_us), F(bytes),
                F(number), F(group), F(type), F(reference_count), F(wait_mask),
                F(reserved_a), F(reference), F(box_min), F(box_max),
                F(reserved_b));
    CHECK_TABLE(wire_node, N(parent), N(mesh), N(name), N(is_animated),
                N(is_visible), N(is_affine), N(reserved), N(initial));
    CHECK_TABLE(wire_quat_tns, FIELD(wire_quat_tns, rotation),
                FIELD(wire_quat_tns, translation), FIELD(wire_quat_tns, scale));
    CHECK_TABLE(wire_affine, FIELD(wire_affine, numbers));
    CHECK_TABLE(wire_mesh, M(name), M(vertex_count), M(index_count),
                M(material_count), M(index_bytes), M(static_mask),
                M(animated_mask), M(reflection), M(position_bits), M(box_shift),
                M(position_min), M(position_size), M(uv_min), M(uv_size),
                M(content_hash));
    CHECK_TABLE(wire_attribute, A(name), A(bits), A(reserved), A(min), A(size));
    CHECK_TABLE(wire_material, FIELD(wire_material, name),
                FIELD(wire_material, id), FIELD(wire_material, index_count));
    CHECK_TABLE(wire_part, FIELD(wire_part, mesh),
                FIELD(wire_part, vertex_count));
    CHECK_TABLE(wire_tile, T(part_count), T(one_ring_slots), T(prediction),
                T(channel_weights), T(layer_count));
    CHECK_TABLE(wire_blob, FIELD(wire_blob, stored), FIELD(wire_blob, checksum),
                FIELD(wire_blob, coding), FIELD(wire_blob, reserved));
    CHECK_TABLE(wire_directory_head, FIELD(wire_directory_head, checksum),
                FIELD(wire_directory_head, number));
    CHECK_TABLE(wire_directory_entry, E(stored), E(checksum), E(coding), E(a),
                E(b), E(c));
    free(text);
}

TEST_MAIN(TEST(document_has_all_fields))
