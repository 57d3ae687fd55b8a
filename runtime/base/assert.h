/* assert.h - asserts of the runtime: a caller's bug, never a file's bytes.
 *
 * On by default, off with SPN_ASSERTS=0, or the embedder's own through
 * SPN_ASSERT_HANDLER(expression, file, line).
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_ASSERT_H
#define SPN_BASE_ASSERT_H

#include "base/compiler.h"

#ifndef SPN_ASSERTS
#define SPN_ASSERTS 1
#endif

#if !SPN_ASSERTS
#define SPN_ASSERT(x) ((void)sizeof((x) ? 1 : 0))
#elif defined(SPN_ASSERT_HANDLER)
#define SPN_ASSERT(x)                                                          \
    ((x) ? (void)0 : SPN_ASSERT_HANDLER(#x, __FILE__, __LINE__))
#else
#define SPN_ASSERT(x) ((x) ? (void)0 : SPN_TRAP())
#endif

#define SPN_STATIC_ASSERT(x, name) _Static_assert(x, #name)

#endif
