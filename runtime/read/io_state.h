/* io_state.h - the stream engine's inside, shared by io.c, io_start.c and
 * io_wait.c (any thread), io_finish.c (the caller's) and the io thread's files:
 * io_step.c, io_line.c, io_sweep.c, io_storage.c, io_device.c, io_run.c,
 * io_watch.c, io_end.c.
 *
 * A slot of the table of reads goes round:
 *
 *   free ring --start--> inbox --io thread--> [unopened] --> line of its medium
 *      ^                                                         |     ^
 *      |                                                         v     |
 *      +-- finish <-- done ring <-- [job] <-- ended <---------- device-+
 *
 * and out of its line aside, while its type is paused or it has no memory. One
 * into the heap, whose owner is the caller's thread, goes there for its block:
 * by the done ring, not ended, and back by the inbox.
 *
 * Whoever took its index from a ring owns the slot's fields until he
 * puts the index into the next; only its state word is touched by others.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_IO_STATE_H
#define SPN_READ_IO_STATE_H

#include "base/assert.h"
#include "base/atomic.h"
#include "base/mailbox.h"
#include "base/ring.h"
#include "observe/guards.h"
#include "observe/listen.h"
#include "observe/pace.h"
#include "observe/read_record.h"
#include "pak/pak_range.h"
#include "read/files.h"
#include "read/io.h"
#include "read/io_sweep.h"
#include "read/io_tally.h"
#include "read/pak/paks.h"
#include "read/pak_mount.h"
#include "read/piece.h"
#include "read/unpacking.h"
#include "schedule/budget.h"
#include "schedule/queue.h"
#include "schedule/read_order.h"
#include "schedule/tasks.h"

#include <spindle/features.h>

/* A read's state word: generation << 16 (odd: in use) | these. */
#define READ_GENERATION_SHIFT 16u
#define READ_INDEX_MASK 0xffffu
#define READ_IN_USE (1u << READ_GENERATION_SHIFT)
#define READ_IS_ENDED 1u   /* set once, by the io thread */
#define READ_IS_ABORTED 2u /* set by any thread, before READ_IS_ENDED only */
#define READ_IS_OVER 4u    /* completed; set once, by the caller's thread */
#define READ_IS_AWAITED 8u /* somebody sleeps until it has ended */
#define READ_IS_HELD 16u   /* good beyond its completion; set at its start */
#define READ_PIN 32u       /* a thread that looks at its result */
#define READ_PINS 0xffe0u

/* What the io thread is told beside the inbox. */
#define IO_HEED_ABORT 1u
#define IO_HEED_FILES 2u
#define IO_HEED_SHUTDOWN 4u
#define IO_HEED_TASKS 8u    /* a type was paused or resumed */
#define IO_HEED_BUDGET 16u  /* memory came back to the budget */
#define IO_HEED_STORAGE 32u /* ask again those who said "not now" */
#define IO_HEED_PAKS 64u    /* one was loaded, or shall be unloaded */
#define IO_HEED_RECORD 128u /* it shall end */

/* The word that counts reads started and not completed. */
#define IO_IS_SHUT 0x80000000u

#define IO_NONE UINT32_MAX

/* A piece that failed is tried again this often. */
#define IO_RETRIES 2u

/* What is known of a read of a pak's entry beside its request, which is one of
 * the pak's file: there `offset` and `bytes` are those of what is stored. */
struct io_pak_read {
    /* written by whoever starts the read */
    struct pak_mount *mount; /* held until the completion; NULL: of no pak */
    uint32_t entry;
    spn_status refusal; /* it ends with this one; io thread from then on */
    struct pak_range range;

    /* io thread */
    bool is_in_memory;     /* counted by the mount */
    uint32_t slot;         /* of its next piece, or IO_NONE */
    uint32_t slots_out;    /* with the workers */
    uint32_t next_block;   /* to be read, or where it is stored: verified */
    uint32_t bad_block;    /* the first; IO_NONE */
    uint32_t copies_tried; /* beside the one that is read, */
    uint64_t tried_at;     /* from this byte of what is stored on */
    bool is_ending;        /* when the last slot is back */
    spn_status end_status; /* unless a block is bad */

