/* test_trace.c
 *
 * Goal: the ring holds the last events, and the hash distinguishes two runs.
 * Method: more events than the ring holds; the hash compared with one of bytes
 * written by hand; every field changed alone; the order changed.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "base/trace.h"

#include <stdalign.h>
#include <string.h>
#include <xxhash.h>

alignas(64) static uint8_t memory[4096];

static void make(struct trace *trace, uint32_t capacity)
{
    struct carve carve = {.base = memory, .limit = sizeof memory};

    spn__trace_init(trace, &carve, capacity);
    CHECK(!carve.is_over);
    CHECK_EQ_U(trace->count, 0);
}

static void trace_keeps_the_last_events(void)
{
    struct trace trace;

    make(&trace, 5);
    CHECK_EQ_U(trace.mask, 7);
    for (uint32_t i = 0; i < 100; i++) {
        trace.count += i == 0 ? UINT32_MAX - 49 : 0; /* across the wrap */
        spn__trace_add(&trace, ((uint64_t)i << 32) + 5, TRACE_SHOW, i, i + 1,
                       i + 2);
    }
    CHECK_EQ_U(trace.count, 50);
    for (uint32_t back = 0; back < 8; back++) {
        const struct trace_event *event =
            &trace.events[(trace.count - 1 - back) & trace.mask];
        uint32_t i = 99 - back;

        CHECK_EQ_U(event->time_us, ((uint64_t)i << 32) + 5);
        CHECK_EQ_U(event->kind, TRACE_SHOW);
        CHECK_EQ_U(event->subject, i);
        CHECK_EQ_U(event->a, i + 1);
        CHECK_EQ_U(event->b, i + 2);
    }
}

static void trace_hash_is_of_the_events_in_file_order(void)
{
    static const uint8_t bytes[24] = {8, 7, 6, 5,    4, 3, 2, 1, 4, 0, 0, 0,
                                      3, 0, 0, 0x80, 9, 0, 0, 0, 0, 1, 0, 0};
    struct trace trace;

    make(&trace, 2);
    CHECK_EQ_U(trace.hash, 0);
    spn__trace_add(&trace, 0x0102030405060708u, TRACE_DECODE_END, 0x80000003u,
                   9, 256);
    CHECK_EQ_U(trace.hash, XXH32(bytes, 24, 0));
    spn__trace_add(&trace, 0x0102030405060708u, TRACE_DECODE_END, 0x80000003u,
                   9, 256);
    CHECK_EQ_U(trace.hash, XXH32(bytes, 24, XXH32(bytes, 24, 0)));
}

static uint32_t hash_of(uint64_t time_us, enum trace_kind kind,
                        uint32_t subject, uint32_t a, uint32_t b)
{
    struct trace trace;

    make(&trace, 2);
    spn__trace_add(&trace, time_us, kind, subject, a, b);
    return trace.hash;
}

static void trace_hash_notices_every_field(void)
{
    uint32_t good = hash_of(1, TRACE_SEEK, 3, 4, 5);

    CHECK_EQ_U(hash_of(1, TRACE_SEEK, 3, 4, 5), good);
    CHECK(hash_of(2, TRACE_SEEK, 3, 4, 5) != good);
    CHECK(hash_of(1 + ((uint64_t)1 << 32), TRACE_SEEK, 3, 4, 5) != good);
    CHECK(hash_of(1, TRACE_OPEN, 3, 4, 5) != good);
    CHECK(hash_of(1, TRACE_SEEK, 2, 4, 5) != good);
    CHECK(hash_of(1, TRACE_SEEK, 3, 5, 5) != good);
    CHECK(hash_of(1, TRACE_SEEK, 3, 4, 6) != good);
}

static void trace_hash_notices_order_and_number_beyond_the_ring(void)
{
    uint32_t hash[3];

    for (uint32_t variant = 0; variant < 3; variant++) {
        struct trace trace;

        make(&trace, 2);
        for (uint32_t i = 0; i < 50; i++) {
            uint32_t subject = i;

            if (variant == 1 && (i == 10 || i == 11))
                subject = 21 - i;
            spn__trace_add(&trace, 0, TRACE_SHOW, subject, 0, 0);
            if (variant == 2 && i == 10)
                spn__trace_add(&trace, 0, TRACE_SHOW, subject, 0, 0);
        }
        hash[variant] = trace.hash;
    }
    CHECK(hash[0] != hash[1]);
    CHECK(hash[0] != hash[2]);
}

TEST_MAIN(TEST(trace_keeps_the_last_events),
          TEST(trace_hash_is_of_the_events_in_file_order),
          TEST(trace_hash_notices_every_field),
          TEST(trace_hash_notices_order_and_number_beyond_the_ring))
