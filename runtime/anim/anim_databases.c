/* anim_databases.c - preloads, locks and time-outs of databases. */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_databases.h"

#include <spindle/features.h>

#if SPN_WITH_ANIM

#include "anim/anim_loads.h"
#include "anim/anim_system.h"
#include "base/minmax.h"

/* A clip that is needed so soon does not wait for its database. */
#define ALONE_US 500000u
/* For so long a clip waits if it is not known when it is needed. */
#define WAIT_US 2000000u

static struct range_load *load_of(const struct anim *a, uint32_t file)
{
    const uint32_t number = a->databases[file].load;

    return number != ANIM_NONE ? &a->loads[number] : NULL;
}

bool spn__database_is_in_use(const struct anim *a, uint32_t file)
{
    const struct anim_database *d = &a->databases[file];

    return d->used_clips > 0 || d->is_locked || d->owner_count > 0;
}

/* It is used now, so it is not hidden, and its time-outs begin anew. */
static void note_use(struct anim *a, uint32_t file)
{
    struct anim_database *d = &a->databases[file];

    d->use_us = a->now_us;
    if (!d->is_hidden)
        return;
    d->is_hidden = false;
    spn__anim_database_event(a, file, SPN_ANIM_SHOWN);
}

/* A clip that has bytes of its own uses its database, too. */
void spn__database_count(struct anim *a, uint32_t file, bool is_wanted)
{
    struct range_load *load;

    if (file == CLIP_INDEX_NONE)
        return;
    a->databases[file].used_clips += is_wanted ? 1u : UINT32_MAX;
    a->databases[file].use_us = a->now_us;
    if (!is_wanted)
        return;
    note_use(a, file);
    load = load_of(a, file);
    if (load)
        spn__anim_load_set_idle(load, false);
}

bool spn__database_use(struct anim *a, uint32_t file, uint64_t deadline_us)
{
    struct range_load *load = file != CLIP_INDEX_NONE ? load_of(a, file) : NULL;
    const uint64_t late_us = deadline_us != 0
                                 ? deadline_us - min_u64(deadline_us, ALONE_US)
                                 : a->now_us + WAIT_US;
    struct anim_database *d;

    if (!load)
        return false;
    note_use(a, file);
    spn__anim_load_set_idle(load, false);
    if (load->state == LOAD_READY)
        return true;
    spn__load_set_deadline(load, deadline_us, 0);
    d = &a->databases[file];
    if (d->is_late || spn__load_error(load) != SPN_OK || late_us <= a->now_us)
        return false;
    d->late_us = d->late_us != 0 ? min_u64(d->late_us, late_us) : late_us;
    return true;
}

/* Clips that wait for a database that is late, or could not be read, are read
 * alone. */
static void end_wait(struct anim *a, uint32_t file,
                     const struct range_load *load)
{
    const struct clip_index *index = &a->image.index;
    struct anim_database *d = &a->databases[file];

    if (d->late_us == 0 || d->is_late || load->state == LOAD_READY ||
        (spn__load_error(load) == SPN_OK && a->now_us < d->late_us))
        return;
    d->is_late = true;
    for (uint32_t i = 0; i < index->header.clip_count; i++)
        if ((a->clips[i] & (CLIP_IS_WANTED | CLIP_LOAD_MASK)) ==
                CLIP_IS_WANTED &&
            spn__clip_index_file_of(index, i) == file)
            spn__anim_counts_push(&a->counts, i);
}

static void forget_lateness(struct anim_database *d)
{
    d->is_late = false;
    d->late_us = 0;
}

struct range_load *spn__database_load(const struct anim *a, uint32_t file)
{
    if (file == CLIP_INDEX_NONE || a->databases[file].is_hidden)
        return NULL;
    return load_of(a, file);
}

/* -- beginning and end -- */

/* A database without clips has none. */
static uint32_t data_bytes(const struct clip_data_file *facts)
{
    return (uint32_t)(facts->file_bytes - facts->data_offset);
}

static void begin(struct anim *a, uint32_t file)
{
    struct anim_database *d = &a->databases[file];
    const struct clip_data_file facts =
        spn__clip_index_file(&a->image.index, file);
    const uint32_t bytes = data_bytes(&facts);
    struct range_load *load = bytes > 0 ? spn__anim_load_take(a) : NULL;

    if (!load)
        return;
    load->is_database = true;
    load->owner = file;
    load->file_owner = file;
    load->priority = d->priority;
    spn__load_aim(load, &(struct load_range){facts.data_offset, bytes, bytes,
                                             facts.data_checksum, 0, false});
    d->load = spn__anim_load_number(load);
    d->is_preloaded = false;
    forget_lateness(d);
    spn__anim_load_begin(load);
}

