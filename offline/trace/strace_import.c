/* strace_import.c - calls become reads.
 *
 * One pass over the lines: a call whose end stands on a later line waits with
 * its thread. strace_reads.h makes the trace of what is found.
 */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_import.h"

#include "common/text_place.h"
#include "trace/strace_files.h"
#include "trace/strace_found.h"
#include "trace/strace_line.h"
#include "trace/strace_reads.h"

#include <string.h>

#define DAY_US UINT64_C(86400000000)
#define TRACEES_FIRST 64u
/* 2^64 / the golden ratio: spreads numbers that follow each other. */
#define PID_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* A thread, as strace numbers it. */
struct tracee {
    bool is_used; /* else an empty place of the table */
    uint64_t pid;
    const char *pending; /* the beginning of a call; NULL: none */
    size_t pending_bytes;
    uint64_t pending_us;
    struct strace_reader reader;
};

struct importing {
    const char *file;
    struct strace_report *report;
    struct diag *diag;
    struct arena arena; /* until the end */
    struct arena line;  /* until that of the line */
    struct strace_files files;
    struct tracee *tracees; /* a table, by pid, at most half full */
    uint32_t tracee_count;
    uint32_t tracee_capacity; /* a power of two, or 0 */
    struct strace_found found;
    uint64_t line_us; /* of the line before: times of day begin anew */
    uint64_t day_us;
};

static bool refuse(const struct importing *im, size_t column, const char *what)
{
    const struct text_place place = {im->report->line_count, column + 1};

    return text_place_refuse(im->diag, im->file, place, NULL, "%s", what);
}

/* The thread's place in the table, or the empty one that it would have. */
static struct tracee *tracee_place(const struct importing *im, uint64_t pid)
{
    uint32_t mask = im->tracee_capacity - 1;
    uint32_t at = (uint32_t)(pid * PID_FACTOR >> 32) & mask;

    while (im->tracees[at].is_used && im->tracees[at].pid != pid)
        at = (at + 1) & mask;
    return &im->tracees[at];
}

static void grow_tracees(struct importing *im)
{
    const struct tracee *old = im->tracees;
    uint32_t count = im->tracee_capacity;

    im->tracee_capacity = count ? 2 * count : TRACEES_FIRST;
    im->tracees = ARENA_NEW(&im->arena, struct tracee, im->tracee_capacity);
    for (uint32_t i = 0; i < count; i++)
        if (old[i].is_used)
            *tracee_place(im, old[i].pid) = old[i];
}

/* Valid until the next one is looked for. */
static struct tracee *find_tracee(struct importing *im, uint64_t pid)
{
    struct tracee *tracee;

    if (im->tracee_count >= im->tracee_capacity / 2)
        grow_tracees(im);
    tracee = tracee_place(im, pid);
    if (!tracee->is_used) {
        *tracee = (struct tracee){
            .is_used = true, .pid = pid, .reader.thread = UINT32_MAX};
        im->tracee_count++;
    }
    return tracee;
}

/* -- calls -- */

enum call_kind {
    CALL_OPEN,    /* of a path; returns a number */
    CALL_OPEN_AT, /* of a path behind a folder's number */
    CALL_READ,    /* from where the last one ended */
    CALL_PREAD,   /* from an offset */
    CALL_SEND,    /* from one "[4096]"; where the last one ended: NULL */
    CALL_SEEK,
    CALL_CLOSE,
    CALL_COPY, /* returns another number */
    CALL_MAP,
    CALL_FOLDER, /* of a path */
    CALL_FOLDER_AT,
    CALL_IO_URING
};

struct call_name {
    const char *name;
    enum call_kind kind;
    /* the arguments */
    uint32_t file; /* its number, or its path */
    uint32_t offset;
};

