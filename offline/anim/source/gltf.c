/* gltf.c - read glTF 2.0: the container and the order of reading.
 *
 * A .glb file has a header of 12 bytes and chunks: first the JSON document,
 * then, if there is one, the binary chunk, which is the data of the first
 * buffer. Further chunks are ignored, as the format demands.
 *
 * Not read: meshes, materials, cameras, and extensions. An animation is the
 * same without them, except where an extension compresses its data: that is
 * refused.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/source/gltf_file.h"
#include "anim/source/motion_build.h"
#include "base/endian.h"
#include "common/text_place.h"

#include <inttypes.h>
#include <string.h>

#define GLB_HEADER_BYTES 12u
#define CHUNK_HEADER_BYTES 8u
#define CHUNK_JSON 0x4E4F534Au
#define CHUNK_BIN 0x004E4942u

static bool refuse_at(const struct gltf_file *file, uint64_t offset,
                      const char *what, uint64_t value)
{
    return diag_refuse(file->source.diag, file->source.path, offset, NULL,
                       "%s: %" PRIu64, what, value);
}

/* Find the document and the binary chunk of a .glb file. */
static bool find_chunks(struct gltf_file *file, const uint8_t *bytes,
                        size_t size, const uint8_t **text, size_t *text_bytes)
{
    uint64_t at = GLB_HEADER_BYTES;
    uint64_t total;

    if (size < GLB_HEADER_BYTES + CHUNK_HEADER_BYTES)
        return refuse_at(file, size, "a GLB file without chunks, of bytes",
                         size);
    if (spn_load_u32le(bytes + 4) != 2)
        return refuse_at(file, 4, "GLB version, not 2",
                         spn_load_u32le(bytes + 4));
    total = spn_load_u32le(bytes + 8);
    if (total > size || total < GLB_HEADER_BYTES + CHUNK_HEADER_BYTES)
        return refuse_at(file, 8, "length that the file does not have", total);
    for (uint32_t i = 0; total - at >= CHUNK_HEADER_BYTES; i++) {
        const uint64_t length = spn_load_u32le(bytes + at);
        const uint32_t kind = spn_load_u32le(bytes + at + 4);
        const uint64_t begin = at + CHUNK_HEADER_BYTES;

        if (length > total - begin)
            return refuse_at(file, at, "length of a chunk beyond the end",
                             length);
        if (i == 0 && kind != CHUNK_JSON)
            return refuse_at(file, at + 4, "first chunk is no JSON, but", kind);
        if (i == 0) {
            *text = bytes + begin;
            *text_bytes = (size_t)length;
        } else if (i == 1 && kind == CHUNK_BIN) {
            file->chunk = bytes + begin;
            file->chunk_bytes = length;
        }
        at = begin + length;
    }
    return true;
}

/* The document may be followed by spaces; some writers pad a chunk with zero
 * bytes. */
static bool is_padding(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' ||
                        *at == '\t' || *at == 0))
        at++;
    return at == end;
}

static bool parse(struct gltf_file *file, const char *text, size_t bytes)
{
    const char *end = text;
    size_t skip = bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

    if (bytes > MOTION_JSON_BYTES_MAX)
        return refuse_at(file, DIAG_NO_OFFSET, "bytes of JSON, too many",
                         bytes);
    file->json =
        cJSON_ParseWithLengthOpts(text + skip, bytes - skip, &end, false);
    if (file->json && is_padding(end, text + bytes)) {
        file->root.json = file->json;
        file->root.source = &file->source;
        return cJSON_IsObject(file->json) ||
               gltf_refuse(&file->root, "the document is no JSON object");
    }
    if (!end || end < text || end > text + bytes)
        end = text;
    return text_place_refuse(file->source.diag, file->source.path,
                             text_place_find(text, (size_t)(end - text)), NULL,
                             bytes == skip ? "an empty file"
                                           : "not valid JSON here");
}

static bool check_version(const struct gltf_file *file)
{
    struct gltf_value asset = gltf_get(&file->root, "asset");
    struct gltf_value version = gltf_get(&asset, "version");
    const char *text = gltf_text(&version);
    char name[64];

    if (!text)
        return gltf_refuse(&version, "missing: no glTF 2.0 document");
    diag_name(text, name, sizeof name);
    return strncmp(text, "2.", 2) == 0 || strcmp(text, "2") == 0 ||
           gltf_refuse(&version, "\"%s\", not 2.0", name);
}

static bool read_lists(struct gltf_file *file)
{
    struct arena *arena = &file->scratch;

    if (!gltf_list(&file->root, "buffers", arena, &file->buffer_list) ||
        !gltf_list(&file->root, "bufferViews", arena, &file->view_list) ||
        !gltf_list(&file->root, "accessors", arena, &file->accessor_list) ||
        !gltf_list(&file->root, "nodes", arena, &file->node_list) ||
        !gltf_list(&file->root, "meshes", arena, &file->mesh_list))
        return false;
    file->buffers =
        ARENA_NEW(arena, struct gltf_buffer, file->buffer_list.count);
    file->accessors =
        ARENA_NEW(arena, struct gltf_accessor, file->accessor_list.count);
    return true;
}

bool gltf_read(struct motion *motion, const char *path, const void *bytes,
               size_t size, bool is_alone, struct diag *diag)
{
    struct gltf_file file;
    const uint8_t *text = bytes;
    size_t text_bytes = size;
    const bool is_glb = size >= 4 && memcmp(bytes, "glTF", 4) == 0;
    bool is_good;

    memset(&file, 0, sizeof file);
    file.source.path = path;
    file.source.diag = diag;
    file.motion = motion;
    file.is_alone = is_alone;
    arena_init(&file.scratch);
    motion->format = is_glb ? MOTION_GLB : MOTION_GLTF;
    is_good =
        (!is_glb || find_chunks(&file, bytes, size, &text, &text_bytes)) &&
        parse(&file, (const char *)text, text_bytes) && check_version(&file) &&
        read_lists(&file) && gltf_read_nodes(&file) && gltf_read_skins(&file) &&
        gltf_read_clips(&file);
    gltf_close_buffers(&file);
    cJSON_Delete(file.json);
    arena_free(&file.scratch);
    return is_good;
}