    spn_fault fault; /* of the bad block */

    /* written when it ends, as the status */
    uint64_t good_bytes; /* from the front of the destination on */
};

struct io_request {
    /* io thread */
    spn_medium medium; /* SPN_MEDIUM_COUNT until its file is open */
    bool is_resolved;
    bool is_alone;      /* a run that it was part of failed */
    bool is_preempted;  /* until its next piece has come back */
    bool lacks_storage; /* it will be asked for, or taken of the heap */
    bool is_lent;       /* to the caller's thread, for that */
    bool has_budget;
    uint8_t failures;              /* in a row */
    uint32_t next;                 /* in the one list that it is in */
    struct atomic_u32 seen_medium; /* the same medium, for all: + 1, or 0 */
    uint32_t budget_units;         /* given back when it is completed */
    uint32_t piece_bytes;   /* up to `fragile_end`, where a piece failed */
    uint32_t record_number; /* of the record that has it */
    uint32_t record_event;  /* 1 + index; 0: none */

    /* written by whoever starts the read */
    spn_task task;
    spn_task_class task_class;
    bool is_public;
    uint32_t file; /* index in the table of files */
    uint32_t flags;
    uint32_t guard_roles; /* its own, or its file's */
    uint32_t heap_unit_bytes;
    spn_storage_callback on_storage;
    spn_read_callback on_async;
    spn_read_callback on_done;
    void *user;
    io_done_fn on_internal;
    void *context;
    uint32_t argument;
    uint64_t offset;
    uint64_t bytes; /* 0: to the end, until it is resolved */
    uint64_t buffer_bytes;
    uint64_t target_start; /* byte of the target that the first one goes to */
    uint64_t deadline_us;
    uint64_t start_us;
    uint64_t thread; /* as the platform names it, while there is a record */
    uint64_t asked_offset; /* in the file or entry; `offset` may move on */
    struct piece_target target;
    struct order_ticket ticket; /* the priority; the rest is the io thread's */

    /* written by who takes the block */
    spn_status block_status;

    /* written when it ends, then read by anyone who pinned it */
    spn_status status;
    uint64_t ended_us;

    /* io thread */
    uint64_t arrival; /* counts reads: its turn among equal keys */
    uint64_t done_bytes;
    uint64_t pending_bytes; /* as reported */
    uint64_t fragile_end;   /* counted as done_bytes */
    struct io_pak_read pak;
};

/* A thread that sleeps until a read has ended. */
struct io_seat {
    struct atomic_u32 read; /* its handle; 0: the seat is free */
    uint64_t event;
};

/* Reads in a row, linked by `next`. */
struct io_list {
    uint32_t first;
    uint32_t last;
    uint32_t count;
};

/* Reads that wait, and their order. */
struct io_line {
    uint32_t active; /* read at the device */
    struct queue queue;
    struct read_order order;
};

/* A medium: who waits for it, and what it is doing. */
struct io_medium {
    bool has_head;
    bool is_continued; /* the piece begins where the last one ended */
    bool is_cancelled; /* the device was asked to end the piece early */
    bool is_timed_out; /* and has not given it back */
    spn_medium_state told_state;
    uint32_t resting; /* unfinished read whose piece was the last served */
    uint32_t tag;
    uint32_t piece_bytes; /* of what is not compressed */
    uint8_t *staging;
    struct io_drive *drive; /* NULL: not known */
    struct io_sweep *sweep; /* NULL: the sort key is its order */
    uint64_t head;          /* on the medium, behind the last piece */
    uint64_t piece_start_us;
    uint64_t piece_position; /* on the medium */
    uint64_t ended_us;       /* when the last piece came back */
    uint64_t silent_us;      /* fixed after init, both; 0: never */
    uint64_t timeout_us;
    struct io_line line;
    struct piece piece;
};

