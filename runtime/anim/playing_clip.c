/* playing_clip.c - records and states of clips that play. */
/* SPDX-License-Identifier: MIT */
#include "anim/playing_clip.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_clips.h"
#include "anim/anim_memory.h"
#include "anim/anim_system.h"
#include "anim/playing_windows.h"
#include "anim/playing_work.h"
#include "base/assert.h"
#include "base/heap_view.h"

/* Windows for each play: two that it needs; after a jump two of the time
 * before, and two whose jobs have not ended. */
#define WINDOWS_PER_PLAY 6u

/* -- tables -- */

void spn__playing_init(struct playing_table *table, struct carve *carve,
                       uint32_t play_count, uint32_t cue_count)
{
    table->clip_count = play_count + cue_count;
    table->window_count = WINDOWS_PER_PLAY * play_count + cue_count;
    table->place_count = spn__carve_ring_size(table->clip_count);
    table->clips = SPN_CARVE(carve, struct playing_clip, table->clip_count);
    table->windows =
        SPN_CARVE(carve, struct playing_window, table->window_count);
    table->places = SPN_CARVE(carve, uint32_t, table->place_count);
    table->window_place_count = spn__carve_ring_size(table->window_count);
    table->window_places =
        SPN_CARVE(carve, uint32_t, table->window_place_count);
    table->tables = SPN_CARVE(carve, struct anim_decoder_tables, 1);
    table->still.rows = SPN_CARVE(carve, int16_t, 32);
    table->still.base = table->still.rows;
    table->still.wide = (int32_t *)(void *)table->still.rows;
    table->still.frame_count = 1;
}

void spn__playing_begin(struct anim *a)
{
    struct playing_table *t = &a->playing;

    for (uint32_t i = 0; i < t->clip_count; i++) {
        t->clips[i].anim = a;
        t->clips[i].next = i + 1 < t->clip_count ? i + 1 : PLAYING_NONE;
    }
    for (uint32_t i = 0; i < t->window_count; i++)
        t->windows[i].next = i + 1 < t->window_count ? i + 1 : PLAYING_NONE;
    for (uint32_t i = 0; i < t->place_count; i++)
        t->places[i] = PLAYING_NONE;
    for (uint32_t i = 0; i < t->window_place_count; i++)
        t->window_places[i] = PLAYING_NONE;
    spn__anim_decoder_tables_init(t->tables, a->config.cpu);
}

static uint32_t number_of(const struct playing_clip *p)
{
    return (uint32_t)(p - p->anim->playing.clips);
}

static uint32_t *place_of(struct playing_table *t, uint32_t clip)
{
    return &t->places[clip & (t->place_count - 1)];
}

/* -- jobs -- */

/* Begin a piece of work: now if the budget allows it, otherwise as a job.
 * False: the queue of jobs is full. */
static bool start(struct playing_clip *p, job_fn run, uint32_t number,
                  struct playing_job *job, uint32_t *budget)
{
    struct anim *a = p->anim;
    struct jobs *jobs = a->config.jobs;

    atomic_store_relaxed(&job->is_done, 0);
    job->fault = (spn_fault){.what = NULL};
    if (*budget == 0) {
        if (!spn__jobs_submit(jobs, run, a, number))
            return false;
    } else {
        --*budget;
        run(a, number, &jobs->workers[jobs->worker_count - 1]);
    }
    a->playing.busy++;
    p->load->users++;
    return true;
}

/* True once, after the end of a piece of work. */
static bool has_ended(struct playing_clip *p, const struct playing_job *job)
{
    if (!spn__playing_is_done(job))
        return false;
    p->anim->playing.busy--;
    p->load->users--;
    return true;
}

static void report_damage(struct anim *a, const struct playing_clip *p,
                          spn_status status, uint32_t frame)
{
    a->stats.segments_damaged++;
    spn__anim_trace(a, TRACE_CLIP_FAIL, p->clip, (uint32_t)status);
    spn__anim_clip_event(a, p->clip, SPN_ANIM_DAMAGED, status, frame);
}

static void collect_clip(struct anim *a, struct playing_clip *p)
{
    if ((p->state != PLAYING_MEASURING && p->state != PLAYING_OPENING) ||
        !has_ended(p, &p->job))
        return;
    if (p->job.status == SPN_OK) {
        p->state =
            p->state == PLAYING_MEASURING ? PLAYING_MEASURED : PLAYING_OPEN;
        return;
    }
    p->state = PLAYING_FAILED;
    report_damage(a, p, p->job.status, SPN_ANIM_NO_FRAME);
}

static void collect_window(struct anim *a, struct playing_window *w)
{
    struct playing_clip *p = &a->playing.clips[w->owner];

    if (w->state != WINDOW_DECODING || !has_ended(p, &w->job))
        return;
    w->state = w->job.status == SPN_OK ? WINDOW_READY : WINDOW_DAMAGED;
    if (w->state == WINDOW_READY)
        a->stats.segments_decoded++;
    else
        report_damage(a, p, w->job.status,
                      w->segment * p->open.header.segment_frames);
}

