/* platform_win32.c - files, the clock and the log on Windows.
 *
 * Files are opened in shared mode, as on other systems, so that other programs
 * may write or delete them. The medium of a file on an optical drive is
 * SPN_MEDIUM_OPTICAL.
 *
 * Reads are in win32_reads.c, threads and events in win32_threads.c, paths in
 * win32_path.c.
 */
/* SPDX-License-Identifier: MIT */
#include "platform_win32.h"

#include "win32_state.h"

#include <string.h>
#include <winioctl.h>

/* Alignment that fits every device: a multiple of all sector sizes and DMA
 * units. */
#define DIRECT_ALIGN_BYTES 4096u

#define LOG_LINE_BYTES 1024u

_Static_assert(_Alignof(struct spn_platform_win32) <= 16,
               "caller aligns to 16");

uint64_t spn__win32_now_us(void *user)
{
    const struct spn_platform_win32 *win32 = user;
    uint64_t rate = (uint64_t)win32->counts_per_second.QuadPart;
    LARGE_INTEGER now;
    uint64_t count;

    /* Cannot fail: every Windows since XP has the counter. */
    QueryPerformanceCounter(&now);
    count = (uint64_t)now.QuadPart;
    return count / rate * 1000000u + count % rate * 1000000u / rate;
}

static spn_status status_of_open(DWORD error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_INVALID_DRIVE:
        return SPN_ERR_NOT_FOUND;
    default:
        return SPN_ERR_IO;
    }
}

/* Get the medium of a file. `scratch` gets the path of its volume, or "". */
static spn_medium medium_of(struct win32_path *path)
{
    path->scratch[0] = L'\0';
    if (GetVolumePathNameW(path->text, path->scratch, WIN32_PATH_UNITS) &&
        GetDriveTypeW(path->scratch) == DRIVE_CDROM)
        return SPN_MEDIUM_OPTICAL;
    return SPN_MEDIUM_HARD_DISK;
}

/* Bytes of a cluster of the volume whose path is in `scratch`; 0: unknown. */
static uint64_t cluster_bytes(const struct win32_path *path)
{
    DWORD sectors;
    DWORD bytes;
    DWORD free_clusters;
    DWORD clusters;

    if (!GetDiskFreeSpaceW(path->scratch, &sectors, &bytes, &free_clusters,
                           &clusters))
        return 0;
    return (uint64_t)sectors * bytes;
}

/* Get the place of the file's first cluster on its volume; medium_of must have
 * set the path of the volume. The place is unknown if the file has no cluster
 * (a small file in the table of files), if its begin is not stored (sparse,
 * compressed), or if the file system does not report it. */
