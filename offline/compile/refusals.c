/* refusals.c - the tables' texts, and warnings gathered by kind. */
/* SPDX-License-Identifier: MIT */
#include "compile/refusals.h"

#include <stdarg.h>

struct reason {
    const char *text;
    const char *explanation;
};

#define REASON(name, text, explanation) {text, explanation},
static const struct reason refusals[REFUSAL_COUNT] = {REFUSAL_TABLE(REASON)};
static const struct reason warning_reasons[WARNING_COUNT] = {
    WARNING_TABLE(REASON)};
#undef REASON

const char *refusal_text(enum refusal refusal)
{
    return refusals[refusal].text;
}

const char *refusal_explanation(enum refusal refusal)
{
    return refusals[refusal].explanation;
}

const char *warning_text(enum warning warning)
{
    return warning_reasons[warning].text;
}

const char *warning_explanation(enum warning warning)
{
    return warning_reasons[warning].explanation;
}

void refusals_print(FILE *out)
{
    fputs("A damaged archive is refused with the place in the file, a scene "
          "for one of these reasons:\n\n"
          "| refused | |\n|---|---|\n",
          out);
    for (int i = 0; i < REFUSAL_COUNT; i++)
        fprintf(out, "| %s | %s |\n", refusals[i].text,
                refusals[i].explanation);
    fputs("\n| said as a warning, refused with `--strict` | |\n|---|---|\n",
          out);
    for (int i = 0; i < WARNING_COUNT; i++)
        fprintf(out, "| %s | %s |\n", warning_reasons[i].text,
                warning_reasons[i].explanation);
}

__attribute__((format(printf, 5, 0))) static bool report(
    struct diag *diag, const char *file, enum refusal refusal,
    const char *place, const char *format, va_list arguments)
{
    const char *text = refusals[refusal].text;
    char detail[512];

    if (!format)
        return diag_refuse(diag, file, DIAG_NO_OFFSET, place, "%s", text);
    vsnprintf(detail, sizeof detail, format, arguments);
    return diag_refuse(diag, file, DIAG_NO_OFFSET, place, "%s: %s", text,
                       detail);
}

bool refusal_report(struct diag *diag, const char *file, enum refusal refusal,
                    const char *place, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report(diag, file, refusal, place, format, arguments);
    va_end(arguments);
    return false;
}

bool compile_refuse(const struct abc_archive *archive, enum refusal refusal,
                    const char *place, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    report(archive->diag, archive->file_name, refusal, place, format,
           arguments);
    va_end(arguments);
    return false;
}

void warnings_add(struct warnings *warnings, enum warning warning,
                  const char *place, uint64_t count, const char *detail)
{
    if (warnings->of[warning].count == 0) {
        warnings->of[warning].place = place;
        warnings->of[warning].detail = detail;
    }
    warnings->of[warning].count += count;
}

bool warnings_flush(const struct warnings *warnings,
                    const struct abc_archive *archive,
                    const struct compile_options *options)
{
    for (int i = 0; i < WARNING_COUNT; i++) {
        unsigned long long count = warnings->of[i].count;
        const char *place = warnings->of[i].place;
        const char *detail = warnings->of[i].detail;
        const char *text = warning_reasons[i].text;
        const char *colon = detail ? ": " : "";
        char times[32] = "";

        if (count == 0)
            continue;
        detail = detail ? detail : "";
        /* What is said of no place is said of the whole archive. */
        if (place)
            snprintf(times, sizeof times, " (%llu)", count);
        if (options->is_strict)
            return diag_refuse(archive->diag, archive->file_name,
                               DIAG_NO_OFFSET, place, "%s%s%s%s", text, times,
                               colon, detail);
        diag_warn(archive->diag, archive->file_name, place, "%s%s%s%s", text,
                  times, colon, detail);
    }
    return true;
}
