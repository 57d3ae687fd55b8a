/* game_sim.c - the loop: requests in, steps, completions out, time on.
 *
 * Time moves only when the runtime has nothing left to do now: to when the
 * drive is done, or to when the game asks next. Every read has a record here
 * that says whether it is under way, so a second completion is found out.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_sim.h"

#include "common/host.h"
#include "io/drive_math.h"
#include "simulate/chance.h"
#include "simulate/sim_disc.h"

#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_ALIGN 64u
#define READS 4096u
#define READS_FIRST 256u
/* Steps without time moving: far more than any moment has. */
#define STANDSTILL 100000u

struct game_read {
    struct load_request request;
    spn_read handle;
    uint32_t id;
    uint8_t *buffer;
    uint32_t block; /* of the heap that is drawn */
    bool is_given;  /* to the runtime, and not completed */
    uint64_t asked; /* bytes of the piece at the device */
    struct run *run;
};

struct run {
    const struct game_sim *sim;
    struct load *load;
    struct sim_record *out;
    struct diag *diag;
    struct policy *policy; /* NULL: the runtime's own order */
    struct forecast forecast;
    struct forecast_place head;
    struct sim_disc disc;
    spn_platform real;
    spn_platform table;
    spn_emulator *emulator;
    void *emulator_memory;
    spn_listener listener;
    spn_config config;
    void *memory;
    spn_runtime *rt;
    spn_file file;
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
    uint32_t go_reads;
    uint32_t go_ended;
    const char *wrong;
    uint64_t wrong_at;
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

/* ---- records ----------------------------------------------------------------
 */

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
    sim_record_depth(r->out, r->disc.clock_us, depth(r));
}

static void drop(struct run *r, uint32_t id)
{
    r->free_ids[r->free_count++] = id;
    note_depth(r);
}

/* ---- what the runtime tells -------------------------------------------------
 */

static void judge_bytes(struct run *r, const struct game_read *read,
                        const spn_read_result *result)
{
    uint64_t bytes = result->bytes;

    if (result->bytes > read->request.bytes ||
        (result->status == SPN_OK && result->bytes != read->request.bytes)) {
        note_wrong(r, "a read brought the wrong number of bytes",
                   read->request.position);
        return;
    }
    if (!sim_disc_is_equal(read->request.position, read->buffer, bytes))
        note_wrong(r, "wrong bytes of a read", read->request.position);
    r->out->bytes += bytes;
}

static void count_end(struct run *r, const struct load_request *request,
                      uint64_t now_us)
{
    struct sim_late late = {.end_us = now_us,
                            .position = request->position,
                            .class = request->class};

    r->out->done++;
    tally_end(&r->out->tally, request->class, request->bytes,
              request->arrival_us, request->deadline_us, now_us);
    if (now_us <= request->deadline_us)
        return;
    late.late_us = now_us - request->deadline_us;
    sim_record_late(r->out, &late);
}

static void on_done(const spn_read_result *result)
{
    struct game_read *read = result->user;
    struct run *r = read->run;

    r->steps++;
    if (!read->is_given || read->handle != result->read) {
        note_wrong(r, "a read completed twice", read->request.position);
        return;
    }
    judge_bytes(r, read, result);
    read->is_given = false;
    r->given--;
    if (result->status == SPN_OK)
        count_end(r, &read->request, r->disc.clock_us);
    else if (result->status == SPN_ERR_IO)
        r->out->failed++;
    else if (result->status == SPN_ERR_ABORTED)
        r->out->dropped++;
    else if (result->status != SPN_ERR_SHUTDOWN)
        note_wrong(r, spn_status_text(result->status), read->request.position);
    load_done(r->load, &read->request);
    sim_heap_release(r->heap, read->block, read->request.class,
                     r->disc.clock_us);
    free(read->buffer);
    read->buffer = NULL;
    drop(r, read->id);
}

