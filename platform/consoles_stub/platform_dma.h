/* platform_dma.h - reads by a disc controller that writes memory itself and
 * raises an interrupt at the end: the asynchronous reads of a port.
 *
 * A template, like platform_stub.h. The port supplies the functions of the
 * controller (spn_dma_device). With an io thread, the thread sleeps until the
 * interrupt. Without threads, spn_update never waits for the disc. Needs no C
 * library.
 *
 *   io thread: read_submit --start--> controller --interrupt--> start ... wake
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_PLATFORM_DMA_H
#define SPINDLE_PLATFORM_DMA_H

#include <spindle/platform.h>

#ifdef __cplusplus
extern "C" {
/* C++ needs only the size of the word: the functions that use it are in C. */
typedef uint32_t spn_dma_word;
#else
typedef _Atomic uint32_t spn_dma_word;
#endif

#define SPN_DMA_FILES_MAX 32u

/* An entry of the disc's table of contents. */
typedef struct spn_dma_file {
    const char *path;      /* compared exactly; must outlive the disc */
    uint64_t first_sector; /* the sectors of the file are contiguous */
    uint64_t bytes;        /* exact size of the file */
} spn_dma_file;

/* The controller. The port fills it in before spn_platform_dma_init and must
 * not change it afterwards. */
typedef struct spn_dma_device {
    void *user;
    uint32_t sector_bytes;      /* power of two, at most 4096; at least a cache
                                 * line of the CPU, unless the device is
                                 * coherent with the cache */
    uint32_t command_bytes_max; /* largest transfer, a multiple of sector_bytes;
                                 * 0: there is no limit */
    /* Start a transfer of `bytes` (a multiple of sector_bytes) from `sector` to
     * `data`, and return without waiting. Returns SPN_OK if it was started:
     * then spn_platform_dma_interrupt must be called once, at the end. The
     * interrupt may come before this function returns. Any other result means
     * that nothing was started. Called by the io thread (without threads:
     * inside spn_update), and inside spn_platform_dma_interrupt. */
    spn_status (*start)(void *user, uint64_t sector, void *data,
                        uint32_t bytes);
    /* As spn_platform.now_us. */
    uint64_t (*now_us)(void *user);
    /* Signal the io event (SPN_EVENT_FOR_IO of event_create). Called inside
     * spn_platform_dma_interrupt; NULL without threads. With several cores the
     * io thread may take the completion, and spn_shutdown may destroy the
     * event, before this call. The call must then have no effect. */
    void (*wake)(void *user);
} spn_dma_device;

/* The disc. The caller sets it to zero, fills in files, file_count and device,
 * and calls spn_platform_dma_init. It needs no clean-up. */
typedef struct spn_platform_dma {
    spn_dma_file files[SPN_DMA_FILES_MAX];
    uint32_t file_count;
    spn_dma_device device;
    /* private. Owner: the interrupt handler while `state` says that a read is
     * under way; otherwise the io thread */
    spn_extent extents[SPN_PLATFORM_EXTENTS_MAX];
    uint32_t extent_count;
    uint32_t extent;        /* index of the extent that is being filled */
    uint32_t extent_bytes;  /* bytes of that extent that are filled */
    uint32_t command_bytes; /* bytes of the current transfer */
    uint64_t sector;        /* first sector of the next transfer */
    uint64_t bytes_left;    /* bytes of the file from the read's offset */
    spn_platform_completion completion;
    /* atomic */
    spn_dma_word state;
    spn_dma_word is_cancelled;
} spn_platform_dma;

/* Fill the table, except threads, events and the cache functions, which the
 * port adds. All functions of the table receive `disc` as `user`. */
void spn_platform_dma_init(spn_platform_dma *disc, spn_platform *out);

/* Report the end of the transfer that was started last. Must be called by the
 * interrupt handler of the controller, on any core.
 *
 * status  SPN_OK or SPN_ERR_IO */
void spn_platform_dma_interrupt(spn_platform_dma *disc, spn_status status);

#ifdef __cplusplus
}
#endif
#endif
