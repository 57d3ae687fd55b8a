/* stream_read.c - which bytes to read next, and what became of them.
 *
 * A read covers whole groups in file order, never past the end of one loop
 * and never what was requested already. It grows to the preferred size unless
 * that reaches further ahead than allowed, or than memory allows. The first
 * read after a seek begins with the frame that its first group refers to,
 * which lies directly before it: one read.
 *
 * A read that fails (the io thread has tried again by then, and found the page
 * that is bad) goes on with the next frame behind it, so that an unreadable
 * place costs the frames that lie there and no others. Each attempt loses a
 * frame, so there is an end.
 */
/* SPDX-License-Identifier: MIT */
#include "base/assert.h"
#include "base/mem.h"
#include "observe/pace.h"
#include "play/admission.h"
#include "play/stream.h"

#define READ_ALIGN 4096u
#define MS 1000
#define SOON_US 500000
/* No read grows beyond this on account of seeks. */
#define READ_SEEK_BYTES_MAX (8u << 20)

/* -- ends -- */

static void free_read(struct stream *s, struct stream_read *r)
{
    (void)spn__heap_free(s->manager->config.heap, r->block);
    s->read_pages -= r->pages;
    memset(r, 0, sizeof *r);
    spn__stream_account(s);
}

void spn__stream_release_read(struct stream *s, struct stream_group *g)
{
    struct stream_read *r;

    if (g->read == STREAM_NO_READ)
        return;
    r = &s->reads[g->read];
    g->read = STREAM_NO_READ;
    SPN_ASSERT(r->group_count > 0);
    if (--r->group_count > 0)
        return;
    if (r->state == READ_DONE || r->state == READ_RETRY) {
        free_read(s, r);
        return;
    }
    /* The memory is the device's until the completion. */
    SPN_ASSERT(r->state == READ_PENDING);
    r->state = READ_DYING;
    spn__manager_trace(s->manager, TRACE_READ_ABORT, s->subject,
                       (uint32_t)(r->offset / READ_ALIGN), r->bytes);
    (void)spn__io_abort(s->manager->config.io, r->read);
}

static struct stream_group *group_of_read(const struct stream *s,
                                          uint32_t index, uint32_t i)
{
    struct stream_group *g = spn__stream_group(s, s->first_place + i);

    return g->read == index ? g : NULL;
}

/* The frames whose bytes arrived: [start, limit) of the buffer. */
static void mark_readable(struct stream *s, uint32_t index, uint64_t start,
                          uint64_t limit)
{
    const struct stream_read *r = &s->reads[index];

    for (uint32_t i = 0; i < s->group_count; i++) {
        struct stream_group *g = group_of_read(s, index, i);

        for (uint32_t k = 0; g && k < g->info->frame_count; k++) {
            const struct cache_frame *frame =
                cache_frame_at(s->cache, g->info->first_frame + k);
            uint64_t at = frame->offset - r->offset;

            /* Of a group that is there for its anchor alone, the other frames
             * lie before the buffer. */
            if (frame->offset >= r->offset && at >= start && at <= limit &&
                frame->bytes <= limit - at)
                stream_group_frame(g, k)->is_readable = true;
        }
    }
}

/* Where to go on behind a failure: at the first frame that begins behind the
 * bad page. 0: nowhere. */
static uint32_t find_resume(const struct stream *s, uint32_t index,
                            uint64_t failed_at)
{
    const struct stream_read *r = &s->reads[index];
    uint64_t behind = failed_at - failed_at % READ_ALIGN + READ_ALIGN;
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < s->group_count; i++) {
        const struct stream_group *g = group_of_read(s, index, i);

        for (uint32_t k = 0; g && k < g->info->frame_count; k++) {
            const struct cache_frame *frame =
                cache_frame_at(s->cache, g->info->first_frame + k);
            uint64_t at = frame->offset - r->offset;

            if (frame->offset >= r->offset && at >= behind && at < first)
                first = at;
        }
    }
    return first < r->bytes ? (uint32_t)(first - first % READ_ALIGN) : 0;
}

/* Nothing more is read of a clip that does not loop. */
static void finish_if_read(struct stream *s)
{
    if (s->is_draining || !spn__stream_is_end(s, s->next_place))
        return;
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state != READ_FREE && s->reads[i].state != READ_DONE)
            return;
    spn__admission_finish(s);
}

/* Failures that are about one place: what lies behind it may be good. */
static bool is_of_a_place(spn_status status)
{
    return status == SPN_ERR_IO || status == SPN_ERR_CHECKSUM ||
           status == SPN_ERR_CODEC;
}

