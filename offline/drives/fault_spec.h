/* fault_spec.h - what goes wrong with a drive, and where, as words of a line.
 *
 *   unreadable,offset=65536:sail.sgc
 *   bad-sectors,bytes=1000000,retries=3,times=2:sail.sgc
 *   tray-open,at=2,for=1.5
 *
 * A kind, then `,key=value`, each at most once, then `:` and a name. Kinds are
 * those of spindle/emulator.h. `at` and `for` are seconds: from when on (0),
 * for how long (for ever). Of bad-sectors and unreadable alone: the name of a
 * file, `offset` in it or, without a name, on the disc, `bytes` (1; without an
 * offset all of the file), `retries` of a block (1), `times` that they fail
 * (always), `copy` of a file in a pak (the first). A name may be the end of one
 * that is there, from a `/` on. Of tray-open alone:
 * `failing`, without a value: reads fail, where they would wait.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_FAULT_SPEC_H
#define OFFLINE_DRIVES_FAULT_SPEC_H

#include "common/verb_options.h"
#include "pack/pak_reader.h"

#include <spindle/emulator.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FAULT_SPEC_WHY_BYTES 192u
#define FAULT_SPEC_HELP                                                        \
    "bad-sectors or unreadable,offset=BYTE:NAME; tray-open, disc-swapped or "  \
    "stall,at=S,for=S; may be repeated"

/* Text of --help: between the two stands the event from which `at` counts. */
#define FAULT_SPEC_BEGIN                                                       \
    "A fault is a kind with parameters. at: its start, in seconds from "
#define FAULT_SPEC_NOTES                                                       \
    ".\nfor: its length in seconds.\n"                                         \
    "For bad-sectors and unreadable: offset; bytes (default 1; without an\n"   \
    "offset the whole file); retries (1), the further attempts after which\n"  \
    "a bad sector is read; times, the number of reads after which the fault\n" \
    "is gone; copy, of a file that a pak has several times; then a colon\n"    \
    "and the file's name, or the end of it. Without a name, offset is a\n"     \
    "position on the disc. For tray-open: failing; reads end with an error\n"  \
    "instead of waiting.\n"                                                    \
    "\n"

struct fault_spec {
    const char *text;         /* the whole of it, as it was given */
    const char *name;         /* of a file, in `text`; NULL: none */
    spn_emulator_fault fault; /* of drive 0, without its file */
    uint32_t copy;            /* 0: the first */
};

/* False: `why` says what is wrong with it, and in which column (a byte, from
 * 1). */
bool fault_spec_parse(const char *text, struct fault_spec *out,
                      char why[FAULT_SPEC_WHY_BYTES]);

/* Those of an option --fault, as many as it was given. False: one is refused,
 * as bad usage of `verb`. */
bool fault_spec_read_all(const char *verb, const struct option_texts *texts,
                         struct fault_spec out[OPTION_TEXTS_MAX]);

/* Which of `names` it means: the one that is its name, or the only one that
 * ends with it, behind a `/`, `\` or `:`. NULL after a refusal that lists them.
 */
const char *fault_spec_choose(const struct fault_spec *spec,
                              const char *const *names, uint32_t count,
                              struct diag *diag);

/* Warn of those that begin when all is over. */
void fault_spec_warn_late(const struct fault_spec *specs, uint32_t count,
                          uint64_t end_us, struct diag *diag);

/* The range of a file of so many bytes. False after a refusal: it does not lie
 * in there. */
bool fault_spec_judge(const struct fault_spec *spec, uint64_t file_bytes,
                      struct diag *diag);

/* The fault's range of entry `name` becomes one of the pak's file: of stored
 * bytes these, of compressed ones their blocks. False after a refusal: there is
 * no such entry, copy or range. */
bool fault_spec_in_pak(const struct fault_spec *spec, const char *name,
                       const struct pak_reader *pak, spn_emulator_fault *out,
                       struct diag *diag);

#endif
