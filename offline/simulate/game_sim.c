/* game_sim.c - the loop: requests in, steps, completions out, time on.
 *
 * Time moves only when the runtime has nothing left to do now: to when the
 * drive is done, or to when the game asks next. Every read has a record here
 * that says whether it is under way, so a second completion is found out. When
 * the run is over and counted, nothing more is asked for, and all that waits
 * must still end: so a read that was lost is found out, too.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_sim.h"

#include "common/fault_text.h"
#include "disc/drive.h"
#include "disc/drive_math.h"
#include "simulate/game_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READS_FIRST 256u
/* Steps without time moving: far more than any moment has. */
#define STANDSTILL 100000u
/* After the run a read goes to the drive once for each so many bytes, and so
 * often more, at most: then it never ends. */
#define DRAIN_BYTES 2048u
#define DRAIN_TRIPS 64u

struct game_read {
    struct load_request request;
    spn_read handle;
    uint32_t id;
    uint8_t *buffer;       /* from when its turn has come */
    uint32_t block;        /* of the heap that is drawn */
    bool is_given;         /* to the runtime, and not completed */
    bool is_placed;        /* a piece of it has gone to the device */
    uint64_t position;     /* on the disc, of the first piece */
    uint64_t asked;        /* bytes of the piece at the device */
    uint64_t stored_bytes; /* of all pieces that came */
    struct run *run;
};

struct run {
    const struct game_sim *sim;
    struct load *load;
    struct sim_record *out;
    struct diag *diag;
    struct forecast forecast;
    struct forecast_place head;
    struct game_machine machine;
    spn_listener listener;
    struct sim_heap *heap;
    struct game_read **reads; /* records stay where they are */
    uint32_t read_count;
    uint32_t *free_ids;
    uint32_t free_count;
    uint32_t *queue; /* ids that wait for a slot of the runtime, a ring */
    uint32_t queue_first;
    uint32_t queue_count;
    uint32_t given;
    uint64_t steps; /* whatever happened */
    /* what the device is asked for in one go, by one read or several */
    uint64_t go_begin_us;
    uint64_t go_us; /* of those that have been told of */
    uint64_t go_bytes;
    uint64_t go_end; /* of what they have brought, on the disc */
    uint32_t go_reads;
    uint32_t go_ended;
    uint32_t at_device; /* pieces, whosever they are */
    uint64_t trips;     /* pieces that came back */
    bool is_counted;    /* the run is over: what ends now is not in it */
    const char *wrong;  /* what the runtime must not do */
    uint64_t wrong_at;
    spn_fault damage; /* that it found in a pak, */
    const char *damaged;
};

static void *must(void *memory)
{
    if (!memory) {
        fputs("spindle: out of memory\n", stderr);
        exit(EXIT_INTERNAL);
    }
    return memory;
}

static void note_wrong(struct run *r, const char *what, uint64_t at)
{
    if (r->wrong)
        return;
    r->wrong = what;
    r->wrong_at = at;
}

static uint64_t now_us(const struct run *r)
{
    return game_machine_now_us(&r->machine);
}

static bool is_over(const struct run *r)
{
    return r->wrong || r->damage.what || diag_has_failed(r->diag);
}

/* -- records -- */

static void grow(struct run *r)
{
    uint32_t count = r->read_count ? 2 * r->read_count : READS_FIRST;
    uint32_t *queue = must(malloc(count * sizeof *queue));

    /* -fanalyzer: the run's until its end. */
    r->reads = must(realloc(r->reads, count * sizeof(struct game_read *)));
    r->free_ids = must(realloc(r->free_ids, count * sizeof *r->free_ids));
    for (uint32_t i = 0; i < r->queue_count; i++)
        /* NOLINTNEXTLINE(clang-analyzer-*): the queued are among the reads. */
        queue[i] = r->queue[(r->queue_first + i) % r->read_count];
    free(r->queue);
    r->queue = queue;
    r->queue_first = 0;
    /* -fanalyzer: the run's until its end. */
    for (; r->read_count < count; r->read_count++) {
        /* -fanalyzer: the run's until its end. */
        r->reads[r->read_count] = must(calloc(1, sizeof(struct game_read)));
        r->reads[r->read_count]->run = r;
        r->reads[r->read_count]->id = r->read_count;
        r->free_ids[r->free_count++] = r->read_count;
    }
}

