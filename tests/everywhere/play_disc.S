/* play_disc.S - the disc of play_hashes.c: caches made by the tool.
 *
 * The assembler finds the caches in its -I folder. All machines use the same
 * files.
 */
/* SPDX-License-Identifier: MIT */
    .section .rodata.play_disc, "a"
    .balign 16
    .global play_disc_flag
play_disc_flag:
    .incbin "flag.sgc"
    .global play_disc_lifted
play_disc_lifted:
    .incbin "lifted.sgc"
    .global play_disc_flowing
play_disc_flowing:
    .incbin "flowing.sgc"
    .global play_disc_tiny
play_disc_tiny:
    .incbin "tiny.sgc"
    .global play_disc_end
play_disc_end:
    .byte 0
#ifdef __ELF__
    .section .note.GNU-stack, "", %progbits
#endif
