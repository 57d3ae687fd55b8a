/* debug_text.h - a snapshot as lines of text.
 *
 * Any thread; it uses only the snapshot.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_DEBUG_DEBUG_TEXT_H
#define SPN_DEBUG_DEBUG_TEXT_H

#include <spindle/debug.h>
#include <stdint.h>

/* The implementation of spn_debug_text. The arguments are good. */
uint64_t spn__debug_text(const spn_debug *shot, const char *filter, char *text,
                         uint64_t bytes);

#endif
