/* system_win32.c - clocks, processors and aligned memory on Windows. */
/* SPDX-License-Identifier: MIT */
#include "common/system.h"

#include <io.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

uint32_t system_cpu_count(void)
{
    DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);

    return count > 0 && count < 4096 ? count : 1;
}

double system_seconds(void)
{
    LARGE_INTEGER rate;
    LARGE_INTEGER now;

    QueryPerformanceFrequency(&rate);
    QueryPerformanceCounter(&now);
    return (double)now.QuadPart / (double)rate.QuadPart;
}

/* The processor time of a process or thread in seconds, user and kernel; 0 if
 * `get_times` (GetProcessTimes or GetThreadTimes) fails. Windows counts in
 * units of 100 ns. */
static double cpu_seconds(BOOL(WINAPI *get_times)(HANDLE, FILETIME *,
                                                  FILETIME *, FILETIME *,
                                                  FILETIME *),
                          HANDLE whose)
{
    FILETIME created;
    FILETIME ended;
    FILETIME kernel;
    FILETIME user;
    uint64_t k;
    uint64_t u;

    if (!get_times(whose, &created, &ended, &kernel, &user))
        return 0.0;
    k = ((uint64_t)kernel.dwHighDateTime << 32) | kernel.dwLowDateTime;
    u = ((uint64_t)user.dwHighDateTime << 32) | user.dwLowDateTime;
    return (double)(k + u) * 1e-7;
}

double system_cpu_seconds(void)
{
    return cpu_seconds(GetProcessTimes, GetCurrentProcess());
}

double system_thread_cpu_seconds(void)
{
    return cpu_seconds(GetThreadTimes, GetCurrentThread());
}

void system_wait_until(double seconds)
{
    double left;

    while ((left = seconds - system_seconds()) > 0)
        Sleep(left < 1000.0 ? (DWORD)(left * 1e3) + 1 : 1000000);
}

bool system_is_terminal(int descriptor)
{
    DWORD mode;

    /* _isatty returns true for every device. */
    return descriptor >= 0 &&
           GetConsoleMode((HANDLE)_get_osfhandle(descriptor), &mode) != 0;
}

void system_error_text(int error_number, char *text, size_t capacity)
{
    if (strerror_s(text, capacity, error_number) != 0)
        snprintf(text, capacity, "error %d", error_number);
}

void *system_aligned_alloc(size_t alignment, size_t bytes)
{
    return _aligned_malloc(bytes, alignment);
}

void system_aligned_free(void *memory)
{
    _aligned_free(memory);
}