static const struct call_name names[] = {
    {"open", CALL_OPEN, 0, 0},
    {"creat", CALL_OPEN, 0, 0},
    {"openat", CALL_OPEN_AT, 1, 0},
    {"openat2", CALL_OPEN_AT, 1, 0},
    {"read", CALL_READ, 0, 0},
    {"readv", CALL_READ, 0, 0},
    {"pread", CALL_PREAD, 0, 3},
    {"pread64", CALL_PREAD, 0, 3},
    {"preadv", CALL_PREAD, 0, 3},
    {"preadv2", CALL_PREAD, 0, 3},
    {"sendfile", CALL_SEND, 1, 2},
    {"sendfile64", CALL_SEND, 1, 2},
    {"copy_file_range", CALL_SEND, 0, 1},
    {"splice", CALL_SEND, 0, 1},
    {"lseek", CALL_SEEK, 0, 0},
    {"_llseek", CALL_SEEK, 0, 0},
    {"close", CALL_CLOSE, 0, 0},
    {"dup", CALL_COPY, 0, 0},
    {"dup2", CALL_COPY, 0, 0},
    {"dup3", CALL_COPY, 0, 0},
    {"mmap", CALL_MAP, 4, 5},
    {"mmap2", CALL_MAP, 4, 5},
    {"chdir", CALL_FOLDER, 0, 0},
    {"fchdir", CALL_FOLDER_AT, 0, 0},
    {"io_uring_setup", CALL_IO_URING, 0, 0},
};

/* By what stands before the bracket; NULL: a call of no interest. */
static const struct call_name *find_name(const char *text, size_t bytes)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i].name);

        if (length < bytes && text[length] == '(' &&
            memcmp(text, names[i].name, length) == 0)
            return &names[i];
    }
    return NULL;
}

/* A call that was made and returned. */
struct made_call {
    const struct call_name *name;
    struct strace_call call;
    struct strace_read read; /* its times */
    int64_t result;
    int64_t number; /* of the file, in the first argument */
};

static bool argument_number(const struct made_call *made, uint32_t index,
                            int64_t *out)
{
    return index < made->call.argument_count &&
           strace_word_number(made->call.arguments[index], out);
}

/* "[4096]", also "[0] => [4096]": the first one. */
static bool bracketed_number(struct strace_word word, int64_t *out)
{
    if (word.bytes == 0 || word.text[0] != '[')
        return false;
    word.text++;
    word.bytes--;
    return strace_word_number(word, out);
}

static struct strace_file *file_of(struct importing *im,
                                   const struct made_call *made, uint32_t index)
{
    struct strace_word word = made->call.arguments[index];
    int64_t number;

    if (index >= made->call.argument_count ||
        !strace_word_number(word, &number))
        return NULL;
    return strace_files_find(&im->files, number,
                             strace_word_path(word, &im->line));
}

/* What the call's text names, from the folder that it begins in. NULL: it names
 * nothing. */
static const char *path_of(struct importing *im, const struct made_call *made)
{
    static const char here[] = "AT_FDCWD";
    const char *folder = im->files.folder;
    const struct strace_word *word = &made->call.arguments[0];
    const struct strace_file *file;
    const char *text;

    if (made->name->file >= made->call.argument_count)
        return NULL;
    text = strace_word_text(made->call.arguments[made->name->file], &im->line);
    if (!text)
        return NULL;
    if (made->name->kind == CALL_OPEN_AT &&
        (word->bytes < sizeof here - 1 ||
         memcmp(word->text, here, sizeof here - 1) != 0)) {
        file = file_of(im, made, 0);
        folder = file ? file->path : NULL;
    }
    return strace_path_from(folder, text, &im->line);
}

static void make_open(struct importing *im, const struct made_call *made)
{
    const char *path = strace_word_path(made->call.result, &im->line);

    if (!path)
        path = path_of(im, made);
    if (path)
        strace_files_open(&im->files, made->result, path);
}

static void make_folder(struct importing *im, const struct made_call *made)
{
    const struct strace_file *file;
    const char *path;

    if (made->name->kind == CALL_FOLDER) {
        path = path_of(im, made);
    } else {
        file = file_of(im, made, 0);
        path = file ? file->path : NULL;
    }
    strace_files_enter(&im->files, path);
}

static void make_seek(struct importing *im, const struct made_call *made)
{
    struct strace_file *file = file_of(im, made, 0);
    int64_t offset = made->result;

    if (!file)
        return;
    /* _llseek(3, 0, [4096], SEEK_SET) = 0: [4096] is where it is then. */
    if (strace_word_is(made->call.name, "_llseek")) {
        if (made->call.argument_count < 3 ||
            !bracketed_number(made->call.arguments[2], &offset))
            return;
    }
    file->offset = (uint64_t)offset;
}

