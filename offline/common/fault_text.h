/* fault_text.h - what a spn_fault says, in the tool's words.
 *
 *   spindle: a.sgc: offset 0x2f14: frame 12: checksum of a block: found
 *   0x1234abcd, expected 0x0badcafe (checksum mismatch)
 *
 * Whoever finds a fault, reader or runtime, says it the same way.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_FAULT_TEXT_H
#define OFFLINE_COMMON_FAULT_TEXT_H

#include "common/diag.h"

#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULT_NO_FRAME DIAG_NO_FRAME

/* From "what" on. */
void fault_text(const struct spn_fault *fault, char *out, size_t bytes);

/* Refuse `file` for it: exit 1; 3 when the device or the path failed. `frame`
 * is its number, or FAULT_NO_FRAME. Always false. */
bool fault_refuse(struct diag *diag, const char *file, uint32_t frame,
                  const struct spn_fault *fault);

/* The same with `more` behind the words. */
bool fault_refuse_with(struct diag *diag, const char *file, uint32_t frame,
                       const struct spn_fault *fault, const char *more);

/* The same as a warning, with what it means behind it. */
__attribute__((format(printf, 5, 6))) void fault_warn(
    struct diag *diag, const char *file, uint32_t frame,
    const struct spn_fault *fault, const char *format, ...);

#ifdef __clang_analyzer__ /* as in diag.h */
#define fault_refuse(...) ((void)fault_refuse(__VA_ARGS__), false)
#define fault_refuse_with(...) ((void)fault_refuse_with(__VA_ARGS__), false)
#endif

#endif
