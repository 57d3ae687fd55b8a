/* sys/resource.h - Windows has no such limits: getting or setting one skips the
 * claim. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WIN32_SYS_RESOURCE_H
#define TESTS_WIN32_SYS_RESOURCE_H

typedef unsigned long long rlim_t;
struct rlimit {
    rlim_t rlim_cur;
    rlim_t rlim_max;
};
struct rusage {
    long ru_maxrss;
};
#define RLIMIT_AS 1
#define RLIMIT_FSIZE 2

int getrlimit(int what, struct rlimit *limit);
int setrlimit(int what, const struct rlimit *limit);

#endif
