/* burst.c - make the files of a scene, and read them through the runtime. */
/* SPDX-License-Identifier: MIT */
#include "support/burst.h"

#include "disc/drive_disc.h"
#include "harness.h"
#include "pack/pack_order_trace.h"
#include "simulate/workload.h"
#include "support/loading_screen.h"
#include "support/tiny_pak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILES_MAX 768u
#define NAME_BYTES 12u
#define READS 256u
#define SECTOR 2048u
#define STEP 7919u /* a prime: steps of this size visit all files */
/* Distance of the head from the scene before the burst begins. */
#define ELSEWHERE_BYTES (UINT64_C(1) << 28)
/* When the trace reads the files that the burst does not read. */
#define LATER_US 10000000u
/* The scene before, the scene of the burst, and the scene after. */
#define NEIGHBOURS 3u
#define OWN 1u
#define PLACES_MAX (NEIGHBOURS * LOADING_SCREEN_FILES)

const char *const burst_names[BURST_KINDS] = {"plain pak", "lz4hc pak",
                                              "loose files"};

struct file {
    char name[NAME_BYTES];
    uint8_t *data;
    uint32_t bytes;
    uint64_t offset; /* position on the disc, of a loose file */
    spn_pak_entry entry;
    uint64_t stored_at; /* position on the disc, of stored bytes */
    uint64_t stored_bytes;
    enum deadline_class class;
    bool is_wanted;
    uint8_t *buffer;
    uint32_t done_count;
    uint32_t content;         /* index of the content in the generated game */
    bool is_used[NEIGHBOURS]; /* whether each scene uses the file */
};

struct scene {
    struct file files[FILES_MAX]; /* in order of position */
    uint32_t count;
    uint32_t reads[FILES_MAX];   /* indices of files, in order of the requests;
                                  * the burst's files first */
    uint32_t places[PLACES_MAX]; /* indices of files, in the order of their
                                  * entries in a pak; empty: each file once, in
                                  * order of `files` */
    uint32_t place_count;
    struct tiny_pak pak;
    uint64_t clock_us;
    spn_platform_completion completion;
    bool is_reading;
    uint32_t left;
};

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes > 0 ? bytes : 1);

    CHECK(memory != NULL);
    return memory;
}

/* -- the files -- */

/* Bytes of which about half compresses. */
static void fill(struct file *file, uint32_t seed)
{
    struct test_random random = {seed};
    uint64_t noise = 0;

    file->data = allocate(file->bytes);
    for (uint32_t i = 0; i < file->bytes; i++) {
        if (i % 8 == 0)
            noise = test_random_u64(&random);
        uint8_t smooth = (uint8_t)(seed + (i >> 6));
        uint8_t rough = (uint8_t)(noise >> i % 8 * 8);
        file->data[i] = i / 300 % 2 ? rough : smooth;
    }
}

static void add_file(struct scene *scene, const struct workload_file *from)
{
    uint32_t at = scene->count++;

    CHECK(scene->count <= FILES_MAX);
    for (; at > 0 && scene->files[at - 1].offset > from->offset; at--)
        scene->files[at] = scene->files[at - 1];
    scene->files[at] = (struct file){
        .bytes = from->bytes, .offset = from->offset, .class = from->class};
}

static void want(struct scene *scene, uint64_t offset)
{
    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->files[i].offset == offset)
            scene->files[i].is_wanted = true;
}

static void leave_others_out(struct scene *scene)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < scene->count; i++)
        if (scene->files[i].is_wanted)
            scene->files[count++] = scene->files[i];
    scene->count = count;
}

/* Place the files one after the other from `at` on. */
static void close_ranks(struct scene *scene, uint64_t at)
{
    for (uint32_t i = 0; i < scene->count; i++) {
        struct file *file = &scene->files[i];

        file->offset = at;
        at += (file->bytes + SECTOR - 1) / SECTOR * SECTOR;
    }
}

/* Choose the order of the reads, different from the order of positions. With
 * `has_sounds_first` sounds come first, as in a game whose sounds must start at
 * once. */