static void end_read(struct stream *s, uint32_t index,
                     const struct io_result *result)
{
    struct stream_read *r = &s->reads[index];
    uint64_t limit = (uint64_t)r->start + result->bytes;
    uint32_t resume;

    r->state = READ_DONE;
    mark_readable(s, index, r->start, limit);
    if (result->status != SPN_OK)
        r->status = (int8_t)result->status;
    if (!is_of_a_place(result->status) || s->is_draining)
        return;
    resume = find_resume(s, index, limit);
    if (resume == 0)
        return;
    r->start = resume;
    r->state = READ_RETRY;
}

static void on_read(void *context, uint32_t argument,
                    const struct io_result *result)
{
    struct stream *s = context;
    struct stream_read *r = &s->reads[argument];
    struct manager_pending *pending = &s->manager->pending[r->medium];

    spn__manager_trace(s->manager, TRACE_READ_END, s->subject,
                       (uint32_t)(r->offset / READ_ALIGN),
                       (uint32_t)result->status);
    r->read = 0;
    pending->reads--;
    pending->bytes -= r->bytes - r->start;
    s->bytes_read += result->bytes;
    if (r->state == READ_DYING)
        free_read(s, r);
    else
        end_read(s, argument, result);
    finish_if_read(s);
}

/* -- starting -- */

/* When the first frame of a group must be there to be decoded in time. What is
 * needed at once is due soon: a deadline that cannot be kept is none. */
static uint64_t deadline_us(const struct stream *s, uint64_t place)
{
    const struct manager *m = s->manager;
    int64_t decode_us =
        (int64_t)m->config.tuning->value[TUNING_decode_ahead_ms] * MS;
    int64_t slack_us =
        spn__stream_group_time(s, place) - s->position_us - decode_us;

    return m->now_us + (uint64_t)(slack_us > SOON_US ? slack_us : SOON_US);
}

/* The first group that needs the bytes of a read. */
static uint64_t place_of_read(const struct stream *s, uint32_t index)
{
    for (uint32_t i = 0; i < s->group_count; i++)
        if (group_of_read(s, index, i))
            return s->first_place + i;
    return s->next_place;
}

static bool start_read(struct stream *s, uint32_t index, uint64_t place)
{
    struct manager *m = s->manager;
    struct stream_read *r = &s->reads[index];
    struct io_read read = {0};

    read.file = s->cache->file;
    read.offset = r->offset + r->start;
    read.bytes = r->bytes - r->start;
    read.block = r->block;
    read.block_offset = r->start;
    read.is_doubtful = r->start > 0;
    read.priority =
        s->admission == SPN_DEGRADED ? SPN_PRIORITY_IDLE : s->priority;
    read.task = SPN_TASK_GEOM_CACHE;
    read.deadline_us = deadline_us(s, place);
    read.on_done = on_read;
    read.context = s;
    read.argument = index;
    if (spn__io_start(m->config.io, &read, &r->read) != SPN_OK)
        return false;
    r->state = READ_PENDING;
    r->medium = (uint8_t)s->cache->medium;
    m->pending[r->medium].reads++;
    m->pending[r->medium].bytes += read.bytes;
    spn__manager_trace(m, TRACE_READ_START, s->subject,
                       (uint32_t)(r->offset / READ_ALIGN), r->bytes);
    return true;
}

void spn__stream_retry(struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state == READ_RETRY)
            (void)start_read(s, i, place_of_read(s, i));
}

/* What a read would cover. */
struct range {
    uint64_t anchor_place; /* group before, of which only the anchor is read */
    uint64_t offset;       /* aligned */
    uint32_t group_count;
};

static uint64_t range_bytes(const struct stream *s, const struct range *range,
                            uint32_t group_count)
{
    const struct cache_group *last =
        spn__stream_group_info(s, s->next_place + group_count - 1);
    uint64_t end = last->offset + last->bytes;

    end += (READ_ALIGN - end % READ_ALIGN) % READ_ALIGN;
    if (end > s->cache->header.file_bytes)
        end = s->cache->header.file_bytes;
    return end - range->offset;
}

/* Its share of the memory that nobody is promised, if a read is as large for
 * everybody and two more are on their way. */
static uint64_t fair_bytes(const struct stream *s)
{
    const struct manager *m = s->manager;
    uint32_t taken = m->static_pages + m->promised_pages;
    uint32_t page_count = m->config.heap->page_count;
    uint64_t pages = page_count > taken ? page_count - taken : 0;

    pages = pages / (m->order_count + 2) + s->cache->read_pages_max;
    return pages << m->config.heap->page_shift;
}

