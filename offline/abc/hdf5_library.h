/* hdf5_library.h - what the files that call libhdf5 share. Only they, in the
 * child process, include it. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_LIBRARY_H
#define OFFLINE_ABC_HDF5_LIBRARY_H

/* Of all versions of the library the same functions. */
#define H5_USE_110_API 1

#include "abc/hdf5_wire.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

struct hdf5_file {
    hid_t id;
    uint64_t bytes;
    hid_t group; /* the last one that was asked for; 0: none */
    uint64_t group_address;
};

/* An answer that grows. A process that has no memory left for it ends. */
struct hdf5_reply {
    enum hdf5_outcome outcome;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
};

void hdf5_reply_begin(struct hdf5_reply *reply);
/* Room for so many bytes at the end; zeroed. */
void *hdf5_reply_grow(struct hdf5_reply *reply, size_t count);
void hdf5_reply_add(struct hdf5_reply *reply, const void *data, size_t count);
void hdf5_reply_add_text(struct hdf5_reply *reply, const char *text,
                         size_t count);

/* The answer is what is wrong. Always false. */
__attribute__((format(printf, 2, 3))) bool hdf5_reply_refuse(
    struct hdf5_reply *reply, const char *format, ...);
/* The same, with what the library says itself. */
bool hdf5_reply_failed(struct hdf5_reply *reply, const char *what);

/* hdf5_list.c: the answer to HDF5_LIST. */
bool hdf5_list_group(hid_t group, struct hdf5_reply *reply);

/* hdf5_values.c: the values of an attribute or a data set. `container` is a
 * group, `name` what is in it; `pod` is what the values must be. Nothing
 * there: HDF5_ABSENT. `file_bytes` bound what a data set may hold. */
bool hdf5_read_attribute(hid_t container, const char *name, uint32_t pod,
                         struct hdf5_reply *reply);
bool hdf5_read_data_set(hid_t container, const char *name, uint32_t pod,
                        uint64_t file_bytes, struct hdf5_reply *reply);
/* A string of fixed length. `count` is 0 where there is none. False: refused.
 */
bool hdf5_read_text(hid_t container, const char *name, char **text,
                    size_t *count, struct hdf5_reply *reply);

#endif
