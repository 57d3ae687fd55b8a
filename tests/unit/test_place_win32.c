/* test_place_win32.c
 *
 * Goal: on Windows a file's disc offset is that reported by its file system,
 * and log lines are also sent to a debugger.
 * Method: the linker redirects both calls to this file (--wrap), which answers
 * for the file system and records the debugger's lines.
 */
/* SPDX-License-Identifier: MIT */
#include "support/table_win32.h"

#include "harness.h"
#include "support/platform_table.h"

#include <string.h>
#include <windows.h>
#include <winioctl.h>

/* Windows' functions are called through pointers of these names. */
typedef BOOL WINAPI control(HANDLE, DWORD, LPVOID, DWORD, LPVOID, DWORD,
                            LPDWORD, LPOVERLAPPED);
typedef void WINAPI tell(LPCWSTR);
extern control *__wrap___imp_DeviceIoControl;
extern tell *__wrap___imp_OutputDebugStringW;

static DWORD map_error;
static RETRIEVAL_POINTERS_BUFFER map;
static uint32_t asked;

static BOOL WINAPI answer(HANDLE file, DWORD code, LPVOID in, DWORD in_bytes,
                          LPVOID out, DWORD out_bytes, LPDWORD bytes,
                          LPOVERLAPPED overlapped)
{
    const STARTING_VCN_INPUT_BUFFER *first = in;

    (void)file;
    (void)bytes;
    CHECK_EQ(code, FSCTL_GET_RETRIEVAL_POINTERS);
    CHECK_EQ(in_bytes, sizeof *first);
    CHECK_EQ(first->StartingVcn.QuadPart, 0);
    CHECK(out_bytes >= sizeof map && overlapped);
    asked++;
    memcpy(out, &map, sizeof map);
    SetLastError(map_error);
    return map_error == ERROR_SUCCESS;
}
control *__wrap___imp_DeviceIoControl = answer;

static wchar_t told[64];

static void WINAPI hear(LPCWSTR line)
{
    CHECK(wcslen(line) < sizeof told / sizeof told[0]);
    wcscpy(told, line);
}
tell *__wrap___imp_OutputDebugStringW = hear;

static uint64_t place_of(const char *path)
{
    spn_platform_file_info info = open_file(path);

    table.file_close(table.user, info.file);
    return info.disc_offset;
}

static void win32_files_have_their_disc_offset(void)
{
    const char *path = write_file("a", 5000);
    uint64_t cluster;

    open_table(0);
    asked = 0;
    map_error = ERROR_SUCCESS;
    map.ExtentCount = 1;
    map.StartingVcn.QuadPart = 0;
    map.Extents[0].NextVcn.QuadPart = 2;
    map.Extents[0].Lcn.QuadPart = 1;
    cluster = place_of(path);
    CHECK(cluster >= 512 && (cluster & (cluster - 1)) == 0);
    map.Extents[0].Lcn.QuadPart = INT64_C(1) << 33;
    CHECK_EQ_U(place_of(path), cluster << 33);
    map_error = ERROR_MORE_DATA; /* the file has more extents */
    CHECK_EQ_U(place_of(path), cluster << 33);
    map_error = ERROR_HANDLE_EOF; /* the file has no extents */
    CHECK_EQ_U(place_of(path), UINT64_MAX);
    map_error = ERROR_INVALID_FUNCTION;
    CHECK_EQ_U(place_of(path), UINT64_MAX);
    map_error = ERROR_SUCCESS;
    map.Extents[0].Lcn.QuadPart = -1; /* not stored */
    CHECK_EQ_U(place_of(path), UINT64_MAX);
    map.Extents[0].Lcn.QuadPart = 1;
    map.ExtentCount = 0;
    CHECK_EQ_U(place_of(path), UINT64_MAX);
    CHECK_EQ(asked, 7);
}

static void win32_log_goes_to_the_debugger(void)
{
    open_table(0);
    table.log(table.user, SPN_LOG_WARNING, "h\xc3\xb6r");
    CHECK(wcscmp(told, L"spindle: warning: h\u00f6r\n") == 0);
}

TEST_MAIN(TEST(win32_files_have_their_disc_offset),
          TEST(win32_log_goes_to_the_debugger))
