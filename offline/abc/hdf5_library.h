/* hdf5_library.h - shared by the modules that call libhdf5. They run in the
 * child process; no other file includes this header.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ABC_HDF5_LIBRARY_H
#define OFFLINE_ABC_HDF5_LIBRARY_H

/* Use the same functions with all versions of the library. */
#define H5_USE_110_API 1

#include "abc/hdf5_wire.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

struct hdf5_file {
    hid_t id;
    uint64_t bytes;
    hid_t group; /* of the last request, still open; 0: none */
    uint64_t group_address;
};

/* An answer that grows. If memory runs out, the process ends with
 * HDF5_CHILD_EXIT_NO_MEMORY. */
struct hdf5_reply {
    enum hdf5_outcome outcome;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
};

/* Begin an empty answer. Memory of the one before is reused. */
void hdf5_reply_begin(struct hdf5_reply *reply);
/* Append `count` zero bytes. Returns the first of them, valid until the next
 * call. */
void *hdf5_reply_grow(struct hdf5_reply *reply, size_t count);
/* Append bytes. */
void hdf5_reply_add(struct hdf5_reply *reply, const void *data, size_t count);
/* Append a text: its length in 4 bytes, then its bytes. */
void hdf5_reply_add_text(struct hdf5_reply *reply, const char *text,
                         size_t count);

/* Replace the answer by HDF5_REFUSED and a message; the first message stays.
 * Always false. */
__attribute__((format(printf, 2, 3))) bool hdf5_reply_refuse(
    struct hdf5_reply *reply, const char *format, ...);
/* The same, with the message of the library. */
bool hdf5_reply_failed(struct hdf5_reply *reply, const char *what);

/* hdf5_list.c: answer HDF5_LIST. Returns false after a refusal. */
bool hdf5_list_group(hid_t group, struct hdf5_reply *reply);

/* hdf5_values.c: answer with the values of an attribute or a data set.
 *
 * container   an open group
 * name        of the attribute or data set; if there is none, the answer is
 *             HDF5_ABSENT
 * pod         enum abc_pod; values of another type are refused
 * file_bytes  size of the file, which bounds the size of a data set
 *
 * Returns false after a refusal. */
bool hdf5_read_attribute(hid_t container, const char *name, uint32_t pod,
                         struct hdf5_reply *reply);
bool hdf5_read_data_set(hid_t container, const char *name, uint32_t pod,
                        uint64_t file_bytes, struct hdf5_reply *reply);
/* Read an attribute that is a string of fixed length. *count is its length in
 * bytes; 0 if there is no such attribute. The caller frees *text. Returns false
 * after a refusal. */
bool hdf5_read_text(hid_t container, const char *name, char **text,
                    size_t *count, struct hdf5_reply *reply);

#endif
