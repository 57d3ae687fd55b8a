/* play_features.c - play with a runtime that lacks some features.
 *
 * Goal: with each switch of spindle/features.h the runtime works, refuses the
 * missing feature by name, and takes no memory for it.
 * Method: the program is compiled once for each set of switches. It calls all
 * features and prints the hash of every frame that it could play.
 * test_features.sh compares the hashes with those of a runtime with all
 * features.
 */
/* SPDX-License-Identifier: MIT */
#include "platform/consoles_stub/platform_stub.h"
#include "player/shown_hash.h"

#include <spindle/drive_profile.h>
#include <spindle/spindle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UPDATES_MAX = 10000,
    PICTURES = 300,
    PICTURE_US = 33333,
    BLOCK_BYTES = 6 << 20,
    FILE_BYTES_MAX = 4 << 20
};

#define EXPECT(condition)                                                      \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "play_features.c:%d: %s\n", __LINE__, #condition); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

extern const uint8_t play_disc_flag[];
extern const uint8_t play_disc_lifted[];
extern const uint8_t play_disc_flowing[];

static spn_platform_stub stub;
static spn_platform platform;
static _Alignas(SPN_MEMORY_ALIGN) uint8_t block[BLOCK_BYTES];

static spn_config config_of(void)
{
    return (spn_config){.platform = &platform,
                        .heap_bytes = 4u << 20,
                        .read_count = 16,
                        .file_count = 8,
                        .job_count = 256,
                        .cache_count = 4,
                        .node_count = 4,
                        .stream_frame_count = 256,
                        .piece_bytes = 65536};
}

static spn_status built(int is_built)
{
    return is_built ? SPN_OK : SPN_ERR_NOT_BUILT;
}

/* A config that needs a missing feature is refused by name. */
static void resolve_configs(void)
{
    const spn_listener listener = {0};
    spn_config config = config_of();
    spn_config out;

    EXPECT(spn_config_resolve(&config, &out) == SPN_OK);
    config.listener = &listener;
    EXPECT(spn_config_resolve(&config, &out) == built(SPN_WITH_OBSERVERS));
    config = config_of();
    config.pak_count = 1;
    EXPECT(spn_config_resolve(&config, &out) == built(SPN_WITH_PAKS));
    config = config_of();
    config.media[SPN_MEDIUM_OPTICAL].drive =
        spn_drive_profile_find("ps2_dvd4x");
    EXPECT(spn_config_resolve(&config, &out) ==
           built(SPN_WITH_DEADLINE_SCHEDULER));
    EXPECT(spn_memory_needed(&config) == 0 || SPN_WITH_DEADLINE_SCHEDULER);
}

static void update(spn_runtime *rt)
{
    stub.clock_us += 1000;
    spn_update(rt);
}

static void read_file(spn_runtime *rt)
{
    static uint8_t bytes[FILE_BYTES_MAX];
    const spn_stub_file *file = &stub.files[0];
    spn_read_desc desc = {.path = file->path,
                          .bytes = file->bytes,
                          .buffer = bytes,
                          .buffer_bytes = sizeof bytes,
                          .task = SPN_TASK_USER};
    spn_status status = SPN_PENDING;
    spn_read read;

    EXPECT(file->bytes <= sizeof bytes);
    EXPECT(spn_read_start(rt, &desc, &read) == SPN_OK);
    for (int i = 0; i < UPDATES_MAX && status == SPN_PENDING; i++) {
        update(rt);
        status = spn_read_poll(rt, read);
    }
    EXPECT(memcmp(bytes, file->data, file->bytes) == 0);
    desc.path = NULL;
    desc.entry.pak = 1;
    status = spn_read_start(rt, &desc, &read);
    EXPECT(status == (SPN_WITH_PAKS ? SPN_ERR_HANDLE : SPN_ERR_NOT_BUILT));
}

#if SPN_WITH_PAKS
/* A cache is not a pak: mounting it fails. */
static void mount_pak(spn_runtime *rt)
{
    spn_status status = SPN_PENDING;
    spn_pak pak;

    EXPECT(spn_pak_mount(rt, stub.files[0].path, &pak) == SPN_OK);
    for (int i = 0; i < UPDATES_MAX && status == SPN_PENDING; i++) {
        update(rt);
        status = spn_pak_get_status(rt, pak, NULL);
    }
    EXPECT(status == SPN_ERR_FORMAT);
    EXPECT(spn_pak_unmount(rt, pak) == SPN_OK);
}
#endif

