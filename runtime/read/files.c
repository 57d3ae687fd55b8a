/* files.c - entries of the table of files, and the platform's files.
 *
 * One atomic word decides when a file is closed: closing the handle clears its
 * open bit, and the end of each read subtracts a hold. The io thread closes the
 * file when there is neither the bit nor a hold; only then is the entry free
 * again, with a new generation.
 */
/* SPDX-License-Identifier: MIT */
#include "read/files.h"

#include "base/assert.h"
#include "base/mem.h"
#include "base/minmax.h"
#include "base/text.h"
#include "observe/guards.h"
#include "schedule/sort_key.h"

#include <spindle/features.h>
#include <stddef.h>

#define GENERATION_SHIFT 16u
#define IN_USE (1u << GENERATION_SHIFT)
#define OPEN_BIT 0x8000u
#define ALIGN_BYTES_MAX 4096u
#define PLACE_END_MAX ((uint64_t)SORT_KEY_OFFSET_MAX << 10)

SPN_STATIC_ASSERT(FILES_HOLDS_MAX < OPEN_BIT, files_holds);
SPN_STATIC_ASSERT(FILES_COUNT_MAX >> GENERATION_SHIFT == 0, files_count);

static uint32_t holds(uint32_t word)
{
    return word & FILES_HOLDS_MAX;
}

static bool is_abandoned(uint32_t word)
{
    return (word & IN_USE) && !(word & OPEN_BIT) && holds(word) == 0;
}

/* Bytes of the path with its NUL; 0 if it is too long. */
static size_t path_bytes(const char *path)
{
    for (size_t i = 0; i < SPN_PATH_BYTES_MAX; i++)
        if (path[i] == 0)
            return i + 1;
    return 0;
}

bool spn__files_path_is_good(const char *path)
{
    return path && path_bytes(path) > 1;
}

void spn__files_init(struct files *files, struct carve *carve,
                     const spn_platform *platform, uint32_t file_count,
                     uint32_t private_count)
{
    SPN_ASSERT(file_count <= FILES_COUNT_MAX);
    files->platform = platform;
    files->file_count = file_count;
    files->entry_count = file_count + private_count;
    files->entries =
        SPN_CARVE(carve, struct file_entry, (size_t)file_count + private_count);
    spn__word_queue_init(&files->free, carve, file_count);
    atomic_store_relaxed(&files->open_count, 0);
    memset(files->place_end, 0, sizeof files->place_end);
    if (!files->entries || carve->is_over)
        return;
    for (uint32_t i = 0; i < file_count; i++)
        word_queue_push_sure(&files->free, i);
}

/* Check entry `index`, which is not in use. NULL, or a message. */
static const char *check_free(const struct files *files, uint32_t index)
{
    const struct file_entry *entry = &files->entries[index];
    uint32_t word = atomic_load_relaxed(&entry->word);

    if (word & OPEN_BIT || holds(word) > 0)
        return "a free entry of a file that is open or has holds";
    if (entry->is_open || entry->mount)
        return "a free entry that keeps a file of the platform or a pak";
    return NULL;
}

const char *spn__files_check(const struct files *files)
{
    uint32_t open_count = 0;
    uint32_t free_count = 0;

    for (uint32_t i = 0; i < files->entry_count; i++) {
        uint32_t word = atomic_load_relaxed(&files->entries[i].word);
        const char *what = word & IN_USE ? NULL : check_free(files, i);

        if (what)
            return what;
        if (i >= files->file_count && holds(word) > 1)
            return "a private entry with the holds of several reads";
        open_count += files->entries[i].is_open;
        free_count += i < files->file_count && !(word & IN_USE);
    }
    if (open_count != atomic_load_relaxed(&files->open_count))
        return "the number of files that are open at the platform";
    if (free_count != spn__word_queue_count(&files->free))
        return "the number of free entries";
    return NULL;
}

/* -- caller's thread -- */

/* Entry of a handle that is open for new reads, or NULL. */
static struct file_entry *entry_of(const struct files *files, spn_file file)
{
    uint32_t index = file & FILES_COUNT_MAX;
    uint32_t word;

    if (index >= files->file_count)
        return NULL;
    /* Pairs with the release in open_entry. */
    word = atomic_load_acquire(&files->entries[index].word);
    if (word >> GENERATION_SHIFT != file >> GENERATION_SHIFT ||
        !(word & IN_USE) || !(word & OPEN_BIT))
        return NULL;
    return &files->entries[index];
}

/* Set the facts of a file in a pak. Those of the pak's own file are known since
 * its header was read. */
static void know_packed(const struct files *files, struct file_entry *entry)
{
    const struct pak_index *index = &entry->mount->index;
    const struct file_entry *pak = &files->entries[entry->mount->file_index];
    uint32_t number = spn__pak_entry(index, entry->pak_entry).content;
    struct pak_content content = spn__pak_content(index, number);

    entry->known.bytes = content.bytes;
    entry->known.medium =
        atomic_load_relaxed(&entry->mount->serving) == PAK_SERVED_FROM_MEMORY
            ? SPN_MEDIUM_MEMORY
            : pak->known.medium;
    /* The place of the first copy, if there are several. */
    entry->known.place = pak->known.place;
    if (content.copy_count > 0)
        entry->known.place +=
            spn__pak_copy_offset(index, content.first_copy, NULL);
}

