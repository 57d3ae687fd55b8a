/* virtio_disc.h - QEMU's virtio block device as the controller of a DMA disc.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RISCV_VIRTIO_DISC_H
#define TESTS_RISCV_VIRTIO_DISC_H

#include "platform/consoles_stub/platform_dma.h"

#include <stdbool.h>

#define VIRTIO_SECTOR_BYTES 512u

/* Find the device and set it up. False when the board has none. */
bool virtio_disc_init(void);

/* The device's line at the interrupt controller; fixed after init. */
uint32_t virtio_disc_interrupt_line(void);

/* spn_dma_device.start, in sectors of VIRTIO_SECTOR_BYTES. One command at a
 * time.
 */
spn_status virtio_disc_start(void *user, uint64_t sector, void *data,
                             uint32_t bytes);

/* Call in the interrupt handler: acknowledge, and store how the command ended.
 * False when no command ended. */
bool virtio_disc_take(spn_status *status);

#endif