#if SPN_WITH_GEOMETRY
static spn_status open_cache(spn_runtime *rt, const char *path, spn_cache *out)
{
    spn_fault fault = {0};
    spn_status status = SPN_PENDING;

    EXPECT(spn_cache_open(rt, path, out) == SPN_OK);
    for (int i = 0; i < UPDATES_MAX && status == SPN_PENDING; i++) {
        update(rt);
        status = spn_cache_get_status(rt, *out, &fault);
    }
    EXPECT(status == SPN_OK || (fault.what && fault.status == status));
    return status;
}

#if SPN_WITH_GEOM_EVENTS
static void on_event(void *user, const spn_geom_event *event)
{
    (void)user;
    EXPECT(event->kind >= SPN_GEOM_OPENED);
}
#endif

static void play(spn_runtime *rt, const char *path, spn_cache cache)
{
    static _Alignas(8) uint8_t vertices[1 << 17];
    const spn_node_desc desc = {.is_looping = 1};
    spn_cache_info info;
    spn_node_state state = {.is_ready = 0};
    spn_node node;

    EXPECT(spn_cache_get_info(rt, cache, &info) == SPN_OK);
    EXPECT(spn_node_create(rt, cache, &desc, &node) == SPN_OK);
#if SPN_WITH_FRAME_BUFFERS
    EXPECT(spn_cache_set_frame_buffers(rt, cache, NULL) == SPN_OK);
#endif
#if SPN_WITH_GEOM_EVENTS
    EXPECT(spn_geom_listen(rt, on_event, NULL) == SPN_OK);
#endif
#if SPN_WITH_VIEWS
    EXPECT(spn_node_set_view(rt, node, &(spn_view){.is_visible = 1}) == SPN_OK);
#endif
    EXPECT(spn_node_start_streaming(rt, node, 0) == SPN_OK);
    for (int i = 0; i < UPDATES_MAX && !state.is_ready; i++) {
        update(rt);
        EXPECT(spn_node_get_state(rt, node, &state) == SPN_OK);
    }
    for (int picture = 0; picture < PICTURES; picture++) {
        EXPECT(spn_node_set_playback_time(
                   rt, node, (int64_t)picture * PICTURE_US) == SPN_OK);
        update(rt);
        EXPECT(spn_node_get_state(rt, node, &state) == SPN_OK);
        printf("%s frame %u %016llx\n", path, state.shown_frame,
               (unsigned long long)shown_hash(rt, cache, &info, node,
                                              state.shown_frame, vertices,
                                              sizeof vertices));
    }
    EXPECT(state.frames_late == 0);
    EXPECT(spn_node_destroy(rt, node) == SPN_OK);
}

static void play_files(spn_runtime *rt)
{
    spn_cache cache;

    EXPECT(open_cache(rt, "flag.sgc", &cache) == SPN_OK);
    play(rt, "flag.sgc", cache);
    EXPECT(open_cache(rt, "lifted.sgc", &cache) ==
           built(SPN_WITH_LIFTED_MESHES));
    if (SPN_WITH_LIFTED_MESHES)
        play(rt, "lifted.sgc", cache);
}
#endif

int main(void)
{
    spn_config config;
    spn_runtime *rt;
    size_t bytes;

    stub.files[0] =
        (spn_stub_file){"flag.sgc", play_disc_flag,
                        (uint64_t)(play_disc_lifted - play_disc_flag)};
    stub.files[1] =
        (spn_stub_file){"lifted.sgc", play_disc_lifted,
                        (uint64_t)(play_disc_flowing - play_disc_lifted)};
    stub.file_count = 2;
    spn_platform_stub_init(&stub, &platform);
    resolve_configs();
    config = config_of();
    config.pak_count = SPN_WITH_PAKS;
    bytes = spn_memory_needed(&config);
    EXPECT(bytes > 0 && bytes <= sizeof block);
    printf("memory %zu\n", bytes);
    EXPECT(spn_init(&config, block, bytes, &rt) == SPN_OK);
    read_file(rt);
#if SPN_WITH_PAKS
    mount_pak(rt);
#endif
#if SPN_WITH_GEOMETRY
    play_files(rt);
#endif
    EXPECT(spn_check(rt) == 1);
    spn_shutdown(rt);
    return 0;
}
