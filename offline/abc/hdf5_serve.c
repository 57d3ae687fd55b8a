/* hdf5_serve.c - opens an HDF5 file and answers one request after another.
 *
 * The process reads only this file: links to other files are not followed, and
 * no plugin is loaded. A group is named by its address. It stays open until a
 * request names another one.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "abc/hdf5_serve.h"

#include "abc/archive.h"
#include "abc/hdf5_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes by which the library grows a file in memory. */
#define CORE_INCREMENT ((size_t)64 << 10)

/* -- the file -- */

static void prepare_library(void)
{
    /* A file that cannot be locked can be read all the same. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    H5open();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5Lunregister(H5L_TYPE_EXTERNAL);
    H5PLset_loading_state(0);
}

/* The file and the access properties stay open until the process ends. */
static hid_t open_library_file(const struct hdf5_source *source)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    /* The library copies the data and does not write to it. */
    void *data = (void *)(uintptr_t)source->data;

    if (access < 0)
        return -1;
    if (source->path)
        return H5Fopen(source->path, H5F_ACC_RDONLY, access);
    if (H5Pset_fapl_core(access, CORE_INCREMENT, 0) < 0 ||
        H5Pset_file_image(access, data, (size_t)source->bytes) < 0)
        return -1;
    return H5Fopen("archive", H5F_ACC_RDONLY, access);
}

static bool open_file(struct hdf5_file *file, const struct hdf5_source *source,
                      struct hdf5_reply *reply)
{
    *file = (struct hdf5_file){.bytes = source->bytes};
    hdf5_reply_begin(reply);
    file->id = open_library_file(source);
    if (file->id < 0)
        return hdf5_reply_failed(reply, "cannot be opened");
    return true;
}

/* Open the group at an address, and close the one before. */
static bool find_group(struct hdf5_file *file, uint64_t address,
                       struct hdf5_reply *reply)
{
    if (file->group > 0 && file->group_address == address)
        return true;
    if (file->group > 0)
        H5Oclose(file->group);
    file->group = address == HDF5_ROOT
                      ? H5Oopen(file->id, "/", H5P_DEFAULT)
                      : H5Oopen_by_addr(file->id, (haddr_t)address);
    file->group_address = address;
    if (file->group < 0)
        return hdf5_reply_failed(reply, "a group");
    if (H5Iget_type(file->group) == H5I_GROUP)
        return true;
    H5Oclose(file->group);
    file->group = 0;
    return hdf5_reply_refuse(reply, "is where a group must be");
}

/* -- requests -- */

/* A request with its names. */
struct query {
    struct hdf5_request request;
    char *container;
    char *name;
};

static bool read_name(int socket, char **name, uint32_t bytes)
{
    *name = bytes <= HDF5_NAME_BYTES_MAX ? malloc((size_t)bytes + 1) : NULL;
    if (!*name || !hdf5_child_read(socket, *name, bytes))
        return false;
    (*name)[bytes] = 0;
    return true;
}

static bool read_request(int socket, struct query *query)
{
    struct hdf5_request *request = &query->request;

    memset(query, 0, sizeof *query);
    return hdf5_child_read(socket, request, sizeof *request) &&
           request->pod < ABC_POD_COUNT &&
           read_name(socket, &query->container, request->container_bytes) &&
           read_name(socket, &query->name, request->name_bytes);
}

static void free_request(struct query *query)
{
    free(query->container);
    free(query->name);
}

static void read_series(hid_t container, const struct hdf5_request *request,
                        struct hdf5_reply *reply)
{
    char name[16];

    for (uint32_t i = 0; i < request->count; i++) {
        snprintf(name, sizeof name, HDF5_SAMPLE_NAME, request->first + i);
        if (!hdf5_read_attribute(container, name, request->pod, reply) ||
            reply->outcome == HDF5_ABSENT || reply->count > HDF5_LIST_BYTES_MAX)
            return;
    }
}

static void read_values(struct hdf5_file *file, hid_t container,
                        const struct query *query, struct hdf5_reply *reply)
{
    const struct hdf5_request *request = &query->request;

    if (request->verb == HDF5_ATTRIBUTE)
        hdf5_read_attribute(container, query->name, request->pod, reply);
    else if (request->verb == HDF5_DATA_SET)
        hdf5_read_data_set(container, query->name, request->pod, file->bytes,
                           reply);
    else
        read_series(container, request, reply);
}

static void find_values(struct hdf5_file *file, const struct query *query,
                        struct hdf5_reply *reply)
{
    htri_t exists;
    hid_t container;

    if (query->container[0] == 0) {
        read_values(file, file->group, query, reply);
        return;
    }
    exists = H5Lexists(file->group, query->container, H5P_DEFAULT);
    if (exists == 0) {
        reply->outcome = HDF5_ABSENT;
        return;
    }
    container = H5Gopen2(file->group, query->container, H5P_DEFAULT);
    if (container < 0) {
        hdf5_reply_failed(reply, query->container);
        return;
    }
    read_values(file, container, query, reply);
    H5Gclose(container);
}

static void answer_request(struct hdf5_file *file, const struct query *query,
                           struct hdf5_reply *reply)
{
    hdf5_reply_begin(reply);
    H5Eclear2(H5E_DEFAULT);
    if (!find_group(file, query->request.group, reply))
        return;
    if (query->request.verb == HDF5_LIST)
        hdf5_list_group(file->group, reply);
    else
        find_values(file, query, reply);
}

static bool send_reply(int socket, struct hdf5_reply *reply)
{
    struct hdf5_answer answer = {0};

    if (reply->outcome == HDF5_ABSENT)
        reply->count = 0;
    answer.outcome = reply->outcome;
    answer.bytes = reply->count;
    if (!hdf5_child_write(socket, &answer, sizeof answer) ||
        !hdf5_child_write(socket, reply->bytes, reply->count))
        return false;
    hdf5_child_add_time(reply->count);
    return true;
}

int hdf5_serve(int socket, const struct hdf5_source *source)
{
    struct hdf5_reply reply = {0};
    struct query query;
    struct hdf5_file file;
    bool goes_on;

    prepare_library();
    goes_on = open_file(&file, source, &reply);
    if (!send_reply(socket, &reply))
        goes_on = false;
    while (goes_on) {
        goes_on = read_request(socket, &query);
        if (goes_on) {
            answer_request(&file, &query, &reply);
            goes_on = send_reply(socket, &reply);
        }
        free_request(&query);
    }
    return 0;
}
