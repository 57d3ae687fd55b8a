/* hdf5_child_posix.c - forks the child process that runs libhdf5.
 *
 * The child is forked without exec: it needs only the file and its socket. It
 * keeps no signal handler and no output of the parent. A timer limits its
 * processor time. Each answer extends the limit, so that an endless loop in the
 * library ends the child, but a large file does not.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#include "abc/hdf5_child.h"

#include "abc/hdf5_serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((double)(1 << 20))
#define SILENCE_STEPS 100
#define MICROSECONDS 1e6

/* -- in the child -- */

static void set_timer(double seconds)
{
    struct itimerval timer = {{0, 0}, {0, 0}};

    timer.it_value.tv_sec = (time_t)seconds;
    timer.it_value.tv_usec =
        (suseconds_t)((seconds - (double)timer.it_value.tv_sec) * MICROSECONDS);
    setitimer(ITIMER_PROF, &timer, NULL);
}

void hdf5_child_add_time(uint64_t bytes)
{
    struct itimerval timer;

    if (getitimer(ITIMER_PROF, &timer) != 0)
        return;
    set_timer((double)timer.it_value.tv_sec +
              (double)timer.it_value.tv_usec / MICROSECONDS +
              HDF5_CHILD_SECONDS_PER_ANSWER +
              HDF5_CHILD_SECONDS_PER_MIB * (double)bytes / MIB);
}

/* The size of all memory that the process has mapped, including the shadow
 * memory of sanitizers. UINT64_MAX if the system does not tell. */
static uint64_t mapped_bytes(void)
{
    char text[64] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long long pages = 0;

    if (file && fgets(text, sizeof text, file))
        pages = strtoull(text, NULL, 10);
    if (file)
        fclose(file);
    return pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE)
                     : UINT64_MAX;
}

static void limit(int resource, uint64_t value)
{
    struct rlimit bound;

    if (getrlimit(resource, &bound) != 0)
        return;
    if (bound.rlim_cur == RLIM_INFINITY || bound.rlim_cur > (rlim_t)value)
        bound.rlim_cur = (rlim_t)value;
    setrlimit(resource, &bound);
}

static void limit_child(const struct hdf5_source *source)
{
    uint64_t mapped = mapped_bytes();

    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    if (mapped < UINT64_MAX - source->limits.memory_bytes - source->bytes)
        limit(RLIMIT_AS, mapped + source->limits.memory_bytes + source->bytes);
    set_timer(source->limits.seconds +
              HDF5_CHILD_SECONDS_PER_MIB * (double)source->bytes / MIB);
}

