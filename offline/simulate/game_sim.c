/* game_sim.c - the loop: requests in, updates of the runtime, time on.
 *
 * Time advances only when the runtime has nothing left to do at this moment: to
 * the time when the drive ends an access, or to the game's next request. When
 * the run is over and counted, nothing new is requested, and all waiting reads
 * must still end: this finds a read that the runtime has lost.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_sim.h"

#include "common/fault_text.h"
#include "simulate/game_reads.h"

#include <stdlib.h>

/* Limit of rounds at one moment; far more than ever needed. */
#define STANDSTILL 100000u
/* Limit of accesses after the run: one for each DRAIN_BYTES of waiting reads,
 * and DRAIN_PIECES more. Beyond that a read never ends. */
#define DRAIN_BYTES 2048u
#define DRAIN_PIECES 64u

static bool is_over(const struct game_run *r)
{
    return r->error || r->damage.what || diag_has_failed(r->diag);
}

/* FIFO gives the runtime one read at a time: it has no choice of order. Reads
 * of clips are the runtime's own; it has one of these beside. */
static bool may_start(const struct game_run *r)
{
    return r->queue_count > 0 &&
           (r->sim->order != GAME_ORDER_FIFO || r->started == 0);
}

static void start_queue(struct game_run *r)
{
    while (may_start(r) && game_reads_start(r, r->queue[r->queue_first])) {
        r->queue_first = (r->queue_first + 1) % r->read_count;
        r->queue_count--;
    }
}

static void enqueue(struct game_run *r, const struct load_request *request)
{
    struct game_read *read = game_reads_add(r, request);

    r->queue[(r->queue_first + r->queue_count++) % r->read_count] = read->id;
}

/* -- unwanted reads -- */

static void drop_queued(struct game_run *r)
{
    uint32_t count = r->queue_count;

    r->queue_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = r->queue[(r->queue_first + i) % r->read_count];

        if (load_is_wanted(r->load, &r->reads[id]->request)) {
            r->queue[(r->queue_first + r->queue_count++) % r->read_count] = id;
        } else {
            r->out->dropped++;
            game_reads_drop(r, id);
        }
    }
}

static void drop_unwanted(struct game_run *r)
{
    for (uint32_t i = 0; i < r->read_count; i++)
        if (r->reads[i]->is_started &&
            !load_is_wanted(r->load, &r->reads[i]->request))
            (void)spn_read_abort(r->machine.rt, r->reads[i]->handle);
    drop_queued(r);
}

/* -- time -- */

static void take_requests(struct game_run *r)
{
    struct load_request request;

    if (r->is_draining)
        return;
    if (load_advance(r->load, game_now_us(r)))
        drop_unwanted(r);
    while (load_take(r->load, &request))
        enqueue(r, &request);
}

/* Do everything that is due at this moment. Completions come first, then the
 * requests that follow from them, then the other requests of this moment. */
static void do_all_due(struct game_run *r)
{
    uint64_t before;
    uint32_t rounds = 0;

    if (r->clips && !r->is_draining)
        (void)game_clips_advance(r->clips, game_now_us(r));
    do {
        before = r->steps;
        spn_update(r->machine.rt);
        if (r->heap)
            sim_heap_settle(r->heap);
        take_requests(r);
        start_queue(r);
        if (++rounds > STANDSTILL)
            game_fail(r, "time stands still", game_now_us(r));
    } while (r->steps != before && !is_over(r));
    if (r->clips && !r->is_draining && !is_over(r))
        game_clips_show(r->clips, game_now_us(r));
}

static uint64_t next_us(const struct game_run *r)
{
    uint64_t next = load_due_us(r->load);
    uint64_t due = game_machine_due_us(&r->machine);

    if (r->clips && game_clips_due_us(r->clips) < next)
        next = game_clips_due_us(r->clips);
    if (next <= game_now_us(r))
        next = game_now_us(r) + 1;
    return due < next ? due : next;
}

