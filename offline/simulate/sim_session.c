/* sim_session.c - make loads, run them, report. */
/* SPDX-License-Identifier: MIT */
#include "simulate/sim_session.h"

#include "host/host.h"
#include "simulate/game_faults.h"
#include "simulate/sim_compare.h"
#include "simulate/sim_inputs.h"
#include "simulate/sim_page.h"
#include "simulate/sim_report.h"

#include <stdio.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)

/* The inputs that all runs share. */
struct simulating {
    const struct sim_options *v;
    struct sim_inputs in;
    struct diag *diag;
};

/* Results of one trace, or of the generated game, on one disc. */
struct result {
    struct sim_setting setting;
    struct sim_run runs[GAME_ORDERS];
    uint32_t count;
};

static struct load *make_load(const struct simulating *s, uint32_t trace,
                              const struct sim_layout *layout)
{
    const struct sim_options *v = s->v;
    struct workload_config config = {.drive = &s->in.drive,
                                     .load = (uint32_t)(v->load * 1000 + 0.5),
                                     .seed = v->seed};
    struct load_source source = {.is_open_loop = v->is_open_loop,
                                 .has_default_deadlines =
                                     strcmp(v->deadlines, "class") == 0};
    struct load *load;

    if (v->traces.count > 0) {
        source.trace = &s->in.traces[trace];
        source.trace_path = s->in.trace_paths[trace];
    }
    if (layout) {
        source.paks = layout->paks;
        source.pak_count = layout->count;
        if (!source.trace)
            return load_none(&source, &s->in.drive, s->diag);
        return load_trace(&source, &s->in.drive, s->diag);
    }
    while (strcmp(workload_layout_names[config.layout], v->generate) != 0)
        config.layout++;
    if (source.trace)
        return load_trace_generated(&source, &config, s->diag);
    load = load_generate(&config);
    if (!load)
        diag_refuse(s->diag, s->in.drive.name, DIAG_NO_OFFSET, NULL,
                    LOAD_NO_ROOM);
    return load;
}

static uint64_t limit_us(const struct sim_options *v)
{
    if (v->seconds > 0)
        return v->seconds * SECOND_US;
    return v->generate && v->traces.count == 0 ? 120 * SECOND_US : UINT64_MAX;
}

/* When the last read of a load or action of a script begins. */
static uint64_t last_us(const struct simulating *s, const struct load *load)
{
    const uint64_t us = load_last_us(load);

    return s->in.has_script && s->in.script.last_us > us ? s->in.script.last_us
                                                         : us;
}

static const bool *find_left_out(const struct simulating *s,
                                 const struct load *load, uint32_t read_count)
{
    bool *is_left_out = ARENA_NEW(s->in.arena, bool, read_count);

    for (uint32_t i = 0; i < read_count; i++)
        is_left_out[i] = load_is_left_out(load, i);
    return is_left_out;
}

/* Warn of reads that are left out, once for all runs of a trace; refuse them if
 * is_strict. */
static bool report_missing(const struct simulating *s, const struct load *load,
                           struct sim_setting *setting)
{
    struct load_missing missing = load_missing(load);
    bool is_new = missing.count > 0 && setting->left_out == 0;

    setting->left_out = missing.count;
    if (is_new)
        setting->is_left_out = find_left_out(s, load, setting->read_count);
    if (is_new && s->v->is_strict)
        return diag_refuse(s->diag, setting->trace, DIAG_NO_OFFSET,
                           missing.path, "%s: %u of %u reads on %s",
                           missing.what, (unsigned)missing.count,
                           (unsigned)setting->read_count, setting->layout);
    if (is_new)
        diag_warn(s->diag, setting->trace, missing.path,
                  "%s: %u of %u reads are left out of the run on %s",
                  missing.what, (unsigned)missing.count,
                  (unsigned)setting->read_count, setting->layout);
    return true;
}

