/* atomic.h - atomic operations on 32-bit words. The runtime uses no others.
 *
 * The suffix of a function is its memory order, as in C11: relaxed, acquire,
 * release or acq_rel. A comment at each use says which load pairs with which
 * store. All functions that change a word return its value before the change.
 * The two implementations are for the compiler families of base/compiler.h. A
 * port to another family implements the same functions.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_ATOMIC_H
#define SPN_BASE_ATOMIC_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

#if SPN_MSVC

/* Interlocked functions are full barriers on every processor. Volatile loads
 * and stores are single accesses. Their order depends on the compiler option
 * /volatile, so explicit fences are used. */
struct atomic_u32 {
    volatile long value;
};

/* A fence for acquire and release: the compiler and the processor do not move
 * memory accesses across it. On x86 only the compiler must be restrained,
 * because the processor reorders neither loads with loads nor stores with
 * earlier accesses. */
SPN_INLINE void atomic_fence(void)
{
#if defined(_M_ARM64)
    __dmb(_ARM64_BARRIER_ISH);
#elif defined(_M_ARM)
    __dmb(_ARM_BARRIER_ISH);
#else
    _ReadWriteBarrier();
#endif
}

SPN_INLINE uint32_t atomic_load_relaxed(const struct atomic_u32 *a)
{
    return (uint32_t)a->value;
}

SPN_INLINE uint32_t atomic_load_acquire(const struct atomic_u32 *a)
{
    uint32_t value = (uint32_t)a->value;

    atomic_fence();
    return value;
}

SPN_INLINE void atomic_store_relaxed(struct atomic_u32 *a, uint32_t value)
{
    a->value = (long)value;
}

SPN_INLINE void atomic_store_release(struct atomic_u32 *a, uint32_t value)
{
    atomic_fence();
    a->value = (long)value;
}

static inline uint32_t atomic_add_acq_rel(struct atomic_u32 *a, uint32_t add)
{
    return (uint32_t)_InterlockedExchangeAdd(&a->value, (long)add);
}

static inline uint32_t atomic_add_relaxed(struct atomic_u32 *a, uint32_t add)
{
    return (uint32_t)_InterlockedExchangeAdd(&a->value, (long)add);
}

static inline uint32_t atomic_or_acq_rel(struct atomic_u32 *a, uint32_t bits)
{
    return (uint32_t)_InterlockedOr(&a->value, (long)bits);
}

static inline uint32_t atomic_and_acq_rel(struct atomic_u32 *a, uint32_t bits)
{
    return (uint32_t)_InterlockedAnd(&a->value, (long)bits);
}

static inline uint32_t atomic_exchange_acq_rel(struct atomic_u32 *a,
                                               uint32_t value)
{
    return (uint32_t)_InterlockedExchange(&a->value, (long)value);
}

/* Replace *expected by `value`; false: the word had another value, which is now
 * in *expected. Never fails spuriously. */
static inline bool atomic_compare_exchange_acq_rel(struct atomic_u32 *a,
                                                   uint32_t *expected,
                                                   uint32_t value)
{
    uint32_t found = (uint32_t)_InterlockedCompareExchange(
        &a->value, (long)value, (long)*expected);
    bool is_exchanged = found == *expected;

    *expected = found;
    return is_exchanged;
}

#else

struct atomic_u32 {
    uint32_t value;
};

/* Always inlined: one instruction is smaller than a call. */
SPN_INLINE uint32_t atomic_load_relaxed(const struct atomic_u32 *a)
{
    return __atomic_load_n(&a->value, __ATOMIC_RELAXED);
}

SPN_INLINE uint32_t atomic_load_acquire(const struct atomic_u32 *a)
{
    return __atomic_load_n(&a->value, __ATOMIC_ACQUIRE);
}

SPN_INLINE void atomic_store_relaxed(struct atomic_u32 *a, uint32_t value)
{
    __atomic_store_n(&a->value, value, __ATOMIC_RELAXED);
}

SPN_INLINE void atomic_store_release(struct atomic_u32 *a, uint32_t value)
{
    __atomic_store_n(&a->value, value, __ATOMIC_RELEASE);
}

static inline uint32_t atomic_add_acq_rel(struct atomic_u32 *a, uint32_t add)
{
    return __atomic_fetch_add(&a->value, add, __ATOMIC_ACQ_REL);
}

static inline uint32_t atomic_add_relaxed(struct atomic_u32 *a, uint32_t add)
{
    return __atomic_fetch_add(&a->value, add, __ATOMIC_RELAXED);
}

static inline uint32_t atomic_or_acq_rel(struct atomic_u32 *a, uint32_t bits)
{
    return __atomic_fetch_or(&a->value, bits, __ATOMIC_ACQ_REL);
}

static inline uint32_t atomic_and_acq_rel(struct atomic_u32 *a, uint32_t bits)
{
    return __atomic_fetch_and(&a->value, bits, __ATOMIC_ACQ_REL);
}

static inline uint32_t atomic_exchange_acq_rel(struct atomic_u32 *a,
                                               uint32_t value)
{
    return __atomic_exchange_n(&a->value, value, __ATOMIC_ACQ_REL);
}

/* Replace *expected by `value`; false: the word had another value, which is now
 * in *expected. Never fails spuriously. */
static inline bool atomic_compare_exchange_acq_rel(struct atomic_u32 *a,
                                                   uint32_t *expected,
                                                   uint32_t value)
{
    return __atomic_compare_exchange_n(&a->value, expected, value, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#endif

#endif
