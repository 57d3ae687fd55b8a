/* drive_file.c - reads and prints profiles, by one table of fields.
 *
 * Each line is validated as it is read. Conditions on several fields (an outer
 * radius below the inner one) are validated at the end by
 * spn_drive_profile_check.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_file.h"

#include "common/report.h"
#include "common/text_place.h"
#include "common/verb_options.h"
#include "drives/drive_names.h"
#include "drives/drive_sources.h"
#include "host/host.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define LINE_BYTES_MAX 256u

enum field_kind { FIELD_TEXT, FIELD_U32, FIELD_U64, FIELD_WORD, FIELD_PIECE };
static const size_t field_bytes[] = {
    [FIELD_TEXT] = 0,
    [FIELD_U32] = sizeof(uint32_t),
    [FIELD_U64] = sizeof(uint64_t),
    [FIELD_WORD] = sizeof(spn_drive_motion),
    [FIELD_PIECE] = sizeof(spn_drive_piece),
};

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset;
    uint32_t room;     /* FIELD_TEXT */
    const char *words; /* FIELD_WORD: the values of an enum, in its order */
};

#define AT(member) offsetof(spn_drive_profile, member)
static const struct field fields[] = {
    {"name", FIELD_TEXT, AT(name), SPN_DRIVE_NAME_BYTES, NULL},
    {"about", FIELD_TEXT, AT(about), SPN_DRIVE_ABOUT_BYTES, NULL},
    {"motion", FIELD_WORD, AT(motion), 0, "cav clv zones"},
    {"distance", FIELD_WORD, AT(distance), 0, "radius bytes"},
    {"layers", FIELD_U32, AT(layers), 0, NULL},
    {"layer_bytes", FIELD_U64, AT(layer_bytes), 0, NULL},
    {"radius_in_um", FIELD_U32, AT(radius_in_um), 0, NULL},
    {"radius_out_um", FIELD_U32, AT(radius_out_um), 0, NULL},
    {"pitch_nm", FIELD_U32, AT(pitch_nm), 0, NULL},
    {"rate_in", FIELD_U32, AT(rate_in), 0, NULL},
    {"rate_out", FIELD_U32, AT(rate_out), 0, NULL},
    {"turns_mhz", FIELD_U32, AT(turns_mhz), 0, NULL},
    {"seek_unit", FIELD_U64, AT(seek.unit), 0, NULL},
    {"seek_near_limit", FIELD_U64, AT(seek.near_limit), 0, NULL},
    {"seek_near", FIELD_PIECE, AT(seek.near_piece), 0, NULL},
    {"seek_far", FIELD_PIECE, AT(seek.far_piece), 0, NULL},
    {"seek_blocks", FIELD_U32, AT(seek_blocks), 0, NULL},
    {"layer_us", FIELD_U32, AT(layer_us), 0, NULL},
    {"command_us", FIELD_U32, AT(command_us), 0, NULL},
    {"ecc_bytes", FIELD_U32, AT(ecc_bytes), 0, NULL},
    {"buffer_bytes", FIELD_U32, AT(buffer_bytes), 0, NULL},
    {"interface_rate", FIELD_U32, AT(interface_rate), 0, NULL},
    {"spin_up_us", FIELD_U32, AT(spin_up_us), 0, NULL},
    {"retry_turns", FIELD_U32, AT(retry_turns), 0, NULL},
    {"slow_percent", FIELD_U32, AT(slow_percent), 0, NULL},
    {"slow_us", FIELD_U32, AT(slow_us), 0, NULL},
};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])

struct reading {
    const char *file;
    const char *text;
    size_t at; /* in the text: of the key or value that is validated */
    spn_drive_profile *profile;
    struct diag *diag;
    bool is_set[FIELD_COUNT];
    bool is_like;
};

/* -- values -- */

/* Digits up to a space or the end; moves on behind them and spaces. */
static bool parse_whole(const char **text, uint64_t high, uint64_t *out)
{
    const char *at = *text;
    uint64_t value = 0;

    if (*at < '0' || *at > '9')
        return false;
    for (; *at >= '0' && *at <= '9'; at++) {
        uint64_t digit = (uint64_t)(*at - '0');

        if (value > high / 10 || digit > high - value * 10)
            return false;
        value = value * 10 + digit;
    }
    if (*at != '\0' && *at != ' ' && *at != '\t')
        return false;
    *text = at + strspn(at, " \t");
    *out = value;
    return true;
}