static void choose_reads(struct scene *scene, bool has_sounds_first)
{
    uint32_t count = 0;

    for (uint32_t pass = 0; pass < 4; pass++)
        for (uint32_t i = 0; i < scene->count; i++) {
            uint32_t index = i * STEP % scene->count;
            const struct file *file = &scene->files[index];
            bool is_first = has_sounds_first && file->class == DEADLINE_SOUND;

            if (pass == (file->is_wanted ? 0u : 2u) + !is_first)
                scene->reads[count++] = index;
        }
}

static spn_task task_of(enum deadline_class class)
{
    return class == DEADLINE_SOUND  ? SPN_TASK_SOUND
           : class == DEADLINE_CLIP ? SPN_TASK_ANIMATION
                                    : SPN_TASK_TEXTURE;
}

static void name_files(struct scene *scene)
{
    for (uint32_t i = 0; i < scene->count; i++)
        (void)snprintf(scene->files[i].name, NAME_BYTES, "f%03u", i);
}

/* A trace of one scene: all files of the burst are read at once, the others
 * later. */
static void make_trace(const struct scene *scene, struct arena *arena,
                       struct read_trace *trace)
{
    static const char *const name = "scene";

    *trace = (struct read_trace){.file_count = scene->count,
                                 .scenes = ARENA_NEW(arena, const char *, 1),
                                 .scene_count = 1,
                                 .read_count = scene->count};
    trace->scenes[0] = name;
    trace->paths = ARENA_NEW(arena, const char *, scene->count);
    trace->reads = ARENA_NEW(arena, struct traced_read, scene->count);
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct file *file = &scene->files[scene->reads[i]];

        trace->paths[i] = file->name;
        trace->reads[i] =
            (struct traced_read){.at_us = file->is_wanted ? 0 : LATER_US + i,
                                 .file = i,
                                 .task = (uint32_t)task_of(file->class)};
    }
}

/* Order the files as `pack --order` does. */
static void pack_by_trace(struct scene *scene)
{
    static const char *const path = "trace";
    struct file *before = allocate(sizeof scene->files);
    struct pack_contents contents;
    struct pack_layout layout;
    struct pack_files files;
    struct read_trace trace;
    const struct pack_traces traces = {
        .traces = &trace, .paths = &path, .count = 1, .budget_percent = 0};
    struct arena arena;

    arena_init(&arena);
    files = (struct pack_files){.arena = &arena, .count = scene->count};
    files.files = ARENA_NEW(&arena, struct pack_file, scene->count);
    contents = (struct pack_contents){ARENA_NEW(&arena, uint32_t, scene->count),
                                      scene->count};
    name_files(scene);
    for (uint32_t i = 0; i < scene->count; i++) {
        files.files[i] = (struct pack_file){.name = scene->files[i].name,
                                            .bytes = scene->files[i].bytes,
                                            .content = i};
        contents.files[i] = i;
    }
    make_trace(scene, &arena, &trace);
    CHECK(pack_order_by_traces(&files, &contents, &traces, PACK_BY_SCENE,
                               &layout));
    CHECK_EQ(layout.count, scene->count);
    memcpy(before, scene->files, sizeof scene->files);
    for (uint32_t i = 0; i < layout.count; i++)
        scene->files[i] = before[layout.contents[i]];
    close_ranks(scene, before[0].offset);
    free(before);
    arena_free(&arena);
}

/* All files between the first and the last of the burst, except streams. */
static void make_files(struct scene *scene, const struct burst_config *burst)
{
    const struct workload_config config = {
        .drive = spn_drive_profile_find("x360_dvd12x"),
        .layout = WORKLOAD_COPIES,
        .load = 1000};
    struct workload *workload = workload_create(&config);
    uint32_t wanted[LOADING_SCREEN_FILES];
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;

    CHECK(workload && loading_screen_files(workload, burst->scene, wanted));
    for (uint32_t i = 0; i < LOADING_SCREEN_FILES; i++) {
        uint64_t offset = workload_file_at(workload, wanted[i])->offset;

        first = offset < first ? offset : first;
        last = offset > last ? offset : last;
    }
    for (uint32_t i = 0; i < workload_file_count(workload); i++) {
        const struct workload_file *file = workload_file_at(workload, i);

        if (file->offset >= first && file->offset <= last &&
            file->class != DEADLINE_STREAM)
            add_file(scene, file);
    }
    for (uint32_t i = 0; i < LOADING_SCREEN_FILES; i++)
        want(scene, workload_file_at(workload, wanted[i])->offset);
    workload_destroy(workload);
    if (!burst->has_others) {
        leave_others_out(scene);
        close_ranks(scene, scene->files[0].offset);
    }
    choose_reads(scene, burst->is_packed_by_trace);
    if (burst->is_packed_by_trace) {
        pack_by_trace(scene);
        choose_reads(scene, true);
    }
    name_files(scene);
    for (uint32_t i = 0; i < scene->count; i++)
        fill(&scene->files[i], i + 1);
}

