/* host_win32.c - open and mapped files, clocks and the machine on Windows.
 *
 * The temporaries of outputs are in host_output_win32.c, folders in
 * host_folder_win32.c, failures of mapped files in host_signals_win32.c.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_win32.h"

#include "common/arena.h"
#include "host/host_system.h"
#include "platform/win32/platform_win32.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

/* -- error codes -- */

int host_win32_errno(DWORD error)
{
    static const struct {
        DWORD from;
        int to;
    } table[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_NET_NAME, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EBUSY},
        {ERROR_LOCK_VIOLATION, EBUSY},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_FILE_TOO_LARGE, EFBIG},
        {ERROR_INVALID_PARAMETER, EINVAL},
        {ERROR_BUFFER_OVERFLOW, ENAMETOOLONG},
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].from == error)
            return table[i].to;
    return EIO;
}

int host_win32_path(struct win32_path *path, const char *utf8)
{
    if (spn__win32_path_set(path, utf8))
        return 0;
    return utf8[0] == 0                       ? ENOENT
           : strlen(utf8) >= WIN32_PATH_UNITS ? ENAMETOOLONG
                                              : EINVAL;
}

/* -- open files -- */

HANDLE host_win32_open(const char *path, DWORD access, int *error)
{
    struct win32_path wide;
    HANDLE file;

    *error = host_win32_path(&wide, path);
    if (*error != 0)
        return INVALID_HANDLE_VALUE;
    /* Without the flag the error of a folder would be ACCESS_DENIED. */
    file = CreateFileW(wide.text, access,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        *error = host_win32_errno(GetLastError());
    return file;
}

enum host_kind host_win32_kind(HANDLE file, uint64_t *bytes)
{
    BY_HANDLE_FILE_INFORMATION info;

    *bytes = 0;
    if (GetFileType(file) != FILE_TYPE_DISK ||
        !GetFileInformationByHandle(file, &info))
        return HOST_OTHER;
    if (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
        return HOST_FOLDER;
    *bytes = ((uint64_t)info.nFileSizeHigh << 32) | info.nFileSizeLow;
    return HOST_FILE;
}

int host_system_open(const char *path, intptr_t *file, enum host_kind *kind,
                     uint64_t *bytes)
{
    int error;
    HANDLE handle = host_win32_open(path, GENERIC_READ, &error);

    if (handle == INVALID_HANDLE_VALUE)
        return error;
    *file = (intptr_t)handle;
    *kind = host_win32_kind(handle, bytes);
    return 0;
}

int host_system_close(intptr_t file)
{
    CloseHandle((HANDLE)file);
    return 0;
}

static OVERLAPPED place_of(uint64_t offset)
{
    OVERLAPPED at = {0};

    at.Offset = (DWORD)offset;
    at.OffsetHigh = (DWORD)(offset >> 32);
    return at;
}

int host_system_read(intptr_t file, uint64_t offset, void *target, size_t bytes,
                     size_t *done)
{
    OVERLAPPED at = place_of(offset);
    DWORD got = 0;

    if (!ReadFile((HANDLE)file, target, (DWORD)bytes, &got, &at) &&
        GetLastError() != ERROR_HANDLE_EOF)
        return host_win32_errno(GetLastError());
    *done = got;
    return 0;
}

int host_system_write(intptr_t file, uint64_t offset, const void *source,
                      size_t bytes, size_t *done)
{
    OVERLAPPED at = place_of(offset);
    DWORD put = 0;

    if (!WriteFile((HANDLE)file, source, (DWORD)bytes, &put, &at))
        return host_win32_errno(GetLastError());
    *done = put;
    return 0;
}

int host_system_sync(intptr_t file)
{
    return FlushFileBuffers((HANDLE)file) ? 0
                                          : host_win32_errno(GetLastError());
}

int host_system_map(intptr_t file, size_t bytes, const uint8_t **data)
{
    HANDLE mapping =
        CreateFileMappingW((HANDLE)file, NULL, PAGE_READONLY, 0, 0, NULL);
    void *map = NULL;
    int error = 0;

    if (mapping)
        map = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, bytes);
    if (!map)
        error = host_win32_errno(GetLastError());
    if (mapping)
        CloseHandle(mapping);
    *data = map;
    return error;
}

void host_system_unmap(const uint8_t *data, size_t bytes)
{
    (void)bytes; /* always the whole view */
    UnmapViewOfFile(data);
}

/* VirtualUnlock of memory that is not locked fails, and removes it from the
 * working set. */
void host_system_forget(const uint8_t *data, size_t bytes)
{
    VirtualUnlock((void *)(uintptr_t)data, bytes);
}

/* -- program -- */

static UINT console_before;

static void leave_console(void)
{
    SetConsoleOutputCP(console_before);
}

static char *utf8_of(const wchar_t *wide)
{
    int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = malloc(bytes > 0 ? (size_t)bytes : 1);

    if (text && (bytes <= 0 || !WideCharToMultiByte(CP_UTF8, 0, wide, -1, text,
                                                    bytes, NULL, NULL)))
        text[0] = 0;
    return text;
}

/* The arguments are not freed before the process ends. */
void host_arguments(int *argc, char ***argv)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **text = wide ? calloc((size_t)count + 1, sizeof *text) : NULL;

    _setmode(1, _O_BINARY);
    _setmode(2, _O_BINARY);
    console_before = GetConsoleOutputCP();
    if (console_before != 0 && SetConsoleOutputCP(CP_UTF8))
        atexit(leave_console);
    for (int i = 0; text && i < count; i++)
        if (!(text[i] = utf8_of(wide[i])))
            text = NULL;
    LocalFree(wide);
    *argc = count;
    *argv = arena_require(text);
}

size_t host_platform_bytes(void)
{
    return spn_platform_win32_bytes();
}

spn_status host_platform_init(void *memory, size_t bytes, spn_platform *out)
{
    return spn_platform_win32_init(memory, bytes, 0, out);
}
