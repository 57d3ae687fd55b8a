/* hdf5_child.h - starts and ends the child process that serves an HDF5 file.
 *
 * libhdf5 may crash, hang or allocate without bound on a damaged file. The
 * child limits its memory and its processor time. However it ends, the parent
 * only loses access to that file. One thread at a time uses a child;
 * hdf5_query.c holds a lock.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_CHILD_H
#define OFFLINE_ABC_HDF5_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Processor time that the child gets in addition to hdf5_limits.seconds: for
 * each answer, and for each MiB of the file and of the answers. */
#define HDF5_CHILD_SECONDS_PER_ANSWER 0.001
#define HDF5_CHILD_SECONDS_PER_MIB 0.25

struct hdf5_limits {
    double seconds;        /* of processor time, at the start */
    uint64_t memory_bytes; /* in addition to the memory of the parent and the
                            * size of the file */
    uint32_t answer_timeout_ms; /* a child that sends nothing for so long is
                                 * ended */
};
#define HDF5_LIMITS ((struct hdf5_limits){10.0, (uint64_t)1 << 30, 120000})

/* The file to serve: `path`, or, if that is NULL, the `bytes` bytes at `data`.
 */
struct hdf5_source {
    const char *path;
    const void *data;
    uint64_t bytes; /* size of the file in both cases */
    struct hdf5_limits limits;
};

struct hdf5_child {
    int socket;            /* of the parent; -1: none */
    int64_t pid;           /* of the process; 0: none */
    char exit_reason[128]; /* why it has ended; empty while it runs */
    struct hdf5_limits limits;
};

/* Start a child. If the system refuses, return false and set *error to errno.
 */
bool hdf5_child_start(struct hdf5_child *child,
                      const struct hdf5_source *source, int *error);

/* Send or receive all of `bytes` bytes. Returns false if the child has ended;
 * exit_reason then says why. */
bool hdf5_child_send(struct hdf5_child *child, const void *data, size_t bytes);
bool hdf5_child_receive(struct hdf5_child *child, void *target, size_t bytes);

/* End the child at once. `reason`, a predicate like "is closed", becomes its
 * exit_reason unless it has one. */
void hdf5_child_abort(struct hdf5_child *child, const char *reason);

/* End the child. Legal if it was never started and all fields are zero. */
void hdf5_child_stop(struct hdf5_child *child);

/* -- functions that run in the child -- */

/* The exit status of a child that has no memory left. */
#define HDF5_CHILD_EXIT_NO_MEMORY 2

/* Receive or send all of `bytes` bytes. Returns false if the parent has closed
 * its socket. */
bool hdf5_child_read(int socket, void *target, size_t bytes);
bool hdf5_child_write(int socket, const void *data, size_t bytes);
/* Extend the limit of processor time after an answer of so many bytes. */
void hdf5_child_add_time(uint64_t bytes);

#endif