void spn__files_follow(struct files *files, const struct pak_mount *mount)
{
    for (uint32_t i = 0; i < files->file_count; i++) {
        struct file_entry *entry = &files->entries[i];
        uint32_t word = atomic_load_relaxed(&entry->word);

        /* The io thread may be freeing the entry of a closed file now. */
        if (word & IN_USE && word & OPEN_BIT && entry->mount == mount)
            know_packed(files, entry);
    }
}

spn_status spn__files_open(struct files *files, const char *path,
                           struct pak_mount *mount, uint32_t pak_entry,
                           spn_file *out)
{
    struct file_entry *entry;
    uint32_t generation;
    uint32_t index;

    if (!spn__word_queue_pop(&files->free, &index))
        return SPN_ERR_TABLE_FULL;
    entry = &files->entries[index];
    memcpy(entry->path, path, path_bytes(path));
    entry->mount = mount;
    entry->pak_entry = pak_entry;
    atomic_store_relaxed(&entry->is_known, mount != NULL);
    if (SPN_WITH_PAKS && mount)
        know_packed(files, entry);
    atomic_store_relaxed(&entry->guard_roles, SPN_GUARD_AS_MEDIUM);
    generation = (atomic_load_relaxed(&entry->word) >> GENERATION_SHIFT) + 1;
    SPN_ASSERT(generation & 1);
    /* Publishes the path to the threads that hold the file. */
    atomic_store_release(&entry->word,
                         generation << GENERATION_SHIFT | OPEN_BIT);
    *out = generation << GENERATION_SHIFT | index;
    return SPN_OK;
}

spn_status spn__files_guard(struct files *files, spn_file file, uint32_t roles)
{
    struct file_entry *entry = entry_of(files, file);

    if (!entry)
        return SPN_ERR_HANDLE;
    /* Relaxed: a read that another thread starts at this moment may get the
     * old or the new roles. */
    atomic_store_relaxed(&entry->guard_roles, roles);
    return SPN_OK;
}

uint32_t spn__files_guard_roles(const struct files *files, uint32_t index)
{
    return atomic_load_relaxed(&files->entries[index].guard_roles);
}

spn_status spn__files_close(struct files *files, spn_file file)
{
    struct file_entry *entry = entry_of(files, file);

    if (!entry)
        return SPN_ERR_HANDLE;
    /* The bit is still set: only this thread clears it. */
    atomic_and_acq_rel(&entry->word, ~OPEN_BIT);
    return SPN_OK;
}

spn_status spn__files_facts(const struct files *files, spn_file file,
                            struct file_facts *out)
{
    const struct file_entry *entry = entry_of(files, file);

    if (!entry)
        return SPN_ERR_HANDLE;
    /* Pairs with the release in remember. */
    if (!atomic_load_acquire(&entry->is_known))
        return SPN_PENDING;
    *out = entry->known;
    return SPN_OK;
}

/* -- any thread -- */

spn_status spn__files_hold(struct files *files, spn_file file, uint32_t *index)
{
    struct file_entry *entry = entry_of(files, file);
    uint32_t word;

    if (!entry)
        return SPN_ERR_HANDLE;
    word = atomic_load_relaxed(&entry->word);
    do {
        if (word >> GENERATION_SHIFT != file >> GENERATION_SHIFT ||
            !(word & OPEN_BIT))
            return SPN_ERR_HANDLE;
        if (holds(word) == FILES_HOLDS_MAX)
            return SPN_FULL;
    } while (!atomic_compare_exchange_acq_rel(&entry->word, &word, word + 1));
    *index = file & FILES_COUNT_MAX;
    return SPN_OK;
}

bool spn__files_unhold(struct files *files, uint32_t index)
{
    uint32_t before =
        atomic_add_acq_rel(&files->entries[index].word, UINT32_MAX);

    SPN_ASSERT(holds(before) > 0);
    return is_abandoned(before - 1);
}

void spn__files_hold_again(struct files *files, uint32_t index)
{
    uint32_t before = atomic_add_acq_rel(&files->entries[index].word, 1);

    SPN_ASSERT(holds(before) < FILES_HOLDS_MAX);
    (void)before;
}

uint32_t spn__files_hold_path(struct files *files, uint32_t slot,
                              const char *path)
{
    uint32_t index = files->file_count + slot;
    struct file_entry *entry = &files->entries[index];

    SPN_ASSERT(!(atomic_load_relaxed(&entry->word) & IN_USE));
    memcpy(entry->path, path, path_bytes(path));
    atomic_store_relaxed(&entry->guard_roles, SPN_GUARD_AS_MEDIUM);
    /* Relaxed: the inbox publishes the entry together with its read. */
    atomic_store_relaxed(&entry->word, IN_USE | 1u);
    return index;
}

