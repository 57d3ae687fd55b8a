/* clip_index_writer.c - sort the clips, number their kinds, fill the tables.
 *
 * Both files begin with the same index. A list of entries, one for each clip,
 * is sorted by the hash of the name; kinds are numbered in that order.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/clip_index_writer.h"

#include "anim/clip_index_validate.h"
#include "anim/clip_index_wire.h"
#include "base/checksum.h"
#include "base/hash64.h"
#include "common/fault_text.h"
#include "common/name_rows.h"
#include "pak/pak_name.h"

#include <stdlib.h>
#include <string.h>

/* What one index is made of. */
struct builder {
    struct arena *arena;
    struct diag *diag;
    const char *path;
    const struct clip_facts *clips; /* `file` is an index of `files` */
    const struct clip_data_file *files;
    struct clip_index_header header;
    struct name_row *clip_order;
    struct name_row *file_order;
    uint32_t *file_number; /* of each input file: its row */
    uint32_t *kind_of;     /* of each row of a clip */
    uint32_t *kinds;       /* of each kind: a clip that has it */
};

/* Sort, and refuse equal names. Adds up the bytes of the names. */
static bool sort(const struct builder *b, struct name_row *order,
                 uint32_t count, uint64_t *name_bytes)
{
    name_rows_sort(order, count);
    for (uint32_t i = 0; i < count; i++) {
        const size_t bytes = strlen(order[i].name);

        *name_bytes += bytes + 1;
        if (bytes >= PAK_NAME_BYTES_MAX ||
            !spn__pak_name_is_good(order[i].name, (uint32_t)bytes))
            return diag_refuse(b->diag, b->path, DIAG_NO_OFFSET, order[i].name,
                               "not a good name: parts separated by '/', "
                               "without '\\', ':', '.' and '..'");
        if (i > 0 && strcmp(order[i - 1].name, order[i].name) == 0)
            return diag_refuse(b->diag, b->path, DIAG_NO_OFFSET, order[i].name,
                               "the name occurs twice");
    }
    return true;
}

static bool is_same_kind(const struct clip_facts *a, const struct clip_facts *b)
{
    return a->skeleton == b->skeleton &&
           a->rest_pose_hash == b->rest_pose_hash &&
           a->joint_count == b->joint_count &&
           a->rate_numerator == b->rate_numerator &&
           a->rate_denominator == b->rate_denominator;
}

/* Number the kinds in the order in which the rows refer to them. The search
 * begins with the kind of the row before; there are few kinds. */
static void number_kinds(struct builder *b)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < b->header.clip_count; i++) {
        const uint32_t clip = b->clip_order[i].number;
        uint32_t kind = 0;

        while (kind < count &&
               !is_same_kind(&b->clips[b->kinds[kind]], &b->clips[clip]))
            kind++;
        if (kind == count)
            b->kinds[count++] = clip;
        b->kind_of[i] = kind;
    }
    b->header.kind_count = count;
}

/* -- the bytes -- */

static void put_clip(const struct builder *b, uint32_t row,
                     struct clip_wire_clip *wire)
{
    const struct clip_facts *c = &b->clips[b->clip_order[row].number];

    spn_store_u32le(wire->file, c->file == CLIP_INDEX_NONE
                                    ? CLIP_INDEX_NONE
                                    : b->file_number[c->file]);
    spn_store_u32le(wire->kind, b->kind_of[row]);
    spn_store_u32le(wire->offset, (uint32_t)c->offset);
    spn_store_u16le(wire->offset + 4, (uint16_t)(c->offset >> 32));
    spn_store_u16le(wire->flags, (uint16_t)c->flags);
    spn_store_u32le(wire->bytes, c->bytes);
    spn_store_u32le(wire->first_bytes, c->first_bytes);
    spn_store_u32le(wire->first_checksum, c->first_checksum);
    spn_store_u32le(wire->rest_checksum, c->rest_checksum);
    spn_store_u32le(wire->frame_count, c->frame_count);
}

