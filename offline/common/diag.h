/* diag.h - what the tool says on stderr, and the exit code that follows.
 *
 * One `struct diag` per run, passed to whatever can refuse its input. The
 * first refusal is printed as one line and kept; what follows from it is
 * silent. A function that refuses returns false (or NULL) right after its
 * diag_refuse call, and its callers pass that on without a word of their own.
 *
 *   spindle: sail.abc: offset 0x1f40: sail/sailShape.P: 3041 points, not 3040
 *   spindle: warning: sail.abc: /sail/curves: dropped, not a polygon mesh
 *
 * A line has room for what is wrong however long the names are: those of the
 * file and of the place lose their middle where they are longer than that.
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
#define DIAG_NAME_BYTES 320u  /* of which a file or a place has this much */

#define DIAG_NO_FRAME UINT32_MAX

/* A refusal in parts, for machines, without \xNN. Names lose their middle and
 * texts their end where they are longer; "" where there is none. */
struct diag_refusal {
    char file[1024];
    char place[1024];
    char what[DIAG_TEXT_BYTES + 4]; /* what is cut here is cut in a line */
    uint64_t offset;                /* or DIAG_NO_OFFSET */
    struct spn_fault fault; /* without its file; status SPN_OK: there is none */
    uint32_t frame;         /* of the fault, or DIAG_NO_FRAME */
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

/* Is the character at `at` one that a terminal obeys: below U+0020, U+007F to
 * U+009F, a control of the writing direction, a separator of lines? At a NUL:
 * true. */
bool diag_is_control(const char *at);

/* A name from a file for a message: control characters (those of the writing
 * direction are such, too) as \xNN, and where that is
 * longer than `capacity` - 1 bytes its beginning and its end around "...".
 * UTF-8 is cut between characters. `capacity` is at least 8. */
void diag_name(const char *name, char *text, size_t capacity);

/* Refuse an input. `place` is an object path, a property, an option; NULL
 * when there is none. `offset` is bytes into the file, or DIAG_NO_OFFSET.
 * Always returns false, so that callers can write `return diag_refuse(...)`. */
__attribute__((format(printf, 5, 6))) bool diag_refuse(struct diag *diag,
                                                       const char *file,
                                                       uint64_t offset,
                                                       const char *place,
                                                       const char *format, ...);

/* The machine failed: could not open, read, write. Appends errno's text when
 * `error_number` is not 0. Exit code EXIT_IO_FAILED. Always false. */
__attribute__((format(printf, 4, 5))) bool diag_io(struct diag *diag,
                                                   const char *file,
                                                   int error_number,
                                                   const char *format, ...);

/* Refuse for a fault that `text` describes, of a frame or DIAG_NO_FRAME.
 * Always false. */
bool diag_fault(struct diag *diag, enum exit_code code, const char *file,
                uint64_t offset, const char *place, uint32_t frame,
                const struct spn_fault *fault, const char *text);

/* Refuse with what `other` has refused. Always false. */
bool diag_repeat(struct diag *diag, const struct diag *other);

__attribute__((format(printf, 4, 5))) void diag_warn(struct diag *diag,
                                                     const char *file,
                                                     const char *place,
                                                     const char *format, ...);

/* Advice, "hint: ...", on a line of its own behind what it is about. Not
 * printed where warnings are not, and not counted. */
__attribute__((format(printf, 2, 3))) void diag_hint(struct diag *diag,
                                                     const char *format, ...);

bool diag_has_failed(struct diag *diag);

/* An analyzer that sees one file at a time is told what these return. */
#ifdef __clang_analyzer__
#define diag_refuse(...) ((void)diag_refuse(__VA_ARGS__), false)
#define diag_io(...) ((void)diag_io(__VA_ARGS__), false)
#define diag_fault(...) ((void)diag_fault(__VA_ARGS__), false)
#endif

#endif
