/* abc_files.c - list files of a folder, and visit archives. */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "support/abc_files.h"

#include "abc/archive.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name);
    size_t ending_length = strlen(ending);

    return length >= ending_length &&
           strcmp(name + length - ending_length, ending) == 0;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void file_list_open(struct file_list *list, const char *folder,
                    const char *ending)
{
    DIR *entries = opendir(folder);

    list->paths = NULL;
    list->count = 0;
    if (!entries)
        return;
    for (struct dirent *e; (e = readdir(entries)) != NULL;) {
        size_t bytes = strlen(folder) + strlen(e->d_name) + 2;

        if (!ends_with(e->d_name, ending))
            continue;
        list->paths =
            realloc(list->paths, (list->count + 1) * sizeof list->paths[0]);
        /* -fanalyzer: a test without memory ends here. */
        list->paths[list->count] = malloc(bytes);
        snprintf(list->paths[list->count++], bytes, "%s/%s", folder, e->d_name);
    }
    closedir(entries);
    if (list->count > 0)
        qsort(list->paths, list->count, sizeof list->paths[0], compare);
}

void file_list_close(struct file_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
}

char *oracle_path(const char *archive_path, const char *ending)
{
    size_t stem = strlen(archive_path) - strlen(".abc");
    char *path = malloc(stem + strlen(ending) + 1);

    memcpy(path, archive_path, stem);
    strcpy(path + stem, ending);
    return path;
}

char *file_text(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0) {
        text = calloc(1, (size_t)size + 1);
        rewind(file);
        *bytes = fread(text, 1, (size_t)size, file);
    }
    fclose(file);
    return text;
}

static bool is_hdf5(const char *path)
{
    char magic[4] = {0};
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(magic, 1, 4, file) : 0;

    if (file)
        fclose(file);
    return got == 4 && memcmp(magic, "\x89HDF", 4) == 0;
}

/* Check the message of a tool that was built without libhdf5. */
static void expect_way_out(const char *path)
{
    struct diag diag;

    diag_init(&diag);
    diag.is_silent = true;
    CHECK(abc_open(path, &diag) == NULL);
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK(strstr(diag.text, "without libhdf5: ") != NULL);
    CHECK(strstr(diag.text, "abcconvert -toOgawa") != NULL);
    diag_finish(&diag);
}

unsigned visit_archives(void (*visit)(const char *path))
{
    static const char *const folders[] = {"edge", "large", "real", "synthetic"};
    unsigned visited[2] = {0, 0};

    if (!test_assets())
        test_skip("the assets folder is missing");
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        struct file_list list;
        char folder[1024];

        snprintf(folder, sizeof folder, "%s/%s", test_assets(), folders[i]);
        file_list_open(&list, folder, ".abc");
        for (size_t k = 0; k < list.count; k++) {
            bool is_other = is_hdf5(list.paths[k]);

            test_context("%s", list.paths[k]);
            if (is_other && !abc_has_hdf5())
                expect_way_out(list.paths[k]);
            else
                visit(list.paths[k]);
            visited[is_other]++;
        }
        file_list_close(&list);
    }
    printf("  %u Ogawa archives visited, %u HDF5 archives %s\n", visited[0],
           visited[1], abc_has_hdf5() ? "too" : "refused: no libhdf5");
    return visited[0] + visited[1];
}

unsigned visit_test_data(void (*visit)(const char *path))
{
    static const char ending[] = ".oracle.json";
    struct file_list list;
    unsigned visited = 0;

    file_list_open(&list, test_data(), ending);
    for (size_t i = 0; i < list.count; i++) {
        char *path = list.paths[i];

        strcpy(path + strlen(path) - strlen(ending), ".abc");
        test_context("%s", path);
        visit(path);
        visited++;
    }
    file_list_close(&list);
    return visited;
}
