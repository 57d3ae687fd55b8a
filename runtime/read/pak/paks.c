/* paks.c - the table of mounted paks. */
/* SPDX-License-Identifier: MIT */
#include "read/pak/paks.h"

#include "base/assert.h"
#include "base/mem.h"
#include "pak/pak_name.h"

#include <stddef.h>

#define INDEX_BITS 8u
#define INDEX_MASK ((1u << INDEX_BITS) - 1u)
#define GENERATION_SHIFT 18u
#define GENERATION_MASK (UINT32_MAX >> GENERATION_SHIFT)
#define IN_USE (1u << GENERATION_SHIFT)
#define OPEN_BIT (1u << 17)
/* Mask of the number of holds. Each read, each open file and each thread in a
 * lookup has at most one hold of a mount, so the number stays far below. */
#define HOLDS_MASK (OPEN_BIT - 1u)
#define AFTER_WORDS offsetof(struct pak_mount, is_ready)

SPN_STATIC_ASSERT(PAKS_COUNT_MAX <= INDEX_MASK, paks_count);

void spn__paks_init(struct paks *paks, struct carve *carve, uint32_t count)
{
    SPN_ASSERT(count <= PAKS_COUNT_MAX);
    memset(paks, 0, sizeof *paks);
    paks->mounts = SPN_CARVE(carve, struct pak_mount, count);
    paks->count = count;
}

/* -- caller's thread -- */

struct pak_mount *spn__paks_take(struct paks *paks)
{
    for (uint32_t i = 0; i < paks->count; i++) {
        struct pak_mount *mount = &paks->mounts[i];
        uint32_t word = atomic_load_relaxed(&mount->word);

        if (word & IN_USE)
            continue;
        /* Clear all fields except the words that other threads may read. */
        memset((uint8_t *)mount + AFTER_WORDS, 0, sizeof *mount - AFTER_WORDS);
        mount->order = paks->orders++;
        return mount;
    }
    return NULL;
}

static spn_pak handle_of(uint32_t word, uint32_t index)
{
    return (word >> GENERATION_SHIFT & GENERATION_MASK) << INDEX_BITS | index;
}

spn_pak spn__paks_handle(const struct paks *paks, const struct pak_mount *mount)
{
    return handle_of(atomic_load_relaxed(&mount->word),
                     (uint32_t)(mount - paks->mounts));
}

spn_pak spn__paks_publish(struct paks *paks, struct pak_mount *mount)
{
    uint32_t word = atomic_load_relaxed(&mount->word) + IN_USE;

    SPN_ASSERT(word & IN_USE);
    /* Pairs with the load in try_hold. */
    atomic_store_release(&mount->word, word | OPEN_BIT);
    return handle_of(word, (uint32_t)(mount - paks->mounts));
}

struct pak_mount *spn__paks_of(const struct paks *paks, spn_pak pak)
{
    return &paks->mounts[pak & INDEX_MASK];
}

static struct pak_mount *mount_of(const struct paks *paks, spn_pak pak,
                                  uint32_t *word)
{
    uint32_t index = pak & INDEX_MASK;

    if (index >= paks->count || !(pak >> INDEX_BITS & 1u))
        return NULL;
    *word = atomic_load_acquire(&paks->mounts[index].word);
    if (handle_of(*word, index) != pak || !(*word & OPEN_BIT))
        return NULL;
    return &paks->mounts[index];
}

struct pak_mount *spn__paks_get(const struct paks *paks, spn_pak pak)
{
    uint32_t word;

    return mount_of(paks, pak, &word);
}

void spn__paks_set_ready(struct paks *paks, struct pak_mount *mount)
{
    /* Pairs with the load in spn__paks_lookup. */
    atomic_add_acq_rel(&paks->ready_count, 1);
    /* Pairs with the load in try_hold. */
    atomic_store_release(&mount->is_ready, 1);
}

void spn__paks_close(struct paks *paks, struct pak_mount *mount)
{
    atomic_and_acq_rel(&mount->word, ~OPEN_BIT);
    if (atomic_load_relaxed(&mount->is_ready))
        atomic_add_acq_rel(&paks->ready_count, UINT32_MAX);
}

bool spn__paks_is_abandoned(const struct pak_mount *mount)
{
    /* Pairs with the sub in spn__paks_unhold. */
    uint32_t word = atomic_load_acquire(&mount->word);

    return (word & IN_USE) && !(word & (OPEN_BIT | HOLDS_MASK));
}

void spn__paks_give_back(struct pak_mount *mount)
{
    uint32_t word = atomic_load_relaxed(&mount->word);

    SPN_ASSERT(spn__paks_is_abandoned(mount));
    atomic_store_release(&mount->is_ready, 0);
    atomic_store_release(&mount->word, word + IN_USE);
}

static const char *check_free(const struct pak_mount *mount)
{
    uint32_t word = atomic_load_relaxed(&mount->word);

    if (word & (OPEN_BIT | HOLDS_MASK) || atomic_load_relaxed(&mount->is_ready))
        return "a free mount of a pak that is open, ready or held";
    if (mount->phase != PAK_FREE || mount->index_block || mount->memory_block)
        return "a free mount of a pak with a phase or memory";
    return NULL;
}

