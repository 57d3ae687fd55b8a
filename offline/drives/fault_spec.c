/* fault_spec.c - parse a fault; refuse combinations without effect. */
/* SPDX-License-Identifier: MIT */
#include "drives/fault_spec.h"

#include "common/path_match.h"
#include "pak/pak_range.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MICRO 1000000u
#define LIST_BYTES 200u

static const struct kind {
    const char *word;
    spn_emulator_fault_kind kind;
    bool is_range;
} kinds[] = {
    {"bad-sectors", SPN_EMULATOR_BAD_SECTORS, true},
    {"unreadable", SPN_EMULATOR_UNREADABLE, true},
    {"stall", SPN_EMULATOR_STALL, false},
    {"tray-open", SPN_EMULATOR_TRAY_OPEN, false},
    {"disc-swapped", SPN_EMULATOR_DISC_SWAPPED, false},
};
#define KIND_COUNT (sizeof kinds / sizeof kinds[0])

enum key {
    KEY_AT,
    KEY_FOR,
    KEY_OFFSET,
    KEY_BYTES,
    KEY_RETRIES,
    KEY_TIMES,
    KEY_COPY,
    KEY_FAILING,
    KEY_COUNT
};
static const char *const keys[KEY_COUNT] = {
    "at", "for", "offset", "bytes", "retries", "times", "copy", "failing"};

struct reading {
    const char *text;
    const char *at; /* position in the text of the current word or value */
    const struct kind *kind;
    uint64_t values[KEY_COUNT];
    bool is_set[KEY_COUNT];
    char *why;
};

__attribute__((format(printf, 2, 3))) static bool refuse(
    const struct reading *r, const char *format, ...)
{
    int used = snprintf(r->why, FAULT_SPEC_WHY_BYTES,
                        "column %zu: ", (size_t)(r->at - r->text) + 1);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(r->why + used, FAULT_SPEC_WHY_BYTES - (size_t)used, format,
              arguments);
    va_end(arguments);
    return false;
}

/* -- numbers -- */

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* Parse a decimal number and multiply it by `unit`, a power of ten. The number
 * may have as many decimals as `unit` has zeros. */
