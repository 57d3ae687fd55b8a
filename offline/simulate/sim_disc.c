/* sim_disc.c - files in memory, and generated files.
 *
 * A generated file consists of 8-byte words; each is a hash of its index.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_disc.h"

#include "base/endian.h"

#include <string.h>

#define WORD 8u
#define BLOCK 512u

static uint64_t word_at(uint64_t index)
{
    index *= UINT64_C(0x9e3779b97f4a7c15);
    return index ^ index >> 29;
}

static uint8_t byte_at(uint64_t offset)
{
    return (uint8_t)(word_at(offset / WORD) >> offset % WORD * 8);
}

void sim_disc_fill(uint64_t offset, uint8_t *out, uint64_t bytes)
{
    while (bytes > 0 && offset % WORD != 0) {
        *out++ = byte_at(offset++);
        bytes--;
    }
    for (; bytes >= WORD; bytes -= WORD) {
        spn_store_u64le(out, word_at(offset / WORD));
        out += WORD;
        offset += WORD;
    }
    while (bytes-- > 0)
        *out++ = byte_at(offset++);
}

bool sim_disc_is_equal(uint64_t offset, const uint8_t *data, uint64_t bytes)
{
    uint8_t block[BLOCK];

    while (bytes > 0) {
        uint64_t part = bytes < BLOCK ? bytes : BLOCK;

        sim_disc_fill(offset, block, part);
        if (memcmp(block, data, (size_t)part) != 0)
            return false;
        offset += part;
        data += part;
        bytes -= part;
    }
    return true;
}

/* -- the table -- */

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    const struct sim_disc *disc = user;

    for (uint32_t i = 0; i < disc->file_count; i++) {
        if (strcmp(path, disc->files[i].path) != 0)
            continue;
        info->file = i;
        info->bytes = disc->files[i].bytes;
        info->align_bytes = 1;
        info->medium = SPN_MEDIUM_OPTICAL;
        return SPN_OK;
    }
    return SPN_ERR_NOT_FOUND;
}

static void file_close(void *user, spn_platform_file file)
{
    (void)user;
    (void)file;
}

static spn_status read_submit(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    struct sim_disc *disc = user;
    const struct sim_disc_file *read = &disc->files[file];
    uint64_t left = offset < read->bytes ? read->bytes - offset : 0;

    disc->completion = (spn_platform_completion){.tag = tag, .status = SPN_OK};
    for (uint32_t i = 0; i < extent_count; i++) {
        uint64_t part = extents[i].bytes < left ? extents[i].bytes : left;

        if (read->data)
            memcpy(extents[i].data, read->data + offset, (size_t)part);
        else
            sim_disc_fill(offset, extents[i].data, part);
        offset += part;
        left -= part;
        disc->completion.bytes += part;
    }
    disc->is_reading = true;
    return SPN_OK;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    struct sim_disc *disc = user;

    *due_us = UINT64_MAX;
    if (!disc->is_reading)
        return SPN_PENDING;
    disc->is_reading = false;
    *out = disc->completion;
    return SPN_OK;
}

static uint64_t now_us(void *user)
{
    const struct sim_disc *disc = user;

    return disc->clock_us;
}

void sim_disc_init(struct sim_disc *disc, const struct sim_disc_file *files,
                   uint32_t file_count, spn_platform *table)
{
    memset(disc, 0, sizeof *disc);
    disc->files = files;
    disc->file_count = file_count;
    *table = (spn_platform){.user = disc,
                            .file_open = file_open,
                            .file_close = file_close,
                            .read_submit = read_submit,
                            .read_poll = read_poll,
                            .now_us = now_us};
}