static void put_kind(const struct clip_facts *c, struct clip_wire_kind *wire)
{
    spn_store_u64le(wire->skeleton, c->skeleton);
    spn_store_u32le(wire->rest_pose_hash, c->rest_pose_hash);
    spn_store_u32le(wire->joint_count, c->joint_count);
    spn_store_u32le(wire->rate_numerator, c->rate_numerator);
    spn_store_u32le(wire->rate_denominator, c->rate_denominator);
}

static void put_file(const struct clip_data_file *f,
                     struct clip_wire_file *wire)
{
    spn_store_u32le(wire->data_checksum, f->data_checksum);
    spn_store_u64le(wire->data_offset, f->data_offset);
    spn_store_u64le(wire->file_bytes, f->file_bytes);
}

static void put_index(const struct builder *b, uint8_t *bytes)
{
    struct clip_wire_clip *clips = (void *)bytes;
    struct clip_wire_kind *kinds = (void *)(clips + b->header.clip_count);
    struct clip_wire_file *files = (void *)(kinds + b->header.kind_count);
    char *names = (char *)(files + b->header.file_count);
    uint32_t at = 0;

    for (uint32_t i = 0; i < b->header.clip_count; i++) {
        at = name_row_put(&b->clip_order[i], &clips[i].named, at, names);
        put_clip(b, i, &clips[i]);
    }
    for (uint32_t i = 0; i < b->header.file_count; i++) {
        at = name_row_put(&b->file_order[i], &files[i].named, at, names);
        put_file(&b->files[b->file_order[i].number], &files[i]);
    }
    for (uint32_t i = 0; i < b->header.kind_count; i++)
        put_kind(&b->clips[b->kinds[i]], &kinds[i]);
}

static void put_header(const struct clip_index_header *h, uint8_t *bytes)
{
    struct clip_wire_header *wire = (void *)bytes;
    const char *signature = h->type == CLIP_INDEX_IMAGE
                                ? CLIP_INDEX_IMAGE_SIGNATURE
                                : CLIP_INDEX_DATABASE_SIGNATURE;

    memcpy(wire->signature, signature, sizeof wire->signature);
    spn_store_u32le(wire->version, CLIP_INDEX_VERSION);
    spn_store_u32le(wire->clip_count, h->clip_count);
    spn_store_u32le(wire->kind_count, h->kind_count);
    spn_store_u32le(wire->file_count, h->file_count);
    spn_store_u32le(wire->name_bytes, h->name_bytes);
    spn_store_u32le(wire->index_bytes, h->index_bytes);
    spn_store_u32le(wire->index_checksum, h->index_checksum);
    spn_store_u32le(wire->data_checksum, h->data_checksum);
    spn_store_u64le(wire->data_offset, h->data_offset);
    spn_store_u64le(wire->file_bytes, h->file_bytes);
    spn_store_u32le(wire->checksum,
                    spn__checksum(bytes,
                                  offsetof(struct clip_wire_header, checksum),
                                  WIRE_SEED));
}

/* Sort and count. */
static bool plan(struct builder *b)
{
    struct clip_index_header *h = &b->header;
    uint64_t name_bytes = 0;

    b->clip_order = ARENA_NEW(b->arena, struct name_row, h->clip_count);
    b->file_order = ARENA_NEW(b->arena, struct name_row, h->file_count);
    b->file_number = ARENA_NEW(b->arena, uint32_t, h->file_count);
    b->kind_of = ARENA_NEW(b->arena, uint32_t, h->clip_count);
    b->kinds = ARENA_NEW(b->arena, uint32_t, h->clip_count);
    for (uint32_t i = 0; i < h->clip_count; i++)
        b->clip_order[i] = name_row_make(b->clips[i].name, i);
    for (uint32_t i = 0; i < h->file_count; i++)
        b->file_order[i] = name_row_make(b->files[i].path, i);
    if (!sort(b, b->clip_order, h->clip_count, &name_bytes) ||
        !sort(b, b->file_order, h->file_count, &name_bytes))
        return false;
    for (uint32_t i = 0; i < h->file_count; i++)
        b->file_number[b->file_order[i].number] = i;
    number_kinds(b);
    h->name_bytes = name_bytes < UINT32_MAX ? (uint32_t)name_bytes : UINT32_MAX;
    h->index_bytes = spn__clip_index_bytes(h);
    if (h->index_bytes == 0 && h->clip_count > 0)
        return diag_refuse(b->diag, b->path, DIAG_NO_OFFSET, NULL,
                           "too many clips: the index would be larger than %u "
                           "MiB",
                           CLIP_INDEX_BYTES_MAX >> 20);
    return true;
}

