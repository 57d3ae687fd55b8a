/* fault_spec.h - parse a fault of an emulated drive from the command line.
 *
 * Output: a fault for the drive emulator (spindle/emulator.h), and the name of
 * the file in which it lies.
 *
 *   unreadable,offset=65536:sail.sgc
 *   bad-sectors,bytes=1000000,retries=3,times=2:sail.sgc
 *   tray-open,at=2,for=1.5
 *
 * A fault is a kind, then `,key=value` for each parameter, then `:` and the
 * name of a file. Each key may occur at most once.
 *
 *   at, for    start and length in seconds (defaults: 0, for ever)
 *   failing    tray-open: reads fail at once instead of waiting; no value
 *
 * Only for bad-sectors and unreadable:
 *
 *   :NAME      the file, by its name or by the end of its name after a `/`
 *   offset     in the file; without a name, on the disc
 *   bytes      length of the range (default 1; without offset the whole file)
 *   retries    further attempts until a bad block is read (default 1)
 *   times      reads after which the fault is gone (default: never)
 *   copy       of a file that a pak has several times (default: the first)
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_DRIVES_FAULT_SPEC_H
#define OFFLINE_DRIVES_FAULT_SPEC_H

#include "common/verb_options.h"
#include "pack/pak_reader.h"

#include <spindle/emulator.h>
#include <stdbool.h>
#include <stdint.h>

#define FAULT_SPEC_WHY_BYTES 192u
#define FAULT_SPEC_HELP                                                        \
    "bad-sectors or unreadable,offset=BYTE:NAME; tray-open, disc-swapped or "  \
    "stall,at=S,for=S; may be repeated"

/* Two parts of the text of --help; the verb puts the event from which `at`
 * counts between them. */
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
    const char *text;         /* as given on the command line */
    const char *name;         /* of the file, in `text`; NULL: none */
    spn_emulator_fault fault; /* of drive 0; its file is not set */
    uint32_t copy;            /* from 0 */
};

/* Parse `text`, which must outlive `out`. Returns false when it is wrong: `why`
 * says what, and in which column (a byte, from 1). */
bool fault_spec_parse(const char *text, struct fault_spec *out,
                      char why[FAULT_SPEC_WHY_BYTES]);

/* Parse all values of the option --fault. Returns false when one is wrong, with
 * a usage error of `verb`. */
bool fault_spec_read_all(const char *verb, const struct option_texts *texts,
                         struct fault_spec out[OPTION_TEXTS_MAX]);

/* Find the name in `names` that equals the fault's, or the only one that ends
 * with it after a `/`, `\` or `:`. Returns NULL after a refusal that lists the
 * names. */
const char *fault_spec_choose(const struct fault_spec *spec,
                              const char *const *names, uint32_t count,
                              struct diag *diag);

/* Warn of faults that begin after the run has ended at `end_us`. */
void fault_spec_warn_late(const struct fault_spec *specs, uint32_t count,
                          uint64_t end_us, struct diag *diag);

/* Returns false, after a refusal, when the fault's range is not within a file
 * of `file_bytes`. */
bool fault_spec_validate(const struct fault_spec *spec, uint64_t file_bytes,
                         struct diag *diag);

/* Convert the fault's range of the entry `name` to a range of the pak file. Of
 * a compressed entry this is the range of whole blocks. Returns false after a
 * refusal: no such entry, copy or range. */
bool fault_spec_in_pak(const struct fault_spec *spec, const char *name,
                       const struct pak_reader *pak, spn_emulator_fault *out,
                       struct diag *diag);

#endif
