/* pak_names.c - find names that are not safe on every operating system.
 *
 * Names that differ in case alone are found in a sorted table of the names in
 * lower case.
 */
/* SPDX-License-Identifier: MIT */
#include "pack/pak_names.h"

#include "base/text.h"
#include "common/arena.h"
#include "pak/pak_index.h"
#include "pak/pak_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- characters -- */

/* Decode the UTF-8 character at `at`, and store its length. */
static uint32_t decode(const char *at, uint32_t *bytes)
{
    static const uint8_t masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t length = spn__text_sequence(at, strlen(at));
    uint32_t c = (uint8_t)at[0];

    *bytes = length > 0 ? length : 1;
    if (length > 0)
        c &= masks[length];
    for (uint32_t i = 1; i < length; i++)
        c = c << 6 | ((uint8_t)at[i] & 0x3fu);
    return c;
}

static void encode(uint32_t c, char *text, size_t *at)
{
    if (c < 0x80) {
        text[(*at)++] = (char)c;
    } else if (c < 0x800) {
        text[(*at)++] = (char)(0xc0 | c >> 6);
        text[(*at)++] = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        text[(*at)++] = (char)(0xe0 | c >> 12);
        text[(*at)++] = (char)(0x80 | (c >> 6 & 0x3f));
        text[(*at)++] = (char)(0x80 | (c & 0x3f));
    } else {
        text[(*at)++] = (char)(0xf0 | c >> 18);
        text[(*at)++] = (char)(0x80 | (c >> 12 & 0x3f));
        text[(*at)++] = (char)(0x80 | (c >> 6 & 0x3f));
        text[(*at)++] = (char)(0x80 | (c & 0x3f));
    }
}

/* Ranges of upper case letters. The lower case of a letter is `step` code
 * points further on; with step 1 upper and lower case alternate. From
 * UnicodeData.txt: simple mappings between letters of equal length in UTF-8. */
struct letters {
    uint32_t first;
    uint32_t last;
    uint32_t step;
};

static const struct letters cases[] = {
    {'A', 'Z', 32},      {0xc0, 0xd6, 32},   {0xd8, 0xde, 32},
    {0x100, 0x12e, 1},   {0x132, 0x136, 1},  {0x139, 0x147, 1},
    {0x14a, 0x176, 1},   {0x179, 0x17d, 1},  {0x1cd, 0x1db, 1},
    {0x1de, 0x1ee, 1},   {0x1f8, 0x21e, 1},  {0x222, 0x232, 1},
    {0x388, 0x38a, 37},  {0x391, 0x3a1, 32}, {0x3a3, 0x3ab, 32},
    {0x3d8, 0x3ee, 1},   {0x400, 0x40f, 80}, {0x410, 0x42f, 32},
    {0x460, 0x480, 1},   {0x48a, 0x4be, 1},  {0x4c1, 0x4cd, 1},
    {0x4d0, 0x52e, 1},   {0x531, 0x556, 48}, {0x1e00, 0x1e94, 1},
    {0x1ea0, 0x1efe, 1},
};

static uint32_t lower(uint32_t c)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct letters *l = &cases[i];

        if (c >= l->first && c <= l->last)
            return l->step > 1 || (c - l->first) % 2 == 0 ? c + l->step : c;
    }
    return c;
}

/* -- one name -- */

