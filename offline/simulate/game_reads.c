/* game_reads.c - start reads, receive their callbacks, check and record them.
 *
 * A record says whether the runtime has its read. So a second completion is
 * found at once, and a missing one at the end of the run.
 */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_reads.h"

#include "disc/drive_disc.h"
#include "disc/drive_math.h"

#include <stdlib.h>

#define READS_FIRST 256u

void game_fail(struct game_run *r, const char *what, uint64_t at)
{
    if (r->error)
        return;
    r->error = what;
    r->error_value = at;
}

uint64_t game_now_us(const struct game_run *r)
{
    return game_machine_now_us(&r->machine);
}

/* -- records -- */

static void grow(struct game_run *r)
{
    uint32_t count = r->read_count ? 2 * r->read_count : READS_FIRST;
    uint32_t *queue = arena_require(malloc(count * sizeof *queue));

    /* -fanalyzer: freed by game_reads_free. */
    r->reads =
        arena_require(realloc(r->reads, count * sizeof(struct game_read *)));
    r->free_ids =
        arena_require(realloc(r->free_ids, count * sizeof *r->free_ids));
    for (uint32_t i = 0; i < r->queue_count; i++)
        /* NOLINTNEXTLINE(clang-analyzer-*): the queued are among the reads. */
        queue[i] = r->queue[(r->queue_first + i) % r->read_count];
    free(r->queue);
    r->queue = queue;
    r->queue_first = 0;
    /* -fanalyzer: freed by game_reads_free. */
    for (; r->read_count < count; r->read_count++) {
        /* -fanalyzer: freed by game_reads_free. */
        r->reads[r->read_count] =
            arena_require(calloc(1, sizeof(struct game_read)));
        r->reads[r->read_count]->run = r;
        r->reads[r->read_count]->id = r->read_count;
        r->free_ids[r->free_count++] = r->read_count;
    }
}

uint32_t game_reads_depth(const struct game_run *r)
{
    return r->read_count - r->free_count;
}

static void note_depth(struct game_run *r)
{
    if (!r->is_draining)
        sim_record_depth(r->out, game_now_us(r), game_reads_depth(r));
}

void game_reads_drop(struct game_run *r, uint32_t id)
{
    r->free_ids[r->free_count++] = id;
    note_depth(r);
}

static struct sim_group *burst_of(const struct game_run *r,
                                  const struct game_read *read)
{
    uint32_t index = read->request.burst;

    return index == LOAD_NO_BURST ? NULL : &r->out->bursts[index];
}

static struct sim_group *visit_of(const struct game_run *r,
                                  const struct game_read *read)
{
    uint32_t index = read->request.visit;

    return index == LOAD_NO_VISIT ? NULL : &r->out->visits[index];
}

struct game_read *game_reads_add(struct game_run *r,
                                 const struct load_request *request)
{
    struct game_read *read;
    struct sim_group *visit;

    if (r->free_count == 0)
        grow(r);
    read = r->reads[r->free_ids[--r->free_count]];
    read->request = *request;
    read->is_placed = false;
    r->out->requested++;
    r->steps++;
    visit = visit_of(r, read);
    if (visit && visit->begun++ == 0)
        visit->at_us = request->arrival_us;
    note_depth(r);
    return read;
}

/* -- callbacks of the runtime -- */

static spn_status on_storage(const spn_read_want *want, void **buffer)
{
    struct game_read *read = want->user;

    read->buffer = arena_require(malloc((size_t)want->bytes));
    *buffer = read->buffer;
    return SPN_OK;
}

static void check_bytes(struct game_run *r, const struct game_read *read,
                        const spn_read_result *result)
{
    const struct load_request *request = &read->request;

    if (result->bytes > request->bytes ||
        (result->status == SPN_OK && result->bytes != request->bytes)) {
        game_fail(r, "a read delivered the wrong number of bytes",
                  read->position);
        return;
    }
    if (!load_is_equal(r->load, request, read->buffer, result->bytes, r->diag))
        game_fail(r, "wrong bytes of a read", read->position);
}

/* The position of a read on the disc. Before its first piece, the position from
 * which it would be read now. */
void game_reads_mark_late(struct game_run *r, const struct game_read *read,
                          enum sim_late_outcome outcome)
{
    const struct load_request *request = &read->request;
    struct sim_late late = {.end_us = game_now_us(r),
                            .class = request->class,
                            .file = request->file,
                            .outcome = outcome};

    late.position = read->is_placed
                        ? read->position
                        : load_position(request, r->head.offset, &r->forecast);
    if (late.end_us > request->deadline_us)
        late.late_us = late.end_us - request->deadline_us;
    sim_record_late(r->out, &late);
}

static void count_end(struct game_run *r, const struct game_read *read)
{
    const struct load_request *request = &read->request;

    r->out->done++;
    tally_end(&r->out->tally, request->class, request->bytes,
              request->arrival_us, request->deadline_us, game_now_us(r));
    if (game_now_us(r) > request->deadline_us)
        game_reads_mark_late(r, read, SIM_LATE_DONE);
}

