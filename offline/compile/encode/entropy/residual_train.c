/* residual_train.c - trains the tables of the residual coder, in rounds.
 *
 * Each round first chooses a class for each run, then computes the tables
 * from the symbols of the runs that use them. In the first round there are no
 * tables, so the class follows from the mean magnitude of the run's
 * residuals.
 *
 * Rare symbols get no code, and are escaped: a code would lengthen the codes of
 * other symbols by more than the escapes cost. A table with too few training
 * symbols is left empty. Exceptions are the last table without low bits, the
 * last table with low bits, and the last table of quads: with them any run
 * can be coded.
 */
/* SPDX-License-Identifier: MIT */
#include "compile/encode/entropy/residual_train.h"

#include "compile/encode/entropy/prefix_code.h"
#include "compile/encode/entropy/residual_classes.h"
#include "compile/encode/entropy/residual_symbols.h"

#include <string.h>

#define ROUNDS 5
/* A table with fewer training symbols costs more than it saves. */
#define SYMBOLS_MIN 300u
/* A symbol gets no code if it is rarer than one in this many. */
#define RARE 12000u

/* How often each symbol occurs in the runs of each table. */
struct counts {
    uint64_t triple[TRIPLE_TABLES + 1][TRIPLE_SYMBOLS];
    uint64_t quad[QUAD_TABLES + 1][QUAD_SYMBOLS];
};

/* -- first classes -- */

static uint32_t magnitude(int16_t x)
{
    return (uint32_t)(x < 0 ? -x : x);
}

/* Return 0 if the mean magnitude, sum / count, is 0. Otherwise return 1 plus
 * the number of bounds that the mean reaches. Bounds are in units of 1/100. */
static uint32_t class_by_mean(uint32_t sum, uint32_t count,
                              const uint16_t *bounds, uint32_t bound_count)
{
    uint32_t class_ = 1;

    if (sum == 0)
        return 0;
    while (class_ <= bound_count &&
           100 * (uint64_t)sum >= (uint64_t)count * bounds[class_ - 1])
        class_++;
    return class_;
}

/* The class of a run in the first round. The low bits are as many as bring
 * the mean magnitude below 1.5. */
static struct residual_class first_class(const int16_t *residuals)
{
    static const uint16_t bounds[5] = {6, 20, 45, 85, 150};
    static const uint16_t fine[2] = {95, 120};
    struct residual_class class_ = {0, 0};
    uint32_t sum = 0;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v++)
        for (uint32_t i = 0; i < 3; i++)
            sum += magnitude(residuals[4 * v + i]);
    class_.table = (uint8_t)class_by_mean(sum, 3 * RESIDUAL_RUN, bounds, 5);
    if (class_.table < 6)
        return class_;
    while (class_.low_bits < RESIDUAL_LOW_BITS_MAX &&
           100 * (uint64_t)sum >= 150 * (uint64_t)(3 * RESIDUAL_RUN)) {
        sum /= 2;
        class_.low_bits++;
    }
    class_.table = (uint8_t)(5 + class_by_mean(sum, 3 * RESIDUAL_RUN, fine, 2));
    return class_;
}

/* The class of the quads of a run in the first round. */
static uint32_t first_quad_class(const int16_t *fourth)
{
    static const uint16_t bounds[4] = {10, 30, 50, 75};
    uint32_t sum = 0;

    for (uint32_t v = 0; v < RESIDUAL_RUN; v++)
        sum += magnitude(fourth[v]);
    return class_by_mean(sum, RESIDUAL_RUN, bounds, 4);
}

/* -- counting -- */

static void count_run_triples(struct counts *counts,
                              struct residual_class class_,
                              const int16_t *residuals)
{
    uint64_t *of_symbol = counts->triple[class_.table];
    uint16_t symbols[RESIDUAL_RUN];

    if (class_.table == 0)
        return;
    residual_symbols(residuals, class_.low_bits, symbols);
    for (uint32_t v = 0; v < RESIDUAL_RUN; v++)
        of_symbol[symbols[v]]++;
}

static void count_run_quads(struct counts *counts, uint32_t class_,
                            const int16_t *fourth)
{
    for (uint32_t v = 0; class_ != 0 && v < RESIDUAL_RUN; v += 4)
        counts->quad[class_][residual_quad_symbol(fourth + v)]++;
}

/* Count the symbols of a sample. coder: the tables of the last round; NULL in
 * the first round. */