static bool parse_wholes(const char *text, uint64_t high, uint64_t *values,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!parse_whole(&text, high, &values[i]))
            return false;
    return *text == '\0';
}

/* Index of a word among words with single spaces; -1: none. */
static int find_word(const char *words, const char *word)
{
    size_t bytes = strlen(word);

    for (int index = 0; *words; index++) {
        size_t length = strcspn(words, " ");

        if (length == bytes && memcmp(words, word, bytes) == 0)
            return index;
        words += length + (words[length] == ' ');
    }
    return -1;
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

static bool set_word(const struct reading *r, const struct field *field,
                     const char *value, uint8_t *place)
{
    int word = find_word(field->words, value);
    spn_drive_motion motion = (spn_drive_motion)word;
    spn_drive_distance distance = (spn_drive_distance)word;

    if (word < 0)
        return refuse(r, field->key, "one of: %s", field->words);
    if (field->offset == AT(motion))
        memcpy(place, &motion, sizeof motion);
    else
        memcpy(place, &distance, sizeof distance);
    return true;
}

/* It is printed as it is: a control character would reach the terminal. */
static bool has_control(const char *text)
{
    for (; *text; text++)
        if (diag_is_control(text))
            return true;
    return false;
}

static bool set_text(const struct reading *r, const struct field *field,
                     const char *value, uint8_t *place)
{
    if (*value == '\0' || strlen(value) >= field->room)
        return refuse(r, field->key, "1 to %u bytes", field->room - 1);
    if (has_control(value))
        return refuse(r, field->key, "has a control byte");
    memset(place, 0, field->room);
    memcpy(place, value, strlen(value) + 1);
    return true;
}

static bool set_field(const struct reading *r, const struct field *field,
                      const char *value)
{
    uint8_t *place = (uint8_t *)r->profile + field->offset;
    uint64_t values[3];
    spn_drive_piece piece;
    uint32_t narrow;

    switch (field->kind) {
    case FIELD_TEXT:
        return set_text(r, field, value, place);
    case FIELD_WORD:
        return set_word(r, field, value, place);
    case FIELD_U32:
        if (!parse_wholes(value, UINT32_MAX, values, 1))
            return refuse(r, field->key, "a whole number up to 4294967295");
        narrow = (uint32_t)values[0];
        memcpy(place, &narrow, sizeof narrow);
        return true;
    case FIELD_U64:
        if (!parse_wholes(value, UINT64_MAX, values, 1))
            return refuse(r, field->key, "a whole number of at most 64 bits");
        memcpy(place, values, sizeof values[0]);
        return true;
    case FIELD_PIECE:
        if (!parse_wholes(value, UINT32_MAX, values, 3))
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
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (options_is_near(key, fields[i].key))
            return refuse(r, key, "unknown key; did you mean \"%s\"?",
                          fields[i].key);
    return refuse(r, key, "unknown key");
}

static bool set_like(struct reading *r, const char *value)
{
    const spn_drive_profile *like = spn_drive_profile_find(value);
    char name[SPN_DRIVE_NAME_BYTES];
    char about[SPN_DRIVE_ABOUT_BYTES];
    char names[DRIVE_NAMES_BYTES];

    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (r->is_set[i] && fields[i].kind != FIELD_TEXT)
            return refuse(r, "like", "comes before what differs");
    if (r->is_like)
        return refuse(r, "like", "is there twice");
    if (!like)
        return refuse(r, "like", "no built-in drive \"%s\": %s", value,
                      drive_names_list(names));
    memcpy(name, r->profile->name, sizeof name);
    memcpy(about, r->profile->about, sizeof about);
    *r->profile = *like;
    if (r->is_set[0])
        memcpy(r->profile->name, name, sizeof name);
    if (r->is_set[1])
        memcpy(r->profile->about, about, sizeof about);
    r->is_like = true;
    return true;
}

/* Cut blanks off both ends. */
static char *trim(char *text)
{
    char *end = text + strlen(text);

    text += strspn(text, " \t\r");
    while (end > text && strchr(" \t\r", end[-1]))
        *--end = '\0';
    return text;
}

/* `line` is a copy of what begins at `at`. */
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
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        if (strcmp(key, fields[i].key) != 0)
            continue;
        if (r->is_set[i])
            return refuse(r, key, "is there twice");
        r->is_set[i] = true;
        r->at = at + (size_t)(value - line);
        return set_field(r, &fields[i], value);
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

/* What the file calls a field of the profile. */
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
    if (!r.is_set[0])
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

/* -- printing -- */

/* The word that a field of the profile stands for; returns its bytes. */
static size_t word_of(const spn_drive_profile *profile,
                      const struct field *field, const char **word)
{
    uint32_t index = field->offset == AT(motion) ? (uint32_t)profile->motion
                                                 : (uint32_t)profile->distance;

    *word = field->words;
    while (index-- > 0)
        *word += strcspn(*word, " ") + 1;
    return strcspn(*word, " ");
}

static uint64_t number_of(const struct field *field, const uint8_t *place)
{
    uint64_t wide;
    uint32_t narrow;

    if (field->kind == FIELD_U64) {
        memcpy(&wide, place, sizeof wide);
        return wide;
    }
    memcpy(&narrow, place, sizeof narrow);
    return narrow;
}

/* Of a constant that is a built-in drive's, under its name. */
static const struct drive_source *source_of(const spn_drive_profile *profile,
                                            const struct field *field)
{
    const spn_drive_profile *known = spn_drive_profile_find(profile->name);
    size_t bytes = field_bytes[field->kind];

    if (!known || memcmp((const uint8_t *)known + field->offset,
                         (const uint8_t *)profile + field->offset, bytes) != 0)
        return NULL;
    return drive_source_find(profile->name, field->offset);
}

void drive_file_print(const spn_drive_profile *profile, FILE *file)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const uint8_t *place = (const uint8_t *)profile + fields[i].offset;
        const struct drive_source *source = source_of(profile, &fields[i]);
        spn_drive_piece piece;
        const char *word;
        size_t bytes;

        fprintf(file, "%s = ", fields[i].key);
        switch (fields[i].kind) {
        case FIELD_TEXT:
            fprintf(file, "%s", (const char *)place);
            break;
        case FIELD_WORD:
            bytes = word_of(profile, &fields[i], &word);
            fprintf(file, "%.*s", (int)bytes, word);
            break;
        case FIELD_U32:
        case FIELD_U64:
            fprintf(file, "%" PRIu64, number_of(&fields[i], place));
            break;
        case FIELD_PIECE:
            memcpy(&piece, place, sizeof piece);
            fprintf(file, "%" PRIu32 " %" PRIu32 " %" PRIu32, piece.base_us,
                    piece.slope_us, piece.root_us);
            break;
        }
        if (source)
            fprintf(file, " # [%s] %s", source->mark, source->text);
        fputc('\n', file);
    }
}

