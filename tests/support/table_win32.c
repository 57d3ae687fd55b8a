/* table_win32.c - the Windows table; its reads are asynchronous. */
/* SPDX-License-Identifier: MIT */
#include "support/table_win32.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

static void *state;

void open_table(uint32_t flags)
{
    free(state);
    state = malloc(spn_platform_win32_bytes());
    CHECK_EQ(spn_platform_win32_init(state, spn_platform_win32_bytes(), flags,
                                     &table),
             SPN_OK);
}

/* Uses the system's functions, because the C library does not know UTF-8. */
const char *write_file(const char *name, size_t bytes)
{
    static char path[1024];
    static uint8_t data[TABLE_BYTES];
    static struct win32_path wide;
    DWORD done = 0;
    HANDLE file;

    snprintf(path, sizeof path, "%s/%s", test_temp(), name);
    CHECK(spn__win32_path_set(&wide, path));
    file = CreateFileW(wide.text, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                       FILE_ATTRIBUTE_NORMAL, NULL);
    CHECK(file != INVALID_HANDLE_VALUE);
    for (size_t i = 0; i < bytes; i++)
        data[i] = byte_at(i);
    CHECK(WriteFile(file, data, (DWORD)bytes, &done, NULL));
    CloseHandle(file);
    return path;
}

spn_platform_completion end_of_read(uint64_t event)
{
    spn_platform_completion end = {0};
    uint64_t due_us = 0;

    while (table.read_poll(table.user, &end, &due_us) != SPN_OK) {
        CHECK_EQ_U(due_us, UINT64_MAX);
        /* Must return at the time. */
        table.event_wait(table.user, event, due_us);
    }
    return end;
}

spn_platform_completion read_now(spn_platform_file file, uint64_t offset,
                                 const spn_extent *extents,
                                 uint32_t extent_count)
{
    spn_platform_completion end;
    uint64_t event = 0;

    CHECK_EQ(table.event_create(table.user, SPN_EVENT_FOR_WAITER, &event),
             SPN_OK);
    submit_read(file, offset, extents, extent_count);
    end = end_of_read(event);
    CHECK_EQ(end.tag, TABLE_TAG);
    table.event_destroy(table.user, event);
    return end;
}

int priority_now(void)
{
    return GetThreadPriority(GetCurrentThread());
}
