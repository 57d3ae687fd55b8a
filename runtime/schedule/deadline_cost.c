/* deadline_cost.c - estimates and costs. For n items a choice takes n times 24
 * steps at worst.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline_cost.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/minmax.h"

#define ONE 1024

/* -- times -- */

static int32_t leg_us(uint32_t us)
{
    return (int32_t)min_u32(us, DEADLINE_LEG_MAX_US);
}

int32_t spn__deadline_position_us(const struct deadline_scheduler *s,
                                  const struct forecast_place *from,
                                  const struct forecast_place *to)
{
    return leg_us(spn__forecast_position_us(s->forecast, from, to));
}

int32_t spn__deadline_seek_us(const struct deadline_scheduler *s,
                              const struct forecast_place *from,
                              const struct forecast_place *to)
{
    return leg_us(spn__forecast_seek_us(s->forecast, from, to));
}

int32_t spn__deadline_transfer_us(const struct deadline_scheduler *s,
                                  const struct forecast_place *from,
                                  uint64_t bytes)
{
    return leg_us(spn__forecast_transfer_us(s->forecast, from, bytes));
}

/* Positive if `time_us` is after `from_us`. */
static int32_t relative_us(uint64_t from_us, uint64_t time_us)
{
    uint64_t us = time_us > from_us ? time_us - from_us : from_us - time_us;
    int32_t bounded_us = (int32_t)min_u64(us, DEADLINE_TIME_MAX_US);

    return time_us > from_us ? bounded_us : -bounded_us;
}

int32_t spn__deadline_age_us(const struct deadline_item *item, uint64_t now_us)
{
    int32_t age_us = relative_us(item->arrival_us, now_us);

    return age_us > 0 ? age_us : 0;
}

/* 1024ths of a typical seek. */
static int32_t part_of(const struct deadline_scheduler *s, int32_t parts)
{
    return (int32_t)((int64_t)s->seek_us * parts / ONE);
}

static const struct deadline_rule *rule_of(const struct deadline_scheduler *s,
                                           const struct deadline_item *item)
{
    SPN_ASSERT((uint32_t)item->class < DEADLINE_CLASSES);
    return &s->rules->classes[item->class];
}

/* -- estimates -- */

static void estimate_item(struct deadline_scheduler *s, uint32_t index,
                          const struct forecast_place *head, uint64_t now_us)
{
    const struct deadline_item *item = &s->items[index];
    struct deadline_estimate *e = &s->estimates[index];
    int32_t renew_us = (int32_t)rule_of(s, item)->renew_us;
    int32_t end_us;

    e->position_us = spn__deadline_position_us(s, head, &item->begin);
    e->service_us = leg_us(
        spn__forecast_read_us(s->forecast, head, &item->begin, &item->end));
    e->deadline_us = relative_us(now_us, item->deadline_us);
    if (e->deadline_us == DEADLINE_TIME_MAX_US)
        e->deadline_us = DEADLINE_NEVER;
    end_us = e->position_us + e->service_us;
    e->is_missed = end_us > e->deadline_us;
    if (!e->is_missed)
        return;
    if (renew_us > 0)
        e->deadline_us +=
            (end_us - e->deadline_us + renew_us - 1) / renew_us * renew_us;
    else
        e->deadline_us = DEADLINE_NEVER;
}

/* Whether the deadline of an item adds to the cost of others. That of an idle
 * item does so only if all items are idle. No deadline is negative here: a
 * missed one was renewed. */
static bool is_binding(const struct deadline_scheduler *s, uint32_t index)
{
    const struct deadline_item *item = &s->items[index];
    int32_t deadline_us = s->estimates[index].deadline_us;

    return (!item->is_idle || s->idle_count == s->count) &&
           deadline_us != DEADLINE_NEVER &&
           (uint32_t)deadline_us <= rule_of(s, item)->binding_us;
}

