/* clip_index_walk.c - see clip_index_walk.h. */
/* SPDX-License-Identifier: MIT */
#include "support/clip_index_walk.h"

#include "anim/clip_index_validate.h"
#include "harness.h"

#include <string.h>

spn_status clip_index_validate(const uint8_t *bytes, size_t size,
                               enum clip_index_type type,
                               struct clip_index *index, spn_fault *fault)
{
    struct clip_index_header header;
    spn_status status;

    if (size < CLIP_INDEX_HEADER_BYTES)
        return SPN_ERR_RANGE;
    status = spn__clip_index_validate_header(bytes, type, size, &header, fault);
    if (status == SPN_OK)
        status = spn__clip_index_validate(
            &header, bytes + CLIP_INDEX_HEADER_BYTES, index, fault);
    return status;
}

static void check_range(const struct clip_index *index,
                        const struct clip_facts *c, size_t size)
{
    if (c->file != CLIP_INDEX_NONE) {
        const struct clip_data_file f = spn__clip_index_file(index, c->file);

        CHECK(c->offset >= f.data_offset && c->offset <= f.file_bytes &&
              c->bytes <= f.file_bytes - c->offset);
    } else if (index->header.type == CLIP_INDEX_DATABASE) {
        CHECK(c->offset <= size && c->bytes <= size - c->offset);
    }
}

void clip_index_walk(const struct clip_index *index, size_t size)
{
    for (uint32_t i = 0; i < index->header.clip_count; i++) {
        const struct clip_facts c = spn__clip_index_clip(index, i);

        CHECK_EQ_U(
            spn__clip_index_find(index, c.name, (uint32_t)strlen(c.name)), i);
        CHECK(c.bytes > 0 && c.first_bytes > 0 && c.first_bytes <= c.bytes);
        CHECK(c.rate_numerator > 0 && c.rate_denominator > 0);
        CHECK(c.frame_count > 0 && c.joint_count > 0);
        /* A duration beyond 64 bits would be undefined behaviour. */
        (void)spn__clip_duration_us(&c);
        CHECK_EQ_U(spn__clip_index_file_of(index, i), c.file);
        check_range(index, &c, size);
    }
    for (uint32_t i = 0; i < index->header.file_count; i++) {
        const struct clip_data_file f = spn__clip_index_file(index, i);

        CHECK_EQ_U(
            spn__clip_index_find_file(index, f.path, (uint32_t)strlen(f.path)),
            i);
    }
}
