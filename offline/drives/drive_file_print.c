/* drive_file_print.c - print a profile as text and as JSON. */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_file.h"

#include "common/report.h"
#include "drives/drive_fields.h"
#include "drives/drive_sources.h"

#include <inttypes.h>
#include <string.h>

#define VALUE_BYTES_MAX 256u

/* The numbers of a field: one, or the three of a piece. Returns their count; 0:
 * the field is a text or a word. */
static uint32_t field_numbers(const struct drive_field *field,
                              const uint8_t *place, uint64_t numbers[3])
{
    spn_drive_piece piece;
    uint32_t narrow;

    switch (field->kind) {
    case DRIVE_FIELD_U32:
        memcpy(&narrow, place, sizeof narrow);
        numbers[0] = narrow;
        return 1;
    case DRIVE_FIELD_U64:
        memcpy(numbers, place, sizeof numbers[0]);
        return 1;
    case DRIVE_FIELD_PIECE:
        memcpy(&piece, place, sizeof piece);
        numbers[0] = piece.base_us;
        numbers[1] = piece.slope_us;
        numbers[2] = piece.root_us;
        return 3;
    case DRIVE_FIELD_TEXT:
    case DRIVE_FIELD_WORD:
        break;
    }
    return 0;
}

/* Store a text, or the word of an enum. */
static void field_text(const spn_drive_profile *profile,
                       const struct drive_field *field, const uint8_t *place,
                       char text[VALUE_BYTES_MAX])
{
    uint32_t index = field->offset == offsetof(spn_drive_profile, motion)
                         ? (uint32_t)profile->motion
                         : (uint32_t)profile->distance;
    const char *word = field->words;

    if (field->kind == DRIVE_FIELD_TEXT) {
        snprintf(text, VALUE_BYTES_MAX, "%s", (const char *)place);
        return;
    }
    while (index-- > 0)
        word += strcspn(word, " ") + 1;
    snprintf(text, VALUE_BYTES_MAX, "%.*s", (int)strcspn(word, " "), word);
}

/* The source of a field's value, if it is that of the built-in drive with the
 * profile's name. NULL: none. */
static const struct drive_source *source_of(const spn_drive_profile *profile,
                                            const struct drive_field *field)
{
    const spn_drive_profile *known = spn_drive_profile_find(profile->name);

    if (!known ||
        (field->kind != DRIVE_FIELD_TEXT &&
         memcmp((const uint8_t *)known + field->offset,
                (const uint8_t *)profile + field->offset, field->bytes) != 0))
        return NULL;
    return drive_source_find(profile->name, field->offset);
}

void drive_file_print(const spn_drive_profile *profile, FILE *file)
{
    for (size_t i = 0; i < DRIVE_FIELD_COUNT; i++) {
        const struct drive_field *field = &drive_fields[i];
        const uint8_t *place = (const uint8_t *)profile + field->offset;
        const struct drive_source *source = source_of(profile, field);
        char text[VALUE_BYTES_MAX] = "";
        uint64_t numbers[3];
        uint32_t count = field_numbers(field, place, numbers);

        if (count == 0)
            field_text(profile, field, place, text);
        fprintf(file, "%s = %s", field->key, text);
        for (uint32_t k = 0; k < count; k++)
            fprintf(file, "%s%" PRIu64, k > 0 ? " " : "", numbers[k]);
        if (source)
            fprintf(file, " # [%s] %s", source->mark, source->text);
        fputc('\n', file);
    }
}

void drive_file_report(const spn_drive_profile *profile, cJSON *object)
{
    for (size_t i = 0; i < DRIVE_FIELD_COUNT; i++) {
        const struct drive_field *field = &drive_fields[i];
        const uint8_t *place = (const uint8_t *)profile + field->offset;
        char text[VALUE_BYTES_MAX];
        uint64_t numbers[3];
        uint32_t count = field_numbers(field, place, numbers);

        if (count == 0) {
            field_text(profile, field, place, text);
            report_text(object, field->key, text);
        } else if (count == 1) {
            report_number(object, field->key, (double)numbers[0]);
        } else {
            cJSON *array = report_array(object, field->key);

            for (uint32_t k = 0; k < count; k++)
                report_add_number(array, (double)numbers[k]);
        }
    }
}

void drive_file_report_sources(const spn_drive_profile *profile, cJSON *object)
{
    for (size_t i = 0; i < DRIVE_FIELD_COUNT; i++) {
        const struct drive_source *source =
            source_of(profile, &drive_fields[i]);
        cJSON *item;

        if (!source)
            continue;
        item = report_object(object, drive_fields[i].key);
        report_text(item, "mark", source->mark);
        report_text(item, "source", source->text);
    }
}
