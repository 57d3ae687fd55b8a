/* atomic.h - the only atomics of the runtime: 32-bit words and pointers.
 *
 * Every call names its order; the comment beside a call says which load pairs
 * with which store. A compiler without these builtins needs this one file.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_ATOMIC_H
#define SPN_BASE_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

struct atomic_u32 {
    uint32_t value;
};

/* One instruction each: less than a call, also where size is what counts. */
#define ATOMIC_INLINE static inline __attribute__((always_inline))

ATOMIC_INLINE uint32_t atomic_load_relaxed(const struct atomic_u32 *a)
{
    return __atomic_load_n(&a->value, __ATOMIC_RELAXED);
}

ATOMIC_INLINE uint32_t atomic_load_acquire(const struct atomic_u32 *a)
{
    return __atomic_load_n(&a->value, __ATOMIC_ACQUIRE);
}

ATOMIC_INLINE void atomic_store_relaxed(struct atomic_u32 *a, uint32_t value)
{
    __atomic_store_n(&a->value, value, __ATOMIC_RELAXED);
}

ATOMIC_INLINE void atomic_store_release(struct atomic_u32 *a, uint32_t value)
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
