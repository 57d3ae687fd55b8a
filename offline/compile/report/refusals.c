/* refusals.c - texts of the reasons, and the lines of the warnings. */
/* SPDX-License-Identifier: MIT */
#include "compile/report/refusals.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef refusal_report

#define REASON(name, text, explanation) {text, explanation},
const struct refusal_reason refusal_reasons[REFUSAL_COUNT] = {
    REFUSAL_TABLE(REASON)};
const struct refusal_reason warning_reasons[WARNING_COUNT] = {
    WARNING_TABLE(REASON)};
#undef REASON

bool refusal_is_scene(const char *what)
{
    for (int i = 0; i < REFUSAL_COUNT; i++)
        if (strncmp(what, refusal_reasons[i].text,
                    strlen(refusal_reasons[i].text)) == 0)
            return true;
    return false;
}

bool refusal_report(struct diag *diag, const char *file, enum refusal refusal,
                    const char *place, const char *format, ...)
{
    const char *text = refusal_reasons[refusal].text;
    char detail[1024];
    va_list arguments;

    if (!format)
        return diag_refuse(diag, file, DIAG_NO_OFFSET, place, "%s", text);
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    return diag_refuse(diag, file, DIAG_NO_OFFSET, place, "%s: %s", text,
                       detail);
}

/* -- warnings -- */

/* Limits of a line: its text, each name in it, and the end "and N more". */
#define LIST_BYTES 800u
#define PLACE_BYTES 160u
#define DETAIL_BYTES 240u
#define MORE_BYTES 32u

struct list {
    char text[LIST_BYTES];
    size_t length;
};

/* Append an entry. Returns false, with the list unchanged, when it does not fit
 * in front of "and N more". */
static bool list_add(struct list *list, const char *separator,
                     const char *place, const char *detail)
{
    size_t room = sizeof list->text - MORE_BYTES - list->length;
    char short_place[PLACE_BYTES] = "";
    char short_detail[DETAIL_BYTES] = "";
    int bytes;

    if (place)
        diag_name(place, short_place, sizeof short_place);
    if (detail)
        diag_name(detail, short_detail, sizeof short_detail);
    bytes = snprintf(list->text + list->length, room, "%s%s%s%s", separator,
                     short_place, place && detail ? ": " : "", short_detail);
    if (bytes < 0 || (size_t)bytes >= room) {
        list->text[list->length] = 0;
        return false;
    }
    list->length += (size_t)bytes;
    return true;
}

static bool is_same_place(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Make the part of the line behind the kind of warning. The place of the first
 * warning is in front of the kind, so it is not repeated. */
static void make_list(const struct warnings *warnings, enum warning warning,
                      struct list *list)
{
    const struct warning_entry *named = warnings->of[warning].named;
    uint64_t count = warnings->of[warning].count;
    bool is_first_place = true;
    uint32_t i = 1;

    list->length = 0;
    list->text[0] = 0;
    if (named[0].detail)
        list_add(list, ": ", NULL, named[0].detail);
    for (; i < WARNING_NAMED_MAX && i < count; i++) {
        bool is_same = is_same_place(named[i].place, named[i - 1].place);
        bool has_detail = named[i].detail || named[i - 1].detail;
        const char *separator = has_detail && !is_same ? "; " : ", ";

        if (!is_same && is_first_place) {
            separator = named[0].detail ? "; also " : ": also ";
            is_first_place = false;
        }
        if (!list_add(list, separator, is_same ? NULL : named[i].place,
                      named[i].detail))
            break;
    }
    if (i < count)
        snprintf(list->text + list->length, sizeof list->text - list->length,
                 "%s and %llu more", list->length > 0 ? "" : ":",
                 (unsigned long long)(count - i));
}

void warnings_add(struct warnings *warnings, enum warning warning,
                  const char *place, const char *detail)
{
    uint64_t at = warnings->of[warning].count++;

    if (at < WARNING_NAMED_MAX)
        warnings->of[warning].named[at] = (struct warning_entry){place, detail};
}

bool warnings_flush(const struct warnings *warnings,
                    const struct abc_archive *archive,
                    const struct compile_options *options)
{
    for (int i = 0; i < WARNING_COUNT; i++) {
        unsigned long long count = warnings->of[i].count;
        const char *place = warnings->of[i].named[0].place;
        const char *text = warning_reasons[i].text;
        char times[32] = "";
        struct list list;

        if (count == 0)
            continue;
        make_list(warnings, (enum warning)i, &list);
        /* Warnings about the whole archive are not counted. */
        if (place)
            snprintf(times, sizeof times, " (%llu)", count);
        if (options->is_strict)
            return diag_refuse(archive->diag, archive->file_name,
                               DIAG_NO_OFFSET, place, "%s%s%s", text, times,
                               list.text);
        diag_warn(archive->diag, archive->file_name, place, "%s%s%s", text,
                  times, list.text);
    }
    return true;
}
