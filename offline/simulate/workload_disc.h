/* workload_disc.h - the files of a made up game, and where they lie. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_WORKLOAD_DISC_H
#define OFFLINE_SIMULATE_WORKLOAD_DISC_H

#include "simulate/workload.h"

#define WORKLOAD_SCENES 24u
#define WORKLOAD_CLIPS 60u
#define WORKLOAD_SOUNDS 40u
#define WORKLOAD_TEXTURES 80u
#define WORKLOAD_STREAMS 12u
#define WORKLOAD_SHARED 100u

/* Files of a scene, in this order; then those that all scenes want. */
#define WORKLOAD_FIRST_SOUND WORKLOAD_CLIPS
#define WORKLOAD_FIRST_TEXTURE (WORKLOAD_FIRST_SOUND + WORKLOAD_SOUNDS)
#define WORKLOAD_FIRST_STREAM (WORKLOAD_FIRST_TEXTURE + WORKLOAD_TEXTURES)
#define WORKLOAD_SCENE_FILES (WORKLOAD_FIRST_STREAM + WORKLOAD_STREAMS)
#define WORKLOAD_FILES_MAX                                                     \
    (WORKLOAD_SCENES * WORKLOAD_SCENE_FILES + WORKLOAD_SHARED +                \
     WORKLOAD_SCENES * WORKLOAD_SHARED)

struct workload_disc {
    uint32_t scene_count;
    uint32_t file_count;
    /* scenes, shared ones, and with copies those of each scene */
    struct workload_file files[WORKLOAD_FILES_MAX];
    uint32_t stream_rates[WORKLOAD_SCENES][WORKLOAD_STREAMS]; /* bytes/s */
    bool has_copies;
};

/* False when not even one scene fits. */
bool workload_disc_make(struct workload_disc *disc,
                        const spn_drive_profile *drive,
                        enum workload_layout layout);
uint32_t workload_disc_file(const struct workload_disc *disc, uint32_t scene,
                            uint32_t index);
/* "scene07/clip12", "shared/099": of what a file contains. */
void workload_disc_name(const struct workload_disc *disc, uint32_t file,
                        char name[WORKLOAD_NAME_BYTES]);
/* The file of a name, as it lies for a scene; WORKLOAD_NO_FILE: there is
 * none. */
uint32_t workload_disc_find(const struct workload_disc *disc, uint32_t scene,
                            const char *name);
/* The shared file itself, or its copy in the scene. */
uint32_t workload_disc_shared(const struct workload_disc *disc, uint32_t scene,
                              uint32_t index);

#endif
