/* clip_groups.c - see clip_groups.h. */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/clip_groups.h"

#include "anim/tool/anim_compile.h"
#include "anim/tool/clip_file.h"
#include "anim/tool/file_names.h"
#include "host/host.h"

#include <inttypes.h>
#include <string.h>

void clip_groups_init(struct clip_groups *groups, struct arena *arena,
                      struct diag *diag, uint32_t clip_count)
{
    *groups = (struct clip_groups){
        .arena = arena,
        .diag = diag,
        .clips = ARENA_NEW(arena, struct grouped_clip, clip_count),
        .clip_count = clip_count};
    for (uint32_t i = 0; i < clip_count; i++)
        groups->clips[i].group = CLIP_GROUP_NONE;
}

/* The search begins with the newest group: clips of one folder follow each
 * other. */
static uint32_t group_of(struct clip_groups *groups, const char *path)
{
    for (uint32_t i = groups->group_count; i-- > 0;)
        if (strcmp(groups->groups[i].path, path) == 0)
            return i;
    groups->groups =
        arena_grow(groups->arena, groups->groups, groups->group_count,
                   &groups->capacity, sizeof *groups->groups);
    groups->groups[groups->group_count] = (struct clip_group){
        .path = arena_string(groups->arena, path, strlen(path))};
    return groups->group_count++;
}

void clip_groups_put(struct clip_groups *groups, uint32_t clip,
                     const char *path)
{
    const uint32_t group = group_of(groups, path);

    groups->clips[clip].group = group;
    groups->clips[clip].place = groups->groups[group].clip_count++;
}

void clip_groups_by_folder(struct clip_groups *groups)
{
    for (uint32_t i = 0; i < groups->clip_count; i++) {
        const char *name = groups->clips[i].name;
        const char *slash = strrchr(name, '/');

        if (groups->clips[i].group != CLIP_GROUP_NONE)
            continue;
        clip_groups_put(groups, i,
                        slash ? arena_format(groups->arena, "%.*s%s",
                                             (int)(slash - name), name,
                                             DATABASE_FILE_END)
                              : CLIP_GROUPS_DATABASE);
    }
}

/* -- skeletons -- */

struct named_skeleton {
    uint64_t hash;
    uint32_t rest_pose_hash;
    const char *name; /* without the end */
};

struct skeleton_names {
    struct clip_groups *groups;
    const char *prefix;
    struct named_skeleton *skeletons; /* no two have both hashes in common */
    uint32_t count;
    uint64_t capacity;
};

static struct named_skeleton *find(const struct skeleton_names *names,
                                   uint64_t hash, uint32_t rest_pose_hash)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->skeletons[i].hash == hash &&
            names->skeletons[i].rest_pose_hash == rest_pose_hash)
            return &names->skeletons[i];
    return NULL;
}

/* Of several names of a skeleton, the first one in the order of bytes counts.
 */
static void add(struct skeleton_names *names, const struct anim_skeleton *of,
                const char *name)
{
    struct named_skeleton *skeleton = find(names, of->hash, of->rest_pose_hash);

    if (skeleton) {
        if (strcmp(name, skeleton->name) < 0)
            skeleton->name = name;
        return;
    }
    names->skeletons =
        arena_grow(names->groups->arena, names->skeletons, names->count,
                   &names->capacity, sizeof *names->skeletons);
    names->skeletons[names->count++] =
        (struct named_skeleton){of->hash, of->rest_pose_hash, name};
}

/* A damaged skeleton gives no name. */
static bool look_at(void *user, const struct host_found *found)
{
    struct skeleton_names *names = user;
    const size_t end = strlen(SKELETON_FILE_END);
    const size_t length = strlen(found->name);
    struct skeleton_file file;
    struct arena arena;
    struct diag silent;

    if (found->kind != HOST_FILE ||
        !file_name_has_end(found->name, SKELETON_FILE_END))
        return true;
    arena_init(&arena);
    diag_init(&silent);
    silent.is_silent = true;
    if (skeleton_file_open(&file, found->path, &arena, &silent))
        add(names, &file.skeleton,
            arena_format(names->groups->arena, "%s%.*s", names->prefix,
                         (int)(length - end), found->name));
    diag_finish(&silent);
    arena_free(&arena);
    return true;
}

static bool find_names(struct skeleton_names *names, const char *input)
{
    const char *slash = strrchr(input, '/');
    struct diag *diag = names->groups->diag;
    enum host_kind kind;
    uint64_t bytes;

    if (!host_stat(input, &kind, &bytes, diag))
        return false;
    if (kind == HOST_FOLDER)
        return host_folder_walk(input, look_at, names, diag);
    return host_folder_list(slash ? arena_string(names->groups->arena, input,
                                                 (size_t)(slash - input) + 1)
                                  : ".",
                            look_at, names, diag);
}

bool clip_groups_by_skeleton(struct clip_groups *groups,
                             const char *const *inputs, uint32_t input_count,
                             const char *prefix)
{
    struct skeleton_names names = {.groups = groups, .prefix = prefix};

    for (uint32_t i = 0; i < input_count; i++)
        if (!find_names(&names, inputs[i]))
            return false;
    for (uint32_t i = 0; i < groups->clip_count; i++) {
        const struct grouped_clip *clip = &groups->clips[i];
        const struct named_skeleton *named =
            find(&names, clip->skeleton, clip->rest_pose_hash);

        if (clip->group != CLIP_GROUP_NONE)
            continue;
        clip_groups_put(
            groups, i,
            named ? arena_format(groups->arena, "%s%s", named->name,
                                 DATABASE_FILE_END)
                  : arena_format(groups->arena,
                                 "%sskeleton-%016" PRIx64 "-%08" PRIx32 "%s",
                                 prefix, clip->skeleton, clip->rest_pose_hash,
                                 DATABASE_FILE_END));
    }
    return true;
}
