/* start_riscv.c - play_hashes on a bare RISC-V board, from a disc that
 * interrupts.
 *
 * No operating system and no C library: the serial port for output, the board's
 * switch for the exit code, its interrupt controller (PLIC) for the disc. The
 * disc (QEMU's virtio block device) begins with a table of contents, which
 * make_disc.sh has made: for each file its first sector and its bytes.
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

/* RISC-V platform-level interrupt controller; context 0 is this core's machine
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

/* The handler's, and read where it cannot run in between. */
static volatile uint32_t interrupts;
static volatile bool is_busy;
static uint32_t commands;
static uint32_t waits; /* in which the core had nothing to do but wait */

static volatile uint32_t *word_at(uint32_t address)
{
    return (volatile uint32_t *)(uintptr_t)address;
}

/* -- what the board has -- */

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
    *word_at(PLIC + 4 * line) = 1; /* its priority */
    *word_at(PLIC_ENABLE) = 1u << line;
    *word_at(PLIC_THRESHOLD) = 0;
    __asm__ volatile("csrs mie, %0" : : "r"(MIE_EXTERNAL));
    let_interrupts();
}

/* The compiler saves what it uses, floats among it. */
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

/* Sleep until the disc has nothing to do. An interrupt that comes between the
 * look and the sleep ends the sleep, also while it is held. */
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

/* Outputs are the same with any disc: that this one has interrupted for each
 * command, and that play went on meanwhile, is looked at here. */
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