/* -- io thread -- */

static void remember(struct file_entry *entry)
{
    if (atomic_load_relaxed(&entry->is_known))
        return;
    entry->known = (struct file_facts){entry->info.bytes, entry->place,
                                       entry->info.medium};
    /* Pairs with the acquire in spn__files_facts. */
    atomic_store_release(&entry->is_known, 1);
}

/* Another open entry with the same path, or NULL. A file has one place, no
 * matter how often it is opened. */
static const struct file_entry *twin_of(const struct files *files,
                                        const struct file_entry *entry)
{
    for (uint32_t i = 0; i < files->entry_count; i++) {
        const struct file_entry *other = &files->entries[i];

        if (other != entry && other->is_open &&
            other->info.medium == entry->info.medium &&
            spn__text_is_same(other->path, entry->path))
            return other;
    }
    return NULL;
}

/* Set the place of a file. If the platform does not know it, the file gets a
 * place after all files that were opened before, so that its reads have an
 * order. Beyond 1 TiB such places begin at 0 again. */
static void place(struct files *files, struct file_entry *entry)
{
    uint64_t *place_end = &files->place_end[entry->info.medium];
    uint64_t bytes = entry->info.bytes;

    entry->place = entry->info.disc_offset;
    if (entry->place == SORT_KEY_OFFSET_UNKNOWN) {
        const struct file_entry *twin = twin_of(files, entry);

        if (twin) {
            entry->place = twin->place;
            return;
        }
        if (bytes > PLACE_END_MAX - *place_end)
            *place_end = 0;
        entry->place = *place_end;
    }
    if (entry->place > PLACE_END_MAX || bytes > PLACE_END_MAX - entry->place)
        return;
    *place_end = max_u64(*place_end, entry->place + bytes);
}

static bool is_possible(const spn_platform_file_info *info)
{
    uint32_t align = info->align_bytes;

    if ((uint32_t)info->medium >= SPN_MEDIUM_COUNT)
        return false;
    if (info->medium == SPN_MEDIUM_MEMORY)
        return info->bytes <= SIZE_MAX && (info->memory || info->bytes == 0);
    return align > 0 && align <= ALIGN_BYTES_MAX && (align & (align - 1)) == 0;
}

spn_status spn__files_ready(struct files *files, uint32_t index)
{
    const spn_platform *platform = files->platform;
    struct file_entry *entry = &files->entries[index];
    spn_status status;

    if (entry->is_open)
        return SPN_OK;
    memset(&entry->info, 0, sizeof entry->info);
    status = platform->file_open(platform->user, entry->path, &entry->info);
    if (status != SPN_OK)
        return status == SPN_ERR_NOT_FOUND ? status : SPN_ERR_IO;
    if (!is_possible(&entry->info)) {
        platform->file_close(platform->user, entry->info.file);
        return SPN_ERR_PLATFORM;
    }
    entry->is_open = true;
    atomic_add_relaxed(&files->open_count, 1);
    place(files, entry);
    remember(entry);
    return SPN_OK;
}

bool spn__files_is_open(const struct files *files, uint32_t index)
{
    return files->entries[index].is_open;
}

const spn_platform_file_info *spn__files_info(const struct files *files,
                                              uint32_t index)
{
    return &files->entries[index].info;
}

uint64_t spn__files_position(const struct files *files, uint32_t index,
                             uint64_t offset)
{
    return add_saturated_u64(files->entries[index].place, offset);
}

static void close_at_platform(struct files *files, struct file_entry *entry)
{
    if (!entry->is_open)
        return;
    files->platform->file_close(files->platform->user, entry->info.file);
    entry->is_open = false;
    /* Release: pairs with the load in spn__io_is_idle. */
    atomic_add_acq_rel(&files->open_count, UINT32_MAX);
}

static void retire_one(struct files *files, uint32_t index)
{
    struct file_entry *entry = &files->entries[index];
    uint32_t word = atomic_load_acquire(&entry->word);

    if (!is_abandoned(word))
        return;
    close_at_platform(files, entry);
    if (SPN_WITH_PAKS && entry->mount)
        spn__paks_unhold(entry->mount);
    entry->mount = NULL;
    /* A private entry belongs to the request with the same index, so it is free
     * if the request is. */
    if (index >= files->file_count) {
        atomic_store_relaxed(&entry->is_known, 0);
        atomic_store_relaxed(&entry->word, 0);
        return;
    }
    atomic_store_relaxed(&entry->word, (word & ~(IN_USE - 1)) + IN_USE);
    word_queue_push_sure(&files->free, index);
}

void spn__files_release(struct files *files, uint32_t index)
{
    if (spn__files_unhold(files, index))
        retire_one(files, index);
}

void spn__files_retire(struct files *files)
{
    for (uint32_t i = 0; i < files->file_count; i++)
        retire_one(files, i);
}

void spn__files_shut(struct files *files)
{
    for (uint32_t i = 0; i < files->file_count; i++)
        close_at_platform(files, &files->entries[i]);
}