static bool add_read(struct importing *im, struct tracee *tracee,
                     struct strace_file *file, const struct made_call *made)
{
    const char *wrong =
        strace_found_add(&im->found, &tracee->reader, file, made->read);

    return !wrong || refuse(im, 0, wrong);
}

/* Where a read begins, if the call tells: else where the file stands. */
static bool told_offset(const struct made_call *made, bool *is_told,
                        int64_t *offset)
{
    uint32_t index = made->name->offset;

    *is_told = made->name->kind != CALL_READ;
    if (!*is_told)
        return true;
    if (made->name->kind == CALL_PREAD)
        return argument_number(made, index, offset) && *offset >= 0;
    if (index >= made->call.argument_count)
        return false;
    *is_told = !strace_word_is(made->call.arguments[index], "NULL");
    return !*is_told ||
           (bracketed_number(made->call.arguments[index], offset) &&
            *offset >= 0);
}

static bool make_read(struct importing *im, struct tracee *tracee,
                      struct made_call *made)
{
    struct strace_file *file = file_of(im, made, made->name->file);
    int64_t offset = 0;
    bool is_told;

    if (made->result == 0)
        return true;
    if (!file) {
        im->report->unknown_count++;
        return true;
    }
    if (!told_offset(made, &is_told, &offset))
        return refuse(im, 0, "no offset of the read");
    made->read.bytes = (uint64_t)made->result;
    made->read.offset = is_told ? (uint64_t)offset : file->offset;
    if (!is_told)
        file->offset += made->read.bytes;
    return add_read(im, tracee, file, made);
}

/* Of a file, not of memory alone: all that is mapped counts as read. */
static bool make_map(struct importing *im, struct tracee *tracee,
                     struct made_call *made)
{
    struct strace_file *file = file_of(im, made, made->name->file);
    int64_t bytes;
    int64_t offset;

    if (!file || !argument_number(made, 1, &bytes) || bytes <= 0 ||
        !argument_number(made, made->name->offset, &offset) || offset < 0)
        return true;
    made->read.bytes = (uint64_t)bytes;
    made->read.offset = (uint64_t)offset;
    return add_read(im, tracee, file, made);
}

static bool make(struct importing *im, struct tracee *tracee,
                 struct made_call *made)
{
    switch (made->name->kind) {
    case CALL_OPEN:
    case CALL_OPEN_AT:
        make_open(im, made);
        return true;
    case CALL_READ:
    case CALL_PREAD:
    case CALL_SEND:
        return make_read(im, tracee, made);
    case CALL_SEEK:
        make_seek(im, made);
        return true;
    case CALL_CLOSE:
        if (argument_number(made, 0, &made->number))
            strace_files_close(&im->files, made->number);
        return true;
    case CALL_COPY:
        if (argument_number(made, 0, &made->number))
            strace_files_copy(&im->files, made->number, made->result);
        return true;
    case CALL_MAP:
        return make_map(im, tracee, made);
    case CALL_FOLDER:
    case CALL_FOLDER_AT:
        make_folder(im, made);
        return true;
    case CALL_IO_URING:
        if (im->report->io_uring_line == 0)
            im->report->io_uring_line = im->report->line_count;
        return true;
    }
    return true;
}

/* `column`: where the text begins in its line. */
static bool take_call(struct importing *im, struct tracee *tracee,
                      const char *text, size_t bytes, uint64_t begin_us,
                      uint64_t end_us, size_t column)
{
    struct made_call made = {.name = find_name(text, bytes)};
    struct strace_wrong wrong;

    if (!made.name)
        return true;
    if (!strace_call_split(text, bytes, &made.call, &wrong))
        return refuse(im, column + wrong.at, wrong.what);
    /* "?": the process ended. "-1 ENOENT": nothing was done. */
    if (!strace_word_number(made.call.result, &made.result) || made.result < 0)
        return true;
    if (made.call.has_duration)
        end_us = begin_us + made.call.duration_us;
    made.read.begin_us = begin_us;
    made.read.end_us = end_us;
    return make(im, tracee, &made);
}

