/* abc_files.h - the archives of the assets folder, for tests of offline/abc. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_ABC_FILES_H
#define TESTS_SUPPORT_ABC_FILES_H

#include "harness.h"

/* All files of a folder whose names end with `ending`, sorted by name. */
struct file_list {
    char **paths;
    size_t count;
};
void file_list_open(struct file_list *list, const char *folder,
                    const char *ending);
void file_list_close(struct file_list *list);

/* The path of the oracle of "x.abc": "x" + ending. The caller frees it. */
char *oracle_path(const char *archive_path, const char *ending);

/* A whole file with a zero byte after it; NULL when missing. The caller frees
 * it. */
char *file_text(const char *path, size_t *bytes);

/* Call `visit` for every valid archive of the assets. Skips the claim when
 * there are none. A build without libhdf5 instead checks that HDF5 archives are
 * refused with a hint. Returns the number of archives. */
unsigned visit_archives(void (*visit)(const char *path));

/* Call `visit` for every archive of the test data with an oracle beside it,
 * "x.oracle.json". */
unsigned visit_test_data(void (*visit)(const char *path));

#endif