/* A read whose main-thread callback runs, on the stack of complete(). */
struct io_completing {
    uint32_t index;
    const struct io_completing *outer; /* that callback ended this one */
};

struct io {
    struct listen listen; /* see there */

    /* fixed after init */
    const spn_platform *platform;
    struct jobs *jobs;
    const struct heap *heap;
    struct io_request *requests;
    struct io_medium *media;  /* SPN_MEDIUM_COUNT; the io thread's */
    struct io_line *unopened; /* reads whose file is not open yet; the same */
    struct sweep_pool *pool;  /* of all reads, where there is a sweep */
    struct io_report *report; /* io thread */
    struct io_tally *tally;   /* caller's thread */
    uint32_t read_count;
    uint32_t piece_bytes; /* of what is compressed */
    uint64_t event;
    uint64_t done_event; /* what the caller's thread sleeps on */
    uint32_t seat_count;
    bool has_loose_files_only;

    /* io thread */
    bool is_stopping;
    uint32_t last_tag;
    uint64_t arrivals;

    /* atomic */
    struct io_seat *seats;
    struct atomic_u32 *states;    /* one for each read */
    struct atomic_u32 *open;      /* reads of each type, not completed */
    struct atomic_u32 is_awaited; /* the caller's thread sleeps */
    struct atomic_u32 heed;
    struct atomic_u32 pending; /* | IO_IS_SHUT */
    struct atomic_u32 pending_peak;
    struct atomic_u32 refused_count;

    /* caller's thread */
    const struct io_report *seen;           /* the latest */
    const struct io_completing *completing; /* the innermost */
    uint32_t kept_first; /* completed, but not in the free ring yet */
    uint32_t kept_count;
    struct io_list put_off; /* taken from the done ring, not completed */

    /* io thread */
    struct io_list parked;     /* their type is paused */
    struct io_list refused;    /* their storage said "not now" */
    struct io_list waiting;    /* ended, but the table of jobs was full */
    struct io_list unverified; /* ending, but no slot was free */
    struct queue hungry;       /* the budget is used up */

    /* as each of them says */
    struct io_lane lanes[IO_LANES_MAX];
    struct io_memory memory;
    struct ring free;
    struct ring inbox;
    struct ring done;
    struct mailbox mailbox; /* io_report, io thread to caller's */
    struct paks paks;
    struct guard guard;
    struct files files;
    struct tasks tasks;
    struct record record;
    struct budget budget;
    struct unpack unpack;
};

/* -- io_wait.c -- */

/* Is the handle not stale? Any thread. */
bool spn__io_is_good(const struct io *io, spn_read read);

/* Whoever has pinned a slot may read its request once it has ended, and what
 * was written at its start before. SPN_ERR_HANDLE; SPN_FULL. Any thread. */
spn_status spn__io_pin(struct io *io, spn_read read);
/* Nothing of the engine may be touched after it: once the last pin is gone the
 * memory may go, too. */
void spn__io_unpin(struct io *io, spn_read read);

/* A read that somebody sleeps for has ended. io thread. */
void spn__io_wake_waiters(const struct io *io, spn_read read);

/* -- io_line.c: io thread -- */

/* A new read joins the line of its medium, or that of the unopened. */
void spn__io_line_up(struct io *io, uint32_t index, uint64_t now_us);
/* One that was set aside does. */
void spn__io_stand(struct io *io, uint32_t index);
/* One whose piece has ended or failed goes back into its line. False when its
 * type was paused meanwhile: it is parked. */
bool spn__io_put_back(struct io *io, uint32_t index);
/* Park those whose type is paused, and let the others stand again. */
void spn__io_park(struct io *io);
/* Where it stands in its line. */
uint64_t spn__io_key_of(struct io *io, uint32_t index);
/* It is not between two pieces any more. */
void spn__io_forget_resting(struct io *io, uint32_t index);

void spn__io_list_add(struct io *io, struct io_list *list, uint32_t index);
/* Take out those for which `leaves` says so; it may put them elsewhere, but
 * not touch this list. Its context is the io. */
