/* platform_dma.c - reads as a sequence of transfers of a disc controller.
 *
 * read_submit starts the first transfer of a read. Each interrupt starts the
 * next transfer; the last interrupt ends the read. The word `state` says which
 * thread owns the other fields: the interrupt handler while the state is BUSY,
 * otherwise the io thread. read_poll states no time of the next poll, because
 * the handler wakes the io thread.
 */
/* SPDX-License-Identifier: MIT */
#include "platform_dma.h"

#include <stdatomic.h>

enum { DISC_FREE, DISC_BUSY, DISC_ENDED };

static int is_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    const spn_platform_dma *disc = user;

    for (uint32_t i = 0; i < disc->file_count; i++) {
        if (!is_same(disc->files[i].path, path))
            continue;
        info->file = i;
        info->bytes = disc->files[i].bytes;
        info->disc_offset =
            disc->files[i].first_sector * disc->device.sector_bytes;
        info->align_bytes = disc->device.sector_bytes;
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

/* Start a transfer of the rest of the current extent, at most
 * command_bytes_max. */
static spn_status start_command(spn_platform_dma *disc)
{
    const spn_extent *extent = &disc->extents[disc->extent];
    uint32_t most = disc->device.command_bytes_max;
    uint8_t *data = extent->data;

    disc->command_bytes = extent->bytes - disc->extent_bytes;
    if (most > 0 && disc->command_bytes > most)
        disc->command_bytes = most;
    return disc->device.start(disc->device.user, disc->sector,
                              data + disc->extent_bytes, disc->command_bytes);
}

static spn_status read_submit(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    spn_platform_dma *disc = user;
    const spn_dma_file *of = disc->files;

    if (atomic_load_explicit(&disc->state, memory_order_relaxed) != DISC_FREE ||
        file >= disc->file_count || extent_count == 0 ||
        extent_count > SPN_PLATFORM_EXTENTS_MAX ||
        offset % disc->device.sector_bytes != 0)
        return SPN_ERR_ARG;
    of += file;
    for (uint32_t i = 0; i < extent_count; i++)
        disc->extents[i] = extents[i];
    disc->extent_count = extent_count;
    disc->extent = 0;
    disc->extent_bytes = 0;
    disc->sector = of->first_sector + offset / disc->device.sector_bytes;
    disc->bytes_left = offset < of->bytes ? of->bytes - offset : 0;
    disc->completion.tag = tag;
    disc->completion.status = SPN_OK;
    disc->completion.bytes = 0;
    atomic_store_explicit(&disc->is_cancelled, 0, memory_order_relaxed);
    /* The handler may run before start_command has returned. */
    atomic_store_explicit(&disc->state, DISC_BUSY, memory_order_release);
    if (start_command(disc) == SPN_OK)
        return SPN_OK;
    atomic_store_explicit(&disc->state, DISC_FREE, memory_order_relaxed);
    return SPN_ERR_IO;
}

/* Bytes of the file among the transferred bytes. The last sector may contain
 * bytes after the end of the file. */
static void end_read(spn_platform_dma *disc, spn_status status)
{
    disc->completion.status = status;
    if (disc->completion.bytes > disc->bytes_left)
        disc->completion.bytes = disc->bytes_left;
    if (status != SPN_OK)
        disc->completion.bytes = 0;
    /* Pairs with the load in read_poll. */
    atomic_store_explicit(&disc->state, DISC_ENDED, memory_order_release);
    if (disc->device.wake)
        disc->device.wake(disc->device.user);
}

void spn_platform_dma_interrupt(spn_platform_dma *disc, spn_status status)
{
    /* Pairs with the store in read_submit. Spurious interrupts are ignored. */
    if (atomic_load_explicit(&disc->state, memory_order_acquire) != DISC_BUSY)
        return;
    if (status == SPN_OK) {
        disc->completion.bytes += disc->command_bytes;
        disc->sector += disc->command_bytes / disc->device.sector_bytes;
        disc->extent_bytes += disc->command_bytes;
        if (disc->extent_bytes == disc->extents[disc->extent].bytes) {
            disc->extent++;
            disc->extent_bytes = 0;
        }
        /* A cancelled read ends with the bytes that have arrived. */
        if (disc->extent < disc->extent_count &&
            disc->completion.bytes < disc->bytes_left &&
            !atomic_load_explicit(&disc->is_cancelled, memory_order_relaxed)) {
            status = start_command(disc);
            if (status == SPN_OK)
                return;
        }
    }
    end_read(disc, status == SPN_OK ? SPN_OK : SPN_ERR_IO);
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    spn_platform_dma *disc = user;

    if (atomic_load_explicit(&disc->state, memory_order_acquire) !=
        DISC_ENDED) {
        *due_us = UINT64_MAX;
        return SPN_PENDING;
    }
    *out = disc->completion;
    atomic_store_explicit(&disc->state, DISC_FREE, memory_order_relaxed);
    return SPN_OK;
}

/* The current transfer is not stopped, but the next one is not started. */
static void read_cancel(void *user, uint32_t tag)
{
    spn_platform_dma *disc = user;

    /* The tag is not written while the read is under way. */
    if (atomic_load_explicit(&disc->state, memory_order_relaxed) != DISC_FREE &&
        disc->completion.tag == tag)
        atomic_store_explicit(&disc->is_cancelled, 1, memory_order_relaxed);
}

static uint64_t now_us(void *user)
{
    const spn_platform_dma *disc = user;

    return disc->device.now_us(disc->device.user);
}

void spn_platform_dma_init(spn_platform_dma *disc, spn_platform *out)
{
    atomic_store_explicit(&disc->state, DISC_FREE, memory_order_relaxed);
    *out = (spn_platform){0};
    out->user = disc;
    out->file_open = file_open;
    out->file_close = file_close;
    out->read_submit = read_submit;
    out->read_poll = read_poll;
    out->read_cancel = read_cancel;
    out->now_us = now_us;
    /* If the controller is not coherent with the CPU's cache, the port must set
     * out->cache_flush and out->cache_invalidate (platform.md). */
}