/* Write index and header, then validate them as the runtime does. The data of
 * a database is there already. */
static bool finish(struct builder *b, struct clip_index_file *out)
{
    struct clip_index_header *h = &b->header;
    uint8_t *index = out->bytes + CLIP_INDEX_HEADER_BYTES;
    struct spn_fault fault = {0};
    spn_status status;

    put_index(b, index);
    h->index_checksum = spn__checksum(index, h->index_bytes, WIRE_SEED);
    put_header(h, out->bytes);
    status = spn__clip_index_validate_header(out->bytes, h->type, out->size, h,
                                             &fault);
    if (status == SPN_OK)
        status = spn__clip_index_validate(h, index, &out->index, &fault);
    if (status == SPN_OK)
        return true;
    return fault_refuse(b->diag, b->path, FAULT_NO_FRAME, &fault);
}

/* -- clips -- */

/* All, if that is little; otherwise the header and as many segments as fit, at
 * least one. */
static uint32_t first_part(const struct clip_input *s)
{
    uint32_t bytes;

    if (s->byte_count <= CLIP_FIRST_BYTES || s->segment_count == 0)
        return s->byte_count;
    bytes = s->segment_ends[0];
    for (uint32_t i = 1;
         i < s->segment_count && s->segment_ends[i] <= CLIP_FIRST_BYTES; i++)
        bytes = s->segment_ends[i];
    return bytes;
}

struct clip_facts clip_input_facts(const struct clip_input *input)
{
    const uint32_t first = first_part(input);

    return (struct clip_facts){
        .name = input->name,
        .skeleton = input->skeleton,
        .rest_pose_hash = input->rest_pose_hash,
        .bytes = input->byte_count,
        .first_bytes = first,
        .first_checksum = spn__checksum(input->bytes, first, WIRE_SEED),
        .rest_checksum =
            first < input->byte_count
                ? spn__checksum(input->bytes + first, input->byte_count - first,
                                WIRE_SEED)
                : 0,
        .file = CLIP_INDEX_NONE,
        .flags = input->flags,
        .frame_count = input->frame_count,
        .joint_count = input->joint_count,
        .rate_numerator = input->rate_numerator,
        .rate_denominator = input->rate_denominator,
    };
}

/* -- a database -- */

struct content {
    uint64_t hash;
    uint32_t clip; /* the first with these bytes has the lowest number */
};

static int by_content(const void *a, const void *b)
{
    const struct content *x = a;
    const struct content *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->clip < y->clip ? -1 : x->clip > y->clip;
}

static bool has_same_bytes(const struct clip_input *a,
                           const struct clip_input *b)
{
    return a->byte_count == b->byte_count &&
           memcmp(a->bytes, b->bytes, a->byte_count) == 0;
}

/* For each source, the first source with the same bytes. */
static uint32_t *find_equal(struct arena *arena,
                            const struct clip_input *sources, uint32_t count)
{
    struct content *contents = ARENA_NEW(arena, struct content, count);
    uint32_t *same = ARENA_NEW(arena, uint32_t, count);
    uint32_t first = 0; /* of those with the same hash */

    for (uint32_t i = 0; i < count; i++)
        contents[i] = (struct content){
            spn__hash64(sources[i].bytes, sources[i].byte_count, 0), i};
    if (count > 0)
        qsort(contents, count, sizeof *contents, by_content);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t clip = contents[i].clip;

        if (i == 0 || contents[i - 1].hash != contents[i].hash)
            first = i;
        same[clip] = clip;
        for (uint32_t k = first; k < i && same[clip] == clip; k++)
            if (has_same_bytes(&sources[contents[k].clip], &sources[clip]))
                same[clip] = contents[k].clip;
    }
    return same;
}

/* Give each clip its range, counted from the start of the data. Returns the
 * bytes of all. */