static bool run_one(const struct simulating *s, uint32_t trace_index,
                    const struct sim_layout *layout,
                    struct sim_setting *setting, struct sim_run *run,
                    struct host_output *trace, struct run_record *record)
{
    const struct sim_options *v = s->v;
    spn_emulator_fault faults[GAME_FAULTS_MAX + OPTION_TEXTS_MAX];
    struct load *load = make_load(s, trace_index, layout);
    struct game_sim sim = {.drive = &s->in.drive,
                           .order = run->order,
                           .limit_us = limit_us(v),
                           .heap_mib = v->heap_mib,
                           .faults = faults,
                           .fault_count = v->fault_count + v->faults.count,
                           .trace = record};
    uint64_t end_us;
    bool is_good;

    if (!load)
        return false;
    if (trace)
        load_keep_requests(load);
    if (s->in.has_script)
        sim.clips = &layout->clips;
    end_us = last_us(s, load);
    game_faults_draw(load, end_us < sim.limit_us ? end_us : sim.limit_us,
                     v->seed, faults, v->fault_count);
    is_good = report_missing(s, load, setting) &&
              sim_inputs_place_faults(&s->in, layout, s->v->fault_specs,
                                      v->faults.count, faults + v->fault_count,
                                      s->diag) &&
              game_sim_run(&sim, load, &run->record, s->diag) &&
              (!trace || load_write_trace(load, trace));
    load_destroy(load);
    return is_good;
}

/* Run a load with clips in all orders. The runtime records the first run. */
static bool run_and_record(const struct simulating *s, uint32_t trace_index,
                           const struct sim_layout *layout,
                           struct result *result)
{
    struct run_record record = {0};
    bool is_good = run_record_open(&record, s->v->write_trace, "clips",
                                   s->in.arena, s->diag);

    for (uint32_t i = 0; i < result->count && is_good; i++)
        is_good = run_one(s, trace_index, layout, &result->setting,
                          &result->runs[i], NULL, i == 0 ? &record : NULL);
    is_good = is_good && run_record_write(&record, s->diag);
    run_record_close(&record);
    return is_good;
}

/* Run a load in all orders. */
static bool run_all(const struct simulating *s, uint32_t trace_index,
                    const struct sim_layout *layout, struct result *result)
{
    struct host_output *trace = NULL;
    bool is_good = true;

    if (s->v->clips && s->v->write_trace)
        return run_and_record(s, trace_index, layout, result);
    if (s->v->write_trace) {
        trace = host_output_open(s->v->write_trace, s->diag);
        if (!trace)
            return false;
    }
    for (uint32_t i = 0; i < result->count && is_good; i++)
        is_good = run_one(s, trace_index, layout, &result->setting,
                          &result->runs[i], i == 0 ? trace : NULL, NULL);
    return host_output_finish(trace, is_good);
}

static uint32_t choose_orders(const char *name, struct sim_run *runs)
{
    uint32_t count = 0;

    for (enum game_order o = GAME_ORDER_DEADLINE; o < GAME_ORDERS; o++)
        if (strcmp(name, "all") == 0 || strcmp(name, game_order_names[o]) == 0)
            runs[count++].order = o;
    return count;
}

static void begin_result(const struct simulating *s, uint32_t trace,
                         const struct sim_layout *layout, struct result *result)
{
    const struct sim_options *v = s->v;

    memset(result, 0, sizeof *result);
    result->setting =
        (struct sim_setting){.drive = &s->in.drive,
                             .layout = layout ? layout->name : v->generate,
                             .load = v->load,
                             .seed = v->seed,
                             .fault_count = v->fault_count + v->faults.count,
                             .clips = v->clips,
                             .heap_mib = v->heap_mib};
    if (v->traces.count > 0) {
        result->setting.trace = s->in.trace_paths[trace];
        result->setting.files = s->in.traces[trace].paths;
        result->setting.file_count = s->in.traces[trace].file_count;
        result->setting.read_count = s->in.traces[trace].read_count;
        if (!v->is_open_loop)
            result->setting.chained = read_trace_chained(&s->in.traces[trace]);
    }
    result->count = choose_orders(v->scheduler, result->runs);
    for (uint32_t i = 0; i < result->count; i++)
        sim_record_init(&result->runs[i].record);
}

/* -- reports -- */

static bool write_page(const struct sim_options *v, struct result *result,
                       struct diag *diag)
{
    struct host_output *output;

    if (!v->output)
        return true;
    output = host_output_open(v->output, diag);
    return output && host_output_finish(
                         output, sim_page_write(&result->setting, result->runs,
                                                result->count, output));
}