static void count_failure(struct game_run *r, const struct game_read *read)
{
    const struct load_request *request = &read->request;

    r->out->failed++;
    tally_miss(&r->out->tally, request->class, request->arrival_us,
               request->deadline_us, game_now_us(r));
    if (request->deadline_us != UINT64_MAX)
        game_reads_mark_late(r, read, SIM_LATE_FAILED);
}

static void check_status(struct game_run *r, const struct game_read *read,
                         const spn_read_result *result)
{
    spn_status status = result->status;

    if (status == SPN_OK || status == SPN_ERR_IO || status == SPN_ERR_ABORTED ||
        status == SPN_ERR_SHUTDOWN)
        return;
    if (result->fault.what) {
        r->damage = result->fault;
        r->damaged = read->request.pak->reader->path;
    } else
        game_fail(r, spn_status_text(result->status), read->position);
}

static void count_by_status(struct game_run *r, const struct game_read *read,
                            const spn_read_result *result)
{
    if (result->status == SPN_OK)
        count_end(r, read);
    else if (result->status == SPN_ERR_IO)
        count_failure(r, read);
    else if (result->status == SPN_ERR_ABORTED)
        r->out->dropped++;
}

static void count_in_group(const struct game_run *r, struct sim_group *group,
                           spn_status status)
{
    if (!group)
        return;
    if (status == SPN_OK)
        group->ended++;
    else
        group->failed++;
    group->end_us = game_now_us(r);
}

static void count(struct game_run *r, const struct game_read *read,
                  const spn_read_result *result)
{
    r->out->bytes += result->bytes;
    if (result->bytes > 0)
        r->out->stored_bytes += read->stored_bytes;
    count_by_status(r, read, result);
    count_in_group(r, burst_of(r, read), result->status);
    count_in_group(r, visit_of(r, read), result->status);
    if (r->heap)
        sim_heap_release(r->heap, read->block, game_now_us(r));
}

static void on_done(const spn_read_result *result)
{
    struct game_read *read = result->user;
    struct game_run *r = read->run;

    r->steps++;
    if (!read->is_started || read->handle != result->read) {
        game_fail(r, "a read completed twice", read->position);
        return;
    }
    check_bytes(r, read, result);
    check_status(r, read, result);
    read->is_started = false;
    r->started--;
    if (r->is_draining)
        r->out->drained += result->status != SPN_ERR_SHUTDOWN;
    else
        count(r, read, result);
    load_done(r->load, &read->request, game_now_us(r));
    free(read->buffer);
    read->buffer = NULL;
    game_reads_drop(r, read->id);
}

/* -- reads of clips and caches, which the runtime starts itself -- */

/* The runtime's own reads have no user. Those of clips and caches have a record
 * all the same; those of a pak's index have none. `add`: make it. */
static struct game_read *find(struct game_run *r, const spn_event *event,
                              bool add)
{
    const bool is_played =
        event->task == SPN_TASK_ANIMATION || event->task == SPN_TASK_GEOM_CACHE;
    const bool is_new =
        add && !event->user && r->has_begun && !r->is_draining && is_played;
    struct load_request request = {.bytes = event->bytes,
                                   .class =
                                       deadline_class_of(event->task_class),
                                   .task = event->task,
                                   .priority = event->priority,
                                   .burst = LOAD_NO_BURST,
                                   .visit = LOAD_NO_VISIT,
                                   .file = LOAD_NO_FILE,
                                   .deadline_us = UINT64_MAX};
    struct game_read *read = event->user;

    for (uint32_t i = 0; i < r->own_count && !read; i++)
        if (r->reads[r->own[i]]->handle == event->read)
            read = r->reads[r->own[i]];
    if (read || !is_new)
        return read;
    request.arrival_us = game_machine_since_us(&r->machine, event->start_us);
    if (event->deadline_us > 0)
        request.deadline_us =
            game_machine_since_us(&r->machine, event->deadline_us);
    read = game_reads_add(r, &request);
    read->handle = event->read;
    read->stored_bytes = 0;
    read->block = 0;
    r->own = arena_grow(&r->out->arena, r->own, r->own_count, &r->own_capacity,
                        sizeof *r->own);
    r->own[r->own_count++] = read->id;
    return read;
}

static void on_queued(void *user, const spn_event *event)
{
    (void)find(user, event, true);
}

static void on_completed(void *user, const spn_event *event)
{
    struct game_run *r = user;
    const spn_read_result result = {.status = event->status,
                                    .bytes = event->done_bytes};
    struct game_read *read = event->user ? NULL : find(r, event, true);
    uint32_t i = 0;

    if (!read)
        return;
    r->steps++;
    if (r->is_draining)
        r->out->drained += event->status != SPN_ERR_SHUTDOWN;
    else
        count(r, read, &result);
    while (r->own[i] != read->id)
        i++;
    r->own[i] = r->own[--r->own_count];
    game_reads_drop(r, read->id);
}

