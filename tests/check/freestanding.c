/* freestanding.c - the runtime in a program without any library.
 *
 * Goal: libspindle.a, the console stub and LZ4, built freestanding and linked
 * with -nostdlib, need no other library, and run.
 * Method: the program defines only the four memory functions. It starts a
 * runtime on the stub, opens a file that is not a cache and expects a refusal.
 * Exit code 0.
 */
/* SPDX-License-Identifier: MIT */
#include <spindle/platform_stub.h>
#include <spindle/spindle.h>

_Noreturn void _start(void);

static _Alignas(64) unsigned char block[4u << 20];
static spn_platform_stub stub;
static const char no_cache[] = "these bytes are not a geometry cache";

static int run(void)
{
    spn_platform platform;
    spn_config config = {.platform = &platform,
                         .heap_bytes = 1u << 20,
                         .node_count = 2,
                         .cache_count = 2,
                         .stream_frame_count = 64,
                         .job_count = 64};
    spn_runtime *rt;
    spn_cache cache;
    size_t needed;
    spn_status status;

    stub.files[0].path = "x.sgc";
    stub.files[0].data = no_cache;
    stub.files[0].bytes = sizeof no_cache;
    stub.file_count = 1;
    spn_platform_stub_init(&stub, &platform);
    needed = spn_memory_needed(&config);
    if (needed == 0 || needed > sizeof block)
        return 2;
    if (spn_init(&config, block, needed, &rt) != SPN_OK)
        return 3;
    if (spn_cache_open(rt, "x.sgc", &cache) != SPN_OK)
        return 4;
    for (int i = 0; i < 100; i++) {
        stub.clock_us += 1000;
        spn_update(rt);
    }
    status = spn_cache_get_status(rt, cache, 0);
    if (status >= SPN_OK)
        return 5;
    if (!spn_check(rt))
        return 6;
    spn_shutdown(rt);
    return 0;
}

/* Linux's exit call, for the two instruction sets of this check. */
_Noreturn static void leave(long code)
{
    for (;;) {
#if defined(FREESTANDING_X86_64)
        __asm__ volatile("syscall" : : "a"(60L), "D"(code) : "rcx", "r11");
#elif defined(FREESTANDING_AARCH64)
        register long x0 __asm__("x0") = code;
        register long x8 __asm__("x8") = 93;
        __asm__ volatile("svc 0" : : "r"(x0), "r"(x8));
#endif
    }
}

/* On entry the stack is aligned to 16 bytes. A C function expects a return
 * address on it, so align it again. */
__attribute__((force_align_arg_pointer)) _Noreturn void _start(void)
{
    leave(run());
}
