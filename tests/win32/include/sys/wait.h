/* sys/wait.h - there are no child processes to wait for: fork skips the
 * claim. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_WIN32_SYS_WAIT_H
#define TESTS_WIN32_SYS_WAIT_H

#include <sys/resource.h>
#include <sys/types.h>

#define WIFEXITED(status) ((status) == 0)
#define WEXITSTATUS(status) (status)
#define WIFSIGNALED(status) ((status) != 0)
#define WTERMSIG(status) (status)

pid_t waitpid(pid_t child, int *status, int options);
pid_t wait4(pid_t child, int *status, int options, struct rusage *usage);

#endif
