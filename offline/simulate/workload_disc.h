/* workload_disc.h - the files of a generated game and their positions.
 *
 * Input: a drive profile and a layout. Output: a table of files, which
 * workload.c requests. The disc does not depend on the seed of the game.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_SIMULATE_WORKLOAD_DISC_H
#define OFFLINE_SIMULATE_WORKLOAD_DISC_H

#include "simulate/workload.h"

#define WORKLOAD_SCENES 24u /* at most */
/* Files of each kind in a scene. */
#define WORKLOAD_CLIPS 60u
#define WORKLOAD_SOUNDS 40u
#define WORKLOAD_TEXTURES 80u
#define WORKLOAD_STREAMS 12u
#define WORKLOAD_SHARED 100u /* files used by all scenes */

/* Index of the first file of each kind within a scene; clips come first. */
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
    /* The shared files, the files of each scene, then for each scene copies of
     * the shared files, if there are any. */
    struct workload_file files[WORKLOAD_FILES_MAX];
    uint32_t stream_rates[WORKLOAD_SCENES][WORKLOAD_STREAMS]; /* bytes/s */
    bool has_copies; /* layout WORKLOAD_COPIES */
};

/* Make the disc. Returns false if not even one scene fits on it. */
bool workload_disc_make(struct workload_disc *disc,
                        const spn_drive_profile *drive,
                        enum workload_layout layout);
/* Return file `index` of a scene; it is below WORKLOAD_SCENE_FILES. */
uint32_t workload_disc_file(uint32_t scene, uint32_t index);
/* Store the name of a file's content: "scene07/clip12", "shared/99". */
void workload_disc_name(const struct workload_disc *disc, uint32_t file,
                        char name[WORKLOAD_NAME_BYTES]);
/* Return the file with a name; of a shared file, the copy of the scene if there
 * are copies. WORKLOAD_NO_FILE: no file has the name. */
uint32_t workload_disc_find(const struct workload_disc *disc, uint32_t scene,
                            const char *name);
/* Return shared file `index`, or its copy in the scene if there are copies. */
uint32_t workload_disc_shared(const struct workload_disc *disc, uint32_t scene,
                              uint32_t index);

#endif
