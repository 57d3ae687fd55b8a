/* win32_path.c - convert UTF-8 paths to UTF-16 paths of any length.
 *
 * Paths without the prefix \\?\ have at most 260 characters. Paths with the
 * prefix are not interpreted: they must be absolute, with backslashes only.
 * Every path is therefore made absolute, which also replaces its slashes, and a
 * long one gets the prefix. The limit for short paths leaves room for the names
 * of files in the same folder.
 */
/* SPDX-License-Identifier: MIT */
#include "win32_path.h"

#include <string.h>
#include <windows.h>

#define PLAIN_UNITS_MAX 200u

static bool starts_with(const wchar_t *text, const wchar_t *head)
{
    while (*head && *text == *head) {
        text++;
        head++;
    }
    return *head == 0;
}

/* Replace the first `skip` units by `head`. */
static bool put_head(wchar_t *text, size_t length, size_t skip,
                     const wchar_t *head)
{
    size_t added = wcslen(head);

    if (length - skip + added + 1 > WIN32_PATH_UNITS)
        return false;
    memmove(text + added, text + skip, (length - skip + 1) * sizeof *text);
    memcpy(text, head, added * sizeof *text);
    return true;
}

bool spn__win32_path_set(struct win32_path *path, const char *utf8)
{
    DWORD length;

    if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1,
                            path->scratch, (int)WIN32_PATH_UNITS) == 0)
        return false;
    length =
        GetFullPathNameW(path->scratch, WIN32_PATH_UNITS, path->text, NULL);
    if (length == 0 || length >= WIN32_PATH_UNITS)
        return false;
    if (length <= PLAIN_UNITS_MAX || starts_with(path->text, L"\\\\?\\") ||
        starts_with(path->text, L"\\\\.\\"))
        return true;
    if (starts_with(path->text, L"\\\\"))
        return put_head(path->text, length, 2, L"\\\\?\\UNC\\");
    return put_head(path->text, length, 0, L"\\\\?\\");
}