static uint32_t depth(const struct run *r)
{
    return r->read_count - r->free_count;
}

static void note_depth(struct run *r)
{
    if (!r->is_counted)
        sim_record_depth(r->out, now_us(r), depth(r));
}

static void drop(struct run *r, uint32_t id)
{
    r->free_ids[r->free_count++] = id;
    note_depth(r);
}

/* -- what the runtime tells -- */

static spn_status on_storage(const spn_read_want *want, void **buffer)
{
    struct game_read *read = want->user;

    read->buffer = must(malloc((size_t)want->bytes));
    *buffer = read->buffer;
    return SPN_OK;
}

static void judge_bytes(struct run *r, const struct game_read *read,
                        const spn_read_result *result)
{
    const struct load_request *request = &read->request;

    if (result->bytes > request->bytes ||
        (result->status == SPN_OK && result->bytes != request->bytes)) {
        note_wrong(r, "a read brought the wrong number of bytes",
                   read->position);
        return;
    }
    if (!load_is_equal(r->load, request, read->buffer, result->bytes, r->diag))
        note_wrong(r, "wrong bytes of a read", read->position);
}

/* What nothing has come of yet lies where it would be read from now. */
static void mark_late(struct run *r, const struct game_read *read,
                      enum sim_late_how how)
{
    const struct load_request *request = &read->request;
    struct sim_late late = {.end_us = now_us(r),
                            .class = request->class,
                            .file = request->file,
                            .how = how};

    late.position = read->is_placed
                        ? read->position
                        : load_position(request, r->head.offset, &r->forecast);
    if (late.end_us > request->deadline_us)
        late.late_us = late.end_us - request->deadline_us;
    sim_record_late(r->out, &late);
}

static void count_end(struct run *r, const struct game_read *read)
{
    const struct load_request *request = &read->request;

    r->out->done++;
    tally_end(&r->out->tally, request->class, request->bytes,
              request->arrival_us, request->deadline_us, now_us(r));
    if (now_us(r) > request->deadline_us)
        mark_late(r, read, SIM_LATE_DONE);
}

static void count_failure(struct run *r, const struct game_read *read)
{
    const struct load_request *request = &read->request;

    r->out->failed++;
    tally_miss(&r->out->tally, request->class, request->arrival_us,
               request->deadline_us, now_us(r));
    if (request->deadline_us != UINT64_MAX)
        mark_late(r, read, SIM_LATE_FAILED);
}

static void judge_status(struct run *r, const struct game_read *read,
                         const spn_read_result *result)
{
    switch (result->status) {
    case SPN_OK:
    case SPN_ERR_IO:
    case SPN_ERR_ABORTED:
    case SPN_ERR_SHUTDOWN:
        return;
    default:
        break;
    }
    if (result->fault.what) {
        r->damage = result->fault;
        r->damaged = read->request.pak->reader->path;
    } else
        note_wrong(r, spn_status_text(result->status), read->position);
}

static void count_by_status(struct run *r, const struct game_read *read,
                            const spn_read_result *result)
{
    switch (result->status) {
    case SPN_OK:
        count_end(r, read);
        return;
    case SPN_ERR_IO:
        count_failure(r, read);
        return;
    case SPN_ERR_ABORTED:
        r->out->dropped++;
        return;
    default:
        return;
    }
}

static struct sim_burst *burst_of(const struct run *r,
                                  const struct game_read *read)
{
    uint32_t index = read->request.burst;

    return index == LOAD_NO_BURST ? NULL : &r->out->bursts[index];
}

