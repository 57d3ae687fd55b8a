/* anim_image.h - the header image in memory.
 *
 * The image is one read into one extent of the heap. A worker validates it,
 * then the caller's thread takes it over. Its bytes stay for the life of the
 * runtime.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_IMAGE_H
#define SPN_ANIM_ANIM_IMAGE_H

#include "anim/clip_index.h"
#include "base/heap.h"

#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

struct anim;

struct anim_image {
    /* caller */
    spn_status status; /* SPN_EMPTY; SPN_PENDING; SPN_OK; an error */
    spn_read read;     /* while it is pending */
    heap_handle block;
    struct clip_index index; /* without clips unless the status is SPN_OK */
    char path[SPN_PATH_BYTES_MAX];
    /* The worker, while the status is SPN_PENDING; then the caller */
    struct clip_index found;
    spn_status validation;
    spn_fault fault;
};

/* SPN_ERR_STATE if there is an image or one is being read; the errors of
 * spn_read_start. */
spn_status spn__anim_image_open(struct anim *a, const char *path);

#endif