void spn__io_list_take_if(struct io *io, struct io_list *list,
                          queue_leaves_fn leaves);
/* The priority of a read that has begun, and is in the line of its medium, is
 * another now. */
void spn__io_stand_anew(struct io *io, uint32_t index);
/* A file was opened: its reads go to the line of their medium. */
void spn__io_let_in(struct io *io);

/* -- io_pak.c -- */

/* What is known of the drive, and its scheduler; NULL: nothing, none. */
static inline struct io_drive *io_drive_of(const struct io_medium *medium)
{
    return SPN_WITH_DEADLINE_SCHEDULER ? medium->drive : NULL;
}
static inline struct io_sweep *io_sweep_of(const struct io_medium *medium)
{
    return SPN_WITH_DEADLINE_SCHEDULER ? medium->sweep : NULL;
}

/* The pak that it is of; NULL: of none. */
static inline struct pak_mount *io_pak_of(const struct io_request *request)
{
    return SPN_WITH_PAKS ? request->pak.mount : NULL;
}

static inline bool io_is_of_pak(const struct io *io, uint32_t index)
{
    return io_pak_of(&io->requests[index]) != NULL;
}

static inline bool io_has_paks(const struct io *io)
{
    return SPN_WITH_PAKS && io->paks.count > 0;
}

/* Make the request, otherwise filled in, one of a pak's entry. It takes over a
 * hold of the mount. Whoever starts the read. */
void spn__pak_aim(struct io *io, struct io_request *request,
                  struct pak_mount *mount, uint32_t entry);

/* May it be read from one of several copies? Not once it was begun. */
static inline bool io_has_choice(const struct io_request *request)
{
    const struct io_pak_read *pak = &request->pak;

    return io_pak_of(request) && pak->range.content.copy_count > 1 &&
           pak->copies_tried == 0 && request->done_bytes == 0;
}

/* Of a read that has a choice, read the copy that is there first from `head`
 * on, by the drive or by bytes. True when it is another than before. io thread.
 */
bool spn__pak_choose_copy(struct io *io, uint32_t index, uint64_t head);
/* The same for all that stand in a medium's line: the copies nearest to where
 * its head goes next. io thread. */
void spn__pak_choose_places(struct io *io, const struct io_medium *medium);
/* Is it served from a loaded pak? Decides it anew. io thread. */
bool spn__pak_find_memory(struct io_request *request);
/* It needs the memory of its pak no more. io thread. */
void spn__pak_leave_memory(struct io_request *request);
/* What lies in a loaded pak is with the workers, and comes back from them. */
void spn__pak_use_memory(struct pak_mount *mount);
void spn__pak_end_use(struct pak_mount *mount);
/* A pak was loaded or shall be unloaded: its reads change their line. */
void spn__pak_heed_serving(struct io *io);

/* -- io_copy.c: io thread -- */

/* A read of a pak would end with an error: true when it goes on with another
 * copy instead. */
bool spn__pak_try_copy(struct io *io, uint32_t index, spn_status status);

/* -- io_unpack.c: io thread. The reads are of paks -- */

/* Before a piece of a compressed read. SPN_EMPTY: set it aside. */
spn_status spn__unpack_find_slot(struct io *io, uint32_t index);
/* Out of its line, until a slot is free. */
void spn__unpack_wait(struct io *io, uint32_t index);
/* Its piece came to nothing. */
void spn__unpack_drop(struct io *io, uint32_t index);
/* The next piece, of whole blocks up to `bytes_max` or one; false: it is a
 * plain one. */
bool spn__unpack_plan(struct io *io, struct piece *piece, uint32_t index,
                      uint32_t bytes_max);
/* Its piece is one that cannot be smaller. */
bool spn__unpack_is_least(const struct io *io, uint32_t index);
/* The same in a run that has so much room: what `read` then asks for goes to
 * the memory that the first such read of the run has. A plain one stays as it
 * is. False: it must wait; what it has is dropped by whoever asked. */
bool spn__unpack_join(struct io *io, uint32_t index, uint32_t room,
                      uint32_t align_bytes, struct run_read *read);
