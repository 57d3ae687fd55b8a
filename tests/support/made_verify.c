/* made_verify.c - call the compiler and verify for one archive. */
/* SPDX-License-Identifier: MIT */
#include "support/made_verify.h"

#include "harness.h"

void made_compile(const char *archive, const char *cache,
                  struct compile_options *options)
{
    struct compile_report report;
    struct diag diag;

    options->input = archive;
    options->output = cache;
    diag_init(&diag);
    diag.is_silent = true;
    if (!compile_run(options, &diag, NULL, NULL, &report))
        test_fail(__FILE__, __LINE__, "refused: %s", diag.text);
    diag_finish(&diag);
}

void made_verify(const char *archive, const char *cache, bool flip_v,
                 struct verify_report *report)
{
    const struct verify_options options = {
        .cache = cache, .archive = archive, .flip_v = flip_v};
    struct diag diag;

    diag_init(&diag);
    if (!verify_run(&options, &diag, report))
        test_fail(__FILE__, __LINE__, "refused: %s", diag.text);
    diag_finish(&diag);
}