static struct sim_visit *visit_of(const struct run *r,
                                  const struct game_read *read)
{
    uint32_t index = read->request.visit;

    return index == LOAD_NO_VISIT ? NULL : &r->out->visits[index];
}

static void count_visit(const struct run *r, const struct game_read *read,
                        spn_status status)
{
    struct sim_visit *visit = visit_of(r, read);

    if (!visit)
        return;
    if (status == SPN_OK)
        visit->ended++;
    else
        visit->failed++;
    visit->end_us = now_us(r);
}

static void count_burst(const struct run *r, const struct game_read *read,
                        spn_status status)
{
    struct sim_burst *burst = burst_of(r, read);

    if (!burst)
        return;
    if (status == SPN_OK)
        burst->ended++;
    else
        burst->failed++;
    burst->end_us = now_us(r);
}

static void count(struct run *r, const struct game_read *read,
                  const spn_read_result *result)
{
    r->out->bytes += result->bytes;
    if (result->bytes > 0)
        r->out->stored_bytes += read->stored_bytes;
    count_by_status(r, read, result);
    count_burst(r, read, result->status);
    count_visit(r, read, result->status);
    sim_heap_release(r->heap, read->block, read->request.class, now_us(r));
}

static void on_done(const spn_read_result *result)
{
    struct game_read *read = result->user;
    struct run *r = read->run;

    r->steps++;
    if (!read->is_given || read->handle != result->read) {
        note_wrong(r, "a read completed twice", read->position);
        return;
    }
    judge_bytes(r, read, result);
    judge_status(r, read, result);
    read->is_given = false;
    r->given--;
    if (r->is_counted)
        r->out->drained += result->status != SPN_ERR_SHUTDOWN;
    else
        count(r, read, result);
    load_done(r->load, &read->request, now_us(r));
    free(read->buffer);
    read->buffer = NULL;
    drop(r, read->id);
}

/* The runtime's own reads, as of a pak's index, are nobody's. */
static void on_begin(void *user, const spn_event *event)
{
    struct run *r = user;
    struct game_read *read = event->user;

    r->at_device++;
    if (!read || r->is_counted)
        return;
    if (r->go_reads == 0) {
        r->go_begin_us = now_us(r);
        r->go_us = 0;
        r->go_bytes = 0;
        r->go_end = 0;
        r->go_ended = 0;
    }
    r->go_reads++;
    r->go_bytes += event->piece_bytes;
    read->asked = event->piece_bytes;
    if (!read->is_placed)
        read->position = event->position;
    read->is_placed = true;
    if (read->block == 0)
        read->block =
            sim_heap_take(r->heap, read->request.bytes, read->request.class);
}

/* Reads of one go end in order of place: what the one before has brought, too,
 * is its own. Of a piece that failed no byte has come. */
static void count_piece(struct run *r, struct game_read *read,
                        const spn_event *event)
{
    struct sim_burst *burst = burst_of(r, read);
    uint64_t end = event->position + event->piece_bytes;
    uint64_t begin = event->position > r->go_end ? event->position : r->go_end;

    if (end <= begin)
        return;
    r->go_end = end;
    read->stored_bytes += end - begin;
    if (!burst)
        return;
    burst->stored_bytes += end - begin;
    burst->transfer_us +=
        spn__drive_transfer_us(r->sim->drive, begin, end - begin);
}

