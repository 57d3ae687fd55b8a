/* compiler.h - what C11 has no words for: the only attributes and builtins of
 * the runtime.
 *
 * Two families: GCC and Clang, and Microsoft's (clang-cl among them). Another
 * compiler needs a third one here, and one in base/atomic.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_COMPILER_H
#define SPN_BASE_COMPILER_H

#include <stdint.h>

/* SPN_MSVC=1 takes Microsoft's family with a compiler that has its intrinsics
 * under another name, as MinGW's does: for tests. */
#ifndef SPN_MSVC
#if defined(_MSC_VER)
#define SPN_MSVC 1
#else
#define SPN_MSVC 0
#endif
#endif

#if SPN_MSVC
#include <intrin.h>
#endif

/* SPN_INLINE   in line wherever it is called, also where size is what counts
 * SPN_NOINLINE never in line: a frame of its own on the stack
 * SPN_TRAP()   end the program at this place; an expression of type void */
#if defined(__GNUC__) || defined(__clang__)
#define SPN_INLINE static inline __attribute__((always_inline))
#define SPN_NOINLINE __attribute__((noinline))
#define SPN_TRAP() __builtin_trap()
#elif defined(_MSC_VER)
#define SPN_INLINE static __forceinline
#define SPN_NOINLINE __declspec(noinline)
#define SPN_TRAP() __fastfail(7) /* FAST_FAIL_FATAL_APP_EXIT */
#else
#error "base/compiler.h and base/atomic.h do not know this compiler"
#endif

/* The place of a word's lowest or highest bit that is set, from 0 on. The word
 * must not be 0. */
#if SPN_MSVC

SPN_INLINE uint32_t compiler_lowest_bit(uint32_t bits)
{
    unsigned long place;

    _BitScanForward(&place, bits);
    return place;
}

SPN_INLINE uint32_t compiler_highest_bit(uint32_t bits)
{
    unsigned long place;

    _BitScanReverse(&place, bits);
    return place;
}

/* The scan of 64 bits does not exist on processors of 32. */
SPN_INLINE uint32_t compiler_lowest_bit64(uint64_t bits)
{
    if ((uint32_t)bits != 0)
        return compiler_lowest_bit((uint32_t)bits);
    return 32u + compiler_lowest_bit((uint32_t)(bits >> 32));
}

#else

SPN_INLINE uint32_t compiler_lowest_bit(uint32_t bits)
{
    return (uint32_t)__builtin_ctz(bits);
}

SPN_INLINE uint32_t compiler_highest_bit(uint32_t bits)
{
    return 31u - (uint32_t)__builtin_clz(bits);
}

SPN_INLINE uint32_t compiler_lowest_bit64(uint64_t bits)
{
    return (uint32_t)__builtin_ctzll(bits);
}

#endif

#endif
