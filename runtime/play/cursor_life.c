/* cursor_life.c - begin, follow and drain a cursor. */
/* SPDX-License-Identifier: MIT */
#include "play/cursor_life.h"

#include "base/assert.h"
#include "play/cache_meshes.h"
#include "play/cursor_promise.h"
#include "play/drive_share.h"
#include "play/frame_buffer.h"
#include "play/frame_slot.h"
#include "play/group_table.h"

#define RATE_MIN 1000u
#define RATE_MAX ((uint32_t)SPN_RATE_MAX)
/* The longest time after a leap until the time rests. */
#define REST_US 250000u
/* After a step back that is no jump: how long after the traversal began lost
 * frames are tried again, and frames that are left out come back at once. While
 * the time stands still: how long after the last attempt lost frames are tried
 * again; twice as long after each, up to RETRY_DOUBLINGS times. */
#define RETRY_US 500000u
#define RETRY_DOUBLINGS 4u
/* Steps against the direction that turn it round. */
#define TURN_STEPS 2u

static spn_status refuse(struct cursor *s, spn_status status, const char *what,
                         uint64_t value, uint64_t expected)
{
    s->status = status;
    s->fault = (spn_fault){.what = what,
                           .value = value,
                           .expected = expected,
                           .has_expected = 1,
                           .status = status,
                           .file = s->cache->path};
    return status;
}

/* Check that the cursor can play in this heap and these tables. After this
 * check page counts fit 32 bits. */
static spn_status validate_size(struct cursor *s)
{
    const struct cache *c = s->cache;
    const struct heap *heap = s->manager->config.heap;
    const uint32_t static_pages = c->pages + cache_mesh_pages(c);
    uint64_t pages =
        (uint64_t)spn__cache_frames_least(c) * c->plan.frame_pages +
        c->read_pages_max;

    if (s->frames_max < 2 * c->group_frames_max)
        return refuse(s, SPN_ERR_TABLE_FULL, "frames of a stream",
                      s->frames_max, 2 * c->group_frames_max);
    /* The size of a read has 31 bits, on any heap. */
    if (pages + static_pages > heap->page_count ||
        (uint64_t)c->read_pages_max << heap->page_shift > GROUP_READ_BYTES_MAX)
        return refuse(s, SPN_ERR_MEMORY, "bytes of the heap",
                      (uint64_t)heap->page_count << heap->page_shift,
                      (pages + static_pages) << heap->page_shift);
    s->status = SPN_OK;
    return SPN_OK;
}

/* Frames that were lost so far are tried again. */
static void forget_lost(struct cursor *s)
{
    s->retry_stamp = s->manager->promises.keeper.stamp;
    spn__frame_slot_allow_retry(s->cache);
    s->retry_us = s->manager->now_us;
    s->next_undecided = cursor_first(s);
}

void spn__cursor_end_return(struct cursor *s)
{
    s->has_new_cut = s->has_new_cut || s->near_cut != s->cut;
    s->near_cut = s->cut;
}

static void begin_traversal(struct cursor *s)
{
    s->rest_retries = 0;
    forget_lost(s);
    s->next_to_pass = cursor_first(s);
    s->has_lost_all = false;
    s->turn_count = 0;
    spn__cursor_end_return(s);
}

/* The rate that the user set, if there is one. */
static void use_set_rate(struct cursor *s)
{
    const uint32_t rate = s->set_permille < 0 ? 0u - (uint32_t)s->set_permille
                                              : (uint32_t)s->set_permille;

    if (rate != 0)
        s->rate_permille = rate < RATE_MIN ? RATE_MIN : rate;
}