static void on_begin(void *user, const spn_event *event)
{
    struct run *r = user;
    struct game_read *read = event->user;

    if (r->go_reads == 0) {
        r->go_begin_us = event->now_us;
        r->go_us = 0;
        r->go_bytes = 0;
        r->go_ended = 0;
    }
    r->go_reads++;
    r->go_bytes += event->piece_bytes;
    read->asked = event->piece_bytes;
    if (read->block == 0)
        read->block =
            sim_heap_take(r->heap, read->request.bytes, read->request.class);
}

/* Of several reads in one go each gets its share of the time. */
static void on_end(void *user, const spn_event *event)
{
    struct run *r = user;
    const struct game_read *read = event->user;
    uint64_t all_us = event->now_us - r->go_begin_us;
    struct sim_move move = {.begin_us = r->go_begin_us + r->go_us,
                            .end_us = event->now_us,
                            .begin = event->position,
                            .end = event->position + event->piece_bytes,
                            .class = read->request.class,
                            .has_failed = event->status != SPN_OK};

    r->steps++;
    if (++r->go_ended < r->go_reads)
        move.end_us =
            move.begin_us + spn__mul_div(all_us, read->asked, r->go_bytes);
    r->go_us = move.end_us - r->go_begin_us;
    if (r->go_ended == r->go_reads)
        r->go_reads = 0;
    sim_record_piece(r->out, &move);
    spn__forecast_place(&r->forecast, move.end, &r->head);
}

/* ---- what it is given -------------------------------------------------------
 */

static bool give(struct run *r, uint32_t id)
{
    struct game_read *read = r->reads[id];
    const struct load_request *request = &read->request;
    spn_read_desc desc = {.file = r->file,
                          .offset = request->position,
                          .bytes = request->bytes,
                          .buffer_bytes = request->bytes,
                          .priority = request->priority,
                          .task = request->task,
                          .on_done = on_done,
                          .user = read};
    spn_status status;

    read->buffer = must(malloc((size_t)request->bytes));
    desc.buffer = read->buffer;
    if (request->deadline_us != UINT64_MAX)
        desc.deadline_us = request->deadline_us ? request->deadline_us : 1;
    read->is_given = true;
    read->block = 0;
    status = spn_read_start(r->rt, &desc, &read->handle);
    r->steps++;
    if (status == SPN_OK) {
        r->given++;
        return true;
    }
    read->is_given = false;
    free(read->buffer);
    read->buffer = NULL;
    if (status != SPN_FULL)
        note_wrong(r, spn_status_text(status), request->position);
    return false;
}

static void give_queue(struct run *r)
{
    while (r->queue_count > 0 && give(r, r->queue[r->queue_first])) {
        r->queue_first = (r->queue_first + 1) % r->read_count;
        r->queue_count--;
    }
}

static void give_chosen(struct run *r)
{
    uint32_t ids[SWEEP_JOIN_MAX];
    uint32_t count;

    if (r->given > 0)
        return;
    count = policy_take(r->policy, &r->head, r->disc.clock_us, ids);
    for (uint32_t i = 0; i < count; i++)
        if (!give(r, ids[i]))
            note_wrong(r, "the table of reads is full", 0);
}

static void ask(struct run *r, const struct load_request *request)
{
    struct policy_read read = {.position = request->position,
                               .bytes = request->bytes,
                               .arrival_us = request->arrival_us,
                               .deadline_us = request->deadline_us,
                               .class = request->class};
    uint32_t id;

    if (r->free_count == 0)
        grow(r);
    id = r->free_ids[--r->free_count];
    r->reads[id]->request = *request;
    r->out->asked++;
    r->steps++;
    note_depth(r);
    if (r->policy) {
        policy_add(r->policy, id, &read, r->disc.clock_us);
        return;
    }
    r->queue[(r->queue_first + r->queue_count++) % r->read_count] = id;
}

/* ---- what is not wanted any more --------------------------------------------
 */

