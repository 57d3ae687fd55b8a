/* platform_stub.c - a RAM disc and a virtual clock, without threads.
 *
 * Copy this file to begin a port, and replace one function after the other in
 * the order of platform.md. A read copies its bytes at once, but it completes
 * when a disc of the given rate would have ended it. Until then the runtime
 * must not access the memory. Integer arithmetic only, no C library.
 */
/* SPDX-License-Identifier: MIT */
#include "platform_stub.h"

#define US_PER_SECOND 1000000u

static int is_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

/* Place of a file on the disc: the end of the file before it. */
static uint64_t disc_offset(const spn_platform_stub *stub, uint32_t index)
{
    uint64_t offset = 0;

    for (uint32_t i = 0; i < index; i++)
        offset += stub->files[i].bytes;
    return offset;
}

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    const spn_platform_stub *stub = user;

    for (uint32_t i = 0; i < stub->file_count; i++) {
        if (!is_same(stub->files[i].path, path))
            continue;
        info->file = i;
        info->bytes = stub->files[i].bytes;
        info->disc_offset = disc_offset(stub, i);
        info->align_bytes = stub->align_bytes > 0 ? stub->align_bytes : 1;
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

/* Compilers replace this loop by memcpy if the machine has it. */
static void copy_bytes(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

/* Copy bytes of the file to the extents. Returns the number of bytes, which is
 * smaller at the end of the file. */
static uint64_t copy_out(const spn_stub_file *file, uint64_t offset,
                         const spn_extent *extents, uint32_t extent_count)
{
    const uint8_t *from = file->data;
    uint64_t copied = 0;

    if (offset > file->bytes)
        return 0;
    for (uint32_t i = 0; i < extent_count; i++) {
        uint64_t left = file->bytes - offset - copied;
        uint64_t bytes = extents[i].bytes < left ? extents[i].bytes : left;

        if (bytes == 0)
            break;
        copy_bytes(extents[i].data, from + offset + copied, bytes);
        copied += bytes;
    }
    return copied;
}

/* Time of a transfer, rounded up. The product is below 2^57: 16 extents of 4
 * GiB times a million. */
static uint64_t transfer_us(const spn_platform_stub *stub, uint64_t bytes)
{
    uint32_t speed = stub->bytes_per_second;

    if (speed == 0)
        return 0;
    return (bytes * US_PER_SECOND + speed - 1) / speed;
}

static spn_status read_submit(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    spn_platform_stub *stub = user;
    uint64_t place;

    if (stub->is_reading || file >= stub->file_count || extent_count == 0 ||
        extent_count > SPN_PLATFORM_EXTENTS_MAX)
        return SPN_ERR_ARG;
    stub->completion.tag = tag;
    stub->completion.status = SPN_OK;
    stub->completion.bytes =
        copy_out(&stub->files[file], offset, extents, extent_count);
    place = disc_offset(stub, (uint32_t)file) + offset;
    stub->due_us = stub->clock_us + transfer_us(stub, stub->completion.bytes);
    if (place != stub->head)
        stub->due_us += stub->seek_us;
    stub->head = place + stub->completion.bytes;
    stub->is_reading = 1;
    return SPN_OK;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    spn_platform_stub *stub = user;

    if (!stub->is_reading) {
        *due_us = UINT64_MAX;
        return SPN_PENDING;
    }
    if (stub->clock_us < stub->due_us) {
        *due_us = stub->due_us;
        return SPN_PENDING;
    }
    *out = stub->completion;
    stub->is_reading = 0;
    return SPN_OK;
}

/* The bytes are in memory already: the read ends now. */
static void read_cancel(void *user, uint32_t tag)
{
    spn_platform_stub *stub = user;

    if (stub->is_reading && stub->completion.tag == tag)
        stub->due_us = stub->clock_us;
}

static uint64_t now_us(void *user)
{
    const spn_platform_stub *stub = user;

    return stub->clock_us;
}

void spn_platform_stub_init(spn_platform_stub *stub, spn_platform *out)
{
    stub->head = 0;
    stub->is_reading = 0;
    /* Threads and events stay NULL: the runtime then works inside
     * spn_update. */
    *out = (spn_platform){0};
    out->user = stub;
    out->file_open = file_open;
    out->file_close = file_close;
    out->read_submit = read_submit;
    out->read_poll = read_poll;
    out->read_cancel = read_cancel;
    out->now_us = now_us;
}
