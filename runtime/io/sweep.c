/* sweep.c - costs of choices.
 *
 * Times are signed microseconds from now on and at most TIME_MAX_US either way,
 * so that sums of a few dozen cannot overflow. A choice among n reads takes n
 * times 24 steps at worst, each a few products.
 */
/* SPDX-License-Identifier: MIT */
#include "io/sweep.h"

#include "base/assert.h"
#include "base/mem.h"
#include "io/drive.h"

#define SECOND_US 1000000u
#define ONE 1024
#define TIME_MAX_US ((int64_t)1 << 52)
#define NEVER INT64_MAX
#define COST_MAX ((int64_t)1 << 60) /* no choice costs so much */
/* More than any patience. */
#define AGE_MAX_US ((int64_t)1 << 33)
/* Set in the due times of idle reads. */
#define IDLE_DUE_US ((uint64_t)1 << 62)

/* Found by search over the made up games of offline/simulate (all layouts,
 * loads of 0.95 to 1.45, the Xbox 360's drive), and rounded. The optimum is
 * flat: none of them is worth a third digit. */
const struct sweep_rules spn__sweep_rules = {
    .classes = {[SWEEP_SOUND] = {.renew_us = 0,
                                 .hard_us = UINT32_MAX,
                                 .patience_us = 20 * SECOND_US,
                                 .penalty = 700,
                                 .urgency = 800,
                                 .credit = 360},
                [SWEEP_CLIP] = {.renew_us = 0,
                                .hard_us = UINT32_MAX,
                                .patience_us = 20 * SECOND_US,
                                .penalty = 1400,
                                .urgency = 450,
                                .credit = 90},
                [SWEEP_STREAM] = {.renew_us = 4 * SECOND_US,
                                  .hard_us = UINT32_MAX,
                                  .patience_us = 20 * SECOND_US,
                                  .penalty = 800,
                                  .urgency = 450,
                                  .credit = 0},
                [SWEEP_BULK] = {.renew_us = 20 * SECOND_US,
                                .hard_us = SECOND_US,
                                .patience_us = 30 * SECOND_US,
                                .penalty = 550,
                                .urgency = 270,
                                .credit = -180}},
    .soft_us = 20000,
    .pressed_us = 320000,
    .calm_us = 2 * SECOND_US,
    .age = 90,
    .backlog = 11,
    .relent = 150,
    .relent_haste = 100,
};

/* ---- what is offered ------------------------------------------------------
 */

void spn__sweep_init(struct sweep *s, struct carve *carve, uint32_t reads,
                     const struct forecast *forecast,
                     const struct sweep_rules *rules)
{
    uint32_t capacity = reads < SWEEP_ITEMS_MAX ? reads : SWEEP_ITEMS_MAX;
    struct sweep_item *items = SPN_CARVE(carve, struct sweep_item, capacity);
    struct sweep_view *views = SPN_CARVE(carve, struct sweep_view, capacity);
    uint32_t *order = SPN_CARVE(carve, uint32_t, capacity);

    if (!s)
        return;
    memset(s, 0, sizeof *s);
    s->capacity = capacity;
    s->items = items;
    s->views = views;
    s->order = order;
    s->forecast = forecast;
    s->rules = rules;
    s->seek_us = spn__drive_typical_us(forecast->profile);
}

void spn__sweep_clear(struct sweep *s)
{
    s->count = 0;
    s->is_heap = false;
    s->has_left_out = false;
}

static const struct sweep_rule *rule_of(const struct sweep *s,
                                        const struct sweep_item *item)
{
    SPN_ASSERT((uint32_t)item->class < SWEEP_CLASSES);
    return &s->rules->classes[item->class];
}

/* When it matters at the latest: no read that comes later can forever keep an
 * older one from being weighed. Idle ones matter after all others. */
static uint64_t due_us(const struct sweep *s, const struct sweep_item *item)
{
    uint64_t overdue_us = item->arrival_us + rule_of(s, item)->patience_us;
    uint64_t due =
        item->deadline_us < overdue_us ? item->deadline_us : overdue_us;

    return item->is_urgent ? 0 : item->is_idle ? due | IDLE_DUE_US : due;
}

/* Is what stands at `a` in the heap due after what stands at `b`? */
static bool is_later(const struct sweep *s, uint32_t a, uint32_t b)
{
    return due_us(s, &s->items[s->order[a]]) >
           due_us(s, &s->items[s->order[b]]);
}