/* -- with the scenes before and after -- */

static void use(struct scene *scene, const struct workload_file *from,
                uint32_t neighbour)
{
    uint32_t i = 0;

    while (i < scene->count && scene->files[i].content != from->content)
        i++;
    if (i == scene->count) {
        CHECK(scene->count < FILES_MAX);
        scene->files[scene->count++] = (struct file){.bytes = from->bytes,
                                                     .content = from->content,
                                                     .class = from->class};
    }
    scene->files[i].is_used[neighbour] = true;
    if (neighbour == OWN) {
        scene->files[i].is_wanted = true;
        if (scene->files[0].offset == 0 ||
            from->offset < scene->files[0].offset)
            scene->files[0].offset = from->offset;
    }
}

/* A trace of all scenes, one after the other; the reads of a scene start at
 * once. */
static void make_traces(const struct scene *scene, struct arena *arena,
                        struct read_trace *trace)
{
    static const char *const names[NEIGHBOURS] = {"before", "own", "behind"};

    *trace = (struct read_trace){.file_count = scene->count,
                                 .scenes =
                                     ARENA_NEW(arena, const char *, NEIGHBOURS),
                                 .scene_count = NEIGHBOURS};
    trace->paths = ARENA_NEW(arena, const char *, scene->count);
    trace->reads = ARENA_NEW(arena, struct traced_read, PLACES_MAX);
    for (uint32_t i = 0; i < scene->count; i++)
        trace->paths[i] = scene->files[i].name;
    for (uint32_t s = 0; s < NEIGHBOURS; s++) {
        trace->scenes[s] = names[s];
        for (uint32_t i = 0; i < scene->count; i++) {
            uint32_t index = i * STEP % scene->count;
            const struct file *file = &scene->files[index];

            if (file->is_used[s])
                trace->reads[trace->read_count++] = (struct traced_read){
                    .at_us = (uint64_t)s * LATER_US,
                    .file = index,
                    .scene = s,
                    .task = (uint32_t)task_of(file->class)};
        }
    }
}

static void pack_by_traces(struct scene *scene)
{
    static const char *const path = "trace";
    struct pack_contents contents;
    struct pack_layout layout;
    struct pack_files files;
    struct read_trace trace;
    const struct pack_traces traces = {
        .traces = &trace, .paths = &path, .count = 1, .budget_percent = 100};
    struct arena arena;

    arena_init(&arena);
    files = (struct pack_files){.arena = &arena, .count = scene->count};
    files.files = ARENA_NEW(&arena, struct pack_file, scene->count);
    contents = (struct pack_contents){ARENA_NEW(&arena, uint32_t, scene->count),
                                      scene->count};
    for (uint32_t i = 0; i < scene->count; i++) {
        files.files[i] = (struct pack_file){.name = scene->files[i].name,
                                            .bytes = scene->files[i].bytes,
                                            .content = i};
        contents.files[i] = i;
    }
    make_traces(scene, &arena, &trace);
    CHECK(pack_order_by_traces(&files, &contents, &traces, PACK_BY_SCENE,
                               &layout));
    CHECK(layout.count == trace.read_count && layout.extra_count > 0);
    for (uint32_t i = 0; i < layout.count; i++)
        scene->places[scene->place_count++] = layout.contents[i];
    arena_free(&arena);
}

