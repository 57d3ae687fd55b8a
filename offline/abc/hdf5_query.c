/* hdf5_query.c - sends one query to the child at a time, from any thread.
 *
 * A hostile file may control the child. Therefore the size of an answer is
 * validated before memory is allocated for it.
 */
/* SPDX-License-Identifier: MIT */
#include "abc/hdf5.h"

#include <string.h>

/* The same limit as in the child (hdf5_values.c). */
#define VALUE_BYTES_AT_LEAST ((uint64_t)256 << 20)
#define PROTOCOL_ERROR                                                         \
    "the process of the HDF5 library does not keep to the protocol"

static struct hdf5 *backend_of(const struct abc_store *store)
{
    return store->archive.backend;
}

static uint64_t answer_bytes_max(const struct abc_store *store,
                                 enum hdf5_verb verb, uint32_t outcome)
{
    uint64_t bytes = VALUE_BYTES_AT_LEAST;

    if (outcome == HDF5_ABSENT)
        return 0;
    if (outcome == HDF5_REFUSED)
        return HDF5_MESSAGE_BYTES_MAX;
    if (verb == HDF5_LIST || verb == HDF5_SERIES)
        return 2 * HDF5_LIST_BYTES_MAX;
    if (store->map.bytes > bytes)
        bytes = store->map.bytes;
    return bytes + sizeof(struct hdf5_values);
}

static bool abort_child(struct hdf5 *hdf5)
{
    hdf5_child_abort(&hdf5->child, PROTOCOL_ERROR);
    return false;
}

/* Receive an answer. The lock is held. Returns false if the child has ended. */
static bool receive(const struct abc_store *store, enum hdf5_verb verb,
                    struct arena *arena, enum hdf5_outcome *outcome,
                    struct hdf5_bytes *payload)
{
    struct hdf5 *hdf5 = backend_of(store);
    struct hdf5_answer answer;
    uint8_t *data;

    if (!hdf5_child_receive(&hdf5->child, &answer, sizeof answer))
        return false;
    if (answer.outcome > HDF5_REFUSED ||
        answer.bytes > answer_bytes_max(store, verb, answer.outcome))
        return abort_child(hdf5);
    *outcome = (enum hdf5_outcome)answer.outcome;
    data = arena_alloc(arena, answer.bytes + HDF5_SPARE_BYTES, 1);
    payload->data = data;
    payload->bytes = (size_t)answer.bytes;
    return hdf5_child_receive(&hdf5->child, data, payload->bytes);
}

/* Use the exit reason of the child as the payload. */
static enum hdf5_outcome exit_reason_payload(const struct hdf5 *hdf5,
                                             struct arena *arena,
                                             struct hdf5_bytes *payload)
{
    size_t bytes = strlen(hdf5->child.exit_reason);

    payload->data =
        (const uint8_t *)arena_string(arena, hdf5->child.exit_reason, bytes);
    payload->bytes = bytes;
    return HDF5_REFUSED;
}

enum hdf5_outcome hdf5_await_open(const struct abc_store *store,
                                  struct arena *arena,
                                  struct hdf5_bytes *payload)
{
    struct hdf5 *hdf5 = backend_of(store);
    enum hdf5_outcome outcome = HDF5_REFUSED;

    if (!receive(store, HDF5_LIST, arena, &outcome, payload))
        return exit_reason_payload(hdf5, arena, payload);
    return outcome;
}

static bool send(struct hdf5 *hdf5, const struct hdf5_query *query)
{
    struct hdf5_request request = {
        .verb = query->verb,
        .pod = query->pod,
        .group = query->group,
        .container_bytes = (uint32_t)strlen(query->container),
        .name_bytes = (uint32_t)strlen(query->name),
        .first = query->first,
        .count = query->count,
    };

    return hdf5_child_send(&hdf5->child, &request, sizeof request) &&
           hdf5_child_send(&hdf5->child, query->container,
                           request.container_bytes) &&
           hdf5_child_send(&hdf5->child, query->name, request.name_bytes);
}

enum hdf5_outcome hdf5_query_run(const struct abc_store *store,
                                 const struct hdf5_query *query,
                                 struct arena *arena,
                                 struct hdf5_bytes *payload)
{
    struct hdf5 *hdf5 = backend_of(store);
    enum hdf5_outcome outcome = HDF5_REFUSED;

    pthread_mutex_lock(&hdf5->lock);
    if (!send(hdf5, query) ||
        !receive(store, query->verb, arena, &outcome, payload))
        outcome = exit_reason_payload(hdf5, arena, payload);
    pthread_mutex_unlock(&hdf5->lock);
    return outcome;
}

enum hdf5_outcome hdf5_query_values(const struct abc_store *store,
                                    const struct hdf5_query *query,
                                    struct arena *arena,
                                    struct hdf5_values *values,
                                    const uint8_t **data)
{
    enum hdf5_outcome outcome;
    struct hdf5_bytes payload;

    memset(values, 0, sizeof *values);
    outcome = hdf5_query_run(store, query, arena, &payload);
    *data = payload.data;
    if (outcome != HDF5_DONE)
        return outcome;
    if (payload.bytes >= sizeof *values)
        memcpy(values, payload.data, sizeof *values);
    if (payload.bytes < sizeof *values ||
        values->bytes != payload.bytes - sizeof *values) {
        *data = (const uint8_t *)PROTOCOL_ERROR;
        return HDF5_REFUSED;
    }
    *data = payload.data + sizeof *values;
    return HDF5_DONE;
}