/* Of several reads in one go each gets its share of the time. */
static void on_end(void *user, const spn_event *event)
{
    struct run *r = user;
    struct game_read *read = event->user;
    struct sim_move move = {.begin_us = r->go_begin_us + r->go_us,
                            .end_us = now_us(r),
                            .begin = event->position,
                            .end = event->position + event->piece_bytes,
                            .has_failed = event->status != SPN_OK};

    spn__forecast_place(&r->forecast, move.end, &r->head);
    r->at_device--;
    r->trips++;
    if (!read)
        return;
    r->steps++;
    if (r->is_counted)
        return;
    move.class = read->request.class;
    move.file = read->request.file;
    count_piece(r, read, event);
    if (++r->go_ended < r->go_reads)
        move.end_us = move.begin_us + spn__mul_div(now_us(r) - r->go_begin_us,
                                                   read->asked, r->go_bytes);
    r->go_us = move.end_us - r->go_begin_us;
    if (r->go_ended == r->go_reads)
        r->go_reads = 0;
    sim_record_piece(r->out, &move);
}

/* -- what it is given -- */

static bool give(struct run *r, uint32_t id)
{
    struct game_read *read = r->reads[id];
    const struct load_request *request = &read->request;
    spn_read_desc desc = {.file = r->machine.file,
                          .path = request->path,
                          .offset = request->offset,
                          .bytes = request->is_to_end ? 0 : request->bytes,
                          .priority = request->priority,
                          .task = request->task,
                          .on_storage = on_storage,
                          .on_done = on_done,
                          .user = read};
    spn_status status;

    if (request->deadline_us != UINT64_MAX && !request->has_default_deadline)
        desc.deadline_us =
            game_machine_clock_us(&r->machine, request->deadline_us);
    /* 0 would be none. */
    if (request->deadline_us == 0 && desc.deadline_us == 0)
        desc.deadline_us = 1;
    read->is_given = true;
    read->is_placed = false;
    read->position = 0;
    read->stored_bytes = 0;
    read->block = 0;
    status = spn_read_start(r->machine.rt, &desc, &read->handle);
    if (status == SPN_OK) {
        r->steps++;
        r->given++;
        return true;
    }
    read->is_given = false;
    if (status != SPN_FULL)
        note_wrong(r, spn_status_text(status), request->offset);
    return false;
}

/* FIFO gives the runtime one read at a time: it has no choice of order. */
static bool may_give(const struct run *r)
{
    return r->queue_count > 0 &&
           (r->sim->order != GAME_ORDER_FIFO || r->given == 0);
}

static void give_queue(struct run *r)
{
    while (may_give(r) && give(r, r->queue[r->queue_first])) {
        r->queue_first = (r->queue_first + 1) % r->read_count;
        r->queue_count--;
    }
}

static void begin_visit(const struct run *r, const struct game_read *read)
{
    struct sim_visit *visit = visit_of(r, read);

    if (visit && visit->begun++ == 0)
        visit->begin_us = read->request.arrival_us;
}

static void ask(struct run *r, const struct load_request *request)
{
    uint32_t id;

    if (r->free_count == 0)
        grow(r);
    id = r->free_ids[--r->free_count];
    r->reads[id]->request = *request;
    r->reads[id]->is_placed = false;
    r->out->asked++;
    r->steps++;
    begin_visit(r, r->reads[id]);
    note_depth(r);
    r->queue[(r->queue_first + r->queue_count++) % r->read_count] = id;
}

/* -- what is not wanted any more -- */

static void drop_queued(struct run *r)
{
    uint32_t count = r->queue_count;

    r->queue_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = r->queue[(r->queue_first + i) % r->read_count];

        if (load_is_wanted(r->load, &r->reads[id]->request)) {
            r->queue[(r->queue_first + r->queue_count++) % r->read_count] = id;
        } else {
            r->out->dropped++;
            drop(r, id);
        }
    }
}

static void drop_unwanted(struct run *r)
{
    for (uint32_t i = 0; i < r->read_count; i++)
        if (r->reads[i]->is_given &&
            !load_is_wanted(r->load, &r->reads[i]->request))
            (void)spn_read_abort(r->machine.rt, r->reads[i]->handle);
    drop_queued(r);
}

/* -- time -- */

