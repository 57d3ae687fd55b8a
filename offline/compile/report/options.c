/* options.c - defaults of the options that are not 0. */
/* SPDX-License-Identifier: MIT */
#include "compile/report/options.h"

#include "base/block_codec.h"
#include "common/system.h"
#include "compile/encode/classic/search.h"

void compile_options_default(struct compile_options *options)
{
    *options = (struct compile_options){
        .precision_mm = 1,
        .velocity_precision_mm = -1,
        .unit_metres = 1,
        .index_distance = 10,
        .codec = BLOCK_CODEC_LZ4,
        .orders = ORDERS_ALL,
        .jobs = system_cpu_count(),
    };
}
