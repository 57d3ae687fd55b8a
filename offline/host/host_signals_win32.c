/* host_signals_win32.c - console events and access errors on Windows.
 *
 * Temporaries are deleted by the system (host_output_win32.c). This file sets
 * the exit code of Ctrl-C and similar events, and names a mapped file whose
 * medium fails.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_guards.h"

#include <stdio.h>
#include <windows.h>

/* 128 plus the number of the same signal on POSIX systems. */
static BOOL WINAPI leave(DWORD event)
{
    UINT code = event == CTRL_C_EVENT       ? 130
                : event == CTRL_BREAK_EVENT ? 143
                                            : 129;

    TerminateProcess(GetCurrentProcess(), code);
    return TRUE;
}

static LONG WINAPI name_lost_bytes(EXCEPTION_POINTERS *caught)
{
    const EXCEPTION_RECORD *record = caught->ExceptionRecord;
    char text[1200];
    const char *path;
    uint64_t offset;
    DWORD bytes;
    int length;

    if (record->ExceptionCode != (DWORD)EXCEPTION_IN_PAGE_ERROR ||
        record->NumberParameters < 2)
        return EXCEPTION_CONTINUE_SEARCH;
    path = host_guards_find((const void *)record->ExceptionInformation[1],
                            &offset);
    if (!path)
        return EXCEPTION_CONTINUE_SEARCH;
    length = snprintf(text, sizeof text,
                      "spindle: %.1000s: offset 0x%llx: cannot read: the file "
                      "became shorter, or its medium failed\n",
                      path, (unsigned long long)offset);
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), text,
              length > 0 ? (DWORD)length : 0, &bytes, NULL);
    TerminateProcess(GetCurrentProcess(), EXIT_IO_FAILED);
    return EXCEPTION_CONTINUE_SEARCH;
}

void host_clean_on_signals(void)
{
    SetConsoleCtrlHandler(leave, TRUE);
    SetUnhandledExceptionFilter(name_lost_bytes);
    /* An empty drive is an error, and no dialog asks the user about it. */
    SetErrorMode(SEM_FAILCRITICALERRORS);
}
