/* bench_anim.c - sizes, errors and times of animation clips.
 *
 * For each clip of the assets' YARDSTICKS.tsv (without derived files, d_),
 * sampled at its own rate and with the units of that file: bytes beside those
 * of the reference encoder (ACL), errors at the skin, segments, CPU time to
 * compile it (read and sample its source, encode it), and which bars it misses:
 *
 *   bytes    at most 0.8 times those of the reference, or 128 more if these are
 *            at most 2 KiB
 *   frames   at most 0.100 mm at each joint and frame
 *   between  at most 0.150 mm at three times between neighbouring frames
 *
 * Then totals, in which each different skeleton counts once, with bars of their
 * own, and the number of bars that were missed; what clip files consist of, and
 * the bytes of all clips in databases (anim/packed_clip.h). Last, clips of 100
 * joints made by the benchmark: bytes and decoding time of segments, memory of
 * a playing clip, and which bars they miss:
 *
 *   mean     at most 4 KiB a segment on average
 *   largest  at most 8 KiB each
 *   time     a segment is decoded in at most 25 us, by the best instruction set
 *
 * Exits with 1 if a bar is missed.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"
#include "support/bench.h"
#include "support/made_motion.h"

#include "anim/anim_segment.h"
#include "anim/clip_packing.h"
#include "anim/encode/anim_encode.h"
#include "anim/encode/clip_error.h"
#include "anim/encode/clip_windows.h"
#include "anim/source/sample.h"
#include "anim/tool/clip_file_input.h"
#include "base/cpu.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 512

/* -- bars -- */

#define SMALL_BYTES 2048 /* of the reference: other bars hold up to here */
#define SMALL_GROWTH 128 /* bytes */
#define CLIP_RATIO 0.8
#define TOTAL_RATIO 0.60
#define FRAMES_METRES 0.0001
#define BETWEEN_METRES 0.00015
#define COMPILE_US 30e6
#define SEGMENT_MEAN_BYTES 4096
#define SEGMENT_BYTES 8192
#define SEGMENT_US 25

static const struct anim_encode_options options = {ANIM_PRECISION,
                                                   ANIM_FLOAT_PRECISION};

static void stop(const char *what, const char *name)
{
    fprintf(stderr, "bench_anim: %s: %s\n", name, what);
    exit(1);
}

/* -- the table of yardsticks -- */

struct yardstick {
    char name[LINE_MAX_BYTES];
    unsigned frames;
    double unit_metres;
    unsigned long bytes; /* of the reference */
};

static bool read_yardstick(FILE *file, struct yardstick *y)
{
    char line[LINE_MAX_BYTES];

    while (fgets(line, sizeof line, file)) {
        unsigned joints;
        double fps;
        unsigned long raw;

        if (strncmp(line, "d_", 2) != 0 &&
            sscanf(line, "%511s %u %u %lf %lf %lu %lu", y->name, &joints,
                   &y->frames, &fps, &y->unit_metres, &raw, &y->bytes) == 7)
            return true;
    }
    return false;
}

/* Whether the file `entry` is that of a row: characters that are not letters or
 * digits are '_' in the table. */
static bool is_file_of(const char *entry, const char *name)
{
    const size_t length = strlen(entry);

    for (size_t i = 0; i < length; i++) {
        const char c = entry[i];
        const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9');

        if ((is_word ? c : '_') != name[i])
            return false;
    }
    return name[length] == 0 || name[length] == '-';
}

static bool find_file(const char *folder, const char *name, char *path,
                      size_t bytes)
{
    DIR *entries = opendir(folder);
    bool found = false;

    if (!entries)
        return false;
    for (struct dirent *e; !found && (e = readdir(entries)) != NULL;)
        if (is_file_of(e->d_name, name)) {
            snprintf(path, bytes, "%s/%s", folder, e->d_name);
            found = true;
        }
    closedir(entries);
    return found;
}

/* The number of the clip in its file: behind the first '-'. */
static uint32_t clip_number(const char *name)
{
    const char *at = strchr(name, '-');

    return at ? (uint32_t)strtoul(at + 1, NULL, 10) : 0;
}

/* -- clips of files -- */