static void sink(struct sweep *s, uint32_t at)
{
    for (;;) {
        uint32_t child = 2 * at + 1;
        uint32_t moved = s->order[at];

        if (child >= s->count)
            return;
        if (child + 1 < s->count && is_later(s, child + 1, child))
            child++;
        if (!is_later(s, child, at))
            return;
        s->order[at] = s->order[child];
        s->order[child] = moved;
        at = child;
    }
}

static void make_heap(struct sweep *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        s->order[i] = i;
    for (uint32_t i = s->count / 2; i > 0; i--)
        sink(s, i - 1);
    s->is_heap = true;
}

static void leave_out(struct sweep *s, const struct sweep_item *item)
{
    if (!item->is_idle ||
        (s->has_left_out && s->left_out.arrival_us <= item->arrival_us))
        return;
    s->left_out = *item;
    s->has_left_out = true;
}

/* Among any number of others the oldest idle one is weighed, for its turn. */
static void let_idle_in(struct sweep *s)
{
    if (!s->has_left_out || s->capacity < 2)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].is_idle)
            return;
    s->items[s->order[0]] = s->left_out;
    s->has_left_out = false;
}

void spn__sweep_offer(struct sweep *s, const struct sweep_item *item)
{
    struct sweep_item *last;

    if (s->count < s->capacity) {
        s->items[s->count++] = *item;
        return;
    }
    if (!s->is_heap)
        make_heap(s);
    last = &s->items[s->order[0]];
    if (due_us(s, item) >= due_us(s, last)) {
        leave_out(s, item);
        return;
    }
    leave_out(s, last);
    *last = *item;
    sink(s, 0);
}

/* ---- what each would cost -------------------------------------------------
 */

static int64_t between(uint64_t from_us, uint64_t to_us)
{
    uint64_t us = from_us < to_us ? to_us - from_us : from_us - to_us;
    int64_t clamped = us < (uint64_t)TIME_MAX_US ? (int64_t)us : TIME_MAX_US;

    return from_us < to_us ? clamped : -clamped;
}

static void view(struct sweep *s, uint32_t index,
                 const struct forecast_place *head, uint64_t now_us)
{
    const struct sweep_item *item = &s->items[index];
    struct sweep_view *v = &s->views[index];
    uint32_t renew_us = rule_of(s, item)->renew_us;
    int64_t end_us;

    v->way_us = spn__forecast_position_us(s->forecast, head, &item->begin);
    v->service_us =
        spn__forecast_read_us(s->forecast, head, &item->begin, &item->end);
    v->deadline_us = between(now_us, item->deadline_us);
    end_us = v->way_us + v->service_us;
    if (end_us <= v->deadline_us)
        return;
    if (renew_us > 0)
        v->deadline_us +=
            (end_us - v->deadline_us + renew_us - 1) / renew_us * renew_us;
    else
        v->deadline_us = NEVER;
}

/* Does its deadline hold others back? That of an idle one only such. */
static bool is_hard(const struct sweep *s, uint32_t index)
{
    const struct sweep_item *item = &s->items[index];

    return (!item->is_idle || s->idle_count == s->count) &&
           s->views[index].deadline_us <= (int64_t)rule_of(s, item)->hard_us;
}

static void put_hard(struct sweep *s, uint32_t index)
{
    int64_t deadline_us = s->views[index].deadline_us;
    uint32_t at = s->hard_count;

    if (at == SWEEP_HARD_MAX) {
        at--;
        if (s->views[s->hard[at]].deadline_us <= deadline_us)
            return;
    } else {
        s->hard_count++;
    }
    for (; at > 0 && s->views[s->hard[at - 1]].deadline_us > deadline_us; at--)
        s->hard[at] = s->hard[at - 1];
    s->hard[at] = index;
}

/* Is reading on from `end` to `begin` cheaper than coming again? */
static bool is_chained(const struct sweep *s, const struct forecast_place *end,
                       const struct forecast_place *begin)
{
    uint64_t gap;

    if (begin->offset <= end->offset)
        return true;
    gap = begin->offset - end->offset;
    return gap <= SWEEP_GAP_BYTES_MAX &&
           spn__forecast_transfer_us(s->forecast, end, gap) <
               spn__forecast_seek_us(s->forecast, end, begin);
}