static void make_neighbours(struct scene *scene,
                            const struct burst_config *burst)
{
    const struct workload_config config = {
        .drive = spn_drive_profile_find("x360_dvd12x"),
        .layout = WORKLOAD_COPIES,
        .load = 1000};
    struct workload *workload = workload_create(&config);
    uint32_t wanted[LOADING_SCREEN_FILES];

    for (uint32_t s = 0; s < NEIGHBOURS; s++) {
        CHECK(workload &&
              loading_screen_files(workload, burst->scene + s - OWN, wanted));
        for (uint32_t i = 0; i < LOADING_SCREEN_FILES; i++)
            use(scene, workload_file_at(workload, wanted[i]), s);
    }
    workload_destroy(workload);
    choose_reads(scene, true);
    name_files(scene);
    for (uint32_t i = 0; i < scene->count; i++)
        fill(&scene->files[i], i + 1);
    pack_by_traces(scene);
}

static void make_pak(struct scene *scene, uint32_t codec)
{
    struct tiny_pak_file files[FILES_MAX];

    for (uint32_t i = 0; i < scene->count; i++)
        files[i] = (struct tiny_pak_file){.name = scene->files[i].name,
                                          .data = scene->files[i].data,
                                          .bytes = scene->files[i].bytes,
                                          .codec = codec};
    if (scene->place_count > 0)
        tiny_pak_lay_out(&scene->pak, files, scene->count, scene->places,
                         scene->place_count);
    else
        tiny_pak_make(&scene->pak, files, scene->count);
}

/* -- the disc: reads take no time; the emulator adds the drive's times -- */

static spn_status file_open(void *user, const char *path,
                            spn_platform_file_info *info)
{
    const struct scene *scene = user;

    info->align_bytes = 1;
    info->medium = SPN_MEDIUM_OPTICAL;
    info->file = FILES_MAX;
    info->bytes = scene->pak.size;
    if (strcmp(path, "pak") == 0)
        return SPN_OK;
    info->bytes = 1;
    info->file = FILES_MAX + 1;
    if (strcmp(path, "elsewhere") == 0)
        return SPN_OK;
    for (uint32_t i = 0; i < scene->count; i++)
        if (strcmp(path, scene->files[i].name) == 0) {
            info->bytes = scene->files[i].bytes;
            info->file = i;
            return SPN_OK;
        }
    return SPN_ERR_NOT_FOUND;
}

static void file_close(void *user, spn_platform_file file)
{
    (void)user;
    (void)file;
}

static spn_status read_submit(void *user, spn_platform_file file,
                              uint64_t offset, const spn_extent *extents,
                              uint32_t extent_count, uint32_t tag)
{
    static const uint8_t zero;
    struct scene *scene = user;
    const uint8_t *data = file < FILES_MAX    ? scene->files[file].data
                          : file == FILES_MAX ? scene->pak.bytes
                                              : &zero;

    CHECK(!scene->is_reading);
    scene->is_reading = true;
    scene->completion = (spn_platform_completion){.tag = tag};
    for (uint32_t i = 0; i < extent_count; i++) {
        memcpy(extents[i].data, data + offset + scene->completion.bytes,
               extents[i].bytes);
        scene->completion.bytes += extents[i].bytes;
    }
    return SPN_OK;
}

static spn_status read_poll(void *user, spn_platform_completion *out,
                            uint64_t *due_us)
{
    struct scene *scene = user;

    *due_us = UINT64_MAX;
    if (!scene->is_reading)
        return SPN_PENDING;
    scene->is_reading = false;
    *out = scene->completion;
    return SPN_OK;
}

static uint64_t now_us(void *user)
{
    const struct scene *scene = user;

    return scene->clock_us;
}

/* -- a runtime -- */

struct game {
    struct scene *scene;
    spn_platform table;
    void *emulator_memory;
    spn_emulator *emulator;
    void *memory;
    spn_runtime *rt;
    spn_emulator_place places[FILES_MAX + 2];
};

static void *allocate_aligned(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);

    CHECK(bytes > 0 && memory);
    return memory;
}

