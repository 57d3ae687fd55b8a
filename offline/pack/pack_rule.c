/* pack_rule.c - match names with patterns. */
/* SPDX-License-Identifier: MIT */
#include "pack/pack_rule.h"

#include "compress/compress.h"

#include <spindle/codec.h>
#include <string.h>

bool pack_codec_named(const char *word, uint32_t *codec)
{
    const struct compressor *compressor;

    if (strcmp(word, "none") == 0) {
        *codec = SPN_CODEC_STORE;
        return true;
    }
    compressor = compressor_named(word);
    if (!compressor || compressor->id == SPN_CODEC_STORE)
        return false;
    *codec = compressor->id;
    return true;
}

bool pack_rule_parse(const char *text, struct pack_rule *out)
{
    const char *equals = strrchr(text, '=');

    if (!equals || equals == text)
        return false;
    out->pattern = text;
    out->bytes = (size_t)(equals - text);
    return pack_codec_named(equals + 1, &out->codec);
}

/* When the rest does not match, the last * takes one more character. */
bool pack_pattern_matches(const char *pattern, size_t bytes, const char *name)
{
    const char *end = pattern + bytes;
    const char *after_star = NULL;
    const char *tried = name;

    while (*name != 0) {
        if (pattern < end && *pattern == '*') {
            after_star = ++pattern;
            tried = name;
        } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
            pattern++;
            name++;
        } else if (after_star) {
            pattern = after_star;
            name = ++tried;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

const struct pack_rule *pack_rule_find(const struct pack_rule *rules,
                                       uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (pack_pattern_matches(rules[i].pattern, rules[i].bytes, name))
            return &rules[i];
    return NULL;
}