struct totals {
    unsigned clips;
    unsigned long bytes;
    unsigned long skeleton_bytes;
    unsigned long reference;
    /* Parts of clip files: headers and tables of segments; coded heads. */
    unsigned long plain_bytes;
    unsigned long head_bytes;
    unsigned long packed_bytes; /* of clips in databases */
    double cpu_us;
    double worst_ratio; /* of clips above SMALL_BYTES */
    long worst_growth;  /* bytes, of the others */
    double at_frames;
    double between;
    unsigned misses; /* bars, of single clips and of totals */
    /* The skeletons seen. */
    struct anim_file skeletons[256];
    unsigned skeleton_count;
};

static void count_skeleton(struct totals *t, const struct anim_file *file)
{
    struct anim_file *copy = &t->skeletons[t->skeleton_count];

    for (unsigned i = 0; i < t->skeleton_count; i++)
        if (t->skeletons[i].size == file->size &&
            memcmp(t->skeletons[i].bytes, file->bytes, file->size) == 0)
            return;
    if (t->skeleton_count == 256)
        stop("too many skeletons", "assets");
    copy->bytes = malloc(file->size);
    copy->size = file->size;
    if (!copy->bytes)
        stop("no memory", "assets");
    memcpy(copy->bytes, file->bytes, file->size);
    t->skeleton_count++;
    t->skeleton_bytes += file->size;
}

/* Print that a bar is missed, if so. */
static void check_bar(unsigned *misses, bool is_met, const char *bar)
{
    if (is_met)
        return;
    printf(" %s", bar);
    (*misses)++;
}

static void check_clip(const struct yardstick *y, size_t bytes,
                       const struct clip_error *error, struct totals *t)
{
    check_bar(&t->misses,
              y->bytes > SMALL_BYTES
                  ? (double)bytes <= CLIP_RATIO * (double)y->bytes
                  : bytes <= y->bytes + SMALL_GROWTH,
              "bytes");
    check_bar(&t->misses, error->at_frames <= FRAMES_METRES, "frames");
    check_bar(&t->misses, error->between <= BETWEEN_METRES, "between");
}

/* Add up the parts of a clip file, and its bytes in a database. */
static void count_parts(const struct yardstick *y, const struct anim_file *file,
                        struct totals *t)
{
    struct clip_input packed;
    struct clip_input input;
    struct clip_file opened;
    struct arena arena;
    struct diag diag;
    uint32_t plain;

    arena_init(&arena);
    diag_init(&diag);
    if (!clip_file_read(&opened, y->name, file->bytes, file->size, &arena,
                        &diag))
        stop("damaged", y->name);
    clip_file_input(&opened, y->name, &arena, &input);
    clip_packing_make(&input, &arena, &packed);
    plain = ANIM_CLIP_HEADER_BYTES + anim_clip_table_bytes(&opened.clip.header);
    t->plain_bytes += plain;
    t->head_bytes += input.header_bytes - plain;
    t->packed_bytes += packed.byte_count;
    diag_finish(&diag);
    arena_free(&arena);
}

/* `begin` is the CPU time at which the compilation began. */
static void measure_clip(const struct yardstick *y,
                         const struct dense_clip *clip, double begin,
                         struct arena *arena, struct totals *t)
{
    struct anim_file skeleton;
    struct anim_file file;
    struct clip_error error;
    spn_fault fault = {0};
    double ratio;
    double us;

    if (anim_encode_refusal(clip, &options))
        stop(anim_encode_refusal(clip, &options), y->name);
    anim_encode_skeleton(clip, arena, &skeleton);
    anim_encode_clip(clip, &options, arena, &file);
    us = bench_cpu_us() - begin;
    if (clip_error_measure(clip, &skeleton, &file, arena, &error, &fault) !=
        SPN_OK)
        stop(fault.what, y->name);
    count_skeleton(t, &skeleton);
    count_parts(y, &file, t);
    ratio = (double)file.size / (double)y->bytes;
    t->clips++;
    t->bytes += file.size;
    t->reference += y->bytes;
    t->cpu_us += us;
    if (y->bytes > SMALL_BYTES)
        t->worst_ratio = ratio > t->worst_ratio ? ratio : t->worst_ratio;
    else if ((long)file.size - (long)y->bytes > t->worst_growth)
        t->worst_growth = (long)file.size - (long)y->bytes;
    if (error.at_frames > t->at_frames)
        t->at_frames = error.at_frames;
    if (error.between > t->between)
        t->between = error.between;
    printf("%s,%u,%u,%zu,%lu,%.3f,%.4f,%.4f,%u,%u,%.1f,", y->name,
           clip->joint_count, clip->frame_count, file.size, y->bytes, ratio,
           1000 * error.at_frames, 1000 * error.between, error.segments,
           error.segment_bytes_max, us / 1000);
    check_clip(y, file.size, &error, t);
    putchar('\n');
}

