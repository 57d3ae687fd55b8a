/* diag.h - errors and warnings of the tool on stderr, and its exit code.
 *
 * Every run of a verb has one `struct diag`; functions that may refuse their
 * input take a pointer to it. A refusal is an error that ends the run. The
 * first refusal is printed as one line and kept; later ones are not printed.
 * After diag_refuse a function returns false or NULL, and its callers return
 * the same without a message of their own.
 *
 *   spindle: sail.abc: offset 0x1f40: sail/sailShape.P: 3041 points, not 3040
 *   spindle: warning: sail.abc: /sail/curves: dropped, not a polygon mesh
 *
 * Long names of a file or a place are shortened in the middle, so that a line
 * always has room for the message itself.
 *
 * Threads: every function may be called from any thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMMON_DIAG_H
#define OFFLINE_COMMON_DIAG_H

#include <pthread.h>
#include <spindle/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit codes of the tool. */
enum exit_code {
    EXIT_DONE = 0,
    EXIT_INPUT_REFUSED = 1,
    EXIT_BAD_USAGE = 2,
    EXIT_IO_FAILED = 3,
    EXIT_INTERNAL = 70
};

#define DIAG_NO_OFFSET UINT64_MAX
#define DIAG_TEXT_BYTES 1536u /* the longest line, with its end */
#define DIAG_NAME_BYTES 320u  /* at most of a file or a place in it */

#define DIAG_NO_FRAME UINT32_MAX

/* The parts of a refusal, for JSON; control characters are not escaped. Names
 * that are too long are shortened in the middle, texts at the end. "": none. */
struct diag_refusal {
    char file[1024];
    char place[1024];
    char what[DIAG_TEXT_BYTES + 4]; /* the message; as long as a line allows */
    uint64_t offset;                /* or DIAG_NO_OFFSET */
    struct spn_fault fault;         /* status SPN_OK: none */
    uint32_t frame;                 /* of the fault, or DIAG_NO_FRAME */
};

struct diag {
    pthread_mutex_t lock;
    bool is_quiet;  /* warnings are counted, not printed */
    bool is_silent; /* nothing is printed at all: tests, fuzzers */
    uint32_t warning_count;
    enum exit_code code;        /* EXIT_DONE until the first refusal */
    char text[DIAG_TEXT_BYTES]; /* the first refusal, without "spindle: " */
    struct diag_refusal refusal;
};

void diag_init(struct diag *diag);
void diag_finish(struct diag *diag);

/* Is the UTF-8 character at `at` a control character for a terminal: below
 * U+0020, U+007F to U+009F, a control of the writing direction, or a line
 * separator? True for a zero byte. */
bool diag_is_control(const char *at);

/* Make a name from a file printable. Control characters (diag_is_control)
 * become \xNN. A result of more than `capacity` - 1 bytes is shortened: its
 * beginning, "...", and its end, cut between UTF-8 characters. `capacity` must
 * be at least 8. */
void diag_name(const char *name, char *text, size_t capacity);

/* Refuse an input. `place` is an object path, a property, an option; NULL
 * when there is none. `offset` is bytes into the file, or DIAG_NO_OFFSET.
 * Always returns false, so that callers can write `return diag_refuse(...)`. */
__attribute__((format(printf, 5, 6))) bool diag_refuse(struct diag *diag,
                                                       const char *file,
                                                       uint64_t offset,
                                                       const char *place,
                                                       const char *format, ...);

/* Refuse because the system failed to open, read or write. Appends the text of
 * the errno value `error_number` unless it is 0. Exit code EXIT_IO_FAILED.
 * Always returns false. */
__attribute__((format(printf, 4, 5))) bool diag_io(struct diag *diag,
                                                   const char *file,
                                                   int error_number,
                                                   const char *format, ...);

/* Refuse for a fault of the runtime's checks, described by `text`, in a frame
 * or DIAG_NO_FRAME. Always returns false. */
bool diag_fault(struct diag *diag, enum exit_code code, const char *file,
                uint64_t offset, const char *place, uint32_t frame,
                const struct spn_fault *fault, const char *text);

/* Repeat the refusal of another diag. Always returns false. */
bool diag_repeat(struct diag *diag, const struct diag *other);

__attribute__((format(printf, 4, 5))) void diag_warn(struct diag *diag,
                                                     const char *file,
                                                     const char *place,
                                                     const char *format, ...);

/* Print "hint: ..." as a line after a message. Hints are not counted, and not
 * printed while warnings are not. */
__attribute__((format(printf, 2, 3))) void diag_hint(struct diag *diag,
                                                     const char *format, ...);

bool diag_has_failed(struct diag *diag);

/* Tell an analyzer that sees one file at a time what these return. */
#ifdef __clang_analyzer__
#define diag_refuse(...) ((void)diag_refuse(__VA_ARGS__), false)
#define diag_io(...) ((void)diag_io(__VA_ARGS__), false)
#define diag_fault(...) ((void)diag_fault(__VA_ARGS__), false)
#endif

#endif
