/* host_output_win32.c - the temporaries of outputs on Windows.
 *
 * Until it is complete, a temporary is marked for deletion when its handle is
 * closed. The system closes the handles of every process that ends, so a killed
 * process leaves nothing, except between host_target_link and the rename.
 *
 * A folder cannot be synced; with MOVEFILE_WRITE_THROUGH the rename returns
 * when it is on the disc.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_win32.h"

#include "host/host_system.h"
#include "host/host_target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define TEMPORARY_TRIES 1000u
#define TEMPORARY_UNITS_MAX 48u

struct host_target {
    struct win32_path path; /* of the target, with links resolved */
    struct win32_path temporary;
    bool is_kept; /* the temporary is not deleted when its handle is closed */
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

/* Store the path that a link leads to. */
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

int host_target_find(struct host_output *output, bool exists)
{
    struct host_target *at = calloc(1, sizeof *at);

    output->target = at;
    output->folder = folder_of(output->path);
    if (!at || !output->folder)
        return ENOMEM;
    return exists ? resolve(&at->path, output->path)
                  : host_win32_path(&at->path, output->path);
}

void host_target_free(struct host_output *output)
{
    free(output->target);
    output->target = NULL;
}

/* -- create -- */

/* Set whether the file is deleted when its handle is closed. */
static bool set_deleted(struct host_output *output, bool is_deleted)
{
    FILE_DISPOSITION_INFO info = {.DeleteFile = is_deleted};

    return SetFileInformationByHandle((HANDLE)output->file, FileDispositionInfo,
                                      &info, sizeof info) != 0;
}

int host_target_create_temporary(struct host_output *output)
{
    struct host_target *at = output->target;
    wchar_t *text = at->temporary.text;
    wchar_t *name = wcsrchr(at->path.text, L'\\');
    size_t folder_units = name ? (size_t)(name + 1 - at->path.text) : 0;
    DWORD error = ERROR_FILENAME_EXCED_RANGE;

    if (folder_units > 0 &&
        folder_units + TEMPORARY_UNITS_MAX <= WIN32_PATH_UNITS)
        error = ERROR_FILE_EXISTS;
    memcpy(text, at->path.text, folder_units * sizeof *text);
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
    /* If the file system cannot do this, a killed process leaves a temporary.
     */
    at->is_kept = !set_deleted(output, true);
    return 0;
}

/* -- commit -- */

bool host_target_link(struct host_output *output, bool *is_at_target)
{
    *is_at_target = false;
    if (!output->target->is_kept && !set_deleted(output, false))
        return diag_io(output->diag, output->path,
                       host_win32_errno(GetLastError()), "cannot keep");
    output->target->is_kept = true;
    return true;
}

/* A read-only target cannot be replaced: clear the attribute, and set it again
 * afterwards. */
int host_target_rename(struct host_output *output)
{
    const wchar_t *target = output->target->path.text;
    DWORD attributes = GetFileAttributesW(target);
    bool is_read_only = attributes != INVALID_FILE_ATTRIBUTES &&
                        (attributes & FILE_ATTRIBUTE_READONLY) != 0;
    int error = 0;

    if (is_read_only)
        SetFileAttributesW(target,
                           attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY);
    if (!MoveFileExW(output->target->temporary.text, target,
                     MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        error = host_win32_errno(GetLastError());
    if (is_read_only)
        SetFileAttributesW(target, attributes);
    return error;
}

void host_target_sync_folder(struct host_output *output)
{
    (void)output; /* MOVEFILE_WRITE_THROUGH has synced it */
}

/* Closing the handle deletes the file unless it is kept. */
void host_target_remove_temporary(struct host_output *output)
{
    if (output->file != HOST_CLOSED)
        host_system_close(output->file);
    output->file = HOST_CLOSED;
    if (output->target->is_kept)
        DeleteFileW(output->target->temporary.text);
}
