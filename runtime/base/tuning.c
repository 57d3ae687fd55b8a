/* tuning.c - look up and parse tuning variables. */
/* SPDX-License-Identifier: MIT */
#include "base/tuning.h"

#include "base/assert.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

struct variable {
    uint32_t value; /* the default */
    uint32_t low;
    uint32_t high;
};

static const struct variable variables[TUNING_COUNT] = {
#define NUMBERS(name, value, low, high, text) {value, low, high},
    SPN_TUNING_MAP(NUMBERS)
#undef NUMBERS
};

/* Name and text of each variable, one after the other, each with its NUL. There
 * are no pointers: the table needs no relocation, so it stays in read-only
 * memory also in position-independent code. */
static const char texts[] =
#define TEXTS(name, value, low, high, text) #name "\0" text "\0"
    SPN_TUNING_MAP(TEXTS);
#undef TEXTS

#define IS_IN_RANGE(name, value, low, high, about)                             \
    SPN_STATIC_ASSERT((low) <= (value) && (value) <= (high), name##_range);
SPN_TUNING_MAP(IS_IN_RANGE)
#undef IS_IN_RANGE

static const char *behind(const char *text)
{
    while (*text)
        text++;
    return text + 1;
}

/* Parse a number of decimal digits only, at most `high`. */
static bool parse(const char *text, uint32_t high, uint32_t *out)
{
    uint32_t value = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        uint32_t digit = (uint32_t)(unsigned char)*text - '0';

        if (digit > 9 || value > high / 10 || digit > high - value * 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

void spn__tuning_init(struct tuning *tuning)
{
    for (uint32_t i = 0; i < TUNING_COUNT; i++)
        tuning->value[i] = variables[i].value;
}

spn_status spn__tuning_set(struct tuning *tuning, const char *name,
                           const char *text)
{
    const char *at = texts;

    if (!name || !text)
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < TUNING_COUNT; i++) {
        bool is_named = spn__text_is_same(at, name);
        uint32_t value;

        at = behind(behind(at));
        if (!is_named)
            continue;
        if (!parse(text, variables[i].high, &value) || value < variables[i].low)
            return SPN_ERR_ARG;
        tuning->value[i] = value;
        return SPN_OK;
    }
    return SPN_ERR_NOT_FOUND;
}

int spn__tuning_describe(uint32_t index, const char **name, const char **text,
                         uint32_t *value, uint32_t *low, uint32_t *high)
{
    const char *at = texts;

    if (index >= TUNING_COUNT)
        return 0;
    for (uint32_t i = 0; i < index; i++)
        at = behind(behind(at));
    *name = at;
    *text = behind(at);
    *value = variables[index].value;
    *low = variables[index].low;
    *high = variables[index].high;
    return 1;
}
