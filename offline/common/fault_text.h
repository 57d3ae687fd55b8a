/* fault_text.h - describe a spn_fault in words.
 *
 *   spindle: a.sgc: offset 0x2f14: frame 12: checksum of a block: found
 *   0x1234abcd, expected 0x0badcafe (checksum mismatch)
 *
 * The tool's readers and the runtime report faults in the same words.
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

/* Store the description, from the name of the check on. */
void fault_text(const struct spn_fault *fault, char *out, size_t bytes);

/* Refuse `file` for the fault: exit code 1, or 3 when the device or the path
 * failed. `frame` is a frame number or FAULT_NO_FRAME. Always returns false. */
bool fault_refuse(struct diag *diag, const char *file, uint32_t frame,
                  const struct spn_fault *fault);

/* Refuse `file` for a status of the runtime: as fault_refuse if the fault says
 * what is wrong, otherwise with the text of the status. `fault` may be NULL. */
bool fault_refuse_status(struct diag *diag, const char *file, spn_status status,
                         const struct spn_fault *fault);

/* fault_refuse with `more` after the description. */
bool fault_refuse_with(struct diag *diag, const char *file, uint32_t frame,
                       const struct spn_fault *fault, const char *more);

/* The same as a warning; the format says what follows from the fault. */
__attribute__((format(printf, 5, 6))) void fault_warn(
    struct diag *diag, const char *file, uint32_t frame,
    const struct spn_fault *fault, const char *format, ...);

#ifdef __clang_analyzer__ /* as in diag.h */
#define fault_refuse(...) ((void)fault_refuse(__VA_ARGS__), false)
#define fault_refuse_status(...) ((void)fault_refuse_status(__VA_ARGS__), false)
#define fault_refuse_with(...) ((void)fault_refuse_with(__VA_ARGS__), false)
#endif

#endif