void spn__cursor_begin(struct cursor *s)
{
    SPN_ASSERT(s->cache->state == CACHE_READY);
    SPN_ASSERT(!s->is_active);
    if (validate_size(s) != SPN_OK)
        return;
    s->is_active = true;
    s->is_draining = false;
    s->is_backward = s->set_permille < 0;
    s->lacks_memory = false;
    s->is_leaping = false;
    s->is_scrubbing = false;
    s->leap_us = s->manager->now_us;
    s->reach_us = 0;
    s->mask_us = s->manager->now_us;
    s->lacks_since_us = s->manager->now_us;
    s->rate_permille = RATE_MIN;
    s->step_permille = RATE_MIN;
    s->pace_permille = RATE_MIN;
    s->ready_us = INT64_MAX;
    use_set_rate(s);
    s->followed_position_us = s->position_us;
    s->followed_us = s->manager->now_us;
    s->next_place = spn__cursor_place_of(s, s->wanted);
    s->next_missing = GROUP_BODY;
    for (uint32_t i = 0; i < CURSOR_PINS; i++)
        s->pinned[i] = CURSOR_NO_POSITION;
#if SPN_WITH_FRAME_BUFFERS
    s->cache->buffers.each = spn__frame_buffers_needed(s->cache, 1);
#endif
    s->cache->cursor_count++;
    s->cache->mask_is_due = true;
    begin_traversal(s);
    spn__drive_share_request(s);
}

static void turn(struct cursor *s)
{
    s->is_backward = !s->is_backward;
    s->rate_permille = RATE_MIN;
    s->step_permille = RATE_MIN;
    begin_traversal(s);
}

/* A single fast step, like one after a pause, does not count: of the last two
 * steps the slower one does.
 *
 * distance_us  of the last step
 * elapsed_us   since the step before, > 0 */
static void follow_rate(struct cursor *s, uint64_t distance_us,
                        uint64_t elapsed_us)
{
    uint64_t rate = distance_us * 1000 / elapsed_us;
    uint32_t slower;

    if (rate < RATE_MIN)
        rate = RATE_MIN;
    if (rate > RATE_MAX)
        rate = RATE_MAX;
    slower = rate < s->step_permille ? (uint32_t)rate : s->step_permille;
    s->step_permille = (uint32_t)rate;
    s->rate_permille = (3 * s->rate_permille + slower) / 4;
}

/* The mean speed of the last updates, also of those without a step.
 *
 * distance_us  since the last update */
static void follow_pace(struct cursor *s, uint64_t distance_us)
{
    const uint64_t elapsed_us = s->manager->governor->elapsed_us;
    uint64_t pace = RATE_MAX;

    if (distance_us > CURSOR_JUMP_US || elapsed_us == 0)
        return;
    if (distance_us * 1000 / elapsed_us < RATE_MAX)
        pace = distance_us * 1000 / elapsed_us;
    s->pace_permille = (uint32_t)((7 * s->pace_permille + pace) / 8);
}

/* True if the time moves as no playback does. Playback that begins again after
 * a rest moves only as far as its rate allows since the last update.
 *
 * elapsed_us  since the last step */
static bool is_leap(const struct cursor *s, uint64_t distance_us,
                    uint64_t elapsed_us)
{
    const uint64_t update_us = s->manager->governor->elapsed_us;

    if (distance_us > CURSOR_JUMP_US)
        return true;
    if (s->pace_permille == 0)
        return distance_us * 1000 > update_us * s->rate_permille;
    return distance_us * 1000 > elapsed_us * RATE_MAX;
}

static void leap(struct cursor *s)
{
    const uint64_t lasted_us = s->manager->now_us - s->leap_us;

    s->is_scrubbing = s->is_leaping || lasted_us < 2 * (uint64_t)s->reach_us;
    s->is_leaping = true;
    s->rest_us = lasted_us < REST_US ? (uint32_t)lasted_us : REST_US;
    s->leap_us = s->manager->now_us;
}

void spn__cursor_note_shown(struct cursor *s, bool is_shown)
{
    const uint64_t taken_us = s->manager->now_us - s->leap_us;

    if (!is_shown || !s->is_leaping)
        return;
    s->reach_us = taken_us < UINT32_MAX ? (uint32_t)taken_us : UINT32_MAX;
    s->is_leaping = false;
}

/* The wanted frames may be lost by an error of the device that lasts for a
 * moment only, and no traversal begins while the time stands still. */
