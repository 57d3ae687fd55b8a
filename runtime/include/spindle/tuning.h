/* tuning.h - tuning variables: values that change how the runtime streams.
 *
 * A tuning variable may be changed at any time while the runtime runs. All are
 * set by a name and a text, so that the console of an engine can offer them
 * without knowing them: spn_tuning_get lists what there is. GUIDE.md has the
 * table of all variables.
 *
 *   number  most variables: a decimal number with a unit and a range
 *   text    debug_filter: any text of up to SPN_TUNING_TEXT_BYTES_MAX - 1 bytes
 *   switch  a number from 0 to 1 without a unit: 0 off, 1 on
 *   alias   a second name: that of the console variable with the same meaning
 *           in CryENGINE, so that the settings of a game that comes from there
 *           need no translation. Under its alias a variable is set in the unit
 *           that the alias has there, e.g. e_GeomCacheMinBufferAheadTime in
 *           seconds and buffer_ahead_min_ms in milliseconds
 *
 * A variable takes effect at the next spn_update, unless its description says
 * otherwise. Nothing that has begun is undone: reads under way and frames that
 * are being decoded end.
 *
 * Ownership. Names, aliases, units and descriptions are static strings. The
 * value of a text variable belongs to the runtime and is valid until the
 * variable is set again.
 *
 * Threads. The caller's thread (spindle.h), unless a comment says otherwise.
 *
 * Errors. All functions return SPN_ERR_ARG if a pointer is NULL. Outputs are
 * written only if SPN_OK is returned.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_TUNING_H
#define SPINDLE_TUNING_H

#include <spindle/read.h>
#include <spindle/status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Longest value of a text variable, with its NUL. */
#define SPN_TUNING_TEXT_BYTES_MAX 64u

/* One tuning variable. */
typedef struct spn_tuning {
    const char *name;
    const char *alias; /* "": it has none */
    const char *unit;  /* of the numbers here: "ms", "KiB"; "": none */
    /* How many of these units are one unit of the alias: 1000 if `unit` is ms
     * and the alias takes seconds. 1 if it has no alias. */
    uint32_t alias_scale;
    const char *text; /* what it does: a phrase for a person */
    uint32_t is_text; /* 1: it has value_text, and its numbers are 0 */
    uint32_t value;   /* now */
    uint32_t initial; /* its default, or what spn_config says */
    uint32_t low;     /* its range, both included */
    uint32_t high;
    const char *value_text; /* now; "" if is_text is 0 */
} spn_tuning;

/* Set a tuning variable.
 *
 * name   of the variable, e.g. "buffer_ahead_min_ms", or its alias, e.g.
 *        "e_GeomCacheMinBufferAheadTime". Upper and lower case are the same in
 *        an alias, and different in a name
 * value  of a number, by name: decimal digits, e.g. "2000"
 *        of a number, by alias: decimal digits, and a fraction if alias_scale
 *        is not 1, e.g. "2" or "2.5". What is less than one `unit` is dropped
 *        of a text: the text
 *
 * Returns SPN_ERR_NOT_FOUND if there is no such variable; SPN_ERR_ARG if the
 * value is not a number in the range, or a text that is too long; SPN_ERR_STATE
 * if the variable is fixed by spn_config (use_anim_image). If an error is
 * returned, nothing was changed. */
spn_status spn_tuning_set(spn_runtime *rt, const char *name, const char *value);

/* Describe one tuning variable.
 *
 * index  0, 1, 2, ...; SPN_ERR_NOT_FOUND after the last one. The index of a
 *        variable is the same in all runtimes of one version */
spn_status spn_tuning_get(const spn_runtime *rt, uint32_t index,
                          spn_tuning *out);

/* Find the index of a variable by its name or alias, as spn_tuning_set does.
 * SPN_ERR_NOT_FOUND if there is none. Thread: any. */
spn_status spn_tuning_find(const char *name, uint32_t *index);

#ifdef __cplusplus
}
#endif
#endif
