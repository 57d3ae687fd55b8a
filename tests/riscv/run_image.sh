#!/usr/bin/env bash
# run_image.sh DISC IMAGE - run an image on the emulated board with a disc, and return its exit
# code. With RISCV_ICOUNT set, the board's counter counts instructions. The time limit ends an image
# whose fault handler loops for ever.
timeout 300 "${RISCV_QEMU:-qemu-system-riscv64}" -machine virt ${RISCV_ICOUNT:+-icount shift=0} -smp 1 -m 64M -bios none -kernel "$2" \
    -display none -monitor none -serial stdio -global virtio-mmio.force-legacy=false \
    -drive "file=$1,if=none,id=disc,format=raw,readonly=on" -device virtio-blk-device,drive=disc </dev/null
