/* host_signals_win32.c - how the tool ends when the system says so.
 *
 * Temporaries go by themselves, however a process ends: host_output_win32.c.
 * What is left is the exit code of Ctrl-C and its kin, and a name for a mapped
 * file whose medium fails.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_system.h"

#include <stdio.h>
#include <windows.h>

/* 128 and the number that the signal has elsewhere. */
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
    /* An empty drive is an error like others, not a question to the user. */
    SetErrorMode(SEM_FAILCRITICALERRORS);
}