/* The preferred size; a larger one where the device's seeks are long. */
uint64_t spn__stream_read_bytes(const struct stream *s)
{
    const struct manager *m = s->manager;
    uint64_t enough =
        (uint64_t)m->config.tuning->value[TUNING_request_kib] * 1024u;
    const struct pace *pace = spn__io_pace(m->config.io, s->cache->medium);
    uint64_t wanted = spn__pace_read_bytes(pace, READ_SEEK_BYTES_MAX);
    uint64_t fair = fair_bytes(s);

    if (wanted > fair)
        wanted = fair;
    return wanted > enough ? wanted : enough;
}

/* The same size, changed so that no short read is left at the clip's end. */
static uint64_t even_bytes(const struct stream *s, uint64_t offset,
                           uint64_t enough)
{
    const struct cache_header *h = &s->cache->header;
    const struct cache_group *last =
        cache_group_at(s->cache, h->group_count - 1);
    uint64_t rest = last->offset + last->bytes - offset;
    uint64_t parts = (rest + enough / 2) / enough;

    return parts ? (rest + parts - 1) / parts : rest;
}

/* How many groups the time allows, from the first on. A rest of the clip that
 * is at most half as long goes along: it would cost a seek of its own. Who
 * reads early, in a rush, reads as much as at its least: shorter reads would be
 * more ways, and no help. */
static uint32_t groups_ahead(const struct stream *s)
{
    const uint32_t *value = s->manager->config.tuning->value;
    int64_t limit_us = spn__stream_group_time(s, s->next_place) -
                       (int64_t)value[TUNING_buffer_ahead_min_ms] * MS;
    uint32_t total = s->cache->header.group_count;
    uint32_t left = total - (uint32_t)(s->next_place % total);
    uint32_t count = 1;

    if (limit_us < s->position_us)
        limit_us = s->position_us;
    limit_us += (int64_t)value[TUNING_buffer_ahead_max_ms] * MS;
    while (count < left &&
           spn__stream_group_time(s, s->next_place + count) < limit_us)
        count++;
    return left - count <= count / 2 ? left : count;
}

/* Bytes, time, the loop's end and the tables bound it. 0 groups: no room. */
static void choose_range(const struct stream *s, struct range *range)
{
    const struct cache_group *first = spn__stream_group_info(s, s->next_place);
    uint64_t enough;
    uint32_t count_max = groups_ahead(s);
    uint32_t extra_groups = 0;
    uint32_t frames = 0;

    range->anchor_place = STREAM_NO_PLACE;
    range->offset = first->offset;
    range->group_count = 0;
    if (s->group_count == 0 && first->anchor_frame != CACHE_NONE) {
        range->anchor_place = s->next_place - 1;
        range->offset = cache_frame_at(s->cache, first->anchor_frame)->offset;
        extra_groups = 1;
        frames = spn__stream_group_info(s, range->anchor_place)->frame_count;
    }
    enough = even_bytes(s, range->offset, spn__stream_read_bytes(s));
    range->offset -= range->offset % READ_ALIGN;
    do {
        uint64_t place = s->next_place + range->group_count;
        const struct cache_group *g = spn__stream_group_info(s, place);

        frames += g->frame_count;
        if (!spn__stream_has_room(s, range->group_count + 1 + extra_groups,
                                  frames))
            return;
        if (range_bytes(s, range, range->group_count + 1) >
            STREAM_READ_BYTES_MAX)
            return;
        range->group_count++;
    } while (range->group_count < count_max &&
             range_bytes(s, range, range->group_count) < enough);
}

/* As many groups as memory allows; 0: none now. */
static uint32_t alloc_range(struct stream *s, const struct range *range,
                            struct stream_read *r)
{
    struct manager *m = s->manager;
    uint32_t left = stream_missing(s->read_promise, s->read_pages);

    for (uint32_t n = range->group_count; n > 0; n = n > 4 ? n / 2 : n - 1) {
        uint64_t bytes = range_bytes(s, range, n);
        uint32_t pages = spn__manager_pages(m, bytes);

        if (pages > left && !spn__manager_may_take(m, pages, left))
            continue;
        if (spn__heap_alloc(m->config.heap, (uint32_t)bytes, 0, HEAP_TAG_READ,
                            &r->block) == SPN_OK) {
            r->bytes = (uint32_t)bytes;
            r->pages = pages;
            return n;
        }
        if (pages <= left && n == 1)
            m->wants_shed = true;
    }
    return 0;
}

static uint32_t find_free(const struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state == READ_FREE)
            return i;
    return STREAM_READS_MAX;
}

/* It has less than the least ahead; in a rush, while the device rests, less
 * than the most. One that is degraded reads when all others have enough, also
 * if the device were busy for as long as that takes. */
