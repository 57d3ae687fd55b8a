/* reset.S - start a RISC-V core and call C code.
 *
 * The core stays in machine mode. Other cores, if any, sleep.
 */
/* SPDX-License-Identifier: MIT */
    .section .text.reset, "ax"
    .global reset
reset:
    csrr t0, mhartid
    bnez t0, asleep
    la sp, stack_top
    la t0, handle
    csrw mtvec, t0
#ifdef __riscv_flen
    li t0, 0x2000           /* mstatus.FS: enable floating point */
    csrs mstatus, t0
    fscsr zero              /* Round to nearest */
#endif
    la t0, bss_first
    la t1, bss_limit
clear:
    bgeu t0, t1, cleared
    sd zero, 0(t0)
    addi t0, t0, 8
    j clear
cleared:
    call start
asleep:
    wfi
    j asleep