/* Has a fault stopped the drive for ever? Then pieces wait, and none is due. */
static bool has_stopped(const struct game_run *r)
{
    return r->sim->fault_count > 0 && r->at_device > 0 &&
           game_machine_due_us(&r->machine) == UINT64_MAX;
}

static void run_loop(struct game_run *r)
{
    uint64_t limit_us = r->sim->limit_us;

    while (!is_over(r)) {
        uint64_t next;

        do_all_due(r);
        next = next_us(r);
        if (next == UINT64_MAX && game_reads_depth(r) > 0) {
            if (!has_stopped(r))
                game_fail(r, "reads that never end", game_reads_depth(r));
            next = limit_us;
        }
        if (next == UINT64_MAX || game_now_us(r) >= limit_us)
            return;
        game_machine_advance(&r->machine, next < limit_us ? next : limit_us);
        if (r->heap)
            sim_heap_advance(r->heap, game_now_us(r));
    }
}

/* -- the run -- */

const char *const game_order_names[GAME_ORDERS] = {"deadline", "key", "fifo"};

static bool start_machine(struct game_run *r)
{
    const struct game_sim *sim = r->sim;
    struct game_machine_config config = {.drive = sim->drive,
                                         .believed = sim->believed,
                                         .order = SPN_ORDER_SORT_KEY,
                                         .is_fifo =
                                             sim->order == GAME_ORDER_FIFO,
                                         .piece_bytes = sim->piece_bytes,
                                         .heap_mib = sim->heap_mib,
                                         .faults = sim->faults,
                                         .fault_count = sim->fault_count,
                                         .listener = &r->listener,
                                         .clips = r->clips};

    config.paks = load_paks(r->load, &config.pak_count);
    if (sim->order == GAME_ORDER_DEADLINE)
        config.order = SPN_ORDER_DEADLINE;
    return game_machine_start(&r->machine, &config);
}

static bool start(struct game_run *r)
{
    uint32_t count;
    const struct load_burst *bursts = load_bursts(r->load, &count);
    const struct load_visit *visits;

    for (uint32_t i = 0; i < count; i++)
        sim_record_burst(r->out, &(struct sim_group){.scene = bursts[i].scene,
                                                     .at_us = bursts[i].at_us,
                                                     .reads = bursts[i].reads});
    visits = load_visits(r->load, &count);
    for (uint32_t i = 0; i < count; i++)
        sim_record_visit(r->out, &(struct sim_group){.scene = visits[i].scene,
                                                     .first = visits[i].first,
                                                     .limit = visits[i].limit,
                                                     .reads = visits[i].reads});
    spn__forecast_init(&r->forecast, r->sim->drive);
    spn__forecast_place(&r->forecast, 0, &r->head);
    game_reads_init(r);
    if (r->sim->clips)
        r->clips = game_clips_create(r->sim->clips,
                                     r->sim->order == GAME_ORDER_FIFO
                                         ? SPN_OVERLOAD_IGNORE
                                         : SPN_OVERLOAD_DEGRADE,
                                     r->out, r->diag);
    if (!start_machine(r)) {
        if (!diag_has_failed(r->diag))
            game_fail(r, "the runtime does not start", 0);
        return false;
    }
    r->has_begun = true;
    if (!r->clips)
        r->heap = sim_heap_create(r->machine.rt);
    return !r->sim->trace ||
           run_record_begin(r->sim->trace, r->machine.rt, r->diag);
}

/* Record the reads that still wait. `is_never`: the drive has stopped for
 * ever. */
static void count_waiting(struct game_run *r, bool is_never)
{
    /* Mark free records by a size of 0. */
    for (uint32_t i = 0; i < r->free_count; i++)
        r->reads[r->free_ids[i]]->request.bytes = 0;
    for (uint32_t i = 0; i < r->read_count; i++) {
        const struct load_request *request = &r->reads[i]->request;

        if (request->bytes == 0)
            continue;
        r->out->waiting++;
        tally_waits(&r->out->tally, request->class, request->arrival_us,
                    request->deadline_us, game_now_us(r));
        if (game_now_us(r) > request->deadline_us)
            game_reads_mark_late(r, r->reads[i], SIM_LATE_WAITING);
        else if (is_never && request->deadline_us != UINT64_MAX)
            game_reads_mark_late(r, r->reads[i], SIM_LATE_UNANSWERED);
        if (is_never && game_now_us(r) <= request->deadline_us)
            tally_miss(&r->out->tally, request->class, request->arrival_us,
                       request->deadline_us, game_now_us(r));
    }
}