static bool is_due(const struct stream *s)
{
    const struct manager *m = s->manager;
    const struct manager_pending *pending = &m->pending[s->cache->medium];
    const uint32_t *value = m->config.tuning->value;
    uint32_t low = value[TUNING_buffer_ahead_min_ms];
    uint32_t high = value[TUNING_buffer_ahead_max_ms];
    int64_t min_us;

    /* Knobs are set one after the other, so the one may pass the other. */
    if (low > high)
        low = high;
    if (s->admission == SPN_DEGRADED &&
        (pending->is_rush || pending->reads > 0))
        return false;
    if (pending->is_rush && pending->reads == 0)
        low = high;
    min_us = (int64_t)low * MS;
    return s->decode_promise > 0 && s->is_judged && !s->is_draining &&
           !spn__stream_is_end(s, s->next_place) &&
           spn__stream_group_time(s, s->next_place) - s->position_us < min_us;
}

bool spn__stream_read(struct stream *s)
{
    uint32_t index = find_free(s);
    struct stream_read *r;
    struct range range;
    uint32_t count;

    if (index == STREAM_READS_MAX || !is_due(s))
        return false;
    choose_range(s, &range);
    /* At most the frame after the wanted one is needed at once. */
    s->lacks_room = range.group_count == 0 &&
                    spn__stream_group_first(s, s->next_place) <= s->wanted + 1;
    r = &s->reads[index];
    count = alloc_range(s, &range, r);
    if (count == 0)
        return false;
    r->offset = range.offset;
    s->read_pages += r->pages;
    if (!start_read(s, index, s->next_place)) {
        free_read(s, r);
        return false;
    }
    if (range.anchor_place != STREAM_NO_PLACE)
        spn__stream_push(s, range.anchor_place, index, true);
    for (uint32_t i = 0; i < count; i++)
        spn__stream_push(s, s->next_place + i, index, false);
    s->next_place += count;
    s->served = s->manager->serial++;
    spn__stream_account(s);
    return true;
}

/* -- giving up -- */

void spn__stream_abort_reads(struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++) {
        struct stream_read *r = &s->reads[i];

        if (r->state == READ_PENDING)
            (void)spn__io_abort(s->manager->config.io, r->read);
    }
}

bool spn__stream_is_reading(const struct stream *s)
{
    for (uint32_t i = 0; i < STREAM_READS_MAX; i++)
        if (s->reads[i].state == READ_PENDING ||
            s->reads[i].state == READ_DYING)
            return true;
    return false;
}

/* Frames that are needed now, or next; or the later one that is shown, where it
 * lies behind what is wanted (STREAM_NO_PLACE + 1 is 0). */
static bool is_wanted(const struct stream *s, const struct stream_group *g)
{
    return s->group_count < 2 || g->first <= s->wanted + 1 ||
           g->first < s->pinned[1] + 1;
}

/* May the last group of several go, which holds a read or is decoded? It can be
 * read again, at the price of the time. Reads lie behind what is decoded: where
 * frames must go, even a promised read gives way. */
static bool may_drop(const struct stream *s, const struct stream_group *g)
{
    bool has_frames = s->decoded_pages > s->decode_promise;

    if (is_wanted(s, g))
        return false;
    if (g->state == GROUP_WAITING)
        return s->read_pages > s->read_promise || has_frames;
    return g->state == GROUP_COMPLETE && has_frames;
}

/* Others may give pages back by themselves. */
#define PATIENCE_US 100000u

bool spn__stream_make_room(struct stream *s)
{
    uint64_t now_us = s->manager->now_us;

    if (!s->lacks_memory || s->decoded_pages == 0 ||
        now_us - s->lacks_since_us < PATIENCE_US)
        return false;
    s->lacks_since_us = now_us;
    if (s->held) {
        spn__stream_drop_held(s);
        return true;
    }
    s->is_cramped = true;
    spn__stream_drain(s);
    return true;
}

static const struct stream_group *last_group(const struct stream *s)
{
    return spn__stream_group(s, s->first_place + s->group_count - 1);
}

bool spn__stream_shed(struct stream *s)
{
    uint8_t read;
    bool has_dropped = false;

    SPN_ASSERT(s->is_active);
    SPN_ASSERT(!s->is_draining);
    if (s->group_count == 0)
        return false;
    read = last_group(s)->read;
    /* All groups that end this read, so that its memory comes back; then
     * decoded ones, until what was promised is left. */
    while (may_drop(s, last_group(s)) &&
           (last_group(s)->read == read ||
            last_group(s)->state == GROUP_COMPLETE)) {
        spn__stream_pop_back(s);
        has_dropped = true;
    }
    if (has_dropped)
        spn__stream_account(s);
    return has_dropped;
}
