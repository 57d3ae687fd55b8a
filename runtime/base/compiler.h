/* compiler.h - compiler-specific attributes and builtins. No other file of the
 * runtime uses any, except base/atomic.h and the simd_*.h.
 *
 * Two families of compilers are supported: GCC and Clang; and Microsoft's,
 * including clang-cl. A port to another family adds its definitions here and in
 * base/atomic.h.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_BASE_COMPILER_H
#define SPN_BASE_COMPILER_H

#include <stdint.h>

/* SPN_MSVC is 1 for Microsoft's intrinsics. Tests define SPN_MSVC=1 to compile
 * this family with MinGW, which has the same intrinsics. */
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

/* SPN_INLINE    inlined at every call, also when optimizing for size
 * SPN_NOINLINE  never inlined: the function has its own stack frame
 * SPN_TRAP()    terminate the program here; an expression of type void */
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

/* Number of the lowest or highest set bit of a word, counted from 0. The word
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

/* 32-bit processors have no scan of 64 bits. */
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
