/* platform_dma.h - a disc whose controller writes memory by itself and
 * interrupts when it has done so: the asynchronous form of a port's reads.
 *
 * A template, like platform_stub.h: the two functions of the controller are the
 * port's. It works with an io thread, which sleeps until the interrupt, and
 * without threads, where spn_update never waits for the disc. Needs no C
 * library.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_DMA_H
#define SPINDLE_PLATFORM_DMA_H

#include <spindle/platform.h>

#ifdef __cplusplus
extern "C" {
/* As large, and the functions that look at it are in C. */
typedef uint32_t spn_dma_word;
#else
typedef _Atomic uint32_t spn_dma_word;
#endif

#define SPN_DMA_FILES_MAX 32u

/* An entry of the disc's table of contents. */
typedef struct spn_dma_file {
    const char *path;      /* exact match; lives as long as the disc */
    uint64_t first_sector; /* the file lies in one piece */
    uint64_t bytes;        /* exact */
} spn_dma_file;

/* The controller. Fill in and leave unchanged. */
typedef struct spn_dma_device {
    void *user;
    uint32_t sector_bytes;      /* power of two, at most 4096; not less than a
                                 * line of the CPU's cache, unless that is
                                 * coherent */
    uint32_t command_bytes_max; /* of one transfer, a multiple of sector_bytes;
                                 * 0: there is no limit */
    /* Begin to transfer `bytes` (a multiple of sector_bytes) from `sector` on
     * to `data`, and return. SPN_OK: spn_platform_dma_interrupt will be called,
     * once, not before this function was entered. Else nothing was begun.
     * Called by the io thread (without threads: inside spn_update), and inside
     * spn_platform_dma_interrupt. */
    spn_status (*start)(void *user, uint64_t sector, void *data,
                        uint32_t bytes);
    /* As spn_platform.now_us. */
    uint64_t (*now_us)(void *user);
    /* Signal the io event (SPN_EVENT_FOR_IO of event_create). Called inside
     * spn_platform_dma_interrupt; NULL without threads. With several cores the
     * call may come after the completion was taken, and so after spn_shutdown
     * has destroyed the event: it must do no harm then. */
    void (*wake)(void *user);
} spn_dma_device;

/* Plain memory; zero it, fill in the directory and the device, then
 * spn_platform_dma_init. */
typedef struct spn_platform_dma {
    spn_dma_file files[SPN_DMA_FILES_MAX];
    uint32_t file_count;
    spn_dma_device device;
    /* private; io thread, but the interrupt's while `state` says that a read
     * is under way */
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
    uint32_t extent;       /* the one that is being filled, */
    uint32_t extent_bytes; /* and what of it is filled */
    uint32_t command_bytes;
    uint64_t sector;     /* of the next byte */
    uint64_t bytes_left; /* of the file, from the read's offset on */
    spn_platform_completion completion;
    /* atomic */
    spn_dma_word state;
    spn_dma_word is_cancelled;
} spn_platform_dma;

/* Fill all of the table but threads, events and the functions for caches:
 * those are the port's to add. Functions that it adds get `disc` as `user`. */
void spn_platform_dma_init(spn_platform_dma *disc, spn_platform *out);

/* The transfer that was started last has ended: SPN_OK, or SPN_ERR_IO. From the
 * controller's interrupt handler, on any core. */
void spn_platform_dma_interrupt(spn_platform_dma *disc, spn_status status);

#ifdef __cplusplus
}
#endif
#endif
