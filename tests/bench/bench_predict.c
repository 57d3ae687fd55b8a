/* bench_predict.c - one frame of the cloth: unpack, predict, both.
 *
 * All data is in the last cache level. The memcpy of the raw frame is the
 * reference. */
/* SPDX-License-Identifier: MIT */
#include "support/bench.h"
#include "support/bench_sail.h"

#include <string.h>

struct work {
    struct sail sail;
    struct predict_ops ops;
    struct sail_frame out;
    enum coding coding;
    int is_unpacked;
    int is_predicted;
};

static void copy(void *user)
{
    struct work *work = user;

    memcpy(work->out.position, work->sail.frame.position, SAIL_VERTICES * 6u);
    memcpy(work->out.qtangent, work->sail.frame.qtangent, SAIL_VERTICES * 8u);
}

static void decode(void *user)
{
    struct work *work = user;

    sail_decode(&work->sail, &work->ops, work->coding, &work->out,
                work->is_unpacked, work->is_predicted);
}

int main(void)
{
    static struct work work;
    static const char *const unpack_names[] = {"", "unpack_lz4_spatial",
                                               "unpack_lz4_temporal"};
    static const char *const predict_names[] = {"", "predict_spatial",
                                                "predict_temporal"};
    static const char *const decode_names[] = {"", "decode_spatial",
                                               "decode_temporal"};
    struct bench_set sets[BENCH_SETS_MAX];
    const int set_count = bench_sets(sets);
    double memcpy_us;

    sail_make(&work.sail);
    sail_frame_make(&work.out);
    bench_head();
    memcpy_us = bench_best_us(copy, &work, 200);
    bench_line("memcpy_frame", "", SAIL_FRAME_BYTES, memcpy_us, memcpy_us);
    for (work.coding = CODING_SPATIAL; work.coding <= CODING_TEMPORAL;
         work.coding++) {
        work.is_unpacked = 1;
        work.is_predicted = 0;
        bench_line(unpack_names[work.coding], "", SAIL_FRAME_BYTES,
                   bench_best_us(decode, &work, 200), memcpy_us);
        for (int i = 0; i < set_count; i++) {
            spn__predict_ops_init(&work.ops, sets[i].cpu);
            work.is_predicted = 1;
            work.is_unpacked = 0;
            bench_line(predict_names[work.coding], sets[i].name,
                       SAIL_FRAME_BYTES, bench_best_us(decode, &work, 200),
                       memcpy_us);
            work.is_unpacked = 1;
            bench_line(decode_names[work.coding], sets[i].name,
                       SAIL_FRAME_BYTES, bench_best_us(decode, &work, 200),
                       memcpy_us);
        }
    }
    sail_frame_free(&work.out);
    sail_free(&work.sail);
    return 0;
}
