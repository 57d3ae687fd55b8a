/* play_skeletons.c - list folders, compare hashes, open. */
/* SPDX-License-Identifier: MIT */
#include "player/play_skeletons.h"

#include "common/fault_text.h"
#include "host/host.h"
#include "player/clip_header.h"

#include <string.h>

#define NO_PAK UINT32_MAX

struct searched_folder {
    uint64_t hash;
    uint32_t pak; /* index; NO_PAK: the file system */
    const char *path;
};

/* A folder that is listed now. */
struct search {
    struct play_skeletons *skeletons;
    uint64_t hash;
    uint32_t pak;
    const char *folder; /* with its slash, or "" */
    size_t hidden;      /* bytes of the path that a name does not have */
    bool is_refused;
};

void play_skeletons_init(struct play_skeletons *skeletons,
                         const struct play_paks *paks, spn_runtime *rt,
                         uint32_t operand_count, struct arena *arena,
                         struct diag *diag)
{
    const uint32_t capacity = operand_count + PLAY_SKELETONS_FOUND;

    *skeletons = (struct play_skeletons){
        .paks = paks,
        .arena = arena,
        .diag = diag,
        .rt = rt,
        .operand_count = operand_count,
        .items = ARENA_NEW(arena, struct play_skeleton, capacity),
        .capacity = capacity,
    };
}

/* -- opening -- */

static bool open_one(struct play_skeletons *skeletons, const char *label,
                     const char *name)
{
    struct play_skeleton *item = &skeletons->items[skeletons->count];
    spn_status status;

    for (uint32_t i = 0; i < skeletons->count; i++)
        if (strcmp(skeletons->items[i].name, name) == 0)
            return true;
    if (skeletons->count == skeletons->capacity)
        return true;
    *item = (struct play_skeleton){.label = label, .name = name};
    status = spn_anim_skeleton_open(skeletons->rt, name, &item->id);
    skeletons->count += status == SPN_OK;
    return status == SPN_OK ||
           fault_refuse_status(skeletons->diag, label, status, NULL);
}

bool play_skeletons_add(struct play_skeletons *skeletons,
                        const struct play_source *source)
{
    return open_one(skeletons, source->operand, source->name);
}

/* Go on without a skeleton that was found. */
static void leave_out(const struct play_skeletons *skeletons,
                      struct play_skeleton *item, spn_status status,
                      const spn_fault *fault)
{
    item->is_bad = true;
    if (fault->what)
        fault_warn(skeletons->diag, item->label, FAULT_NO_FRAME, fault,
                   "; it is not used");
    else
        diag_warn(skeletons->diag, item->label, NULL, "%s (%s); it is not used",
                  spn_status_text(status), spn_status_name(status));
}

spn_status play_skeletons_opened(struct play_skeletons *skeletons)
{
    for (uint32_t i = 0; i < skeletons->count; i++) {
        struct play_skeleton *item = &skeletons->items[i];
        spn_fault fault = {0};
        spn_status status;

        if (item->is_bad)
            continue;
        status = spn_anim_skeleton_get_status(skeletons->rt, item->id, &fault);
        if (status == SPN_OK)
            status = spn_anim_skeleton_get_info(skeletons->rt, item->id,
                                                &item->info);
        if (status < SPN_OK && i >= skeletons->operand_count) {
            leave_out(skeletons, item, status, &fault);
            continue;
        }
        if (status < SPN_OK)
            fault_refuse_status(skeletons->diag, item->label, status, &fault);
        if (status != SPN_OK)
            return status;
    }
    return SPN_OK;
}

/* -- search -- */

static bool has_hash(const struct search *search,
                     const struct play_source *source)
{
    struct clip_header header;
    struct diag silent;
    bool is_good;

    diag_init(&silent);
    silent.is_silent = true;
    is_good =
        clip_header_read(search->skeletons->paks, source, &header, &silent) &&
        header.skeleton == search->hash;
    diag_finish(&silent);
    return is_good;
}

