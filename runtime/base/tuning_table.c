/* tuning_table.c - look up and parse tuning variables. */
/* SPDX-License-Identifier: MIT */
#include "base/tuning_table.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct variable {
    uint32_t value; /* the default */
    uint32_t low;
    uint32_t high;
    uint32_t alias_scale;
};

static const struct variable variables[TUNING_NUMBERS] = {
#define NUMBERS(name, alias, scale, unit, value, low, high, text)              \
    {value, low, high, scale},
    SPN_TUNING_MAP(NUMBERS)
#undef NUMBERS
};

/* Name and alias of each variable, one after the other, each with its NUL, and
 * likewise unit and description. There are no pointers: the tables need no
 * relocation, so they stay in read-only memory also in position-independent
 * code. Two tables, so that a linker drops the second one if nothing calls
 * spn_tuning_get. */
static const char names[] =
#define NAMES(name, alias, scale, unit, value, low, high, text)                \
#name "\0" alias "\0"
#define TEXT_NAMES(name, alias, text) #name "\0" alias "\0"
    SPN_TUNING_MAP(NAMES) SPN_TUNING_TEXT_MAP(TEXT_NAMES);
#undef NAMES
#undef TEXT_NAMES

static const char texts[] =
#define TEXTS(name, alias, scale, unit, value, low, high, text)                \
    unit "\0" text "\0"
#define TEXT_TEXTS(name, alias, text) "\0" text "\0"
    SPN_TUNING_MAP(TEXTS) SPN_TUNING_TEXT_MAP(TEXT_TEXTS);
#undef TEXTS
#undef TEXT_TEXTS

/* The largest value of a number, so that those of an alias fit 64 bits. */
#define HIGH_MAX 4194304u

#define IS_IN_RANGE(name, alias, scale, unit, value, low, high, about)         \
    SPN_STATIC_ASSERT((low) <= (value) && (value) <= (high) &&                 \
                          (high) <= HIGH_MAX && (scale) >= 1 &&                \
                          (scale) <= 1024,                                     \
                      name##_range);
SPN_TUNING_MAP(IS_IN_RANGE)
#undef IS_IN_RANGE

static const char *behind(const char *text)
{
    while (*text)
        text++;
    return text + 1;
}

/* The pair of texts of variable `index` in a table. */
static const char *pair_at(const char *table, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        table = behind(behind(table));
    return table;
}

/* Parse decimal digits, at most `high`, up to the end of the text or to
 * `stop`. NULL: there are none, or the number is larger; otherwise where it
 * ends. */
static const char *parse_whole(const char *text, char stop, uint64_t high,
                               uint64_t *out)
{
    uint64_t value = 0;

    if (!*text || *text == stop)
        return NULL;
    for (; *text && *text != stop; text++) {
        uint32_t digit = (uint32_t)(unsigned char)*text - '0';

        if (digit > 9 || value > high / 10 || digit > high - value * 10)
            return NULL;
        value = value * 10 + digit;
    }
    *out = value;
    return text;
}

/* Parse a number in the unit of an alias, with or without a fraction, and
 * multiply it by `scale`. Of the fraction, only the first six digits count:
 * they are enough for any scale. */
static bool parse_scaled(const char *text, uint32_t scale, uint64_t *out)
{
    const char *at = parse_whole(text, '.', HIGH_MAX, out);
    uint64_t fraction = 0;
    uint32_t ten = 1;

    if (!at)
        return false;
    if (*at == '.' && !at[1])
        return false;
    for (at += *at == '.'; *at; at++) {
        uint32_t digit = (uint32_t)(unsigned char)*at - '0';

        if (digit > 9)
            return false;
        if (ten == 1000000)
            continue;
        fraction = fraction * 10 + digit;
        ten *= 10;
    }
    *out = *out * scale + fraction * scale / ten;
    return true;
}

static bool parse(const char *text, uint32_t scale, uint64_t *out)
{
    return scale == 1 ? parse_whole(text, 0, HIGH_MAX, out) != NULL
                      : parse_scaled(text, scale, out);
}

void spn__tuning_init(struct tuning *tuning)
{
    memset(tuning, 0, sizeof *tuning);
    for (uint32_t i = 0; i < TUNING_NUMBERS; i++)
        spn__tuning_begin(tuning, (enum tuning_index)i, variables[i].value);
}

void spn__tuning_begin(struct tuning *tuning, enum tuning_index index,
                       uint64_t value)
{
    const struct variable *v = &variables[index];

    SPN_ASSERT((uint32_t)index < TUNING_NUMBERS);
    if (value < v->low)
        value = v->low;
    if (value > v->high)
        value = v->high;
    tuning->initial[index] = (uint32_t)value;
    tuning->value[index] = (uint32_t)value;
}

/* *is_alias: it was found by its alias. */
static uint32_t find(const char *name, bool *is_alias)
{
    const char *at = names;

    *is_alias = false;
    for (uint32_t i = 0; i < TUNING_COUNT; i++) {
        if (spn__text_is_same(at, name))
            return i;
        at = behind(at);
        *is_alias = *at && spn__text_is_same_word(at, name);
        if (*is_alias)
            return i;
        at = behind(at);
    }
    return TUNING_COUNT;
}

uint32_t spn__tuning_find(const char *name)
{
    bool is_alias;

    return find(name, &is_alias);
}

static spn_status set_text(char *out, const char *text)
{
    size_t bytes = (size_t)(behind(text) - text);

    if (bytes > SPN_TUNING_TEXT_BYTES_MAX)
        return SPN_ERR_ARG;
    memmove(out, text, bytes);
    return SPN_OK;
}

spn_status spn__tuning_set(struct tuning *tuning, const char *name,
                           const char *text)
{
    const struct variable *v;
    uint64_t value;
    uint32_t index;
    bool is_alias;

    if (!name || !text)
        return SPN_ERR_ARG;
    index = find(name, &is_alias);
    if (index == TUNING_COUNT)
        return SPN_ERR_NOT_FOUND;
    if (index >= TUNING_NUMBERS)
        return set_text(tuning->text[index - TUNING_NUMBERS], text);
    v = &variables[index];
    if (!parse(text, is_alias ? v->alias_scale : 1, &value) || value < v->low ||
        value > v->high)
        return SPN_ERR_ARG;
    tuning->value[index] = (uint32_t)value;
    return SPN_OK;
}

spn_status spn__tuning_get(const struct tuning *tuning, uint32_t index,
                           spn_tuning *out)
{
    if (index >= TUNING_COUNT)
        return SPN_ERR_NOT_FOUND;
    *out = (spn_tuning){.name = pair_at(names, index),
                        .unit = pair_at(texts, index),
                        .alias_scale = 1,
                        .is_text = index >= TUNING_NUMBERS,
                        .value_text = ""};
    out->alias = behind(out->name);
    out->text = behind(out->unit);
    if (out->is_text) {
        out->value_text = tuning->text[index - TUNING_NUMBERS];
        return SPN_OK;
    }
    out->alias_scale = variables[index].alias_scale;
    out->value = tuning->value[index];
    out->initial = tuning->initial[index];
    out->low = variables[index].low;
    out->high = variables[index].high;
    return SPN_OK;
}
