/* gltf_buffer.c - the bytes of glTF buffers.
 *
 * A buffer is the binary chunk of a .glb file, base64 in a data URI, or a file
 * in the folder of the document (motion.h has the rule for its path).
 */
/* SPDX-License-Identifier: MIT */
#include "anim/source/gltf_file.h"

#include <inttypes.h>
#include <string.h>

/* -- URIs -- */

static int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Decode base64, with or without '=' at its end. Returns the number of bytes,
 * or -1: not base64. `out` has room for 3 bytes for each 4 characters. */
static int64_t base64_decode(const char *text, size_t length, uint8_t *out)
{
    int64_t bytes = 0;
    uint32_t bits = 0;
    uint32_t bit_count = 0;

    if (length % 4 == 0)
        for (int i = 0; i < 2 && length > 0 && text[length - 1] == '='; i++)
            length--;
    if (length % 4 == 1)
        return -1;
    for (size_t i = 0; i < length; i++) {
        int digit = base64_digit(text[i]);

        if (digit < 0)
            return -1;
        bits = bits << 6 | (uint32_t)digit;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            out[bytes++] = (uint8_t)(bits >> bit_count);
        }
        bits &= (1u << bit_count) - 1;
    }
    return bits == 0 ? bytes : -1;
}

static bool read_data_uri(struct gltf_file *file, const struct gltf_value *uri,
                          const char *text, struct gltf_buffer *buffer,
                          uint64_t *available)
{
    static const char kind[] = ";base64";
    const char *comma = strchr(text, ',');
    size_t length;
    uint8_t *data;
    int64_t bytes;

    if (!comma || (size_t)(comma - text) < sizeof kind - 1 ||
        memcmp(comma - (sizeof kind - 1), kind, sizeof kind - 1) != 0)
        return gltf_refuse(uri, "a data URI without \";base64,\"");
    length = strlen(comma + 1);
    data = arena_alloc(&file->scratch, length / 4 * 3 + 3, 1);
    bytes = base64_decode(comma + 1, length, data);
    if (bytes < 0)
        return gltf_refuse(uri, "a data URI that is not base64");
    buffer->data = data;
    *available = (uint64_t)bytes;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Decode %XX. Returns NULL for a wrong or a zero byte. */
static char *percent_decode(struct arena *arena, const char *uri)
{
    char *path = arena_string(arena, uri, strlen(uri));
    char *out = path;

    for (const char *at = uri; *at; at++) {
        int value = (uint8_t)*at;

        if (*at == '%') {
            int high = hex_digit(at[1]);
            int low = high < 0 ? -1 : hex_digit(at[2]);

            value = low < 0 ? 0 : 16 * high + low;
            if (value == 0)
                return NULL;
            at += 2;
        }
        *out++ = (char)value;
    }
    *out = 0;
    return path;
}

/* Why a decoded path could leave the folder; NULL: it cannot. */
static const char *path_fault(const char *path)
{
    const char *part = path;

    if (path[0] == 0)
        return "is empty";
    if (path[0] == '/')
        return "begins with \"/\"";
    if (strchr(path, '\\'))
        return "has a \"\\\"";
    if (strchr(path, ':'))
        return "has a \":\"";
    while (part) {
        const char *slash = strchr(part, '/');
        size_t length = slash ? (size_t)(slash - part) : strlen(part);

        if (length == 2 && part[0] == '.' && part[1] == '.')
            return "has a part \"..\"";
        part = slash ? slash + 1 : NULL;
    }
    return NULL;
}

static bool open_file(struct gltf_file *file, const struct gltf_value *uri,
                      const char *text, struct gltf_buffer *buffer,
                      uint64_t *available)
{
    static const uint8_t nothing;
    struct arena *arena = &file->scratch;
    const char *document = file->source.path;
    const char *path = percent_decode(arena, text);
    const char *fault = path ? path_fault(path) : "has a wrong \"%\"";
    size_t folder = strlen(document);
    char name[320];

    diag_name(text, name, sizeof name);
    if (fault)
        return gltf_refuse(uri,
                           "\"%s\" %s; only files in the folder of the "
                           "document are read",
                           name, fault);
    if (file->is_alone)
        return gltf_refuse(uri, "\"%s\": further files are not read", name);
    while (folder > 0 && document[folder - 1] != '/' &&
           document[folder - 1] != '\\')
        folder--;
    path = arena_format(arena, "%.*s%s", (int)folder, document, path);
    if (!host_exists(path))
        return gltf_refuse(uri, "no file \"%s\" beside the document", name);
    if (!host_map_open(&buffer->map, path, file->source.diag))
        return false;
    buffer->data = buffer->map.data ? buffer->map.data : &nothing;
    *available = buffer->map.bytes;
    return true;
}

/* -- buffers and views -- */

/* Refuse a buffer that has no bytes of its own. The data of a view of it may be
 * in an extension. */
static bool refuse_dataless(const struct gltf_value *value,
                            const struct gltf_value *view)
{
    struct gltf_value extensions = gltf_get(view, "extensions");
    const cJSON *first = extensions.json ? extensions.json->child : NULL;
    char name[64];

    if (!first || !first->string)
        return gltf_refuse(value, "a buffer without data");
    diag_name(first->string, name, sizeof name);
    return gltf_refuse(&extensions, "data is stored with %s, which is not read",
                       name);
}

static bool read_buffer(struct gltf_file *file, uint32_t index,
                        const struct gltf_value *view)
{
    struct gltf_buffer *buffer = &file->buffers[index];
    struct gltf_value value = gltf_item(&file->buffer_list, index);
    struct gltf_value length = gltf_get(&value, "byteLength");
    struct gltf_value uri = gltf_get(&value, "uri");
    const char *text = gltf_text(&uri);
    uint64_t available = 0;

    if (buffer->data)
        return true;
    if (!gltf_whole(&length, UINT64_MAX, &buffer->bytes))
        return false;
    if (uri.json && !text)
        return gltf_refuse(&uri, "not a text");
    if (!text) {
        if (index != 0 || !file->chunk)
            return refuse_dataless(&value, view);
        buffer->data = file->chunk;
        available = file->chunk_bytes;
    } else if (strncmp(text, "data:", 5) == 0) {
        if (!read_data_uri(file, &uri, text, buffer, &available))
            return false;
    } else if (!open_file(file, &uri, text, buffer, &available)) {
        return false;
    }
    return buffer->bytes <= available ||
           gltf_refuse(&length,
                       "%" PRIu64 " bytes promised, %" PRIu64 " are there",
                       buffer->bytes, available);
}

bool gltf_view(struct gltf_file *file, const struct gltf_value *user,
               uint32_t view, uint64_t offset, uint64_t bytes,
               const uint8_t **data)
{
    struct gltf_value value = gltf_item(&file->view_list, view);
    struct gltf_value buffer_value = gltf_get(&value, "buffer");
    struct gltf_value start_value = gltf_get(&value, "byteOffset");
    struct gltf_value length_value = gltf_get(&value, "byteLength");
    const struct gltf_buffer *buffer;
    uint32_t index;
    uint64_t start;
    uint64_t length;

    if (!gltf_index(&buffer_value, file->buffer_list.count, "buffers",
                    &index) ||
        !gltf_whole_or(&start_value, UINT64_MAX, 0, &start) ||
        !gltf_whole(&length_value, UINT64_MAX, &length) ||
        !read_buffer(file, index, &value))
        return false;
    buffer = &file->buffers[index];
    if (start > buffer->bytes || length > buffer->bytes - start)
        return gltf_refuse(&value,
                           "%" PRIu64 " bytes from %" PRIu64
                           " of a buffer of %" PRIu64,
                           length, start, buffer->bytes);
    if (offset > length || bytes > length - offset)
        return gltf_refuse(user,
                           "%" PRIu64 " bytes from %" PRIu64
                           " of buffer view %u, which has %" PRIu64,
                           bytes, offset, view, length);
    *data = buffer->data + start + offset;
    return true;
}

bool gltf_view_stride(struct gltf_file *file, uint32_t view, uint64_t packed,
                      uint64_t *stride)
{
    struct gltf_value value = gltf_item(&file->view_list, view);
    struct gltf_value stride_value = gltf_get(&value, "byteStride");

    if (!gltf_whole_or(&stride_value, 252, packed, stride))
        return false;
    return *stride >= packed ||
           gltf_refuse(&stride_value,
                       "%" PRIu64 ", but an element has %" PRIu64 " bytes",
                       *stride, packed);
}

void gltf_close_buffers(struct gltf_file *file)
{
    for (uint32_t i = 0; file->buffers && i < file->buffer_list.count; i++)
        if (file->buffers[i].map.data)
            host_map_close(&file->buffers[i].map);
}