static void retry_at_rest(struct cursor *s)
{
    if ((s->status != SPN_ERR_IO && s->status != SPN_ERR_TIMEOUT) ||
        (!spn__cursor_has_lost(s, s->wanted) &&
         !spn__cursor_has_lost(s, s->wanted_ceil)) ||
        s->manager->now_us - s->retry_us < (uint64_t)RETRY_US
                                               << s->rest_retries)
        return;
    s->rest_retries += s->rest_retries < RETRY_DOUBLINGS;
    forget_lost(s);
}

void spn__cursor_follow(struct cursor *s)
{
    const int64_t step_us = s->position_us - s->followed_position_us;
    const uint64_t distance_us = (uint64_t)(step_us < 0 ? -step_us : step_us);
    const uint64_t elapsed_us = s->manager->now_us - s->followed_us;
    const bool leaps = is_leap(s, distance_us, elapsed_us);
    const bool is_back = (step_us < 0) != s->is_backward;

    follow_pace(s, distance_us);
    if (step_us == 0) {
        retry_at_rest(s);
        return;
    }
    s->rest_retries = 0;
    s->followed_position_us = s->position_us;
    s->followed_us = s->manager->now_us;
    if (leaps) {
        leap(s);
    } else {
        s->is_leaping = false;
        s->is_scrubbing = false;
    }
    if (distance_us > CURSOR_JUMP_US) {
        begin_traversal(s);
        return;
    }
    /* The user may repeat a range that is too short for a jump, or play against
     * the direction that was set: playback may never come to frames that return
     * further ahead. */
    if (is_back && s->manager->now_us - s->retry_us >= RETRY_US) {
        forget_lost(s);
        spn__cursor_end_return(s);
    }
    if (s->set_permille != 0) {
        s->turn_count = 0;
    } else if (is_back) {
        if (++s->turn_count >= TURN_STEPS)
            turn(s);
    } else {
        s->turn_count = 0;
        if (elapsed_us > 0)
            follow_rate(s, distance_us, elapsed_us);
    }
}

void spn__cursor_set_rate(struct cursor *s, int32_t permille)
{
    s->set_permille = permille;
    if (!cursor_is_playing(s) || permille == 0)
        return;
    if ((permille < 0) != s->is_backward)
        turn(s);
    use_set_rate(s);
}

void spn__cursor_restart(struct cursor *s)
{
    s->followed_position_us = s->position_us;
    begin_traversal(s);
}

bool spn__cursor_covers(const struct cursor *s, uint64_t frame)
{
    const uint32_t number = spn__cursor_number(s, frame);

    SPN_ASSERT(cursor_is_playing(s));
    return frame_slot_at(s->cache, number)->state != FRAME_EMPTY ||
           spn__group_table_read(s->cache, number) ||
           spn__cursor_place_of(s, frame) == s->next_place;
}

/* Release the engine's buffers that no job writes. True if none is left. */
static bool release_buffers(struct cache *c)
{
    return !cache_has_buffers(c) || spn__frame_buffers_clear(c);
}

void spn__cursor_drain(struct cursor *s)
{
    if (s->is_draining || !s->is_active)
        return;
    s->is_draining = true;
    s->cut = 0;
    s->near_cut = 0;
    s->shortage = SPN_SHORTAGE_NONE;
    s->cache->mask_is_due = true;
}

/* The last cursor of a cache ends after all that uses decoded frames. */
static bool is_cache_free(struct cache *c)
{
    return c->cursor_count > 1 ||
           (release_buffers(c) && atomic_load_acquire(&c->fill_count) == 0);
}

bool spn__cursor_drain_step(struct cursor *s)
{
    SPN_ASSERT(s->is_draining);
    if (s->account.running_count > 0 || s->account.pending_count > 0 ||
        !is_cache_free(s->cache))
        return false;
    s->is_active = false;
    s->is_draining = false;
    spn__cursor_update_promise(s);
    /* If no other cursor plays the cache, nothing of it runs any more, and its
     * frames and reads are of no use, unless it plays from memory. */
    if (--s->cache->cursor_count == 0) {
        spn__group_reads_clear(s->cache);
        if (s->cache->keeps_frames)
            spn__frame_slot_forget_failed(s->cache);
        else
            spn__frame_slot_clear(s->cache);
    }
    return true;
}