static const char *character_flaw(uint32_t c)
{
    if (c >= 0x80 && c <= 0x9f)
        return "has a control character (U+0080 to U+009F)";
    if (c == 0x061c || c == 0x200e || c == 0x200f ||
        (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
        return "has a control character of the writing direction";
    if (c == 0x2028 || c == 0x2029)
        return "has a line separator";
    if (c < 0x80 && c != 0 && strchr("<>\"|?*", (int)c))
        return "has a character that Windows does not allow";
    return NULL;
}

static bool is_device(const char *part, size_t bytes)
{
    static const char *const devices[] = {"con", "prn",    "aux",
                                          "nul", "conin$", "conout$"};
    char text[8] = {0};

    for (size_t i = 0; i < bytes && part[i] != '.'; i++) {
        if (i == sizeof text - 1)
            return false;
        text[i] =
            part[i] >= 'A' && part[i] <= 'Z' ? (char)(part[i] + 32) : part[i];
    }
    for (size_t i = strlen(text); i > 0 && text[i - 1] == ' '; i--)
        text[i - 1] = 0;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (strcmp(text, devices[i]) == 0)
            return true;
    if (strncmp(text, "com", 3) != 0 && strncmp(text, "lpt", 3) != 0)
        return false;
    return (text[3] >= '0' && text[3] <= '9' && text[4] == 0) ||
           strcmp(text + 3, "\xc2\xb9") == 0 ||
           strcmp(text + 3, "\xc2\xb2") == 0 ||
           strcmp(text + 3, "\xc2\xb3") == 0;
}

const char *pak_name_flaw(const char *name)
{
    const char *part = name;
    uint32_t bytes;

    if (!spn__pak_name_is_good(name, (uint32_t)strlen(name)))
        return "is no name that a pak can have";
    for (const char *at = name;; at += bytes) {
        const char *flaw = character_flaw(decode(at, &bytes));

        if (flaw)
            return flaw;
        if (*at != '/' && *at != 0)
            continue;
        if (at > part && (at[-1] == '.' || at[-1] == ' '))
            return "has a part that ends in a dot or a space";
        if (is_device(part, (size_t)(at - part)))
            return "has a part that is a device of Windows";
        if (*at == 0)
            return NULL;
        part = at + 1;
    }
}

/* -- all names -- */

struct folded {
    const char *text;
    uint32_t name;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct folded *)a)->text,
                  ((const struct folded *)b)->text);
}

static int by_text_and_name(const void *a, const void *b)
{
    const struct folded *x = a;
    const struct folded *y = b;
    int order = by_text(a, b);

    return order != 0 ? order : (x->name > y->name) - (x->name < y->name);
}

static const char *fold(struct arena *arena, const char *name)
{
    char *text = arena_alloc(arena, strlen(name) + 1, 1);
    size_t length = 0;
    uint32_t bytes;

    for (const char *at = name; *at; at += bytes)
        encode(lower(decode(at, &bytes)), text, &length);
    text[length] = 0;
    return text;
}

struct checking {
    const char *const *names;
    const struct folded *folded;
    uint32_t count;
    void (*flawed)(void *user, uint32_t name, const char *why);
    void *user;
    bool is_good;
};

static void refuse_name(struct checking *c, uint32_t name, const char *format,
                        uint32_t other)
{
    char known[256];
    char why[320];

    diag_name(c->names[other], known, sizeof known);
    /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): of two, below. */
    snprintf(why, sizeof why, format, known);
    c->flawed(c->user, name, why);
    c->is_good = false;
}

/* Is a folder of this name also the name of a file? */
static void check_folders(struct checking *c, const struct folded *one,
                          char *text)
{
    memcpy(text, one->text, strlen(one->text) + 1);
    for (char *slash = text; (slash = strchr(slash, '/')); *slash++ = '/') {
        const struct folded wanted = {text, 0};
        const struct folded *found;

        *slash = 0;
        found = bsearch(&wanted, c->folded, c->count, sizeof wanted, by_text);
        if (found) {
            refuse_name(c, one->name, "lies in what is a file, too: %s",
                        found->name);
            return;
        }
    }
}

bool pak_names_check(const char *const *names, uint32_t count,
                     void (*flawed)(void *user, uint32_t name, const char *why),
                     void *user)
{
    struct checking c = {names, NULL, count, flawed, user, true};
    size_t longest = 0;
    struct folded *folded;
    struct arena arena;
    char *text;

    arena_init(&arena);
    folded = arena_alloc(&arena, count + (size_t)1, sizeof *folded);
    for (uint32_t i = 0; i < count; i++) {
        const char *flaw = pak_name_flaw(names[i]);

        folded[i] = (struct folded){fold(&arena, names[i]), i};
        if (strlen(folded[i].text) > longest)
            longest = strlen(folded[i].text);
        if (flaw)
            flawed(user, i, flaw);
        c.is_good = c.is_good && !flaw;
    }
    qsort(folded, count, sizeof *folded, by_text_and_name);
    c.folded = folded;
    text = arena_alloc(&arena, longest + 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0 && by_text(&folded[i - 1], &folded[i]) == 0)
            refuse_name(&c, folded[i].name, "differs only in case from %s",
                        folded[i - 1].name);
        check_folders(&c, &folded[i], text);
    }
    arena_free(&arena);
    return c.is_good;
}
