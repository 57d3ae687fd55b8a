/* clip_file.c - read clip and skeleton files whole. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_file.h"

#include "anim/anim_wire.h"
#include "anim/packed_clip.h"
#include "anim/tool/file_names.h"
#include "common/fault_text.h"
#include "host/host.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Read a file into the arena. */
static bool read_file(const char *path, struct arena *arena, struct diag *diag,
                      const uint8_t **data, size_t *bytes)
{
    void *text;

    if (!host_read_file(path, &text, bytes, diag))
        return false;
    *data = (uint8_t *)arena_string(arena, text, *bytes);
    free(text);
    return true;
}

bool anim_file_kind(const char *path, enum anim_file_kind *kind,
                    struct diag *diag)
{
    static const struct {
        const char *signature; /* of 8 bytes */
        enum anim_file_kind kind;
    } rows[] = {{ANIM_CLIP_SIGNATURE, ANIM_FILE_CLIP},
                {ANIM_SKELETON_SIGNATURE, ANIM_FILE_SKELETON},
                {CLIP_INDEX_DATABASE_SIGNATURE, ANIM_FILE_DATABASE},
                {CLIP_INDEX_IMAGE_SIGNATURE, ANIM_FILE_IMAGE}};
    struct host_map map;

    *kind = ANIM_FILE_OTHER;
    if (!host_map_open(&map, path, diag))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (map.bytes >= 8 && memcmp(map.data, rows[i].signature, 8) == 0)
            *kind = rows[i].kind;
    host_map_close(&map);
    return true;
}

static bool check_size(const char *path, size_t bytes, uint64_t wanted,
                       struct diag *diag)
{
    return bytes == wanted ||
           diag_refuse(diag, path, 0, NULL,
                       "file size: found %zu, expected %" PRIu64, bytes,
                       wanted);
}

/* Refuse a file that has not even a header. */
static bool check_header(const char *path, size_t bytes, size_t header,
                         struct diag *diag)
{
    return bytes >= header ||
           diag_refuse(diag, path, 0, NULL,
                       "file size: found %zu, expected at least %zu", bytes,
                       header);
}

bool skeleton_file_read(struct skeleton_file *file, const char *path,
                        const uint8_t *data, size_t bytes, struct arena *arena,
                        struct diag *diag)
{
    struct anim_skeleton_models *models =
        ARENA_NEW(arena, struct anim_skeleton_models, 1);
    struct anim_skeleton_header header;
    spn_fault fault = {0};

    *file = (struct skeleton_file){.path = path, .data = data, .bytes = bytes};
    if (!check_header(path, bytes, ANIM_SKELETON_HEADER_BYTES, diag))
        return false;
    if (spn__anim_skeleton_read_header(file->data, &header, &fault) != SPN_OK)
        return fault_refuse(diag, path, FAULT_NO_FRAME, &fault);
    if (!check_size(path, file->bytes, header.file_bytes, diag))
        return false;
    return spn__anim_skeleton_open(
               &header, file->data, models,
               arena_alloc(arena, spn__anim_skeleton_bytes(&header), 1),
               &file->skeleton, &fault) == SPN_OK ||
           fault_refuse(diag, path, FAULT_NO_FRAME, &fault);
}

bool skeleton_file_open(struct skeleton_file *file, const char *path,
                        struct arena *arena, struct diag *diag)
{
    const uint8_t *data;
    size_t bytes;

    return read_file(path, arena, diag, &data, &bytes) &&
           skeleton_file_read(file, path, data, bytes, arena, diag);
}

bool clip_file_open(struct clip_file *file, const char *path,
                    struct arena *arena, struct diag *diag)
{
    const uint8_t *data;
    size_t bytes;

    return read_file(path, arena, diag, &data, &bytes) &&
           clip_file_read(file, path, data, bytes, arena, diag);
}

/* Open and decode a clip whose header was read. */
static bool read_parts(struct clip_file *file,
                       const struct anim_clip_header *header,
                       struct arena *arena, struct diag *diag)
{
    spn_fault fault = {0};
    size_t memory;

    if (clip_windows_open(header, file->data, arena, &file->clip, &memory,
                          &fault) != SPN_OK)
        return fault_refuse(diag, file->path, FAULT_NO_FRAME, &fault);
    return clip_windows_decode(&file->clip, file->data, arena, &file->windows,
                               &fault) == SPN_OK ||
           fault_refuse(diag, file->path,
                        file->windows.segment_count * header->segment_frames,
                        &fault);
}

bool clip_file_read(struct clip_file *file, const char *path,
                    const uint8_t *data, size_t bytes, struct arena *arena,
                    struct diag *diag)
{
    struct anim_clip_header header;
    spn_fault fault = {0};

    *file = (struct clip_file){.path = path, .data = data, .bytes = bytes};
    if (!check_header(path, file->bytes, ANIM_CLIP_HEADER_BYTES, diag))
        return false;
    if (spn__anim_clip_read_header(file->data, &header, &fault) != SPN_OK)
        return fault_refuse(diag, path, FAULT_NO_FRAME, &fault);
    return check_size(path, file->bytes, header.file_bytes, diag) &&
           read_parts(file, &header, arena, diag);
}

