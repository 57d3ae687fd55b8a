/* play_hashes.c - play four clips from one emulated slow disc, in 5 MiB.
 *
 * The hash of every shown frame is printed (the same hash as by spindle play).
 * When a loop shows a frame again, its hash must be equal. Some frames are also
 * filled to vertex buffers in single precision, as an engine does, and hashed:
 * all machines with IEEE floats must produce the same bits. The last lines are
 * the runtime's trace of reads and the totals of the drive: all machines must
 * make the same reads at the same microseconds.
 */
/* SPDX-License-Identifier: MIT */
#include "everywhere/play_hashes.h"

#include "base/checksum.h"
#include "base/endian.h"
#include "player/shown_hash.h"

#define PICTURES 600u
#define PICTURE_US 16667u
#define DRAWN_EVERY 20u /* frames between two fills, which are slow */
#define READY_MS 5000u

static const char *const names[PLAY_FILES] = {"flag.sgc", "lifted.sgc",
                                              "flowing.sgc", "tiny.sgc"};

/* The only drive of the machine, so the built-in list of profiles is not
 * linked. */
static const spn_drive_profile own_drive = {
    .name = "own_dvd",
    .about = "like a DVD drive of 6x",
    .motion = SPN_DRIVE_CAV,
    .distance = SPN_DRIVE_BY_RADIUS,
    .layers = 2,
    .layer_bytes = 4699979776,
    .radius_in_um = 24000,
    .radius_out_um = 58000,
    .pitch_nm = 740,
    .rate_in = 3649044,
    .rate_out = 8818524,
    .turns_mhz = 57000,
    .seek = {.unit = 1000000000,
             .near_limit = 1000000,
             .near_piece = {.base_us = 35000, .slope_us = 50000000},
             .far_piece = {.base_us = 75000, .slope_us = 4500000}},
    .layer_us = 75000,
    .command_us = 600,
    .ecc_bytes = 32768,
    .buffer_bytes = 1048576,
    .interface_rate = 33554432,
    .spin_up_us = 1500000,
    .retry_turns = 4,
    .slow_percent = 50,
    .slow_us = 10000000,
};

/* -- output -- */

struct line {
    char text[96];
    uint32_t length;
};

static void add_text(struct line *line, const char *text)
{
    while (*text && line->length < sizeof line->text - 1)
        line->text[line->length++] = *text++;
    line->text[line->length] = 0;
}

static void add_number(struct line *line, uint64_t number, uint32_t base,
                       uint32_t digits_min)
{
    char digits[24];
    uint32_t at = sizeof digits;

    digits[--at] = 0;
    while (number > 0 || sizeof digits - 1 - at < digits_min) {
        /* cppcheck-suppress zerodivcond ; by the base, which is not 0 */
        digits[--at] = "0123456789abcdef"[number % base];
        number /= base;
    }
    add_text(line, digits + at);
}

static void say_number(const struct play_hashes *play, const char *what,
                       uint64_t number)
{
    struct line line = {.length = 0};

    add_text(&line, what);
    add_text(&line, " ");
    add_number(&line, number, 10, 1);
    play->say(line.text);
}

static void say_hash(const struct play_hashes *play, const char *name,
                     const char *what, uint32_t number, uint64_t hash)
{
    struct line line = {.length = 0};

    add_text(&line, name);
    add_text(&line, what);
    add_number(&line, number, 10, 1);
    add_text(&line, " ");
    add_number(&line, hash, 16, 16);
    play->say(line.text);
}

/* -- machine -- */

static int start(struct play_hashes *play)
{
    const spn_emulator_drive drive = {.profile = &own_drive, .is_stopped = 1};
    spn_platform platform;
    spn_platform table;
    spn_emulator_config emulated = {.platform = &platform,
                                    .drives = &drive,
                                    .drive_count = 1,
                                    .file_count = PLAY_FILES};
    spn_config config = {.platform = &table,
                         .heap_bytes = 4u << 20,
                         .read_count = 16,
                         .file_count = PLAY_FILES + 1,
                         .job_count = 256,
                         .cache_count = PLAY_FILES,
                         .node_count = PLAY_FILES,
                         .stream_frame_count = 256,
                         .piece_bytes = 65536};
    size_t bytes;

    config.media[SPN_MEDIUM_OPTICAL].drive = drive.profile;
    for (uint32_t i = 0; i < PLAY_FILES; i++)
        play->files[i].name = names[i];
    play_machine_init(play, &platform);
    bytes = spn_emulator_bytes(&emulated);
    if (bytes == 0 || bytes > sizeof play->emulator_memory ||
        spn_emulator_init(&emulated, play->emulator_memory, bytes,
                          &play->emulator, &table) != SPN_OK)
        return 2;
    bytes = spn_memory_needed(&config);
    if (bytes == 0 || bytes > sizeof play->block)
        return 3;
    /* Each static mesh that is drawn is a group. */
    return spn_init(&config, play->block, bytes, &play->rt) == SPN_OK &&
                   spn_tuning_set(play->rt, "instance_min", "1") == SPN_OK
               ? 0
               : 4;
}

