#!/usr/bin/env bash
# run_image.sh DISC IMAGE - run an image on the emulated board, with a disc; its
# exit code. With RISCV_ICOUNT its counter of instructions counts them. A fault that comes back for ever must not hang the tests.
timeout 300 "${RISCV_QEMU:-qemu-system-riscv64}" -machine virt ${RISCV_ICOUNT:+-icount shift=0} -smp 1 -m 64M -bios none -kernel "$2" \
    -display none -monitor none -serial stdio -global virtio-mmio.force-legacy=false \
    -drive "file=$1,if=none,id=disc,format=raw,readonly=on" -device virtio-blk-device,drive=disc </dev/null