/* -- lines -- */

/* Times of a day go on behind midnight. */
static uint64_t time_of(struct importing *im, const struct strace_line *line)
{
    uint64_t us = line->at_us;

    if (!line->is_time_of_day)
        return us;
    if (us + DAY_US / 2 < im->line_us)
        im->day_us += DAY_US;
    im->line_us = us;
    return im->day_us + us;
}

static bool take_resumed(struct importing *im, struct tracee *tracee,
                         const struct strace_line *line, uint64_t end_us,
                         size_t column)
{
    size_t bytes = tracee->pending_bytes;
    char *text;

    /* The recording began within it. */
    if (!tracee->pending)
        return true;
    text = ARENA_NEW(&im->line, char, bytes + line->bytes);
    memcpy(text, tracee->pending, bytes);
    memcpy(text + bytes, line->text, line->bytes);
    tracee->pending = NULL;
    return take_call(im, tracee, text, bytes + line->bytes, tracee->pending_us,
                     end_us, column);
}

/* A file that is being closed has lost its number already: another thread may
 * get it before the call has returned. */
static void take_unfinished(struct importing *im, struct tracee *tracee,
                            const struct strace_line *line, uint64_t at_us)
{
    static const char close[] = "close(";
    const size_t skipped = sizeof close - 1;
    int64_t number;

    tracee->pending = line->text;
    tracee->pending_bytes = line->bytes;
    tracee->pending_us = at_us;
    if (line->bytes <= skipped || memcmp(line->text, close, skipped) != 0)
        return;
    tracee->pending = NULL;
    if (strace_word_number(
            (struct strace_word){line->text + skipped, line->bytes - skipped},
            &number))
        strace_files_close(&im->files, number);
}

static bool take_line(struct importing *im, const char *text, size_t bytes)
{
    struct strace_wrong wrong;
    struct strace_line line;
    struct tracee *tracee;
    uint64_t at_us;

    im->report->line_count++;
    if (!strace_line_split(text, bytes, &line, &wrong))
        return refuse(im, wrong.at, wrong.what);
    if (line.kind == STRACE_NOTE)
        return true;
    tracee = find_tracee(im, line.pid);
    at_us = time_of(im, &line);
    if (line.kind == STRACE_RESUMED)
        return take_resumed(im, tracee, &line, at_us,
                            (size_t)(line.text - text));
    if (line.kind == STRACE_CALL)
        return take_call(im, tracee, line.text, line.bytes, at_us, at_us,
                         (size_t)(line.text - text));
    take_unfinished(im, tracee, &line, at_us);
    return true;
}

/* What follows the last end of a line was being written when strace ended. */
static bool take_lines(struct importing *im, const char *text, size_t bytes)
{
    const char *limit = text + bytes;
    const char *end;

    while ((end = memchr(text, '\n', (size_t)(limit - text))) != NULL) {
        size_t length = (size_t)(end - text);

        if (length > 0 && text[length - 1] == '\r')
            length--;
        if (!take_line(im, text, length))
            return false;
        arena_reset(&im->line);
        text = end + 1;
    }
    return true;
}

bool strace_import(const char *file, const char *text, size_t bytes,
                   const struct strace_options *options, struct arena *arena,
                   struct read_trace *out, struct strace_report *report,
                   struct diag *diag)
{
    struct importing im = {.file = file, .report = report, .diag = diag};
    bool is_good;

    *report = (struct strace_report){.line_count = 0};
    arena_init(&im.arena);
    arena_init(&im.line);
    strace_files_init(&im.files, &im.arena);
    strace_found_init(&im.found, options, report, &im.arena);
    is_good = take_lines(&im, text, bytes);
    if (is_good && report->thread_count > READ_TRACE_THREADS_MAX)
        is_good = refuse(&im, 0, "more than 65536 threads");
    if (is_good)
        strace_reads_trace(&(struct strace_reads){im.found.reads,
                                                  im.found.count,
                                                  report->thread_count},
                           options, arena, out);
    arena_free(&im.line);
    arena_free(&im.arena);
    return is_good;
}