static void run_yardstick(const char *folder, const struct yardstick *y,
                          struct totals *t)
{
    const struct sample_options sampling = {.unit_metres = y->unit_metres};
    struct sample_skeleton skeleton;
    struct sample_grid grid;
    struct dense_clip clip;
    struct motion motion;
    struct arena arena;
    struct diag diag;
    char path[1400];
    double begin;

    if (!find_file(folder, y->name, path, sizeof path))
        stop("no such file", y->name);
    diag_init(&diag);
    arena_init(&arena);
    begin = bench_cpu_us();
    if (!motion_read(&motion, path, &diag))
        stop("refused", path);
    if (!sample_skeleton(&motion, y->unit_metres, &arena, path, &diag,
                         &skeleton) ||
        !sample_clip(&motion, clip_number(y->name), &skeleton, &sampling,
                     &arena, path, &diag, &grid, &clip))
        stop("refused", path);
    if (clip.frame_count != y->frames)
        stop("not as many frames as in the table", y->name);
    measure_clip(y, &clip, begin, &arena, t);
    motion_free(&motion);
    arena_free(&arena);
    diag_finish(&diag);
}

static void print_totals(struct totals *t)
{
    const double ratio =
        (double)(t->bytes + t->skeleton_bytes) / (double)t->reference;

    printf("# %u clips: %lu bytes, and %u skeletons: %lu bytes; reference "
           "%lu; ratio %.4f (at most %.2f)",
           t->clips, t->bytes, t->skeleton_count, t->skeleton_bytes,
           t->reference, ratio, TOTAL_RATIO);
    check_bar(&t->misses, ratio <= TOTAL_RATIO, "MISSED");
    printf("\n# parts of the clips: headers and tables %lu bytes, coded heads "
           "%lu, segments %lu",
           t->plain_bytes, t->head_bytes,
           t->bytes - t->plain_bytes - t->head_bytes);
    printf("\n# in databases: %lu bytes, %.2f %% fewer", t->packed_bytes,
           100.0 * (double)(t->bytes - t->packed_bytes) / (double)t->bytes);
    printf("\n# reference above %d bytes: largest ratio %.3f (at most %.1f); "
           "others: %+ld bytes at most (%+d)\n",
           SMALL_BYTES, t->worst_ratio, CLIP_RATIO, t->worst_growth,
           SMALL_GROWTH);
    printf("# largest errors: %.4f mm at frames (%.3f), %.4f mm between "
           "(%.3f)\n",
           1000 * t->at_frames, 1000 * FRAMES_METRES, 1000 * t->between,
           1000 * BETWEEN_METRES);
    printf("# compiled in %.1f s of CPU (%.0f)", t->cpu_us / 1e6,
           COMPILE_US / 1e6);
    check_bar(&t->misses, t->cpu_us <= COMPILE_US, "MISSED");
    printf("\n# bars missed: %u\n", t->misses);
}

/* Returns whether all bars are met. */
static bool run_yardsticks(void)
{
    static struct totals t;
    const char *assets = test_assets();
    struct yardstick y;
    char folder[1000];
    char table[1024];
    FILE *file;

    t.worst_growth = -1000000;
    snprintf(folder, sizeof folder, "%s/anim", assets ? assets : "");
    snprintf(table, sizeof table, "%s/YARDSTICKS.tsv", folder);
    file = fopen(table, "r");
    if (!file) {
        printf("# no %s: clips of files are left out\n", table);
        return true;
    }
    printf("clip,joints,frames,bytes,reference bytes,ratio,mm at frames,"
           "mm between,segments,largest segment,compile ms,misses\n");
    while (read_yardstick(file, &y))
        run_yardstick(folder, &y, &t);
    fclose(file);
    print_totals(&t);
    for (unsigned i = 0; i < t.skeleton_count; i++)
        free(t.skeletons[i].bytes);
    return t.misses == 0;
}

/* -- segments of 100 joints --
 *
 * In most motion bones keep their lengths, so only the root is translated: the
 * first two rows. In the others all joints stretch, too, or also grow and
 * shrink; their segments have fewer frames (anim_encode.h).
 */