/* Virtual time does not advance while the disc works. The emulated drive
 * decides when a read is due. */
static void update(struct play_hashes *play)
{
    spn_update(play->rt);
    play_machine_settle(play);
}

/* Advance the clock to `target_us`; wake up whenever a read ends. */
static void run_until(struct play_hashes *play, uint64_t target_us)
{
    uint64_t *clock_us = &play->stub.clock_us;
    uint64_t due_us;

    while ((due_us = spn_emulator_due_us(play->emulator)) <= target_us) {
        if (due_us > *clock_us)
            *clock_us = due_us;
        update(play);
        if (spn_emulator_due_us(play->emulator) == due_us)
            break;
    }
    *clock_us = target_us;
    update(play);
}

/* -- playback -- */

static int open_file(struct play_hashes *play, struct play_file *file)
{
    const spn_node_desc desc = {.is_looping = 1};
    spn_node_state state;

    if (spn_cache_open(play->rt, file->name, &file->cache) != SPN_OK)
        return 5;
    for (uint32_t i = 0;
         spn_cache_get_status(play->rt, file->cache, NULL) == SPN_PENDING &&
         i < READY_MS;
         i++)
        run_until(play, play->stub.clock_us + 1000);
    if (spn_cache_get_info(play->rt, file->cache, &file->info) != SPN_OK ||
        file->info.frame_count > PLAY_FRAMES_MAX ||
        file->info.scene_node_count > PLAY_NODES_MAX)
        return 6;
    for (uint32_t m = 0; m < file->info.mesh_count; m++) {
        spn_mesh_info mesh;

        if (spn_cache_get_mesh(play->rt, file->cache, m, &mesh) != SPN_OK ||
            mesh.vertex_count > PLAY_VERTICES_MAX)
            return 6;
    }
    if (spn_node_create(play->rt, file->cache, &desc, &file->node) != SPN_OK ||
        spn_node_start_streaming(play->rt, file->node, 0) != SPN_OK)
        return 7;
    for (uint32_t i = 0; i < READY_MS; i++) {
        if (spn_node_get_state(play->rt, file->node, &state) == SPN_OK &&
            state.is_ready)
            return 0;
        run_until(play, play->stub.clock_us + 1000);
    }
    return 8;
}

static int hash_frame(struct play_hashes *play, struct play_file *file)
{
    spn_node_state state;
    uint64_t *known;
    uint64_t hash;

    if (spn_node_get_state(play->rt, file->node, &state) != SPN_OK ||
        state.shown_frame >= file->info.frame_count)
        return 9;
    if (state.shown_frame == file->shown_frame)
        return 0;
    file->shown_frame = state.shown_frame;
    known = &file->hashes[state.shown_frame];
    hash = shown_hash(play->rt, file->cache, &file->info, file->node,
                      state.shown_frame, play->vertices, sizeof play->vertices);
    if (hash == 0 || (*known != 0 && *known != hash))
        return 10;
    if (*known == 0)
        say_hash(play, file->name, " frame ", state.shown_frame, hash);
    *known = hash;
    return 0;
}

/* Hash floats in little-endian byte order. */
static uint32_t hash_floats(void *floats, size_t bytes, uint32_t seed)
{
    uint8_t *at = floats;

    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t bits;

        memcpy(&bits, at + i, 4);
        spn_store_u32le(at + i, bits);
    }
    return spn__checksum(floats, bytes, seed);
}

/* Hash the matrices and boxes of what is drawn, and those of groups. */
static int hash_draw_list(struct play_hashes *play,
                          const struct play_file *file, uint32_t *hash)
{
    uint32_t group_count;
    uint32_t count;

    if (spn_node_get_draw_list(play->rt, file->node, play->items,
                               PLAY_NODES_MAX, &count) != SPN_OK)
        return 17;
    if (spn_draw_instances(play->rt, play->items, count, play->groups,
                           PLAY_NODES_MAX, play->matrices, PLAY_NODES_MAX,
                           &group_count) != SPN_OK)
        return 18;
    for (uint32_t i = 0; i < group_count; i++)
        *hash = hash_floats(
            play->matrices + (size_t)play->groups[i].first_matrix * 12,
            (size_t)play->groups[i].matrix_count * 12 * sizeof(float), *hash);
    for (uint32_t i = 0; i < count; i++) {
        spn_draw_item *item = &play->items[i];

        *hash = hash_floats(item->matrix, sizeof item->matrix, *hash);
        *hash = hash_floats(item->box_min, sizeof item->box_min, *hash);
        *hash = hash_floats(item->box_max, sizeof item->box_max, *hash);
    }
    return 0;
}

