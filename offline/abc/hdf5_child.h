/* hdf5_child.h - a process that serves an HDF5 file, and its death.
 *
 * The child has limits: on memory beyond what the process has already, and on
 * processor time for what it delivers. Whatever ends it costs the parent
 * nothing but the file. One thread at a time per child.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_CHILD_H
#define OFFLINE_ABC_HDF5_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Seconds of processor time beyond what it begins with: for each answer, for
 * each MiB of the file and of answers. */
#define HDF5_CHILD_SECONDS_PER_ANSWER 0.001
#define HDF5_CHILD_SECONDS_PER_MIB 0.25

struct hdf5_limits {
    double seconds;        /* of processor time, to begin with */
    uint64_t memory_bytes; /* beyond what the process has and the file's size */
    uint32_t silence_ms;   /* a child that says nothing for so long, whatever it
                            * does, is given up */
};
#define HDF5_LIMITS ((struct hdf5_limits){10.0, (uint64_t)1 << 30, 120000})

/* The file to serve: `path`, or the `data` of `bytes` that the process has
 * when path is NULL. */
struct hdf5_source {
    const char *path;
    const void *data;
    uint64_t bytes; /* of the file, in both cases */
    struct hdf5_limits limits;
};

struct hdf5_child {
    int socket;      /* -1: none */
    int64_t pid;     /* 0: none */
    char words[128]; /* why it is no more; empty while it lives */
    struct hdf5_limits limits;
};

/* Start a child. False when the system refuses; `error` is then errno's. */
bool hdf5_child_start(struct hdf5_child *child,
                      const struct hdf5_source *source, int *error);

/* All of it or false: the child is gone then, and `words` say why. */
bool hdf5_child_send(struct hdf5_child *child, const void *data, size_t bytes);
bool hdf5_child_receive(struct hdf5_child *child, void *target, size_t bytes);

/* End it at once, for a reason that is a sentence's predicate. */
void hdf5_child_give_up(struct hdf5_child *child, const char *words);

/* End it. Legal for one that never started, if it is all zero. */
void hdf5_child_stop(struct hdf5_child *child);

/* -- for the child itself -- */

/* How a child ends that has no memory left. */
#define HDF5_CHILD_EXIT_NO_MEMORY 2

/* Parent and child are one program: these run in the child. All or nothing;
 * false when the parent has gone. */
bool hdf5_child_hear(int socket, void *target, size_t bytes);
bool hdf5_child_say(int socket, const void *data, size_t bytes);
/* An answer of so many bytes went out: more time for the next. */
void hdf5_child_earn(uint64_t bytes);

#endif
