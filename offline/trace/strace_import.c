/* strace_import.c - applies the calls of a recording in the order of its lines.
 *
 * One pass over the text: calls that open, close or move files change
 * strace_files.h, calls that read go to strace_collector.h. At the end
 * strace_reads.h makes the trace.
 */
/* SPDX-License-Identifier: MIT */
#include "trace/strace_import.h"

#include "common/text_place.h"
#include "trace/strace_collector.h"
#include "trace/strace_files.h"
#include "trace/strace_line.h"
#include "trace/strace_reads.h"
#include "trace/strace_threads.h"

#include <string.h>

#define DAY_US UINT64_C(86400000000)

/* State of one import. */
struct import {
    const char *file; /* its name, for messages */
    struct strace_report *report;
    struct diag *diag;
    struct arena arena; /* until the end of the import */
    struct arena line;  /* until the end of the line */
    struct strace_files files;
    struct strace_threads threads;
    struct strace_collector collector;
    uint64_t line_us; /* time of day of the line before */
    uint64_t day_us;  /* added to times of day: whole days since the first */
};

static bool refuse(const struct import *im, size_t column, const char *what)
{
    const struct text_place place = {im->report->line_count, column + 1};

    return text_place_refuse(im->diag, im->file, place, NULL, "%s", what);
}

/* -- calls -- */

enum call_kind {
    CALL_OPEN,    /* opens a path; returns a file number */
    CALL_OPEN_AT, /* opens a path relative to a folder's number */
    CALL_READ,    /* reads from the file's current offset */
    CALL_PREAD,   /* reads from an offset given as a number */
    CALL_SEND,    /* reads from an offset given as "[4096]" or, with NULL, from
                   * the current one */
    CALL_SEEK,    /* sets the current offset */
    CALL_CLOSE,
    CALL_DUP,    /* returns another number of the same file */
    CALL_MAP,    /* maps a file */
    CALL_CHDIR,  /* changes the folder to a path */
    CALL_FCHDIR, /* changes the folder to that of a number */
    CALL_IO_URING
};

struct call_name {
    const char *name;
    enum call_kind kind;
    uint32_t file;   /* which argument is the file's number or path */
    uint32_t offset; /* which argument is the offset */
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
    {"dup", CALL_DUP, 0, 0},
    {"dup2", CALL_DUP, 0, 0},
    {"dup3", CALL_DUP, 0, 0},
    {"mmap", CALL_MAP, 4, 5},
    {"mmap2", CALL_MAP, 4, 5},
    {"chdir", CALL_CHDIR, 0, 0},
    {"fchdir", CALL_FCHDIR, 0, 0},
    {"io_uring_setup", CALL_IO_URING, 0, 0},
};

/* Find the call by the name before the bracket; NULL: it is ignored. */
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

/* A call that has returned. */
struct call_event {
    const struct call_name *name;
    struct strace_call call;
    struct strace_read read; /* its times */
    int64_t result;
    int64_t number; /* of the file, in the first argument */
};

static bool argument_number(const struct call_event *event, uint32_t index,
                            int64_t *out)
{
    return index < event->call.argument_count &&
           strace_token_number(event->call.arguments[index], out);
}

/* Read the number of "[4096]"; of "[0] => [4096]" the first. */
static bool bracketed_number(struct strace_token token, int64_t *out)
{
    if (token.bytes == 0 || token.text[0] != '[')
        return false;
    token.text++;
    token.bytes--;
    return strace_token_number(token, out);
}

static struct strace_file *file_of(struct import *im,
                                   const struct call_event *event,
                                   uint32_t index)
{
    struct strace_token token = event->call.arguments[index];
    int64_t number;

    if (index >= event->call.argument_count ||
        !strace_token_number(token, &number))
        return NULL;
    return strace_files_find(&im->files, number,
                             strace_token_path(token, &im->line));
}

/* The path that the call names, with the folder that it is relative to. NULL:
 * it names none. */
static const char *path_of(struct import *im, const struct call_event *event)
{
    static const char here[] = "AT_FDCWD";
    const char *folder = im->files.folder;
    const struct strace_token *token = &event->call.arguments[0];
    const struct strace_file *file;
    const char *text;

    if (event->name->file >= event->call.argument_count)
        return NULL;
    text =
        strace_token_text(event->call.arguments[event->name->file], &im->line);
    if (!text)
        return NULL;
    if (event->name->kind == CALL_OPEN_AT &&
        (token->bytes < sizeof here - 1 ||
         memcmp(token->text, here, sizeof here - 1) != 0)) {
        file = file_of(im, event, 0);
        folder = file ? file->path : NULL;
    }
    return strace_path_from(folder, text, &im->line);
}

