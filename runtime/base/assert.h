/* assert.h - assertions, for bugs of callers and of the runtime. Data from
 * files is validated instead, never asserted.
 *
 * On by default; off with SPN_ASSERTS=0. SPN_ASSERT_DEV is for assertions that
 * stand in so many places that they would make a release larger: on with
 * SPN_ASSERTS=2 only. SPN_ASSERT_HANDLER(expression, file, line) replaces the
 * trap.
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

#if SPN_ASSERTS >= 2
#define SPN_ASSERT_DEV(x) SPN_ASSERT(x)
#else
#define SPN_ASSERT_DEV(x) ((void)sizeof((x) ? 1 : 0))
#endif

#define SPN_STATIC_ASSERT(x, name) _Static_assert(x, #name)

#endif