void drive_file_report(const spn_drive_profile *profile, cJSON *object)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const uint8_t *place = (const uint8_t *)profile + fields[i].offset;
        char text[LINE_BYTES_MAX];
        spn_drive_piece piece;
        const char *word;
        cJSON *array;
        size_t bytes;

        switch (fields[i].kind) {
        case FIELD_TEXT:
            report_text(object, fields[i].key, (const char *)place);
            break;
        case FIELD_WORD:
            bytes = word_of(profile, &fields[i], &word);
            snprintf(text, sizeof text, "%.*s", (int)bytes, word);
            report_text(object, fields[i].key, text);
            break;
        case FIELD_U32:
        case FIELD_U64:
            report_number(object, fields[i].key,
                          (double)number_of(&fields[i], place));
            break;
        case FIELD_PIECE:
            memcpy(&piece, place, sizeof piece);
            array = report_array(object, fields[i].key);
            report_add_number(array, piece.base_us);
            report_add_number(array, piece.slope_us);
            report_add_number(array, piece.root_us);
            break;
        }
    }
}

void drive_file_report_sources(const spn_drive_profile *profile, cJSON *object)
{
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const struct drive_source *source = source_of(profile, &fields[i]);
        cJSON *item;

        if (!source)
            continue;
        item = report_object(object, fields[i].key);
        report_text(item, "mark", source->mark);
        report_text(item, "source", source->text);
    }
}
