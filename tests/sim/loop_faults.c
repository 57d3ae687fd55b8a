/* loop_faults.c - count occurrences, and let some fail. */
/* SPDX-License-Identifier: MIT */
#include "sim/loop_faults.h"

#include "sim/heap_fault.h"

#include <string.h>

#define SCRIBBLE 0xeb

static bool injection_occurs(struct loop_injection *s, enum loop_fault fault)
{
    if (fault != s->fault || s->at == 0)
        return false;
    s->count++;
    if (s->count < s->at || (s->count > s->at && !s->is_for_ever))
        return false;
    s->has_occurred = true;
    return true;
}

static bool fault_occurs(struct loop *l, enum loop_fault fault)
{
    struct loop_injection *first = &l->injection[0];

    return (first->has_occurred && injection_occurs(&l->injection[1], fault)) ||
           injection_occurs(first, fault);
}

static bool no_memory(void *user)
{
    return fault_occurs(user, LOOP_ALLOCATION);
}

static spn_status open_file(void *user, const char *path,
                            spn_platform_file_info *info)
{
    struct loop *l = user;
    const spn_platform *real = &l->stage.disc.table;

    if (fault_occurs(l, LOOP_OPEN))
        return SPN_ERR_IO;
    return real->file_open(real->user, path, info);
}

static void close_file(void *user, spn_platform_file file)
{
    const spn_platform *real = &((struct loop *)user)->stage.disc.table;

    real->file_close(real->user, file);
}

/* Decide the damage of a read when it begins, at its count. */
static void damage_read(struct loop *l, const spn_extent *extents,
                        uint32_t extent_count, uint32_t tag)
{
    static const enum loop_fault faults[] = {LOOP_READ, LOOP_SHORT,
                                             LOOP_DAMAGE};
    struct loop_damage *w = l->damages;

    while (w->tag != 0)
        w++;
    for (uint32_t i = 0; i < 3; i++) {
        if (!fault_occurs(l, faults[i]))
            continue;
        *w = (struct loop_damage){
            .fault = faults[i], .tag = tag, .extent_count = extent_count};
        memcpy(w->extents, extents, extent_count * sizeof *extents);
    }
}

/* Byte `at` of a read's memory. */
static uint8_t *byte_of(const struct loop_damage *w, uint64_t at)
{
    uint32_t i = 0;

    for (; at >= w->extents[i].bytes; i++)
        at -= w->extents[i].bytes;
    return (uint8_t *)w->extents[i].data + at;
}

static void apply_damage(struct loop *l, struct loop_damage *w,
                         spn_platform_completion *out)
{
    uint64_t half = out->bytes / 2 + out->bytes % 2;

    if (w->fault == LOOP_READ)
        *out = (spn_platform_completion){.tag = w->tag, .status = SPN_ERR_IO};
    for (uint64_t i = half; w->fault == LOOP_SHORT && i < out->bytes; i++)
        *byte_of(w, i) = SCRIBBLE;
    if (w->fault == LOOP_SHORT)
        out->bytes = half;
    if (w->fault == LOOP_DAMAGE && out->bytes > 0) {
        *byte_of(w, out->bytes / 2) ^= 4;
        l->is_damaged = true;
    }
    w->tag = 0;
}

static spn_status submit(void *user, spn_platform_file file, uint64_t offset,
                         const spn_extent *extents, uint32_t extent_count,
                         uint32_t tag)
{
    struct loop *l = user;
    const spn_platform *real = &l->stage.disc.table;

    if (fault_occurs(l, LOOP_REFUSE))
        return SPN_ERR_IO;
    damage_read(l, extents, extent_count, tag);
    return real->read_submit(real->user, file, offset, extents, extent_count,
                             tag);
}

static spn_status poll(void *user, spn_platform_completion *out,
                       uint64_t *due_us)
{
    struct loop *l = user;
    const spn_platform *real = &l->stage.disc.table;
    spn_status status = real->read_poll(real->user, out, due_us);

    for (uint32_t i = 0; status == SPN_OK && i < SPN_MEDIUM_COUNT; i++)
        if (l->damages[i].tag != 0 && l->damages[i].tag == out->tag)
            apply_damage(l, &l->damages[i], out);
    return status;
}

static void cancel(void *user, uint32_t tag)
{
    const spn_platform *real = &((struct loop *)user)->stage.disc.table;

    real->read_cancel(real->user, tag);
}

static uint64_t now_us(void *user)
{
    return ((struct loop *)user)->stage.disc.clock_us;
}

void loop_faults_make_table(struct loop *l)
{
    l->table = (spn_platform){.user = l,
                              .file_open = open_file,
                              .file_close = close_file,
                              .read_submit = submit,
                              .read_poll = poll,
                              .read_cancel = cancel,
                              .now_us = now_us};
}

void loop_faults_in_heap(struct loop *l)
{
    heap_fault = (struct heap_fault){.fails = no_memory, .user = l};
}
