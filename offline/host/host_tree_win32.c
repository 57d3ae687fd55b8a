/* host_tree_win32.c - files below a folder, on Windows.
 *
 * Reparse points (links, junctions) below the folder are refused before a file
 * is created. One that another process creates after the check is not noticed.
 * Each commit syncs its file: only an administrator can sync a whole file
 * system.
 */
/* SPDX-License-Identifier: MIT */
#include "host/host_win32.h"

#include "host/host_system.h"
#include "host/host_target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct host_tree {
    char *folder;
};

struct host_tree *host_tree_open(const char *folder, struct diag *diag)
{
    struct host_tree *tree = calloc(1, sizeof *tree);
    int error = ENOMEM;

    if (tree)
        tree->folder = host_copy_text(folder, strlen(folder));
    if (tree && tree->folder) {
        if (!host_make_folders(folder, diag))
            goto fail;
        error = host_system_make_folder(folder);
        if (error == 0)
            return tree;
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
    free(tree->folder);
    free(tree);
}

/* The path must not exist, or must not be a reparse point. */
static bool is_no_link(const char *path, struct diag *diag)
{
    struct win32_path wide;
    DWORD attributes;
    int error = host_win32_path(&wide, path);

    if (error != 0)
        return diag_io(diag, path, error, "cannot write");
    attributes = GetFileAttributesW(wide.text);
    return attributes == INVALID_FILE_ATTRIBUTES ||
           (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0 ||
           diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                       "is a link: nothing is written through it");
}

struct host_output *host_tree_output(struct host_tree *tree, const char *name,
                                     struct diag *diag)
{
    size_t folder_bytes = strlen(tree->folder) + 1;
    char *path = malloc(folder_bytes + strlen(name) + 1);
    struct host_output *output = NULL;
    bool is_good = path != NULL;

    if (!path) {
        diag_io(diag, name, ENOMEM, "cannot write");
        return NULL;
    }
    memcpy(path, tree->folder, folder_bytes - 1);
    path[folder_bytes - 1] = '/';
    memcpy(path + folder_bytes, name, strlen(name) + 1);
    for (char *at = path + folder_bytes; is_good && (at = strchr(at, '/'));
         at++) {
        *at = 0;
        is_good = is_no_link(path, diag);
        *at = '/';
    }
    if (is_good && is_no_link(path, diag) && host_make_folders(path, diag))
        output = host_output_open(path, diag);
    free(path);
    return output;
}

bool host_tree_sync(struct host_tree *tree, struct diag *diag)
{
    (void)tree; /* each commit has synced its file */
    (void)diag;
    return true;
}