static void sort_by_place(struct sweep *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        uint64_t offset = s->items[i].begin.offset;
        uint32_t at = i;

        for (; at > 0 && s->items[s->order[at - 1]].begin.offset > offset; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
}

/* Whoever goes to the second of two that could be read in one go comes back
 * for the first; and where that one is so near that the drive still has it, for
 * what lies before that. Where the head goes on it is not late yet for either.
 */
static void look_behind(struct sweep *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct sweep_view *v = &s->views[s->order[i]];
        const struct sweep_item *item = &s->items[s->order[i]];
        const struct sweep_item *before;
        const struct sweep_view *its;

        v->behind_us = 0;
        if (i == 0)
            continue;
        before = &s->items[s->order[i - 1]];
        its = &s->views[s->order[i - 1]];
        if ((v->way_us == 0 && its->way_us > 0) ||
            !is_chained(s, &before->end, &item->begin))
            continue;
        v->behind_us =
            spn__forecast_seek_us(s->forecast, &item->end, &before->begin);
        if (v->behind_us == 0)
            v->behind_us = its->behind_us;
    }
}

static int64_t part_of(const struct sweep *s, int64_t parts)
{
    return (int64_t)s->seek_us * parts / ONE;
}

static void look(struct sweep *s, const struct forecast_place *head,
                 uint64_t now_us)
{
    s->hard_count = 0;
    s->idle_count = 0;
    memset(s->ways_us, 0, sizeof s->ways_us);
    for (uint32_t i = 0; i < SWEEP_CLASSES; i++)
        s->penalties_us[i] = part_of(s, s->rules->classes[i].penalty);
    for (uint32_t i = 0; i < s->count; i++) {
        view(s, i, head, now_us);
        s->idle_count += s->items[i].is_idle;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (is_hard(s, i))
            put_hard(s, i);
    sort_by_place(s);
    look_behind(s);
}

/* From the end of hard one `from` to the beginning of `to`. */
static int64_t way_us(struct sweep *s, uint32_t from, uint32_t to)
{
    uint32_t *kept = &s->ways_us[from][to];

    if (*kept == 0)
        *kept = 1 + spn__forecast_position_us(s->forecast,
                                              &s->items[s->hard[from]].end,
                                              &s->items[s->hard[to]].begin);
    return *kept - 1;
}

/* All the hard ones after item `index`, earliest deadline first, leaving out
 * what comes too late: what that costs. More than `limit` need not be exact. */
static int64_t penalty_of(struct sweep *s, uint32_t index, int64_t limit)
{
    const struct sweep_view *v = &s->views[index];
    int64_t soft_us = s->rules->soft_us;
    int64_t time_us = v->way_us + v->service_us;
    uint32_t at = SWEEP_HARD_MAX;
    int64_t sum = 0;

    for (uint32_t k = 0; k < s->hard_count && sum <= limit; k++) {
        const struct sweep_item *item = &s->items[s->hard[k]];
        const struct sweep_view *other = &s->views[s->hard[k]];
        int64_t end_us;
        int64_t late_us;

        if (s->hard[k] == index)
            continue;
        end_us = time_us + other->service_us;
        /* What is lost without the way to it need not be asked for one. */
        if (end_us - other->deadline_us < soft_us)
            end_us += at < SWEEP_HARD_MAX
                          ? way_us(s, at, k)
                          : spn__forecast_position_us(s->forecast,
                                                      &s->items[index].end,
                                                      &item->begin);
        late_us = end_us - other->deadline_us;
        if (late_us >= soft_us) {
            sum += s->penalties_us[item->class];
            continue;
        }
        if (late_us > 0)
            sum += s->penalties_us[item->class] * late_us / soft_us;
        time_us = end_us;
        at = k;
    }
    return sum;
}

/* Full when it is all but due, none while it is calm. */
static int64_t urgency_of(const struct sweep *s, uint32_t index)
{
    const struct sweep_view *v = &s->views[index];
    int64_t slack_us = v->deadline_us - v->way_us - v->service_us;
    int64_t pressed_us = s->rules->pressed_us;
    int64_t calm_us = s->rules->calm_us;
    int64_t full = part_of(s, rule_of(s, &s->items[index])->urgency);

    if (v->deadline_us == NEVER || slack_us >= calm_us)
        return 0;
    if (slack_us <= pressed_us)
        return full;
    return full * (calm_us - slack_us) / (calm_us - pressed_us);
}

static int64_t age_of(const struct sweep_item *item, uint64_t now_us)
{
    int64_t age_us = between(item->arrival_us, now_us);

    return age_us < 0 ? 0 : age_us < AGE_MAX_US ? age_us : AGE_MAX_US;
}

/* What costs are divided by when many wait, in 1024ths: of those that others
 * wait for. */
static int64_t relenting(const struct sweep *s, uint32_t relent)
{
    int64_t over =
        (int64_t)s->count - (int64_t)s->idle_count - s->rules->backlog;

    return over <= 0 ? ONE : ONE + over * relent;
}

/* All but what it does to others. `begun`: whose reading goes on where the head
 * is; or it is s->count. */
static int64_t own_cost_of(const struct sweep *s, uint32_t index,
                           uint32_t begun, uint64_t now_us)
{
    const struct sweep_item *item = &s->items[index];
    int64_t age_us = age_of(item, now_us);
    int64_t cost = s->views[index].way_us + s->views[index].behind_us;
    int64_t haste = urgency_of(s, index) + part_of(s, rule_of(s, item)->credit);

    cost -= haste * ONE / relenting(s, s->rules->relent_haste);
    cost -= part_of(s, age_us / 1000 * s->rules->age / 1000);
    if (begun < s->count && begun != index)
        cost += spn__forecast_position_us(s->forecast, &item->end,
                                          &s->items[begun].begin);
    return cost;
}

/* Exact where it is not more than `limit`. */
static int64_t cost_of(struct sweep *s, uint32_t index, uint32_t begun,
                       uint64_t now_us, int64_t limit)
{
    int64_t relent = relenting(s, s->rules->relent);
    int64_t cost = own_cost_of(s, index, begun, now_us);

    if (cost > limit)
        return cost;
    limit = limit - cost < TIME_MAX_US ? limit - cost : TIME_MAX_US;
    /* One more, for the division rounds down. */
    limit = (limit + 1) / ONE * relent + relent;
    return cost + penalty_of(s, index, limit) * ONE / relent;
}

/* ---- the choice -----------------------------------------------------------
 */

static uint32_t find_begun(const struct sweep *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].is_begun && s->views[i].way_us == 0)
            return i;
    return s->count;
}

