/* main.c - the tool `spindle`: finds the verb and hands over.
 *
 *   spindle <verb> [options] input... [-o output]
 *
 * stdout is data, stderr is words. Exit codes: 0 done, 1 input refused,
 * 2 usage, 3 I/O, 70 internal; 128 and the number of a signal, 129 SIGHUP,
 * 130 SIGINT, 143 SIGTERM, after temporaries were removed. If the reader
 * of stdout has closed it, SIGPIPE ends the tool: 141 in a shell.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_wire.h"
#include "anim/clip_index.h"
#include "cache/cache_header.h"
#include "cli/verbs.h"
#include "common/diag.h"
#include "common/verb_options.h"
#include "host/host.h"
#include "pak/pak_index.h"

#include <spindle/spindle.h>
#include <stdio.h>
#include <string.h>

static void print_help(FILE *file)
{
    fputs("spindle - stream animated geometry from a slow disc\n\n"
          "  spindle compile sail.abc -o sail.sgc\n"
          "  spindle verify sail.sgc --against sail.abc\n"
          "  spindle play sail.sgc\n\n"
          "usage: spindle <verb> [options] input...\n\n",
          file);
    for (size_t i = 0; verbs[i]; i++)
        fprintf(file, "  %-9s %s\n", verbs[i]->name, verbs[i]->summary);
    fputs("\n  spindle <verb> --help   examples and options\n"
          "  spindle --version\n\n"
          "exit codes: 0 done, 1 input refused, 2 usage, 3 I/O, 70 internal;\n"
          "ended by a signal: 129 SIGHUP, 130 SIGINT, 141 SIGPIPE, 143 "
          "SIGTERM\n",
          file);
}

static void print_version(void)
{
    printf("spindle %d.%d.%d\n"
           "cache format %u, pak format %u\n"
           "clip and skeleton format %u, database and image format %u\n"
           "reads: Alembic (Ogawa), glTF 2.0, BVH, .sgc, .spk, .sac, .sas, "
           ".sad, .sai\n"
           "codecs: spindle, store, lz4hc, deflate, zstd\n",
           SPINDLE_VERSION_MAJOR, SPINDLE_VERSION_MINOR, SPINDLE_VERSION_PATCH,
           CACHE_VERSION, PAK_VERSION, ANIM_VERSION, CLIP_INDEX_VERSION);
}

static void refuse_verb(const char *word)
{
    const char *nearest = NULL;
    uint32_t best = UINT32_MAX;

    for (size_t i = 0; verbs[i]; i++) {
        uint32_t distance = options_distance(word, verbs[i]->name);

        if (options_is_near(word, verbs[i]->name) && distance < best) {
            best = distance;
            nearest = verbs[i]->name;
        }
    }
    if (nearest)
        options_refuse("", "unknown verb \"%s\"; did you mean \"%s\"?", word,
                       nearest);
    else
        options_refuse("", "unknown verb \"%s\"", word);
}

static int run(int argc, char **argv)
{
    const char *word;

    if (argc < 2) {
        print_help(stderr);
        return EXIT_BAD_USAGE;
    }
    word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 ||
        strcmp(word, "help") == 0) {
        print_help(stdout);
        return EXIT_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        print_version();
        return EXIT_DONE;
    }
    for (size_t i = 0; verbs[i]; i++)
        if (strcmp(word, verbs[i]->name) == 0)
            return verb_run(verbs[i], argc - 2, argv + 2);
    if (word[0] == '-')
        options_refuse("", "a verb comes first, not \"%s\"", word);
    else
        refuse_verb(word);
    return EXIT_BAD_USAGE;
}

int main(int argc, char **argv)
{
    int code;

    host_arguments(&argc, &argv);
    host_clean_on_signals();
    code = run(argc, argv);
    /* If stdout is a file on a full disc, the error appears here at the latest.
     */
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE) {
        fprintf(stderr, "spindle: standard output: cannot write\n");
        code = EXIT_IO_FAILED;
    }
    return code;
}