/* Place the scene on the disc, and the head away from it. */
static void place(struct game *g, bool comes_from_outside)
{
    const struct scene *scene = g->scene;
    uint64_t offset = scene->files[0].offset;
    uint64_t elsewhere =
        offset > ELSEWHERE_BYTES ? offset - ELSEWHERE_BYTES : 0;

    if (comes_from_outside)
        elsewhere = offset + ELSEWHERE_BYTES;
    g->places[0] = (spn_emulator_place){"pak", 0, offset};
    g->places[1] = (spn_emulator_place){"elsewhere", 0, elsewhere};
    for (uint32_t i = 0; i < scene->count; i++)
        g->places[2 + i] = (spn_emulator_place){scene->files[i].name, 0,
                                                scene->files[i].offset};
}

static void start_drive(struct game *g)
{
    struct scene *scene = g->scene;
    const spn_platform disc = {.user = scene,
                               .file_open = file_open,
                               .file_close = file_close,
                               .read_submit = read_submit,
                               .read_poll = read_poll,
                               .now_us = now_us};
    const spn_emulator_drive drive = {
        .profile = spn_drive_profile_find("x360_dvd12x")};
    const spn_emulator_config config = {.platform = &disc,
                                        .drives = &drive,
                                        .drive_count = 1,
                                        .places = g->places,
                                        .place_count = scene->count + 2};
    size_t bytes = spn_emulator_bytes(&config);

    g->emulator_memory = allocate_aligned(bytes);
    CHECK_EQ(spn_emulator_init(&config, g->emulator_memory, bytes, &g->emulator,
                               &g->table),
             SPN_OK);
}

static void start_runtime(struct game *g)
{
    spn_config config = {.platform = &g->table,
                         .heap_bytes = 65536,
                         .read_count = READS,
                         .file_count = READS,
                         .pak_count = 1,
                         .worker_count = SPN_NO_WORKERS};
    size_t bytes;

    config.media[SPN_MEDIUM_OPTICAL].order = SPN_ORDER_DEADLINE;
    config.media[SPN_MEDIUM_OPTICAL].drive =
        spn_drive_profile_find("x360_dvd12x");
    bytes = spn_memory_needed(&config);
    g->memory = allocate_aligned(bytes);
    CHECK_EQ(spn_init(&config, g->memory, bytes, &g->rt), SPN_OK);
}

static void run_until_quiet(struct game *g)
{
    for (;;) {
        uint64_t due_us;

        for (uint32_t i = 0; i < 4; i++)
            spn_update(g->rt);
        due_us = spn_emulator_due_us(g->emulator);
        if (due_us == UINT64_MAX)
            return;
        if (due_us > g->scene->clock_us)
            g->scene->clock_us = due_us;
    }
}

/* -- the reads -- */

static void on_done(const spn_read_result *result)
{
    struct file *file = result->user;

    CHECK_EQ(result->status, SPN_OK);
    file->done_count++;
}

static void go_elsewhere(struct game *g)
{
    uint8_t byte;
    const spn_read_desc desc = {.path = "elsewhere",
                                .buffer = &byte,
                                .buffer_bytes = 1,
                                .priority = SPN_PRIORITY_NORMAL};
    spn_read read;

    CHECK_EQ(spn_read_start(g->rt, &desc, &read), SPN_OK);
    run_until_quiet(g);
}

/* Whether an entry is the copy of the burst's own scene. */
static bool is_own(const struct scene *scene, const struct file *file,
                   uint32_t copy)
{
    uint32_t own = 0;

    for (uint32_t s = 0; s < OWN && scene->place_count > 0; s++)
        own += file->is_used[s];
    return copy == own;
}

/* Find the entries of the pak, which lie in the order of the files or of
 * `places`, each at the start of a sector. */
static void find_stored(struct game *g, spn_pak pak)
{
    struct scene *scene = g->scene;
    uint32_t copies[FILES_MAX] = {0};
    uint64_t at = scene->files[0].offset;
    uint32_t count = scene->place_count > 0 ? scene->place_count : scene->count;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = scene->place_count > 0 ? scene->places[i] : i;
        struct file *file = &scene->files[index];
        spn_pak_entry_info info = {.stored_bytes = file->bytes};

        if (pak) {
            CHECK_EQ(spn_pak_find(g->rt, pak, file->name, &file->entry),
                     SPN_OK);
            CHECK_EQ(spn_pak_get_entry(g->rt, file->entry, &info), SPN_OK);
        }
        if (is_own(scene, file, copies[index]++)) {
            file->stored_at = pak ? at : file->offset;
            file->stored_bytes = info.stored_bytes;
        }
        at += (info.stored_bytes + SECTOR - 1) / SECTOR * SECTOR;
    }
}

