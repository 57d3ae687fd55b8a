/* atomic.h - the only atomics of the runtime: 32-bit words and pointers.
 *
 * Every call names its order; the comment beside a call says which load pairs
 * with which store. Two families of compilers (base/compiler.h): what is here
 * is all that another one has to bring.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_ATOMIC_H
#define SPN_BASE_ATOMIC_H

#include "base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

#if SPN_MSVC

/* Interlocked functions are full barriers, on every processor. Volatile loads
 * and stores are single accesses, in an order that differs by compiler option
 * (/volatile): the barriers beside them do not depend on it. */
struct atomic_u32 {
    volatile long value;
};

/* Neither the compiler nor the processor moves accesses of memory across it. An
 * x86 does not reorder loads with loads, nor stores with earlier accesses. */
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

/* Returns the value before. */
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

/* Strong. On failure *expected becomes the value that was found. */
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

/* One instruction each: less than a call, also where size is what counts. */
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

/* Returns the value before. */
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

/* Strong. On failure *expected becomes the value that was found. */
static inline bool atomic_compare_exchange_acq_rel(struct atomic_u32 *a,
                                                   uint32_t *expected,
                                                   uint32_t value)
{
    return __atomic_compare_exchange_n(&a->value, expected, value, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#endif

#endif
