/* host_output_win32.c - output that appears whole or not at all, on Windows.
 *
 * Until it is whole an output is a file that will be deleted when its handle
 * is closed, which the system does however the process ends: killed at any
 * moment, it leaves nothing, unless it was between the end of the writing and
 * the rename. It lies in the target's own folder, so that the rename cannot
 * cross volumes. After a failed write the output stays failed and its commit
 * only cleans up.
 *
 * A folder cannot be synced here; MOVEFILE_WRITE_THROUGH returns when the
 * rename is on the disc.
 */
/* SPDX-License-Identifier: MIT */
#include "common/host_win32.h"

#include "common/host_system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* One call takes no more than 32 bits. */
#define CALL_BYTES_MAX ((size_t)1 << 30)
#define TEMPORARY_TRIES 1000u
#define TEMPORARY_UNITS_MAX 48u

struct host_output {
    struct diag *diag;
    char *path;   /* as the caller named it, for messages */
    char *folder; /* likewise */
    struct win32_path target;
    struct win32_path temporary;
    HANDLE file;  /* INVALID_HANDLE_VALUE: there is none */
    bool is_kept; /* the temporary is not deleted with its handle */
    uint64_t bytes;
    bool has_failed;
};

/* ---- open --------------------------------------------------------------- */

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

/* Closing deletes, unless the file is kept. */
static void release(struct host_output *output)
{
    if (output->file != INVALID_HANDLE_VALUE)
        CloseHandle(output->file);
    free(output->path);
    free(output->folder);
    free(output);
}

/* "a/b" -> "a", "/b" -> "/", "c:b" -> "c:", "b" -> ".". */
static char *folder_of(const char *path)
{
    size_t length = strlen(path);

    while (length > 0 && !host_system_is_separator(path[length - 1]) &&
           path[length - 1] != ':')
        length--;
    if (length == 0)
        return copy_text(".", 1);
    if (length > 1 && path[length - 1] != ':')
        length--;
    return copy_text(path, length);
}

/* Where links lead: the target, as the system names it. */
static bool resolve(struct host_output *output, HANDLE file)
{
    struct win32_path *target = &output->target;
    DWORD length =
        GetFinalPathNameByHandleW(file, target->text, WIN32_PATH_UNITS, 0);

    return length > 0 && length < WIN32_PATH_UNITS;
}

/* What is there is an ordinary file, or there is nothing. */
static bool judge_target(struct host_output *output)
{
    const char *path = output->path;
    size_t length = strlen(path);
    uint64_t bytes;
    int error;
    HANDLE file;
    enum host_kind kind;

    if (length == 0)
        return diag_io(output->diag, "output", 0, "has no name");
    file = host_win32_open(path, 0, &error);
    if (file == INVALID_HANDLE_VALUE) {
        if (error != ENOENT && error != ENOTDIR)
            return diag_io(output->diag, path, error, "cannot write");
        if (host_system_is_separator(path[length - 1]))
            return diag_io(output->diag, path, 0, "names a folder, not a file");
        error = host_win32_path(&output->target, path);
        return error == 0 || diag_io(output->diag, path, error, "cannot write");
    }
    kind = host_win32_kind(file, &bytes);
    if (kind == HOST_FILE && !resolve(output, file))
        error = ENAMETOOLONG;
    CloseHandle(file);
    if (kind != HOST_FILE)
        return diag_io(output->diag, path, 0,
                       kind == HOST_FOLDER ? "is a folder, not a file"
                                           : "is not an ordinary file");
    return error == 0 || diag_io(output->diag, path, error, "cannot write");
}

static bool judge_folder(struct host_output *output)
{
    enum host_kind kind;
    uint64_t bytes;
    int error;
    HANDLE folder = host_win32_open(output->folder, 0, &error);

    if (folder == INVALID_HANDLE_VALUE)
        return diag_io(output->diag, output->path, error,
                       "cannot use folder \"%s\"", output->folder);
    kind = host_win32_kind(folder, &bytes);
    CloseHandle(folder);
    return kind == HOST_FOLDER ||
           diag_io(output->diag, output->path, 0, "\"%s\" is not a folder",
                   output->folder);
}

/* Whether the file goes with its handle. */
static bool set_deleted(struct host_output *output, bool is_deleted)
{
    FILE_DISPOSITION_INFO info = {.DeleteFile = is_deleted};

    return SetFileInformationByHandle(output->file, FileDispositionInfo, &info,
                                      sizeof info) != 0;
}

