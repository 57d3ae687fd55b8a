/* anim_pack.h - put compiled clips into databases, and their headers into an
 * image.
 *
 * Input: clip and skeleton files, folders of them, and paks that have them; a
 * clip is named as a file in a pak is (pack/pack_files.h). Only files of
 * folders and paks whose names end with .sac or .sas are taken. Output:
 * databases, copies of the clips that are in none, copies of the skeletons to
 * which clips refer (pack_skeletons.h), and the header image, which is written
 * last. All names and paths in the image are relative to the output's folder.
 * Each clip is decoded before anything is written. The output is the same for
 * any number of threads.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_ANIM_TOOL_ANIM_PACK_H
#define OFFLINE_ANIM_TOOL_ANIM_PACK_H

#include "anim/tool/pack_skeletons.h"
#include "common/arena.h"
#include "common/diag.h"

#include <stdbool.h>
#include <stdint.h>

#define IMAGE_FILE_END ".sai"
#define ANIM_PACK_IMAGE "animations" IMAGE_FILE_END

/* Groups of clips (clip_groups.h). */
enum anim_pack_by {
    ANIM_PACK_BY_FOLDER,
    ANIM_PACK_BY_SKELETON,
    ANIM_PACK_BY_FILE /* no databases: each clip has a file of its own */
};

struct anim_pack_options {
    const char *const *inputs;
    uint32_t input_count;
    const char *folder;
    const char *prefix; /* before every name; NULL: none */
    const char *image;  /* its name in the folder; NULL: ANIM_PACK_IMAGE */
    /* Lists of databases (clip_lists.h), and groups of all other clips. */
    const char *const *lists;
    uint32_t list_count;
    enum anim_pack_by by;
    /* Traces of use (clip_uses.h): in each database, clips that are used come
     * first, in the order of their use. */
    const char *const *traces;
    uint32_t trace_count;
    const char *const *recorded; /* databases of the recorded game */
    uint32_t recorded_count;
    uint32_t jobs;
};

struct anim_packed_database {
    const char *path; /* in the folder */
    uint32_t clip_count;
    uint64_t skeleton;
    uint64_t bytes;      /* of the file */
    uint64_t clip_bytes; /* of all its clips; equal ones are stored once */
};

struct anim_pack_report {
    struct arena arena; /* owns everything below */
    const char *image;
    uint64_t image_bytes;
    uint32_t clip_count;
    uint32_t used_count; /* clips that a trace uses */
    uint32_t file_count; /* clips with files of their own */
    uint64_t file_bytes; /* of these files */
    uint32_t database_count;
    struct anim_packed_database *databases;
    uint32_t skeleton_count;
    const struct pack_skeleton *skeletons; /* that were copied */
    uint64_t skeleton_bytes;
    uint64_t bytes; /* of all files */
};

/* Pack. The report is filled in any case; release its arena. Returns false
 * after a refusal. */
bool anim_pack(const struct anim_pack_options *options, struct diag *diag,
               struct anim_pack_report *report);

#endif