/* Open a file of the folder if it is wanted. */
static bool look_at(struct search *search, const char *file)
{
    struct play_skeletons *skeletons = search->skeletons;
    struct play_source source = {.kind = OPERAND_SKELETON, .pak = search->pak};

    if (operand_kind(file) != OPERAND_SKELETON)
        return true;
    source.path = arena_format(skeletons->arena, "%s%s", search->folder, file);
    source.name = source.path + search->hidden;
    source.operand =
        search->pak == NO_PAK
            ? source.path
            : arena_format(skeletons->arena, "%s:%s",
                           skeletons->paks->paths[search->pak], source.path);
    if (!has_hash(search, &source))
        return true;
    search->is_refused = !open_one(skeletons, source.operand, source.name);
    return !search->is_refused;
}

static bool on_file(void *user, const struct host_found *found)
{
    return found->kind != HOST_FILE || look_at(user, found->name);
}

static bool on_entry(void *user, const char *name)
{
    return look_at(user, name);
}

/* Was the folder searched for the hash before? It counts as searched now. */
static bool was_searched(struct play_skeletons *skeletons,
                         const struct search *search)
{
    for (uint32_t i = 0; i < skeletons->searched_count; i++) {
        const struct searched_folder *folder = &skeletons->searched[i];

        if (folder->hash == search->hash && folder->pak == search->pak &&
            strcmp(folder->path, search->folder) == 0)
            return true;
    }
    skeletons->searched = arena_grow(
        skeletons->arena, skeletons->searched, skeletons->searched_count,
        &skeletons->searched_capacity, sizeof *skeletons->searched);
    skeletons->searched[skeletons->searched_count++] =
        (struct searched_folder){search->hash, search->pak, search->folder};
    return false;
}

/* A folder that cannot be listed has no skeleton. */
static bool search_folder(struct search *search)
{
    struct play_skeletons *skeletons = search->skeletons;
    struct diag silent;

    if (was_searched(skeletons, search))
        return true;
    diag_init(&silent);
    silent.is_silent = true;
    if (search->pak == NO_PAK)
        (void)host_folder_list(search->folder[0] ? search->folder : ".",
                               on_file, search, &silent);
    else
        (void)play_paks_list(skeletons->paks, search->pak, search->folder,
                             on_entry, search, &silent);
    diag_finish(&silent);
    return !search->is_refused;
}

/* Search the folders of a clip in one pak, or in the file system. */
static bool search_in(struct play_skeletons *skeletons,
                      const struct play_source *source, const char *clip,
                      uint64_t hash, uint32_t pak)
{
    const char *own = operand_folder(
        pak == NO_PAK ? source->path : source->name, skeletons->arena);
    struct search search = {.skeletons = skeletons, .hash = hash, .pak = pak};

    search.folder = own;
    if (clip) {
        /* The names in an image are relative to its folder; in a pak they are
         * whole. */
        search.folder = operand_folder(clip, skeletons->arena);
        if (pak == NO_PAK) {
            search.hidden = strlen(own);
            search.folder =
                arena_format(skeletons->arena, "%s%s", own, search.folder);
        }
        if (!search_folder(&search))
            return false;
        search.folder = own;
    }
    return search_folder(&search);
}

bool play_skeletons_search(struct play_skeletons *skeletons,
                           const struct play_source *source, const char *clip,
                           uint64_t hash)
{
    if (source->pak != NO_PAK)
        return search_in(skeletons, source, clip, hash, source->pak);
    for (uint32_t i = skeletons->paks->count; i > 0; i--)
        if (!search_in(skeletons, source, clip, hash, i - 1))
            return false;
    return search_in(skeletons, source, clip, hash, NO_PAK);
}

/* -- choice -- */

const struct play_skeleton *play_skeletons_get(
    const struct play_skeletons *skeletons, spn_anim anim)
{
    const struct play_skeleton *other = NULL;

    for (uint32_t i = 0; i < skeletons->count; i++) {
        const struct play_skeleton *item = &skeletons->items[i];

        switch (
            (int)spn_anim_skeleton_check_clip(skeletons->rt, item->id, anim)) {
        case SPN_OK:
            return item;
        case SPN_ERR_REST_POSE:
            other = other ? other : item;
            break;
        default:
            break;
        }
    }
    return other;
}