static bool create_temporary(struct host_output *output)
{
    wchar_t *text = output->temporary.text;
    wchar_t *name = wcsrchr(output->target.text, L'\\');
    size_t folder_units = name ? (size_t)(name + 1 - output->target.text) : 0;
    DWORD error = ERROR_FILENAME_EXCED_RANGE;

    if (folder_units > 0 &&
        folder_units + TEMPORARY_UNITS_MAX <= WIN32_PATH_UNITS)
        error = ERROR_FILE_EXISTS;
    memcpy(text, output->target.text, folder_units * sizeof *text);
    for (unsigned i = 0; i < TEMPORARY_TRIES && error == ERROR_FILE_EXISTS;
         i++) {
        swprintf(text + folder_units, TEMPORARY_UNITS_MAX,
                 L".spindle-%lu-%u.tmp", GetCurrentProcessId(), i);
        output->file =
            CreateFileW(text, GENERIC_READ | GENERIC_WRITE | DELETE,
                        FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                        NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        error = output->file != INVALID_HANDLE_VALUE ? ERROR_SUCCESS
                                                     : GetLastError();
    }
    if (error != ERROR_SUCCESS)
        return diag_io(output->diag, output->path, host_win32_errno(error),
                       "cannot write in folder \"%s\"", output->folder);
    /* Where the file system cannot, a killed process leaves a temporary. */
    output->is_kept = !set_deleted(output, true);
    return true;
}

bool host_output_differs(const char *output, const char *input,
                         struct diag *diag)
{
    const char *paths[2] = {output, input};
    BY_HANDLE_FILE_INFORMATION info[2];

    for (int i = 0; i < 2; i++) {
        int error;
        HANDLE file = host_win32_open(paths[i], 0, &error);
        bool is_known = file != INVALID_HANDLE_VALUE &&
                        GetFileInformationByHandle(file, &info[i]);

        if (file != INVALID_HANDLE_VALUE)
            CloseHandle(file);
        if (!is_known)
            return true;
    }
    if (info[0].dwVolumeSerialNumber != info[1].dwVolumeSerialNumber ||
        info[0].nFileIndexHigh != info[1].nFileIndexHigh ||
        info[0].nFileIndexLow != info[1].nFileIndexLow)
        return true;
    return diag_refuse(diag, output, DIAG_NO_OFFSET, NULL,
                       "the output is the input");
}

struct host_output *host_output_open(const char *path, struct diag *diag)
{
    struct host_output *output = calloc(1, sizeof *output);

    if (!output) {
        diag_io(diag, path, ENOMEM, "cannot write");
        return NULL;
    }
    output->diag = diag;
    output->file = INVALID_HANDLE_VALUE;
    output->path = copy_text(path, strlen(path));
    output->folder = folder_of(path);
    if (!output->path || !output->folder) {
        diag_io(diag, path, ENOMEM, "cannot write");
        goto fail;
    }
    if (!judge_target(output) || !judge_folder(output) ||
        !create_temporary(output))
        goto fail;
    return output;
fail:
    release(output);
    return NULL;
}

/* ---- write -------------------------------------------------------------- */

bool host_output_write_at(struct host_output *output, uint64_t offset,
                          const void *data, size_t bytes)
{
    const uint8_t *from = data;

    if (output->has_failed)
        return false;
    if (offset > output->bytes || bytes > (uint64_t)INT64_MAX - offset) {
        output->has_failed = true;
        return diag_io(output->diag, output->path, 0,
                       "write beyond the end of the file");
    }
    while (bytes > 0) {
        OVERLAPPED place = {0};
        DWORD done = 0;

        place.Offset = (DWORD)offset;
        place.OffsetHigh = (DWORD)(offset >> 32);
        if (!WriteFile(output->file, from,
                       (DWORD)(bytes < CALL_BYTES_MAX ? bytes : CALL_BYTES_MAX),
                       &done, &place) ||
            done == 0) {
            output->has_failed = true;
            return diag_io(output->diag, output->path,
                           host_win32_errno(GetLastError()), "cannot write");
        }
        from += done;
        bytes -= done;
        offset += done;
        if (offset > output->bytes)
            output->bytes = offset;
    }
    return true;
}

bool host_output_append(struct host_output *output, const void *data,
                        size_t bytes)
{
    return host_output_write_at(output, output->bytes, data, bytes);
}

bool host_output_read_at(struct host_output *output, uint64_t offset,
                         void *target, size_t bytes)
{
    int error;

    if (output->has_failed)
        return false;
    error = host_win32_read(output->file, offset, target, bytes);
    if (error == 0)
        return true;
    output->has_failed = true;
    return diag_io(output->diag, output->path, error > 0 ? error : EIO,
                   "cannot read back");
}

uint64_t host_output_bytes(const struct host_output *output)
{
    return output->bytes;
}

/* ---- commit ------------------------------------------------------------- */

/* What is read-only cannot be replaced: it is made so again, whichever file is
 * there then. */
static bool rename_over(struct host_output *output)
{
    const wchar_t *target = output->target.text;
    DWORD attributes = GetFileAttributesW(target);
    bool is_read_only = attributes != INVALID_FILE_ATTRIBUTES &&
                        (attributes & FILE_ATTRIBUTE_READONLY) != 0;
    DWORD error = ERROR_SUCCESS;

    if (is_read_only)
        SetFileAttributesW(target,
                           attributes & ~(DWORD)FILE_ATTRIBUTE_READONLY);
    if (!MoveFileExW(output->temporary.text, target,
                     MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
        error = GetLastError();
    if (is_read_only)
        SetFileAttributesW(target, attributes);
    return error == ERROR_SUCCESS ||
           diag_io(output->diag, output->path, host_win32_errno(error),
                   "cannot rename");
}

static bool finish(struct host_output *output)
{
    if (output->has_failed)
        return false;
    if (!FlushFileBuffers(output->file))
        return diag_io(output->diag, output->path,
                       host_win32_errno(GetLastError()), "cannot sync");
    if (!output->is_kept && !set_deleted(output, false))
        return diag_io(output->diag, output->path,
                       host_win32_errno(GetLastError()), "cannot keep");
    output->is_kept = true;
    CloseHandle(output->file);
    output->file = INVALID_HANDLE_VALUE;
    return rename_over(output);
}

bool host_output_commit(struct host_output *output)
{
    if (!finish(output)) {
        host_output_abandon(output);
        return false;
    }
    release(output);
    return true;
}

void host_output_abandon(struct host_output *output)
{
    if (!output)
        return;
    if (output->file != INVALID_HANDLE_VALUE)
        CloseHandle(output->file);
    output->file = INVALID_HANDLE_VALUE;
    if (output->is_kept)
        DeleteFileW(output->temporary.text);
    release(output);
}
