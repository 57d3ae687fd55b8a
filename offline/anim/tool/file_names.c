/* file_names.c - replace what some system does not allow in names. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/file_names.h"

#include "anim/source/motion.h"
#include "base/text.h"
#include "common/diag.h"
#include "pack/pak_names.h"

#include <string.h>

#define NAME_BYTES_MAX 200u

char *file_stem(struct arena *arena, const char *path)
{
    size_t length;
    const char *name = motion_file_stem(path, &length);

    return arena_string(arena, name, length);
}

char *file_safe_name(struct arena *arena, const char *name)
{
    size_t length = 0;
    char *safe;

    /* Cut between characters. */
    while (name[length]) {
        const uint32_t bytes =
            spn__text_sequence(name + length, strlen(name + length));

        if (length + (bytes > 0 ? bytes : 1) > NAME_BYTES_MAX)
            break;
        length += bytes > 0 ? bytes : 1;
    }
    safe = arena_string(arena, name, length);
    for (size_t i = 0; i < length; i++)
        if (strchr("/\\:*?\"<>|\x7f", safe[i]) || (uint8_t)safe[i] < 0x20)
            safe[i] = '_';
    /* A dot or a space at the end. */
    while (length > 0 && (safe[length - 1] == '.' || safe[length - 1] == ' '))
        safe[--length] = '_';
    if (length == 0 || safe[0] == '.' || pak_name_flaw(safe))
        safe = arena_format(arena, "_%s", safe);
    /* Control characters of Unicode. */
    for (char *at = safe; *at && pak_name_flaw(safe); at++)
        if ((uint8_t)*at >= 0x80)
            *at = '_';
    return safe;
}

bool file_name_has_end(const char *name, const char *end)
{
    const size_t bytes = strlen(end);
    const size_t length = strlen(name);

    return length > bytes && strcmp(name + length - bytes, end) == 0;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (uint8_t)c;
}

int file_name_compare(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) - lower(*b);
}
