/* replay_main.c - a fuzz target without the engine: run files, each once.
 *
 *   replay_NAME FILE...      prints the name of each file before running it, so
 *                            that the last name is that of a file that failed
 */
/* SPDX-License-Identifier: MIT */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

/* Only the engine calls mutators, so nothing calls this. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t size_max)
{
    (void)data;
    (void)size_max;
    return size;
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t capacity = 0;

    *size = 0;
    while (file) {
        if (*size == capacity) {
            capacity = 2 * capacity + 4096;
            /* cppcheck-suppress memleakOnRealloc ; the program ends then */
            data = realloc(data, capacity);
        }
        if (!data)
            break;
        *size += fread(data + *size, 1, capacity - *size, file);
        if (*size < capacity)
            break;
    }
    if (!file || !data || ferror(file)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return data;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t size;
        uint8_t *data = read_file(argv[i], &size);
        uint8_t *copy;

        printf("%s\n", argv[i]);
        fflush(stdout);
        copy = fuzz_copy(data, size);
        free(data);
        (void)LLVMFuzzerTestOneInput(copy, size);
        free(copy);
    }
    return 0;
}
