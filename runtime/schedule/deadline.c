/* deadline.c - costs of choices.
 *
 * Times are signed microseconds from now on and at most TIME_MAX_US either way,
 * so that sums of a few dozen cannot overflow. A choice among n reads takes n
 * times 24 steps at worst, each a few products.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline.h"

#include "base/assert.h"
#include "base/mem.h"
#include "disc/drive_disc.h"
#include "schedule/deadline_parts.h"

#define SECOND_US 1000000u
#define ONE 1024
#define TIME_MAX_US ((int64_t)1 << 52)
#define NEVER INT64_MAX
#define COST_MAX ((int64_t)1 << 60) /* no choice costs so much */
/* More than any patience. */
#define AGE_MAX_US ((int64_t)1 << 33)

/* Found by search over the made up games of offline/simulate (all layouts,
 * loads of 0.95 to 1.45, the Xbox 360's drive), and rounded. The optimum is
 * flat: none of them is worth a third digit. */
const struct deadline_rules spn__deadline_rules = {
    .classes = {[DEADLINE_SOUND] = {.renew_us = 0,
                                    .hard_us = UINT32_MAX,
                                    .patience_us = 20 * SECOND_US,
                                    .penalty = 700,
                                    .urgency = 800,
                                    .credit = 360},
                [DEADLINE_CLIP] = {.renew_us = 0,
                                   .hard_us = UINT32_MAX,
                                   .patience_us = 20 * SECOND_US,
                                   .penalty = 1400,
                                   .urgency = 450,
                                   .credit = 90},
                [DEADLINE_STREAM] = {.renew_us = 4 * SECOND_US,
                                     .hard_us = UINT32_MAX,
                                     .patience_us = 20 * SECOND_US,
                                     .penalty = 800,
                                     .urgency = 450,
                                     .credit = 0},
                [DEADLINE_BULK] = {.renew_us = 20 * SECOND_US,
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

/* -- what is offered -- */

void spn__deadline_init(struct deadline_scheduler *s, struct carve *carve,
                        uint32_t reads, const struct forecast *forecast,
                        const struct deadline_rules *rules)
{
    uint32_t capacity = reads < DEADLINE_ITEMS_MAX ? reads : DEADLINE_ITEMS_MAX;
    struct deadline_item *items =
        SPN_CARVE(carve, struct deadline_item, capacity);
    struct deadline_view *views =
        SPN_CARVE(carve, struct deadline_view, capacity);
    uint32_t *order = SPN_CARVE(carve, uint32_t, capacity);
    uint32_t *kept = SPN_CARVE(carve, uint32_t, capacity);

    if (!s)
        return;
    memset(s, 0, sizeof *s);
    s->capacity = capacity;
    s->items = items;
    s->views = views;
    s->order = order;
    s->kept = kept;
    s->forecast = forecast;
    s->rules = rules;
    s->seek_us = spn__drive_typical_us(forecast->profile);
}

void spn__deadline_clear(struct deadline_scheduler *s)
{
    s->count = 0;
    s->unseen = (struct deadline_unseen){0};
}

static const struct deadline_rule *rule_of(const struct deadline_scheduler *s,
                                           const struct deadline_item *item)
{
    SPN_ASSERT((uint32_t)item->class < DEADLINE_CLASSES);
    return &s->rules->classes[item->class];
}

void spn__deadline_offer(struct deadline_scheduler *s,
                         const struct deadline_item *item)
{
    SPN_ASSERT(s->count < s->capacity);
    s->items[s->count++] = *item;
}

/* -- what each would cost -- */

int64_t spn__deadline_between(uint64_t from_us, uint64_t to_us)
{
    uint64_t us = from_us < to_us ? to_us - from_us : from_us - to_us;
    int64_t clamped = us < (uint64_t)TIME_MAX_US ? (int64_t)us : TIME_MAX_US;

    return from_us < to_us ? clamped : -clamped;
}

static void view(struct deadline_scheduler *s, uint32_t index,
                 const struct forecast_place *head, uint64_t now_us)
{
    const struct deadline_item *item = &s->items[index];
    struct deadline_view *v = &s->views[index];
    uint32_t renew_us = rule_of(s, item)->renew_us;
    int64_t end_us;

    v->way_us = spn__forecast_position_us(s->forecast, head, &item->begin);
    v->service_us =
        spn__forecast_read_us(s->forecast, head, &item->begin, &item->end);
    v->deadline_us = spn__deadline_between(now_us, item->deadline_us);
    end_us = v->way_us + v->service_us;
    v->is_lost = end_us > v->deadline_us;
    if (!v->is_lost)
        return;
    if (renew_us > 0)
        v->deadline_us +=
            (end_us - v->deadline_us + renew_us - 1) / renew_us * renew_us;
    else
        v->deadline_us = NEVER;
}

/* Does its deadline hold others back? That of an idle one only such. */
static bool is_hard(const struct deadline_scheduler *s, uint32_t index)
{
    const struct deadline_item *item = &s->items[index];

    return (!item->is_idle || s->idle_count == s->count) &&
           s->views[index].deadline_us <= (int64_t)rule_of(s, item)->hard_us;
}

/* Of equal deadlines the smaller key is first. */
static bool is_due_before(const struct deadline_scheduler *s, uint32_t a,
                          uint32_t b)
{
    int64_t a_us = s->views[a].deadline_us;
    int64_t b_us = s->views[b].deadline_us;

    return a_us != b_us ? a_us < b_us : s->items[a].key < s->items[b].key;
}

static void put_hard(struct deadline_scheduler *s, uint32_t index)
{
    uint32_t at = s->hard_count;

    if (at == DEADLINE_HARD_MAX) {
        at--;
        if (!is_due_before(s, index, s->hard[at]))
            return;
    } else {
        s->hard_count++;
    }
    for (; at > 0 && is_due_before(s, index, s->hard[at - 1]); at--)
        s->hard[at] = s->hard[at - 1];
    s->hard[at] = index;
}

/* Is reading on from `end` to `begin` cheaper than coming again? */
bool spn__deadline_is_chained(const struct deadline_scheduler *s,
                              const struct forecast_place *end,
                              const struct forecast_place *begin)
{
    uint64_t gap;

    if (begin->offset <= end->offset)
        return true;
    gap = begin->offset - end->offset;
    return gap <= DEADLINE_GAP_BYTES_MAX &&
           spn__forecast_transfer_us(s->forecast, end, gap) <
               spn__forecast_seek_us(s->forecast, end, begin);
}

static void sort_by_place(struct deadline_scheduler *s)
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
static void look_behind(struct deadline_scheduler *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct deadline_view *v = &s->views[s->order[i]];
        const struct deadline_item *item = &s->items[s->order[i]];
        const struct deadline_item *before;
        const struct deadline_view *its;

        v->behind_us = 0;
        if (i == 0)
            continue;
        before = &s->items[s->order[i - 1]];
        its = &s->views[s->order[i - 1]];
        if ((v->way_us == 0 && its->way_us > 0) ||
            !spn__deadline_is_chained(s, &before->end, &item->begin))
            continue;
        v->behind_us =
            spn__forecast_seek_us(s->forecast, &item->end, &before->begin);
        if (v->behind_us == 0)
            v->behind_us = its->behind_us;
    }
}

static int64_t part_of(const struct deadline_scheduler *s, int64_t parts)
{
    return (int64_t)s->seek_us * parts / ONE;
}

static void look(struct deadline_scheduler *s,
                 const struct forecast_place *head, uint64_t now_us)
{
    s->hard_count = 0;
    s->idle_count = 0;
    memset(s->ways_us, 0, sizeof s->ways_us);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
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
static int64_t way_us(struct deadline_scheduler *s, uint32_t from, uint32_t to)
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
static int64_t penalty_of(struct deadline_scheduler *s, uint32_t index,
                          int64_t limit)
{
    const struct deadline_view *v = &s->views[index];
    int64_t soft_us = s->rules->soft_us;
    int64_t time_us = v->way_us + v->service_us;
    uint32_t at = DEADLINE_HARD_MAX;
    int64_t sum = 0;

    for (uint32_t k = 0; k < s->hard_count && sum <= limit; k++) {
        const struct deadline_item *item = &s->items[s->hard[k]];
        const struct deadline_view *other = &s->views[s->hard[k]];
        int64_t end_us;
        int64_t late_us;

        if (s->hard[k] == index)
            continue;
        end_us = time_us + other->service_us;
        /* What is lost without the way to it need not be asked for one. */
        if (end_us - other->deadline_us < soft_us)
            end_us += at < DEADLINE_HARD_MAX
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
static int64_t urgency_of(const struct deadline_scheduler *s, uint32_t index)
{
    const struct deadline_view *v = &s->views[index];
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

static int64_t age_of(const struct deadline_item *item, uint64_t now_us)
{
    int64_t age_us = spn__deadline_between(item->arrival_us, now_us);

    return age_us < 0 ? 0 : age_us < AGE_MAX_US ? age_us : AGE_MAX_US;
}

/* What costs are divided by when many wait, in 1024ths: of those that others
 * wait for. */
static int64_t relenting(const struct deadline_scheduler *s, uint32_t relent)
{
    int64_t over = (int64_t)s->count - (int64_t)s->idle_count +
                   s->unseen.count - s->rules->backlog;

    return over <= 0 ? ONE : ONE + over * relent;
}

/* All but what it does to others. `begun`: whose reading goes on where the head
 * is; or it is s->count. */
static int64_t own_cost_of(const struct deadline_scheduler *s, uint32_t index,
                           uint32_t begun, uint64_t now_us)
{
    const struct deadline_item *item = &s->items[index];
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
static int64_t cost_of(struct deadline_scheduler *s, uint32_t index,
                       uint32_t begun, uint64_t now_us, int64_t limit)
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

/* -- the choice -- */

static uint32_t find_begun(const struct deadline_scheduler *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].is_begun && s->views[i].way_us == 0)
            return i;
    return s->count;
}

static bool is_overdue(const struct deadline_scheduler *s, uint32_t index,
                       uint64_t now_us)
{
    const struct deadline_item *item = &s->items[index];

    return age_of(item, now_us) > (int64_t)rule_of(s, item)->patience_us;
}

/* The oldest overdue idle one; s->count when there is none. */
static uint32_t find_oldest_idle(const struct deadline_scheduler *s,
                                 uint64_t now_us)
{
    uint32_t oldest = s->count;

    for (uint32_t i = 0; i < s->count; i++)
        if (s->items[i].is_idle && is_overdue(s, i, now_us) &&
            (oldest == s->count ||
             s->items[i].arrival_us < s->items[oldest].arrival_us))
            oldest = i;
    return oldest;
}

/* Of those whose patience had ended by `before_us` the next one upward from the
 * head, and then the lowest; s->count when there is none. */
static uint32_t find_overdue_before(const struct deadline_scheduler *s,
                                    const struct forecast_place *head,
                                    uint64_t before_us)
{
    uint64_t back = 2 * (uint64_t)s->forecast->profile->ecc_bytes;
    bool is_idle = s->idle_count == s->count;
    uint32_t lowest = s->count;

    for (uint32_t k = 0; k < s->count; k++) {
        uint32_t index = s->order[k];
        const struct deadline_item *item = &s->items[index];

        if (item->is_idle != is_idle || !is_overdue(s, index, before_us))
            continue;
        if (item->begin.offset + back >= head->offset)
            return index;
        if (lowest == s->count)
            lowest = index;
    }
    return lowest;
}

/* One pass after the other, each over what was overdue when it began. */
static uint32_t find_overdue(struct deadline_scheduler *s,
                             const struct forecast_place *head, uint64_t now_us)
{
    uint32_t next = find_overdue_before(s, head, s->overdue_us);

    if (next < s->count)
        return next;
    s->overdue_us = now_us;
    return find_overdue_before(s, head, now_us);
}

/* Only those of the first rank that there is are weighed. */
static uint32_t first_rank(const struct deadline_scheduler *s)
{
    uint32_t first = 2;

    for (uint32_t i = 0; i < s->count; i++)
        if (deadline_rank_of(&s->items[i]) < first)
            first = deadline_rank_of(&s->items[i]);
    return first;
}

/* The least cost; of equals the smallest key, then who came first. */
static uint32_t find_best(struct deadline_scheduler *s, uint32_t begun,
                          uint64_t now_us)
{
    uint32_t rank = first_rank(s);
    uint32_t best = s->count;
    int64_t best_cost = COST_MAX;

    for (uint32_t i = 0; i < s->count; i++) {
        const struct deadline_item *item = &s->items[i];
        int64_t cost;

        if (deadline_rank_of(item) != rank)
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
static uint32_t find_idle(const struct deadline_scheduler *s, uint64_t now_us)
{
    if (s->idle_turns < DEADLINE_IDLE_TURNS || s->idle_count == s->count)
        return s->count;
    return find_oldest_idle(s, now_us);
}

/* What is next, with `begun` if the turn may go on with it. */
static uint32_t choose_by_turn(struct deadline_scheduler *s,
                               const struct forecast_place *head,
                               uint32_t begun, bool may_go_on, uint64_t now_us)
{
    uint32_t idle = find_idle(s, now_us);
    uint32_t overdue = find_overdue(s, head, now_us);
    uint32_t best;

    if (may_go_on && ((s->is_idle_turn && s->items[begun].is_idle) ||
                      (s->is_patient && overdue < s->count)))
        return begun;
    best = spn__deadline_find_overloaded(s);
    if (best == s->count)
        best = find_best(s, begun, now_us);
    if (may_go_on && best == begun)
        return begun;
    if (idle < s->count)
        return idle;
    return overdue < s->count && !s->is_patient ? overdue : best;
}

uint32_t spn__deadline_choose(struct deadline_scheduler *s,
                              const struct forecast_place *head,
                              uint64_t now_us)
{
    uint32_t begun;
    uint32_t next;
    bool may_go_on;

    SPN_ASSERT(s->count > 0);
    look(s, head, now_us);
    begun = find_begun(s);
    may_go_on = begun < s->count && s->turn_bytes < DEADLINE_RUN_BYTES_MAX;
    if (first_rank(s) == 0)
        next = find_best(s, begun, now_us);
    else
        next = choose_by_turn(s, head, begun, may_go_on, now_us);
    s->goes_on = may_go_on && next == begun;
    s->is_pressing = s->items[next].is_urgent || is_overdue(s, next, now_us);
    return next;
}

void spn__deadline_serve(struct deadline_scheduler *s, uint32_t index,
                         uint64_t bytes, uint64_t now_us)
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
    else if (s->idle_turns < DEADLINE_IDLE_TURNS)
        s->idle_turns++;
    s->turn_bytes = bytes;
}