static uint64_t place_of(const struct spn_platform_win32 *win32, HANDLE file)
{
    STARTING_VCN_INPUT_BUFFER first;
    RETRIEVAL_POINTERS_BUFFER found; /* with one extent */
    OVERLAPPED overlapped = {0};
    DWORD bytes = 0;
    uint64_t cluster = cluster_bytes(&win32->path);
    bool is_found;

    memset(&first, 0, sizeof first);
    overlapped.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!overlapped.hEvent)
        return UINT64_MAX;
    is_found = DeviceIoControl(file, FSCTL_GET_RETRIEVAL_POINTERS, &first,
                               sizeof first, &found, sizeof found, NULL,
                               &overlapped) != 0 ||
               GetLastError() == ERROR_IO_PENDING ||
               GetLastError() == ERROR_MORE_DATA;
    /* ERROR_MORE_DATA: there are more extents; the first one is here. */
    if (is_found && !GetOverlappedResult(file, &overlapped, &bytes, TRUE))
        is_found = GetLastError() == ERROR_MORE_DATA;
    CloseHandle(overlapped.hEvent);
    if (!is_found || cluster == 0 || found.ExtentCount == 0 ||
        found.StartingVcn.QuadPart != 0 || found.Extents[0].Lcn.QuadPart < 0)
        return UINT64_MAX;
    return (uint64_t)found.Extents[0].Lcn.QuadPart * cluster;
}

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    struct spn_platform_win32 *win32 = user;
    bool is_direct = (win32->flags & SPN_WIN32_DIRECT) != 0;
    DWORD flags = FILE_FLAG_OVERLAPPED;
    LARGE_INTEGER bytes;
    HANDLE file;

    /* Disable read-ahead: the runtime reads ahead itself. */
    flags |= is_direct ? FILE_FLAG_NO_BUFFERING : FILE_FLAG_RANDOM_ACCESS;
    if (!spn__win32_path_set(&win32->path, path))
        return SPN_ERR_NOT_FOUND;
    file = CreateFileW(win32->path.text, GENERIC_READ,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                       NULL, OPEN_EXISTING, flags, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return status_of_open(GetLastError());
    if (GetFileType(file) != FILE_TYPE_DISK || !GetFileSizeEx(file, &bytes)) {
        CloseHandle(file);
        return SPN_ERR_IO;
    }
    info->file = (spn_platform_file)(uintptr_t)file;
    info->medium = medium_of(&win32->path);
    info->bytes = (uint64_t)bytes.QuadPart;
    info->disc_offset = place_of(win32, file);
    info->align_bytes = is_direct ? DIRECT_ALIGN_BYTES : 1;
    return SPN_OK;
}

static void file_close(void *user, spn_platform_file file)
{
    (void)user;
    CloseHandle((HANDLE)(uintptr_t)file);
}

/* Append as many characters as fit. */
static DWORD add(char *line, DWORD at, DWORD limit, const char *text)
{
    while (*text && at < limit)
        line[at++] = *text++;
    return at;
}

/* Debuggers expect UTF-16. */
static void log_to_debugger(const char *line, DWORD bytes)
{
    wchar_t wide[LOG_LINE_BYTES + 1];
    int units = MultiByteToWideChar(CP_UTF8, 0, line, (int)bytes, wide,
                                    (int)LOG_LINE_BYTES);

    wide[units] = 0;
    if (units > 0)
        OutputDebugStringW(wide);
}

/* One line in one call, so that lines of several threads do not mix. */
static void log_line(void *user, spn_log_level level, const char *text)
{
    static const char *const heads[] = {
        "spindle: error: ", "spindle: warning: ", "spindle: "};
    char line[LOG_LINE_BYTES];
    DWORD bytes = 0;

    (void)user;
    bytes = add(line, bytes, sizeof line - 1,
                heads[level == SPN_LOG_ERROR     ? 0
                      : level == SPN_LOG_WARNING ? 1
                                                 : 2]);
    bytes = add(line, bytes, sizeof line - 1, text);
    line[bytes++] = '\n';
    log_to_debugger(line, bytes);
    /* An error of the log cannot be reported. */
    WriteFile(GetStdHandle(STD_ERROR_HANDLE), line, bytes, &bytes, NULL);
}

size_t spn_platform_win32_bytes(void)
{
    return sizeof(struct spn_platform_win32);
}

spn_status spn_platform_win32_init(void *memory, size_t bytes, uint32_t flags,
                                   spn_platform *out)
{
    struct spn_platform_win32 *win32 = memory;

    if (!memory || !out || (uintptr_t)memory % 16 != 0 ||
        (flags & ~SPN_WIN32_DIRECT) != 0)
        return SPN_ERR_ARG;
    if (bytes < sizeof *win32)
        return SPN_ERR_MEMORY;
    memset(win32, 0, sizeof *win32);
    memset(out, 0, sizeof *out);
    win32->flags = flags;
    QueryPerformanceFrequency(&win32->counts_per_second);
    out->user = win32;
    out->file_open = file_open;
    out->file_close = file_close;
    out->now_us = spn__win32_now_us;
    out->log = log_line;
    spn__win32_reads_fill(out);
    spn__win32_threads_fill(out);
    return SPN_OK;
}
