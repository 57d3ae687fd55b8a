/* tuning.c - the table of tuning variables: look up, parse, keep in range. */
/* SPDX-License-Identifier: MIT */
#include "base/tuning.h"

#include "base/assert.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define NAME_BYTES 24u
#define TEXT_BYTES 64u

/* Arrays of characters instead of pointers: the table needs no relocation, so
 * it stays in read-only memory also in position-independent code. */
struct variable {
    char name[NAME_BYTES];
    char text[TEXT_BYTES];
    uint32_t value;
    uint32_t low;
    uint32_t high;
};

static const struct variable variables[TUNING_COUNT] = {
#define KNOB(name, value, low, high, text) {#name, text, value, low, high},
    SPN_TUNING_MAP(KNOB)
#undef KNOB
};

#define KNOB_FITS(name, value, low, high, about)                               \
    SPN_STATIC_ASSERT((low) <= (value) && (value) <= (high), name##_range);    \
    SPN_STATIC_ASSERT(sizeof #name <= NAME_BYTES, name##_name);                \
    SPN_STATIC_ASSERT(sizeof(about) <= TEXT_BYTES, name##_text);
SPN_TUNING_MAP(KNOB_FITS)
#undef KNOB_FITS

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
    if (!name || !text)
        return SPN_ERR_ARG;
    for (uint32_t i = 0; i < TUNING_COUNT; i++) {
        uint32_t value;

        if (!spn__text_is_same(variables[i].name, name))
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
    if (index >= TUNING_COUNT)
        return 0;
    *name = variables[index].name;
    *text = variables[index].text;
    *value = variables[index].value;
    *low = variables[index].low;
    *high = variables[index].high;
    return 1;
}
