/* pack_rule.h - rules that choose the codec of a file by its name.
 *
 *   PATTERN=CODEC   "*.json=zstd", "video/?*=none"
 *
 * A pattern matches a whole name of the pak: * matches any number of bytes,
 * including '/', and ? matches one byte.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PACK_RULE_H
#define OFFLINE_PACK_PACK_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pack_rule {
    const char *pattern; /* not ended by 0 */
    size_t bytes;
    uint32_t codec; /* SPN_CODEC_STORE ...: one that the tool can compress */
};

/* Does the pattern of so many bytes match the whole name? */
bool pack_pattern_matches(const char *pattern, size_t bytes, const char *name);

/* Find a codec by its name: "none", "lz4hc", ... Returns false when the tool
 * cannot compress by it. */
bool pack_codec_named(const char *word, uint32_t *codec);

/* Parse a rule. `text` must outlive it. Returns false when it is wrong. */
bool pack_rule_parse(const char *text, struct pack_rule *out);

/* The first rule whose pattern matches the name, or NULL. */
const struct pack_rule *pack_rule_find(const struct pack_rule *rules,
                                       uint32_t count, const char *name);

#endif
