/* host_folder.c - folders of POSIX systems: what is in them, and making them.
 *
 * Links to files are files; links to folders are not followed, because they
 * may lead back. Only what is not there any more is an error.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "common/arena.h"
#include "common/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Deeper folders than this are no one's work. */
#define DEPTH_MAX 64u

bool host_look(const char *path, enum host_kind *kind, uint64_t *bytes,
               struct diag *diag)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return diag_io(diag, path, errno, "cannot open");
    *kind = S_ISREG(info.st_mode)   ? HOST_FILE
            : S_ISDIR(info.st_mode) ? HOST_FOLDER
                                    : HOST_OTHER;
    *bytes = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
    return true;
}

struct walk {
    struct arena arena;
    size_t root_bytes; /* of the path before the names */
    bool (*found)(void *user, const struct host_found *found);
    void *user;
    struct diag *diag;
};

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in a folder, sorted; NULL after a refusal. */
static char **list(struct walk *w, const char *path, size_t *count)
{
    size_t capacity = 64;
    char **names = ARENA_NEW(&w->arena, char *, capacity);
    DIR *folder = opendir(path);
    struct dirent *entry;

    *count = 0;
    if (!folder) {
        diag_io(w->diag, path, errno, "cannot list");
        return NULL;
    }
    while (errno = 0, (entry = readdir(folder)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (*count == capacity) {
            char **more = ARENA_NEW(&w->arena, char *, capacity * 2);

            memcpy(more, names, capacity * sizeof *names);
            names = more;
            capacity *= 2;
        }
        names[(*count)++] =
            arena_string(&w->arena, entry->d_name, strlen(entry->d_name));
    }
    if (errno != 0) {
        diag_io(w->diag, path, errno, "cannot list");
        names = NULL;
    }
    closedir(folder);
    if (names)
        qsort(names, *count, sizeof *names, by_bytes);
    return names;
}

/* What lies at `path`; a link counts as what it points to, but for folders. */
static bool judge(struct walk *w, const char *path, struct host_found *found)
{
    struct stat link;
    struct stat info;

    if (lstat(path, &link) != 0)
        return diag_io(w->diag, path, errno, "cannot open");
    found->kind = HOST_OTHER;
    if (stat(path, &info) != 0)
        return S_ISLNK(link.st_mode) ||
               diag_io(w->diag, path, errno, "cannot open");
    if (S_ISREG(info.st_mode)) {
        found->kind = HOST_FILE;
        found->bytes = (uint64_t)info.st_size;
    } else if (S_ISDIR(info.st_mode) && !S_ISLNK(link.st_mode)) {
        found->kind = HOST_FOLDER;
    }
    return true;
}

static bool walk_folder(struct walk *w, const char *path, unsigned depth)
{
    size_t count;
    char **names = list(w, path, &count);

    if (!names)
        return false;
    if (depth > DEPTH_MAX)
        return diag_io(w->diag, path, 0, "more than %u folders deep",
                       DEPTH_MAX);
    for (size_t i = 0; i < count; i++) {
        struct host_found found = {0};

        found.path = arena_format(&w->arena, "%s/%s", path, names[i]);
        found.name = found.path + w->root_bytes;
        if (!judge(w, found.path, &found))
            return false;
        if (found.kind == HOST_FOLDER) {
            if (!walk_folder(w, found.path, depth + 1))
                return false;
        } else if (!w->found(w->user, &found)) {
            return false;
        }
    }
    return true;
}

bool host_folder_walk(const char *folder,
                      bool (*found)(void *user, const struct host_found *found),
                      void *user, struct diag *diag)
{
    struct walk w = {.found = found, .user = user, .diag = diag};
    size_t length = strlen(folder);
    const char *root;
    bool is_good;

    arena_init(&w.arena);
    /* "a/" and "a" are the same; "/" stays. */
    while (length > 1 && folder[length - 1] == '/')
        length--;
    root = arena_string(&w.arena, folder, length);
    w.root_bytes = length + 1;
    is_good = walk_folder(&w, root, 0);
    arena_free(&w.arena);
    return is_good;
}

bool host_make_folders(const char *path, struct diag *diag)
{
    char *copy = malloc(strlen(path) + 1);
    bool is_good = true;

    if (!copy)
        return diag_io(diag, path, ENOMEM, "cannot make its folder");
    memcpy(copy, path, strlen(path) + 1);
    for (char *slash = strchr(copy + (copy[0] != 0), '/'); slash && is_good;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            is_good = diag_io(diag, copy, errno, "cannot make the folder");
        *slash = '/';
    }
    free(copy);
    return is_good;
}

bool host_read_at(const char *path, uint64_t file_bytes, uint64_t offset,
                  void *target, size_t bytes, struct diag *diag)
{
    uint8_t *to = target;
    struct stat info;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int error;

    if (file < 0)
        return diag_io(diag, path, errno, "cannot open");
    if (fstat(file, &info) != 0) {
        error = errno;
        close(file);
        return diag_io(diag, path, error, "cannot open");
    }
    if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size != file_bytes) {
        close(file);
        return diag_io(diag, path, 0, "has changed while it was read");
    }
    while (bytes > 0) {
        ssize_t got = pread(file, to, bytes, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            error = got < 0 ? errno : 0;
            close(file);
            return diag_io(diag, path, error,
                           error ? "cannot read"
                                 : "became shorter while it was read");
        }
        to += got;
        bytes -= (size_t)got;
        offset += (uint64_t)got;
    }
    close(file);
    return true;
}