static uint64_t pieces_max(const struct game_run *r)
{
    uint64_t pieces = DRAIN_PIECES;

    for (uint32_t i = 0; i < r->read_count; i++)
        pieces += r->reads[i]->request.bytes / DRAIN_BYTES + DRAIN_PIECES;
    return r->pieces_ended + pieces;
}

/* Nothing new is requested, so every waiting read must end, unless the drive
 * has stopped for ever. Faults of a limited length end meanwhile. */
static void drain(struct game_run *r)
{
    uint64_t pieces = pieces_max(r);

    while (!is_over(r) && game_reads_depth(r) > 0 && !has_stopped(r)) {
        uint64_t due;

        do_all_due(r);
        due = game_machine_due_us(&r->machine);
        if (game_reads_depth(r) > 0 && r->at_device == 0)
            game_fail(r, "reads that were lost", game_reads_depth(r));
        if (r->pieces_ended > pieces)
            game_fail(r, "reads that go to the drive for ever",
                      game_reads_depth(r));
        if (due != UINT64_MAX)
            game_machine_advance(&r->machine, due);
    }
}

static uint64_t heap_peak(const spn_runtime *rt)
{
    spn_heap_stats stats = {0};

    spn_heap_get_stats(rt, &stats);
    return stats.used_bytes_peak;
}

static void finish(struct game_run *r)
{
    struct game_machine *machine = &r->machine;
    bool is_never = machine->rt && game_machine_due_us(machine) == UINT64_MAX;

    r->out->time_us = game_now_us(r);
    r->out->mount_us = machine->mount_us;
    count_waiting(r, is_never);
    if (is_never)
        r->out->unanswered = r->out->waiting;
    if (machine->rt) {
        game_machine_get_drive(machine, &r->out->drive);
        spn_io_get_stats(machine->rt, &r->out->io);
        (void)spn_io_get_medium_stats(machine->rt, SPN_MEDIUM_OPTICAL,
                                      &r->out->medium);
    }
    if (r->heap)
        sim_heap_finish(r->heap, &r->out->arena, &r->out->heap);
    else if (r->has_begun)
        r->out->heap.used_bytes_peak = heap_peak(machine->rt);
    if (r->clips && r->has_begun)
        game_clips_finish(r->clips);
    if (r->sim->trace && r->has_begun)
        run_record_end(r->sim->trace, r->machine.rt);
    r->is_draining = true;
    if (machine->rt)
        drain(r);
    if (r->error)
        game_machine_abandon(machine);
    else
        game_machine_finish(machine);
    if (r->started != 0)
        game_fail(r, "reads that never completed", r->started);
    if (r->heap)
        sim_heap_destroy(r->heap);
    game_reads_free(r);
}

/* Report an error of the runtime or of a pak. Returns whether there was none.
 */
static bool report_error(struct game_run *r)
{
    const spn_fault none = {0};

    if (r->error)
        diag_fault(r->diag, EXIT_INTERNAL, game_order_names[r->sim->order],
                   r->error_value, NULL, DIAG_NO_FRAME, &none, r->error);
    else if (r->damage.what)
        fault_refuse(r->diag, r->damaged, FAULT_NO_FRAME, &r->damage);
    return !is_over(r);
}

bool game_sim_run(const struct game_sim *sim, struct load *load,
                  struct sim_record *out, struct diag *diag)
{
    struct game_run *r = arena_require(calloc(1, sizeof *r));
    bool is_good;

    sim_record_init(out);
    r->sim = sim;
    r->load = load;
    r->out = out;
    r->diag = diag;
    if (start(r))
        run_loop(r);
    finish(r);
    is_good = report_error(r);
    free(r);
    return is_good;
}
