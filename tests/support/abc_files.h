/* abc_files.h - the archives of the assets folder, for the tests of abc/. */
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

/* The oracle beside "x.abc": "x" + ending. Caller frees. */
char *oracle_path(const char *archive_path, const char *ending);

/* A whole file with a zero byte behind it, NULL when missing. Caller frees. */
char *file_text(const char *path, size_t *bytes);

/* Call `visit` for every valid archive of the assets, skip where there are
 * none. In a build without libhdf5 those of HDF5 are checked to be refused with
 * a way out. Returns how many there are. */
unsigned visit_archives(void (*visit)(const char *path));

/* Call `visit` for every archive of the test data that has an oracle beside
 * it, "x.oracle.json". */
unsigned visit_test_data(void (*visit)(const char *path));

#endif