static bool is_overdue(const struct sweep *s, uint32_t index, uint64_t now_us)
{
    const struct sweep_item *item = &s->items[index];

    return age_of(item, now_us) > (int64_t)rule_of(s, item)->patience_us;
}

/* The oldest overdue one, of the idle ones or of the others; s->count when
 * there is none. */
static uint32_t find_oldest(const struct sweep *s, bool is_idle,
                            uint64_t now_us)
{
    uint32_t oldest = s->count;

    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].is_idle == is_idle && is_overdue(s, i, now_us) &&
            (oldest == s->count ||
             s->items[i].arrival_us < s->items[oldest].arrival_us))
            oldest = i;
    return oldest;
}

/* Only those of the first rank that there is are weighed. */
static uint32_t rank_of(const struct sweep_item *item)
{
    return item->is_urgent ? 0 : item->is_idle ? 2 : 1;
}

static uint32_t first_rank(const struct sweep *s)
{
    uint32_t first = 2;

    for (uint32_t i = 0; i < s->count; i++)
        if (rank_of(&s->items[i]) < first)
            first = rank_of(&s->items[i]);
    return first;
}

/* The least cost; of equals the smallest key, then who came first. */
static uint32_t find_best(struct sweep *s, uint32_t begun, uint64_t now_us)
{
    uint32_t rank = first_rank(s);
    uint32_t best = s->count;
    int64_t best_cost = COST_MAX;

    for (uint32_t i = 0; i < s->count; i++) {
        const struct sweep_item *item = &s->items[i];
        int64_t cost;

        if (rank_of(item) != rank)
            continue;
        cost = cost_of(s, i, begun, now_us, best_cost);
        if (best == s->count || cost < best_cost ||
            (cost == best_cost &&
             (item->key < s->items[best].key ||
              (item->key == s->items[best].key &&
               item->arrival_us < s->items[best].arrival_us)))) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

/* The idle one whose turn it is among others; s->count: none. */
static uint32_t find_idle(const struct sweep *s, uint64_t now_us)
{
    if (s->idle_turns < SWEEP_IDLE_TURNS || s->idle_count == s->count)
        return s->count;
    return find_oldest(s, true, now_us);
}

/* What is next, with `begun` if the turn may go on with it. */
static uint32_t choose_by_turn(struct sweep *s, uint32_t begun, bool may_go_on,
                               uint64_t now_us)
{
    uint32_t idle = find_idle(s, now_us);
    uint32_t overdue = find_oldest(s, s->idle_count == s->count, now_us);
    uint32_t best;

    if (may_go_on && ((s->is_idle_turn && s->items[begun].is_idle) ||
                      (s->is_patient && overdue < s->count)))
        return begun;
    best = find_best(s, begun, now_us);
    if (may_go_on && best == begun)
        return begun;
    if (idle < s->count)
        return idle;
    return overdue < s->count && !s->is_patient ? overdue : best;
}

uint32_t spn__sweep_choose(struct sweep *s, const struct forecast_place *head,
                           uint64_t now_us)
{
    uint32_t begun;
    uint32_t next;
    bool may_go_on;

    SPN_ASSERT(s->count > 0);
    let_idle_in(s);
    look(s, head, now_us);
    begun = find_begun(s);
    may_go_on = begun < s->count && s->turn_bytes < SWEEP_RUN_BYTES_MAX;
    if (first_rank(s) == 0)
        next = find_best(s, begun, now_us);
    else
        next = choose_by_turn(s, begun, may_go_on, now_us);
    s->goes_on = may_go_on && next == begun;
    s->is_pressing = s->items[next].is_urgent || is_overdue(s, next, now_us);
    return next;
}

void spn__sweep_serve(struct sweep *s, uint32_t index, uint64_t bytes,
                      uint64_t now_us)
{
    if (s->items[index].is_urgent)
        return;
    if (s->goes_on) {
        s->turn_bytes += bytes;
        return;
    }
    s->is_idle_turn = s->items[index].is_idle && s->idle_count < s->count;
    if (!s->is_idle_turn)
        s->is_patient = is_overdue(s, index, now_us) && !s->is_patient;
    if (s->items[index].is_idle || s->idle_count == 0)
        s->idle_turns = 0;
    else if (s->idle_turns < SWEEP_IDLE_TURNS)
        s->idle_turns++;
    s->turn_bytes = bytes;
}

/* ---- reads along ----------------------------------------------------------
 */

/* A run of reads that grows. */
struct run {
    struct forecast_place begin;
    struct forecast_place end;
    uint64_t joined[SWEEP_ITEMS_MAX / 64]; /* a bit for each item */
    uint32_t count;
    int64_t end_us;
};

static bool is_joined(const struct run *run, uint32_t index)
{
    return run->joined[index / 64] >> index % 64 & 1;
}

/* When a run that ends at `end` is over. */
static int64_t run_end_us(const struct sweep *s, const struct run *run,
                          uint32_t first, const struct forecast_place *end)
{
    return s->views[first].way_us +
           spn__forecast_transfer_us(s->forecast, &run->begin,
                                     end->offset - run->begin.offset);
}

/* The next of the same file that may be joined, in order of places from rank
 * `*rank` on; s->count when there is none. */
static uint32_t find_next(const struct sweep *s, const struct run *run,
                          uint32_t first, uint32_t *rank)
{
    while (*rank < s->count) {
        uint32_t index = s->order[(*rank)++];
        const struct sweep_item *item = &s->items[index];

        if (index != first && item->file == s->items[first].file &&
            item->begin.offset >= run->begin.offset)
            return index;
    }
    return s->count;
}

/* Would a deadline that the run leaves in time be missed if it ended later? */
static bool breaks_deadline(const struct sweep *s, const struct run *run,
                            uint32_t next, const struct forecast_place *end,
                            int64_t end_us)
{
    for (uint32_t k = 0; k < s->hard_count; k++) {
        const struct sweep_item *item = &s->items[s->hard[k]];
        const struct sweep_view *v = &s->views[s->hard[k]];

        if (is_joined(run, s->hard[k]) || s->hard[k] == next)
            continue;
        if (end_us + v->service_us +
                    spn__forecast_position_us(s->forecast, end, &item->begin) >
                v->deadline_us &&
            run->end_us + v->service_us +
                    spn__forecast_position_us(s->forecast, &run->end,
                                              &item->begin) <=
                v->deadline_us)
            return true;
    }
    return false;
}

/* A run has an end; but what it brings anyway it brings for all who want it. */
static bool is_too_long(const struct run *run, const struct sweep_item *next,
                        const struct forecast_place *end)
{
    return end->offset - run->begin.offset > SWEEP_RUN_BYTES_MAX &&
           next->begin.offset >= run->end.offset;
}

static bool join_next(struct sweep *s, struct run *run, uint32_t first,
                      uint32_t next)
{
    const struct forecast_place *end;
    int64_t end_us;

    if (run->count == SWEEP_JOIN_MAX)
        return false;
    end = s->items[next].end.offset > run->end.offset ? &s->items[next].end
                                                      : &run->end;
    end_us = run_end_us(s, run, first, end);
    if (!is_chained(s, &run->end, &s->items[next].begin) ||
        is_too_long(run, &s->items[next], end) ||
        breaks_deadline(s, run, next, end, end_us))
        return false;
    run->joined[next / 64] |= (uint64_t)1 << next % 64;
    run->count++;
    run->end = *end;
    run->end_us = end_us;
    return true;
}

/* What lies right before the chosen read, so near that the drive would still
 * have it, and right before that: a run only goes forward, and what it leaves
 * behind costs a way of its own. */
static uint32_t find_front(const struct sweep *s, uint32_t chosen)
{
    const struct sweep_item *last = &s->items[chosen];
    uint32_t front = chosen;
    uint32_t rank = s->count;

    while (s->order[--rank] != chosen)
        continue;
    while (rank > 0) {
        uint32_t index = s->order[--rank];
        const struct sweep_item *item = &s->items[index];

        if (item->file != last->file)
            continue;
        if (!is_chained(s, &item->end, &s->items[front].begin) ||
            spn__forecast_seek_us(s->forecast, &s->items[front].end,
                                  &item->begin) > 0)
            break;
        front = index;
    }
    return front;
}

/* May the chosen read wait for what lies before it? */
static bool may_wait(const struct sweep *s, uint32_t chosen, uint32_t front)
{
    const struct sweep_item *item = &s->items[chosen];
    const struct sweep_view *v = &s->views[chosen];
    struct run run = {.begin = item->begin, .end = item->end};
    int64_t end_us;

    run.end_us = v->way_us + v->service_us;
    end_us =
        run.end_us + spn__forecast_transfer_us(
                         s->forecast, &s->items[front].begin,
                         item->begin.offset - s->items[front].begin.offset);
    return end_us <= v->deadline_us &&
           !breaks_deadline(s, &run, chosen, &item->end, end_us);
}

/* Where the head goes on, all that lies there is as near: the run begins with
 * the first of it, or that would be behind the head for good. Where it has to
 * go there first, it goes a little less far. */
static uint32_t find_first(const struct sweep *s, uint32_t chosen)
{
    uint32_t first = chosen;

    if (s->views[chosen].way_us > 0) {
        first = s->is_pressing ? chosen : find_front(s, chosen);
        return first == chosen || may_wait(s, chosen, first) ? first : chosen;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (s->views[i].way_us == 0 &&
            s->items[i].file == s->items[chosen].file &&
            s->items[i].begin.offset < s->items[first].begin.offset)
            first = i;
    return first;
}

uint32_t spn__sweep_join(struct sweep *s, uint32_t chosen,
                         uint32_t joined[SWEEP_JOIN_MAX])
{
    uint32_t first = find_first(s, chosen);
    struct run run = {.begin = s->items[first].begin,
                      .end = s->items[first].end};
    uint32_t count = 0;
    uint32_t rank = 0;
    uint32_t next;

    run.joined[first / 64] |= (uint64_t)1 << first % 64;
    run.count = 1;
    run.end_us = run_end_us(s, &run, first, &run.end);
    joined[count++] = first;
    do {
        next = find_next(s, &run, first, &rank);
    } while (next < s->count && join_next(s, &run, first, next));
    if (!is_joined(&run, chosen)) {
        joined[0] = chosen;
        return 1;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (i != first && is_joined(&run, i))
            joined[count++] = i;
    return count;
}