struct decoding {
    struct anim_clip clip;
    const struct anim_file *file;
    struct anim_decoder_tables *tables;
    struct anim_window window;
    void *workspace;
};

static void decode_all(void *user)
{
    struct decoding *d = user;

    for (uint32_t s = 0; s < d->clip.header.segment_count; s++)
        if (spn__anim_segment_decode(
                &d->clip, d->tables, s,
                d->file->bytes + spn__anim_clip_segment(&d->clip, s).offset,
                d->workspace, &d->window, NULL) != SPN_OK)
            stop("damaged", "segment");
}

static void open_clip(struct decoding *d, struct arena *arena)
{
    const struct anim_tracks *tracks = &d->clip.tracks;
    struct anim_clip_header header;
    size_t bytes;

    if (spn__anim_clip_read_header(d->file->bytes, &header, NULL) != SPN_OK ||
        clip_windows_open(&header, d->file->bytes, arena, &d->clip, &bytes,
                          NULL) != SPN_OK)
        stop("damaged", "clip");
    d->tables = ARENA_NEW(arena, struct anim_decoder_tables, 1);
    spn__anim_decoder_tables_init(d->tables, spn__cpu_detect());
    d->workspace = arena_alloc(arena, spn__anim_segment_workspace(tracks), 1);
    spn__anim_window_place(
        &d->window, tracks, header.segment_frames,
        arena_alloc(arena,
                    spn__anim_window_bytes(tracks, header.segment_frames), 1));
}

/* Returns the number of bars that are missed. */
static unsigned run_made(const char *name, const struct made_motion *made)
{
    struct decoding d = {0};
    struct anim_file skeleton;
    struct anim_file file;
    struct dense_clip clip;
    struct clip_error error;
    struct arena arena;
    spn_fault fault;
    unsigned misses = 0;
    double mean;
    double us;
    double scalar_us;

    arena_init(&arena);
    made_motion(made, &arena, &clip);
    anim_encode_skeleton(&clip, &arena, &skeleton);
    anim_encode_clip(&clip, &options, &arena, &file);
    if (clip_error_measure(&clip, &skeleton, &file, &arena, &error, &fault) !=
        SPN_OK)
        stop(fault.what, name);
    d.file = &file;
    open_clip(&d, &arena);
    us = bench_best_us(decode_all, &d, 9) / d.clip.header.segment_count;
    spn__anim_decoder_tables_init(d.tables, 0);
    scalar_us = bench_best_us(decode_all, &d, 9) / d.clip.header.segment_count;
    mean = (double)(file.size - d.clip.header.head_bytes) /
           d.clip.header.segment_count;
    printf("%s,%u,%u,%u,%u,%zu,%u,%.0f,%u,%.1f,%.1f,%zu,%.4f,%.4f,", name,
           made->joints, d.clip.tracks.rotations.count,
           d.clip.tracks.translations.count, d.clip.tracks.scales.count,
           file.size, d.clip.header.segment_frames, mean,
           error.segment_bytes_max, us, scalar_us, error.memory,
           1000 * error.at_frames, 1000 * error.between);
    check_bar(&misses, mean <= SEGMENT_MEAN_BYTES, "mean");
    check_bar(&misses, error.segment_bytes_max <= SEGMENT_BYTES, "largest");
    check_bar(&misses, us <= SEGMENT_US, "time");
    putchar('\n');
    arena_free(&arena);
    return misses;
}

int main(void)
{
    const struct made_motion body = {
        .joints = 100, .frames = 600, .swing = 0.6, .travel = 0.02, .seed = 5};
    struct made_motion made = body;
    bool bars_are_met = run_yardsticks();
    unsigned misses = 0;

    printf("made clip,joints,rotations,translations,scales,bytes,"
           "frames of a segment,mean segment,largest segment,decode us,"
           "scalar us,playing bytes,mm at frames,mm between,misses\n");
    misses += run_made("body", &made);
    made.has_all = true;
    misses += run_made("all rotations", &made);
    made.has_shift = true;
    misses += run_made("all translations", &made);
    made.has_scale = true;
    misses += run_made("and scales", &made);
    printf("# bars missed by made clips: %u\n", misses);
    bars_are_met = bars_are_met && misses == 0;
    if (!bars_are_met)
        fputs("bench_anim: a bar is missed\n", stderr);
    return bars_are_met ? 0 : 1;
}
