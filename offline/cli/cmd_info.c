/* cmd_info.c - the verb `info`: print what a file contains. */
/* SPDX-License-Identifier: MIT */
#include "cache/cache_header.h"
#include "cli/animation_file.h"
#include "cli/verbs.h"
#include "host/host.h"
#include "info/info.h"
#include "pack/pak_reader.h"

#include <stddef.h>
#include <string.h>

#define AT(member) offsetof(struct info_options, member)
static const struct option options[] = {
    OPTION_FLAG("tree", 't', AT(is_tree),
                "print the hierarchy (of an archive: before and after "
                "flattening), or the files of a pak in disc order"),
    OPTION_JSON(AT(is_json), "print everything as one JSON object"),
};

bool info_is_cache(const char *path, struct diag *diag)
{
    struct host_map map;
    bool is_cache;

    if (!host_map_open(&map, path, diag))
        return false;
    is_cache = map.bytes >= strlen(CACHE_SIGNATURE) &&
               memcmp(map.data, CACHE_SIGNATURE, strlen(CACHE_SIGNATURE)) == 0;
    host_map_close(&map);
    return is_cache;
}

static bool run_info(const struct verb_call *call)
{
    const struct info_options *values = call->values;
    const char *input = call->operands[0];
    struct diag *diag = call->diag;

    if (!animation_file_refuse(input, "info", diag))
        return true;
    if (info_is_cache(input, diag))
        info_cache(input, values, diag);
    else if (!diag_has_failed(diag) && pak_reader_is_pak(input, diag))
        info_pak(input, values, diag);
    else if (!diag_has_failed(diag))
        info_archive(input, values, diag);
    return true;
}

const struct verb verb_info = {
    .name = "info",
    .operands = "FILE",
    .summary = "describe an archive, a cache or a pak",
    .examples = "  spindle info sail.abc\n"
                "  spindle info sail.sgc --tree\n"
                "  spindle info sail.sgc --json | jq .frame_bytes_mean\n"
                "  spindle info data.spk --tree\n",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .operand_min = 1,
    .operand_max = 1,
    .values_bytes = sizeof(struct info_options),
    .run = run_info,
};
