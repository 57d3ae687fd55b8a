/* ftw.h - nftw for removing a folder with its content. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WIN32_FTW_H
#define TESTS_WIN32_FTW_H

#include <sys/stat.h>

struct FTW {
    int base;
    int level;
};
#define FTW_DEPTH 1
#define FTW_PHYS 2

int nftw(const char *path,
         int (*visit)(const char *path, const struct stat *info, int kind,
                      struct FTW *place),
         int depth, int flags);

#endif