static bool leaves(void *context, uint32_t id)
{
    struct run *r = context;

    if (load_is_wanted(r->load, &r->reads[id]->request))
        return false;
    r->out->dropped++;
    drop(r, id);
    return true;
}

static void leave_queue(struct run *r)
{
    uint32_t count = r->queue_count;

    r->queue_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = r->queue[(r->queue_first + i) % r->read_count];

        if (!leaves(r, id))
            r->queue[(r->queue_first + r->queue_count++) % r->read_count] = id;
    }
}

static void drop_unwanted(struct run *r)
{
    for (uint32_t i = 0; i < r->read_count; i++)
        if (r->reads[i]->is_given &&
            !load_is_wanted(r->load, &r->reads[i]->request))
            (void)spn_read_abort(r->rt, r->reads[i]->handle);
    if (r->policy)
        policy_take_if(r->policy, leaves, r);
    else
        leave_queue(r);
}

/* ---- time ------------------------------------------------------------------
 */

static void take_requests(struct run *r)
{
    struct load_request request;

    if (load_advance(r->load, r->disc.clock_us))
        drop_unwanted(r);
    while (load_take(r->load, &request))
        ask(r, &request);
}

/* All that can be done now. */
static void do_all(struct run *r)
{
    uint64_t before;
    uint32_t rounds = 0;

    do {
        before = r->steps;
        take_requests(r);
        if (r->policy)
            give_chosen(r);
        else
            give_queue(r);
        spn_update(r->rt);
        if (++rounds > STANDSTILL)
            note_wrong(r, "time stands still", r->disc.clock_us);
    } while (r->steps != before && !r->wrong);
}

static uint64_t next_us(const struct run *r)
{
    uint64_t next = load_due_us(r->load);
    uint64_t due = spn_emulator_due_us(r->emulator);

    if (next <= r->disc.clock_us)
        next = r->disc.clock_us + 1;
    return due < next ? due : next;
}

static void go_on(struct run *r)
{
    uint64_t limit_us = r->sim->limit_us;

    while (!r->wrong) {
        uint64_t next;

        do_all(r);
        next = next_us(r);
        if (next == UINT64_MAX && depth(r) > 0)
            note_wrong(r, "reads that never end", depth(r));
        if (next == UINT64_MAX || r->disc.clock_us >= limit_us)
            return;
        r->disc.clock_us = next < limit_us ? next : limit_us;
        sim_heap_advance(r->heap, r->disc.clock_us);
    }
}

/* ---- from beginning to end --------------------------------------------------
 */

static void *block_of(size_t bytes)
{
    bytes = (bytes + MEMORY_ALIGN - 1) / MEMORY_ALIGN * MEMORY_ALIGN;
    return must(host_aligned_alloc(MEMORY_ALIGN, bytes));
}

static bool start_drive(struct run *r)
{
    const spn_emulator_drive drive = {.profile = r->sim->drive};
    spn_emulator_config config = {.platform = &r->real,
                                  .drives = &drive,
                                  .drive_count = 1,
                                  .faults = r->sim->faults,
                                  .fault_count = r->sim->fault_count};
    size_t bytes;

    sim_disc_init(&r->disc, spn__drive_disc_bytes(r->sim->drive), &r->real);
    bytes = spn_emulator_bytes(&config);
    r->emulator_memory = block_of(bytes);
    return spn_emulator_init(&config, r->emulator_memory, bytes, &r->emulator,
                             &r->table) == SPN_OK;
}

static bool start_runtime(struct run *r)
{
    size_t bytes;

    r->listener =
        (spn_listener){.user = r, .read_begin = on_begin, .read_end = on_end};
    r->config = (spn_config){.platform = &r->table,
                             .heap_bytes = 65536,
                             .read_count = READS,
                             .listener = &r->listener};
    r->config.media[SPN_MEDIUM_OPTICAL] = (spn_medium_config){
        .drive = r->sim->drive,
        .order = r->sim->order == POLICY_SWEEP ? SPN_ORDER_SWEEP
                                               : SPN_ORDER_SORT_KEY};
    bytes = spn_memory_needed(&r->config);
    r->memory = block_of(bytes);
    return spn_init(&r->config, r->memory, bytes, &r->rt) == SPN_OK &&
           spn_file_open(r->rt, SIM_DISC_PATH, &r->file) == SPN_OK;
}