void spn__database_preload(struct anim *a, uint32_t file, spn_priority priority)
{
    struct anim_database *d = &a->databases[file];

    d->priority = priority;
    note_use(a, file);
    if (d->load != ANIM_NONE) {
        spn__anim_load_set_idle(load_of(a, file), false);
        load_of(a, file)->priority = priority;
        return;
    }
    d->is_preloaded = true;
    begin(a, file);
}

void spn__database_clear_load(struct anim *a, uint32_t file)
{
    struct anim_database *d = &a->databases[file];

    d->load = ANIM_NONE;
    d->is_hidden = false;
    d->is_preloaded = false;
    forget_lateness(d);
}

static void drop(struct anim *a, uint32_t file)
{
    struct range_load *load = load_of(a, file);

    spn__database_clear_load(a, file);
    if (load)
        spn__anim_load_drop(load);
}

spn_status spn__database_unload(struct anim *a, uint32_t file)
{
    if (spn__database_is_in_use(a, file))
        return SPN_ERR_STATE;
    drop(a, file);
    return SPN_OK;
}

/* Whether it is to be read as soon as there is a record for it. */
static bool waits_for_record(const struct anim *a, uint32_t file)
{
    const struct anim_database *d = &a->databases[file];
    const struct clip_data_file facts =
        spn__clip_index_file(&a->image.index, file);

    return (d->is_preloaded || d->is_locked || d->owner_count > 0) &&
           data_bytes(&facts) > 0;
}

spn_status spn__database_status(const struct anim *a, uint32_t file)
{
    const struct range_load *load = load_of(a, file);

    if (load)
        return spn__load_status(load);
    return waits_for_record(a, file) ? SPN_PENDING : SPN_EMPTY;
}

void spn__database_loaded(struct anim *a, uint32_t file)
{
    a->databases[file].use_us = a->now_us;
    a->databases[file].has_come = true;
    forget_lateness(&a->databases[file]);
}

/* True if nothing of a clip's own is in memory, and its database is. Bytes that
 * are in memory may be in use, and stay. */
static bool is_superfluous(const struct range_load *load)
{
    const bool is_under_way =
        load->state == LOAD_WAITING || load->state == LOAD_ACTIVE;

    return is_under_way && !load->is_database && !load->was_ready &&
           load->file_owner != ANIM_NONE &&
           load->anim->databases[load->file_owner].has_come;
}

void spn__databases_replace_loads(struct anim *a)
{
    bool has_come = false;

    for (uint32_t i = 0; i < a->image.index.header.file_count; i++)
        has_come |= a->databases[i].has_come;
    for (uint32_t i = 0; has_come && i < a->config.loaded_count; i++)
        if (is_superfluous(&a->loads[i]))
            spn__anim_load_evict(&a->loads[i]);
    for (uint32_t i = 0; i < a->image.index.header.file_count; i++)
        a->databases[i].has_come = false;
}

/* -- updates -- */

static void hide(struct anim *a, uint32_t file)
{
    a->databases[file].is_hidden = true;
    spn__anim_database_event(a, file, SPN_ANIM_HIDDEN);
}

static void close_file(struct anim *a, struct anim_database *d,
                       uint64_t remove_us)
{
    if (d->file == 0 || a->now_us - d->file_use_us < remove_us)
        return;
    (void)spn__io_file_close(a->config.io, d->file);
    d->file = 0;
}

static void update(struct anim *a, uint32_t file)
{
    const struct tuning *t = a->config.tuning;
    struct anim_database *d = &a->databases[file];
    struct range_load *load = load_of(a, file);
    const bool is_in_use = spn__database_is_in_use(a, file);
    const uint64_t hide_us =
        (uint64_t)t->value[TUNING_anim_unregister_ms] * 1000;
    const uint64_t remove_us =
        max_u64(hide_us, (uint64_t)t->value[TUNING_anim_remove_ms] * 1000);
    uint64_t unused_us;

    close_file(a, d, remove_us);
    if (!load) {
        if (waits_for_record(a, file))
            begin(a, file);
        return;
    }
    end_wait(a, file, load);
    /* Time-outs begin when it is there; those of one that cannot be read, when
     * it was last in use. */
    if (is_in_use ||
        (load->state != LOAD_READY && spn__load_error(load) == SPN_OK))
        d->use_us = a->now_us;
    spn__anim_load_set_idle(load, load->state == LOAD_READY && !is_in_use);
    if (is_in_use || t->value[TUNING_anim_disable_unloading])
        return;
    unused_us = a->now_us - d->use_us;
    if (unused_us >= hide_us && !d->is_hidden && load->state == LOAD_READY)
        hide(a, file);
    if (unused_us < remove_us)
        return;
    a->stats.unloads_grace += load->was_ready;
    drop(a, file);
}

void spn__databases_update(struct anim *a)
{
    for (uint32_t i = 0; i < a->image.index.header.file_count; i++)
        update(a, i);
}

#endif
