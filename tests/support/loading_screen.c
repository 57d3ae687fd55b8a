/* loading_screen.c - the files and the requests of a loading screen. */
/* SPDX-License-Identifier: MIT */
#include "support/loading_screen.h"

#include "simulate/chance.h"
#include "simulate/load_state.h"
#include "simulate/workload_disc.h"

/* Distance of the head from the scene's files, and the time when the scene is
 * entered. */
#define ELSEWHERE_BYTES (UINT64_C(1) << 28)
#define ENTER_US 1000000u
/* Number of the random sequence that orders the files. */
#define SEQUENCE 4u

bool loading_screen_files(const struct workload *workload, uint32_t scene,
                          uint32_t files[LOADING_SCREEN_FILES])
{
    const struct workload_disc *disc = workload_disc_of(workload);
    struct chance chance;

    if (scene >= disc->scene_count)
        return false;
    for (uint32_t i = 0; i < LOADING_SCREEN_FILES; i++)
        files[i] =
            i < WORKLOAD_FIRST_STREAM
                ? workload_disc_file(scene, i)
                : workload_disc_shared(disc, scene, i - WORKLOAD_FIRST_STREAM);
    chance_start(&chance, scene, SEQUENCE);
    for (uint32_t i = LOADING_SCREEN_FILES - 1; i > 0; i--) {
        uint32_t j = (uint32_t)chance_below(&chance, i + 1);
        uint32_t kept = files[i];

        files[i] = files[j];
        files[j] = kept;
    }
    return true;
}

static void add_request(struct load *load, uint64_t offset, uint64_t bytes,
                        uint64_t at_us, uint32_t burst)
{
    struct load_request *out = &load->requests[load->count];

    *out = (struct load_request){.offset = offset,
                                 .bytes = bytes,
                                 .deadline_us = UINT64_MAX,
                                 .class = DEADLINE_BULK,
                                 .burst = burst,
                                 .visit = LOAD_NO_VISIT,
                                 .file = LOAD_NO_FILE};
    load_name_task(out);
    replay_start_at(&load->replay, load->count++, at_us);
    load->last_us = at_us;
}

static void add_burst(struct load *load, const struct workload *workload,
                      const uint32_t files[LOADING_SCREEN_FILES])
{
    uint64_t first = workload_file_at(workload, files[0])->offset;

    load_reserve(load, LOADING_SCREEN_FILES + 1);
    add_request(load, first > ELSEWHERE_BYTES ? first - ELSEWHERE_BYTES : 0, 1,
                0, LOAD_NO_BURST);
    for (uint32_t i = 0; i < LOADING_SCREEN_FILES; i++) {
        const struct workload_file *file = workload_file_at(workload, files[i]);

        add_request(load, file->offset, file->bytes, ENTER_US, 0);
    }
    load->bursts[load->burst_count++] =
        (struct load_burst){"", ENTER_US, LOADING_SCREEN_FILES};
}

struct load *loading_screen_load(const struct workload_config *config,
                                 uint32_t scene)
{
    struct workload *workload = workload_create(config);
    uint32_t files[LOADING_SCREEN_FILES];
    struct load *load = NULL;

    if (!workload)
        return NULL;
    if (loading_screen_files(workload, scene, files)) {
        load = load_new();
        add_burst(load, workload, files);
    }
    workload_destroy(workload);
    return load;
}
