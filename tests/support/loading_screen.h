/* loading_screen.h - a game that loads a scene at once.
 *
 * A workload beside that of simulate/workload.h, whose game loads no scene when
 * it enters one. It uses the same disc.
 */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_LOADING_SCREEN_H
#define TESTS_LOADING_SCREEN_H

#include "simulate/load.h"

#include <stdbool.h>
#include <stdint.h>

/* List the files of a loading screen, in no particular order: all files of a
 * scene but its streams, and 40 shared ones. Returns false if there is no such
 * scene. */
#define LOADING_SCREEN_FILES 220u
bool loading_screen_files(const struct workload *workload, uint32_t scene,
                          uint32_t files[LOADING_SCREEN_FILES]);

/* Make a load of one burst: these files, requested at once while the head is
 * elsewhere on the disc. NULL: workload_create refuses the config, or there is
 * no such scene. */
struct load *loading_screen_load(const struct workload_config *config,
                                 uint32_t scene);

#endif