/* One result is stored in the object itself, several in an array in it. */
static void report_json(struct result *results, uint32_t count,
                        struct diag *diag)
{
    cJSON *json = report_begin("simulate");
    cJSON *array = count > 1 ? report_array(json, "results") : NULL;

    for (uint32_t i = 0; i < count; i++)
        sim_report_json(&results[i].setting, results[i].runs, results[i].count,
                        array ? report_item(array) : json);
    report_end(json, diag);
}

static void print_text(const struct sim_options *v, struct result *results,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            putchar('\n');
        if (v->is_compare) {
            const struct sim_setting settings[2] = {results[i].setting,
                                                    results[i + 1].setting};
            const struct sim_run *const pair[2] = {results[i].runs,
                                                   results[i + 1].runs};

            sim_compare_text(settings, pair, stdout);
            i++;
        } else {
            sim_report_text(&results[i].setting, results[i].runs,
                            results[i].count, stdout);
        }
    }
}

static void check_late(const struct sim_options *v,
                       const struct result *results, uint32_t count,
                       struct diag *diag)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct sim_setting *setting = &results[i].setting;
        double percent =
            (double)tally_late_ppm(&results[i].runs[0].record.tally) / 1e4;

        if (v->late_percent_max != SIM_NO_LIMIT &&
            percent > v->late_percent_max)
            diag_refuse(diag, setting->trace ? setting->trace : setting->layout,
                        DIAG_NO_OFFSET, setting->trace ? setting->layout : NULL,
                        "%.2f %% of the reads are late by %s, more than %g %%",
                        percent, game_order_names[results[i].runs[0].order],
                        v->late_percent_max);
    }
}

static void set_defaults(struct sim_options *v)
{
    if (v->load <= 0)
        v->load = 0.95;
    if (v->seed == SIM_NOT_GIVEN)
        v->seed = 1;
    if (!v->scheduler)
        v->scheduler =
            v->is_compare ? game_order_names[GAME_ORDER_DEADLINE] : "all";
}

/* Warn of faults that begin after the end of all runs. */
static void warn_of_late_faults(const struct simulating *s,
                                const struct result *results, uint32_t count)
{
    uint64_t end_us = 0;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < results[i].count; k++)
            if (results[i].runs[k].record.time_us > end_us)
                end_us = results[i].runs[k].record.time_us;
    fault_spec_warn_late(s->v->fault_specs, s->v->faults.count, end_us,
                         s->diag);
}

/* -- the run -- */

static void finish(const struct simulating *s, struct result *results,
                   uint32_t count)
{
    warn_of_late_faults(s, results, count);
    if (!write_page(s->v, &results[0], s->diag))
        return;
    if (s->v->is_json)
        report_json(results, count, s->diag);
    else
        print_text(s->v, results, count);
    check_late(s->v, results, count, s->diag);
}

/* Run each trace on each disc. */
static void simulate(struct simulating *s)
{
    uint32_t traces = s->in.trace_count > 0 ? s->in.trace_count : 1;
    uint32_t layouts = s->in.layout_count > 0 ? s->in.layout_count : 1;
    struct result *results =
        ARENA_NEW(s->in.arena, struct result, (size_t)traces * layouts);
    bool is_good = true;
    uint32_t count = 0;

    for (uint32_t i = 0; i < traces * layouts && is_good; i++) {
        const struct sim_layout *layout =
            s->in.layout_count > 0 ? &s->in.layouts[i % layouts] : NULL;

        begin_result(s, i / layouts, layout, &results[count++]);
        is_good = run_all(s, i / layouts, layout, &results[i]);
    }
    if (is_good)
        finish(s, results, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < results[i].count; k++)
            sim_record_free(&results[i].runs[k].record);
}

void sim_session_run(struct sim_options *v, struct arena *arena,
                     struct diag *diag)
{
    struct simulating *s = ARENA_NEW(arena, struct simulating, 1);

    s->v = v;
    s->diag = diag;
    s->in.arena = arena;
    set_defaults(v);
    if (sim_inputs_open(&s->in, v, diag))
        simulate(s);
    sim_inputs_close(&s->in);
}
