/* table_posix.c - the POSIX table; its reads end within read_submit. */
/* SPDX-License-Identifier: MIT */
#include "../../platform/posix/platform_posix.h"
#include "harness.h"
#include "support/platform_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static void *state;

void open_table(uint32_t flags)
{
    CHECK_EQ_U(flags, 0);
    free(state);
    state = malloc(spn_platform_posix_bytes());
    CHECK_EQ(spn_platform_posix_init(state, spn_platform_posix_bytes(), &table),
             SPN_OK);
}

const char *write_file(const char *name, size_t bytes)
{
    static char path[512];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", test_temp(), name);
    file = fopen(path, "wb");
    CHECK(file);
    for (size_t i = 0; i < bytes; i++)
        putc(byte_at(i), file);
    CHECK(fclose(file) == 0);
    return path;
}

spn_platform_completion read_now(spn_platform_file file, uint64_t offset,
                                 const spn_extent *extents,
                                 uint32_t extent_count)
{
    spn_platform_completion completion = {0};
    uint64_t due_us = 0;

    submit_read(file, offset, extents, extent_count);
    CHECK_EQ(table.read_poll(table.user, &completion, &due_us), SPN_OK);
    CHECK_EQ(completion.tag, TABLE_TAG);
    return completion;
}

/* On Linux of this thread alone, elsewhere of the process. */
int priority_now(void)
{
    return -getpriority(PRIO_PROCESS, 0);
}