/* At equal deadlines the smaller key is first. */
static bool is_due_before(const struct deadline_scheduler *s, uint32_t a,
                          uint32_t b)
{
    int32_t a_us = s->estimates[a].deadline_us;
    int32_t b_us = s->estimates[b].deadline_us;

    return a_us != b_us ? a_us < b_us : s->items[a].key < s->items[b].key;
}

/* Insert into the sorted list. If it is full, the latest deadline is removed.
 */
static void add_binding(struct deadline_scheduler *s, uint32_t index)
{
    uint32_t at = s->binding_count;

    if (at == DEADLINE_BINDING_MAX) {
        at--;
        if (!is_due_before(s, index, s->binding[at]))
            return;
    } else {
        s->binding_count++;
    }
    for (; at > 0 && is_due_before(s, index, s->binding[at - 1]); at--)
        s->binding[at] = s->binding[at - 1];
    s->binding[at] = index;
}

bool spn__deadline_is_chained(const struct deadline_scheduler *s,
                              const struct forecast_place *end,
                              const struct forecast_place *begin)
{
    uint64_t gap;

    if (begin->offset <= end->offset)
        return true;
    gap = begin->offset - end->offset;
    return gap <= DEADLINE_GAP_BYTES_MAX &&
           spn__deadline_transfer_us(s, end, gap) <
               spn__deadline_seek_us(s, end, begin);
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

/* If the second of two chained items is read first, the head must return for
 * the first one. If that return is free, because the drive still has the
 * blocks, the return time is that of the first one. An item at the head has no
 * return time: what lies behind the head is behind it for any choice. */
static void estimate_returns(struct deadline_scheduler *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct deadline_estimate *e = &s->estimates[s->order[i]];
        const struct deadline_item *item = &s->items[s->order[i]];
        const struct deadline_item *before;
        const struct deadline_estimate *its;

        e->return_us = 0;
        if (i == 0)
            continue;
        before = &s->items[s->order[i - 1]];
        its = &s->estimates[s->order[i - 1]];
        if ((e->position_us == 0 && its->position_us > 0) ||
            !spn__deadline_is_chained(s, &before->end, &item->begin))
            continue;
        e->return_us = spn__deadline_seek_us(s, &item->end, &before->begin);
        if (e->return_us == 0)
            e->return_us = its->return_us;
    }
}

/* Penalties and urgency are divided by this, in 1024ths. */
static uint32_t divisor_of(const struct deadline_scheduler *s, uint32_t backoff)
{
    uint32_t waiting = s->count - s->idle_count + s->unoffered.count;
    uint32_t backlog = s->rules->backlog;

    return waiting <= backlog ? ONE : ONE + (waiting - backlog) * backoff;
}

static struct deadline_price price_of(const struct deadline_scheduler *s,
                                      const struct deadline_rule *rule)
{
    return (struct deadline_price){part_of(s, (int32_t)rule->penalty),
                                   part_of(s, (int32_t)rule->urgency),
                                   part_of(s, rule->credit)};
}

