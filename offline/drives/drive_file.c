/* drive_file.c - parse a profile line by line.
 *
 * Each value is validated when it is read. At the end spn_drive_profile_check
 * validates the relations between fields, such as the inner and outer radius.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_file.h"

#include "common/digits.h"
#include "common/text_place.h"
#include "common/verb_options.h"
#include "drives/drive_fields.h"
#include "drives/drive_names.h"
#include "host/host.h"

#include <stdarg.h>
#include <string.h>

#define LINE_BYTES_MAX 256u

struct reading {
    const char *file;
    const char *text;
    size_t at; /* offset in the text of the current key or value, for messages
                */
    spn_drive_profile *profile;
    struct diag *diag;
    bool is_set[DRIVE_FIELD_COUNT];
    bool is_like; /* a line `like` was read */
};

/* -- values -- */

/* Parse an integer that ends at a blank or at the end of the text. *text moves
 * to the next number. */
static bool parse_integer(const char **text, uint64_t high, uint64_t *out)
{
    if (!digits_parse(text, high, out) ||
        (**text != '\0' && **text != ' ' && **text != '\t'))
        return false;
    *text += strspn(*text, " \t");
    return true;
}

static bool parse_integers(const char *text, uint64_t high, uint64_t *values,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!parse_integer(&text, high, &values[i]))
            return false;
    return *text == '\0';
}

__attribute__((format(printf, 3, 4))) static bool refuse(
    const struct reading *r, const char *key, const char *format, ...)
{
    char what[DIAG_NAME_BYTES + DRIVE_NAMES_BYTES];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return text_place_refuse(r->diag, r->file, text_place_find(r->text, r->at),
                             key, "%s", what);
}

static bool set_word(const struct reading *r, const struct drive_field *field,
                     const char *value, uint8_t *place)
{
    int word = options_find_word(field->words, value);
    spn_drive_motion motion = (spn_drive_motion)word;
    spn_drive_distance distance = (spn_drive_distance)word;

    if (word < 0)
        return refuse(r, field->key, "one of: %s", field->words);
    if (field->offset == offsetof(spn_drive_profile, motion))
        memcpy(place, &motion, sizeof motion);
    else
        memcpy(place, &distance, sizeof distance);
    return true;
}

/* Refuse control characters: the text is printed to terminals unchanged. */
static bool has_control(const char *text)
{
    for (; *text; text++)
        if (diag_is_control(text))
            return true;
    return false;
}

static bool set_text(const struct reading *r, const struct drive_field *field,
                     const char *value, uint8_t *place)
{
    if (*value == '\0' || strlen(value) >= field->bytes)
        return refuse(r, field->key, "1 to %zu bytes", field->bytes - 1);
    if (has_control(value))
        return refuse(r, field->key, "has a control byte");
    memset(place, 0, field->bytes);
    memcpy(place, value, strlen(value) + 1);
    return true;
}

static bool set_field(const struct reading *r, const struct drive_field *field,
                      const char *value)
{
    uint8_t *place = (uint8_t *)r->profile + field->offset;
    uint64_t values[3];
    spn_drive_piece piece;
    uint32_t narrow;

    switch (field->kind) {
    case DRIVE_FIELD_TEXT:
        return set_text(r, field, value, place);
    case DRIVE_FIELD_WORD:
        return set_word(r, field, value, place);
    case DRIVE_FIELD_U32:
        if (!parse_integers(value, UINT32_MAX, values, 1))
            return refuse(r, field->key, "a whole number up to 4294967295");
        narrow = (uint32_t)values[0];
        memcpy(place, &narrow, sizeof narrow);
        return true;
    case DRIVE_FIELD_U64:
        if (!parse_integers(value, UINT64_MAX, values, 1))
            return refuse(r, field->key, "a whole number of at most 64 bits");
        memcpy(place, values, sizeof values[0]);
        return true;
    case DRIVE_FIELD_PIECE:
        if (!parse_integers(value, UINT32_MAX, values, 3))
            return refuse(r, field->key,
                          "three whole numbers: base, slope and root in us");
        piece = (spn_drive_piece){(uint32_t)values[0], (uint32_t)values[1],
                                  (uint32_t)values[2]};
        memcpy(place, &piece, sizeof piece);
        return true;
    }
    return false;
}

/* -- lines -- */

static bool refuse_key(const struct reading *r, const char *key)
{
    for (size_t i = 0; i < DRIVE_FIELD_COUNT; i++)
        if (options_is_near(key, drive_fields[i].key))
            return refuse(r, key, "unknown key; did you mean \"%s\"?",
                          drive_fields[i].key);
    return refuse(r, key, "unknown key");
}

static bool set_like(struct reading *r, const char *value)
{
    const spn_drive_profile *like = spn_drive_profile_find(value);
    char name[SPN_DRIVE_NAME_BYTES];
    char about[SPN_DRIVE_ABOUT_BYTES];
    char names[DRIVE_NAMES_BYTES];

    for (size_t i = 0; i < DRIVE_FIELD_COUNT; i++)
        if (r->is_set[i] && drive_fields[i].kind != DRIVE_FIELD_TEXT)
            return refuse(r, "like", "comes before what differs");
    if (r->is_like)
        return refuse(r, "like", "is there twice");
    if (!like)
        return refuse(r, "like", "no built-in drive \"%s\": %s", value,
                      drive_names_list(names));
    memcpy(name, r->profile->name, sizeof name);
    memcpy(about, r->profile->about, sizeof about);
    *r->profile = *like;
    if (r->is_set[DRIVE_FIELD_NAME])
        memcpy(r->profile->name, name, sizeof name);
    if (r->is_set[DRIVE_FIELD_ABOUT])
        memcpy(r->profile->about, about, sizeof about);
    r->is_like = true;
    return true;
}