/* So many bytes behind those that are done arrived: whole blocks of them go to
 * the workers, and count. False: it is a plain one. */
bool spn__unpack_take(struct io *io, uint32_t index, uint32_t *bytes);
/* More of a stored read has arrived. */
void spn__unpack_verify(struct io *io, uint32_t index);
/* Take what the workers have done. */
bool spn__unpack_collect(struct io *io);
bool spn__unpack_waits_for_jobs(const struct io *io);
bool spn__unpack_is_idle(const struct io *io);
/* The read shall end: true when that must wait for workers, and then it will
 * be told again. Otherwise all is known, *status too. */
bool spn__unpack_puts_off(struct io *io, uint32_t index, spn_status *status);

/* -- io_storage.c: io thread -- */

/* Memory for a read that is about to begin. SPN_OK; SPN_FULL, SPN_PENDING or
 * SPN_NO_MEMORY_NOW: take it out of its line and set it aside; or an error that
 * it ends with. */
spn_status spn__io_find_storage(struct io *io, uint32_t index);
void spn__io_set_aside(struct io *io, uint32_t index, spn_status why);
/* One that was set aside for a block is back from the caller's thread. */
void spn__io_take_lent(struct io *io, uint32_t index);
/* It is parked: what it has of the budget, and no memory for it yet, goes to
 * others. */
void spn__io_return_budget(struct io *io, uint32_t index);
/* Memory came back to the budget: who is first gets it. */
void spn__io_feed_hungry(struct io *io);
/* Let those stand again whose storage said "not now". */
void spn__io_ask_refused(struct io *io);
/* Take reads out that were set aside for want of memory. */
void spn__io_take_set_aside(struct io *io, queue_leaves_fn leaves);

/* -- io_sweep.c: io thread -- */

/* At init: what the media have whose drives are known. io->media is NULL when
 * only counting; then so is all that is cut. */
void spn__io_cut_sweeps(struct io *io, struct carve *carve,
                        const struct io_config *config);
/* A read joins the line of a medium with a sweep: how it is weighed. */
void spn__io_weigh(struct io *io, uint32_t index, uint64_t key);
/* As spn__io_serve, by the sweep. */
bool spn__io_serve_sweep(struct io *io, struct io_medium *medium);

/* -- io_run.c: io thread -- */

/* Read what the medium's run holds; its reads are in no line. */
void spn__io_start_run(struct io *io, struct io_medium *medium);
void spn__io_end_run(struct io *io, struct io_medium *medium, spn_status status,
                     uint64_t bytes);
/* Nobody wants the run at the device any more. */
bool spn__io_run_is_unwanted(const struct io *io,
                             const struct io_medium *medium);

/* -- io_device.c: io thread -- */

/* Is a read ready for the device? SPN_OK, also where it has no bytes and only
 * ends; > 0: it must be set aside; or the error that it ends with. */
spn_status spn__io_make_ready(struct io *io, uint32_t index);
/* It is not, and was taken out of its line. */
void spn__io_turn_away(struct io *io, uint32_t index, spn_status status);
/* Bytes of a file go to the device. Says so before: the call may take as long
 * as the read. False: they were refused. */
bool spn__io_submit(struct io *io, struct io_medium *medium,
                    spn_platform_file file, uint64_t offset,
                    const spn_extent *extents, uint32_t extent_count);
/* One that is ready, and in no line, goes to the device. */
void spn__io_start_piece(struct io *io, struct io_medium *medium,
                         uint32_t index);
/* What is at the device begins at a byte of the file, and will leave the head
 * at another. */
void spn__io_move_head(struct io *io, struct io_medium *medium, uint32_t index,
                       uint64_t begin, uint64_t end);
/* So many bytes came back from the device; before any read is told. Clean: all
 * that was asked for, at the first try. */
void spn__io_leave_device(struct io *io, struct io_medium *medium,
                          spn_status status, uint64_t bytes, bool is_clean);
