/* test_pack.c
 *
 * Goal: a pak has the bytes of every packed file, once, at the place of the
 * layout; it has the same bytes for any number of threads; an error is one line
 * and leaves no pak.
 * Method: small trees packed with all options, and read by the tests' own
 * reader.
 */
/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "harness.h"

#include "pack/pack.h"
#include "pack/unpack.h"
#include "support/tiny_pak.h"

#include <spindle/codec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGE_BYTES (5 * PAK_BLOCK_BYTES + 77)

static struct diag diag;
static struct arena arena;
static char folder[512];
static uint8_t noise[LARGE_BYTES];
static uint8_t text[LARGE_BYTES];

static void begin_diag(void)
{
    diag_finish(&diag);
    diag_init(&diag);
    diag.is_silent = true;
}

static void start(void)
{
    static unsigned number;
    struct test_random random = {3};

    snprintf(folder, sizeof folder, "%s/%u", test_temp(), number++);
    CHECK_EQ(mkdir(folder, 0777), 0);
    begin_diag();
    arena_free(&arena);
    arena_init(&arena);
    for (size_t i = 0; i < LARGE_BYTES; i++) {
        noise[i] = (uint8_t)test_random_u64(&random);
        text[i] = (uint8_t)(i / 300 % 11 + i % 3);
    }
}

/* Valid until the next start. */
static const char *path_of(const char *name)
{
    return arena_format(&arena, "%s/%s", folder, name);
}