/* Remove blanks at both ends. */
static char *trim(char *text)
{
    char *end = text + strlen(text);

    text += strspn(text, " \t\r");
    while (end > text && strchr(" \t\r", end[-1]))
        *--end = '\0';
    return text;
}

/* Parse a line. `line` is a copy of the text at offset `at`. */
static bool read_line(struct reading *r, char *line, size_t at)
{
    char *value;
    char *key;

    line[strcspn(line, "#")] = '\0';
    key = trim(line);
    r->at = at + (size_t)(key - line);
    if (*key == '\0')
        return true;
    value = strchr(key, '=');
    if (!value)
        return refuse(r, NULL, "a line is \"key = value\"");
    *value = '\0';
    value = trim(value + 1);
    key = trim(key);
    if (strcmp(key, "like") == 0) {
        r->at = at + (size_t)(value - line);
        return set_like(r, value);
    }
    for (size_t i = 0; i < DRIVE_FIELD_COUNT; i++) {
        if (strcmp(key, drive_fields[i].key) != 0)
            continue;
        if (r->is_set[i])
            return refuse(r, key, "is there twice");
        r->is_set[i] = true;
        r->at = at + (size_t)(value - line);
        return set_field(r, &drive_fields[i], value);
    }
    return refuse_key(r, key);
}

static bool read_lines(struct reading *r, const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const char *end = memchr(text + at, '\n', bytes - at);
        size_t length = end ? (size_t)(end - text) - at : bytes - at;
        char line[LINE_BYTES_MAX];
        const char *zero;

        r->at = at;
        if (length >= sizeof line)
            return refuse(r, NULL, "a line of more than 255 bytes");
        zero = memchr(text + at, '\0', length);
        if (zero) {
            r->at = (size_t)(zero - text);
            return refuse(r, NULL, "a byte of 0: not a text");
        }
        memcpy(line, text + at, length);
        line[length] = '\0';
        if (!read_line(r, line, at))
            return false;
        at += length + 1;
    }
    return true;
}

/* The key of a member of spn_drive_profile. */
static const char *key_of(const char *field)
{
    static const struct {
        const char *field;
        const char *key;
    } others[] = {{"seek.unit", "seek_unit"},
                  {"seek.near_piece", "seek_near"},
                  {"seek.far_piece", "seek_far"}};

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(field, others[i].field) == 0)
            return others[i].key;
    return field;
}

bool drive_file_parse(const char *file, const char *text, size_t bytes,
                      spn_drive_profile *out, struct diag *diag)
{
    spn_drive_profile profile = {
        .layers = 1, .seek = {.unit = 1000000000}, .slow_percent = 100};
    struct reading r = {
        .file = file, .text = text, .profile = &profile, .diag = diag};
    const char *what = NULL;

    if (bytes > DRIVE_FILE_BYTES_MAX)
        return diag_refuse(diag, file, 0, NULL,
                           "%zu bytes, too many for a drive's profile", bytes);
    if (!read_lines(&r, text, bytes))
        return false;
    if (!r.is_set[DRIVE_FIELD_NAME])
        return diag_refuse(diag, file, DIAG_NO_OFFSET, "name", "is missing%s%s",
                           r.is_like ? ": another drive than " : "",
                           profile.name);
    if (profile.about[0] == '\0')
        memcpy(profile.about, profile.name, sizeof profile.name);
    if (spn_drive_profile_check(&profile, &what) != SPN_OK)
        return diag_refuse(diag, file, DIAG_NO_OFFSET, key_of(what),
                           "is missing, out of range, or contradicts another");
    *out = profile;
    return true;
}

bool drive_file_read(const char *path, spn_drive_profile *out,
                     struct diag *diag)
{
    struct host_map map;
    bool is_good;

    if (!host_map_open(&map, path, diag))
        return false;
    is_good = drive_file_parse(path, (const char *)map.data, (size_t)map.bytes,
                               out, diag);
    host_map_close(&map);
    return is_good;
}

bool drive_file_choose(const char *name, spn_drive_profile *out,
                       struct diag *diag)
{
    const spn_drive_profile *known = spn_drive_profile_find(name);
    char names[DRIVE_NAMES_BYTES];

    if (known) {
        *out = *known;
        return true;
    }
    if (strpbrk(name, "./") || host_exists(name))
        return drive_file_read(name, out, diag);
    for (uint32_t i = 0; spn_drive_profile_at(i); i++)
        if (options_is_near(name, spn_drive_profile_at(i)->name))
            return diag_refuse(diag, name, DIAG_NO_OFFSET, NULL,
                               "no such drive; did you mean \"%s\"? There are "
                               "%s",
                               spn_drive_profile_at(i)->name,
                               drive_names_list(names));
    return diag_refuse(diag, name, DIAG_NO_OFFSET, NULL,
                       "no such drive, and no such file; there are %s",
                       drive_names_list(names));
}
