/* virtio_disc.c - a driver with one queue and one request at a time.
 *
 * Registers, descriptors and the order of set-up follow the Virtual I/O Device
 * specification (OASIS, version 1.1): 4.2 for memory-mapped devices, 2.6 for
 * split queues, 5.2 for block devices. The three parts of a request (header,
 * data, status) always use the same three descriptors.
 */
/* SPDX-License-Identifier: MIT */
#include "virtio_disc.h"

/* Addresses and interrupt lines of the board's devices: QEMU,
 * hw/riscv/virt.c. */
#define SLOT_FIRST 0x10001000u
#define SLOT_BYTES 0x1000u
#define SLOT_COUNT 8u
#define SLOT_LINE 1u

enum {
    MAGIC = 0x000,
    VERSION = 0x004,
    DEVICE_ID = 0x008,
    DRIVER_FEATURES = 0x020,
    DRIVER_FEATURES_SELECT = 0x024,
    QUEUE_SELECT = 0x030,
    QUEUE_COUNT_MAX = 0x034,
    QUEUE_COUNT = 0x038,
    QUEUE_READY = 0x044,
    QUEUE_NOTIFY = 0x050,
    INTERRUPT_STATUS = 0x060,
    INTERRUPT_ACKNOWLEDGE = 0x064,
    STATUS = 0x070,
    QUEUE_DESCRIPTORS = 0x080,
    QUEUE_AVAILABLE = 0x090,
    QUEUE_USED = 0x0a0
};

#define MAGIC_VALUE 0x74726976u
#define VERSION_VALUE 2u
#define BLOCK_DEVICE 2u
#define STATUS_ACKNOWLEDGE 1u
#define STATUS_DRIVER 2u
#define STATUS_DRIVER_OK 4u
#define STATUS_FEATURES_OK 8u
#define FEATURE_VERSION_1_HIGH 1u /* VIRTIO_F_VERSION_1 is bit 32 */

#define QUEUE_ENTRIES 4u
#define HAS_NEXT 1u
#define DEVICE_WRITES 2u
#define REQUEST_READ 0u

struct descriptor {
    uint64_t address;
    uint32_t bytes;
    uint16_t flags;
    uint16_t next;
};

static struct {
    _Alignas(16) struct descriptor descriptors[QUEUE_ENTRIES];
    struct {
        uint16_t flags;
        volatile uint16_t index;
        uint16_t entries[QUEUE_ENTRIES];
    } available;
    _Alignas(4) struct {
        uint16_t flags;
        volatile uint16_t index; /* written by the device */
        struct {
            uint32_t id;
            uint32_t bytes;
        } entries[QUEUE_ENTRIES];
    } used;
    struct {
        uint32_t type;
        uint32_t reserved;
        uint64_t sector;
    } request;
    volatile uint8_t verdict; /* written by the device; 0 is success */
    uint16_t used_seen;
    uint32_t slot;
} disc;

static volatile uint32_t *at(uint32_t offset)
{
    return (volatile uint32_t *)(uintptr_t)(SLOT_FIRST +
                                            disc.slot * SLOT_BYTES + offset);
}

/* Order accesses to memory and to registers as in the program. */
static void fence(void)
{
    __asm__ volatile("fence iorw, iorw" : : : "memory");
}

static void set_address(uint32_t offset, const void *address)
{
    *at(offset) = (uint32_t)(uintptr_t)address;
    *at(offset + 4) = (uint32_t)((uint64_t)(uintptr_t)address >> 32);
}

static bool find_device(void)
{
    for (disc.slot = 0; disc.slot < SLOT_COUNT; disc.slot++)
        if (*at(MAGIC) == MAGIC_VALUE && *at(VERSION) == VERSION_VALUE &&
            *at(DEVICE_ID) == BLOCK_DEVICE)
            return true;
    return false;
}

bool virtio_disc_init(void)
{
    uint32_t status = STATUS_ACKNOWLEDGE | STATUS_DRIVER;

    if (!find_device())
        return false;
    *at(STATUS) = 0;
    *at(STATUS) = status;
    *at(DRIVER_FEATURES_SELECT) = 0;
    *at(DRIVER_FEATURES) = 0;
    *at(DRIVER_FEATURES_SELECT) = 1;
    *at(DRIVER_FEATURES) = FEATURE_VERSION_1_HIGH;
    status |= STATUS_FEATURES_OK;
    *at(STATUS) = status;
    *at(QUEUE_SELECT) = 0;
    if (!(*at(STATUS) & STATUS_FEATURES_OK) ||
        *at(QUEUE_COUNT_MAX) < QUEUE_ENTRIES)
        return false;
    *at(QUEUE_COUNT) = QUEUE_ENTRIES;
    set_address(QUEUE_DESCRIPTORS, disc.descriptors);
    set_address(QUEUE_AVAILABLE, &disc.available);
    set_address(QUEUE_USED, &disc.used);
    *at(QUEUE_READY) = 1;
    *at(STATUS) = status | STATUS_DRIVER_OK;
    return true;
}

uint32_t virtio_disc_interrupt_line(void)
{
    return SLOT_LINE + disc.slot;
}

static void describe(uint16_t index, const volatile void *address,
                     uint32_t bytes, uint16_t flags)
{
    disc.descriptors[index] = (struct descriptor){
        (uint64_t)(uintptr_t)address, bytes, flags, (uint16_t)(index + 1)};
}

spn_status virtio_disc_start(void *user, uint64_t sector, void *data,
                             uint32_t bytes)
{
    (void)user;
    disc.request.type = REQUEST_READ;
    disc.request.sector = sector;
    disc.verdict = 0xff;
    describe(0, &disc.request, sizeof disc.request, HAS_NEXT);
    describe(1, data, bytes, HAS_NEXT | DEVICE_WRITES);
    describe(2, &disc.verdict, sizeof disc.verdict, DEVICE_WRITES);
    disc.available.entries[disc.available.index % QUEUE_ENTRIES] = 0;
    fence();
    disc.available.index++;
    fence();
    *at(QUEUE_NOTIFY) = 0;
    return SPN_OK;
}

bool virtio_disc_take(spn_status *status)
{
    *at(INTERRUPT_ACKNOWLEDGE) = *at(INTERRUPT_STATUS);
    fence();
    if (disc.used.index == disc.used_seen)
        return false;
    disc.used_seen++;
    fence();
    *status = disc.verdict == 0 ? SPN_OK : SPN_ERR_IO;
    return true;
}
