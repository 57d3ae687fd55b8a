/* host_output_win32.c - the temporaries of outputs on Windows.
 *
 * Until it is whole an output is a file that will be deleted when its handle
 * is closed, which the system does however the process ends: killed at any
 * moment, it leaves nothing, unless it was between the end of the writing and
 * the rename.
 *
 * A folder cannot be synced here; MOVEFILE_WRITE_THROUGH returns when the
 * rename is on the disc.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_win32.h"

#include "host/host_system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define TEMPORARY_TRIES 1000u
#define TEMPORARY_UNITS_MAX 48u

struct host_place {
    struct win32_path target;
    struct win32_path temporary;
    bool is_kept; /* the temporary is not deleted with its handle */
};

/* -- find -- */

/* "a/b" -> "a", "/b" -> "/", "c:b" -> "c:", "b" -> ".". */
static char *folder_of(const char *path)
{
    size_t length = strlen(path);

    while (length > 0 && !host_system_is_separator(path[length - 1]) &&
           path[length - 1] != ':')
        length--;
    if (length == 0)
        return host_copy_text(".", 1);
    if (length > 1 && path[length - 1] != ':')
        length--;
    return host_copy_text(path, length);
}

/* Where links lead: the target, as the system names it. */
static int resolve(struct win32_path *target, const char *path)
{
    int error;
    HANDLE file = host_win32_open(path, 0, &error);
    DWORD length;

    if (file == INVALID_HANDLE_VALUE)
        return error;
    length = GetFinalPathNameByHandleW(file, target->text, WIN32_PATH_UNITS, 0);
    CloseHandle(file);
    return length > 0 && length < WIN32_PATH_UNITS ? 0 : ENAMETOOLONG;
}

int host_place_find(struct host_output *output, bool is_there)
{
    struct host_place *place = calloc(1, sizeof *place);

    output->place = place;
    output->folder = folder_of(output->path);
    if (!place || !output->folder)
        return ENOMEM;
    return is_there ? resolve(&place->target, output->path)
                    : host_win32_path(&place->target, output->path);
}

void host_place_free(struct host_output *output)
{
    free(output->place);
    output->place = NULL;
}

/* -- create -- */

/* Whether the file goes with its handle. */
static bool set_deleted(struct host_output *output, bool is_deleted)
{
    FILE_DISPOSITION_INFO info = {.DeleteFile = is_deleted};

    return SetFileInformationByHandle((HANDLE)output->file, FileDispositionInfo,
                                      &info, sizeof info) != 0;
}

int host_place_create(struct host_output *output)
{
    struct host_place *place = output->place;
    wchar_t *text = place->temporary.text;
    wchar_t *name = wcsrchr(place->target.text, L'\\');
    size_t folder_units = name ? (size_t)(name + 1 - place->target.text) : 0;
    DWORD error = ERROR_FILENAME_EXCED_RANGE;

    if (folder_units > 0 &&
        folder_units + TEMPORARY_UNITS_MAX <= WIN32_PATH_UNITS)
        error = ERROR_FILE_EXISTS;
    memcpy(text, place->target.text, folder_units * sizeof *text);
    for (unsigned i = 0; i < TEMPORARY_TRIES && error == ERROR_FILE_EXISTS;
         i++) {
        HANDLE file;

        swprintf(text + folder_units, TEMPORARY_UNITS_MAX,
                 L".spindle-%lu-%u.tmp", GetCurrentProcessId(), i);
        file =
            CreateFileW(text, GENERIC_READ | GENERIC_WRITE | DELETE,
                        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                        NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        error = file != INVALID_HANDLE_VALUE ? ERROR_SUCCESS : GetLastError();
        output->file = (intptr_t)file;
    }
    if (error != ERROR_SUCCESS)
        return host_win32_errno(error);
    /* Where the file system cannot, a killed process leaves a temporary. */
    place->is_kept = !set_deleted(output, true);
    return 0;
}

/* -- put in place -- */

bool host_place_keep(struct host_output *output, bool *is_in_place)
{
    *is_in_place = false;
    if (!output->place->is_kept && !set_deleted(output, false))
        return diag_io(output->diag, output->path,
                       host_win32_errno(GetLastError()), "cannot keep");
    output->place->is_kept = true;
    return true;
}

/* What is read-only cannot be replaced: it is made so again, whichever file is
 * there then. */
int host_place_rename(struct host_output *output)
{
    const wchar_t *target = output->place->target.text;
    DWORD attributes = GetFileAttributesW(target);
    bool is_read_only = attributes != INVALID_FILE_ATTRIBUTES &&
                        (attributes & FILE_ATTRIBUTE_READONLY) != 0;
    int error = 0;

    if (is_read_only)
        SetFileAttributesW(target,
                           attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY);
    if (!MoveFileExW(output->place->temporary.text, target,
                     MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        error = host_win32_errno(GetLastError());
    if (is_read_only)
        SetFileAttributesW(target, attributes);
    return error;
}

void host_place_settle(struct host_output *output)
{
    (void)output; /* the rename did */
}

/* Closing deletes, unless the file is kept. */
void host_place_remove(struct host_output *output)
{
    if (output->file != HOST_CLOSED)
        host_system_close(output->file);
    output->file = HOST_CLOSED;
    if (output->place->is_kept)
        DeleteFileW(output->place->temporary.text);
}