static void take_requests(struct run *r)
{
    struct load_request request;

    if (r->is_counted)
        return;
    if (load_advance(r->load, now_us(r)))
        drop_unwanted(r);
    while (load_take(r->load, &request))
        ask(r, &request);
}

/* All that can be done now. What has ended ends first: who asks for more
 * because of it, and who asks at the same moment anyway, come behind that. */
static void do_all(struct run *r)
{
    uint64_t before;
    uint32_t rounds = 0;

    do {
        before = r->steps;
        spn_update(r->machine.rt);
        take_requests(r);
        give_queue(r);
        if (++rounds > STANDSTILL)
            note_wrong(r, "time stands still", now_us(r));
    } while (r->steps != before && !is_over(r));
}

static uint64_t next_us(const struct run *r)
{
    uint64_t next = load_due_us(r->load);
    uint64_t due = game_machine_due_us(&r->machine);

    if (next <= now_us(r))
        next = now_us(r) + 1;
    return due < next ? due : next;
}

/* A drive that never answers what it has is told so by its faults. */
static bool has_stopped(const struct run *r)
{
    return r->sim->fault_count > 0 && r->at_device > 0 &&
           game_machine_due_us(&r->machine) == UINT64_MAX;
}

static void go_on(struct run *r)
{
    uint64_t limit_us = r->sim->limit_us;

    while (!is_over(r)) {
        uint64_t next;

        do_all(r);
        next = next_us(r);
        if (next == UINT64_MAX && depth(r) > 0) {
            if (!has_stopped(r))
                note_wrong(r, "reads that never end", depth(r));
            next = limit_us;
        }
        if (next == UINT64_MAX || now_us(r) >= limit_us)
            return;
        game_machine_advance(&r->machine, next < limit_us ? next : limit_us);
        sim_heap_advance(r->heap, now_us(r));
    }
}

/* -- from beginning to end -- */

const char *const game_order_names[GAME_ORDERS] = {"deadline", "key", "fifo"};

static bool start_machine(struct run *r)
{
    const struct game_sim *sim = r->sim;
    struct game_machine_config config = {.drive = sim->drive,
                                         .believed = sim->believed,
                                         .order = SPN_ORDER_SORT_KEY,
                                         .piece_bytes = sim->piece_bytes,
                                         .faults = sim->faults,
                                         .fault_count = sim->fault_count,
                                         .listener = &r->listener};

    config.paks = load_paks(r->load, &config.pak_count);
    if (sim->order == GAME_ORDER_DEADLINE)
        config.order = SPN_ORDER_DEADLINE;
    r->listener =
        (spn_listener){.user = r, .read_begin = on_begin, .read_end = on_end};
    return game_machine_start(&r->machine, &config);
}

static bool start(struct run *r)
{
    uint32_t count;
    const struct load_burst *bursts = load_bursts(r->load, &count);
    const struct load_visit *visits;

    for (uint32_t i = 0; i < count; i++)
        sim_record_burst(r->out, bursts[i].scene, bursts[i].at_us,
                         bursts[i].reads);
    visits = load_visits(r->load, &count);
    for (uint32_t i = 0; i < count; i++)
        sim_record_visit(r->out, &(struct sim_visit){.scene = visits[i].scene,
                                                     .first = visits[i].first,
                                                     .limit = visits[i].limit,
                                                     .reads = visits[i].reads});
    spn__forecast_init(&r->forecast, r->sim->drive);
    spn__forecast_place(&r->forecast, 0, &r->head);
    r->heap = sim_heap_create(r->sim->heap_mib);
    grow(r);
    if (start_machine(r))
        return true;
    note_wrong(r, "the runtime does not start", 0);
    return false;
}