/* More of a read is there: it ends, or goes back into its line. */
void spn__io_advance(struct io *io, struct io_medium *medium, uint32_t index,
                     uint64_t bytes);

/* Give a medium whose device is free the first of its line. */
bool spn__io_serve(struct io *io, struct io_medium *medium);
/* Take a completion; *due_us: when to ask again. */
bool spn__io_poll_devices(struct io *io, uint64_t *due_us);
/* If the read at the device is not wanted any more, say so to the device. */
void spn__io_cancel_unwanted(struct io *io, struct io_medium *medium);
/* Ask the device to end what it has, once. */
void spn__io_cancel(struct io *io, struct io_medium *medium);
/* Nothing is at any device. */
bool spn__io_devices_are_free(const struct io *io);

/* -- io_watch.c -- */

/* What a medium's state is while it has not answered for so long; 0: nothing is
 * asked of it. Any thread. */
spn_medium_state spn__io_medium_state(const struct io *io, spn_medium medium,
                                      uint64_t unanswered_us);
/* Give up what waits for devices that do not answer, and tell of states that
 * are others now. True when reads ended. io thread. */
bool spn__io_watch(struct io *io, uint64_t *due_us);

/* -- io_report.c: io thread -- */

/* A piece is with the device since medium->piece_start_us, or was refused. */
void spn__io_note_busy(struct io *io, const struct io_medium *medium,
                       bool is_busy);
/* It begins `seek_bytes` from where the last one ended. */
void spn__io_note_seek(struct io *io, const struct io_medium *medium,
                       uint64_t seek_bytes);
/* It came back: so many bytes for reads, and of gaps, at medium->ended_us. */
void spn__io_note_piece(struct io *io, const struct io_medium *medium,
                        uint64_t bytes, uint64_t gap_bytes,
                        uint32_t read_count);
void spn__io_note_end(struct io *io, const struct io_request *request);
/* So much of the read is still to come. */
void spn__io_note_pending(struct io *io, struct io_request *request,
                          uint64_t bytes);
/* Blocks of compressed entries were decoded for a read. */
void spn__io_note_unpack(struct io *io, const struct io_request *request,
                         const uint64_t add[UNPACK_COUNTERS]);
void spn__io_note_copy(struct io *io);
struct pace *spn__io_pace_of(struct io *io, const struct io_medium *medium);
/* After each step that did something: it may have changed any number, and who
 * stands in which line. */
void spn__io_send_report(struct io *io);

/* -- io_listen.c: whoever owns the read; only where somebody listens -- */

void spn__io_hear_queued(const struct io *io, uint32_t index, uint64_t key);
/* `by` goes first. */
void spn__io_hear_preempted(const struct io *io, uint32_t index, uint32_t by,
                            uint64_t key);
/* The piece of the medium is planned, and its head where it was before. */
void spn__io_hear_begin(const struct io *io, const struct io_medium *medium,
                        uint32_t index);
void spn__io_hear_end(const struct io *io, const struct io_medium *medium,
                      uint32_t index, spn_status status, uint64_t bytes);
/* The same of all reads of the medium's run. */
void spn__io_hear_run_begin(const struct io *io,
                            const struct io_medium *medium);
void spn__io_hear_run_end(const struct io *io, const struct io_medium *medium,
                          spn_status status, uint32_t bytes);
void spn__io_hear_aborted(const struct io *io, uint32_t index);
void spn__io_hear_completed(const struct io *io, uint32_t index);
/* `kind`: SPN_EVENT_CALLBACK_BEGIN or _END. */
void spn__io_hear_callback(const struct io *io, uint32_t index,
                           spn_callback callback, spn_event_kind kind,
                           spn_status status);

/* -- io_wait.c: whoever owns the read, or has it pinned -- */

/* What is told of a public read that has ended. */
spn_read_result spn__io_result_of(const struct io *io, uint32_t index);

/* -- io_stats.c: caller's thread -- */

void spn__io_count_completion(struct io *io, const struct io_request *request);

/* -- io_end.c: io thread -- */