static void put(const char *name, const void *data, size_t bytes)
{
    FILE *file;

    CHECK(host_make_folders(path_of(name), &diag));
    file = fopen(path_of(name), "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
}

static void put_tree(void)
{
    put("in/large", text, LARGE_BYTES);
    put("in/noise.bin", noise, LARGE_BYTES);
    put("in/a/small", text + 5, 900);
    put("in/a/one", noise, 1);
    put("in/empty", noise, 0);
    put("in/block", text + 9, PAK_BLOCK_BYTES);
    put("in/again/large", text, LARGE_BYTES);
    put("in/again/empty", noise, 0);
}

static struct pack_options wish_for(const char *const *inputs, uint32_t count)
{
    return (struct pack_options){.inputs = inputs,
                                 .input_count = count,
                                 .output = path_of("out.spk"),
                                 .jobs = 2};
}

static void read_pak(const char *path, struct tiny_pak *pak)
{
    void *data;

    CHECK(host_read_file(path, &data, &pak->size, &diag));
    pak->bytes = data;
}

/* Pack, and read the result. */
static void pack(const struct pack_options *options, struct pack_report *report,
                 struct tiny_pak *pak)
{
    struct spn_fault fault = {0};

    if (!pack_run(options, &arena, &diag, report))
        CHECK_STR(diag.text, "");
    read_pak(options->output, pak);
    CHECK_EQ(tiny_pak_walk(pak->bytes, pak->size, &fault), SPN_OK);
}

static void check_tree(const struct tiny_pak *pak)
{
    CHECK(tiny_pak_has(pak, "large", text, LARGE_BYTES));
    CHECK(tiny_pak_has(pak, "noise.bin", noise, LARGE_BYTES));
    CHECK(tiny_pak_has(pak, "a/small", text + 5, 900));
    CHECK(tiny_pak_has(pak, "a/one", noise, 1));
    CHECK(tiny_pak_has(pak, "empty", noise, 0));
    CHECK(tiny_pak_has(pak, "block", text + 9, PAK_BLOCK_BYTES));
    CHECK(tiny_pak_has(pak, "again/large", text, LARGE_BYTES));
    CHECK(tiny_pak_has(pak, "again/empty", noise, 0));
}

static void every_codec_packs_a_folder(void)
{
    static const uint32_t codecs[] = {SPN_CODEC_STORE, SPN_CODEC_LZ4,
                                      SPN_CODEC_DEFLATE, SPN_CODEC_ZSTD};
    const char *inputs[1];

    for (size_t i = 0; i < 4; i++) {
        struct pack_options options;
        struct pack_report report;
        struct tiny_pak pak;

        test_context("codec %u", codecs[i]);
        start();
        put_tree();
        inputs[0] = path_of("in");
        options = wish_for(inputs, 1);
        options.codec = codecs[i];
        pack(&options, &report, &pak);
        check_tree(&pak);
        CHECK_EQ(report.written.header.entry_count, 8);
        /* Files with the same bytes are stored once; an empty file has no
         * place. */
        CHECK_EQ(report.written.header.content_count, 6);
        CHECK_EQ(report.written.header.copy_count, 5);
        CHECK_EQ_U(report.written.bytes,
                   2 * LARGE_BYTES + 900 + 1 + PAK_BLOCK_BYTES);
        CHECK((report.written.stored_bytes < report.written.bytes) == (i > 0));
        CHECK_EQ_U(report.written.header.file_bytes, pak.size);
        tiny_pak_free(&pak);
    }
}

static void pak_does_not_depend_on_threads(void)
{
    struct tiny_pak paks[3];
    const char *inputs[1];

    start();
    put_tree();
    inputs[0] = path_of("in");
    for (uint32_t i = 0; i < 3; i++) {
        struct pack_options options = wish_for(inputs, 1);
        struct pack_report report;

        options.codec = SPN_CODEC_LZ4;
        options.jobs = i == 0 ? 1 : i == 1 ? 2 : 7;
        pack(&options, &report, &paks[i]);
        CHECK_EQ(paks[i].size, paks[0].size);
        CHECK_MEM(paks[i].bytes, paks[0].bytes, paks[0].size);
    }
    for (uint32_t i = 0; i < 3; i++)
        tiny_pak_free(&paks[i]);
}

/* Compression must save at least one sixteenth. */
static void files_that_hardly_compress_are_stored(void)
{
    static uint8_t hardly[3 * LARGE_BYTES / 2];
    const char *inputs[1];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;

    start();
    /* A twentieth of zeroes, which compress to almost nothing. */
    memcpy(hardly, noise, LARGE_BYTES);
    memset(hardly + LARGE_BYTES, 0, LARGE_BYTES / 20);
    put("in/hardly", hardly, LARGE_BYTES + LARGE_BYTES / 20);
    memset(hardly + LARGE_BYTES, 0, LARGE_BYTES / 10);
    put("in/some", hardly, LARGE_BYTES + LARGE_BYTES / 10);
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    options.codec = SPN_CODEC_LZ4;
    pack(&options, &report, &pak);
    CHECK(tiny_pak_has(&pak, "hardly", hardly, LARGE_BYTES + LARGE_BYTES / 20));
    CHECK(tiny_pak_has(&pak, "some", hardly, LARGE_BYTES + LARGE_BYTES / 10));
    for (uint32_t i = 0; i < 2; i++) {
        struct pak_content c = spn__pak_content(&report.written.index, i);
        bool is_some = c.bytes == LARGE_BYTES + LARGE_BYTES / 10;

        CHECK_EQ(c.codec, is_some ? SPN_CODEC_LZ4 : SPN_CODEC_STORE);
        CHECK((c.stored_bytes < c.bytes) == is_some);
    }
    tiny_pak_free(&pak);
}

static void caches_are_stored_as_they_are(void)
{
    const char *inputs[1];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;

    start();
    memcpy(text, "SPNCACHE", 8);
    put("in/clip.sgc", text, LARGE_BYTES);
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    options.codec = SPN_CODEC_ZSTD;
    pack(&options, &report, &pak);
    CHECK(tiny_pak_has(&pak, "clip.sgc", text, LARGE_BYTES));
    CHECK_EQ(spn__pak_content(&report.written.index, 0).codec, SPN_CODEC_STORE);
    tiny_pak_free(&pak);
}

static void inputs_are_files_folders_and_paks(void)
{
    const char *inputs[2];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;
    struct tiny_pak again;

    start();
    put_tree();
    put("more/file.txt", text, 10);
    inputs[0] = path_of("in/");
    options = wish_for(inputs, 1);
    options.codec = SPN_CODEC_ZSTD;
    pack(&options, &report, &pak);
    tiny_pak_free(&pak);
    CHECK_EQ(rename(options.output, path_of("first.spk")), 0);

    inputs[0] = path_of("first.spk");
    inputs[1] = path_of("more/file.txt");
    options = wish_for(inputs, 2);
    options.codec = SPN_CODEC_LZ4;
    pack(&options, &report, &again);
    check_tree(&again);
    CHECK(tiny_pak_has(&again, "file.txt", text, 10));
    tiny_pak_free(&again);

    options.prefix = "levels/x/";
    pack(&options, &report, &again);
    CHECK(tiny_pak_has(&again, "levels/x/file.txt", text, 10));
    CHECK(tiny_pak_has(&again, "levels/x/a/one", noise, 1));
    CHECK(!tiny_pak_has(&again, "a/one", noise, 1));
    tiny_pak_free(&again);
}

static void files_of_another_pak_are_left_out(void)
{
    const char *inputs[1];
    const char *without[1];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;

    start();
    put("hot/a/small", text + 5, 900);
    put("hot/large", text, LARGE_BYTES);
    put("hot/block", text + 10, PAK_BLOCK_BYTES);
    put("hot/only", text, 4);
    put("hot/empty", text, 0);
    inputs[0] = path_of("hot");
    options = wish_for(inputs, 1);
    options.codec = SPN_CODEC_LZ4;
    pack(&options, &report, &pak);
    tiny_pak_free(&pak);
    CHECK_EQ(rename(options.output, path_of("hot.spk")), 0);

    put_tree();
    inputs[0] = path_of("in");
    without[0] = path_of("hot.spk");
    options = wish_for(inputs, 1);
    options.without = without;
    options.without_count = 1;
    pack(&options, &report, &pak);
    CHECK_EQ(report.left_out_count, 3);
    CHECK_EQ_U(report.left_out_bytes, LARGE_BYTES + 900);
    CHECK_EQ(diag.warning_count, 1); /* a block differs */
    CHECK_EQ(report.written.header.entry_count, 5);
    CHECK(!tiny_pak_has(&pak, "large", text, LARGE_BYTES));
    CHECK(!tiny_pak_has(&pak, "a/small", text, 900));
    CHECK(!tiny_pak_has(&pak, "empty", text, 0));
    CHECK(tiny_pak_has(&pak, "block", text + 9, PAK_BLOCK_BYTES));
    CHECK(tiny_pak_has(&pak, "again/large", text, LARGE_BYTES));
    tiny_pak_free(&pak);

    options.is_strict = true;
    begin_diag();
    CHECK(!pack_run(&options, &arena, &diag, &report));
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK(strstr(diag.text, "hot.spk: block: has other bytes") != NULL);
}

static void an_empty_folder_is_an_empty_pak(void)
{
    const char *inputs[1];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;

    start();
    CHECK_EQ(mkdir(path_of("in"), 0777), 0);
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    pack(&options, &report, &pak);
    CHECK_EQ(report.written.header.entry_count, 0);
    CHECK_EQ(pak.size, PAK_SECTOR_BYTES);
    tiny_pak_free(&pak);
}

/* -- refusals -- */

static void expect_refusal(const struct pack_options *options,
                           enum exit_code code, const char *says)
{
    struct pack_report report;
    struct stat info;

    begin_diag();
    CHECK(!pack_run(options, &arena, &diag, &report));
    if (!strstr(diag.text, says))
        CHECK_STR(diag.text, says);
    CHECK_EQ(diag.code, code);
    if (strcmp(options->output, path_of("out.spk")) == 0)
        CHECK(stat(options->output, &info) != 0);
}

static void invalid_inputs_are_refused(void)
{
    const char *inputs[2];
    struct pack_options options;

    start();
    put("x/same", text, 1);
    put("y/same", text, 1);
    inputs[0] = path_of("x/same");
    inputs[1] = path_of("y/same");
    options = wish_for(inputs, 2);
    expect_refusal(&options, EXIT_INPUT_REFUSED, "same: is also the name of");
    inputs[1] = path_of("none");
    expect_refusal(&options, EXIT_IO_FAILED, "none: cannot open");
    put("x/odd:name", text, 1);
    inputs[1] = path_of("x/odd:name");
    expect_refusal(&options, EXIT_INPUT_REFUSED,
                   "is no name that a pak can have");
    options.input_count = 1;
    options.prefix = "../";
    expect_refusal(&options, EXIT_INPUT_REFUSED,
                   "is no name that a pak can have");
    options.prefix = NULL;
    options.output = path_of("x/same");
    expect_refusal(&options, EXIT_INPUT_REFUSED, "the output is the input");
    options.output = path_of("none/out.spk");
    expect_refusal(&options, EXIT_IO_FAILED, "cannot use folder");
}

static void flawed_names_are_refused_together_or_left_out(void)
{
    const char *inputs[1];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;

    start();
    put("in/good", text, 1);
    put("in/AUX.txt", text, 1);
    put("in/dir./x", text, 1);
    put("in/odd:name", text, 1);
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    expect_refusal(&options, EXIT_INPUT_REFUSED, "AUX.txt: has a part that is");
    CHECK_EQ(diag.warning_count, 3);
    begin_diag();
    options.skips_flawed = true;
    pack(&options, &report, &pak);
    CHECK_EQ(diag.warning_count, 3);
    CHECK_EQ(report.written.header.entry_count, 1);
    tiny_pak_free(&pak);
}

static void links_to_folders_are_left_out_with_a_warning(void)
{
    const char *inputs[1];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;

    start();
    put("in/file", text, 1);
    CHECK_EQ(symlink(".", path_of("in/here")), 0);
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    pack(&options, &report, &pak);
    CHECK_EQ(diag.warning_count, 1);
    CHECK_EQ(report.written.header.entry_count, 1);
    tiny_pak_free(&pak);
    CHECK_EQ(remove(options.output), 0);
    options.is_strict = true;
    expect_refusal(&options, EXIT_INPUT_REFUSED, "in/here: is left out");
}

/* An input pak with a damaged block. */
static void damaged_input_pak_is_refused(void)
{
    const char *inputs[1];
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;
    FILE *file;

    start();
    put_tree();
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    pack(&options, &report, &pak);
    CHECK_EQ(remove(options.output), 0);
    pak.bytes[report.written.header.data_offset] ^= 1;
    file = fopen(path_of("bent.spk"), "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(pak.bytes, 1, pak.size, file), pak.size);
    fclose(file);
    tiny_pak_free(&pak);
    inputs[0] = path_of("bent.spk");
    expect_refusal(&options, EXIT_INPUT_REFUSED, "checksum of a block");
}

/* -- unpack -- */

static void unpack_restores_files(void)
{
    static const char *const names[] = {"large",       "noise.bin",  "a/small",
                                        "a/one",       "empty",      "block",
                                        "again/large", "again/empty"};
    const char *inputs[1];
    const char *some[2] = {"a/", "block"};
    struct unpack_options back = {0};
    struct unpack_report unpacked;
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;
    struct stat info;

    start();
    put_tree();
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    options.codec = SPN_CODEC_ZSTD;
    pack(&options, &report, &pak);
    tiny_pak_free(&pak);
    back.pak = options.output;
    back.folder = path_of("back/there");
    CHECK(unpack_run(&back, &arena, &diag, &unpacked));
    CHECK_EQ(unpacked.file_count, 8);
    for (size_t i = 0; i < 8; i++) {
        const char *to = arena_format(&arena, "back/there/%s", names[i]);
        const char *from = arena_format(&arena, "in/%s", names[i]);
        void *data[2];
        size_t bytes[2];

        CHECK(host_read_file(path_of(from), &data[0], &bytes[0], &diag));
        CHECK(host_read_file(path_of(to), &data[1], &bytes[1], &diag));
        CHECK_EQ(bytes[0], bytes[1]);
        CHECK_MEM(data[0], data[1], bytes[0]);
        free(data[0]);
        free(data[1]);
    }
    back.folder = path_of("some");
    back.names = some;
    back.name_count = 2;
    CHECK(unpack_run(&back, &arena, &diag, &unpacked));
    CHECK_EQ(unpacked.file_count, 3);
    CHECK_EQ(stat(path_of("some/a/one"), &info), 0);
    CHECK(stat(path_of("some/large"), &info) != 0);
    some[1] = "bloc";
    CHECK(!unpack_run(&back, &arena, &diag, &unpacked));
    CHECK(strstr(diag.text, "bloc: is not in the pak") != NULL);
}

/* Pack everything below "in". Returns options that unpack it into `target`. */
static struct unpack_options packed_for(const char *target)
{
    const char *inputs[1] = {path_of("in")};
    struct pack_options options = wish_for(inputs, 1);
    struct pack_report report;
    struct tiny_pak pak;

    pack(&options, &report, &pak);
    tiny_pak_free(&pak);
    return (struct unpack_options){.pak = options.output,
                                   .folder = path_of(target)};
}

/* Links in the target folder point outside. Nothing is written through them,
 * and they are kept. */
static void unpack_follows_no_link_inside_the_target(void)
{
    static const struct {
        const char *link; /* in the target folder */
        const char *to;
        const char *name; /* name of the file in the pak */
    } cases[] = {{"deep", "../outside", "deep/file"},
                 {"deep/er", "../../outside", "deep/er/file"},
                 {"file", "../outside/victim", "file"},
                 {"file", "../outside/new", "file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct unpack_options back;
        struct unpack_report unpacked;
        struct stat info;
        void *victim;
        size_t bytes;

        start();
        put(arena_format(&arena, "in/%s", cases[i].name), text, 100);
        put("outside/victim", noise, 50);
        put(arena_format(&arena, "back/%s.side", cases[i].link), text, 1);
        CHECK_EQ(symlink(cases[i].to, path_of(arena_format(&arena, "back/%s",
                                                           cases[i].link))),
                 0);
        back = packed_for("back");
        begin_diag();
        test_context("%s", cases[i].name);
        CHECK(!unpack_run(&back, &arena, &diag, &unpacked));
        CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
        CHECK(strstr(diag.text, path_of(arena_format(&arena, "back/%s",
                                                     cases[i].link))) != NULL);
        CHECK(strstr(diag.text, "link") != NULL);
        CHECK(stat(path_of("outside/file"), &info) != 0);
        CHECK(stat(path_of("outside/new"), &info) != 0);
        CHECK(
            host_read_file(path_of("outside/victim"), &victim, &bytes, &diag));
        CHECK_EQ(bytes, 50);
        CHECK_MEM(victim, noise, 50);
        free(victim);
        CHECK_EQ(lstat(path_of(arena_format(&arena, "back/%s", cases[i].link)),
                       &info),
                 0);
        CHECK(S_ISLNK(info.st_mode));
    }
}

/* The target folder itself may be a link. */
static void unpack_writes_to_a_linked_target_folder(void)
{
    struct unpack_options back;
    struct unpack_report unpacked;
    struct stat info;

    start();
    put("in/a/file", text, 100);
    put("there/old", text, 1);
    CHECK_EQ(symlink("there", path_of("link")), 0);
    back = packed_for("link");
    CHECK(unpack_run(&back, &arena, &diag, &unpacked));
    CHECK_EQ(stat(path_of("there/a/file"), &info), 0);
    /* Unpack a second time, over the files. They keep their mode. */
    CHECK_EQ(chmod(path_of("there/a/file"), 0640), 0);
    CHECK(unpack_run(&back, &arena, &diag, &unpacked));
    CHECK_EQ(stat(path_of("there/a/file"), &info), 0);
    CHECK_EQ(info.st_mode & 0777, 0640);
}

/* A damaged block costs the files of its content only. */
static void damaged_block_costs_only_its_file(void)
{
    const char *inputs[1];
    struct unpack_options back = {0};
    struct unpack_report unpacked;
    struct pack_options options;
    struct pack_report report;
    struct tiny_pak pak;
    struct stat info;

    start();
    put_tree();
    inputs[0] = path_of("in");
    options = wish_for(inputs, 1);
    pack(&options, &report, &pak);
    pak.bytes[report.written.header.data_offset] ^= 1;
    put("bent.spk", pak.bytes, pak.size);
    tiny_pak_free(&pak);
    back.pak = path_of("bent.spk");
    back.folder = path_of("back");
    begin_diag();
    CHECK(!unpack_run(&back, &arena, &diag, &unpacked));
    CHECK_EQ(diag.code, EXIT_INPUT_REFUSED);
    CHECK_EQ(unpacked.lost_count, 1);
    CHECK_STR(unpacked.lost[0], "a/one");
    CHECK_EQ(unpacked.file_count, 7);
    CHECK_EQ(diag.warning_count, 1);
    CHECK(strstr(diag.text, "1 of 8 files are lost") != NULL);
    CHECK(stat(path_of("back/a/one"), &info) != 0);
    CHECK_EQ(stat(path_of("back/again/large"), &info), 0);
}

static bool fits(const char *rule_text, const char *name)
{
    struct pack_rule rule;

    CHECK(pack_rule_parse(rule_text, &rule));
    return pack_rule_find(&rule, 1, name) != NULL;
}

static void patterns_fit_whole_names(void)
{
    CHECK(fits("a=zstd", "a"));
    CHECK(!fits("a=zstd", "aa"));
    CHECK(!fits("aa=zstd", "a"));
    CHECK(fits("*=zstd", "a/b"));
    CHECK(fits("**=zstd", "a"));
    CHECK(fits("a*=zstd", "a"));
    CHECK(!fits("a?=zstd", "a"));
    CHECK(fits("*.abc=zstd", "x.abc.abc"));
    CHECK(!fits("*.abc=zstd", "x.abc.ab"));
    CHECK(fits("*a?b*c=zstd", "aab/axbxcbc"));
    CHECK(!fits("*a?b*c=zstd", "aab/axbxcbd"));
    CHECK(fits("a=b=none", "a=b"));
}

TEST_MAIN(TEST(patterns_fit_whole_names), TEST(every_codec_packs_a_folder),
          TEST(pak_does_not_depend_on_threads),
          TEST(files_that_hardly_compress_are_stored),
          TEST(caches_are_stored_as_they_are),
          TEST(inputs_are_files_folders_and_paks),
          TEST(files_of_another_pak_are_left_out),
          TEST(an_empty_folder_is_an_empty_pak),
          TEST(invalid_inputs_are_refused),
          TEST(links_to_folders_are_left_out_with_a_warning),
          TEST(damaged_input_pak_is_refused),
          TEST(flawed_names_are_refused_together_or_left_out),
          TEST(unpack_restores_files),
          TEST(unpack_follows_no_link_inside_the_target),
          TEST(unpack_writes_to_a_linked_target_folder),
          TEST(damaged_block_costs_only_its_file))