/* Signal handlers of the parent remove its files: they must not run here. */
static void reset_handlers(const sigset_t *mask)
{
    for (int number = 1; number < NSIG; number++)
        if (number != SIGKILL && number != SIGSTOP)
            signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Discard output of a crash, or of a sanitizer: the parent reports the end. */
static void close_outputs(void)
{
    int none = open("/dev/null", O_RDWR);

    for (int number = STDIN_FILENO; none >= 0 && number <= STDERR_FILENO;
         number++)
        dup2(none, number);
    if (none > STDERR_FILENO)
        close(none);
}

_Noreturn static void run_child(int socket, const struct hdf5_source *source,
                                const sigset_t *mask)
{
    reset_handlers(mask);
    close_outputs();
    limit_child(source);
    _exit(hdf5_serve(socket, source));
}

bool hdf5_child_read(int socket, void *target, size_t bytes)
{
    uint8_t *to = target;

    while (bytes > 0) {
        ssize_t got = recv(socket, to, bytes, 0);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        bytes -= (size_t)got;
    }
    return true;
}

bool hdf5_child_write(int socket, const void *data, size_t bytes)
{
    const uint8_t *from = data;

    while (bytes > 0) {
        ssize_t sent = send(socket, from, bytes, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        from += sent;
        bytes -= (size_t)sent;
    }
    return true;
}

/* -- in the parent -- */

/* Held while both ends of a socket pair are open in this process: a child that
 * another thread forks meanwhile would inherit and keep the second end. */
static pthread_mutex_t start_lock = PTHREAD_MUTEX_INITIALIZER;

/* Descriptors 0, 1 and 2 are replaced in the child: use a larger one. */
static bool raise_descriptor(int *descriptor)
{
    int raised = fcntl(*descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (raised < 0)
        return false;
    close(*descriptor);
    *descriptor = raised;
    return true;
}

/* All signals are blocked until the child has reset the parent's handlers. */
static pid_t fork_child(const int pair[2], const struct hdf5_source *source)
{
    sigset_t all;
    sigset_t before;
    pid_t pid;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid = fork();
    if (pid == 0) {
        close(pair[0]);
        run_child(pair[1], source, &before);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return pid;
}

static bool start(struct hdf5_child *child, const struct hdf5_source *source)
{
    pid_t pid = -1;
    int pair[2];
    int error;

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return false;
    if (raise_descriptor(&pair[0]) && raise_descriptor(&pair[1]))
        pid = fork_child(pair, source);
    error = errno;
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        errno = error;
        return false;
    }
    child->socket = pair[0];
    child->pid = pid;
    return true;
}

bool hdf5_child_start(struct hdf5_child *child,
                      const struct hdf5_source *source, int *error)
{
    bool is_started;

    memset(child, 0, sizeof *child);
    child->socket = -1;
    child->limits = source->limits;
    pthread_mutex_lock(&start_lock);
    is_started = start(child, source);
    *error = errno;
    pthread_mutex_unlock(&start_lock);
    return is_started;
}

/* Format an exit reason from a status of waitpid. */
static void describe_end(struct hdf5_child *child, int status)
{
    char *text = child->exit_reason;
    size_t capacity = sizeof child->exit_reason;

    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        snprintf(text, capacity, "the HDF5 library does not finish reading it");
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        snprintf(text, capacity, "the process of the HDF5 library was killed");
    else if (WIFSIGNALED(status))
        snprintf(text, capacity, "the HDF5 library crashes on it (signal %d)",
                 WTERMSIG(status));
    else if (WIFEXITED(status) &&
             WEXITSTATUS(status) == HDF5_CHILD_EXIT_NO_MEMORY)
        snprintf(text, capacity,
                 "the HDF5 library needs more than %llu MiB for it",
                 (unsigned long long)(child->limits.memory_bytes >> 20));
    else
        snprintf(text, capacity, "the process of the HDF5 library has ended");
}

/* Kill the child and wait for it. If exit_reason is empty, set it from the exit
 * status. */
static void reap(struct hdf5_child *child)
{
    int status = 0;
    pid_t got;

    if (child->pid == 0)
        return;
    kill((pid_t)child->pid, SIGKILL);
    do
        got = waitpid((pid_t)child->pid, &status, 0);
    while (got < 0 && errno == EINTR);
    if (child->exit_reason[0] == 0 && got > 0)
        describe_end(child, status);
    close(child->socket);
    child->socket = -1;
    child->pid = 0;
}

/* Its end of the socket is closed: the child has ended. */
static bool report_end(struct hdf5_child *child)
{
    reap(child);
    if (child->exit_reason[0] == 0)
        snprintf(child->exit_reason, sizeof child->exit_reason,
                 "the process of the HDF5 library has ended");
    return false;
}

void hdf5_child_abort(struct hdf5_child *child, const char *words)
{
    if (child->exit_reason[0] == 0)
        snprintf(child->exit_reason, sizeof child->exit_reason, "%s", words);
    reap(child);
}

void hdf5_child_stop(struct hdf5_child *child)
{
    hdf5_child_abort(child, "it is closed");
}

bool hdf5_child_send(struct hdf5_child *child, const void *data, size_t bytes)
{
    if (child->pid == 0)
        return false;
    return hdf5_child_write(child->socket, data, bytes) || report_end(child);
}

/* Wait for something to read, in short steps: while the user has stopped the
 * process (SIGSTOP), only one step counts. */
static bool await(struct hdf5_child *child)
{
    struct pollfd waits = {child->socket, POLLIN, 0};
    int step_ms = (int)(child->limits.answer_timeout_ms / SILENCE_STEPS);

    for (int i = 0; i < SILENCE_STEPS; i++)
        if (poll(&waits, 1, step_ms) > 0)
            return true;
    hdf5_child_abort(child, "the HDF5 library does not answer");
    return false;
}

bool hdf5_child_receive(struct hdf5_child *child, void *target, size_t bytes)
{
    uint8_t *to = target;

    if (child->pid == 0)
        return false;
    while (bytes > 0) {
        ssize_t got;

        if (!await(child))
            return false;
        got = recv(child->socket, to, bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return report_end(child);
        to += got;
        bytes -= (size_t)got;
    }
    return true;
}