static void count_sample(const struct residual_sample *sample,
                         const struct residual_encoder *coder,
                         struct counts *counts)
{
    uint8_t classes[RESIDUAL_RUNS_MAX];
    uint8_t quad_classes[RESIDUAL_RUNS_MAX];
    uint32_t base = 0;

    if (coder)
        (void)residual_choose_classes(coder, sample->residuals, sample->fourth,
                                      sample->run_count, &base, classes,
                                      quad_classes);
    for (uint32_t b = 0; b < sample->run_count; b++) {
        const int16_t *residuals =
            sample->residuals + 4 * RESIDUAL_RUN * (size_t)b;
        const int16_t *fourth =
            sample->fourth ? sample->fourth + RESIDUAL_RUN * (size_t)b : NULL;

        count_run_triples(counts,
                          coder ? residual_class(classes[b], base)
                                : first_class(residuals),
                          residuals);
        if (fourth)
            count_run_quads(counts,
                            coder ? quad_classes[b] : first_quad_class(fourth),
                            fourth);
    }
}

/* -- tables -- */

/* Compute the code lengths of a table. Rare symbols are counted as escapes. */
static void make_lengths(uint64_t *counts, uint32_t escape, uint8_t *lengths)
{
    uint64_t total = 0;

    for (uint32_t s = 0; s <= escape; s++)
        total += counts[s];
    for (uint32_t s = 0; s < escape; s++)
        if (counts[s] * RARE < total) {
            counts[escape] += counts[s];
            counts[s] = 0;
        }
    /* At least two symbols need a count: the escape, and the symbol of
     * residuals of 0. */
    counts[escape] += 1 + total / 100000;
    counts[escape / 2] += 1;
    prefix_code_lengths(counts, escape + 1, RESIDUAL_CODE_BITS, lengths);
}

static uint64_t sum_of(const uint64_t *counts, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        sum += counts[i];
    return sum;
}

/* Set default counts for a table with too few training symbols. A symbol has
 * `components` numbers with `values` values each; each step of a number away
 * from 0 halves the count of the symbol. */
static void fallback(uint64_t *counts, uint32_t escape, uint32_t components,
                     uint32_t values)
{
    for (uint32_t s = 0; s < escape; s++) {
        uint32_t rest = s;
        uint32_t steps = 0;

        for (uint32_t i = 0; i < components; i++, rest /= values) {
            const uint32_t x = rest % values;

            steps += x > values / 2 ? x - values / 2 : values / 2 - x;
        }
        counts[s] = (uint64_t)1 << (20 - steps);
    }
    counts[escape] = 1;
}

/* Compute all tables from the counts. */
static void make_tables(struct counts *counts, struct residual_encoder *coder)
{
    memset(coder->triple_length, 0, sizeof coder->triple_length);
    memset(coder->quad_length, 0, sizeof coder->quad_length);
    for (uint32_t t = 1; t <= TRIPLE_TABLES; t++) {
        uint64_t *count = counts->triple[t];

        if (sum_of(count, TRIPLE_SYMBOLS) < SYMBOLS_MIN) {
            /* Table 5 is the last one without low bits, and TRIPLE_TABLES the
             * last one with them. */
            if (t != 5 && t != TRIPLE_TABLES)
                continue;
            fallback(count, TRIPLE_ESCAPE, 3, 2 * TRIPLE_Q_MAX + 1);
        }
        make_lengths(count, TRIPLE_ESCAPE, coder->triple_length[t]);
    }
    for (uint32_t t = 1; t <= QUAD_TABLES; t++) {
        uint64_t *count = counts->quad[t];

        if (sum_of(count, QUAD_SYMBOLS) < SYMBOLS_MIN) {
            if (t != QUAD_TABLES)
                continue;
            fallback(count, QUAD_ESCAPE, 4, 2 * QUAD_Q_MAX + 1);
        }
        make_lengths(count, QUAD_ESCAPE, coder->quad_length[t]);
    }
    residual_encoder_finish(coder);
}

void residual_train(const struct residual_sample *samples, uint32_t count,
                    struct arena *scratch, struct residual_encoder *coder)
{
    struct counts *counts = ARENA_NEW(scratch, struct counts, 1);

    for (uint32_t round = 0; round < ROUNDS; round++) {
        memset(counts, 0, sizeof *counts);
        for (uint32_t i = 0; i < count; i++)
            count_sample(&samples[i], round == 0 ? NULL : coder, counts);
        make_tables(counts, coder);
    }
}
