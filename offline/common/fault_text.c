/* fault_text.c - describe faults.
 *
 * Checksums, and numbers too large for a count, are hexadecimal, others
 * decimal.
 */
/* SPDX-License-Identifier: MIT */
#include "common/fault_text.h"

#include "base/endian.h"
#include "cache/cache_header.h"
#include "pak/pak_index.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef fault_refuse
#undef fault_refuse_status
#undef fault_refuse_with

#define NUMBER_BYTES 24
#define PLACE_BYTES 64
#define TEXT_BYTES 400
#define COUNT_MAX ((uint64_t)1 << 53)

static const char *number(const struct spn_fault *fault, uint64_t value,
                          char out[NUMBER_BYTES])
{
    if (fault->status == SPN_ERR_CHECKSUM)
        snprintf(out, NUMBER_BYTES, "0x%08" PRIx64, value);
    else
        snprintf(out, NUMBER_BYTES,
                 value > COUNT_MAX ? "0x%" PRIx64 : "%" PRIu64, value);
    return out;
}

/* A wrong signature may be that of another known kind of file. */
static const char *meaning(const struct spn_fault *fault)
{
    static const struct {
        uint8_t begins[8];
        uint32_t length;
        const char *text;
    } kinds[] = {
        {PAK_SIGNATURE, 8, "this is a pak: its files are FILE.spk:NAME"},
        {CACHE_SIGNATURE, 8, "this is a cache, not a pak"},
        {"Ogawa", 5, "this is an archive: spindle compile makes a cache of it"},
    };
    uint8_t found[8];

    if (fault->status == SPN_ERR_FORMAT && fault->what &&
        strcmp(fault->what, "signature") == 0) {
        spn_store_u64le(found, fault->value);
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (memcmp(found, kinds[i].begins, kinds[i].length) == 0)
                return kinds[i].text;
    }
    return spn_status_text(fault->status);
}

void fault_text(const struct spn_fault *fault, char *out, size_t bytes)
{
    char value[NUMBER_BYTES];
    char expected[NUMBER_BYTES];

    snprintf(
        out, bytes, "%s: found %s%s%s (%s)", fault->what ? fault->what : "data",
        number(fault, fault->value, value),
        fault->has_expected ? ", expected " : "",
        fault->has_expected ? number(fault, fault->expected, expected) : "",
        meaning(fault));
}

static bool is_of_the_device(const struct spn_fault *fault)
{
    return fault->status == SPN_ERR_IO || fault->status == SPN_ERR_NOT_FOUND ||
           fault->status == SPN_ERR_PLATFORM;
}

static bool is_of_the_file(const struct spn_fault *fault)
{
    return fault->status != SPN_ERR_MEMORY &&
           fault->status != SPN_ERR_TABLE_FULL;
}

bool fault_refuse(struct diag *diag, const char *file, uint32_t frame,
                  const struct spn_fault *fault)
{
    return fault_refuse_with(diag, file, frame, fault, "");
}

bool fault_refuse_status(struct diag *diag, const char *file, spn_status status,
                         const struct spn_fault *fault)
{
    if (fault && fault->what)
        return fault_refuse(diag, file, FAULT_NO_FRAME, fault);
    return diag_refuse(diag, file, DIAG_NO_OFFSET, NULL, "%s (%s)",
                       spn_status_text(status), spn_status_name(status));
}

bool fault_refuse_with(struct diag *diag, const char *file, uint32_t frame,
                       const struct spn_fault *fault, const char *more)
{
    bool has_frame = frame != FAULT_NO_FRAME;
    bool is_device = is_of_the_device(fault);
    /* The offset of a device failure is known only together with a frame. */
    uint64_t offset = is_of_the_file(fault) && (has_frame || !is_device)
                          ? fault->offset
                          : DIAG_NO_OFFSET;
    char description[TEXT_BYTES];
    char text[2 * TEXT_BYTES];
    char place[PLACE_BYTES];

    fault_text(fault, description, sizeof description);
    snprintf(text, sizeof text, "%s%s",
             is_device ? spn_status_text(fault->status) : description, more);
    snprintf(place, sizeof place, "frame %" PRIu32, frame);
    return diag_fault(diag, is_device ? EXIT_IO_FAILED : EXIT_INPUT_REFUSED,
                      file, offset, has_frame ? place : NULL, frame, fault,
                      text);
}

void fault_warn(struct diag *diag, const char *file, uint32_t frame,
                const struct spn_fault *fault, const char *format, ...)
{
    char place[PLACE_BYTES];
    char text[TEXT_BYTES];
    char more[TEXT_BYTES];
    va_list arguments;

    snprintf(place, sizeof place,
             frame == FAULT_NO_FRAME ? "offset 0x%" PRIx64
                                     : "offset 0x%" PRIx64 ": frame %" PRIu32,
             fault->offset, frame);
    fault_text(fault, text, sizeof text);
    va_start(arguments, format);
    vsnprintf(more, sizeof more, format, arguments);
    va_end(arguments);
    diag_warn(diag, file, place, "%s%s", text, more);
}
