/* hdf5_reply.c - builds an answer of the child. */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5_child.h"
#include "abc/hdf5_library.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void hdf5_reply_begin(struct hdf5_reply *reply)
{
    reply->outcome = HDF5_DONE;
    reply->count = 0;
}

void *hdf5_reply_grow(struct hdf5_reply *reply, size_t count)
{
    uint8_t *end;

    if (count > reply->capacity - reply->count) {
        size_t capacity = reply->capacity + count + reply->capacity / 2;
        uint8_t *bytes = realloc(reply->bytes, capacity);

        if (!bytes)
            _exit(HDF5_CHILD_EXIT_NO_MEMORY);
        reply->bytes = bytes;
        reply->capacity = capacity;
    }
    end = reply->bytes + reply->count;
    memset(end, 0, count);
    reply->count += count;
    return end;
}

void hdf5_reply_add(struct hdf5_reply *reply, const void *data, size_t count)
{
    void *end = hdf5_reply_grow(reply, count);

    if (count > 0)
        memcpy(end, data, count);
}

void hdf5_reply_add_text(struct hdf5_reply *reply, const char *text,
                         size_t count)
{
    uint32_t length = (uint32_t)count;

    hdf5_reply_add(reply, &length, sizeof length);
    hdf5_reply_add(reply, text, length);
}

bool hdf5_reply_refuse(struct hdf5_reply *reply, const char *format, ...)
{
    char text[HDF5_MESSAGE_BYTES_MAX];
    va_list arguments;

    if (reply->outcome == HDF5_REFUSED)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reply->outcome = HDF5_REFUSED;
    reply->count = 0;
    hdf5_reply_add(reply, text, strlen(text));
    return false;
}

/* Keep the first message, which is the most specific one. */
static herr_t copy_message(unsigned number, const H5E_error2_t *error,
                           void *user)
{
    if (number == 0 && error->desc)
        snprintf(user, HDF5_MESSAGE_BYTES_MAX / 2, "%s", error->desc);
    return 0;
}

bool hdf5_reply_failed(struct hdf5_reply *reply, const char *what)
{
    char words[HDF5_MESSAGE_BYTES_MAX / 2] = "no reason given";

    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, copy_message, words);
    return hdf5_reply_refuse(reply, "%.128s: HDF5 library: %s", what, words);
}