/* The one end of a read, which is in no line and at no device any more. An
 * abort that was in time changes the status. */
void spn__io_end(struct io *io, uint32_t index, spn_status status);
/* End a read that was aborted, or that shutdown overtook. */
bool spn__io_end_if_unwanted(struct io *io, uint32_t index);
/* Hand over those that wait for a job, in order, as far as there is room. */
bool spn__io_submit_waiting(struct io *io);

static inline bool io_is_aborted(const struct io *io, uint32_t index)
{
    return (atomic_load_relaxed(&io->states[index]) & READ_IS_ABORTED) != 0;
}

static inline uint64_t io_now_us(const struct io *io)
{
    return io->platform->now_us(io->platform->user);
}

/* Wake the io thread. Any thread. */
static inline void io_wake(struct io *io)
{
    if (io->event != 0 && io->platform->event_signal)
        io->platform->event_signal(io->platform->user, io->event);
}

/* Tell the io thread something beside the inbox. Any thread. */
static inline void io_tell(struct io *io, uint32_t what)
{
    /* Pairs with the exchange in the io thread's step. */
    atomic_or_acq_rel(&io->heed, what);
    io_wake(io);
}

/* Into a ring that has room for all indices. */
static inline void io_push_sure(struct ring *ring, uint32_t index)
{
    bool has_room = spn__ring_push(ring, index);

    SPN_ASSERT(has_room);
    (void)has_room;
}

/* There is something for the caller's thread. Both sides change the word:
 * whoever comes second sees what the first one did. Pairs with the exchanges in
 * spn__io_await_done. Any thread. */
static inline void io_wake_caller(struct io *io)
{
    if (atomic_add_acq_rel(&io->is_awaited, 0))
        io->platform->event_signal(io->platform->user, io->done_event);
}

/* To the caller's thread: it has ended, or wants its block. Any thread. */
static inline void io_push_done(struct io *io, uint32_t index)
{
    io_push_sure(&io->done, index);
    io_wake_caller(io);
}

/* Byte `offset` of the file of a read whose medium is memory. io thread. */
static inline const uint8_t *io_memory_at(const struct io *io,
                                          const struct io_request *request,
                                          uint64_t offset)
{
    const struct pak_mount *mount = io_pak_of(request);
    const uint8_t *file;

    if (mount && request->pak.is_in_memory)
        return mount->memory + (offset - mount->memory_start);
    file = spn__files_info(&io->files, request->file)->memory;
    return file + offset;
}

/* Handle of a slot in use. */
static inline spn_read io_handle(const struct io *io, uint32_t index)
{
    uint32_t state = atomic_load_relaxed(&io->states[index]);

    return (state & ~READ_INDEX_MASK) | index;
}

/* When it is to be there: as it says itself, or by itself so long after its
 * start. One that was over by then is due at the start: it is not older than
 * reads that waited before it. */
static inline uint64_t io_due_us(const struct io_request *request,
                                 uint64_t by_itself_us)
{
    if (request->deadline_us == 0)
        return request->start_us + by_itself_us;
    return request->deadline_us > request->start_us ? request->deadline_us
                                                    : request->start_us;
}

/* How pressing it is now. */
static inline uint32_t io_priority(const struct io_request *request)
{
    return request->is_preempted ? SPN_PRIORITY_PREEMPTED
                                 : request->ticket.priority;
}

/* Is it of a compressed entry, which comes in whole blocks? */
static inline bool io_has_blocks(const struct io_request *request)
{
    return io_pak_of(request) && request->pak.range.is_packed;
}

/* What the destination of a read gets. */
static inline uint64_t io_wanted_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.range.bytes : request->bytes;
}

/* No callback says what became of it. */
static inline bool io_is_untold(const struct io_request *request)
{
    return request->is_public && !request->on_async && !request->on_done;
}

/* What it got, once the read has ended. */
static inline uint64_t io_good_bytes(const struct io_request *request)
{
    return io_pak_of(request) ? request->pak.good_bytes : request->done_bytes;
}

#endif
