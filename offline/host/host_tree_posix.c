/* host_tree_posix.c - files below a folder, on POSIX systems.
 *
 * Each folder of a name is opened relative to its parent (openat), without
 * following links. Files are created, linked and renamed relative to the last
 * one. So no link in a folder can lead out of the tree, even if another process
 * creates it meanwhile. Files are not synced one by one: one call at the end
 * syncs the file system.
 */
/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "host/host_posix.h"

#include "host/host_system.h"
#include "host/host_target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

struct host_tree {
    char *folder;
    int directory;
};

struct host_tree *host_tree_open(const char *folder, struct diag *diag)
{
    struct host_tree *tree = calloc(1, sizeof *tree);
    int error = ENOMEM;

    if (tree) {
        size_t length = strlen(folder);

        while (length > 1 && folder[length - 1] == '/')
            length--;
        tree->folder = host_copy_text(folder, length);
        tree->directory = -1;
    }
    if (tree && tree->folder) {
        if (!host_make_folders(tree->folder, diag))
            goto fail;
        error = host_system_make_folder(tree->folder);
        tree->directory = error == 0 ? open(tree->folder, FOLDER_FLAGS) : -1;
        if (tree->directory >= 0)
            return tree;
        error = error != 0 ? error : errno;
    }
    diag_io(diag, folder, error, "cannot use the folder");
fail:
    host_tree_close(tree);
    return NULL;
}

void host_tree_close(struct host_tree *tree)
{
    if (!tree)
        return;
    if (tree->directory >= 0)
        close(tree->directory);
    free(tree->folder);
    free(tree);
}

/* Open the folder `part` in `directory`; create it if it does not exist.
 * Returns -1 with an errno value. */
static int enter(int directory, const char *part)
{
    int flags = FOLDER_FLAGS | O_NOFOLLOW;
    int next = openat(directory, part, flags);

    if (next >= 0 || errno != ENOENT)
        return next;
    if (mkdirat(directory, part, 0777) != 0 && errno != EEXIST)
        return -1;
    return openat(directory, part, flags);
}

/* Open the folder of the file `path`. The part of the path from `at` on is
 * relative to `directory`. Slashes are replaced by zero bytes during the call.
 * Returns -1 after a refusal. */
static int enter_all(const struct host_tree *tree, char *path, char *at,
                     struct diag *diag)
{
    int directory = fcntl(tree->directory, F_DUPFD_CLOEXEC, 0);
    char *slash;

    for (; directory >= 0 && (slash = strchr(at, '/')); at = slash + 1) {
        int before = directory;

        *slash = 0;
        directory = enter(before, at);
        if (directory < 0 && (errno == ELOOP || errno == ENOTDIR))
            diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                        "is no folder, or a link to one: nothing is written "
                        "through it");
        else if (directory < 0)
            diag_io(diag, path, errno, "cannot make the folder");
        close(before);
        *slash = '/';
    }
    if (directory < 0 && !diag_has_failed(diag))
        diag_io(diag, path, errno, "cannot write");
    return directory;
}

struct host_output *host_tree_output(struct host_tree *tree, const char *name,
                                     struct diag *diag)
{
    size_t folder_bytes = strlen(tree->folder) + 1;
    size_t name_bytes = strlen(name) + 1;
    char *path = malloc(folder_bytes + name_bytes);
    struct host_output *output = NULL;
    int directory;
    int error;

    if (!path) {
        diag_io(diag, name, ENOMEM, "cannot write");
        return NULL;
    }
    memcpy(path, tree->folder, folder_bytes - 1);
    path[folder_bytes - 1] = '/';
    memcpy(path + folder_bytes, name, name_bytes);
    directory = enter_all(tree, path, path + folder_bytes, diag);
    if (directory < 0)
        goto end;
    output = host_output_new(path, diag);
    if (!output) {
        close(directory);
        goto end;
    }
    output->is_synced_later = true;
    error = host_posix_target_in(output, directory);
    if (error == 0)
        error = host_target_create_temporary(output);
    if (error == ELOOP)
        diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                    "is a link, or no ordinary file: it is not replaced");
    else if (error != 0)
        diag_io(diag, path, error, "cannot write");
    if (error != 0) {
        host_output_abandon(output);
        output = NULL;
    }
end:
    free(path);
    return output;
}

bool host_tree_sync(struct host_tree *tree, struct diag *diag)
{
#ifdef __linux__
    return syncfs(tree->directory) == 0 ||
           diag_io(diag, tree->folder, errno, "cannot sync");
#else
    (void)tree;
    (void)diag;
    sync();
    return true;
#endif
}
