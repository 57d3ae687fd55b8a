/* host_folder_posix.c - kinds of files, and lists of folders, on POSIX systems.
 *
 * Links to files are files; links to folders are HOST_OTHER.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64
#include "host/host_posix.h"

#include "host/host_system.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

enum host_kind host_posix_kind(const struct stat *info, uint64_t *bytes)
{
    *bytes = S_ISREG(info->st_mode) ? (uint64_t)info->st_size : 0;
    return S_ISREG(info->st_mode)   ? HOST_FILE
           : S_ISDIR(info->st_mode) ? HOST_FOLDER
                                    : HOST_OTHER;
}

int host_system_stat(const char *path, enum host_kind *kind, uint64_t *bytes)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return errno;
    *kind = host_posix_kind(&info, bytes);
    return 0;
}

bool host_system_is_same(const char *path, const char *other)
{
    struct stat info;
    struct stat other_info;

    return stat(path, &info) == 0 && stat(other, &other_info) == 0 &&
           info.st_dev == other_info.st_dev && info.st_ino == other_info.st_ino;
}

bool host_system_list(const char *folder,
                      void (*take)(void *user, const char *name), void *user,
                      struct diag *diag)
{
    DIR *list = opendir(folder);
    struct dirent *entry;
    int error;

    if (!list)
        return diag_io(diag, folder, errno, "cannot list");
    while (errno = 0, (entry = readdir(list)) != NULL)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            take(user, entry->d_name);
    error = errno;
    closedir(list);
    return error == 0 || diag_io(diag, folder, error, "cannot list");
}

bool host_system_classify(const char *path, struct host_found *found,
                          struct diag *diag)
{
    struct stat link;
    struct stat info;

    if (lstat(path, &link) != 0)
        return diag_io(diag, path, errno, "cannot open");
    found->kind = HOST_OTHER;
    info = link;
    /* A link to nothing is HOST_OTHER. */
    if (S_ISLNK(link.st_mode) && stat(path, &info) != 0)
        return true;
    if (S_ISREG(info.st_mode)) {
        found->kind = HOST_FILE;
        found->bytes = (uint64_t)info.st_size;
    } else if (S_ISDIR(info.st_mode) && !S_ISLNK(link.st_mode)) {
        found->kind = HOST_FOLDER;
    }
    return true;
}

int host_system_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

bool host_system_is_separator(char byte)
{
    return byte == '/';
}
