/* pack_rule.h - which files of a pak are compressed by what.
 *
 *   PATTERN=CODEC   "*.json=zstd", "video/?*=none"
 *
 * A pattern is for whole names as the pak has them: * stands for any number of
 * bytes, also '/', ? for one of them.
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
    uint32_t codec; /* SPN_CODEC_STORE ...: one that can be made */
};

/* The codec of a word: "none", or one that can be made. */
bool pack_codec_named(const char *word, uint32_t *codec);

/* `text` stays where it is while the rule lives. */
bool pack_rule_parse(const char *text, struct pack_rule *out);

/* The first rule for a name, or NULL. */
const struct pack_rule *pack_rule_find(const struct pack_rule *rules,
                                       uint32_t count, const char *name);

#endif