/* `is_never`: the drive has stopped, and they wait for ever. */
static void count_waiting(struct run *r, bool is_never)
{
    /* Free records are none. */
    for (uint32_t i = 0; i < r->free_count; i++)
        r->reads[r->free_ids[i]]->request.bytes = 0;
    for (uint32_t i = 0; i < r->read_count; i++) {
        const struct load_request *request = &r->reads[i]->request;

        if (request->bytes == 0)
            continue;
        r->out->waiting++;
        tally_waits(&r->out->tally, request->class, request->arrival_us,
                    request->deadline_us, now_us(r));
        if (now_us(r) > request->deadline_us)
            mark_late(r, r->reads[i], SIM_LATE_WAITING);
        else if (is_never && request->deadline_us != UINT64_MAX)
            mark_late(r, r->reads[i], SIM_LATE_NEVER);
        if (is_never && now_us(r) <= request->deadline_us)
            tally_miss(&r->out->tally, request->class, request->arrival_us,
                       request->deadline_us, now_us(r));
    }
}

static uint64_t trips_max(const struct run *r)
{
    uint64_t trips = DRAIN_TRIPS;

    for (uint32_t i = 0; i < r->read_count; i++)
        trips += r->reads[i]->request.bytes / DRAIN_BYTES + DRAIN_TRIPS;
    return r->trips + trips;
}

/* Nothing new is asked for, so all that waits must end, but behind a drive that
 * has stopped. Faults that are to end do so meanwhile. */
static void drain(struct run *r)
{
    uint64_t trips = trips_max(r);

    while (!is_over(r) && depth(r) > 0 && !has_stopped(r)) {
        uint64_t due;

        do_all(r);
        due = game_machine_due_us(&r->machine);
        if (depth(r) > 0 && r->at_device == 0)
            note_wrong(r, "reads that were lost", depth(r));
        if (r->trips > trips)
            note_wrong(r, "reads that go to the drive for ever", depth(r));
        if (due != UINT64_MAX)
            game_machine_advance(&r->machine, due);
    }
}

static void finish(struct run *r)
{
    struct game_machine *machine = &r->machine;
    bool is_never = machine->rt && game_machine_due_us(machine) == UINT64_MAX;

    r->out->time_us = now_us(r);
    r->out->mount_us = machine->mount_us;
    count_waiting(r, is_never);
    if (is_never)
        r->out->never = r->out->waiting;
    if (machine->rt) {
        game_machine_get_drive(machine, &r->out->drive);
        spn_io_get_stats(machine->rt, &r->out->io);
        (void)spn_io_get_medium_stats(machine->rt, SPN_MEDIUM_OPTICAL,
                                      &r->out->medium);
    }
    sim_heap_finish(r->heap, &r->out->heap);
    r->is_counted = true;
    if (machine->rt)
        drain(r);
    if (r->wrong)
        game_machine_abandon(machine);
    else
        game_machine_finish(machine);
    if (r->given != 0)
        note_wrong(r, "reads that never completed", r->given);
    sim_heap_destroy(r->heap);
    for (uint32_t i = 0; i < r->read_count; i++) {
        free(r->reads[i]->buffer);
        free(r->reads[i]);
    }
    free(r->reads);
    free(r->free_ids);
    free(r->queue);
}

/* What became of it; says what did not. */
static bool judge(struct run *r)
{
    const spn_fault none = {0};

    if (r->wrong)
        diag_fault(r->diag, EXIT_INTERNAL, game_order_names[r->sim->order],
                   r->wrong_at, NULL, DIAG_NO_FRAME, &none, r->wrong);
    else if (r->damage.what)
        fault_refuse(r->diag, r->damaged, FAULT_NO_FRAME, &r->damage);
    return !is_over(r);
}

bool game_sim_run(const struct game_sim *sim, struct load *load,
                  struct sim_record *out, struct diag *diag)
{
    struct run *r = must(calloc(1, sizeof *r));
    bool is_good;

    sim_record_init(out);
    r->sim = sim;
    r->load = load;
    r->out = out;
    r->diag = diag;
    if (start(r))
        go_on(r);
    finish(r);
    is_good = judge(r);
    free(r);
    return is_good;
}