static void handle_open(struct import *im, const struct call_event *event)
{
    const char *path = strace_token_path(event->call.result, &im->line);

    if (!path)
        path = path_of(im, event);
    if (path)
        strace_files_open(&im->files, event->result, path);
}

static void handle_chdir(struct import *im, const struct call_event *event)
{
    const struct strace_file *file;
    const char *path;

    if (event->name->kind == CALL_CHDIR) {
        path = path_of(im, event);
    } else {
        file = file_of(im, event, 0);
        path = file ? file->path : NULL;
    }
    strace_files_chdir(&im->files, path);
}

static void handle_seek(struct import *im, const struct call_event *event)
{
    struct strace_file *file = file_of(im, event, 0);
    int64_t offset = event->result;

    if (!file)
        return;
    /* _llseek(3, 0, [4096], SEEK_SET) = 0 returns the new offset in [4096]. */
    if (strace_token_is(event->call.name, "_llseek")) {
        if (event->call.argument_count < 3 ||
            !bracketed_number(event->call.arguments[2], &offset))
            return;
    }
    file->offset = (uint64_t)offset;
}

static bool add_read(struct import *im, struct strace_thread *thread,
                     struct strace_file *file, const struct call_event *event)
{
    const char *wrong = strace_collector_add(&im->collector, &thread->reader,
                                             file, event->read);

    return !wrong || refuse(im, 0, wrong);
}

/* Read the offset from the call. *is_stated is false where the call reads from
 * the file's current offset. Returns false where the argument is unusable. */
static bool stated_offset(const struct call_event *event, bool *is_stated,
                          int64_t *offset)
{
    uint32_t index = event->name->offset;

    *is_stated = event->name->kind != CALL_READ;
    if (!*is_stated)
        return true;
    if (event->name->kind == CALL_PREAD)
        return argument_number(event, index, offset) && *offset >= 0;
    if (index >= event->call.argument_count)
        return false;
    *is_stated = !strace_token_is(event->call.arguments[index], "NULL");
    return !*is_stated ||
           (bracketed_number(event->call.arguments[index], offset) &&
            *offset >= 0);
}

static bool handle_read(struct import *im, struct strace_thread *thread,
                        struct call_event *event)
{
    struct strace_file *file = file_of(im, event, event->name->file);
    int64_t offset = 0;
    bool is_stated;

    if (event->result == 0)
        return true;
    if (!file) {
        im->report->unknown_count++;
        return true;
    }
    if (!stated_offset(event, &is_stated, &offset))
        return refuse(im, 0, "no offset of the read");
    event->read.bytes = (uint64_t)event->result;
    event->read.offset = is_stated ? (uint64_t)offset : file->offset;
    if (!is_stated)
        file->offset += event->read.bytes;
    return add_read(im, thread, file, event);
}

/* All bytes of a file that are mapped count as read. Maps of memory without a
 * file are ignored. */
static bool handle_map(struct import *im, struct strace_thread *thread,
                       struct call_event *event)
{
    struct strace_file *file = file_of(im, event, event->name->file);
    int64_t bytes;
    int64_t offset;

    if (!file || !argument_number(event, 1, &bytes) || bytes <= 0 ||
        !argument_number(event, event->name->offset, &offset) || offset < 0)
        return true;
    event->read.bytes = (uint64_t)bytes;
    event->read.offset = (uint64_t)offset;
    return add_read(im, thread, file, event);
}

static bool handle_call(struct import *im, struct strace_thread *thread,
                        struct call_event *event)
{
    int64_t number;

    switch (event->name->kind) {
    case CALL_OPEN:
    case CALL_OPEN_AT:
        handle_open(im, event);
        return true;
    case CALL_READ:
    case CALL_PREAD:
    case CALL_SEND:
        return handle_read(im, thread, event);
    case CALL_SEEK:
        handle_seek(im, event);
        return true;
    case CALL_CLOSE:
        if (argument_number(event, 0, &number))
            strace_files_close(&im->files, number);
        return true;
    case CALL_DUP:
        if (argument_number(event, 0, &number))
            strace_files_dup(&im->files, number, event->result);
        return true;
    case CALL_MAP:
        return handle_map(im, thread, event);
    case CALL_CHDIR:
    case CALL_FCHDIR:
        handle_chdir(im, event);
        return true;
    case CALL_IO_URING:
        if (im->report->io_uring_line == 0)
            im->report->io_uring_line = im->report->line_count;
        return true;
    }
    return true;
}