static const char *check_used(const struct pak_mount *mount)
{
    bool is_open = atomic_load_relaxed(&mount->word) & OPEN_BIT;
    uint32_t serving = atomic_load_relaxed(&mount->serving);

    if (mount->phase == PAK_FREE || is_open == mount->is_leaving)
        return "phase of a pak, or whether it leaves";
    if (atomic_load_relaxed(&mount->is_ready) && mount->phase != PAK_READY)
        return "a pak that is ready before its index is valid";
    if ((mount->status < SPN_OK) != (mount->phase == PAK_FAILED) ||
        (mount->status == SPN_OK) != (mount->phase == PAK_READY))
        return "phase and status of a pak";
    if ((serving == PAK_SERVED_FROM_MEMORY && mount->load != PAK_LOAD_DONE) ||
        (serving == PAK_SERVING_ENDS && mount->load != PAK_LOAD_LEAVES))
        return "a pak that is served from memory without a load";
    if (serving == PAK_SERVED_FROM_DISC &&
        (mount->is_in_memory || mount->memory_users > 0))
        return "users of the memory of a pak that is served from the disc";
    return NULL;
}

const char *spn__paks_check(const struct paks *paks)
{
    uint32_t ready_count = 0;

    for (uint32_t i = 0; i < paks->count; i++) {
        const struct pak_mount *mount = &paks->mounts[i];
        uint32_t word = atomic_load_relaxed(&mount->word);
        const char *what =
            word & IN_USE ? check_used(mount) : check_free(mount);

        if (what)
            return what;
        ready_count +=
            (word & OPEN_BIT) && atomic_load_relaxed(&mount->is_ready);
    }
    if (ready_count != atomic_load_relaxed(&paks->ready_count))
        return "the number of ready paks";
    return NULL;
}

uint32_t spn__paks_hold_count(const struct pak_mount *mount)
{
    return atomic_load_relaxed(&mount->word) & HOLDS_MASK;
}

/* -- any thread -- */

/* Add a hold to a mount if it is open and has this generation. */
static bool try_hold(struct pak_mount *mount, uint32_t word)
{
    uint32_t generation = word >> GENERATION_SHIFT;

    do {
        if (!(word & OPEN_BIT) || word >> GENERATION_SHIFT != generation)
            return false;
        SPN_ASSERT((word & HOLDS_MASK) < HOLDS_MASK);
    } while (!atomic_compare_exchange_acq_rel(&mount->word, &word, word + 1));
    return true;
}

spn_status spn__paks_hold(const struct paks *paks, spn_pak pak,
                          struct pak_mount **out)
{
    uint32_t word;
    struct pak_mount *mount = mount_of(paks, pak, &word);

    if (!mount || !try_hold(mount, word))
        return SPN_ERR_HANDLE;
    if (!atomic_load_acquire(&mount->is_ready)) {
        spn__paks_unhold(mount);
        return SPN_PENDING;
    }
    *out = mount;
    return SPN_OK;
}

void spn__paks_hold_again(struct pak_mount *mount)
{
    uint32_t before = atomic_add_acq_rel(&mount->word, 1);

    SPN_ASSERT((before & HOLDS_MASK) > 0);
    (void)before;
}

void spn__paks_unhold(struct pak_mount *mount)
{
    uint32_t before = atomic_add_acq_rel(&mount->word, UINT32_MAX);

    SPN_ASSERT((before & HOLDS_MASK) > 0);
    (void)before;
}

static uint32_t text_bytes(const char *text)
{
    uint32_t bytes = 0;

    while (bytes < PAK_NAME_BYTES_MAX && text[bytes] != 0)
        bytes++;
    return bytes;
}

/* Whether mount a is later than mount b; the numbers wrap. */
static bool is_later(const struct pak_mount *a, const struct pak_mount *b)
{
    return a->order - b->order < UINT32_MAX / 2;
}

struct pak_mount *spn__paks_lookup(const struct paks *paks, const char *name,
                                   uint32_t *entry)
{
    uint32_t name_bytes = text_bytes(name);
    struct pak_mount *best = NULL;

    /* Pairs with the addition in spn__paks_set_ready. A pak that is mounted at
     * the same time may be missed. */
    if (atomic_load_acquire(&paks->ready_count) == 0)
        return NULL;
    for (uint32_t i = 0; i < paks->count; i++) {
        struct pak_mount *mount = &paks->mounts[i];
        uint32_t found;

        if (!try_hold(mount, atomic_load_acquire(&mount->word)))
            continue;
        found = PAK_NONE;
        if (atomic_load_acquire(&mount->is_ready) &&
            (!best || is_later(mount, best)))
            found = spn__pak_find(&mount->index, name, name_bytes);
        if (found == PAK_NONE) {
            spn__paks_unhold(mount);
            continue;
        }
        if (best)
            spn__paks_unhold(best);
        best = mount;
        *entry = found;
    }
    return best;
}