bool clip_file_read_packed(struct clip_file *file, const char *path,
                           const struct clip_facts *facts, const uint8_t *data,
                           struct arena *arena, struct diag *diag)
{
    struct anim_clip_header header;
    spn_fault fault = {0};

    *file =
        (struct clip_file){.path = path, .data = data, .bytes = facts->bytes};
    if (!check_header(path, file->bytes, PACKED_CLIP_HEADER_BYTES, diag))
        return false;
    if (spn__packed_clip_read_header(data, facts, &header, &fault) != SPN_OK)
        return fault_refuse(diag, path, FAULT_NO_FRAME, &fault);
    return read_parts(file, &header, arena, diag);
}

/* -- the skeleton of a clip -- */

static bool is_skeleton_of(const struct anim_clip_header *clip,
                           const struct anim_skeleton *skeleton)
{
    return skeleton->hash == clip->skeleton &&
           skeleton->rest_pose_hash == clip->rest_pose_hash &&
           skeleton->joint_count == clip->joint_count;
}

struct search {
    const struct anim_clip_header *clip;
    struct arena *arena;
    const char *found;
    bool is_ambiguous;
};

static bool look_at(void *user, const struct host_found *found)
{
    struct search *search = user;
    struct skeleton_file file;
    struct arena arena;
    struct diag silent;

    if (found->kind != HOST_FILE || !file_name_has_end(found->name, ".sas"))
        return true;
    arena_init(&arena);
    diag_init(&silent);
    silent.is_silent = true;
    if (skeleton_file_open(&file, found->path, &arena, &silent) &&
        is_skeleton_of(search->clip, &file.skeleton)) {
        search->is_ambiguous = search->found != NULL;
        search->found =
            arena_string(search->arena, found->path, strlen(found->path));
    }
    diag_finish(&silent);
    arena_free(&arena);
    return !search->is_ambiguous;
}

const char **clip_file_float_names(const struct clip_file *file,
                                   struct arena *arena)
{
    const struct anim_tracks *tracks = &file->clip.tracks;
    const char **names =
        ARENA_NEW(arena, const char *, tracks->float_track_count);
    const char *name = tracks->float_names;

    for (uint32_t i = 0; i < tracks->float_track_count; i++) {
        names[i] = name;
        name = anim_next_name(name);
    }
    return names;
}

bool clip_file_skeleton(const struct clip_file *clip, const char *path,
                        struct skeleton_file *skeleton, struct arena *arena,
                        struct diag *diag)
{
    const struct anim_clip_header *header = &clip->clip.header;
    struct search search = {header, arena, NULL, false};
    size_t folder = strlen(clip->path);

    if (!path) {
        while (folder > 0 && clip->path[folder - 1] != '/' &&
               clip->path[folder - 1] != '\\')
            folder--;
        if (!host_folder_list(
                folder > 0 ? arena_string(arena, clip->path, folder) : ".",
                look_at, &search, diag) &&
            !search.is_ambiguous)
            return false;
        if (search.is_ambiguous)
            return diag_refuse(diag, clip->path, DIAG_NO_OFFSET, NULL,
                               "several skeletons of its folder have the hash "
                               "%016" PRIx64 " and the rest pose %08" PRIx32
                               ": name one with --skeleton",
                               header->skeleton, header->rest_pose_hash);
        if (!search.found)
            return diag_refuse(diag, clip->path, DIAG_NO_OFFSET, NULL,
                               "no skeleton in its folder has the hash "
                               "%016" PRIx64 " and the rest pose %08" PRIx32
                               ": name it with --skeleton",
                               header->skeleton, header->rest_pose_hash);
        path = search.found;
    }
    if (!skeleton_file_open(skeleton, path, arena, diag))
        return false;
    if (skeleton->skeleton.hash != header->skeleton ||
        skeleton->skeleton.joint_count != header->joint_count)
        return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                           "hash %016" PRIx64 ", but the clip's skeleton has "
                           "%016" PRIx64,
                           skeleton->skeleton.hash, header->skeleton);
    return skeleton->skeleton.rest_pose_hash == header->rest_pose_hash ||
           diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                       "rest pose %08" PRIx32 ", but the clip was made for "
                       "%08" PRIx32,
                       skeleton->skeleton.rest_pose_hash,
                       header->rest_pose_hash);
}

/* -- poses -- */

void clip_file_pose(const struct clip_file *clip,
                    const struct skeleton_file *skeleton, uint32_t frame,
                    float u, spn_anim_transform *locals, float *numbers)
{
    const uint32_t next = u > 0 ? frame + 1 : frame;

    memcpy(locals, skeleton->skeleton.rest,
           skeleton->skeleton.joint_count * sizeof *locals);
    spn__anim_pose(
        &clip->clip.tracks, clip_windows_frame(&clip->windows, frame),
        clip_windows_frame(&clip->windows, next), u, locals, numbers);
}