/* Parse and apply a whole call. `column`: where its text begins in the line. */
static bool parse_call(struct import *im, struct strace_thread *thread,
                       const char *text, size_t bytes, uint64_t begin_us,
                       uint64_t end_us, size_t column)
{
    struct call_event event = {.name = find_name(text, bytes)};
    struct strace_error wrong;

    if (!event.name)
        return true;
    if (!strace_call_split(text, bytes, &event.call, &wrong))
        return refuse(im, column + wrong.at, wrong.what);
    /* "?": the process ended. "-1 ENOENT": the call failed. */
    if (!strace_token_number(event.call.result, &event.result) ||
        event.result < 0)
        return true;
    if (event.call.has_duration)
        end_us = begin_us + event.call.duration_us;
    event.read.begin_us = begin_us;
    event.read.end_us = end_us;
    return handle_call(im, thread, &event);
}

/* -- lines -- */

/* The time of a line. Times of day that fall by more than half a day belong to
 * the next day. */
static uint64_t time_of(struct import *im, const struct strace_line *line)
{
    uint64_t us = line->at_us;

    if (!line->is_time_of_day)
        return us;
    if (us + DAY_US / 2 < im->line_us)
        im->day_us += DAY_US;
    im->line_us = us;
    return im->day_us + us;
}

static bool handle_resumed(struct import *im, struct strace_thread *thread,
                           const struct strace_line *line, uint64_t end_us,
                           size_t column)
{
    size_t bytes = thread->pending_bytes;
    char *text;

    /* The recording began within this call. */
    if (!thread->pending)
        return true;
    text = ARENA_NEW(&im->line, char, bytes + line->bytes);
    memcpy(text, thread->pending, bytes);
    memcpy(text + bytes, line->text, line->bytes);
    thread->pending = NULL;
    return parse_call(im, thread, text, bytes + line->bytes, thread->pending_us,
                      end_us, column);
}

/* Keep the first part of a call. A close takes effect at once: another thread
 * may get the file's number before the close returns. */
static void handle_unfinished(struct import *im, struct strace_thread *thread,
                              const struct strace_line *line, uint64_t at_us)
{
    static const char close[] = "close(";
    const size_t skipped = sizeof close - 1;
    int64_t number;

    thread->pending = line->text;
    thread->pending_bytes = line->bytes;
    thread->pending_us = at_us;
    if (line->bytes <= skipped || memcmp(line->text, close, skipped) != 0)
        return;
    thread->pending = NULL;
    if (strace_token_number(
            (struct strace_token){line->text + skipped, line->bytes - skipped},
            &number))
        strace_files_close(&im->files, number);
}

static bool handle_line(struct import *im, const char *text, size_t bytes)
{
    struct strace_error wrong;
    struct strace_line line;
    struct strace_thread *thread;
    uint64_t at_us;

    im->report->line_count++;
    if (!strace_line_split(text, bytes, &line, &wrong))
        return refuse(im, wrong.at, wrong.what);
    if (line.kind == STRACE_NOTE)
        return true;
    thread = strace_threads_find(&im->threads, line.pid);
    at_us = time_of(im, &line);
    if (line.kind == STRACE_RESUMED)
        return handle_resumed(im, thread, &line, at_us,
                              (size_t)(line.text - text));
    if (line.kind == STRACE_CALL)
        return parse_call(im, thread, line.text, line.bytes, at_us, at_us,
                          (size_t)(line.text - text));
    handle_unfinished(im, thread, &line, at_us);
    return true;
}

/* Text behind the last line feed is ignored: strace ended while writing it. */
static bool handle_lines(struct import *im, const char *text, size_t bytes)
{
    const char *limit = text + bytes;
    const char *end;

    while ((end = memchr(text, '\n', (size_t)(limit - text))) != NULL) {
        size_t length = (size_t)(end - text);

        if (length > 0 && text[length - 1] == '\r')
            length--;
        if (!handle_line(im, text, length))
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
    struct import im = {.file = file, .report = report, .diag = diag};
    bool is_good;

    *report = (struct strace_report){.line_count = 0};
    arena_init(&im.arena);
    arena_init(&im.line);
    im.threads.arena = &im.arena;
    strace_files_init(&im.files, &im.arena);
    strace_collector_init(&im.collector, options, report, &im.arena);
    is_good = handle_lines(&im, text, bytes);
    if (is_good && report->thread_count > READ_TRACE_THREADS_MAX)
        is_good = refuse(&im, 0, "more than 65536 threads");
    if (is_good)
        strace_reads_trace(&(struct strace_reads){im.collector.reads,
                                                  im.collector.count,
                                                  report->thread_count},
                           options, arena, out);
    arena_free(&im.line);
    arena_free(&im.arena);
    return is_good;
}
