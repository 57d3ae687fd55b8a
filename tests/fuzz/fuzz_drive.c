/* fuzz_drive.c - the text of a drive profile.
 *
 * An accepted profile passes the runtime's own check, and is printed as text
 * that reads back as the same profile.
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include "drives/drive_file.h"

#include <stdlib.h>
#include <string.h>

static bool parse(const char *text, size_t bytes, spn_drive_profile *profile)
{
    struct diag diag;
    bool is_good;

    diag_init(&diag);
    diag.is_silent = true;
    is_good = drive_file_parse("fuzz.drive", text, bytes, profile, &diag);
    CHECK(is_good == (diag.code == EXIT_DONE));
    CHECK(is_good || diag.text[0]);
    diag_finish(&diag);
    return is_good;
}

static void print_and_read_back(const spn_drive_profile *profile)
{
    static FILE *file; /* one temporary file for the process */
    char text[4096];
    spn_drive_profile again;
    size_t bytes;
    long end;

    if (!file)
        file = tmpfile();
    CHECK(file != NULL);
    rewind(file);
    drive_file_print(profile, file);
    end = ftell(file);
    CHECK(end > 0 && (size_t)end <= sizeof text);
    rewind(file);
    bytes = fread(text, 1, (size_t)end, file);
    CHECK_EQ_U(bytes, (size_t)end);
    memset(&again, 0, sizeof again);
    CHECK(parse(text, bytes, &again));
    CHECK_MEM(&again, profile, sizeof again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = fuzz_copy(data, size);
    spn_drive_profile profile;

    memset(&profile, 0, sizeof profile);
    if (parse((const char *)copy, size, &profile)) {
        CHECK_EQ(spn_drive_profile_check(&profile, NULL), SPN_OK);
        print_and_read_back(&profile);
    }
    free(copy);
    return 0;
}