void spn__deadline_estimate(struct deadline_scheduler *s,
                            const struct forecast_place *head, uint64_t now_us)
{
    s->binding_count = 0;
    s->idle_count = 0;
    memset(s->positioning_us, 0, sizeof s->positioning_us);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
        s->prices[i] = price_of(s, &s->rules->classes[i]);
    for (uint32_t i = 0; i < s->count; i++) {
        estimate_item(s, i, head, now_us);
        s->idle_count += s->items[i].is_idle;
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (is_binding(s, i))
            add_binding(s, i);
    s->penalty_divisor = divisor_of(s, s->rules->penalty_backoff);
    s->urgency_divisor = divisor_of(s, s->rules->urgency_backoff);
    sort_by_place(s);
    estimate_returns(s);
}

/* -- costs -- */

/* From the end of one binding item to the begin of another. */
static int32_t binding_leg_us(struct deadline_scheduler *s, uint32_t from,
                              uint32_t to)
{
    uint32_t *leg = &s->positioning_us[from][to];

    if (*leg == 0)
        *leg = 1 + (uint32_t)spn__deadline_position_us(
                       s, &s->items[s->binding[from]].end,
                       &s->items[s->binding[to]].begin);
    return (int32_t)(*leg - 1);
}

/* Sum of the penalties if the item is read first and then the binding items in
 * the order of their deadlines. Items that would be too late are penalized and
 * not read. The result is exact up to `limit`. */
static uint32_t penalty_of(struct deadline_scheduler *s, uint32_t index,
                           uint32_t limit)
{
    const struct deadline_estimate *e = &s->estimates[index];
    int32_t tardy_us = (int32_t)s->rules->tardy_us;
    int32_t time_us = e->position_us + e->service_us;
    uint32_t last = DEADLINE_BINDING_MAX;
    uint32_t sum = 0;

    for (uint32_t k = 0; k < s->binding_count && sum <= limit; k++) {
        const struct deadline_item *item = &s->items[s->binding[k]];
        const struct deadline_estimate *other = &s->estimates[s->binding[k]];
        uint32_t penalty_us = (uint32_t)s->prices[item->class].penalty_max_us;
        int32_t late_us = time_us + other->service_us - other->deadline_us;

        if (s->binding[k] == index)
            continue;
        /* If it is too late even without positioning, skip that part. */
        if (late_us < tardy_us)
            late_us += last < DEADLINE_BINDING_MAX
                           ? binding_leg_us(s, last, k)
                           : spn__deadline_position_us(s, &s->items[index].end,
                                                       &item->begin);
        if (late_us >= tardy_us) {
            sum += penalty_us;
            continue;
        }
        if (late_us > 0)
            sum += (uint32_t)((uint64_t)penalty_us * (uint32_t)late_us /
                              (uint32_t)tardy_us);
        time_us = late_us + other->deadline_us;
        last = k;
    }
    return sum;
}

/* Urgency of an item: full if the slack is at most urgent_us, 0 from calm_us
 * on, and linear in between. */
static int32_t urgency_of(const struct deadline_scheduler *s, uint32_t index)
{
    const struct deadline_estimate *e = &s->estimates[index];
    int32_t slack_us = e->deadline_us - e->position_us - e->service_us;
    int32_t urgent_us = (int32_t)s->rules->urgent_us;
    int32_t calm_us = (int32_t)s->rules->calm_us;
    int32_t full = s->prices[s->items[index].class].urgency_max_us;

    if (e->deadline_us == DEADLINE_NEVER || slack_us >= calm_us)
        return 0;
    if (slack_us <= urgent_us)
        return full;
    return (int32_t)((int64_t)full * (calm_us - slack_us) /
                     (calm_us - urgent_us));
}

/* The cost without the penalties. */
static int32_t own_cost_of(const struct deadline_scheduler *s, uint32_t index,
                           uint32_t begun, uint64_t now_us)
{
    const struct deadline_item *item = &s->items[index];
    int32_t age_us = spn__deadline_age_us(item, now_us);
    int32_t cost =
        s->estimates[index].position_us + s->estimates[index].return_us;
    int32_t haste = urgency_of(s, index) + s->prices[item->class].credit_us;

    cost -= (int32_t)((int64_t)haste * ONE / (int64_t)s->urgency_divisor);
    cost -= part_of(s, age_us / 1000 * (int32_t)s->rules->age / 1000);
    if (begun < s->count && begun != index)
        cost +=
            spn__deadline_position_us(s, &item->end, &s->items[begun].begin);
    return cost;
}

int32_t spn__deadline_cost(struct deadline_scheduler *s, uint32_t index,
                           uint32_t begun, uint64_t now_us, int32_t limit)
{
    int32_t cost = own_cost_of(s, index, begun, now_us);
    uint64_t spare;

    if (cost > limit)
        return cost;
    /* Undivided penalties up to which the cost is within the limit. */
    spare = ((uint64_t)((int64_t)limit - cost) + 1) * s->penalty_divisor / ONE;
    return cost + (int32_t)((uint64_t)penalty_of(
                                s, index, (uint32_t)min_u64(spare, INT32_MAX)) *
                            ONE / s->penalty_divisor);
}
