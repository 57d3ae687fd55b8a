/* bench_overload.c - late reads of a recorded trace under C-LOOK.
 *
 *   bench_overload TRACE.json PAK.spk DRIVE
 *
 * Prints the share of late reads in per cent. Reads start at their times, open
 * loop, and have the deadlines of their classes. The drive model reads each of
 * them whole. overload.sh compares the figure with that of the runtime's
 * deadline scheduler (spindle simulate). Virtual time: the same figures on
 * every machine. Without arguments it measures nothing.
 */
/* SPDX-License-Identifier: MIT */
#include "common/arena.h"
#include "pack/pak_reader.h"
#include "pack/read_trace.h"
#include "pak/pak_range.h"
#include "simulate/load.h"
#include "support/open_loop.h"

#include <stdio.h>
#include <stdlib.h>

/* The bytes that the drive must read for the request. Of several copies, the
 * nearest to the end of the read before. */
static struct open_read read_of(const struct load_request *request,
                                uint64_t head, const struct forecast *forecast)
{
    struct pak_range range;

    if (spn__pak_range(&request->pak->reader->index, request->content,
                       request->offset, request->bytes, UINT64_MAX,
                       &range) != SPN_OK)
        abort();
    return (struct open_read){.at_us = request->arrival_us,
                              .position =
                                  load_position(request, head, forecast),
                              .bytes = range.stored_bytes,
                              .class = request->class};
}

static uint32_t take_reads(struct load *load, const spn_drive_profile *drive,
                           struct open_read *reads)
{
    struct load_request request;
    struct forecast forecast;
    uint32_t count = 0;
    uint64_t head = 0;

    spn__forecast_init(&forecast, drive);
    while (load_due_us(load) != UINT64_MAX) {
        load_advance(load, load_due_us(load));
        while (load_take(load, &request)) {
            reads[count] = read_of(&request, head, &forecast);
            head = reads[count].position + reads[count].bytes;
            count++;
        }
    }
    return count;
}

static bool measure(char *const *arguments, struct arena *arena,
                    struct diag *diag)
{
    const spn_drive_profile *drive = spn_drive_profile_find(arguments[2]);
    struct pak_reader pak;
    struct load_pak place = {.reader = &pak};
    struct read_trace trace;
    struct load_source source = {.trace = &trace,
                                 .trace_path = arguments[0],
                                 .paks = &place,
                                 .pak_count = 1,
                                 .is_open_loop = true,
                                 .has_default_deadlines = true};
    struct open_read *reads;
    struct open_result result;
    struct load *load;
    uint32_t count;

    if (!drive || !read_trace_load(arguments[0], arena, &trace, diag) ||
        !pak_reader_open(&pak, arguments[1], diag))
        return false;
    load = load_trace(&source, drive, diag);
    if (load) {
        reads = ARENA_NEW(arena, struct open_read, trace.read_count);
        count = take_reads(load, drive, reads);
        result = open_loop_run(drive, REFERENCE_C_LOOK, reads, count);
        printf("%.2f\n", 100.0 * result.late / count);
        load_destroy(load);
    }
    pak_reader_close(&pak);
    return load != NULL;
}

int main(int argc, char **argv)
{
    struct arena arena;
    struct diag diag;
    bool is_good;

    if (argc == 1)
        return 0;
    if (argc != 4) {
        fputs("usage: bench_overload TRACE.json PAK.spk DRIVE\n", stderr);
        return 2;
    }
    arena_init(&arena);
    diag_init(&diag);
    is_good = measure(argv + 1, &arena, &diag);
    diag_finish(&diag);
    arena_free(&arena);
    return is_good ? 0 : 1;
}
