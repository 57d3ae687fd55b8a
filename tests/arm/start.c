/* start.c - play_hashes on a bare Cortex-M: vectors, stack, output.
 *
 * No operating system and no C library. Arm semihosting carries the output and
 * the exit code, and nothing else. The stack is filled with a pattern first;
 * the overwritten part gives its greatest depth.
 */
/* SPDX-License-Identifier: MIT */
#include "everywhere/play_hashes.h"

#define SYS_WRITE0 0x04u
#define SYS_EXIT_EXTENDED 0x20u
#define ADP_STOPPED_APPLICATION_EXIT 0x20026u
#define PAINT 0x5a17ab1eu

/* Defined by the linker script. */
extern uint32_t stack_limit[];
extern uint32_t stack_top[];
extern uint32_t bss_first[];
extern uint32_t bss_limit[];

static struct play_hashes play __attribute__((section(".slow")));

_Noreturn void reset(void);
_Noreturn void fault(void);

static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;

    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

_Noreturn static void leave(uint32_t code)
{
    const uint32_t block[2] = {ADP_STOPPED_APPLICATION_EXIT, code};

    for (;;)
        semihost(SYS_EXIT_EXTENDED, block);
}

static void say(const char *line)
{
    semihost(SYS_WRITE0, line);
    semihost(SYS_WRITE0, "\n");
}

/* Fill the stack below this function's frame with the pattern. */
static void paint_stack(void)
{
    uint32_t *here = __builtin_frame_address(0);

    for (volatile uint32_t *at = stack_limit; at < here - 16; at++)
        *at = PAINT;
}

static void say_stack(void)
{
    char text[] = "stack 00000 bytes";
    const uint32_t *at = stack_limit;
    uint32_t bytes;

    while (at < stack_top && *at == PAINT)
        at++;
    bytes = (uint32_t)(stack_top - at) * 4;
    for (uint32_t i = 0; i < 5; i++, bytes /= 10)
        text[10 - i] = (char)('0' + bytes % 10);
    say(text);
}

static uint32_t run(void)
{
    uint32_t failed;

    paint_stack();
    failed = (uint32_t)play_hashes(&play, say);
    say_stack();
    return failed;
}

void reset(void)
{
    for (volatile uint32_t *at = bss_first; at < bss_limit; at++)
        *at = 0;
    leave(run());
}

/* A stack overflow also ends here, because no memory lies below the stack. The
 * handler uses no stack. */
void fault(void)
{
    __asm__ volatile("msr msp, %0" : : "r"(stack_top));
    say("fault");
    leave(99);
}

/* The vector table (ARMv7-M reference manual, B1.5): the initial stack pointer,
 * then the handlers. */
static const struct {
    uint32_t *stack;
    void (*handlers[15])(void);
} vectors __attribute__((section(".vectors"), used)) = {
    stack_top,
    {reset, fault, fault, fault, fault, fault},
};