static void start_read(struct game *g, struct file *file,
                       const struct burst_config *config, struct burst *out)
{
    static const uint32_t due_us[DEADLINE_CLASSES] = {
        [DEADLINE_SOUND] = 400000,
        [DEADLINE_CLIP] = 700000,
        [DEADLINE_STREAM] = 2000000,
        [DEADLINE_BULK] = 2000000};
    const spn_drive_profile *drive = spn_drive_profile_find("x360_dvd12x");
    spn_read_desc desc = {.path = file->name,
                          .buffer_bytes = file->bytes,
                          .entry = file->entry,
                          .priority = SPN_PRIORITY_NORMAL,
                          .task = config->is_typed ? task_of(file->class)
                                                   : SPN_TASK_TEXTURE,
                          .on_done = on_done,
                          .user = file};
    spn_read read;

    file->buffer = allocate(file->bytes);
    desc.buffer = file->buffer;
    if (config->has_deadlines)
        desc.deadline_us = g->scene->clock_us + due_us[file->class];
    out->transfer_us +=
        spn__drive_transfer_us(drive, file->stored_at, file->stored_bytes);
    CHECK_EQ(spn_read_start(g->rt, &desc, &read), SPN_OK);
}

static void read_all(struct game *g, const struct burst_config *config,
                     struct burst *out)
{
    struct scene *scene = g->scene;

    for (uint32_t i = 0; i < scene->count; i++) {
        struct file *file = &scene->files[scene->reads[i]];

        if (file->is_wanted)
            start_read(g, file, config, out);
    }
}

static void check_all(const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct file *file = &scene->files[i];

        CHECK_EQ(file->done_count, file->is_wanted);
        if (file->is_wanted)
            CHECK_MEM(file->buffer, file->data, file->bytes);
    }
}

static void subtract(spn_emulator_stats *a, const spn_emulator_stats *b)
{
    a->reads -= b->reads;
    a->bytes -= b->bytes;
    a->seeks -= b->seeks;
    a->command_us -= b->command_us;
    a->seek_us -= b->seek_us;
    a->rotate_us -= b->rotate_us;
    a->gap_us -= b->gap_us;
    a->transfer_us -= b->transfer_us;
}

void burst_run(const struct burst_config *config, struct burst *out)
{
    enum burst_kind kind = config->kind;
    struct scene *scene = allocate(sizeof *scene);
    struct game *g = allocate(sizeof *g);
    spn_emulator_stats before;
    spn_pak pak = 0;
    uint64_t begin_us;

    *out = (struct burst){0};
    if (config->has_neighbours)
        make_neighbours(scene, config);
    else
        make_files(scene, config);
    if (kind != BURST_LOOSE)
        make_pak(scene, kind == BURST_PLAIN ? SPN_CODEC_STORE : SPN_CODEC_LZ4);
    g->scene = scene;
    place(g, config->comes_from_outside);
    start_drive(g);
    start_runtime(g);
    if (kind != BURST_LOOSE) {
        CHECK_EQ(spn_pak_mount(g->rt, "pak", &pak), SPN_OK);
        run_until_quiet(g);
    }
    go_elsewhere(g);
    find_stored(g, pak);
    begin_us = scene->clock_us;
    CHECK_EQ(spn_emulator_get_stats(g->emulator, 0, &before), SPN_OK);
    read_all(g, config, out);
    run_until_quiet(g);
    out->read_us = scene->clock_us - begin_us;
    CHECK_EQ(spn_emulator_get_stats(g->emulator, 0, &out->drive), SPN_OK);
    subtract(&out->drive, &before);
    (void)spn_io_get_medium_stats(g->rt, SPN_MEDIUM_OPTICAL, &out->medium);
    check_all(scene);
    spn_shutdown(g->rt);
    for (uint32_t i = 0; i < scene->count; i++) {
        free(scene->files[i].data);
        free(scene->files[i].buffer);
    }
    tiny_pak_free(&scene->pak);
    free(g->memory);
    free(g->emulator_memory);
    free(g);
    free(scene);
}
