/* start_riscv.c - play_hashes on a bare RISC-V board, from a disc that raises
 * interrupts.
 *
 * No operating system and no C library: the serial port carries the output, the
 * board's test device the exit code; the interrupt controller (PLIC) serves the
 * disc. The disc, QEMU's virtio block device, begins with a table of contents
 * made by make_disc.sh: for each file its first sector and its bytes.
 */
/* SPDX-License-Identifier: MIT */
#include "everywhere/play_hashes.h"

#include "base/endian.h"
#include "platform/consoles_stub/platform_dma.h"
#include "virtio_disc.h"

/* QEMU, hw/riscv/virt.c and hw/misc/sifive_test.c */
#define SERIAL_PORT 0x10000000u
#define SWITCH 0x00100000u
#define SWITCH_PASS 0x5555u
#define SWITCH_FAIL 0x3333u

/* RISC-V platform-level interrupt controller. Context 0 is this core's machine
 * mode. */
#define PLIC 0x0c000000u
#define PLIC_ENABLE (PLIC + 0x2000u)
#define PLIC_THRESHOLD (PLIC + 0x200000u)
#define PLIC_CLAIM (PLIC + 0x200004u)

#define MIE_EXTERNAL 0x800u
#define MSTATUS_MIE 0x8u
#define CAUSE_EXTERNAL (UINT64_C(1) << 63 | 11u)

_Static_assert(PLAY_SECTOR_BYTES == VIRTIO_SECTOR_BYTES, "sectors are whole");

void start(void);
void handle(void);

static struct play_hashes play;
static spn_platform_dma disc;
static _Alignas(16) uint8_t contents[VIRTIO_SECTOR_BYTES];

/* Written by the interrupt handler. Other code reads it while interrupts are
 * masked. */
static volatile uint32_t interrupts;
static volatile bool is_busy;
static uint32_t commands;
static uint32_t waits; /* times that the core slept because it had no work */

static volatile uint32_t *word_at(uint32_t address)
{
    return (volatile uint32_t *)(uintptr_t)address;
}

/* -- board -- */

static void say(const char *line)
{
    volatile uint8_t *port = (volatile uint8_t *)(uintptr_t)SERIAL_PORT;

    while (*line)
        *port = (uint8_t)*line++;
    *port = '\n';
}

_Noreturn static void leave(uint32_t code)
{
    for (;;)
        *word_at(SWITCH) = code == 0 ? SWITCH_PASS : code << 16 | SWITCH_FAIL;
}

static void hold_interrupts(void)
{
    __asm__ volatile("csrci mstatus, 8" : : : "memory");
}

static void let_interrupts(void)
{
    __asm__ volatile("csrsi mstatus, 8" : : : "memory");
}

static void enable_interrupt(uint32_t line)
{
    *word_at(PLIC + 4 * line) = 1; /* priority of the line */
    *word_at(PLIC_ENABLE) = 1u << line;
    *word_at(PLIC_THRESHOLD) = 0;
    __asm__ volatile("csrs mie, %0" : : "r"(MIE_EXTERNAL));
    let_interrupts();
}

/* The attribute lets the compiler save all registers used, floats included. */
__attribute__((interrupt("machine"), aligned(4))) void handle(void)
{
    uint64_t cause;
    uint32_t line;
    spn_status status;

    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    if (cause != CAUSE_EXTERNAL) {
        say("fault");
        leave(99);
    }
    line = *word_at(PLIC_CLAIM);
    if (virtio_disc_take(&status)) {
        interrupts++;
        is_busy = false;
        spn_platform_dma_interrupt(&disc, status);
    }
    *word_at(PLIC_CLAIM) = line;
}

/* -- the disc -- */

static spn_status start_command(void *user, uint64_t sector, void *data,
                                uint32_t bytes)
{
    commands++;
    is_busy = true;
    return virtio_disc_start(user, sector, data, bytes);
}

static uint64_t now_us(void *user)
{
    const struct play_hashes *of = user;

    return of->stub.clock_us;
}

/* Sleep until the disc is idle. An interrupt between the test and the wfi still
 * ends the wfi, although interrupts are masked. */
static void wait_for_disc(void)
{
    hold_interrupts();
    while (is_busy) {
        waits++;
        __asm__ volatile("wfi");
        let_interrupts();
        hold_interrupts();
    }
    let_interrupts();
}

void play_machine_settle(struct play_hashes *of)
{
    (void)of;
    wait_for_disc();
}

void play_machine_init(struct play_hashes *of, spn_platform *out)
{
    for (uint32_t i = 0; i < PLAY_FILES; i++) {
        disc.files[i].path = of->files[i].name;
        disc.files[i].first_sector = spn_load_u64le(contents + 16 * i);
        disc.files[i].bytes = spn_load_u64le(contents + 16 * i + 8);
    }
    disc.file_count = PLAY_FILES;
    disc.device.user = of;
    disc.device.sector_bytes = PLAY_SECTOR_BYTES;
    disc.device.command_bytes_max = 32768;
    disc.device.start = start_command;
    disc.device.now_us = now_us;
    spn_platform_dma_init(&disc, out);
}

/* The frames are the same with any disc. This code also checks that the disc
 * raised an interrupt for each command, and that the core played meanwhile. */
void start(void)
{
    int failed;

    if (!virtio_disc_init()) {
        say("no disc");
        leave(97);
    }
    enable_interrupt(virtio_disc_interrupt_line());
    (void)start_command(NULL, 0, contents, sizeof contents);
    wait_for_disc();
    failed = play_hashes(&play, say);
    if (failed)
        leave((uint32_t)failed);
    leave(commands > PLAY_FILES && interrupts == commands && waits > 0 ? 0
                                                                       : 98);
}