static void on_begin(void *user, const spn_event *event)
{
    struct game_run *r = user;
    struct game_read *read = find(r, event, false);

    r->at_device++;
    if (!read || r->is_draining)
        return;
    if (r->access.pieces == 0)
        r->access = (struct game_access){.begin_us = game_now_us(r)};
    r->access.pieces++;
    r->access.bytes += event->piece_bytes;
    read->piece_bytes = event->piece_bytes;
    if (!read->is_placed)
        read->position = event->position;
    read->is_placed = true;
    if (r->heap && read->block == 0)
        read->block = sim_heap_take(r->heap, read->request.bytes,
                                    read->request.class, game_now_us(r));
}

/* Pieces of one access end in the order of positions. Bytes that two pieces
 * share count for the first. A failed piece has no bytes. */
static void count_piece(struct game_run *r, struct game_read *read,
                        const spn_event *event)
{
    struct sim_group *burst = burst_of(r, read);
    uint64_t end = event->position + event->piece_bytes;
    uint64_t begin =
        event->position > r->access.end ? event->position : r->access.end;

    if (end <= begin)
        return;
    r->access.end = end;
    read->stored_bytes += end - begin;
    if (!burst)
        return;
    burst->stored_bytes += end - begin;
    burst->transfer_us +=
        spn__drive_transfer_us(r->sim->drive, begin, end - begin);
}

/* Coalesced reads share the time of the access in proportion to their bytes. */
static void on_end(void *user, const spn_event *event)
{
    struct game_run *r = user;
    struct game_read *read = find(r, event, false);
    struct sim_move move = {.begin_us =
                                r->access.begin_us + r->access.shared_us,
                            .end_us = game_now_us(r),
                            .begin = event->position,
                            .end = event->position + event->piece_bytes,
                            .has_failed = event->status != SPN_OK};

    spn__forecast_place(&r->forecast, move.end, &r->head);
    r->at_device--;
    r->pieces_ended++;
    if (!read)
        return;
    r->steps++;
    if (r->is_draining)
        return;
    move.class = read->request.class;
    move.file = read->request.file;
    count_piece(r, read, event);
    if (++r->access.pieces_ended < r->access.pieces)
        move.end_us =
            move.begin_us + spn__mul_div(game_now_us(r) - r->access.begin_us,
                                         read->piece_bytes, r->access.bytes);
    r->access.shared_us = move.end_us - r->access.begin_us;
    if (r->access.pieces_ended == r->access.pieces)
        r->access.pieces = 0;
    sim_record_piece(r->out, &move);
}

/* -- starting -- */

/* In order of arrival, reads of a load and of clips have one priority. */
static spn_priority priority_of(const struct game_run *r,
                                const struct load_request *request)
{
    return r->clips && r->sim->order == GAME_ORDER_FIFO
               ? SPN_PRIORITY_ABOVE_NORMAL
               : request->priority;
}

bool game_reads_start(struct game_run *r, uint32_t id)
{
    struct game_read *read = r->reads[id];
    const struct load_request *request = &read->request;
    spn_read_desc desc = {.file = r->machine.file,
                          .path = request->path,
                          .offset = request->offset,
                          .bytes = request->is_to_end ? 0 : request->bytes,
                          .priority = priority_of(r, request),
                          .task = request->task,
                          .on_storage = on_storage,
                          .on_done = on_done,
                          .user = read};
    spn_status status;

    if (request->deadline_us != UINT64_MAX && !request->has_default_deadline)
        desc.deadline_us =
            game_machine_clock_us(&r->machine, request->deadline_us);
    /* The runtime's value 0 means no deadline. */
    if (request->deadline_us == 0 && desc.deadline_us == 0)
        desc.deadline_us = 1;
    read->is_started = true;
    read->is_placed = false;
    read->position = 0;
    read->stored_bytes = 0;
    read->block = 0;
    status = spn_read_start(r->machine.rt, &desc, &read->handle);
    if (status == SPN_OK) {
        r->steps++;
        r->started++;
        return true;
    }
    read->is_started = false;
    if (status != SPN_FULL)
        game_fail(r, spn_status_text(status), request->offset);
    return false;
}

/* -- the run -- */

void game_reads_init(struct game_run *r)
{
    r->listener = (spn_listener){.user = r,
                                 .queued = on_queued,
                                 .read_begin = on_begin,
                                 .read_end = on_end,
                                 .completed = on_completed};
    grow(r);
}

void game_reads_free(struct game_run *r)
{
    for (uint32_t i = 0; i < r->read_count; i++) {
        free(r->reads[i]->buffer);
        free(r->reads[i]);
    }
    free(r->reads);
    free(r->free_ids);
    free(r->queue);
}