static int draw(struct play_hashes *play, const struct play_file *file)
{
    static const spn_vertex_layout layout = {
        .stride = PLAY_VERTEX_BYTES,
        .position = {0, SPN_FORMAT_F32X3},
        .normal = {12, SPN_FORMAT_F32X3},
        .tangent = {24, SPN_FORMAT_F32X4},
        .uv = {40, SPN_FORMAT_F32X2},
        .color = {48, SPN_FORMAT_F32X4},
        .velocity = {64, SPN_FORMAT_F32X3},
    };
    uint32_t hash = 0;
    int failed;

    if (spn_node_get_transforms(play->rt, file->node, play->matrices, NULL,
                                file->info.scene_node_count) != SPN_OK)
        return 11;
    hash = hash_floats(play->matrices,
                       (size_t)file->info.scene_node_count * 12 * sizeof(float),
                       0);
    failed = hash_draw_list(play, file, &hash);
    if (failed)
        return failed;
    for (uint32_t m = 0; m < file->info.mesh_count; m++) {
        spn_fill_result result;
        spn_mesh_info mesh;

        if (spn_cache_get_mesh(play->rt, file->cache, m, &mesh) != SPN_OK ||
            spn_node_fill(play->rt, file->node, m, &layout, play->vertices,
                          sizeof play->vertices, &result) != SPN_OK)
            return 12;
        if (result.is_visible)
            hash = hash_floats(play->vertices,
                               (size_t)mesh.vertex_count * layout.stride, hash);
    }
    play->pictures = (play->pictures << 1 | play->pictures >> 63) ^ hash;
    return 0;
}

static int show(struct play_hashes *play, uint32_t picture, uint64_t start_us)
{
    int failed = 0;

    for (uint32_t i = 0; i < PLAY_FILES; i++)
        if (spn_node_set_playback_time(play->rt, play->files[i].node,
                                       (int64_t)picture * PICTURE_US) != SPN_OK)
            return 13;
    run_until(play, start_us + (uint64_t)picture * PICTURE_US);
    for (uint32_t i = 0; i < PLAY_FILES && !failed; i++)
        failed = hash_frame(play, &play->files[i]);
    for (uint32_t i = 0; i < PLAY_FILES && !failed; i++)
        if (picture % DRAWN_EVERY == 1)
            failed = draw(play, &play->files[i]);
    return failed;
}

/* Print the same summary as spindle play for each file. */
static int report(const struct play_hashes *play)
{
    uint32_t late = 0;
    spn_emulator_stats drive;
    spn_node_state state;

    for (uint32_t i = 0; i < PLAY_FILES; i++) {
        const struct play_file *file = &play->files[i];
        uint32_t frames = 0;
        uint64_t sum = 0;

        for (uint32_t k = 0; k < file->info.frame_count; k++) {
            frames += file->hashes[k] != 0;
            sum += file->hashes[k];
        }
        say_hash(play, file->name, " frames ", frames, sum);
        if (spn_node_get_state(play->rt, file->node, &state) != SPN_OK)
            return 14;
        late += state.frames_late;
    }
    if (spn_emulator_get_stats(play->emulator, 0, &drive) != SPN_OK)
        return 15;
    say_hash(play, "drawn", " pictures ", PICTURES / DRAWN_EVERY,
             play->pictures);
    say_hash(play, "trace", " us ", (uint32_t)play->stub.clock_us,
             spn_trace_hash(play->rt));
    say_number(play, "late", late);
    say_number(play, "drive reads", drive.reads);
    say_number(play, "drive bytes", drive.bytes);
    say_number(play, "drive seeks", drive.seeks);
    say_number(play, "drive busy us", drive.busy_us);
    return late == 0 ? 0 : 16;
}

static int play_all(struct play_hashes *play)
{
    uint64_t start_us;
    int failed = 0;

    for (uint32_t i = 0; i < PLAY_FILES && !failed; i++)
        failed = open_file(play, &play->files[i]);
    start_us = play->stub.clock_us;
    for (uint32_t k = 0; k < PICTURES && !failed; k++)
        failed = show(play, k, start_us);
    return failed ? failed : report(play);
}

int play_hashes(struct play_hashes *play, void (*say)(const char *line))
{
    int failed;

    memset(play, 0xa5, sizeof *play);
    memset(&play->stub, 0, sizeof play->stub);
    memset(play->files, 0, sizeof play->files);
    for (uint32_t i = 0; i < PLAY_FILES; i++)
        play->files[i].shown_frame = UINT32_MAX;
    play->pictures = 0;
    play->say = say;
    failed = start(play);
    if (!failed) {
        failed = play_all(play);
        spn_shutdown(play->rt);
    }
    if (failed)
        say_number(play, "failed at step", (uint64_t)failed);
    return failed;
}
