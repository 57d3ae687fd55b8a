/* disc_layout.c - parse the lines of a layout to places.
 *
 * The text is copied once; patterns are strings in the copy. Duplicate patterns
 * are found after sorting: a disc may have many files.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/disc_layout.h"

#include "common/digits.h"
#include "common/text_place.h"
#include "disc/drive_disc.h"
#include "host/host.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    const char *file;
    const char *text; /* for messages */
    struct disc_layout *layout;
    struct arena *arena;
    uint64_t disc_bytes;
    struct diag *diag;
};

/* `at` points into the copy of the text. */
static struct text_place place_of(const struct reading *r, const char *at)
{
    return text_place_find(r->text, (size_t)(at - r->layout->text));
}

static bool refuse(const struct reading *r, const char *at, const char *text)
{
    return text_place_refuse(r->diag, r->file, place_of(r, at), NULL, "%s",
                             text);
}

static void cut_blanks_at_end(char *text)
{
    size_t length = strlen(text);

    while (length > 0 && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
}

static bool read_line(struct reading *r, char *line)
{
    spn_emulator_place place = {0};
    char *begin = line + strspn(line, " \t\r");
    const char *at = begin;

    if (*at == '\0' || *at == '#')
        return true;
    if (*at == '-') {
        place.drive = SPN_EMULATOR_NO_DRIVE;
        at++;
    } else if (!digits_parse(&at, UINT64_MAX, &place.offset)) {
        return refuse(r, begin,
                      "a line is a byte of the disc, or -, then a pattern");
    }
    if (*at != '\0' && *at != ' ' && *at != '\t')
        return refuse(r, begin,
                      "a line is a byte of the disc, or -, then a pattern");
    if (place.drive == 0 && place.offset >= r->disc_bytes)
        return text_place_refuse(r->diag, r->file, place_of(r, begin), NULL,
                                 "byte %llu of a disc of %llu",
                                 (unsigned long long)place.offset,
                                 (unsigned long long)r->disc_bytes);
    at += strspn(at, " \t");
    cut_blanks_at_end(begin);
    if (*at == '\0')
        return refuse(r, at, "no pattern");
    place.pattern = at;
    r->layout->places[r->layout->count++] = place;
    return true;
}

static int compare_patterns(const void *a, const void *b)
{
    const char *const *x = a;
    const char *const *y = b;
    int order = strcmp(*x, *y);

    /* Sort equal patterns in the order of the file. */
    return order ? order : (*x > *y) - (*x < *y);
}

static bool check_twins(struct reading *r)
{
    const struct disc_layout *layout = r->layout;
    const char **patterns = ARENA_NEW(r->arena, const char *, layout->count);
    bool is_good = true;

    for (uint32_t i = 0; i < layout->count; i++)
        patterns[i] = layout->places[i].pattern;
    qsort(patterns, layout->count, sizeof *patterns, compare_patterns);
    for (uint32_t i = 1; is_good && i < layout->count; i++)
        if (strcmp(patterns[i - 1], patterns[i]) == 0)
            is_good =
                text_place_refuse(r->diag, r->file, place_of(r, patterns[i]),
                                  NULL, "\"%s\" is there twice", patterns[i]);
    return is_good;
}

static bool read_lines(struct reading *r, size_t bytes)
{
    char *text = r->layout->text;

    for (size_t at = 0; at < bytes;) {
        char *end = memchr(text + at, '\n', bytes - at);
        size_t length = end ? (size_t)(end - text) - at : bytes - at;

        const char *zero = memchr(text + at, '\0', length);

        if (zero)
            return refuse(r, zero, "a byte of 0: not a text");
        text[at + length] = '\0';
        if (!read_line(r, text + at))
            return false;
        at += length + 1;
    }
    if (r->layout->count == 0)
        return diag_refuse(r->diag, r->file, DIAG_NO_OFFSET, NULL,
                           "there is no place in it");
    return check_twins(r);
}

static size_t count_lines(const char *text, size_t bytes)
{
    size_t count = 1;

    for (size_t i = 0; i < bytes; i++)
        count += text[i] == '\n';
    return count;
}

bool disc_layout_parse(const char *file, const char *text, size_t bytes,
                       const spn_drive_profile *profile, struct arena *arena,
                       struct disc_layout *out, struct diag *diag)
{
    struct reading r = {.file = file,
                        .text = text,
                        .layout = out,
                        .arena = arena,
                        .disc_bytes = spn__drive_disc_bytes(profile),
                        .diag = diag};

    memset(out, 0, sizeof *out);
    if (bytes > DISC_LAYOUT_BYTES_MAX)
        return diag_refuse(diag, file, DIAG_NO_OFFSET, NULL,
                           "%zu bytes, too many for a layout", bytes);
    out->text = arena_string(arena, text, bytes);
    out->places =
        ARENA_NEW(arena, spn_emulator_place, count_lines(text, bytes));
    if (read_lines(&r, bytes))
        return true;
    memset(out, 0, sizeof *out);
    return false;
}

bool disc_layout_read(const char *path, const spn_drive_profile *profile,
                      struct arena *arena, struct disc_layout *out,
                      struct diag *diag)
{
    struct host_map map;
    bool is_good;

    memset(out, 0, sizeof *out);
    if (!host_map_open(&map, path, diag))
        return false;
    is_good = disc_layout_parse(path, (const char *)map.data, (size_t)map.bytes,
                                profile, arena, out, diag);
    host_map_close(&map);
    return is_good;
}

void disc_layout_places(struct emulator_places *places,
                        const spn_emulator_config *config, uint32_t file_count,
                        struct arena *arena)
{
    struct carve carve = {.limit = SIZE_MAX};

    spn__places_init(places, &carve, config, file_count);
    carve = (struct carve){.base = arena_alloc(arena, carve.used, 1),
                           .limit = carve.used};
    spn__places_init(places, &carve, config, file_count);
}
