/* anim_loose.c - read headers of clip files, and append rows. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_loose.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clip.h"
#include "anim/anim_system.h"
#include "base/hash64.h"
#include "base/mem.h"
#include "base/wire.h"
#include "pak/pak_name.h"
#include "read/io_start.h"

SPN_STATIC_ASSERT(PAK_NAME_BYTES_MAX <= SPN_PATH_BYTES_MAX,
                  loose_name_fits_path);
SPN_STATIC_ASSERT(LOOSE_HEADER_BYTES == ANIM_CLIP_HEADER_BYTES,
                  loose_header_bytes);

struct anim_loose *spn__anim_loose_init(struct carve *carve,
                                        uint32_t clip_count)
{
    struct anim_loose *loose = SPN_CARVE(carve, struct anim_loose, 1);
    const struct anim_loose carved = {
        .clips = SPN_CARVE(carve, struct clip_wire_clip, clip_count),
        .kinds = SPN_CARVE(carve, struct clip_wire_kind, clip_count),
        .queue = SPN_CARVE(carve, uint32_t, clip_count),
        .name_capacity = clip_count * LOOSE_NAME_BYTES,
        .names = spn__carve(carve, clip_count, LOOSE_NAME_BYTES, 1)};

    if (loose)
        *loose = carved;
    return loose;
}

/* -- rows -- */

static uint32_t name_bytes(const char *name)
{
    uint32_t bytes = 0;

    while (bytes < PAK_NAME_BYTES_MAX && name[bytes] != 0)
        bytes++;
    return bytes;
}

/* The number of the kind of a clip; a new one if there is none like it. */
static uint32_t kind_of(struct anim *a, const struct clip_wire_kind *wire)
{
    struct clip_index *index = &a->image.index;
    uint32_t kind = 0;

    while (kind < index->header.kind_count &&
           memcmp(&a->loose->kinds[kind], wire, sizeof *wire) != 0)
        kind++;
    if (kind == index->header.kind_count)
        a->loose->kinds[index->header.kind_count++] = *wire;
    return kind;
}

/* Remove a name that no clip has. All names behind it are of files that were
 * not read yet. */
static void remove_name(struct anim *a, uint32_t name)
{
    struct anim_loose *loose = a->loose;
    const uint32_t removed = name_bytes(loose->names + name) + 1;

    memmove(loose->names + name, loose->names + name + removed,
            loose->name_bytes - name - removed);
    loose->name_bytes -= removed;
    loose->added--;
    for (uint32_t i = 0; i < loose->queue_count; i++)
        loose->queue[(loose->queue_first + i) % a->config.clip_count] -=
            removed;
}

/* A file that was named twice is one clip. */
static void append(struct anim *a, uint32_t name,
                   const struct anim_clip_header *h)
{
    struct anim_loose *loose = a->loose;
    struct clip_index *index = &a->image.index;
    struct clip_wire_clip *wire = &loose->clips[index->header.clip_count];
    struct clip_wire_kind kind;

    if (spn__anim_loose_find(a, loose->names + name,
                             name_bytes(loose->names + name)) !=
        CLIP_INDEX_NONE) {
        remove_name(a, name);
        return;
    }
    memset(wire, 0, sizeof *wire);
    spn_store_u64le(kind.skeleton, h->skeleton);
    spn_store_u32le(kind.rest_pose_hash, h->rest_pose_hash);
    spn_store_u32le(kind.joint_count, h->joint_count);
    spn_store_u32le(kind.rate_numerator, h->rate_numerator);
    spn_store_u32le(kind.rate_denominator, h->rate_denominator);
    spn_store_u64le(wire->named.hash,
                    spn__hash64(loose->names + name,
                                name_bytes(loose->names + name),
                                NAME_HASH_SEED));
    spn_store_u32le(wire->named.name, name);
    spn_store_u32le(wire->file, CLIP_INDEX_NONE);
    spn_store_u32le(wire->kind, kind_of(a, &kind));
    spn_store_u16le(wire->flags,
                    (uint16_t)(CLIP_IS_UNVERIFIED |
                               (h->loops ? CLIP_LOOPS : 0) |
                               (h->loop_closes ? CLIP_LOOP_CLOSES : 0) |
                               (h->is_additive ? CLIP_IS_ADDITIVE : 0) |
                               (h->has_root_motion ? CLIP_HAS_ROOT_MOTION : 0) |
                               (h->has_scale ? CLIP_HAS_SCALE : 0)));
    spn_store_u32le(wire->bytes, h->file_bytes);
    spn_store_u32le(wire->first_bytes, h->file_bytes);
    spn_store_u32le(wire->frame_count, h->frame_count);
    index->header.name_bytes = loose->name_bytes;
    index->clips = (const uint8_t *)loose->clips;
    index->kinds = (const uint8_t *)loose->kinds;
    index->names = loose->names;
    a->stats.clip_count = ++index->header.clip_count;
    /* The names of files that were not read yet are behind this one. */
    a->stats.header_bytes =
        (uint64_t)index->header.clip_count * sizeof *loose->clips +
        (uint64_t)index->header.kind_count * sizeof *loose->kinds + name +
        name_bytes(loose->names + name) + 1;
}

