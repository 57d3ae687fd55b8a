/* clip_files.c - look names up, and read the header of the image. */
/* SPDX-License-Identifier: MIT */
#include "simulate/clip_files.h"

#include "anim/clip_index_validate.h"
#include "cache/cache_header.h"
#include "common/fault_text.h"

#include <string.h>

/* Files that are open at the same time for clips and databases. */
#define FILES_OPEN 128u

/* The entry of a name, in the last pak that has it; PAK_NONE: no pak has. */
static uint32_t find(const struct load_pak *paks, uint32_t count,
                     const char *name, const struct pak_reader **pak)
{
    for (uint32_t i = count; i > 0; i--) {
        uint32_t entry;

        *pak = paks[i - 1].reader;
        entry = spn__pak_find(&(*pak)->index, name, (uint32_t)strlen(name));
        if (entry != PAK_NONE)
            return entry;
    }
    return PAK_NONE;
}

static bool find_all(const struct clip_script *script,
                     const struct clip_name *names, uint32_t name_count,
                     const struct load_pak *paks, uint32_t pak_count,
                     struct diag *diag)
{
    const struct pak_reader *pak;

    for (uint32_t i = 0; i < name_count; i++)
        if (find(paks, pak_count, names[i].text, &pak) == PAK_NONE)
            return clip_script_refuse(script, &names[i], diag,
                                      "not in the pak");
    return true;
}

/* Read the start of a file that the script names.
 *
 * block  that many bytes
 * bytes  of the whole file */
static bool read_start(const struct clip_files *files,
                       const struct clip_name *name,
                       const struct load_pak *paks, uint32_t pak_count,
                       uint8_t *block, uint32_t block_bytes, uint64_t *bytes,
                       struct diag *diag)
{
    const struct pak_reader *pak;
    const uint32_t entry = find(paks, pak_count, name->text, &pak);

    if (entry == PAK_NONE)
        return clip_script_refuse(files->script, name, diag, "not in the pak");
    return pak_reader_begin(pak, entry, block, block_bytes, bytes, diag);
}

static bool read_image(struct clip_files *files, const struct load_pak *paks,
                       uint32_t pak_count, struct diag *diag)
{
    const struct clip_name *image = &files->script->image;
    uint8_t block[CLIP_INDEX_HEADER_BYTES];
    struct clip_index_header header;
    spn_fault fault = {0};
    uint64_t bytes;

    if (!read_start(files, image, paks, pak_count, block, sizeof block, &bytes,
                    diag))
        return false;
    if (spn__clip_index_validate_header(block, CLIP_INDEX_IMAGE, bytes, &header,
                                        &fault) != SPN_OK)
        return fault_refuse(diag, image->text, FAULT_NO_FRAME, &fault);
    files->clip_count = header.clip_count;
    files->database_count = header.file_count;
    return true;
}

/* Frames that a node of a cache needs: those of the time ahead with a margin,
 * and of groups at both ends. */
static uint32_t frames_ahead(const struct cache_header *header)
{
    const uint64_t us =
        header->duration_us > 0 ? (uint64_t)header->duration_us : UINT32_MAX;
    const uint64_t frames =
        (header->frame_count - 1) * UINT64_C(25000000) / 4 / us +
        4 * (uint64_t)header->index_distance + 16;

    return frames < SPN_STREAM_FRAMES_MAX ? (uint32_t)frames
                                          : SPN_STREAM_FRAMES_MAX;
}

static bool read_cache(struct clip_files *files, const struct clip_name *name,
                       const struct load_pak *paks, uint32_t pak_count,
                       struct diag *diag)
{
    uint8_t block[CACHE_HEADER_BYTES];
    struct cache_header header;
    spn_fault fault = {0};
    uint64_t bytes;

    if (!read_start(files, name, paks, pak_count, block, sizeof block, &bytes,
                    diag))
        return false;
    if (spn__cache_header_read(block, bytes, &header, &fault) != SPN_OK)
        return fault_refuse(diag, name->text, FAULT_NO_FRAME, &fault);
    if (frames_ahead(&header) > files->stream_frame_count)
        files->stream_frame_count = frames_ahead(&header);
    return true;
}

static bool read_caches(struct clip_files *files, const struct load_pak *paks,
                        uint32_t pak_count, struct diag *diag)
{
    for (uint32_t i = 0; i < files->script->action_count; i++)
        if (files->script->actions[i].kind == CLIP_STREAM &&
            !read_cache(files, &files->script->actions[i].name, paks, pak_count,
                        diag))
            return false;
    return true;
}

bool clip_files_find(struct clip_files *files, const struct clip_script *script,
                     const struct load_pak *paks, uint32_t pak_count,
                     struct diag *diag)
{
    *files =
        (struct clip_files){.script = script, .clip_count = script->clip_count};
    return (!script->image.text || read_image(files, paks, pak_count, diag)) &&
           find_all(script, script->clips, script->clip_count, paks, pak_count,
                    diag) &&
           find_all(script, script->skeletons, script->skeleton_count, paks,
                    pak_count, diag) &&
           read_caches(files, paks, pak_count, diag);
}

void clip_files_configure(const struct clip_files *files, spn_config *config)
{
    const struct clip_script *script = files->script;

    /* A node is freed when its last read has ended. */
    if (files->stream_frame_count > 0) {
        config->stream_frame_count = files->stream_frame_count;
        config->cache_count = script->stream_count;
        config->node_count = script->stream_count;
    }
    config->file_count = config->pak_count + script->stream_count +
                         script->skeleton_count + FILES_OPEN;
    if (files->clip_count == 0)
        return;
    config->anim_count = files->clip_count;
    config->anim_database_count = files->database_count;
    config->anim_skeleton_count = script->skeleton_count;
    config->anim_play_count = script->play_count;
    config->anim_timeline_count = 1;
    config->anim_has_loose_headers = script->image.text == NULL;
    if (script->play_count > 256)
        config->anim_loaded_count = 4 * script->play_count;
    if (config->anim_loaded_count > files->clip_count)
        config->anim_loaded_count = files->clip_count;
}
