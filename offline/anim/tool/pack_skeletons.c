/* pack_skeletons.c - read skeletons, and choose those that are used. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/pack_skeletons.h"

#include "anim/tool/anim_compile.h"
#include "anim/tool/clip_file.h"
#include "anim/tool/file_names.h"

#include <inttypes.h>
#include <string.h>

static bool is_skeleton_name(const char *name)
{
    return file_name_has_end(name, SKELETON_FILE_END);
}

static bool is_skeleton(void *user, uint32_t file)
{
    const struct pack_files *files = user;

    return is_skeleton_name(files->files[file].name);
}

static bool is_other(void *user, uint32_t file)
{
    return !is_skeleton(user, file);
}

void pack_skeletons_leave(struct pack_files *clips)
{
    pack_files_leave_out(clips, is_skeleton, clips);
}

/* -- reading -- */

static bool read_file(const struct pack_file *file, uint8_t *data,
                      struct arena *arena, struct diag *diag,
                      struct skeleton_file *opened)
{
    struct pak_decoder decoder = {0};
    const size_t bytes = (size_t)file->bytes;
    const bool is_good =
        pack_file_read(file, &decoder, 0, data, bytes, diag) &&
        skeleton_file_read(opened, file->path, data, bytes, arena, diag);

    pak_decoder_free(&decoder);
    return is_good;
}

static void add(struct pack_skeletons *skeletons, struct arena *arena,
                const struct pack_file *file,
                const struct skeleton_file *opened)
{
    skeletons->items =
        arena_grow(arena, skeletons->items, skeletons->count,
                   &skeletons->capacity, sizeof *skeletons->items);
    skeletons->items[skeletons->count++] = (struct pack_skeleton){
        file->name, opened->skeleton.hash, opened->skeleton.rest_pose_hash,
        opened->data, opened->bytes};
}

/* It is not known whether a clip refers to a damaged one: it is left out with a
 * warning. Returns false after a refusal. */
static bool read_one(struct pack_skeletons *skeletons, struct arena *arena,
                     const struct pack_file *file, struct diag *diag)
{
    uint8_t *data = ARENA_NEW(arena, uint8_t, file->bytes);
    struct skeleton_file opened;
    struct diag own;

    diag_init(&own);
    own.is_silent = true;
    if (read_file(file, data, arena, &own, &opened))
        add(skeletons, arena, file, &opened);
    else if (own.code == EXIT_INPUT_REFUSED)
        diag_warn(diag, file->path, NULL,
                  "a damaged skeleton; it is not copied");
    else
        diag_repeat(diag, &own);
    diag_finish(&own);
    return !diag_has_failed(diag);
}

/* Files of two inputs may have one name, so each input has a list. Warnings
 * were printed for the list of clips. */
static bool read_input(struct pack_skeletons *skeletons,
                       const struct pack_files *clips, const char *input,
                       const char *output)
{
    struct diag own;
    struct pack_files files = {.arena = clips->arena,
                               .diag = &own,
                               .prefix = clips->prefix,
                               .wants = is_skeleton_name};
    bool is_good;

    diag_init(&own);
    own.is_silent = true;
    is_good = pack_files_list(&files, &input, 1, output);
    if (!is_good)
        diag_repeat(clips->diag, &own);
    diag_finish(&own);
    pack_files_leave_out(&files, is_other, &files);
    for (uint32_t i = 0; is_good && i < files.count; i++)
        is_good =
            read_one(skeletons, clips->arena, &files.files[i], clips->diag);
    pack_files_free(&files);
    return is_good;
}

bool pack_skeletons_read(struct pack_skeletons *skeletons,
                         const struct pack_files *clips,
                         const char *const *inputs, uint32_t count,
                         const char *output)
{
    for (uint32_t i = 0; i < count; i++)
        if (!read_input(skeletons, clips, inputs[i], output))
            return false;
    return true;
}

/* -- choice -- */

static bool is_used(const struct pack_skeleton *skeleton,
                    const struct grouped_clip *clips, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (clips[i].skeleton == skeleton->hash &&
            clips[i].rest_pose_hash == skeleton->rest_pose_hash)
            return true;
    return false;
}

/* The one of this name before `limit`; `limit`: none. */
static uint32_t find(const struct pack_skeletons *skeletons, const char *name,
                     uint32_t limit)
{
    uint32_t i = 0;

    while (i < limit && strcmp(skeletons->items[i].name, name) != 0)
        i++;
    return i;
}

void pack_skeletons_keep(struct pack_skeletons *skeletons,
                         const struct grouped_clip *clips, uint32_t count,
                         struct arena *arena)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < skeletons->count; i++) {
        struct pack_skeleton s = skeletons->items[i];
        const uint32_t same = find(skeletons, s.name, kept);
        const struct pack_skeleton *other = &skeletons->items[same];

        if (!is_used(&s, clips, count))
            continue;
        if (same < kept && other->hash == s.hash &&
            other->rest_pose_hash == s.rest_pose_hash)
            continue;
        if (same < kept)
            s.name = arena_format(
                arena, "%.*s-%016" PRIx64 "-%08" PRIx32 SKELETON_FILE_END,
                (int)(strlen(s.name) - strlen(SKELETON_FILE_END)), s.name,
                s.hash, s.rest_pose_hash);
        if (find(skeletons, s.name, kept) == kept)
            skeletons->items[kept++] = s;
    }
    skeletons->count = kept;
}