static uint64_t lay_out(const uint32_t *same, struct clip_facts *clips,
                        uint32_t count)
{
    uint64_t at = 0;

    for (uint32_t i = 0; i < count; i++)
        if (same[i] == i) {
            clips[i].offset = at;
            at += clips[i].bytes;
        } else {
            clips[i].offset = clips[same[i]].offset;
        }
    return at;
}

bool clip_database_make(struct arena *arena, struct diag *diag,
                        const char *path, const struct clip_input *sources,
                        uint32_t count, struct clip_index_file *out)
{
    struct clip_facts *clips = ARENA_NEW(arena, struct clip_facts, count);
    const uint32_t *same = find_equal(arena, sources, count);
    struct builder b = {
        .arena = arena,
        .diag = diag,
        .path = path,
        .clips = clips,
        .header = {.type = CLIP_INDEX_DATABASE, .clip_count = count}};
    uint64_t data_bytes;
    uint8_t *data;

    for (uint32_t i = 0; i < count; i++) {
        clips[i] = clip_input_facts(&sources[i]);
        if (sources[i].skeleton != sources[0].skeleton)
            return diag_refuse(diag, path, DIAG_NO_OFFSET, sources[i].name,
                               "its skeleton is not that of %s",
                               sources[0].name);
    }
    data_bytes = lay_out(same, clips, count);
    if (data_bytes > UINT32_MAX)
        return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                           "%llu bytes of clips, more than a database can have",
                           (unsigned long long)data_bytes);
    if (!plan(&b))
        return false;
    b.header.data_offset = clip_index_data_offset(b.header.index_bytes);
    b.header.file_bytes = b.header.data_offset + data_bytes;
    out->size = (size_t)b.header.file_bytes;
    out->bytes = ARENA_NEW(arena, uint8_t, out->size);
    data = out->bytes + b.header.data_offset;
    for (uint32_t i = 0; i < count; i++) {
        if (same[i] == i)
            memcpy(data + clips[i].offset, sources[i].bytes, clips[i].bytes);
        clips[i].offset += b.header.data_offset;
    }
    b.header.data_checksum = spn__checksum(data, (size_t)data_bytes, WIRE_SEED);
    return finish(&b, out);
}

/* -- an image -- */

bool clip_image_make(struct arena *arena, struct diag *diag, const char *path,
                     const struct clip_database_source *databases,
                     uint32_t database_count, const struct clip_input *clips,
                     uint32_t clip_count, struct clip_index_file *out)
{
    struct clip_data_file *files =
        ARENA_NEW(arena, struct clip_data_file, database_count);
    struct builder b = {
        .arena = arena,
        .diag = diag,
        .path = path,
        .files = files,
        .header = {.type = CLIP_INDEX_IMAGE, .file_count = database_count}};
    uint64_t count = clip_count;
    struct clip_facts *facts;
    uint32_t next = 0;

    for (uint32_t i = 0; i < database_count; i++)
        count += databases[i].index->header.clip_count;
    if (count > CLIP_INDEX_BYTES_MAX / sizeof(struct clip_wire_clip))
        return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                           "%llu clips are too many for one image",
                           (unsigned long long)count);
    facts = ARENA_NEW(arena, struct clip_facts, count);
    for (uint32_t i = 0; i < database_count; i++) {
        const struct clip_index *index = databases[i].index;

        files[i] = (struct clip_data_file){
            .path = databases[i].path,
            .data_offset = index->header.data_offset,
            .file_bytes = index->header.file_bytes,
            .data_checksum = index->header.data_checksum,
        };
        for (uint32_t k = 0; k < index->header.clip_count; k++) {
            facts[next] = spn__clip_index_clip(index, k);
            facts[next++].file = i;
        }
    }
    for (uint32_t i = 0; i < clip_count; i++)
        facts[next++] = clip_input_facts(&clips[i]);
    b.clips = facts;
    b.header.clip_count = next;
    if (!plan(&b))
        return false;
    out->size = CLIP_INDEX_HEADER_BYTES + (size_t)b.header.index_bytes;
    out->bytes = ARENA_NEW(arena, uint8_t, out->size);
    b.header.file_bytes = out->size;
    return finish(&b, out);
}