bool game_sim_is_own(enum policy_kind order)
{
    return order == POLICY_KEY || order == POLICY_SWEEP;
}

static bool start(struct run *r)
{
    spn__forecast_init(&r->forecast, r->sim->drive);
    spn__forecast_place(&r->forecast, 0, &r->head);
    if (!game_sim_is_own(r->sim->order))
        r->policy = policy_create(r->sim->order, &r->forecast);
    r->heap = sim_heap_create(r->sim->heap_mib);
    grow(r);
    if (start_drive(r) && start_runtime(r))
        return true;
    note_wrong(r, "the runtime does not start", 0);
    return false;
}

static void count_waiting(struct run *r)
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
                    request->deadline_us, r->disc.clock_us);
    }
}

static void finish(struct run *r)
{
    r->out->time_us = r->disc.clock_us;
    count_waiting(r);
    if (r->emulator)
        (void)spn_emulator_get_stats(r->emulator, 0, &r->out->drive);
    sim_heap_finish(r->heap, &r->out->heap);
    spn_shutdown(r->rt);
    if (r->given != 0)
        note_wrong(r, "reads that never completed", r->given);
    if (r->policy)
        policy_destroy(r->policy);
    sim_heap_destroy(r->heap);
    for (uint32_t i = 0; i < r->read_count; i++) {
        free(r->reads[i]->buffer);
        free(r->reads[i]);
    }
    free(r->reads);
    free(r->free_ids);
    free(r->queue);
    host_aligned_free(r->memory);
    host_aligned_free(r->emulator_memory);
}

bool game_sim_run(const struct game_sim *sim, struct load *load,
                  struct sim_record *out, struct diag *diag)
{
    struct run *r = must(calloc(1, sizeof *r));
    const spn_fault none = {0};
    bool is_good;

    sim_record_init(out);
    r->sim = sim;
    r->load = load;
    r->out = out;
    r->diag = diag;
    if (start(r))
        go_on(r);
    finish(r);
    is_good = r->wrong == NULL;
    if (!is_good)
        diag_fault(diag, EXIT_INTERNAL, policy_names[sim->order], r->wrong_at,
                   NULL, DIAG_NO_FRAME, &none, r->wrong);
    free(r);
    return is_good;
}

/* ---- faults -----------------------------------------------------------------
 */

void game_sim_draw_faults(const struct load *load, uint64_t us, uint64_t seed,
                          spn_emulator_fault *faults, uint32_t count)
{
    static const spn_emulator_fault_kind kinds[] = {
        SPN_EMULATOR_BAD_SECTORS, SPN_EMULATOR_UNREADABLE, SPN_EMULATOR_STALL,
        SPN_EMULATOR_TRAY_OPEN, SPN_EMULATOR_DISC_SWAPPED};
    struct chance chance;

    chance_start(&chance, seed, 100);
    for (uint32_t i = 0; i < count; i++) {
        spn_emulator_fault *f = &faults[i];

        memset(f, 0, sizeof *f);
        f->kind = kinds[i % 5];
        f->offset = load_place(load, chance_u64(&chance) >> 32);
        f->bytes = 1;
        f->retries = 1 + (uint32_t)chance_below(&chance, 6);
        f->times = 1 + (uint32_t)chance_below(&chance, 8);
        if (i % 5 < 2)
            continue;
        f->offset = 0;
        f->bytes = 0;
        f->retries = 0;
        f->times = 0;
        f->begin_us = chance_below(&chance, us > 0 ? us : 1);
        f->length_us = chance_size(&chance, 100000, 4000000);
        f->is_failing = (uint32_t)chance_below(&chance, 2);
    }
}
