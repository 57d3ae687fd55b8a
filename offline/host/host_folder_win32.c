/* host_folder_win32.c - kinds of files, and lists of folders, on Windows.
 *
 * Folders that are links (and junctions, and mounted volumes) are HOST_OTHER;
 * names are compared in UTF-8, so that every system gives the same order.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_system.h"
#include "host/host_win32.h"

#include <errno.h>
#include <string.h>

int host_system_stat(const char *path, enum host_kind *kind, uint64_t *bytes)
{
    int error;
    HANDLE file = host_win32_open(path, 0, &error);

    if (file == INVALID_HANDLE_VALUE)
        return error;
    *kind = host_win32_kind(file, bytes);
    CloseHandle(file);
    return 0;
}

bool host_system_is_same(const char *path, const char *other)
{
    const char *paths[2] = {path, other};
    BY_HANDLE_FILE_INFORMATION info[2];

    for (int i = 0; i < 2; i++) {
        int error;
        HANDLE file = host_win32_open(paths[i], 0, &error);
        bool is_known = file != INVALID_HANDLE_VALUE &&
                        GetFileInformationByHandle(file, &info[i]);

        if (file != INVALID_HANDLE_VALUE)
            CloseHandle(file);
        if (!is_known)
            return false;
    }
    return info[0].dwVolumeSerialNumber == info[1].dwVolumeSerialNumber &&
           info[0].nFileIndexHigh == info[1].nFileIndexHigh &&
           info[0].nFileIndexLow == info[1].nFileIndexLow;
}

/* The search pattern "FOLDER\*". */
static bool add_star(struct win32_path *path)
{
    size_t length = wcslen(path->text);

    if (length + 3 > WIN32_PATH_UNITS)
        return false;
    if (length > 0 && path->text[length - 1] != L'\\')
        path->text[length++] = L'\\';
    path->text[length++] = L'*';
    path->text[length] = 0;
    return true;
}

static bool is_dots(const wchar_t *name)
{
    return wcscmp(name, L".") == 0 || wcscmp(name, L"..") == 0;
}

bool host_system_list(const char *folder,
                      void (*take)(void *user, const char *name), void *user,
                      struct diag *diag)
{
    struct win32_path path;
    WIN32_FIND_DATAW entry;
    DWORD error = ERROR_SUCCESS;
    HANDLE list;

    if (host_win32_path(&path, folder) != 0 || !add_star(&path))
        return diag_io(diag, folder, ENAMETOOLONG, "cannot list");
    list = FindFirstFileW(path.text, &entry);
    if (list == INVALID_HANDLE_VALUE) {
        error = GetLastError();
        /* The root of an empty volume has no "." and "..". */
        return error == ERROR_FILE_NOT_FOUND ||
               diag_io(diag, folder, host_win32_errno(error), "cannot list");
    }
    do {
        char name[3 * MAX_PATH + 1];

        if (is_dots(entry.cFileName))
            continue;
        if (WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, entry.cFileName,
                                -1, name, sizeof name, NULL, NULL) == 0) {
            FindClose(list);
            return diag_io(diag, folder, 0, "has a name that is not Unicode");
        }
        take(user, name);
    } while (FindNextFileW(list, &entry));
    error = GetLastError();
    FindClose(list);
    return error == ERROR_NO_MORE_FILES ||
           diag_io(diag, folder, host_win32_errno(error), "cannot list");
}

bool host_system_classify(const char *path, struct host_found *found,
                          struct diag *diag)
{
    struct win32_path wide;
    DWORD attributes;
    HANDLE file;
    int error = host_win32_path(&wide, path);

    if (error != 0)
        return diag_io(diag, path, error, "cannot open");
    attributes = GetFileAttributesW(wide.text);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return diag_io(diag, path, host_win32_errno(GetLastError()),
                       "cannot open");
    found->kind = HOST_OTHER;
    file = host_win32_open(path, 0, &error);
    if (file == INVALID_HANDLE_VALUE)
        return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) ||
               diag_io(diag, path, error, "cannot open");
    found->kind = host_win32_kind(file, &found->bytes);
    CloseHandle(file);
    if (found->kind == HOST_FOLDER &&
        (attributes & FILE_ATTRIBUTE_REPARSE_POINT))
        found->kind = HOST_OTHER;
    return true;
}

int host_system_make_folder(const char *path)
{
    struct win32_path wide;
    DWORD attributes;
    int error = host_win32_path(&wide, path);

    if (error != 0)
        return error;
    if (CreateDirectoryW(wide.text, NULL))
        return 0;
    error = host_win32_errno(GetLastError());
    /* For the root of a drive the error is ACCESS_DENIED, not ALREADY_EXISTS.
     */
    attributes = GetFileAttributesW(wide.text);
    return attributes != INVALID_FILE_ATTRIBUTES ? 0 : error;
}

bool host_system_is_separator(char byte)
{
    return byte == '/' || byte == '\\';
}
