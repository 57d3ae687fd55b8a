/* cache_load.h - loading an opened cache, and closing it.
 *
 * A cache is loaded in steps (enum cache_state): read and validate the header;
 * allocate, read and validate the frame table; allocate and read the static
 * data; validate its tables; unpack its blobs; compare content hashes; share
 * its static meshes. Reads go to the io thread, validation and unpacking to
 * jobs. No step waits: a step that cannot be done yet is tried again at the
 * next update. A cache that fails frees its memory and keeps the reason.
 * Closing waits for the cache's read and jobs to end.
 *
 * Unloading. The blobs of a cache that nobody wants (cache.is_unwanted) are
 * freed while no node streams it. When somebody wants them again, they are read
 * and unpacked as before. If this fails, it is tried again a second later.
 *
 * One cache loads at a time, in the order of the calls that opened them. Two
 * caches that are each half loaded can therefore not wait for each other's
 * memory. Caller's thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_LOAD_H
#define SPN_PLAY_CACHE_LOAD_H

#include "play/cache.h"

/* Do all steps that are possible now. */
void spn__cache_step(struct cache *c);
/* Let the next cache load, if this one was being loaded or selected. Call it
 * when the cache is ready, unloaded, failed or closing. */
void spn__cache_finish_loading(struct cache *c);

#endif