/* -- clips -- */

static bool has_job(const struct anim *a, const struct playing_clip *p)
{
    if (p->state == PLAYING_MEASURING || p->state == PLAYING_OPENING)
        return true;
    for (uint32_t i = p->first_window; i != PLAYING_NONE;
         i = a->playing.windows[i].next)
        if (a->playing.windows[i].state == WINDOW_DECODING)
            return true;
    return false;
}

/* End a clip without plays, unless a job uses it. */
static void end(struct anim *a, struct playing_clip *p)
{
    struct playing_table *t = &a->playing;
    uint32_t *link = place_of(t, p->clip);

    if (has_job(a, p))
        return;
    while (p->first_window != PLAYING_NONE)
        spn__window_free(a, &t->windows[p->first_window]);
    if (p->block != 0)
        spn__anim_memory_give(a, p->block);
    while (*link != number_of(p))
        link = &t->clips[*link].next;
    *link = p->next;
    *p = (struct playing_clip){.anim = a, .next = t->free_clip};
    t->free_clip = number_of(p);
}

uint32_t spn__playing_join(struct anim *a, uint32_t clip)
{
    struct playing_table *t = &a->playing;
    uint32_t *place = place_of(t, clip);
    uint32_t i = *place;

    /* One without plays waits for its jobs: its bytes may be freed then. */
    while (i != PLAYING_NONE &&
           (t->clips[i].clip != clip || t->clips[i].play_count == 0))
        i = t->clips[i].next;
    if (i != PLAYING_NONE) {
        t->clips[i].play_count++;
        return i;
    }
    i = t->free_clip;
    if (i == PLAYING_NONE)
        return i;
    t->free_clip = t->clips[i].next;
    t->clips[i] = (struct playing_clip){
        .anim = a,
        .state = PLAYING_WAITING,
        .clip = clip,
        .facts = spn__clip_index_clip(&a->image.index, clip),
        .play_count = 1,
        .first_window = PLAYING_NONE,
        .next = *place,
    };
    *place = i;
    return i;
}

void spn__playing_leave(struct anim *a, uint32_t playing)
{
    struct playing_clip *p = &a->playing.clips[playing];

    SPN_ASSERT(p->play_count > 0);
    if (--p->play_count == 0)
        end(a, p);
}

void spn__playing_collect(struct anim *a)
{
    struct playing_table *t = &a->playing;

    for (uint32_t i = 0; t->busy > 0 && i < t->window_count; i++)
        collect_window(a, &t->windows[i]);
    for (uint32_t i = 0; i < t->clip_count; i++) {
        struct playing_clip *p = &t->clips[i];

        if (p->state == PLAYING_FREE)
            continue;
        collect_clip(a, p);
        if (p->play_count == 0)
            end(a, p);
    }
}

static void begin_measure(struct anim *a, struct playing_clip *p,
                          uint32_t *budget)
{
    if (spn__clip_ready_bytes(a, p->clip) == 0)
        return;
    p->load = spn__clip_load(a, p->clip, &p->source_start);
    p->source = p->load->block;
    if (start(p, spn__playing_measure, number_of(p), &p->job, budget))
        p->state = PLAYING_MEASURING;
}

static void begin_fill(struct anim *a, struct playing_clip *p, uint32_t *budget)
{
    const uint64_t bytes =
        (uint64_t)p->track_bytes + p->table_bytes +
        (uint64_t)spn__window_slot_count(p) * p->window_bytes;
    spn_status status = SPN_OK;

    if (p->block == 0)
        status = bytes <= UINT32_MAX
                     ? spn__window_take_block(a, (uint32_t)bytes, &p->block)
                     : SPN_ERR_MEMORY;
    if (status < SPN_OK) {
        p->job.status = status;
        p->job.fault = (spn_fault){.what = "size of tracks and two segments",
                                   .value = bytes};
        p->state = PLAYING_FAILED;
        report_damage(a, p, status, SPN_ANIM_NO_FRAME);
    }
    if (status == SPN_OK &&
        start(p, spn__playing_fill, number_of(p), &p->job, budget))
        p->state = PLAYING_OPENING;
}

void spn__playing_open(struct anim *a, struct playing_clip *p, uint32_t *budget)
{
    if (p->state == PLAYING_WAITING)
        begin_measure(a, p, budget);
    collect_clip(a, p);
    if (p->state == PLAYING_MEASURED)
        begin_fill(a, p, budget);
    collect_clip(a, p);
}

