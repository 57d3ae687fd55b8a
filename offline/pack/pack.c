/* pack.c - the steps from files to a pak. */
/* SPDX-License-Identifier: MIT */
#include "pack/pack.h"

#include <string.h>

struct packing {
    const struct pack_options *options;
    struct arena *arena;
    struct diag *diag;
    struct pack_report *report;
    struct workers *workers;
    struct pack_files files;
    struct pack_contents contents;
    struct read_trace *traces;
};

/* Refuse an output that is one of the traces, or of the paks of --without. */
static bool is_apart(const struct packing *p)
{
    const struct pack_options *o = p->options;

    for (uint32_t i = 0; i < o->without_count; i++)
        if (!host_output_differs(o->output, o->without[i], p->diag))
            return false;
    for (uint32_t i = 0; i < o->trace_count; i++)
        if (!host_output_differs(o->output, o->traces[i], p->diag))
            return false;
    return true;
}

static bool read_traces(struct packing *p)
{
    const struct pack_options *o = p->options;

    p->traces = ARENA_NEW(p->arena, struct read_trace, o->trace_count);
    for (uint32_t i = 0; i < o->trace_count; i++)
        if (!read_trace_load(o->traces[i], p->arena, &p->traces[i], p->diag))
            return false;
    return true;
}

/* Before the output is opened, whose temporary may lie in an input folder. */
static bool find_files(struct packing *p)
{
    const struct pack_options *o = p->options;

    p->files = (struct pack_files){.arena = p->arena,
                                   .diag = p->diag,
                                   .prefix = o->prefix ? o->prefix : "",
                                   .is_strict = o->is_strict,
                                   .skips_flawed = o->skips_flawed,
                                   .can_skip = true};
    return pack_files_list(&p->files, o->inputs, o->input_count, o->output);
}

static bool choose_files(struct packing *p)
{
    const struct pack_options *o = p->options;
    const char *first;

    first = p->files.count > 0 ? p->files.files[0].name : "";
    if (o->is_traced_only)
        p->report->untraced_count =
            pack_order_keep_traced(&p->files, p->traces, o->trace_count);
    if (o->is_traced_only && p->files.count == 0)
        return diag_refuse(p->diag, o->traces[0], DIAG_NO_OFFSET, NULL,
                           "none of its files is among the inputs, the first "
                           "of which is \"%s\"",
                           first);
    for (uint32_t i = 0; i < o->without_count; i++)
        if (!pack_contents_without(&p->files, p->workers, o->without[i],
                                   &p->report->left_out_count,
                                   &p->report->left_out_bytes))
            return false;
    return pack_contents_find(&p->files, p->workers, &p->contents);
}

static bool lay_out(struct packing *p)
{
    const struct pack_options *o = p->options;

    const struct pack_traces traces = {.traces = p->traces,
                                       .paths = o->traces,
                                       .count = o->trace_count,
                                       .budget_percent = o->duplicate_percent,
                                       .drives = o->drives,
                                       .drive_count = o->drive_count};

    if (o->trace_count > 0)
        return pack_order_by_traces(&p->files, &p->contents, &traces, o->order,
                                    &p->report->layout);
    pack_order_by(&p->files, &p->contents, o->order, &p->report->layout);
    return true;
}

static bool write_all(struct packing *p, struct host_output *output)
{
    const struct pak_writing writing = {
        .files = &p->files,
        .contents = &p->contents,
        .layout = &p->report->layout,
        .codec = p->options->codec,
        .level = p->options->level ? p->options->level : PACK_LEVEL,
        .rules = p->options->rules,
        .rule_count = p->options->rule_count,
        .workers = p->workers,
        .output = output,
        .path = p->options->output,
        .diag = p->diag,
        .progress = p->options->progress,
        .progress_user = p->options->progress_user,
    };

    return pak_write(&writing, &p->report->written);
}

bool pack_run(const struct pack_options *options, struct arena *arena,
              struct diag *diag, struct pack_report *report)
{
    struct packing p = {
        .options = options, .arena = arena, .diag = diag, .report = report};
    struct host_output *output = NULL;
    bool is_good = false;

    memset(report, 0, sizeof *report);
    if (find_files(&p))
        output = host_output_open(options->output, diag);
    if (output) {
        p.workers = workers_create(options->jobs);
        is_good = is_apart(&p) && read_traces(&p) && choose_files(&p) &&
                  lay_out(&p) && write_all(&p, output);
        workers_destroy(p.workers);
    }
    pack_files_free(&p.files);
    return host_output_finish(output, is_good);
}