static bool parse_number(const char *text, size_t length, uint32_t unit,
                         uint64_t *out)
{
    uint64_t value = 0;
    bool is_fraction = false;
    uint32_t digits = 0;

    for (size_t i = 0; i < length; i++) {
        uint64_t digit = (uint64_t)(text[i] - '0');

        if (text[i] == '.' && unit > 1 && digits > 0 && !is_fraction) {
            is_fraction = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || (is_fraction && unit == 1) ||
            value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
        digits++;
        if (is_fraction)
            unit /= 10;
    }
    if (digits == 0 || value > UINT64_MAX / unit)
        return false;
    *out = value * unit;
    return true;
}

static bool read_kind(struct reading *r, const char *text, size_t length)
{
    for (size_t i = 0; i < KIND_COUNT; i++)
        if (is_word(text, length, kinds[i].word)) {
            r->kind = &kinds[i];
            return true;
        }
    return refuse(r, "begins with bad-sectors, unreadable, stall, tray-open or "
                     "disc-swapped");
}

static uint32_t find_key(const char *text, size_t length)
{
    uint32_t key = 0;

    while (key < KEY_COUNT && !is_word(text, length, keys[key]))
        key++;
    return key;
}

/* The keys of each kind. */
static bool fits_kind(const struct reading *r, uint32_t key)
{
    if (key == KEY_FAILING)
        return r->kind->kind == SPN_EMULATOR_TRAY_OPEN;
    return r->kind->is_range || key == KEY_AT || key == KEY_FOR;
}

static bool is_whole_32(uint32_t key)
{
    return key == KEY_RETRIES || key == KEY_TIMES || key == KEY_COPY;
}

static bool read_value(struct reading *r, uint32_t key, const char *value,
                       size_t length)
{
    bool is_time = key == KEY_AT || key == KEY_FOR;

    if (!parse_number(value, length, is_time ? MICRO : 1, &r->values[key]) ||
        (is_whole_32(key) && r->values[key] > UINT32_MAX))
        return refuse(r, "%s is %s", keys[key],
                      is_time ? "seconds, with up to six decimals"
                              : "a whole number");
    if (r->values[key] == 0 && (key == KEY_FOR || key == KEY_BYTES ||
                                key == KEY_TIMES || key == KEY_COPY))
        return refuse(r, "%s is more than 0", keys[key]);
    return true;
}

static bool read_pair(struct reading *r, const char *text, size_t length)
{
    const char *is = memchr(text, '=', length);
    size_t key_length = is ? (size_t)(is - text) : length;
    uint32_t key = find_key(text, key_length);

    if (key == KEY_COUNT)
        return refuse(r,
                      "unknown key \"%.*s\"; there are at, for, offset, bytes, "
                      "retries, times, copy and failing",
                      (int)(key_length < 32 ? key_length : 32), text);
    if (!fits_kind(r, key))
        return refuse(r, "%s has no %s", r->kind->word, keys[key]);
    if (r->is_set[key])
        return refuse(r, "%s is there twice", keys[key]);
    r->is_set[key] = true;
    if (key == KEY_FAILING)
        return !is || refuse(r, "failing has no value");
    if (!is)
        return refuse(r, "%s of how much? %s=...", keys[key], keys[key]);
    r->at = is + 1;
    return read_value(r, key, is + 1, length - key_length - 1);
}

static bool read_parameters(struct reading *r, const char *text, size_t length)
{
    for (size_t at = 0; at <= length;) {
        const char *comma = memchr(text + at, ',', length - at);
        size_t bytes = comma ? (size_t)(comma - text) - at : length - at;

        r->at = text + at;
        if (at == 0 ? !read_kind(r, text, bytes)
                    : !read_pair(r, text + at, bytes))
            return false;
        at += bytes + 1;
    }
    return true;
}

/* -- the run -- */

static bool validate_field(struct reading *r, const char *name)
{
    r->at = name ? name : r->text;
    if (name && !r->kind->is_range)
        return refuse(r, "%s is of the drive, not of a file", r->kind->word);
    if (name && *name == '\0')
        return refuse(r, "no name after the colon");
    if (r->kind->is_range && !name && !r->is_set[KEY_OFFSET])
        return refuse(r, "%s where? offset=BYTE or :NAME", r->kind->word);
    if (r->is_set[KEY_COPY] && !name)
        return refuse(r, "copy is of a file in a pak");
    return true;
}

bool fault_spec_parse(const char *text, struct fault_spec *out,
                      char why[FAULT_SPEC_WHY_BYTES])
{
    struct reading r = {
        .text = text, .at = text, .values = {[KEY_RETRIES] = 1}, .why = why};
    const char *colon = strchr(text, ':');
    const char *name = colon ? colon + 1 : NULL;

    if (!read_parameters(&r, text,
                         colon ? (size_t)(colon - text) : strlen(text)) ||
        !validate_field(&r, name))
        return false;
    if (r.is_set[KEY_OFFSET] && !r.is_set[KEY_BYTES])
        r.values[KEY_BYTES] = 1;
    *out = (struct fault_spec){.text = text, .name = name};
    out->copy = r.is_set[KEY_COPY] ? (uint32_t)r.values[KEY_COPY] - 1 : 0;
    out->fault = (spn_emulator_fault){
        .kind = r.kind->kind,
        .begin_us = r.values[KEY_AT],
        .length_us = r.values[KEY_FOR],
        .is_failing = r.is_set[KEY_FAILING],
    };
    if (r.kind->is_range) {
        out->fault.offset = r.values[KEY_OFFSET];
        out->fault.bytes = r.values[KEY_BYTES];
        out->fault.retries = (uint32_t)r.values[KEY_RETRIES];
        out->fault.times = (uint32_t)r.values[KEY_TIMES];
    }
    return true;
}

bool fault_spec_read_all(const char *verb, const struct option_texts *texts,
                         struct fault_spec out[OPTION_TEXTS_MAX])
{
    char why[FAULT_SPEC_WHY_BYTES];

    for (uint32_t i = 0; i < texts->count; i++)
        if (!fault_spec_parse(texts->items[i], &out[i], why))
            return options_refuse(verb, "--fault %s: %s", texts->items[i], why);
    return true;
}

/* -- names -- */

/* List the first names, as far as there is room. */
static void list_names(char out[LIST_BYTES], const char *const *names,
                       uint32_t count)
{
    size_t used = 0;
    uint32_t i = 0;

    for (; i < count; i++) {
        size_t bytes = strlen(names[i]);

        if (used + bytes + sizeof ", ..." >= LIST_BYTES)
            break;
        used += (size_t)snprintf(out + used, LIST_BYTES - used, "%s%s",
                                 i > 0 ? ", " : "", names[i]);
    }
    if (i < count)
        snprintf(out + used, LIST_BYTES - used, ", ...");
}

static const char *refuse_name(const struct fault_spec *spec, const char *what,
                               const char *const *names, uint32_t count,
                               struct diag *diag)
{
    char list[LIST_BYTES] = "";

    list_names(list, names, count);
    diag_refuse(diag, spec->text, DIAG_NO_OFFSET, NULL, "%s: %s", what, list);
    return NULL;
}

const char *fault_spec_choose(const struct fault_spec *spec,
                              const char *const *names, uint32_t count,
                              struct diag *diag)
{
    const char *found[2];
    uint32_t found_count = 0;

    for (uint32_t i = 0; i < count; i++)
        if (strcmp(spec->name, names[i]) == 0)
            return names[i];
    for (uint32_t i = 0; i < count && found_count < 2; i++)
        if (path_is_end(spec->name, names[i]) &&
            (found_count == 0 || strcmp(found[0], names[i]) != 0))
            found[found_count++] = names[i];
    if (found_count == 1)
        return found[0];
    if (found_count > 1)
        return refuse_name(spec, "its name is the end of more than one", found,
                           2, diag);
    return refuse_name(spec, "its name is none of these, nor the end of one",
                       names, count, diag);
}

/* -- times -- */

void fault_spec_warn_late(const struct fault_spec *specs, uint32_t count,
                          uint64_t end_us, struct diag *diag)
{
    for (uint32_t i = 0; i < count; i++)
        if (specs[i].fault.begin_us >= end_us)
            diag_warn(diag, specs[i].text, NULL,
                      "it begins after the end of the run, which took %.3f s",
                      (double)end_us / MICRO);
}

/* -- places -- */

bool fault_spec_validate(const struct fault_spec *spec, uint64_t file_bytes,
                         struct diag *diag)
{
    const spn_emulator_fault *f = &spec->fault;

    if (f->offset < file_bytes && f->bytes <= file_bytes - f->offset)
        return true;
    return diag_refuse(diag, spec->text, DIAG_NO_OFFSET, NULL,
                       "the range does not lie in its %llu bytes",
                       (unsigned long long)file_bytes);
}

bool fault_spec_in_pak(const struct fault_spec *spec, const char *name,
                       const struct pak_reader *pak, spn_emulator_fault *out,
                       struct diag *diag)
{
    const struct pak_index *index = &pak->index;
    uint32_t entry = spn__pak_find(index, name, (uint32_t)strlen(name));
    struct pak_content content;
    struct pak_range range;
    uint32_t owner;

    if (entry == PAK_NONE)
        return diag_refuse(diag, spec->text, DIAG_NO_OFFSET, NULL,
                           "no file of this name in %s", pak->path);
    content = spn__pak_content(index, spn__pak_entry(index, entry).content);
    if (!fault_spec_validate(spec, content.bytes, diag))
        return false;
    if (spec->copy >= content.copy_count)
        return diag_refuse(diag, spec->text, DIAG_NO_OFFSET, NULL,
                           "the pak has %u of its copies", content.copy_count);
    if (spn__pak_range(index, spn__pak_entry(index, entry).content,
                       spec->fault.offset, spec->fault.bytes, UINT64_MAX,
                       &range) != SPN_OK)
        return diag_refuse(diag, spec->text, DIAG_NO_OFFSET, NULL,
                           "the pak has no such range");
    *out = spec->fault;
    out->offset =
        spn__pak_copy_offset(index, content.first_copy + spec->copy, &owner) +
        range.stored_offset;
    out->bytes = range.stored_bytes;
    return true;
}