/* Give memory of a window that can wait to one that a play lacks now. */
static bool take_memory_of_another(struct anim *a, struct playing_window *w)
{
    uint32_t i = a->playing.clips[w->owner].first_window;

    while (i != PLAYING_NONE) {
        struct playing_window *other = &a->playing.windows[i];

        i = other->next;
        if (other->need == WINDOW_IS_NOW || other->state == WINDOW_DECODING ||
            other->slot == SLOT_NONE)
            continue;
        spn__window_free(a, other);
        return spn__window_take_memory(a, w);
    }
    return false;
}

static bool take_memory(struct anim *a, struct playing_window *w)
{
    return spn__window_take_memory(a, w) ||
           (w->need == WINDOW_IS_NOW && take_memory_of_another(a, w));
}

static void begin_decode(struct anim *a, struct playing_window *w,
                         uint32_t *budget)
{
    struct playing_clip *p = &a->playing.clips[w->owner];
    const struct anim_segment_place place =
        spn__anim_clip_segment(&p->open, w->segment);

    if (place.offset + place.bytes > spn__clip_ready_bytes(a, p->clip) ||
        !take_memory(a, w))
        return;
    if (start(p, spn__playing_decode_segment,
              (uint32_t)(w - a->playing.windows), &w->job, budget))
        w->state = WINDOW_DECODING;
    collect_window(a, w);
}

void spn__playing_decode(struct anim *a, uint32_t *budget)
{
    struct playing_table *t = &a->playing;
    uint32_t none = 0;

    for (uint32_t i = 0; i < t->window_count; i++) {
        struct playing_window *w = &t->windows[i];

        if (w->state != WINDOW_FREE && w->state != WINDOW_DECODING &&
            w->need == WINDOW_IS_IDLE)
            spn__window_free(a, w);
    }
    for (uint32_t i = 0; i < t->window_count; i++)
        if (t->windows[i].state == WINDOW_READY && t->windows[i].block != 0)
            spn__window_move_to_slot(a, &t->windows[i]);
    for (uint32_t need = WINDOW_IS_NOW; need > WINDOW_IS_IDLE; need--)
        for (uint32_t i = 0; i < t->window_count; i++)
            if (t->windows[i].state == WINDOW_EMPTY &&
                (uint32_t)t->windows[i].need == need)
                begin_decode(a, &t->windows[i],
                             need >= WINDOW_IS_END ? budget : &none);
}

bool spn__playing_shutdown(struct anim *a)
{
    struct playing_table *t = &a->playing;

    for (uint32_t i = 0; i < t->clip_count; i++)
        t->clips[i].play_count = 0;
    spn__playing_collect(a);
    for (uint32_t i = 0; i < t->clip_count; i++)
        if (t->clips[i].state != PLAYING_FREE)
            return false;
    return true;
}

/* -- checks -- */

static bool check_window(const struct anim *a, uint32_t owner,
                         const struct playing_window *w, uint64_t *pages)
{
    const struct playing_clip *p = &a->playing.clips[owner];

    if (w->block != 0)
        *pages +=
            spn__promise_pages(&a->config.manager->promises, p->window_bytes);
    if (w->slot < PLAYING_SLOTS && !(p->used_slots >> w->slot & 1))
        return false;
    return w->owner == owner && w->state != WINDOW_FREE &&
           spn__window_find(a, p, w->segment) == w &&
           (w->block != 0) == (w->slot == PLAYING_SLOTS) &&
           (w->slot != SLOT_NONE || w->state == WINDOW_EMPTY) &&
           w->segment < p->open.header.segment_count;
}

static bool check_clip(const struct anim *a, uint32_t number, uint32_t *windows,
                       uint64_t *pages)
{
    const struct playing_clip *p = &a->playing.clips[number];
    const uint32_t before = *windows;
    uint32_t slots = 0;

    if (p->block != 0)
        *pages += spn__promise_pages(&a->config.manager->promises,
                                     spn__heap_bytes(a->config.heap, p->block));
    for (uint32_t i = p->first_window; i != PLAYING_NONE;
         i = a->playing.windows[i].next) {
        if (*windows - before > a->playing.window_count ||
            !check_window(a, number, &a->playing.windows[i], pages))
            return false;
        ++*windows;
        slots += a->playing.windows[i].slot < PLAYING_SLOTS;
    }
    return slots == (p->used_slots & 1) + (p->used_slots >> 1) &&
           (p->block != 0 || p->state != PLAYING_OPEN) &&
           (p->play_count > 0 ? spn__clip_is_wanted(a, p->clip)
                              : has_job(a, p));
}

bool spn__playing_check(const struct anim *a, uint64_t *pages)
{
    const struct playing_table *t = &a->playing;
    uint32_t windows = 0;
    uint32_t free = 0;

    for (uint32_t i = 0; i < t->clip_count; i++)
        if (t->clips[i].state != PLAYING_FREE &&
            !check_clip(a, i, &windows, pages))
            return false;
    for (uint32_t i = 0; i < t->window_count; i++)
        free += t->windows[i].state == WINDOW_FREE;
    return free + windows == t->window_count;
}

#endif
