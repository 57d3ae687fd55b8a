/* anim_image.c - read, validate and keep the header image. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_image.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_system.h"
#include "anim/clip_index_validate.h"
#include "base/heap_view.h"
#include "base/wire.h"
#include "play/promise.h"
#include "read/io_start.h"

static spn_status validate(struct anim_image *image,
                           const struct anim_config *config,
                           const uint8_t *bytes, uint64_t count)
{
    struct clip_index_header header;
    spn_status status;

    if (count < CLIP_INDEX_HEADER_BYTES)
        return wire_refuse_wide(&image->fault, "file size", 0, count);
    status = spn__clip_index_validate_header(bytes, CLIP_INDEX_IMAGE, count,
                                             &header, &image->fault);
    if (status != SPN_OK)
        return status;
    if (header.clip_count > config->clip_count)
        return wire_refuse_for(&image->fault, SPN_ERR_TABLE_FULL,
                               "number of clips", 12, header.clip_count,
                               config->clip_count);
    if (header.file_count > config->database_count)
        return wire_refuse_for(&image->fault, SPN_ERR_TABLE_FULL,
                               "number of files", 20, header.file_count,
                               config->database_count);
    return spn__clip_index_validate(&header, bytes + CLIP_INDEX_HEADER_BYTES,
                                    &image->found, &image->fault);
}

/* On a worker: it may take longer than an update should. */
static void validate_image(const spn_read_result *result)
{
    struct anim *a = result->user;
    struct heap *heap = a->config.heap;

    if (result->status == SPN_OK && result->block != 0)
        a->image.validation =
            validate(&a->image, &a->config, spn__heap_data(heap, result->block),
                     result->bytes);
}

static void end(struct anim_image *image, spn_status status)
{
    image->status = status;
    image->fault.status = status;
    image->fault.file = image->path;
}

/* An empty file has no block. */
static void take_image(const spn_read_result *result)
{
    struct anim *a = result->user;
    struct anim_image *image = &a->image;

    image->read = 0;
    if (result->status == SPN_OK && result->block == 0)
        image->validation = validate(image, &a->config, NULL, 0);
    if (result->status != SPN_OK) {
        image->fault = (spn_fault){.what = "header image"};
        end(image, result->status);
    } else if (image->validation != SPN_OK) {
        if (result->block != 0)
            spn__promise_return_block(&a->config.manager->promises,
                                      result->block);
        end(image, image->validation);
    } else {
        spn__heap_set_tag(a->config.heap, result->block, HEAP_TAG_STATIC);
        image->block = result->block;
        image->index = image->found;
        image->status = SPN_OK;
        a->stats.clip_count = image->index.header.clip_count;
        a->stats.header_bytes = spn__heap_bytes(a->config.heap, image->block);
    }
}

spn_status spn__anim_image_open(struct anim *a, const char *path)
{
    const spn_read_desc desc = {.path = path,
                                .priority = SPN_PRIORITY_ABOVE_NORMAL,
                                .task = SPN_TASK_ANIMATION,
                                .flags = SPN_READ_INTO_HEAP,
                                .heap_unit_bytes = UINT32_MAX,
                                .on_async = validate_image,
                                .on_done = take_image,
                                .user = a};
    struct anim_image *image = &a->image;
    const spn_fault fault = image->fault;
    spn_status status;

    if (a->loose || (image->status >= SPN_OK && image->status != SPN_EMPTY))
        return SPN_ERR_STATE;
    image->fault = (spn_fault){.what = NULL};
    status = spn__io_read_start(a->config.io, &desc, &image->read);
    if (status != SPN_OK) {
        image->fault = fault;
        return status;
    }
    for (uint32_t i = 0; i < SPN_PATH_BYTES_MAX; i++) {
        image->path[i] = path[i];
        if (path[i] == 0)
            break;
    }
    image->status = SPN_PENDING;
    return SPN_OK;
}

#endif