/* -- reads -- */

/* The first failure is reported. Its path outlives the name. */
static void fail(struct anim *a, uint32_t name, spn_status status,
                 const spn_fault *fault)
{
    struct anim_image *image = &a->image;
    const char *path = a->loose->names + name;

    if (a->loose->status == SPN_OK) {
        a->loose->status = status;
        memcpy(image->path, path, name_bytes(path) + 1);
        image->fault = *fault;
        image->fault.status = status;
        image->fault.file = image->path;
    }
    remove_name(a, name);
}

static void take_header(const spn_read_result *result)
{
    struct anim *a = result->user;
    struct anim_loose *loose = a->loose;
    const uint32_t name = loose->queue[loose->queue_first];
    struct anim_clip_header header;
    spn_fault fault = {.what = "header of a clip"};
    spn_status status = result->status;

    a->image.read = 0;
    if (++loose->queue_first == a->config.clip_count)
        loose->queue_first = 0;
    loose->queue_count--;
    if (status == SPN_OK)
        status = spn__anim_clip_read_header(loose->header, &header, &fault);
    if (status == SPN_OK)
        append(a, name, &header);
    else
        fail(a, name, status, &fault);
    if (loose->queue_count == 0)
        a->image.status = loose->status;
}

void spn__anim_loose_update(struct anim *a)
{
    struct anim_loose *loose = a->loose;
    spn_read_desc desc = {.bytes = LOOSE_HEADER_BYTES,
                          .buffer_bytes = LOOSE_HEADER_BYTES,
                          .priority = SPN_PRIORITY_ABOVE_NORMAL,
                          .task = SPN_TASK_ANIMATION,
                          .on_done = take_header,
                          .user = a};

    if (!loose || loose->queue_count == 0 || a->image.read != 0)
        return;
    desc.path = loose->names + loose->queue[loose->queue_first];
    desc.buffer = loose->header;
    (void)!spn__io_read_start(a->config.io, &desc, &a->image.read);
}

spn_status spn__anim_loose_add(struct anim *a, const char *path)
{
    struct anim_loose *loose = a->loose;
    const uint32_t bytes = name_bytes(path);
    uint32_t at;

    if (!spn__pak_name_is_good(path, bytes) || bytes == PAK_NAME_BYTES_MAX)
        return SPN_ERR_ARG;
    if (spn__anim_loose_find(a, path, bytes) != CLIP_INDEX_NONE)
        return SPN_OK;
    if (loose->added == a->config.clip_count ||
        bytes + 1 > loose->name_capacity - loose->name_bytes)
        return SPN_ERR_TABLE_FULL;
    memcpy(loose->names + loose->name_bytes, path, bytes + 1);
    at = loose->queue_first + loose->queue_count;
    if (at >= a->config.clip_count)
        at -= a->config.clip_count;
    loose->queue[at] = loose->name_bytes;
    loose->name_bytes += bytes + 1;
    loose->queue_count++;
    loose->added++;
    /* The result is that of the files that are named together. */
    if (a->image.status != SPN_PENDING)
        loose->status = SPN_OK;
    a->image.status = SPN_PENDING;
    return SPN_OK;
}

uint32_t spn__anim_loose_find(const struct anim *a, const char *name,
                              uint32_t bytes)
{
    const struct clip_index *index = &a->image.index;
    const uint64_t hash = spn__hash64(name, bytes, NAME_HASH_SEED);

    for (uint32_t i = 0; i < index->header.clip_count; i++) {
        const struct wire_named *wire = &clip_wire_clip_at(index, i)->named;
        const char *found = index->names + spn_load_u32le(wire->name);

        if (spn_load_u64le(wire->hash) == hash && name_bytes(found) == bytes &&
            memcmp(found, name, bytes) == 0)
            return i;
    }
    return CLIP_INDEX_NONE;
}

#endif
