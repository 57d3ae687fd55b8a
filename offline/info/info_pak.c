/* info_pak.c - prints what a pak contains, as text or JSON. */
/* SPDX-License-Identifier: MIT */
#include "info/info.h"

#include "common/report.h"
#include "pack/pak_list.h"
#include "pack/pak_reader.h"

#include <stdio.h>

struct pak_facts {
    uint64_t bytes;
    uint64_t stored_bytes; /* each content once */
    uint64_t copy_bytes;   /* stored, of the copies beyond the first */
    uint32_t copied;       /* contents with several copies */
    uint32_t copies;       /* of them, beyond the first */
    uint32_t by_codec[PAK_DECODER_CODECS];
};

static void gather(const struct pak_index *index, struct pak_facts *facts)
{
    *facts = (struct pak_facts){0};
    for (uint32_t i = 0; i < index->header.content_count; i++) {
        struct pak_content c = spn__pak_content(index, i);

        facts->bytes += c.bytes;
        facts->stored_bytes += c.stored_bytes;
        if (c.copy_count > 1) {
            facts->copied++;
            facts->copies += c.copy_count - 1;
            facts->copy_bytes += c.stored_bytes * (c.copy_count - 1);
        }
        if (c.codec < PAK_DECODER_CODECS)
            facts->by_codec[c.codec]++;
    }
}

static void print_text(const char *path, const struct pak_index *index,
                       const struct pak_facts *facts, bool has_list)
{
    const struct pak_header *h = &index->header;
    char text[2][16];

    printf("%s: pak, version %u, %s\n", path, PAK_VERSION,
           report_bytes((double)h->file_bytes, text[0]));
    printf("  files             %u\n", h->entry_count);
    printf("  contents          %u, %s, stored in %s\n", h->content_count,
           report_bytes((double)facts->bytes, text[0]),
           report_bytes((double)facts->stored_bytes, text[1]));
    for (uint32_t i = 0; i < PAK_DECODER_CODECS; i++)
        if (facts->by_codec[i] > 0)
            printf("  codec %-11s %u contents\n", pak_codec_name(i),
                   facts->by_codec[i]);
    printf("  places            %u, of them %s in %u copies of %u contents\n",
           h->copy_count, report_bytes((double)facts->copy_bytes, text[0]),
           facts->copies, facts->copied);
    printf("  blocks            %u\n", h->block_count);
    printf("  index             %s\n",
           report_bytes((double)h->index_bytes, text[0]));
    if (has_list)
        pak_list_print(index, stdout);
}

static void print_json(const char *path, const struct pak_index *index,
                       const struct pak_facts *facts, struct diag *diag)
{
    const struct pak_header *h = &index->header;
    cJSON *json = report_begin("info");

    report_text(json, "file", path);
    report_text(json, "kind", "pak");
    report_number(json, "version", PAK_VERSION);
    report_number(json, "file_bytes", (double)h->file_bytes);
    report_number(json, "index_bytes", h->index_bytes);
    report_number(json, "files", h->entry_count);
    report_number(json, "contents", h->content_count);
    report_number(json, "places", h->copy_count);
    report_number(json, "blocks", h->block_count);
    report_number(json, "bytes", (double)facts->bytes);
    report_number(json, "stored_bytes", (double)facts->stored_bytes);
    report_number(json, "copy_stored_bytes", (double)facts->copy_bytes);
    pak_list_json(index, json);
    report_end(json, diag);
}

bool info_pak(const char *path, const struct info_options *options,
              struct diag *diag)
{
    struct pak_reader reader;
    struct pak_facts facts;

    if (!pak_reader_open(&reader, path, diag))
        return false;
    gather(&reader.index, &facts);
    if (options->is_json)
        print_json(path, &reader.index, &facts, diag);
    else
        print_text(path, &reader.index, &facts, options->is_tree);
    pak_reader_close(&reader);
    return !diag_has_failed(diag);
}
