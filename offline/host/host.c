/* host.c - read files, whole or in parts, mapped or not, on every system.
 *
 * host_signals_*.c handles accesses to a map whose file became shorter.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_guards.h"
#include "host/host_system.h"

#include <errno.h>
#include <stdlib.h>

bool host_stat(const char *path, enum host_kind *kind, uint64_t *bytes,
               struct diag *diag)
{
    int error = host_system_stat(path, kind, bytes);

    return error == 0 || diag_io(diag, path, error, "cannot open");
}

bool host_exists(const char *path)
{
    enum host_kind kind;
    uint64_t bytes;

    return host_system_stat(path, &kind, &bytes) == 0;
}

bool host_refuse_kind(struct diag *diag, const char *path, enum host_kind kind)
{
    return diag_io(diag, path, 0,
                   kind == HOST_FOLDER ? "is a folder, not a file"
                                       : "is not an ordinary file");
}

int host_read_all(intptr_t file, uint64_t offset, void *target, size_t bytes)
{
    uint8_t *to = target;

    while (bytes > 0) {
        size_t wanted =
            bytes < HOST_CALL_BYTES_MAX ? bytes : HOST_CALL_BYTES_MAX;
        size_t got = 0;
        int error = host_system_read(file, offset, to, wanted, &got);

        if (error != 0)
            return error;
        if (got == 0)
            return -1;
        to += got;
        bytes -= got;
        offset += got;
    }
    return 0;
}

/* Refuse for the result of host_read_all. Always returns false. */
static bool refuse_read(int error, const char *path, struct diag *diag)
{
    return diag_io(diag, path, error > 0 ? error : 0,
                   error > 0 ? "cannot read"
                             : "became shorter while it was read");
}

static bool open_ordinary(const char *path, struct diag *diag, intptr_t *file,
                          uint64_t *bytes)
{
    enum host_kind kind;
    int error = host_system_open(path, file, &kind, bytes);

    if (error != 0)
        return diag_io(diag, path, error, "cannot open");
    if (kind == HOST_FILE && *bytes <= SIZE_MAX / 2)
        return true;
    host_system_close(*file);
    if (kind != HOST_FILE)
        return host_refuse_kind(diag, path, kind);
    return diag_io(diag, path, 0, "too large for this machine");
}

bool host_map_open(struct host_map *map, const char *path, struct diag *diag)
{
    const uint8_t *data = NULL;
    uint64_t bytes = 0;
    intptr_t file = HOST_CLOSED;
    int error = 0;

    map->data = NULL;
    map->bytes = 0;
    if (!open_ordinary(path, diag, &file, &bytes))
        return false;
    if (bytes > 0)
        error = host_system_map(file, (size_t)bytes, &data);
    host_system_close(file);
    if (error != 0)
        return diag_io(diag, path, error, "cannot map");
    map->data = data;
    map->bytes = bytes;
    if (data)
        host_guards_add(map, path);
    return true;
}

void host_map_close(struct host_map *map)
{
    host_guards_remove(map);
    if (map->data)
        host_system_unmap(map->data, (size_t)map->bytes);
    map->data = NULL;
    map->bytes = 0;
}

/* An access to one byte makes Linux map a whole folio of its page cache, of up
 * to 2 MiB. So whole pieces of that size are released. Maps are aligned to
 * pages only, so a part of a folio may remain at either end. */
void host_map_forget(const struct host_map *map, uint64_t offset,
                     uint64_t bytes)
{
    uint64_t mask = HOST_MAP_PIECE_BYTES - 1;
    uint64_t first = offset & ~mask;
    uint64_t limit = map->bytes;

    if (bytes == 0 || offset >= map->bytes)
        return;
    if (bytes < limit - offset && ((offset + bytes) | mask) < limit)
        limit = ((offset + bytes) | mask) + 1;
    host_system_forget(map->data + first, (size_t)(limit - first));
}

bool host_read_at(const char *path, uint64_t file_bytes, uint64_t offset,
                  void *target, size_t bytes, struct diag *diag)
{
    enum host_kind kind;
    uint64_t size;
    intptr_t file;
    int error = host_system_open(path, &file, &kind, &size);

    if (error != 0)
        return diag_io(diag, path, error, "cannot open");
    if (kind != HOST_FILE || size != file_bytes) {
        host_system_close(file);
        return diag_io(diag, path, 0, "has changed while it was read");
    }
    error = host_read_all(file, offset, target, bytes);
    host_system_close(file);
    return error == 0 || refuse_read(error, path, diag);
}

bool host_read_file(const char *path, void **data, size_t *bytes,
                    struct diag *diag)
{
    uint8_t *buffer;
    uint64_t size = 0;
    intptr_t file = HOST_CLOSED;
    int error;

    if (!open_ordinary(path, diag, &file, &size))
        return false;
    buffer = malloc((size_t)size + 1);
    error = buffer ? host_read_all(file, 0, buffer, (size_t)size) : ENOMEM;
    host_system_close(file);
    if (error != 0) {
        free(buffer);
        return refuse_read(error, path, diag);
    }
    buffer[size] = 0;
    *data = buffer;
    *bytes = (size_t)size;
    return true;
}
